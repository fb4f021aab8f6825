package statespace_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/spacetest"
)

// piles is a space of two piles of fewer than n things; a move takes two from one.
// That it does not matter which pile is which is its symmetry, in the plain way.
type piles struct{ n uint64 }

func (p piles) Name() string              { return "piles" }
func (p piles) Size() uint64              { return p.n * p.n }
func (p piles) Roots() []statespace.Index { return []uint64{p.Size() - 1} }
func (p piles) Format(x uint64) string    { return fmt.Sprint(x/p.n, " and ", x%p.n) }
func (p piles) Tell(way statespace.Way) ([]fmt.Stringer, []string, error) {
	return tell(p, way, "from the left", "from the right")
}
func (p piles) LayerName() string  { return "things" }
func (p piles) Layer(x uint64) int { return int(x/p.n + x%p.n) }
func (p piles) LayersFall() bool   { return true }

func (p piles) Definition() statespace.Definition {
	return statespace.Definition{Family: "piles", Name: p.Name()}
}

func (p piles) Parse(text string) (uint64, error) {
	var left, right uint64
	if _, err := fmt.Sscanf(text, "%d and %d", &left, &right); err != nil {
		return 0, err
	}
	if left >= p.n || right >= p.n {
		return 0, statespace.ErrOutside
	}
	return left*p.n + right, nil
}

func (p piles) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	if x/p.n >= 2 {
		dst = append(dst, statespace.Edge{To: x - 2*p.n, Move: 0})
	}
	if x%p.n >= 2 {
		dst = append(dst, statespace.Edge{To: x - 2, Move: 1})
	}
	return dst
}

func (p piles) Predecessors(dst []statespace.Edge, x uint64) []statespace.Edge {
	if x/p.n+2 < p.n {
		dst = append(dst, statespace.Edge{To: x + 2*p.n, Move: 0})
	}
	if x%p.n+2 < p.n {
		dst = append(dst, statespace.Edge{To: x + 2, Move: 1})
	}
	return dst
}

func (p piles) Symmetries() []statespace.Symmetry { return []statespace.Symmetry{exchange{p}} }

type exchange struct{ piles }

func (e exchange) Map(x uint64) uint64       { return x%e.n*e.n + x/e.n }
func (e exchange) TakesBlocks(bits int) bool { return false }

func (e exchange) Least(word uint64) uint64 { return statespace.LeastPlain(e, word, e.Size()) }
func (e exchange) Gather(word uint64, read func(uint64) uint64) uint64 {
	return statespace.GatherPlain(e, word, e.Size(), read)
}

func TestFold(t *testing.T) {
	for _, n := range []uint64{2, 7, 8, 10, 100} {
		spacetest.Test(t, piles{n}, 50)
	}
	sp := piles{10}
	set := bitset.New(sp.Size())
	if err := statespace.Enumerate(t.Context(), sp, statespace.PlainEngine, set, 1, nil); err != nil {
		t.Fatal(err)
	}
	if err := statespace.FoldSet(t.Context(), sp, set, 2, nil); err != nil {
		t.Fatal(err)
	}
	// 1, 3, 5, 7 or 9 in each pile, no more in the left one.
	if n := set.Count(); n != 15 {
		t.Errorf("%d members are left of 25, want 15", n)
	}
	for x, want := range map[uint64]int{33: 1, 35: 2} {
		if n := statespace.Orbit(sp.Symmetries(), x); n != want {
			t.Errorf("%s: %d in its orbit, want %d", sp.Format(x), n, want)
		}
	}

	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	if err := statespace.FoldSet(ctx, sp, set, 2, nil); !errors.Is(err, stopped) {
		t.Errorf("folding went on: %v", err)
	}
	if err := statespace.UnfoldSet(ctx, sp, set, bitset.New(sp.Size()), 2, nil); !errors.Is(err, stopped) {
		t.Errorf("unfolding went on: %v", err)
	}
	if err := statespace.FoldSet(t.Context(), countdown{20}, bitset.New(21), 2, nil); err != nil {
		t.Errorf("a space without symmetries: %v", err)
	}
}
