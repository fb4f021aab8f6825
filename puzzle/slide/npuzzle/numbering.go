package npuzzle

import (
	"errors"
	"math/bits"
	"runtime"
	"slices"

	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/permutation"
)

// A Numbering numbers the positions of an n-puzzle that can be reached: half of all placements.
// The parity of the permutation of the tiles follows from the line of the empty cell, because
// each move that changes one also changes the other. For n cells the numbers are below n!/2.
//
// From the highest digit on, a number has the place of the empty cell, and the digits of the rank of the
// permutation among those of its parity: for each tile in the order of places but the last two, how many of
// the tiles behind it come before it in the order of names. When the empty cell goes along a line, the
// number changes by the size of a plane, (n-1)!/2. When it goes to another line, one tile passes those
// between the two places, and only their digits change.
//
// The numbers do not depend on the start and the goals: puzzles with the same tray and tiles, and
// with starts that can be reached from each other, have the same numbers.
type Numbering struct {
	puzzle     *tray.Puzzle
	rows, cols int                  // in lines: rows <= cols
	tiles      int                  // one less than the cells
	plane      uint64               // the size of a plane
	odd        int                  // 1 if the permutation is odd when the empty cell is in the first line
	cell       [planTiles + 1]uint8 // by place
	place      [planTiles + 1]uint8 // by cell
	piece      [planTiles]uint8     // by tile
	tile       [planTiles]uint8     // by piece
	goals      []goal
}

// MostCells is the greatest number of cells with which positions have numbers: with one more there are more than 2^40.
const MostCells = maxTiles + 1

const maxTiles = 14

// A sequence is the tiles in the order of places, without the empty cell.
type sequence [planTiles]uint8

// A goal is the tile at each place, or anyTile.
type goal [planTiles + 1]int8

const anyTile = -1

// ErrNotNPuzzle is the error for a puzzle that is not an n-puzzle, or that has more than 15
// cells.
var ErrNotNPuzzle = errors.New("expected a rectangle of 4 to 15 cells on one floor, without thin walls and gates, full of different tiles of one cell, except for one empty cell")

// New numbers the positions of an n-puzzle. For other puzzles, the error is ErrNotNPuzzle.
func New(p *tray.Puzzle) (*Numbering, error) { return newNumbering(p, maxTiles) }

// newNumbering is New for puzzles with a limit on the number of tiles.
func newNumbering(p *tray.Puzzle, most int) (*Numbering, error) {
	rows, cols := rectangle(p.Cells())
	cells := rows * cols
	if cells > most+1 || !Is(p) {
		return nil, ErrNotNPuzzle
	}
	n := &Numbering{puzzle: p, rows: min(rows, cols), cols: max(rows, cols), tiles: cells - 1, plane: permutation.Count(cells-1) / 2}
	for place := range cells {
		cell := place
		if rows > cols {
			cell = place%rows*cols + place/rows
		}
		n.cell[place] = uint8(cell)
		n.place[cell] = uint8(place)
	}
	for tile, piece := range ByName(p) {
		n.piece[tile] = uint8(piece)
		n.tile[piece] = uint8(tile)
	}
	s, blank := n.sequence(p.Start())
	_, odd := permutation.RankHalf(s[:n.tiles])
	n.odd = odd ^ n.turns(blank)
	for i := range p.Goals() {
		var g goal
		for place := range g {
			g[place] = anyTile
		}
		for _, want := range p.Wants(i) {
			g[n.place[want.Anchor]] = int8(n.tile[want.Piece])
		}
		n.goals = append(n.goals, g)
	}
	return n, nil
}

// Is reports whether a puzzle is an n-puzzle of any size. The start reaches half of all placements, n!/2.
func Is(p *tray.Puzzle) bool {
	rows, cols := rectangle(p.Cells())
	if p.Floors() > 1 || rows < 2 || cols < 2 || !p.Tiles() || len(p.Walls()) > 0 || p.HasGates() {
		return false
	}
	for i := range p.Pieces() {
		if p.Axis(i) != tray.Free {
			return false
		}
	}
	return true
}

// ByName returns the pieces of a puzzle in the order of their names.
func ByName(p *tray.Puzzle) []int {
	names := p.Pieces()
	all := make([]int, len(names))
	for i := range all {
		all[i] = i
	}
	slices.SortFunc(all, func(a, b int) int { return int(names[a]) - int(names[b]) })
	return all
}

// rectangle returns the number of rows and columns of cells, or 0 if they are not a rectangle.
func rectangle(cells []tray.Cell) (rows, cols int) {
	first, last := cells[0], cells[len(cells)-1]
	rows, cols = last.Row-first.Row+1, last.Col-first.Col+1
	if rows*cols != len(cells) {
		return 0, 0
	}
	for i, c := range cells {
		if c != (tray.Cell{Row: first.Row + i/cols, Col: first.Col + i%cols}) {
			return 0, 0
		}
	}
	return rows, cols
}

// Size returns the number of positions that can be reached, n!/2.
func (n *Numbering) Size() uint64 { return n.plane * uint64(n.tiles+1) }

