package slide

import (
	"errors"
	"math/bits"
	"slices"
)

// A TilePacking numbers the positions of an n-puzzle: a rectangle with one empty cell and
// else tiles of one cell, all told apart. A move never changes whether the permutation of
// the tiles is even where the empty cell is in a given row, so that half of all placements
// can be reached, and these have the numbers below n!/2, for n cells.
//
// The cells are read row by row, or column by column if the columns are longer. The number
// tells, from the highest digit on, where the empty cell is, and for each tile in the
// order of reading how many of those behind it have names that come before its own
// (D. H. Lehmer, 1960). The digit of the last tile but one is left out, for it follows
// from the others; that of the last is always 0. So if the empty cell moves along the
// lines that are read, the number changes by the size of a plane, (n-1)!/2, and else a
// tile passes those between it and the empty cell, which changes their digits alone.
//
// The numbers are those of the positions and not of the way to a goal: two puzzles that
// differ in nothing but positions that can be reached from each other, as starts, and in
// goals, have the same.
type TilePacking struct {
	puzzle     *Puzzle
	rows, cols int    // as it is read: rows <= cols
	tiles      int    // one less than the cells
	plane      uint64 // the numbers for each place of the empty cell
	odd        int    // 1 if the permutation is odd when the empty cell is in the first row
	// Places are counted in the order of reading, tiles in that of their names.
	cell, place [maxTiles + 1]uint8 // of a place, of a cell
	piece, tile [maxTiles]uint8     // of a tile, of a piece
	goals       []tileGoal
}

// maxTiles: with one more there would be more than 2^40 numbers.
const maxTiles = 14

// A tileSequence is the tiles in the order of reading, without the empty cell.
type tileSequence [maxTiles]uint8

// A tileGoal is the tile at each place, or anyTile.
type tileGoal [maxTiles + 1]int8

const anyTile = -1

// ErrNoTiles says that a puzzle is no n-puzzle, or that it has more than 15 cells.
var ErrNoTiles = errors.New("expected a rectangle of 4 to 15 cells, without thin walls, full of tiles of one cell that are told apart, but for one empty cell")

// NewTilePacking numbers the positions of an n-puzzle. For other puzzles the error is
// ErrNoTiles.
func NewTilePacking(p *Puzzle) (*TilePacking, error) {
	rows, cols := p.rectangle()
	n := rows * cols
	if rows < 2 || cols < 2 || n > maxTiles+1 || len(p.pieces) != n-1 || len(p.kinds) != n-1 || len(p.walls) > 0 {
		return nil, ErrNoTiles
	}
	for i := range p.pieces {
		if p.pieces[i].axis != Free || p.kindOf(i).cells != 1 {
			return nil, ErrNoTiles
		}
	}
	tp := &TilePacking{puzzle: p, rows: min(rows, cols), cols: max(rows, cols), tiles: n - 1, plane: 1}
	for i := uint64(3); i < uint64(n); i++ {
		tp.plane *= i
	}
	for place := range n {
		cell := place
		if rows > cols {
			cell = place%rows*cols + place/rows
		}
		tp.cell[place] = uint8(cell)
		tp.place[cell] = uint8(place)
	}
	byName := make([]int, n-1)
	for i := range byName {
		byName[i] = i
	}
	slices.SortFunc(byName, func(a, b int) int { return int(p.pieces[a].name) - int(p.pieces[b].name) })
	for tile, piece := range byName {
		tp.piece[tile] = uint8(piece)
		tp.tile[piece] = uint8(tile)
	}
	s, blank := tp.sequence(p.Start())
	_, odd := rankTiles(&s, tp.tiles)
	tp.odd = odd ^ tp.turns(blank)
	for _, g := range p.goals {
		var goal tileGoal
		for i := range goal {
			goal[i] = anyTile
		}
		for _, want := range g {
			goal[tp.place[want.at]] = int8(tp.tile[want.piece])
		}
		tp.goals = append(tp.goals, goal)
	}
	return tp, nil
}

// rectangle returns how many rows and columns the cells have, 0 if they are no rectangle.
func (p *Puzzle) rectangle() (rows, cols int) {
	first, last := p.cells[0], p.cells[len(p.cells)-1]
	rows, cols = last.Row-first.Row+1, last.Col-first.Col+1
	if rows*cols != len(p.cells) {
		return 0, 0
	}
	for i, c := range p.cells {
		if c != (Cell{first.Row + i/cols, first.Col + i%cols}) {
			return 0, 0
		}
	}
	return rows, cols
}

// Size returns how many positions can be reached, n!/2.
func (tp *TilePacking) Size() uint64 { return tp.plane * uint64(tp.tiles+1) }

