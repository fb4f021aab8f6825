package board

import (
	"math/bits"

	"pagoda/internal/gf2"
)

// CellMasks gives, for 64 consecutive numbers, which of them have a peg in a given cell.
// Numbers that differ only in their low six bits make a fixed pattern in each cell, and
// its complement where the first of them has a peg.
type CellMasks []uint64

// NewCellMasks returns the masks of a class.
func NewCellMasks(c *Class) CellMasks {
	m := make(CellMasks, len(c.board.cells))
	for bit := range min(6, c.Dim()) {
		for cell := range gf2.Elements(c.Flips(bit)) {
			m[cell] ^= gf2.Axes[bit]
		}
	}
	return m
}

// Pegs returns the numbers with a peg in cell; first is the position of the first
// number.
func (m CellMasks) Pegs(cell int, first Position) uint64 {
	return m[cell] ^ -(first >> cell & 1)
}

// CanJump returns the numbers that allow jump j, as far as that depends on the given
// cells.
func (m CellMasks) CanJump(j Jump, cells uint64, first Position) uint64 {
	return m.holes(j, cells, first^(1<<j.From|1<<j.Over))
}

// Jumped returns the numbers to which jump j can lead, as far as that depends on the
// given cells.
func (m CellMasks) Jumped(j Jump, cells uint64, first Position) uint64 {
	return m.holes(j, cells, first^1<<j.To)
}

// Stuck returns which of some numbers allow no jump along the lines of a board.
func (m CellMasks) Stuck(lines []Line, numbers uint64, first Position) uint64 {
	for k := range lines {
		if numbers == 0 {
			break
		}
		l := &lines[k]
		numbers &^= m.Pegs(l.B, first) & (m.Pegs(l.A, first) ^ m.Pegs(l.C, first))
	}
	return numbers
}

// holes returns the numbers in which those cells of j that are given are all holes.
func (m CellMasks) holes(j Jump, cells uint64, first Position) uint64 {
	var pegs uint64
	for _, cell := range [3]int{j.From, j.Over, j.To} {
		if cells>>cell&1 == 1 {
			pegs |= m.Pegs(cell, first)
		}
	}
	return ^pegs
}

// PegMasks selects, among 64 consecutive numbers, those with a given number of pegs.
// Cells that are the same in all of them are counted once.
type PegMasks struct {
	CellMasks
	vary  []int  // the cells that vary with the low six bits
	fixed uint64 // the others
	valid uint64 // the places in a word that are numbers
}

// NewPegMasks returns the masks of a class.
func NewPegMasks(c *Class) *PegMasks {
	p := &PegMasks{CellMasks: NewCellMasks(c), valid: ^uint64(0) >> (64 - min(64, 1<<c.Dim()))}
	for cell, pattern := range p.CellMasks {
		if pattern != 0 {
			p.vary = append(p.vary, cell)
		} else {
			p.fixed |= 1 << cell
		}
	}
	return p
}

// Varying returns the set of cells that differ among the 64 numbers.
func (p *PegMasks) Varying() uint64 { return gf2.Deposit(p.vary, ^uint64(0)) }

// MaxMore returns the most pegs that a number can have beyond the common ones.
func (p *PegMasks) MaxMore() int { return len(p.vary) }

// Common returns the number of pegs that all 64 numbers share; first is the position
// of the first.
func (p *PegMasks) Common(first Position) int { return bits.OnesCount64(first & p.fixed) }

// PegDigits holds a count of pegs for each of 64 numbers, by binary digit.
type PegDigits [7]uint64

// More returns how many pegs each number has beyond the common ones.
func (p *PegMasks) More(first Position) (sum PegDigits) {
	for _, cell := range p.vary {
		carry := p.Pegs(cell, first)
		for d := 0; carry != 0; d++ {
			sum[d], carry = sum[d]^carry, sum[d]&carry
		}
	}
	return sum
}

// Equal returns the numbers whose count is n.
func (p *PegMasks) Equal(sum *PegDigits, n int) uint64 {
	at := p.valid
	for d, digit := range sum {
		at &= digit ^ (uint64(n>>d&1) - 1)
	}
	return at
}
