package slide

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/puzzle/slide/trees"
)

// TestWide: puzzles in trays of more than 64 cells have the same answers as those within a smaller tray,
// which have numbers.
func TestWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	n := 60
	if !long.Tests {
		n = 18
	}
	for i := 0; i < n; {
		p := slidetest.Random(rng)
		m := tray.Metric(i % tray.Metrics)
		want := mustSolve(t, p, m, Options{})
		if want.States < 10 || want.States > 2000 {
			continue
		}
		i++
		large := slidetest.Enlarge(t, rng, p)
		for _, o := range []Options{{}, {Threads: 2, Engine: sparseEngine}, {Engine: plainEngine}} {
			got := mustSolve(t, large, m, o)
			if !sameAnswers(got, want) {
				t.Fatalf("%s%v by %v: %+v, in a small tray\n%s%+v", large.Format(), m, o.Engine, got, p.Format(), want)
			}
			checkMoves(t, large, got)
		}
		if want.States > 300 {
			continue
		}
		d, err1 := FindDiameter(t.Context(), p, m, Options{})
		e, err2 := FindDiameter(t.Context(), large, m, Options{Threads: 2})
		if err1 != nil || err2 != nil || d.Diameter != e.Diameter || d.Radius != e.Radius || d.PairCount != e.PairCount || !e.Exact {
			t.Fatalf("%s%v: diameter %+v (%v), in a small tray %+v (%v)", large.Format(), m, e, err2, d, err1)
		}
		g, err1 := FindHardest(t.Context(), p, m, Options{})
		h, err2 := FindHardest(t.Context(), large, m, Options{Threads: 2})
		if err1 != nil || err2 != nil || g.Goals != h.Goals || g.Length != h.Length || g.Count != h.Count {
			t.Fatalf("%s%v: hardest %+v (%v), in a small tray %+v (%v)", large.Format(), m, h, err2, g, err1)
		}
		b, err1 := FindBB(t.Context(), p, m, trees.Options{Width: 6, Samples: 100})
		c, err2 := FindBB(t.Context(), large, m, trees.Options{Width: 6, Samples: 100})
		if err1 != nil || err2 != nil || b.Vertices != c.Vertices || b.Exact != nil && (c.Exact == nil || b.Value != c.Value) {
			t.Fatalf("%s%v: BB %+v (%v), in a small tray %+v (%v)", large.Format(), m, c, err2, b, err1)
		}
	}
}

// TestWideNumbers: what needs numbers says that the tray is too large for them.
func TestWideNumbers(t *testing.T) {
	p := slidetest.Parse(t, "tray: A"+strings.Repeat(".", 99)+"\ngoal: .A")
	var size *packing.LimitError
	if _, err := NewSpace(t.Context(), "", p, tray.Steps, false, 0); !errors.As(err, &size) || size.Cells != 100 || !strings.Contains(err.Error(), "in a tray of 100 cells") {
		t.Errorf("solved by numbers: %v", err)
	}
	sp, err := New(t.Context(), "row", p, tray.Steps, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	u, ok := sp.(*Unnumbered)
	if !ok || !strings.HasSuffix(u.Explain().String(), "numbering   none, as the tray has more than 64 cells: positions that are found have keys of 8 bytes\n") {
		t.Errorf("%T, explained as\n%s", sp, u.Explain())
	}
}

// TestLargest: a piece crosses a tray of 256 cells, the most that there can be.
func TestLargest(t *testing.T) {
	rows := strings.Repeat(strings.Repeat(".", 16)+"\n", 15)
	p := slidetest.Parse(t, "tray:\nA"+strings.Repeat(".", 15)+"\n"+rows+"goal:\n"+rows+strings.Repeat(".", 15)+"A\n")
	for m, length := range []int{30, 2, 1, 30, 2, 1} {
		if r := mustSolve(t, p, tray.Metric(m), Options{}); r.Length != length || r.States != tray.MaxCells {
			t.Errorf("%v: %+v, want length %d", tray.Metric(m), r, length)
		}
	}
}

// TestTwoBlocks has puzzles of two pieces from the notes of github.com/lumi-a/sliding-blocks, which gives
// 25 moves for the first: in one part, in two parts, and with a comb in a large tray.
func TestTwoBlocks(t *testing.T) {
	for _, text := range []string{
		"tray:\nBBBB............\nBA.B............\nBBBB............\ngoal:\n................\n..............A.\n",
		"parts: B\ntray: BA.B............\ngoal: ..............A.",
		`tray:
.............................
bbbbbbbbbbbbbbbbbbbbbbbbbbbbb
b   b   b   b   b   b   b   b
bA..b...b...b...b...b...b...b
b b   b   b   b   b   b   b b
b.b...b...b...b...b...b...b.b
bbbbbbbbbbbbbbbbbbbbbbbbbbbbb
goal:
.............................
.............................
.   .   .   .   .   .   .   .
...........................A.
`} {
		p := slidetest.Parse(t, text)
		for _, e := range []string{autoEngine, plainEngine} {
			r := mustSolve(t, p, tray.Moves, Options{Engine: e})
			if r.Length != 25 || r.Solutions.Int64() != 1 {
				t.Errorf("%s%v: %+v, want 25 moves", p.Format(), e, r)
			}
			checkMoves(t, p, r)
		}
	}
}
