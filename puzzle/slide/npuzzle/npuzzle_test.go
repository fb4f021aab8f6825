package npuzzle

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

func mustNumber(t testing.TB, p *tray.Puzzle) *Numbering {
	t.Helper()
	n, err := New(p)
	if err != nil {
		t.Fatalf("%v\n%s", err, p.Format())
	}
	return n
}

// TestNumbering compares the numbers of small n-puzzles with all placements.
func TestNumbering(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, sides := range [][2]int{{2, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 2}} {
		for range 4 {
			p := slidetest.RandomTiles(t, rng, sides[0], sides[1])
			n := mustNumber(t, p)
			keys := slidetest.Placements(p)
			seen := make([]bool, n.Size())
			count := 0
			for _, key := range keys {
				pos := p.PositionOf(key)
				x, ok := n.Rank(pos)
				if !ok {
					continue
				}
				if x >= n.Size() || seen[x] {
					t.Fatalf("%s%s: number %d, of %d, comes twice or is too large", p.Format(), p.FormatPosition(pos), x, n.Size())
				}
				seen[x] = true
				count++
				if got := n.Unrank(x); !slices.Equal(got, pos) {
					t.Fatalf("%s%d is %s, want %s", p.Format(), x, p.FormatPosition(got), p.FormatPosition(pos))
				}
			}
			if count != len(keys)/2 || uint64(count) != n.Size() {
				t.Fatalf("%s%d of %d placements have numbers, the size is %d", p.Format(), count, len(keys), n.Size())
			}
		}
	}
}

// TestMoves compares the moves and goals of random numbers with those of the puzzle.
func TestMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, sides := range [][2]int{{2, 2}, {2, 3}, {3, 2}, {3, 3}, {2, 4}, {2, 5}, {5, 2}, {3, 4}, {4, 3}, {2, 6}, {2, 7}, {3, 5}, {5, 3}} {
		for range 10 {
			p := slidetest.RandomTiles(t, rng, sides[0], sides[1])
			n := mustNumber(t, p)
			if x, ok := n.Rank(p.Start()); !ok || x >= n.Size() {
				t.Fatalf("%sthe start has the number %d, %t", p.Format(), x, ok)
			}
			for range 20 {
				checkMoves(t, n, rng.Uint64N(n.Size()))
			}
		}
	}
}

func checkMoves(t *testing.T, n *Numbering, x uint64) {
	t.Helper()
	p := n.puzzle
	pos := n.Unrank(x)
	if y, ok := n.Rank(pos); !ok || x != y {
		t.Fatalf("%s%d is %s, and this is %d, %t", p.Format(), x, p.FormatPosition(pos), y, ok)
	}
	if n.Goal(x) != p.Solved(pos) {
		t.Fatalf("%s%s is a goal: %t, by its number: %t", p.Format(), p.FormatPosition(pos), p.Solved(pos), n.Goal(x))
	}
	other := slices.Clone(pos)
	other[0], other[1] = other[1], other[0]
	if _, ok := n.Rank(other); ok {
		t.Fatalf("%s%s can be reached, and also with two tiles exchanged", p.Format(), p.FormatPosition(pos))
	}
	var want []uint64
	for _, s := range p.Successors(tray.Moves, pos) {
		y, ok := n.Rank(s.To)
		if !ok {
			t.Fatalf("%s%s leads to a position that cannot be reached", p.Format(), p.FormatPosition(pos))
		}
		want = append(want, y)
	}
	got := n.neighbours(nil, x)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%s%s leads to %v, want %v", p.Format(), p.FormatPosition(pos), got, want)
	}
}

// TestSameNumbers: the number does not depend on the start and the goal.
func TestSameNumbers(t *testing.T) {
	p := slidetest.Parse(t, "distinct: *\ntray: 123/456/78.\ngoal: 1")
	q := slidetest.Parse(t, "distinct: *\ntray: 123/.46/758")
	a, b := mustNumber(t, p), mustNumber(t, q)
	for x := uint64(0); x < a.Size(); x += 1001 {
		if v, w := p.FormatPosition(a.Unrank(x)), q.FormatPosition(b.Unrank(x)); v != w {
			t.Fatalf("%d is %s and %s", x, v, w)
		}
	}
	if x, _ := a.Rank(p.Start()); x != 8*20160 {
		t.Errorf("123/456/78. has the number %d", x)
	}
}

// TestNotNPuzzle has puzzles that are not n-puzzles, or too large.
func TestNotNPuzzle(t *testing.T) {
	for _, text := range []string{
		"tray: 123/45.",                  // interchangeable
		"distinct: *\ntray: 123/4..",     // two empty cells
		"distinct: *\ntray: 123/456",     // none
		"distinct: *\ntray: 123/45#/6.7", // a wall
		"distinct: *\ntray: 123/.45/6",   // a wall
		"distinct: *\nwalls: (0,2) below\ntray: 123/45.",
		"distinct: *\ntray: 1234.",                  // one row
		"distinct: *\ntray: 1/2/.",                  // one column
		"distinct: *\ntray: 11/2.",                  // a piece of two cells
		"distinct: *\nhorizontal: 2\ntray: 123/45.", // a piece that does not move up
		"distinct: *\ntray: 1234/5678/9ABC/DEF.",    // 16 cells
	} {
		if _, err := New(slidetest.Parse(t, text)); !errors.Is(err, ErrNotNPuzzle) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
