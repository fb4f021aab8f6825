package solver

import (
	"math/bits"

	"pagoda/puzzle/lunar/board"
)

// A mover makes moves by masks of rays.
type mover struct {
	board.Rays
	board  *board.Board
	exits  board.Set
	slides bool                                        // a move is one slide
	beside board.Set                                   // the neighbours of exits
	halt   [board.Directions][board.MaxCells]board.Set // the cell that a piece comes to which stops at a piece
	at     []exit
}

// An exit has the cells that lie in some direction of it, in any row or column, and those of its own
// row and column. Vertical has the cells above it and those below it, each twice: not to the right of its
// column, and not to the left. Horizontal has the same for the row.
type exit struct {
	above, below, left, right, row, col board.Set
	vertical, horizontal                [4]board.Set
}

func newMover(b *board.Board) *mover {
	m := &mover{Rays: *board.NewRays(b), board: b, exits: b.Exits(), slides: b.Metric() == board.SlidesMetric}
	for d := range board.Directions {
		for c := range b.Cells() {
			if n := b.Next(d.Opposite(), c); n >= 0 {
				m.halt[d][c] = 1 << n
			}
		}
	}
	for left := m.exits; left != 0; left &= left - 1 {
		n := bits.TrailingZeros64(left)
		for d := range board.Directions {
			if next := b.Next(d, n); next >= 0 {
				m.beside |= 1 << next
			}
		}
		e, at := exit{}, b.Cells()[n]
		for i, c := range b.Cells() {
			for _, side := range []struct {
				of *board.Set
				is bool
			}{{&e.above, c.Row < at.Row}, {&e.below, c.Row > at.Row}, {&e.row, c.Row == at.Row}, {&e.left, c.Col < at.Col}, {&e.right, c.Col > at.Col}, {&e.col, c.Col == at.Col}} {
				if side.is {
					*side.of |= 1 << i
				}
			}
		}
		for i, side := range []board.Set{e.left | e.col, e.right | e.col} {
			e.vertical[i], e.vertical[2+i] = e.above&side, e.below&side
		}
		for i, side := range []board.Set{e.above | e.row, e.below | e.row} {
			e.horizontal[i], e.horizontal[2+i] = e.left&side, e.right&side
		}
		m.at = append(m.at, e)
	}
	return m
}

// hopeless reports whether some letter can never stop on an exit.
//
// To stop on an exit, a letter comes from one side of it, and a piece stands on the other: both in the
// column of the exit, say, one above it and one below. Take the pieces below, in any column. Another
// comes to them only when it goes down onto one of them, so in its column. Sideways, they go toward
// each other. So if all of them are to the left of the column of the exit, or all to the right, or if
// there are none, this stays so, and no letter leaves along the column.
//
// If there is no piece to the left of the column, say, then no piece ever comes to the column, as it
// would stop there only at a piece beyond. Then the letters that leave along it are in it already, and
// if there is no other exit, so is a number piece for the last of them. The same holds of the row.
func (m *mover) hopeless(p board.Position) bool {
	if p.Numbers == 0 && p.Letters != 0 {
		return true // the last letter would be alone
	}
	all, able := p.All(), board.Set(0)
	for i := range m.at {
		e := &m.at[i]
		vertical, horizontal := meets(all, &e.vertical), meets(all, &e.horizontal)
		switch {
		case (vertical || horizontal) && all&e.above != 0 && all&e.below != 0 && all&e.left != 0 && all&e.right != 0:
			return false
		case vertical:
			able |= m.able(p, e.col, e.above, e.below)
		case horizontal:
			able |= m.able(p, e.row, e.left, e.right)
		}
	}
	return p.Letters&^able != 0
}

// meets reports whether there is a piece in each of some sets of cells.
func meets(all board.Set, sets *[4]board.Set) bool {
	return all&sets[0] != 0 && all&sets[1] != 0 && all&sets[2] != 0 && all&sets[3] != 0
}

