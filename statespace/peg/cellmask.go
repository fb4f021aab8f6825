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
	vary  []int  // the cells that vary with the low six bits
	fixed uint64 // the others
	// by[s][n] are the numbers with n pegs on the cells that vary, when these are
	// in state s in the first number.
	by [][]uint64
}

func newPegMasks(c *Class) *pegMasks {
	n := min(64, 1<<c.Dim())
	var vary, pivots uint64
	for x := range n {
		vary |= c.Position(uint64(x)) ^ c.zero
	}
	for _, cell := range c.pivots {
		pivots |= 1 << cell
	}
	p := &pegMasks{vary: setCells(vary), fixed: c.board.Full() &^ vary}
	p.by = make([][]uint64, 1<<len(p.vary))
	for s := range p.by {
		state := scatter(p.vary, uint64(s))
		if state&^pivots != 0 {
			continue // in the first number the free cells are holes
		}
		p.by[s] = make([]uint64, len(p.vary)+1)
		for x := range n {
			pegs := bits.OnesCount64((c.Position(uint64(x)) ^ c.zero ^ state) & vary)
			p.by[s][pegs] |= 1 << x
		}
	}
	return p
}

// common returns the number of pegs that all numbers share.
func (p *pegMasks) common(first Position) int { return bits.OnesCount64(first & p.fixed) }

// more returns the masks of the numbers with 0, 1, 2... pegs more than common.
func (p *pegMasks) more(first Position) []uint64 { return p.by[gather(p.vary, first)] }

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
