package layout

import (
	"fmt"
	"math/bits"
	"slices"

	"pagoda/statespace/peg/board"
	"pagoda/statespace/peg/internal/gf2"
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

// closePart returns a sequence of the given jumps that closes any set of
// positions under them: whatever they can reach, in any order and number, is
// reached by trying each jump of the sequence once, in order. It reports false
// when the jumps touch more than maxPart cells. It keeps sequences in known, by
// the pattern of the jumps.
//
// Trying a jump is linear in the set of positions, so a sequence that closes each
// single pattern of the cells closes all sets. It is built greedily, by the jump
// that reaches the most new pairs of patterns, and then thinned.
func closePart(jumps []board.Jump, known map[string][]board.Jump) ([]board.Jump, bool) {
	var cells uint64
	for _, j := range jumps {
		cells |= j.Mask()
	}
	list := gf2.List(cells)
	if len(list) > maxPart {
		return nil, false
	}
	local := make([]board.Jump, len(jumps))
	for i, j := range jumps {
		local[i] = board.Jump{From: slices.Index(list, j.From), Over: slices.Index(list, j.Over), To: slices.Index(list, j.To)}
	}
	key := fmt.Sprint(local)
	sequence, ok := known[key]
	if !ok {
		sequence = closingSequence(local, len(list))
		known[key] = sequence
	}
	out := make([]board.Jump, len(sequence))
	for i, j := range sequence {
		out[i] = board.Jump{From: list[j.From], Over: list[j.Over], To: list[j.To]}
	}
	return out, true
}

// closingSequence is closePart for jumps on the cells 0..n-1.
func closingSequence(jumps []board.Jump, n int) []board.Jump {
	reached := newReach(n)
	var sequence []board.Jump
	for {
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
		for _, w := range row {
			n += bits.OnesCount64(w)
		}
	}
	return n
}
