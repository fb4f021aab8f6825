package peg

import "math/bits"

// cellMasks gives, for 64 consecutive numbers, the mask of those with a peg in a
// given cell. Numbers that differ in their low six bits only make a fixed pattern
// in each cell, turned over where the first of them has a peg.
type cellMasks []uint64

func newCellMasks(c *Class) cellMasks {
	m := make(cellMasks, len(c.board.cells))
	for bit := range min(6, c.Dim()) {
		for cell := range setBits(apply(&c.position, 1<<bit)) {
			m[cell] ^= lowBit[bit]
		}
	}
	return m
}

// lowBit[i] marks the numbers below 64 that have bit i.
var lowBit = [6]uint64{
	0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
}

// pegs returns the numbers with a peg in cell; first is the position of the first.
func (m cellMasks) pegs(cell int, first Position) uint64 {
	return m[cell] ^ -(first >> cell & 1)
}

// canJump returns the numbers in which jump j can be made, as far as it depends on
// the given cells.
func (m cellMasks) canJump(j Jump, cells uint64, first Position) uint64 {
	return m.match(j, cells, first^(1<<j.From|1<<j.Over))
}

// jumped returns the numbers to which jump j can lead, as far as it depends on the
// given cells.
func (m cellMasks) jumped(j Jump, cells uint64, first Position) uint64 {
	return m.match(j, cells, first^1<<j.To)
}

// match returns the numbers in which the cells of j, turned over as first is, are
// all holes.
func (m cellMasks) match(j Jump, cells uint64, first Position) uint64 {
	var pegs uint64
	for _, cell := range [3]int{j.From, j.Over, j.To} {
		if cells>>cell&1 == 1 {
			pegs |= m.pegs(cell, first)
		}
	}
	return ^pegs
}

// pegMasks picks, among 64 consecutive numbers, those with a given number of
// pegs. The cells that are the same in all of them are counted at once.
type pegMasks struct {
	cellMasks
	vary  []int  // the cells that vary with the low six bits
	fixed uint64 // the others
	valid uint64 // those of 64 numbers that there are
}

func newPegMasks(c *Class) *pegMasks {
	p := &pegMasks{cellMasks: newCellMasks(c), valid: ^uint64(0) >> (64 - min(64, 1<<c.Dim()))}
	for cell, pattern := range p.cellMasks {
		if pattern != 0 {
			p.vary = append(p.vary, cell)
		} else {
			p.fixed |= 1 << cell
		}
	}
	return p
}

// common returns the number of pegs that all numbers share; first is the position
// of the first.
func (p *pegMasks) common(first Position) int { return bits.OnesCount64(first & p.fixed) }

// pegDigits holds 64 numbers of pegs by binary digit.
type pegDigits [7]uint64

// more returns by how many pegs each number exceeds common.
func (p *pegMasks) more(first Position) (sum pegDigits) {
	for _, cell := range p.vary {
		carry := p.pegs(cell, first)
		for d := 0; carry != 0; d++ {
			sum[d], carry = sum[d]^carry, sum[d]&carry
		}
	}
	return sum
}

// equal returns where the digits make n.
func (p *pegMasks) equal(sum *pegDigits, n int) uint64 {
	at := p.valid
	for d, digit := range sum {
		at &= digit ^ (uint64(n>>d&1) - 1)
	}
	return at
}

// scatter puts bit i of x at the i-th of the cells.
func scatter(cells []int, x uint64) (set uint64) {
	for i, c := range cells {
		set |= x >> i & 1 << c
	}
	return set
}

// gather is the inverse of scatter.
func gather(cells []int, set uint64) (x uint64) {
	for i, c := range cells {
		x |= set >> c & 1 << i
	}
	return x
}
