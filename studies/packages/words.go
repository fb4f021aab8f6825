package packages

import (
	"context"
	"iter"
	"math/bits"
	"sync/atomic"

	"pagoda/internal/gf2"
	"pagoda/internal/mapped"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
)

// lowCells is how many cells, the first ones, number the bits within a word. The others number the
// words.
const lowCells = 6

// A dense set has a bit for each position of a board: bit p&63 of word p>>6 is position p.
type dense struct {
	words []uint64
	jumps []wordJump
	// pegs has the bits of a word whose low cells have a number of pegs.
	pegs [lowCells + 1]uint64
}

// A wordJump is a jump as it is made in all positions of a word at once: the word number tells about
// the cells beyond the low ones, the bits about the low ones.
type wordJump struct {
	cells        uint64 // of the word number, that it changes
	before       uint64 // the values of these, before the jump
	after        uint64 // and after it
	from, to     uint64 // the bits in which the low cells allow the jump, and those to which it leads
	shift        int    // a bit in from goes that much to the left
	shiftsBefore int    // and back
}

// newDense returns an empty set of the positions of a board.
func newDense(b *board.Board) *dense {
	n := len(b.Cells())
	d := &dense{words: make([]uint64, uint64(1)<<max(0, n-lowCells))}
	for bit := range 1 << min(n, lowCells) {
		d.pegs[bits.OnesCount(uint(bit))] |= 1 << bit
	}
	const low = 1<<lowCells - 1
	for k := range b.Jumps() {
		j := b.Jump(k)
		before, after := uint64(1)<<j.From|1<<j.Over, uint64(1)<<j.To
		w := wordJump{cells: j.Mask() >> lowCells, before: before >> lowCells, after: after >> lowCells, from: ^uint64(0), to: ^uint64(0)}
		for cell := range gf2.Elements(before & low) {
			w.from, w.to = w.from&gf2.Axes[cell], w.to&^gf2.Axes[cell]
		}
		for cell := range gf2.Elements(after & low) {
			w.from, w.to = w.from&^gf2.Axes[cell], w.to&gf2.Axes[cell]
		}
		w.shift = int(after&low) - int(before&low)
		w.shiftsBefore = -w.shift
		d.jumps = append(d.jumps, w)
	}
	return d
}

// made returns where the jump leads from positions of a word, and undone returns whence it leads to
// positions. The masks keep the bits in the word, so that a rotation is a shift.
func (j *wordJump) made(positions uint64) uint64 {
	return bits.RotateLeft64(positions&j.from, j.shift)
}
func (j *wordJump) undone(positions uint64) uint64 {
	return bits.RotateLeft64(positions&j.to, j.shiftsBefore)
}

// has implements set.
func (d *dense) has(p board.Position) bool { return d.words[p>>lowCells]>>(p&(1<<lowCells-1))&1 == 1 }

// inLayer returns the bits of a word of the set that have a number of pegs.
func (d *dense) inLayer(word uint64, pegs int) uint64 {
	return atomic.LoadUint64(&d.words[word]) & d.pegsIn(word, pegs)
}

// pegsIn returns the bits of a word that have a number of pegs.
func (d *dense) pegsIn(word uint64, pegs int) uint64 {
	if low := pegs - bits.OnesCount64(word); low >= 0 && low <= lowCells {
		return d.pegs[low]
	}
	return 0
}

// layer implements set.
func (d *dense) layer(pegs int) iter.Seq[board.Position] {
	return func(yield func(board.Position) bool) {
		for word := range uint64(len(d.words)) {
			for bit := range gf2.Elements(d.inLayer(word, pegs)) {
				if !yield(word<<lowCells | uint64(bit)) {
					return
				}
			}
		}
	}
}

// ends are the starts or the goals, by words.
type ends struct {
	pegs, open uint64 // of word numbers
	low        uint64 // the bits that match
	last       uint64 // the last word
	full       uint64 // the bit of the full block in it
}

func (d *dense) ends(p board.Pattern, full board.Position) ends {
	e := ends{pegs: p.Pegs >> lowCells, open: p.Any >> lowCells, last: full >> lowCells, full: 1 << (full & (1<<lowCells - 1))}
	for bit := range uint64(64) {
		if (bit^p.Pegs)&^p.Any&full&(1<<lowCells-1) == 0 && bit <= full {
			e.low |= 1 << bit
		}
	}
	return e
}

// in returns those in a word. The full and the empty block are not among them.
func (e *ends) in(word uint64) uint64 {
	if (word^e.pegs)&^e.open != 0 {
		return 0
	}
	low := e.low
	if word == 0 {
		low &^= 1
	}
	if word == e.last {
		low &^= e.full
	}
	return low
}

// chunk is how many words a task has.
const chunk = 1 << 12

// tasks is how many tasks a layer has.
func (d *dense) tasks() uint64 { return (uint64(len(d.words)) + chunk - 1) / chunk }

// eachWord visits the words that can have positions with a number of pegs, by a worker on each thread.
func eachWord[W any](ctx context.Context, d *dense, pegs int, workers []W, done *statespace.Progress, visit func(w W, word uint64)) error {
	return mapped.EachWith(ctx, workers, d.tasks(), func(w W, task uint64) error {
		for word := task * chunk; word < min((task+1)*chunk, uint64(len(d.words))); word++ {
			if d.pegsIn(word, pegs) != 0 {
				visit(w, word)
			}
		}
		done.Add(1)
		return nil
	})
}
