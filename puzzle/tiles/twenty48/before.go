package twenty48

import (
	"bytes"
	"slices"

	"pagoda/internal/lists"
	"pagoda/puzzle/tiles/glide"
)

// Before implements statespace.Game. It takes the new tile off the board, and slides back.
func (g *Game) Before(dst []uint64, state uint64, step int) (before []uint64, ok bool) {
	b := glide.Board(state)
	for cell := range g.Cells() {
		if tile := b.At(cell); tile == 0 || 1<<tile != step {
			continue
		}
		after := b.With(cell, 0)
		for d := range glide.Direction(glide.Directions) {
			dst = g.slidBack(dst, after, d)
		}
	}
	return dst, true
}

// slidBack appends the boards that a slide makes another one, which may differ by a symmetry.
func (g *Game) slidBack(dst []uint64, after glide.Board, d glide.Direction) []uint64 {
	boards := []glide.Board{0}
	for _, cells := range g.Lines(d) {
		var longer []glide.Board
		for _, before := range linesBefore(lists.Map(cells, after.At)) {
			part := glide.Board(0)
			for i, cell := range cells {
				part = part.With(cell, before[i])
			}
			for _, b := range boards {
				longer = append(longer, b|part)
			}
		}
		boards = longer
	}
	for _, b := range boards {
		if b != after { // else it is no move
			dst = append(dst, uint64(g.Canonical(b)))
		}
	}
	return dst
}

// linesBefore returns the lines that Rule makes a line.
func linesBefore(after []uint8) (all [][]uint8) {
	packed := 0
	for packed < len(after) && after[packed] != 0 {
		packed++
	}
	line, slid := make([]uint8, len(after)), make([]uint8, len(after))
	// fill chooses the cells from one on. The tiles before next are made; if half is set, one of two tiles that
	// make the tile next is on the line.
	var fill func(cell, next int, half bool)
	fill = func(cell, next int, half bool) {
		if packed-next > len(line)-cell {
			return
		}
		if cell == len(line) {
			copy(slid, line)
			if Rule(slid); bytes.Equal(slid, after) {
				all = append(all, slices.Clone(line))
			}
			return
		}
		line[cell] = 0
		fill(cell+1, next, half)
		if next == packed {
			return
		}
		if !half {
			line[cell] = after[next]
			fill(cell+1, next+1, false)
		}
		if after[next] > 1 {
			line[cell] = after[next] - 1
			if half {
				fill(cell+1, next+1, false)
			} else {
				fill(cell+1, next, true)
			}
		}
	}
	fill(0, 0, false)
	return all
}
