package peg

import (
	"math/bits"
	"slices"
	"sync"

	"pagoda/statespace"
)

// certificate checks that a set is exactly the start and what is reached from it.
// As every jump takes a peg away, it is enough that
//
//	set = {start} + successors(set)
//
// which is checked for 64 numbers at a time. It shares nothing with the engines
// but the numbering: what the cells of a number look like is read off Class.
// Position, and how a jump changes a number off Class.Number.
type certificate struct {
	set   []uint64
	start uint64
	chunk uint64 // words of a task
	class *Class
	jumps []checkedJump
	valid uint64 // the bits of a word that are numbers

	mu     sync.Mutex
	faults statespace.Faults
}

// A checkedJump is a jump seen from the position it leads to.
type checkedJump struct {
	Jump
	flip uint64 // of the number
	// by[s] are the words of a chunk that the jump can lead into, when the three
	// cells are in state s in the first number of the chunk.
	by [8][]targets
}

// targets are words of a chunk into which a jump leads at the same bits.
type targets struct {
	mask  uint64 // bit b comes
	from  int    // from bit b + from, modulo 64, of the source
	words []uint16
}

func newCertificate(c *Class, start uint64, set []uint64) *certificate {
	v := &certificate{set: set, start: start, chunk: min(uint64(len(set)), 1<<10), class: c}
	v.valid = ^uint64(0) >> (64 - min(64, 1<<c.Dim()))
	first := c.Position(0)

	// pegs[cell][w]: where, in word w of a chunk, the cell differs from the first
	// number of the chunk.
	pegs := make([][]uint64, len(c.board.cells))
	for cell := range pegs {
		pegs[cell] = make([]uint64, v.chunk)
	}
	for x := range min(uint64(1)<<c.Dim(), v.chunk*64) {
		p := c.Position(x) ^ first
		for cell := range pegs {
			pegs[cell][x/64] |= p >> cell & 1 << (x % 64)
		}
	}
	for k := range c.board.Jumps() {
		j := checkedJump{Jump: c.board.Jump(k)}
		// The class is an affine space: a jump flips the same bits of every number.
		j.flip, _ = c.Number(first ^ j.mask())
		for s := range j.by {
			from, over, to := pegs[j.From], pegs[j.Over], pegs[j.To]
			for w := range v.chunk {
				mask := ^(from[w] ^ -uint64(s&1)) & ^(over[w] ^ -uint64(s>>1&1)) & (to[w] ^ -uint64(s>>2)) & v.valid
				j.add(s, uint16(w), mask)
			}
		}
		v.jumps = append(v.jumps, j)
	}
	return v
}

// add notes that the jump leads to the masked bits of a word.
func (j *checkedJump) add(s int, word uint16, mask uint64) {
	for mask != 0 {
		b := bits.TrailingZeros64(mask)
		t := targets{from: (b ^ int(j.flip%64)) - b}
		for m := mask; m != 0; m &= m - 1 {
			if b := bits.TrailingZeros64(m); (b^int(j.flip%64))-b == t.from {
				t.mask |= 1 << b
			}
		}
		mask &^= t.mask
		i := slices.IndexFunc(j.by[s], func(u targets) bool { return u.mask == t.mask && u.from == t.from })
		if i < 0 {
			i = len(j.by[s])
			j.by[s] = append(j.by[s], t)
		}
		j.by[s][i].words = append(j.by[s][i].words, word)
	}
}

// Stages implements statespace.Work.
func (v *certificate) Stages() int { return 1 }

// Tasks implements statespace.Work.
func (v *certificate) Tasks(int) int { return len(v.set) / int(v.chunk) }

// NewWorker implements statespace.Work.
func (v *certificate) NewWorker() statespace.Worker {
	return &checker{certificate: v, expected: make([]uint64, v.chunk)}
}

type checker struct {
	*certificate
	expected []uint64
}

// Do implements statespace.Worker.
func (v *checker) Do(_, task int) {
	chunk := uint64(task) * v.chunk
	clear(v.expected)
	if v.start/64/v.chunk == uint64(task) {
		v.expected[v.start/64%v.chunk] |= 1 << (v.start % 64)
	}
	first := v.class.Position(chunk * 64)
	for i := range v.jumps {
		j := &v.jumps[i]
		s := first>>j.From&1 | first>>j.Over&1<<1 | first>>j.To&1<<2
		from := v.set[(chunk^j.flip/64)&^(v.chunk-1):][:v.chunk]
		for k := range j.by[s] {
			j.by[s][k].pull(v.expected, from, uint16(j.flip/64%v.chunk))
		}
	}
	for i, want := range v.expected {
		if found := v.set[chunk+uint64(i)]; found != want {
			v.fault((chunk+uint64(i))*64, found, want)
		}
	}
}

// pull ors into the words what the jump makes of their sources, word ^ flip.
func (t *targets) pull(to, from []uint64, flip uint16) {
	from = from[:len(to)]
	mask, turn := t.mask, -t.from
	if len(t.words) == len(to) && flip == 0 {
		for w := range to {
			to[w] |= bits.RotateLeft64(from[w], turn) & mask
		}
		return
	}
	for _, w := range t.words {
		to[w] |= bits.RotateLeft64(from[w^flip], turn) & mask
	}
}

// fault notes the numbers in which a word is not as expected.
func (v *checker) fault(number uint64, found, want uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	b := uint64(bits.TrailingZeros64(found ^ want))
	f := statespace.Fault{Kind: statespace.Orphan, State: number + b}
	switch {
	case v.valid>>b&1 == 0:
		f.Kind = statespace.NoState
	case found>>b&1 == 0 && f.State == v.start:
		f.Kind = statespace.MissingRoot
	case found>>b&1 == 0:
		f.Kind = statespace.MissingSuccessor
	}
	v.faults.Add(f, uint64(bits.OnesCount64(found^want)))
}

// Faults implements statespace.Certification.
func (v *certificate) Faults() statespace.Faults { return v.faults }