// Name returns the name of the numbering in definitions of spaces.
func (n *Numbering) Name() string { return "tiles" }

// Rank returns the number of a position. It reports false if the position cannot be reached.
func (n *Numbering) Rank(pos tray.Position) (x uint64, ok bool) {
	s, blank := n.sequence(pos)
	x, odd := permutation.RankHalf(s[:n.tiles])
	return uint64(blank)*n.plane + x, odd == n.parity(blank)
}

// Unrank returns the position of a number below Size.
func (n *Numbering) Unrank(x uint64) tray.Position {
	s, blank := n.tilesOf(x)
	pos := make(tray.Position, n.tiles)
	for i, tile := range s[:n.tiles] {
		if i >= blank {
			i++
		}
		pos[n.piece[tile]] = n.cell[i]
	}
	return pos
}

// tilesOf returns the tiles of a number and the place of the empty cell.
func (n *Numbering) tilesOf(x uint64) (s sequence, blank int) {
	blank = int(x / n.plane)
	permutation.UnrankHalf(s[:n.tiles], x%n.plane, n.parity(blank))
	return s, blank
}

// Graph returns the graph of the positions. It is the same in all metrics of single pieces,
// because there is only one empty cell. It has no roots, and a search of it has one root.
func (n *Numbering) Graph(tray.Metric) statespace.Graph {
	levels := LevelBytes(n.tiles+1) / 8
	memory := searchBytes(n, runtime.GOMAXPROCS(0))
	return statespace.Graph{Size: n.Size(), Undirected: true, HasGoals: len(n.goals) > 0, Memory: memory, LevelMemory: memory, LevelWords: levels,
		NewExpander: func() statespace.Expander { return expander{n} },
		NewStepper:  func(marks []uint64, threads int) statespace.Stepper { return newSearch(n, marks, threads) }}
}

// An expander makes moves one by one.
type expander struct{ *Numbering }

// Expand implements statespace.Expander.
func (e expander) Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64 {
	for ; word != 0; word &= word - 1 {
		x := first + uint64(bits.TrailingZeros64(word))
		if goals != nil && e.Goal(x) {
			*goals = append(*goals, x)
		}
		dst = e.neighbours(dst, x)
	}
	return dst
}

// neighbours appends the numbers that a move leads to, two to four of them.
func (n *Numbering) neighbours(dst []uint64, x uint64) []uint64 {
	s, blank := n.tilesOf(x)
	if blank%n.cols > 0 {
		dst = append(dst, x-n.plane)
	}
	if blank%n.cols < n.cols-1 {
		dst = append(dst, x+n.plane)
	}
	if to := blank - n.cols; to >= 0 {
		up := s
		copy(up[to:blank-1], s[to+1:blank])
		up[blank-1] = s[to]
		y, _ := permutation.RankHalf(up[:n.tiles])
		dst = append(dst, uint64(to)*n.plane+y)
	}
	if to := blank + n.cols; to <= n.tiles {
		down := s
		copy(down[blank+1:to], s[blank:to-1])
		down[blank] = s[to-1]
		y, _ := permutation.RankHalf(down[:n.tiles])
		dst = append(dst, uint64(to)*n.plane+y)
	}
	return dst
}

// sequence returns the tiles of a position and the place of the empty cell.
func (n *Numbering) sequence(pos tray.Position) (s sequence, blank int) {
	var at [planTiles + 1]int8
	for i := range at {
		at[i] = anyTile
	}
	for i, cell := range pos {
		at[n.place[cell]] = int8(n.tile[i])
	}
	count := 0
	for i, tile := range at[:n.tiles+1] {
		if tile < 0 {
			blank = i
			continue
		}
		s[count] = uint8(tile)
		count++
	}
	return s, blank
}

// turns returns 1 if the permutation has another parity when the empty cell is at a place than
// when it is in the first line, else 0: from line to line, a tile passes cols-1 others.
func (n *Numbering) turns(blank int) int { return blank / n.cols * (n.cols - 1) & 1 }

// parity returns 1 if the permutation is odd when the empty cell is at a place, else 0.
func (n *Numbering) parity(blank int) int { return n.odd ^ n.turns(blank) }

// colour returns the colour of a place, 0 or 1.
func (n *Numbering) colour(place int) int { return (place/n.cols + place%n.cols) & 1 }

// Goal reports whether a number is that of a goal.
func (n *Numbering) Goal(x uint64) bool {
	s, blank := n.tilesOf(x)
	return slices.ContainsFunc(n.goals, func(g goal) bool {
		want, ok := n.goalTiles(&g, blank)
		for i, tile := range want[:n.tiles] {
			ok = ok && (tile == anyTile || s[i] == uint8(tile))
		}
		return ok
	})
}

// goalTiles returns the tiles of a goal as a sequence, for a place of the empty cell. It reports
// false if the goal has a tile at that place.
func (n *Numbering) goalTiles(g *goal, blank int) (want [planTiles]int8, ok bool) {
	copy(want[:blank], g[:blank])
	copy(want[blank:], g[blank+1:])
	return want, g[blank] == anyTile
}
