package hardest

import (
	"fmt"
	"slices"
	"testing"

	"pagoda/puzzle/slide/tray"
)

// corners searches the puzzles of a board from corner to corner.
func corners(t *testing.T, b Board, strict bool, m tray.Metric, o Options) []Result {
	t.Helper()
	goals, err := Goals(b, Journey{Strict: strict}, 0)
	if err != nil {
		t.Fatal(err)
	}
	results, err := Search(t.Context(), &Problem{Board: b, Goals: goals, Metric: m}, o)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func lengths(results []Result) (all []int) {
	for _, r := range results {
		all = append(all, r.Length)
	}
	return all
}

// The lengths of 3x3 were found by another program.
func TestLengths(t *testing.T) {
	for m, want := range map[tray.Metric][]int{
		tray.Moves: {1, 2, 5, 10, 14, 22, 18, 13, 0},
	} {
		if got := lengths(corners(t, Rectangle(1, 3, 3), true, m, Options{})); !slices.Equal(got, want) {
			t.Errorf("3x3 in %v: %v, want %v", m, got, want)
		}
	}
}

// A board of one floor, its transpose and the same board standing upright give the same.
func TestTurned(t *testing.T) {
	for m := range tray.Supersteps {
		want := corners(t, Rectangle(1, 2, 4), true, m, Options{})
		for _, b := range []Board{Rectangle(1, 4, 2), Rectangle(2, 1, 4), Rectangle(2, 4, 1), Rectangle(4, 1, 2), Rectangle(4, 2, 1)} {
			got := corners(t, b, true, m, Options{})
			if !slices.Equal(lengths(got), lengths(want)) {
				t.Errorf("%d floors, %d rows, %d columns: %v, want %v", b.Floors, b.Rows, b.Cols, lengths(got), lengths(want))
			}
			for i := range got {
				if got[i].Placements != want[i].Placements || got[i].Reached != want[i].Reached || len(got[i].Starts) != len(want[i].Starts) {
					t.Errorf("%d floors, %d rows, %d columns, %d pieces: %d of %d placements, %d starts; want %d of %d, %d", b.Floors, b.Rows, b.Cols,
						i+1, got[i].Reached, got[i].Placements, len(got[i].Starts), want[i].Reached, want[i].Placements, len(want[i].Starts))
				}
			}
		}
	}
}

// The results do not depend on the units and the threads.
func TestUnits(t *testing.T) {
	b := Rectangle(1, 3, 3)
	want := corners(t, b, true, tray.Moves, Options{Threads: 1})
	old := leastPart
	defer func() { leastPart = old }()
	for _, leastPart = range []uint64{1, 40, 600} {
		got := corners(t, b, true, tray.Moves, Options{Threads: 3, Memory: 1 << 30})
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("units of %d: %v, want %v", leastPart, got, want)
		}
	}
}
