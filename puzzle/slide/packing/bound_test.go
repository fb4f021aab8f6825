package packing

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pagoda/puzzle/slide/slidetest"
)

// The bound of the placements is their number if the beam is wide enough, and no more otherwise.
func TestAtLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 4))
	for range 300 {
		p := slidetest.Random(rng)
		size := newPacking(t, p).Size()
		for _, beam := range []int{1, 3, 10, 1 << 20} {
			n, err := atLeast(t.Context(), p, beam)
			if err != nil || n > size || beam == 1<<20 && n != size {
				t.Errorf("%s: at least %d placements (%v) with a beam of %d, there are %d", p.Format(), n, err, beam, size)
			}
		}
	}
}

// Trays with too many placements are refused before their graph is large: eight to eleven seconds
// and a gigabyte went into these.
func TestRefusedSoon(t *testing.T) {
	for _, text := range []string{
		"distinct: *\ntray: ABCDEFGH/IJKLMNPQ/RSTU..../......../......../......../......../........",
		"distinct: *\ntray: ABCDEFGH/IJKLMNPQ/RSTUVWXY/Zabcdefg/hijkmnpq/rstuvwxy/z0123456/7......8",
		"distinct: *\ntray: AABBCCDD/EEFFGGHH/IIJJKKLL/MMNNPPQQ/RRSSTT../......../......../........",
		"tray: ABBC..../DDCCEE../DDGGEEH./FGGIJJH./F.KK.JLL/MMKK..../......../........",
		"tray: A.BB.C/DDB.CC/.DEE.F/GGHH.F/GIIJJ./K..L../KK.LL./.M.N../MMNN../......",
	} {
		var limit *LimitError
		if _, err := New(t.Context(), slidetest.Parse(t, text), 0); !errors.As(err, &limit) || limit.Placements == 0 || limit.Nodes > 1<<18+100 {
			t.Errorf("%s: %v, after %d nodes", text, err, limit.Nodes)
		}
	}
}

// The graph is no longer made when the context has ended.
func TestStopped(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	p := slidetest.Parse(t, "tray: BAAC/BAAC/DEEF/DghF/i..j")
	if _, err := New(ctx, p, 0); !errors.Is(err, stop) {
		t.Errorf("New: %v", err)
	}
	if _, err := atLeast(ctx, p, 10); !errors.Is(err, stop) {
		t.Errorf("atLeast: %v", err)
	}
}
