package purges

import (
	"fmt"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/peg/board"
)

// The placements of a package are all ways to lay it on a board so that its jumps are jumps of the board.
func TestPlacements(t *testing.T) {
	for name, s := range map[string]*board.Shape{
		"english": &made[*board.Board](t)(board.OfShape(board.CrossShape(7))).Shape, "triangle": &made[*board.Board](t)(board.OfShape(board.TriangleShape(5))).Shape,
		"4x4": &made[*board.Board](t)(board.Rectangle(4, 4)).Shape, "20x20": made[*board.Shape](t)(board.RectangleShape(20, 20)),
	} {
		some := upTo(6)
		if name == "20x20" || !long.Tests {
			some = upTo(5)
		}
		got := make(map[string]bool)
		for p := range Placements(s, some) {
			pegs := make(map[int]bool)
			for _, c := range p.Pegs {
				pegs[c] = true
			}
			for _, j := range p.Jumps {
				if k := slices.IndexFunc(s.Lines(), func(l board.Line) bool {
					return l.B == j.Over && (l.A == j.From && l.C == j.To || l.A == j.To && l.C == j.From)
				}); k < 0 || !pegs[j.From] || !pegs[j.Over] || pegs[j.To] {
					t.Fatalf("%s: the jumps %v of %v cannot be made from pegs %v", name, p.Jumps, p.Package, p.Pegs)
				}
				pegs[j.From], pegs[j.Over], pegs[j.To] = false, false, true
			}
			if len(p.Pegs)+len(p.Holes) != len(p.Cells) || !slices.IsSorted(p.Pegs) || !slices.IsSorted(p.Holes) {
				t.Errorf("%s: %v needs pegs %v and holes %v", name, p.Package, p.Pegs, p.Holes)
			}
			for i, c := range p.Cells {
				if pegs[c] != (p.Package.Goal>>i&1 == 1) || slices.Contains(p.Pegs, c) != (p.Package.Start>>i&1 == 1) {
					t.Fatalf("%s: the jumps %v of %v make pegs %v", name, p.Jumps, p.Package, pegs)
				}
			}
			key := placementKey(p)
			if got[key] {
				t.Errorf("%s: %v lies twice on %v", name, p.Package, p.Cells)
			}
			got[key] = true
		}
		want := make(map[string]bool)
		for _, p := range some {
			layAll(s, p, func(cells []int) { want[placementKey(p.place(cells))] = true })
		}
		if len(got) != len(want) || len(got) == 0 {
			t.Errorf("%s: %d placements, want %d", name, len(got), len(want))
		}
		for key := range want {
			if !got[key] {
				t.Errorf("%s: a placement is missing: %s", name, key)
			}
		}
	}
}

// placementKey is what a placement needs and does.
func placementKey(p Placement) string {
	var lost, gained []int
	for i, c := range p.Cells {
		switch {
		case p.Package.Start>>i&1 > p.Package.Goal>>i&1:
			lost = append(lost, c)
		case p.Package.Start>>i&1 < p.Package.Goal>>i&1:
			gained = append(gained, c)
		}
	}
	slices.Sort(lost)
	return fmt.Sprint(p.Package.Name, p.Pegs, p.Holes, lost, gained)
}

// layAll lays a block on a board by hand: cell by cell, so that lines of the block become lines of the
// board, and each cell beside another stays so in the same direction.
func layAll(s *board.Shape, p *Package, do func(cells []int)) {
	cells := s.Cells()
	block := p.Block.Cells()
	// A direction of the board is a pair of cells of a line.
	directions := make(map[board.Cell]bool)
	for _, l := range s.Lines() {
		d := board.Cell{Row: cells[l.B].Row - cells[l.A].Row, Col: cells[l.B].Col - cells[l.A].Col}
		directions[d], directions[board.Cell{Row: -d.Row, Col: -d.Col}] = true, true
	}
	for down := range directions {
		for right := range directions {
			if down.Row*right.Col == down.Col*right.Row {
				continue
			}
			for at := range 3600 {
				row, col := at/60-20, at%60-20
				var laid []int
				for _, c := range block {
					n, ok := s.Number(board.Cell{Row: row + c.Row*down.Row + c.Col*right.Row, Col: col + c.Row*down.Col + c.Col*right.Col})
					if ok {
						laid = append(laid, n)
					}
				}
				if len(laid) == len(block) {
					do(laid)
				}
			}
		}
	}
}