// Rank returns the number of a position, below Size. It reports false if the position
// cannot be reached.
func (tp *TilePacking) Rank(pos Position) (uint64, bool) {
	s, blank := tp.sequence(pos)
	x, odd := rankTiles(&s, tp.tiles)
	return uint64(blank)*tp.plane + x, odd == tp.parity(blank)
}

// Unrank returns the position of a number below Size.
func (tp *TilePacking) Unrank(x uint64) Position {
	blank := int(x / tp.plane)
	s := unrankTiles(x%tp.plane, tp.tiles, tp.parity(blank))
	pos := make(Position, tp.tiles)
	for i, tile := range s[:tp.tiles] {
		if i >= blank {
			i++
		}
		pos[tp.piece[tile]] = tp.cell[i]
	}
	return pos
}

// Neighbours appends the numbers that a move leads to, two to four of them.
func (tp *TilePacking) Neighbours(dst []uint64, x uint64) []uint64 {
	blank := int(x / tp.plane)
	if blank%tp.cols > 0 {
		dst = append(dst, x-tp.plane)
	}
	if blank%tp.cols < tp.cols-1 {
		dst = append(dst, x+tp.plane)
	}
	s := unrankTiles(x%tp.plane, tp.tiles, tp.parity(blank))
	if to := blank - tp.cols; to >= 0 {
		up := s
		copy(up[to:blank-1], s[to+1:blank])
		up[blank-1] = s[to]
		y, _ := rankTiles(&up, tp.tiles)
		dst = append(dst, uint64(to)*tp.plane+y)
	}
	if to := blank + tp.cols; to <= tp.tiles {
		down := s
		copy(down[blank+1:to], s[blank:to-1])
		down[blank] = s[to-1]
		y, _ := rankTiles(&down, tp.tiles)
		dst = append(dst, uint64(to)*tp.plane+y)
	}
	return dst
}

// sequence returns the tiles of a position in the order of reading, and the place of the
// empty cell.
func (tp *TilePacking) sequence(pos Position) (s tileSequence, blank int) {
	var at [maxTiles + 1]int8
	for i := range at {
		at[i] = anyTile
	}
	for i, cell := range pos {
		at[tp.place[cell]] = int8(tp.tile[i])
	}
	n := 0
	for i, tile := range at[:tp.tiles+1] {
		if tile < 0 {
			blank = i
			continue
		}
		s[n] = uint8(tile)
		n++
	}
	return s, blank
}

// turns is 1 if the permutation is odd in the row of a place and even in the first row,
// or the other way round: a tile that goes to another row passes cols-1 others.
func (tp *TilePacking) turns(blank int) int { return blank / tp.cols * (tp.cols - 1) & 1 }

// parity is 1 if the permutation is odd when the empty cell is at a place.
func (tp *TilePacking) parity(blank int) int { return tp.odd ^ tp.turns(blank) }

// isGoal reports whether a number is that of a goal.
func (tp *TilePacking) isGoal(x uint64) bool {
	blank := int(x / tp.plane)
	s := unrankTiles(x%tp.plane, tp.tiles, tp.parity(blank))
	return slices.ContainsFunc(tp.goals, func(g tileGoal) bool {
		want, ok := tp.goalTiles(&g, blank)
		for i, tile := range want[:tp.tiles] {
			ok = ok && (tile == anyTile || s[i] == uint8(tile))
		}
		return ok
	})
}

// goalTiles returns the tiles of a goal in the order of reading, for a place of the empty
// cell. It reports false if the goal has a tile there.
func (tp *TilePacking) goalTiles(g *tileGoal, blank int) (want [maxTiles]int8, ok bool) {
	copy(want[:blank], g[:blank])
	copy(want[blank:], g[blank+1:])
	return want, g[blank] == anyTile
}

// rankTiles returns the number of a permutation of so many tiles, two at least, among
// those that are even, or among those that are odd; and 1 if it is odd.
func rankTiles(s *tileSequence, tiles int) (x uint64, odd int) {
	left := uint(1)<<tiles - 1
	for i, tile := range s[:tiles-2] {
		before := bits.OnesCount(left & (1<<tile - 1))
		left &^= 1 << tile
		x = x*uint64(tiles-i) + uint64(before)
		odd += before
	}
	if s[tiles-2] > s[tiles-1] {
		odd++
	}
	return x, odd & 1
}

// unrankTiles returns the permutation of a number.
func unrankTiles(x uint64, tiles, odd int) (s tileSequence) {
	for i := tiles - 3; i >= 0; i-- {
		n := uint64(tiles - i)
		s[i] = uint8(x % n)
		x /= n
		odd += int(s[i])
	}
	s[tiles-2] = uint8(odd & 1)
	left := uint64(0xEDCBA9876543210) // tiles in order, four bits each
	for i, before := range s[:tiles] {
		at := before % 16 * 4
		s[i] = uint8(left >> at & 15)
		below := uint64(1)<<at - 1
		left = left&below | left>>4&^below
	}
	return s
}
