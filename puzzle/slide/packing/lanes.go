package packing

import (
	"math/bits"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// Boards are the first cells of pieces, by the class of their places: a cell has the bits of the class
// of the piece that begins there, or 0. It is no array, because the compiler keeps arrays in memory.
type boards struct{ a, b, c uint64 }

// maxClasses is one less than boards could tell apart: the spare lanes of a vector find no pieces of the last class.
const maxClasses = 1<<3 - 2

// with returns the boards with one more piece, with a place of a class.
func (b boards) with(class, cell uint8) boards {
	return boards{b.a | uint64(class&1)<<cell, b.b | uint64(class>>1&1)<<cell, b.c | uint64(class>>2)<<cell}
}

// union returns the boards with the pieces of both.
func (b boards) union(o boards) boards { return boards{b.a | o.a, b.b | o.b, b.c | o.c} }

// all returns the first cells of all pieces.
func (b boards) all() uint64 { return b.a | b.b | b.c }

// Lanes find the steps of all pieces at once. They divide places into classes: in a class, the cells
// that a step in a direction needs lie in the same way about the first cell of the piece. Each class has
// a lane for each direction, and a lane is a word of a board: 8 of them are a vector. The lanes of a
// class are side by side, in the order of the directions.
type lanes struct {
	of []uint8 // the class of each place, from 1 on
	// table has rows of 8 words for each vector: see the names of rows. It is nil if there are more than
	// maxClasses, or no vectors; then all places are in class 1.
	table   []uint64
	vectors int
	shift   uint8 // the binary logarithm of the lanes of a class
	turns   int   // rows from rowTurns on
	// spread has a row for each cell of a piece in a vector: how far to turn a board left to move first cells
	// to that cell. There are as many rows as cells in the largest piece.
	spread []uint64
	cells  int
	closed [maxClasses]bool // no step leads to another class
}

// The rows of a vector.
const (
	rowClass   = 0 // three rows: the words that turn boards into those of the class, by exclusive or
	rowCan     = 3 // the first cells from which a step leads
	rowAdvance = 4 // how far to turn a board left to move first cells by a step
	rowAlways  = 5 // all bits if a piece may have to be taken for one that can go on
	rowOthers  = 6 // four rows: the lanes of directions that are not opposite, or of the lane itself
	rowTurns   = 10
)

// maxVectors is at least the number of vectors of maxClasses in a tray with floors.
const maxVectors = 7

// A found is what lanes find.
type found struct {
	// from has the first cells of the pieces that can take the step of a lane, and on those of them
	// that can perhaps go on.
	from, on [8 * maxVectors]uint64
	// lanes has a bit for each lane with such pieces.
	lanes, lanesOn uint64
}

// A class is the steps from its places.
type class struct {
	shape uint64 // the cells of a piece, by their distance from the first one
	// needs are the cells that a step in a direction needs: those behind the first cell of the piece, by
	// their distance from it, and those before. They are 0 if there is no step.
	needs [tray.Directions][2]uint64
	// can has the first cells from which there is a step in a direction, and cannot the others.
	can, cannot [tray.Directions]uint64
	// advance is how far a board is turned left by a step.
	advance [tray.Directions]uint8
	// always is set if a step can lead to another class, or to where another step needs a cell that the
	// piece has left.
	always bool
}

// add adds a place. It reports false if the place cannot be in the class.
func (c *class) add(l *placeList, place uint16) bool {
	at, after := anchorOf(l.places[place].mask), *c
	after.shape = l.places[place].mask >> at
	if c.shape != 0 && c.shape != after.shape {
		return false
	}
	for d := range l.directions {
		if l.places[place].wall>>d&1 == 1 {
			after.cannot[d] |= 1 << at
		} else {
			need, to := l.need(place, d), &l.places[l.stepTo(place, d)]
			needs := [2]uint64{need >> at, need << (MaxCells - 1 - at) << 1}
			advance := uint8(anchorOf(to.mask)-at) & 63
			if c.can[d] != 0 && (c.needs[d] != needs || c.advance[d] != advance) {
				return false
			}
			after.needs[d], after.advance[d] = needs, advance
			after.can[d] |= 1 << at
			for e := range l.directions {
				if e != d^1 && to.wall>>e&1 == 0 && l.need(l.stepTo(place, d), e)&l.places[place].mask != 0 {
					after.always = true
				}
			}
		}
		if after.can[d]&after.cannot[d] != 0 {
			return false
		}
	}
	*c = after
	return true
}

// turnsOf returns how far to turn a board left to move the cells that a step needs to the first cell.
func (c *class) turnsOf(d tray.Direction) (turns []uint8) {
	for _, cells := range c.needs[d] {
		for ; cells != 0; cells &= cells - 1 {
			turns = append(turns, uint8(-bits.TrailingZeros64(cells))&63)
		}
	}
	return turns
}

func newLanes(l *placeList) *lanes {
	t := &lanes{of: slices.Repeat([]uint8{1}, len(l.places)), shift: 2, turns: 1}
	if !hasVectors {
		return t
	}
	if l.stairs != nil {
		t.shift = 3
	}
	of := make([]uint8, len(l.places))
	var all []class
	for i := range l.places {
		at := slices.IndexFunc(all, func(c class) bool { return c.add(l, uint16(i)) })
		if at < 0 {
			at = len(all)
			all = append(all, class{})
		}
		if at == maxClasses {
			return t
		}
		all[at].add(l, uint16(i))
		of[i] = uint8(1 + at)
	}
	t.of = of
	for i := range all {
		t.closed[i] = true
	}
	for i, class := range t.of {
		for d := range l.directions {
			if t.of[l.stepTo(uint16(i), d)] != class {
				all[class-1].always, t.closed[class-1] = true, false
			}
		}
	}
	for i := range all {
		for d := range l.directions {
			t.turns = max(t.turns, len(all[i].turnsOf(d)))
		}
		t.cells = max(t.cells, bits.OnesCount64(all[i].shape))
	}
	t.vectors = (len(all)<<t.shift + 7) / 8
	t.table = make([]uint64, t.vectors*t.rows()*8)
	t.spread = make([]uint64, t.vectors*t.cells*8)
	for i := range all {
		for d := range l.directions {
			t.addLane(&all[i], uint8(1+i), i<<t.shift+int(d), d, l.directions)
		}
	}
	return t
}

func (t *lanes) rows() int { return rowTurns + t.turns }

// addLane sets the rows of a lane.
func (t *lanes) addLane(c *class, number uint8, lane int, d, directions tray.Direction) {
	set := func(row int, word uint64) { t.table[(lane/8*t.rows()+row)*8+lane%8] = word }
	for bit := range 3 {
		set(rowClass+bit, uint64(number>>bit&1)-1)
	}
	set(rowCan, c.can[d])
	set(rowAdvance, uint64(c.advance[d]))
	if c.always {
		set(rowAlways, ^uint64(0))
	}
	others := 0
	for e := range directions {
		if e/2 != d/2 {
			set(rowOthers+others, uint64(lane%8-int(d)+int(e)))
			others++
		}
	}
	for ; others < 4; others++ {
		set(rowOthers+others, uint64(lane%8))
	}
	row := 0
	for cells := c.shape; cells != 0; cells &= cells - 1 {
		t.spread[(lane/8*t.cells+row)*8+lane%8] = uint64(bits.TrailingZeros64(cells))
		row++
	}
	turns := c.turnsOf(d)
	for i := range t.turns {
		turn := uint8(0)
		if len(turns) > 0 {
			turn = turns[min(i, len(turns)-1)]
		}
		set(rowTurns+i, uint64(turn))
	}
}

// farther returns where paths of two or more steps lead a piece of a class that is closed, among other taken
// cells, and no single step. The places are given by their first cells.
func (t *lanes) farther(class uint8, first, taken uint64) uint64 {
	lane := int(class-1) << (t.shift & 7)
	rows := t.table[lane/8*t.rows()*8+lane%8:]
	directions := int(tray.FlatDirections)
	if t.shift == 3 {
		directions = tray.Directions
	}
	near := first
	var open [tray.Directions]uint64
	var advance [tray.Directions]int
	for d := range directions {
		word := rows[rowCan*8+d]
		for turn := rowTurns * 8; turn < t.rows()*8; turn += 8 {
			word &= bits.RotateLeft64(^taken, int(rows[turn+d]))
		}
		open[d], advance[d] = word, int(rows[rowAdvance*8+d])
		near |= bits.RotateLeft64(first&word, advance[d])
	}
	reached := near
	for before := uint64(0); reached != before; {
		before = reached
		for d := range directions {
			reached |= bits.RotateLeft64(reached&open[d], advance[d])
		}
	}
	return reached &^ near
}
