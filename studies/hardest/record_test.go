package hardest

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
)

// published are the lengths in moves of the hardest strict puzzles on 4x4 with 1 to 15 pieces, by
// N. Bickford, 2012.
var published = []int{1, 4, 9, 19, 36, 51, 62, 89, 132, 81, 64, 73, 61, 25, 21}

// scripts/reproduce-hardest.sh 4x4 searches those that take long, too.
func TestPublished(t *testing.T) {
	b := Rectangle(1, 4, 4)
	goals, err := Goals(b, Journey{Strict: true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for pieces, want := range published {
		if pieces++; pieces > 2 && pieces < 12 || !long.Tests && pieces < 13 {
			continue
		}
		p := &Problem{Board: b, Goals: goals, Metric: tray.Moves, MinPieces: pieces, MaxPieces: pieces}
		results, err := Search(t.Context(), p, Options{})
		if err != nil || len(results) != 1 || results[0].Length != want {
			t.Errorf("%d pieces: %v, %v, want length %d", pieces, lengths(results), err, want)
		}
		checkSolved(t, p, results)
	}
}

// The record of 132 moves is the only puzzle of that length whose goal piece has its shape.
func TestRecord(t *testing.T) {
	if !long.Tests {
		t.Skip("a search of 9 pieces on 4x4 takes long")
	}
	z, err := library.Lookup("slide/record4x4")
	if err != nil {
		t.Fatal(err)
	}
	var record []string
	for i := range z.Start() {
		record = append(record, fmt.Sprint(z.PieceCells(z.Start(), i)))
	}
	slices.Sort(record[1:])
	b := Rectangle(1, 4, 4)
	goals, err := Goals(b, Journey{Strict: true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	goals = slices.DeleteFunc(goals, func(g Goal) bool { return fmt.Sprint(g.Cells) != fmt.Sprint(z.Wants(0)[0].Cells) })
	results, err := Search(t.Context(), &Problem{Board: b, Goals: goals, Metric: tray.Moves, MinPieces: 9, MaxPieces: 9}, Options{})
	if err != nil || len(results) != 1 || results[0].Length != 132 {
		t.Fatalf("%v, %v, want length 132", results, err)
	}
	found := 0
	for _, st := range results[0].Starts {
		var start []string
		for _, piece := range st.Pieces {
			start = append(start, fmt.Sprint(piece.Cells))
		}
		slices.Sort(start[1:])
		if slices.Equal(start, record) {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d of %d starts are the record: %v", found, len(results[0].Starts), results[0].Starts)
	}
}

// The number that Bickford calls justsolved, counted by masks of cells: the goal piece covers the
// lower right corner and can make a step up or to the left.
func TestJustSolvedByMasks(t *testing.T) {
	const side, all = 4, 1<<16 - 1
	const top, left = 0x000f, 0x1111
	connected := func(mask int) bool {
		reached := mask & -mask
		for grown := 0; grown != reached; {
			grown = reached
			reached |= (grown<<side | grown>>side | grown&^left>>1 | grown<<1&^left) & mask
		}
		return reached == mask
	}
	ways := make([]int, all+1) // to put pieces into some cells
	ways[0] = 1
	isPiece := make([]bool, all+1)
	for cells := 1; cells <= all; cells++ {
		isPiece[cells] = connected(cells)
		first := 1 << bits.TrailingZeros(uint(cells))
		rest := cells &^ first
		ways[cells] = ways[rest]
		for more := rest; ; more = (more - 1) & rest {
			if isPiece[first|more] {
				ways[cells] += ways[rest&^more]
			}
			if more == 0 {
				break
			}
		}
	}
	solved := 0
	for goal := all/2 + 1; goal <= all; goal++ {
		if !isPiece[goal] {
			continue
		}
		empty, up, back := all&^goal, goal>>side, goal>>1
		if goal&top == 0 {
			solved += ways[empty&^up]
		}
		if goal&left == 0 {
			solved += ways[empty&^back]
		}
		if goal&(top|left) == 0 {
			solved -= ways[empty&^up&^back]
		}
	}
	if solved != 12_295_564 {
		t.Errorf("%d placements are just solved, want 12,295,564", solved)
	}
	if ways[all] != 55_807_716 {
		t.Errorf("pieces can lie in 4x4 in %d ways, want 55,807,716", ways[all])
	}
	s, err := newSearcher(t.Context(), &Problem{Board: Rectangle(1, side, side), Metric: tray.Moves}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	paths := make([]int, len(s.undecided)) // from the nodes of the graph to its end
	paths[s.end()] = 1
	for n := int(s.end()) - 1; n >= 0; n-- {
		paths[n] = paths[s.empty[n]]
		for _, e := range s.edges[s.graph.begin[n]:s.graph.begin[n+1]] {
			paths[n] += paths[e.to]
		}
	}
	if paths[0] != ways[all] {
		t.Errorf("the graph has %d paths, want %d", paths[0], ways[all])
	}
}
