package peg

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
)

// A Class numbers the positions of one position class of a board: those that
// agree with a given position on every parity that no jump changes.
//
// A jump flips the three cells of its line. Over GF(2) the lines of a board span
// a space of flips; the vectors orthogonal to all of them are the invariants, and
// the parity of the pegs on the cells of an invariant never changes (the Reiss
// classes; see Beasley, The Ins and Outs of Peg Solitaire, chapter 4). With k
// independent invariants, k cells, the pivots, follow from the others. The
// number of a position is the bit string of its other cells, the free cells:
// bit i is the cell Free()[i].
type Class struct {
	board  *Board
	free   []int    // free cell of each bit of a number
	bit    []int    // bit of each cell, -1 for a pivot
	pivots []int    // the cells that follow
	rows   []uint64 // row i: an invariant that holds pivot i and no other pivot
	odd    uint64   // bit i: the parity of row i is odd

	position [8][256]uint64 // by byte of a number: the flips of the cells it sets
	zero     Position       // the position of number 0
	number   [8][256]uint64 // by byte of a position: syndrome << len(free) | number
}

// Invariants returns a basis of the invariants of the board: sets of cells whose
// parity of pegs no jump changes.
func (b *Board) Invariants() []uint64 {
	// Row-reduce the lines; each cell that leads no row gives one invariant.
	var rows []uint64
	var leads []int
	for _, l := range b.lines {
		v := l.mask()
		for i, r := range rows {
			if v>>leads[i]&1 == 1 {
				v ^= r
			}
		}
		if v == 0 {
			continue
		}
		lead := bits.TrailingZeros64(v)
		for i := range rows {
			if rows[i]>>lead&1 == 1 {
				rows[i] ^= v
			}
		}
		rows, leads = append(rows, v), append(leads, lead)
	}
	var basis []uint64
	for cell := range b.cells {
		if slices.Contains(leads, cell) {
			continue
		}
		v := uint64(1) << cell
		for i, r := range rows {
			if r>>cell&1 == 1 {
				v |= 1 << leads[i]
			}
		}
		basis = append(basis, v)
	}
	return basis
}

// reduce brings the invariants into the form in which each holds exactly one of
// the pivots. Pivots are taken in the given order of cells, as soon as a cell is
// independent of those before it; so a row holds no cell that comes before its
// pivot, other than pivots' own rows.
func reduce(invariants []uint64, order []int) (rows []uint64, pivots []int) {
	rest := slices.Clone(invariants)
	for _, cell := range order {
		i := slices.IndexFunc(rest, func(v uint64) bool { return v>>cell&1 == 1 })
		if i < 0 {
			continue
		}
		v := rest[i]
		rest = slices.Delete(rest, i, i+1)
		for _, vs := range [][]uint64{rest, rows} {
			for j := range vs {
				if vs[j]>>cell&1 == 1 {
					vs[j] ^= v
				}
			}
		}
		rows, pivots = append(rows, v), append(pivots, cell)
	}
	return rows, pivots
}

// rank returns the number of pivots among the cells of a set.
func rank(invariants []uint64, cells uint64) int {
	rows := slices.Clone(invariants)
	n := 0
	for i := 0; i < len(rows); i++ {
		v := rows[i] & cells
		if v == 0 {
			continue
		}
		n++
		lead := v & -v
		for j := i + 1; j < len(rows); j++ {
			if rows[j]&lead != 0 {
				rows[j] ^= rows[i]
			}
		}
	}
	return n
}

// NewClass numbers the class of a position by the given free cells, lowest bit
// first. It fails unless every other cell follows from these.
func NewClass(b *Board, of Position, free []int) (*Class, error) {
	invariants := b.Invariants()
	seen := uint64(0)
	for _, cell := range free {
		if cell < 0 || cell >= len(b.cells) || seen>>cell&1 == 1 {
			return nil, fmt.Errorf("free cells %v: cell %d is not on the board or there twice", free, cell)
		}
		seen |= 1 << cell
	}
	rows, pivots := reduce(invariants, setCells(b.Full()&^seen))
	if len(pivots) != len(invariants) || len(free)+len(pivots) != len(b.cells) {
		return nil, fmt.Errorf("the board has %d cells and %d invariants: %d free cells were expected that determine the others, found %v",
			len(b.cells), len(invariants), len(b.cells)-len(invariants), free)
	}
	if len(free) > 63 {
		return nil, fmt.Errorf("the class has 2^%d positions; at most 2^63 can be numbered", len(free))
	}
	c := &Class{board: b, free: slices.Clone(free), pivots: pivots, rows: rows}
	for i, r := range rows {
		c.odd |= uint64(bits.OnesCount64(r&of)&1) << i
	}
	c.fillTables()
	return c, nil
}

