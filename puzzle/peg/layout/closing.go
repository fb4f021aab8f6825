package layout

import (
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
)

// maxPart bounds the cells of a group that are connected by jumps: the search for their
// closing sequence looks at all pairs of their patterns.
const maxPart = 8

// components splits jumps within a set of cells into parts that share no cell.
func components(jumps []board.Jump, cells uint64) [][]board.Jump {
	var parts [][]board.Jump
	for left := cells; left != 0; {
		part := left & -left
		var in []board.Jump
		for before := uint64(0); part != before; {
			before = part
			in = nil
			for _, j := range jumps {
				if j.Mask()&part != 0 {
					part |= j.Mask()
					in = append(in, j)
				}
			}
		}
		left &^= part
		if len(in) > 0 {
			parts = append(parts, in)
		}
	}
	return parts
}

// closings finds closing sequences.
type closings struct {
	board   *board.Board
	lengths map[uint64]int // by set of cells; -1: it has none
	parts   map[partKey][]board.Jump
	effort  *effort
}

// A partKey is the jumps of a part: its cells are numbered, and a jump is a number above 0. It
// has room for all jumps of maxPart cells, as a cell is the middle of three lines at most.
type partKey [6 * maxPart]uint16

func newClosings(b *board.Board, e *effort) *closings {
	return &closings{b, make(map[uint64]int), make(map[partKey][]board.Jump), e}
}

// length returns the length of the sequence that of returns. It reports false when jumps
// connect more than maxPart cells.
func (c *closings) length(set uint64) (n int, ok bool) {
	n, known := c.lengths[set]
	if known {
		return n, n >= 0
	}
	for _, part := range c.components(set) {
		sequence, ok := c.part(part)
		if !ok {
			n = -1
			break
		}
		n += len(sequence)
	}
	c.lengths[set] = n
	return n, n >= 0
}

// of returns a sequence of jumps within a set of cells that closes any set of positions under
// all jumps within it. The set must have a length.
func (c *closings) of(set uint64) (jumps []board.Jump) {
	for _, part := range c.components(set) {
		sequence, _ := c.part(part)
		jumps = append(jumps, sequence...)
	}
	return jumps
}

// components splits the jumps within a set of cells into parts that share no cell.
func (c *closings) components(set uint64) [][]board.Jump {
	var in []board.Jump
	for k := range c.board.Jumps() {
		if j := c.board.Jump(k); j.Mask()&^set == 0 {
			in = append(in, j)
		}
	}
	c.effort.spend(10*c.board.Jumps() + 100*len(in))
	return components(in, set)
}

// part returns a sequence of the given jumps that closes any set of positions under
// them: whatever they can reach, in any order and number, is reached by trying each
// jump of the sequence once, in order. It reports false when the jumps touch more than
// maxPart cells.
//
// Trying a jump is linear in the set of positions, so a sequence that closes each
// single pattern of the cells closes all sets. It is built greedily, by the jump
// that reaches the most new pairs of patterns, and then thinned.
func (c *closings) part(jumps []board.Jump) ([]board.Jump, bool) {
	var cells uint64
	for _, j := range jumps {
		cells |= j.Mask()
	}
	list := gf2.List(cells)
	if len(list) > maxPart {
		return nil, false
	}
	local := make([]board.Jump, len(jumps))
	var key partKey
	for i, j := range jumps {
		l := board.Jump{From: slices.Index(list, j.From), Over: slices.Index(list, j.Over), To: slices.Index(list, j.To)}
		local[i], key[i] = l, uint16(1+l.From+maxPart*(l.Over+maxPart*l.To))
	}
	sequence, ok := c.parts[key]
	if !ok {
		sequence = closingSequence(local, len(list), c.effort)
		c.parts[key] = sequence
	}
	out := make([]board.Jump, len(sequence))
	for i, j := range sequence {
		out[i] = board.Jump{From: list[j.From], Over: list[j.Over], To: list[j.To]}
	}
	return out, true
}

// closingSequence is closings.part for jumps on the cells 0..n-1.
func closingSequence(jumps []board.Jump, n int, e *effort) []board.Jump {
	trial := 1 << n >> 3 * max(4, 1<<n>>6) // of a jump: an eighth of the patterns allow it
	reached := newReach(n)
	var sequence []board.Jump
	for {
		e.spend(trial * len(jumps))
		best, most := -1, 0
		for k, j := range jumps {
			if gain := reached.try(j, false); gain > most {
				best, most = k, gain
			}
		}
		if best < 0 {
			break
		}
		reached.try(jumps[best], true)
		sequence = append(sequence, jumps[best])
	}
	all := reached.pairs()
	for i := 0; i < len(sequence); {
		without := slices.Delete(slices.Clone(sequence), i, i+1)
		e.spend(trial * len(sequence))
		r := newReach(n)
		for _, j := range without {
			r.try(j, true)
		}
		if r.pairs() == all {
			sequence = without
		} else {
			i++
		}
	}
	return sequence
}

// A reach holds, for each pattern y of some cells, the set of the patterns from
// which y has been reached.
type reach [][]uint64

func newReach(n int) reach {
	r := make(reach, 1<<n)
	for x := range r {
		r[x] = make([]uint64, (len(r)+63)/64)
		r[x][x/64] = 1 << (x % 64)
	}
	return r
}

// try adds the pairs that jump j makes, if keep is set, and returns their number.
func (r reach) try(j board.Jump, keep bool) (gain int) {
	need, from := 1<<j.From|1<<j.Over|1<<j.To, 1<<j.From|1<<j.Over
	for y := range r {
		if y&need != from {
			continue
		}
		to := r[y^need]
		for i, w := range r[y] {
			gain += bits.OnesCount64(w &^ to[i])
			if keep {
				to[i] |= w
			}
		}
	}
	return gain
}

func (r reach) pairs() (n int) {
	for _, row := range r {
		n += int(bitset.Count(row))
	}
	return n
}
