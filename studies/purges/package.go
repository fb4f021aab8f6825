package purges

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
)

// A Kind is what a package does.
type Kind int

const (
	// Purge: all cells are as before, but for pegs that are cleared.
	Purge Kind = iota
	// Mover: as Purge, but one hole more has become a peg: a peg has moved there, or the hole
	// has moved the other way.
	Mover
)

// Kinds are the names of the kinds.
var Kinds = []string{"purge", "mover"}

func (k Kind) String() string { return Kinds[k] }

// A Package is a block of cells in which jumps take Start to Goal.
type Package struct {
	Name        string
	Block       *board.Board // the cells, on the square lattice
	Start, Goal board.Position
	// Jumps is one way to get from Start to Goal, by the cells of the block.
	Jumps []board.Jump
	// Split, if not 0, is a number of first jumps that are a package of their own, as are the
	// rest, and one of the two is a purge.
	Split int
}

// Kind returns what the package does.
func (p *Package) Kind() Kind {
	if p.Goal&^p.Start != 0 {
		return Mover
	}
	return Purge
}

// Moved returns the cells between which a mover moves a peg. To is the cell that was a hole. Pegs are
// alike: if the peg that ends there has left a cell into which another one comes, it is that one that counts,
// and so on.
func (p *Package) Moved() (from, to int, ok bool) {
	if p.Kind() == Purge {
		return 0, 0, false
	}
	to = bits.TrailingZeros64(p.Goal &^ p.Start)
	for from = to; p.Goal>>from&1 == 1; {
		for _, j := range slices.Backward(p.Jumps) {
			if j.To == from {
				from = j.From
			}
		}
	}
	return from, to, true
}

// Cleared returns the cells whose pegs are cleared. In a mover the one that moves is not among them.
func (p *Package) Cleared() uint64 {
	cleared := p.Start &^ p.Goal
	if from, _, ok := p.Moved(); ok {
		cleared &^= 1 << from
	}
	return cleared
}

// Catalyst returns the cells that end as they begin.
func (p *Package) Catalyst() uint64 { return p.Block.Full() &^ (p.Start ^ p.Goal) }

// Text writes one of the positions of the block, with # for a place that is no cell.
func (p *Package) Text(q board.Position) string { return p.Block.FormatPosition(q) }

// String describes the package in a line.
func (p *Package) String() string {
	return fmt.Sprintf("%s: %s to %s by %s", p.Name, p.Text(p.Start), p.Text(p.Goal), p.JumpText())
}

// JumpText writes the jumps, such as a1-c1. The cells are by the letter of the column and the number of the
// row from 1, in the block. A | is where a package splits.
func (p *Package) JumpText() string {
	var words []string
	at := func(cell int) string { return cells.LetterNumber.Cell(p.Block.Cells()[cell]) }
	for i, j := range p.Jumps {
		if i > 0 && i == p.Split {
			words = append(words, splitMark)
		}
		words = append(words, at(j.From)+"-"+at(j.To))
	}
	return strings.Join(words, " ")
}

// splitMark stands between the two packages into which one splits.
const splitMark = "|"

// Check makes the jumps, and says what is wrong with the package.
func (p *Package) Check() error {
	q := p.Start
	for i, j := range p.Jumps {
		if q&j.Mask() != 1<<j.From|1<<j.Over {
			return fmt.Errorf("jump %d of %s cannot be made in %s", i+1, p.Name, p.Text(q))
		}
		q ^= j.Mask()
		if i+1 == p.Split && bits.OnesCount64(q&^p.Start)+bits.OnesCount64(p.Goal&^q) > bits.OnesCount64(p.Goal&^p.Start) {
			return fmt.Errorf("the first %d jumps of %s lead to %s: these and the others are not two packages with a purge", p.Split, p.Name, p.Text(q))
		}
	}
	if p.Split < 0 || p.Split > 0 && p.Split >= len(p.Jumps) {
		return fmt.Errorf("%s splits after jump %d of %d", p.Name, p.Split, len(p.Jumps))
	}
	if q != p.Goal {
		return fmt.Errorf("the jumps of %s lead to %s, expected %s", p.Name, p.Text(q), p.Text(p.Goal))
	}
	if gained := bits.OnesCount64(p.Goal &^ p.Start); gained > 1 || len(p.Jumps) < 2 {
		return fmt.Errorf("%s is neither a purge nor a mover: it fills %d holes by %d jumps, expected at most 1 by 2 or more", p.Name, gained, len(p.Jumps))
	}
	return nil
}
