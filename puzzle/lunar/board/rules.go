package board

import (
	"math/bits"
	"strings"
)

// A Move is what a piece does in one move.
type Move struct {
	From int // cell
	// To is the cell where the piece stops; it is an exit if the piece Leaves.
	To     int
	Leaves bool
	Steps  []Direction
	// Stops has, for each step, the cell of the piece that stops it.
	Stops []int
}

// Way returns the letters of the steps, such as LU.
func (m Move) Way() string {
	var s strings.Builder
	for _, d := range m.Steps {
		s.WriteString(d.String())
	}
	return s.String()
}

// After returns the position after a move.
func (p Position) After(m Move) Position {
	if from := Set(1) << m.From; p.Numbers&from != 0 {
		return Position{p.Letters, p.Numbers&^from | 1<<m.To}
	}
	p.Letters &^= 1 << m.From
	if !m.Leaves {
		p.Letters |= 1 << m.To
	}
	return p
}

// Slide returns where a piece stops that slides from a cell, and the cell of the piece that stops it.
// It is false if no piece is in its way, or if it does not move.
func (b *Board) Slide(others Set, from int, d Direction) (to, stop int, ok bool) {
	to = from
	for {
		stop = b.next[d][to]
		if stop < 0 {
			return 0, 0, false
		}
		if others>>stop&1 != 0 {
			return to, stop, to != from
		}
		to = stop
	}
}

// Moves appends the moves that can be made in a position: of each piece, to each cell where it can
// stop, by each shortest way of steps. Longer ways to the same cell are left out: no best solution
// has them. On a board BySlides, moves have one step. The order is by From; then by the number of steps; and then by the steps. In a solved
// position, there are no moves.
func (b *Board) Moves(dst []Move, p Position) []Move {
	if p.Solved() {
		return dst
	}
	for left := p.All(); left != 0; left &= left - 1 {
		dst = b.PieceMoves(dst, p, bits.TrailingZeros64(left))
	}
	return dst
}

// PieceMoves appends the moves of the piece in a cell, as Moves does.
func (b *Board) PieceMoves(dst []Move, p Position, from int) []Move {
	others := p.All() &^ (1 << from)
	letter := p.Letters>>from&1 != 0
	reached := Set(1) << from // with fewer steps than the next ones
	for ways := []Move{{From: from, To: from}}; len(ways) > 0; {
		var longer []Move
		var fresh Set
		for _, w := range ways {
			if w.Leaves {
				continue
			}
			for d := range Directions {
				to, stop, ok := b.Slide(others, w.To, d)
				if !ok || reached>>to&1 != 0 {
					continue
				}
				fresh |= 1 << to
				longer = append(longer, Move{from, to, letter && b.exits>>to&1 != 0, with(w.Steps, d), with(w.Stops, stop)})
			}
		}
		dst = append(dst, longer...)
		reached |= fresh
		if ways = longer; b.slides {
			break
		}
	}
	return dst
}

// with returns a copy of a list with another element.
func with[T any](list []T, last T) []T { return append(list[:len(list):len(list)], last) }

// Used returns the number pieces that a move uses, by their cells: the one that moves and those that
// stop it.
func (p Position) Used(m Move) (used Set) {
	used = 1 << m.From
	for _, stop := range m.Stops {
		used |= 1 << stop
	}
	return used & p.Numbers
}
