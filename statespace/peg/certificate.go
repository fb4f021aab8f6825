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
//
// Of a folded set only the kept blocks are checked, and only they are read. A jump into
// a block from one that is not kept is, seen from another side, a jump from a kept block
// into an image of the block. So what is expected of a block is what jumps into it, and
// into its images, from kept blocks. When all kept blocks are as expected, then the set
// is right layer by layer, most pegs first: what jumps into one is what should, seen from
// any side. So a block that does not look the same from its own sides is at fault too.
type certificate struct {
	*keptBlocks
	start uint64
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

func newCertificate(c *Class, start uint64, blocks *keptBlocks) *certificate {
	v := &certificate{keptBlocks: blocks, start: start, class: c}
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

// NewWorker implements statespace.Work.
func (v *certificate) NewWorker() statespace.Worker {
	w := &checker{certificate: v, expected: make([]uint64, v.words)}
	if len(v.symmetries) > 0 {
		w.side, w.turned = make([]uint64, v.words), make([]uint64, v.words)
	}
	return w
}

type checker struct {
	*certificate
	expected     []uint64
	side, turned []uint64 // what jumps into an image, seen from there and from the block
}

// Do implements statespace.Worker. Where a block cannot be read, the work is stopped.
func (v *checker) Do(_, task int) {
	block := uint64(v.list[task])
	clear(v.expected)
	if v.start>>v.bits == block {
		v.expected[v.start/64%v.words] |= 1 << (v.start % 64)
	}
	if _, err := v.pull(v.expected, block); err != nil {
		return
	}
	for _, s := range v.symmetries {
		clear(v.side)
		some, err := v.pull(v.side, s.Map(block<<v.bits)>>v.bits)
		if err != nil {
			return
		}
		if !some {
			continue
		}
		statespace.GatherBlock(v.turned, s, block, v.side)
		for i, w := range v.turned {
			v.expected[i] |= w
		}
	}
	words, err := v.set.Kept(block)
	if err != nil {
		return
	}
	for i, want := range v.expected {
		found := uint64(0)
		if words != nil {
			found = words[i]
		}
		if found != want {
			v.fault(block, uint64(i), found, want)
		}
	}
}

// pull ors into the words what jumps into a block from kept blocks, and reports whether
// there are kept blocks with members from which jumps lead there.
func (v *checker) pull(to []uint64, block uint64) (some bool, err error) {
	for at := uint64(0); at < v.words; at += v.chunk {
		chunk := block*v.words + at
		first := v.class.Position(chunk * 64)
		for i := range v.jumps {
			j := &v.jumps[i]
			s := first>>j.From&1 | first>>j.Over&1<<1 | first>>j.To&1<<2
			source := chunk ^ j.flip/64&^(v.chunk-1)
			if len(j.by[s]) == 0 || !v.keeps(source/v.words) {
				continue
			}
			from, err := v.set.Kept(source / v.words)
			if err != nil {
				return false, err
			}
			if from == nil {
				continue
			}
			some = true
			for k := range j.by[s] {
				j.by[s][k].pull(to[at:][:v.chunk], from[source%v.words:][:v.chunk], uint16(j.flip/64%v.chunk))
			}
		}
	}
	return some, nil
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

// fault notes the numbers in which a word of a block is not as expected. As many are at
// fault in each image of the block.
func (v *checker) fault(block, word, found, want uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	b := uint64(bits.TrailingZeros64(found ^ want))
	f := statespace.Fault{Kind: statespace.Orphan, State: (block*v.words+word)*64 + b}
	switch {
	case v.valid>>b&1 == 0:
		f.Kind = statespace.NoState
	case found>>b&1 == 0 && f.State == v.start:
		f.Kind = statespace.MissingRoot
	case found>>b&1 == 0:
		f.Kind = statespace.MissingSuccessor
	}
	images, _ := statespace.BlockOrbit(v.symmetries, v.bits, block)
	v.faults.Add(f, images*uint64(bits.OnesCount64(found^want)))
}

// Faults implements statespace.Certification.
func (v *certificate) Faults() statespace.Faults { return v.faults }