// outside reports whether no exit has pieces on two opposite sides.
func (m *mover) outside(all board.Set) bool {
	for _, e := range m.at {
		if all&e.above != 0 && all&e.below != 0 || all&e.left != 0 && all&e.right != 0 {
			return false
		}
	}
	return true
}

// apart reports whether no exit ever has pieces on two opposite sides in its column or row.
func (m *mover) apart(all board.Set) bool {
	for i := range m.at {
		if e := &m.at[i]; meets(all, &e.vertical) || meets(all, &e.horizontal) {
			return false
		}
	}
	return true
}

// able returns the letters that can leave along a row or column which no other piece can enter.
func (m *mover) able(p board.Position, line, before, behind board.Set) board.Set {
	if in := p.All() & line; p.Numbers&line == 0 && len(m.at) == 1 || in&before == 0 || in&behind == 0 {
		return 0
	}
	return p.Letters & line
}

// stops returns the cells where a piece can stop in one move, besides exits if it is a letter; and
// whether it leaves then.
func (m *mover) stops(others board.Set, from int, letter bool) (stops board.Set, leaves bool) {
	start := board.Set(1) << from
	reached := start
	for todo := start; todo != 0; {
		c := bits.TrailingZeros64(todo) & 63
		todo &= todo - 1
		var fresh board.Set
		// Cells are numbered row by row: the nearest piece is the last one above or to the left.
		if met := m.All[board.Up][c] & others; met != 0 {
			fresh |= m.halt[board.Up][(63-bits.LeadingZeros64(met))&63]
		}
		if met := m.All[board.Down][c] & others; met != 0 {
			fresh |= m.halt[board.Down][bits.TrailingZeros64(met)&63]
		}
		if met := m.All[board.Left][c] & others; met != 0 {
			fresh |= m.halt[board.Left][(63-bits.LeadingZeros64(met))&63]
		}
		if met := m.All[board.Right][c] & others; met != 0 {
			fresh |= m.halt[board.Right][bits.TrailingZeros64(met)&63]
		}
		fresh &^= reached
		if letter && fresh&m.exits != 0 {
			leaves = true
			fresh &^= m.exits
		}
		reached |= fresh
		if !m.slides {
			todo |= fresh
		}
	}
	return reached &^ start, leaves
}

// moves appends the positions after moves in which no letter leaves.
func (m *mover) moves(dst []board.Position, p board.Position) []board.Position {
	all := p.All()
	for left := p.Letters; left != 0; left &= left - 1 {
		own := left & -left
		stops, _ := m.stops(all&^own, bits.TrailingZeros64(own), true)
		for ; stops != 0; stops &= stops - 1 {
			dst = append(dst, board.Position{Letters: p.Letters&^own | stops&-stops, Numbers: p.Numbers})
		}
	}
	for left := p.Numbers; left != 0; left &= left - 1 {
		own := left & -left
		stops, _ := m.stops(all&^own, bits.TrailingZeros64(own), false)
		for ; stops != 0; stops &= stops - 1 {
			dst = append(dst, board.Position{Letters: p.Letters, Numbers: p.Numbers&^own | stops&-stops})
		}
	}
	return dst
}

// leavings appends the positions after moves in which a letter leaves.
func (m *mover) leavings(dst []board.Position, p board.Position) []board.Position {
	for left := p.Letters; left != 0; left &= left - 1 {
		own := left & -left
		if _, leaves := m.stops(p.All()&^own, bits.TrailingZeros64(own), true); leaves {
			dst = append(dst, board.Position{Letters: p.Letters &^ own, Numbers: p.Numbers})
		}
	}
	return dst
}

// origins returns the cells from which a piece can have come in one move that ends in a cell.
func (m *mover) origins(others board.Set, to int, letter bool) board.Set {
	end := board.Set(1) << to
	if letter {
		return m.Sources(end, others, end|m.exits)
	}
	return m.Sources(end, others, end)
}