func (c *Class) fillTables() {
	for i, cell := range c.pivots {
		c.zero |= c.odd >> i & 1 << cell
	}
	spread(&c.position, len(c.free), func(bit int) uint64 {
		cell := c.free[bit]
		flips := uint64(1) << cell
		for i, p := range c.pivots {
			flips |= c.rows[i] >> cell & 1 << p
		}
		return flips
	})
	c.bit = make([]int, len(c.board.cells))
	for cell := range c.bit {
		c.bit[cell] = slices.Index(c.free, cell)
	}
	spread(&c.number, len(c.board.cells), func(cell int) uint64 {
		var v uint64
		for i, r := range c.rows {
			v |= r >> cell & 1 << (len(c.free) + i)
		}
		if bit := c.bit[cell]; bit >= 0 {
			v |= 1 << bit
		}
		return v
	})
}

// spread tabulates, byte by byte, the linear map that takes bit i to image(i).
func spread(table *[8][256]uint64, n int, image func(bit int) uint64) {
	for i := range n {
		v := image(i)
		row, b := &table[i/8], 1<<(i%8)
		for x := range row {
			if x&b != 0 {
				row[x] ^= v
			}
		}
	}
}

func apply(table *[8][256]uint64, x uint64) uint64 {
	return table[0][byte(x)] ^ table[1][byte(x>>8)] ^ table[2][byte(x>>16)] ^ table[3][byte(x>>24)] ^
		table[4][byte(x>>32)] ^ table[5][byte(x>>40)] ^ table[6][byte(x>>48)] ^ table[7][byte(x>>56)]
}

// Dim returns the number of free cells; the class has 2^Dim positions.
func (c *Class) Dim() int { return len(c.free) }

// Free returns the free cells, lowest bit of the number first. The caller must
// not change it.
func (c *Class) Free() []int { return c.free }

// Pivots returns the cells that follow from the free ones. The caller must not
// change it.
func (c *Class) Pivots() []int { return c.pivots }

// Position returns the position of a number below 2^Dim.
func (c *Class) Position(x uint64) Position { return c.zero ^ apply(&c.position, x) }

// Number returns the number of a position, and false when the position lies in
// another class.
func (c *Class) Number(p Position) (x uint64, ok bool) {
	v := apply(&c.number, p)
	return v & (1<<len(c.free) - 1), v>>len(c.free) == c.odd
}

// Broken returns a set of cells on which p has an odd number of pegs and the
// positions of the class an even one, or the other way round, though no jump
// changes that. It is empty just when Number reports ok. Of several such sets it is
// one of the smallest, unless there are very many.
func (c *Class) Broken(p Position) (cells uint64) {
	broken := func(v uint64, odd uint64) bool { return uint64(bits.OnesCount64(v&p))&1 != odd }
	smaller := func(v uint64) bool { return cells == 0 || bits.OnesCount64(v) < bits.OnesCount64(cells) }
	for i, r := range c.rows {
		if broken(r, c.odd>>i&1) && smaller(r) {
			cells = r
		}
	}
	// The sums of invariants are invariants too.
	if len(c.rows) <= 12 {
		for pick := range 1 << len(c.rows) {
			var v, odd uint64
			for i, r := range c.rows {
				if pick>>i&1 == 1 {
					v, odd = v^r, odd^c.odd>>i&1
				}
			}
			if broken(v, odd) && smaller(v) {
				cells = v
			}
		}
	}
	return cells
}

// flip returns how a jump changes the number of a position.
func (c *Class) flip(j Jump) (f uint64) {
	for _, cell := range [3]int{j.From, j.Over, j.To} {
		if bit := c.bit[cell]; bit >= 0 {
			f |= 1 << bit
		}
	}
	return f
}

// turn returns by how much bits move to the left, in a word of 64 numbers taken as
// a ring, when a jump is made.
func (c *Class) turn(j Jump) (left int) {
	for i, cell := range [3]int{j.From, j.Over, j.To} {
		if bit := c.bit[cell]; bit >= 0 && bit < 6 {
			left += [3]int{-1, -1, 1}[i] << bit
		}
	}
	return left & 63
}

// setBits yields the elements of a set of cells in increasing order.
func setBits(set uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; set != 0 && yield(bits.TrailingZeros64(set)); set &= set - 1 {
		}
	}
}

// setCells lists the elements of a set of cells in increasing order.
func setCells(set uint64) []int { return slices.Collect(setBits(set)) }
