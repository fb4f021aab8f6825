package verify

import (
	"math/bits"
	"slices"
	"sync"

	"pagoda/bitset"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// A certificate checks that a set is exactly the start and what is reached from it.
// As every jump takes a peg away, it is enough that
//
//	set = {start} + successors(set)
//
// which is checked for 64 numbers at a time. Its masks are its own, and made in another
// way than those of the engines, so that it does not repeat their faults.
//
// Of a folded set only the representatives are read and checked. By symmetry, a jump into
// a block from one that is not a representative equals a jump from its representative
// into an image of the block. So a block should hold the positions to which jumps lead from
// representatives, in the block itself and, mapped back, in its images. If every
// representative holds what it should, the set is right layer by layer, most pegs first. A
// block that is not symmetric where it should be is at fault too.
type certificate struct {
	*representatives
	start uint64
	class *board.Class
	jumps []checkedJump
	valid uint64 // the places in a word that are numbers
	// leads finds jumps by the cells that are the same in all numbers of a chunk. Bit i%64 of leads[i/64][b][v] says that a
	// position whose byte b is v agrees, on the cells of that byte, with what jump i leads to.
	leads [][][256]uint64

	mu     sync.Mutex
	faults statespace.Faults
}

// certificateChunk is how many words are worked on at once. The certificate reads them
// many times, and they should stay in a first-level cache.
const certificateChunk = 1 << 10

// Certificate returns the work of proving that a whole set is what is reached from a
// start, which is a number of the class.
func Certificate(c *board.Class, start uint64, set *bitset.Set) statespace.Certification {
	return newCertificate(c, start, wholeSet(c.Dim(), set, certificateChunk))
}

// FoldedCertificate is Certificate for a set that is folded by symmetries. It stops when
// a block cannot be read. The order may list blocks, which are then read in this order.
func FoldedCertificate(c *board.Class, start uint64, set statespace.FoldedSet, symmetries []statespace.WordSymmetry, order []uint32) statespace.Certification {
	return newCertificate(c, start, newRepresentatives(c.Dim(), set, symmetries, order, certificateChunk))
}

// A checkedJump is a jump seen from the position it leads to.
type checkedJump struct {
	board.Jump
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

func newCertificate(c *board.Class, start uint64, blocks *representatives) *certificate {
	v := &certificate{representatives: blocks, start: start, class: c}
	v.valid = ^uint64(0) >> (64 - min(64, 1<<c.Dim()))
	first := c.Position(0)

	// pegs[cell][w]: where, in word w of a chunk, the cell differs from the first
	// number of the chunk.
	pegs := make([][]uint64, len(c.Board().Cells()))
	for cell := range pegs {
		pegs[cell] = make([]uint64, v.chunk)
	}
	for x := range min(uint64(1)<<c.Dim(), v.chunk*64) {
		p := c.Position(x) ^ first
		for cell := range pegs {
			pegs[cell][x/64] |= p >> cell & 1 << (x % 64)
		}
	}
	fixed := board.Position(0)
	for cell := range pegs {
		if !slices.ContainsFunc(pegs[cell], func(word uint64) bool { return word != 0 }) {
			fixed |= 1 << cell
		}
	}
	v.leads = make([][][256]uint64, (c.Board().Jumps()+63)/64)
	for i := range v.leads {
		v.leads[i] = make([][256]uint64, (len(pegs)+7)/8)
	}
	for k := range c.Board().Jumps() {
		j := checkedJump{Jump: c.Board().Jump(k)}
		for b, table := range v.leads[k/64] {
			cells, peg := byte(fixed&j.Mask()>>(8*b)), byte(fixed&(1<<j.To)>>(8*b))
			for value := range table {
				if byte(value)&cells == peg {
					v.leads[k/64][b][value] |= 1 << (k % 64)
				}
			}
		}
		// The class is an affine space: a jump flips the same bits of every number.
		j.flip, _ = c.Number(first ^ j.Mask())
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
		w.image, w.mapped = make([]uint64, v.words), make([]uint64, v.words)
	}
	return w
}

type checker struct {
	*certificate
	expected      []uint64 // what the current block should hold
	image, mapped []uint64 // what jumps into an image of it, and that mapped back
}

// Do implements statespace.Worker. If a block cannot be read, the caller stops the work.
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
		clear(v.image)
		some, err := v.pull(v.image, s.Map(block<<v.bits)>>v.bits)
		if err != nil {
			return
		}
		if !some {
			continue
		}
		sweep.GatherBlock(v.mapped, s, block, v.image)
		for i, w := range v.mapped {
			v.expected[i] |= w
		}
	}
	words, err := v.set.Representative(block)
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

// pull adds to the words what jumps into a block from representatives. It reports whether
// there are representatives with members from which jumps lead there.
func (v *checker) pull(to []uint64, block uint64) (some bool, err error) {
	for at := uint64(0); at < v.words; at += v.chunk {
		err = v.each(block*v.words+at, func(_ int, by []targets, from []uint64, flip uint16) {
			some = true
			for k := range by {
				by[k].pull(to[at:][:v.chunk], from, flip)
			}
		})
		if err != nil {
			return false, err
		}
	}
	return some, nil
}

// each calls do with the jumps into a chunk, in their order: what they lead to, and the words of the chunk they
// come from, in which word ^ flip is the source of a word.
func (v *certificate) each(chunk uint64, do func(jump int, by []targets, from []uint64, flip uint16)) error {
	first, inBlock := v.class.Position(chunk*64), bits.TrailingZeros64(v.words) // a shift, not a division
	for i, tables := range v.leads {
		jumps := ^uint64(0)
		for b := range tables {
			jumps &= tables[b][byte(first>>(8*b))]
		}
		for ; jumps != 0; jumps &= jumps - 1 {
			k := 64*i + bits.TrailingZeros64(jumps)
			j := &v.jumps[k]
			source := chunk ^ j.flip/64&^(v.chunk-1)
			if !v.has(source >> inBlock) {
				continue
			}
			by := j.by[first>>j.From&1|first>>j.Over&1<<1|first>>j.To&1<<2]
			if len(by) == 0 {
				continue
			}
			from, err := v.set.Representative(source >> inBlock)
			if err != nil {
				return err
			}
			if from != nil {
				do(k, by, from[source&(v.words-1):][:v.chunk], uint16(j.flip/64&(v.chunk-1)))
			}
		}
	}
	return nil
}

// pull adds to the words what the jump makes of their sources, word ^ flip.
func (t *targets) pull(to, from []uint64, flip uint16) {
	from = from[:len(to)]
	mask, turn := t.mask, -t.from
	if len(t.words) == len(to) && flip == 0 {
		if turn == 0 {
			for w := range to {
				to[w] |= from[w] & mask
			}
			return
		}
		for w := range to {
			to[w] |= bits.RotateLeft64(from[w], turn) & mask
		}
		return
	}
	for _, w := range t.words {
		to[w] |= bits.RotateLeft64(from[w^flip], turn) & mask
	}
}

// fault notes the numbers in which a word of a block is not as expected. Each image of
// the block has as many.
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
	images, _ := sweep.BlockOrbit(v.symmetries, v.bits, block)
	v.faults.Add(f, images*uint64(bits.OnesCount64(found^want)))
}

// Faults implements statespace.Certification.
func (v *certificate) Faults() statespace.Faults { return v.faults }
