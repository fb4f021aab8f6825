package engine

import (
	"math/bits"
	"slices"
	"unsafe"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
)

// A program closes a block under the jumps inside it: a list of updates, each of
// which brings one word up to date. The assembly knows the offsets of its fields, and
// those of updates, pulls and steps.
type program struct {
	updates []update
	pulls   []pull
	steps   []step // shared by the updates
}

// An update takes in pulls from other words of the block, then goes through steps
// within its word.
type update struct {
	word        uint32
	pulls       uint32 // how many; they follow those of the update before
	first, last uint32 // steps
}

// A pull makes a jump from another word.
type pull struct {
	mask uint64 // where the jump can lead to
	turn uint32 // the other word is rotated left by this
	word uint32 // the other word
}

// A step makes a jump within a word.
type step struct {
	mask uint64 // where the jump can lead to
	turn int    // the word is rotated left by this
}

// A wordJump is a jump as it is made on words of a block: from word ^ flip, rotated left by
// turn.
type wordJump struct {
	board.Jump
	flip uint64
	turn int
}

func (b *blocks) wordJump(j board.Jump) wordJump {
	return wordJump{j, b.class.Flip(j) >> 6, b.class.Turn(j)}
}

// A compiler writes the programs of a layout, one for each state of the pivots inside a
// block.
type compiler struct {
	*blocks
	layout  *layout.Layout
	within  []wordJump // the jumps inside the block that leave the group
	closing []wordJump // the closing sequence
}

func newCompiler(b *blocks, l *layout.Layout) *compiler {
	c := &compiler{blocks: b, layout: l}
	all := b.class.Board()
	for k := range all.Jumps() {
		if j := all.Jump(k); j.Mask()&^l.Block == 0 && j.Mask()&^l.Group != 0 {
			c.within = append(c.within, b.wordJump(j))
		}
	}
	for _, j := range l.Closing {
		c.closing = append(c.closing, b.wordJump(j))
	}
	return c
}

// compile writes the program for blocks in which the given pivots inside have pegs where
// the block's own bits are 0.
func (c *compiler) compile(pivots board.Position) program {
	l, masks := c.layout, c.masks
	first := func(word uint64) board.Position { return c.firsts[word] ^ pivots }
	n := uint64(1) << max(0, l.GroupBits-6) // words in a group
	b := programBuilder{known: make(map[string]uint32), pending: make([]pendingRun, n)}
	for _, g := range c.groups(first) {
		own := ^uint64(0) // the bits of the group in a word that holds several
		if l.GroupBits < 6 {
			own = (1<<(1<<l.GroupBits) - 1) << (g << l.GroupBits & 63)
		}
		b.first = uint64(g) << l.GroupBits >> 6
		for w := b.first; w < b.first+n; w++ {
			for _, j := range c.within {
				from := w ^ j.flip
				if mask := masks.CanJump(j.Jump, l.Block, first(from)) & bits.RotateLeft64(own, -j.turn); mask != 0 {
					b.pull(w, from, mask, j.turn)
				}
			}
		}
		for _, j := range c.closing {
			for from := b.first; from < b.first+n; from++ {
				mask := masks.CanJump(j.Jump, l.Block, first(from)) & own
				switch {
				case mask == 0:
				case j.flip == 0:
					b.step(from, mask, j.turn)
				default:
					b.flush(from)
					b.pull(from^j.flip, from, mask, j.turn)
				}
			}
		}
		for w := b.first; w < b.first+n; w++ {
			b.flush(w)
		}
	}
	return b.program
}

// groups lists the groups of a block by falling weight.
func (c *compiler) groups(first func(word uint64) board.Position) []uint32 {
	l := c.layout
	weight := func(group uint32) (w int) {
		x := uint64(group) << l.GroupBits
		for cell := range gf2.Elements(l.Block &^ l.Group) {
			w += l.GroupWeights[cell] * int(c.masks.Pegs(cell, first(x>>6))>>(x&63)&1)
		}
		return w
	}
	groups := make([]uint32, 1<<(l.BlockBits-l.GroupBits))
	weights := make([]int, len(groups))
	for g := range groups {
		groups[g], weights[g] = uint32(g), weight(uint32(g))
	}
	slices.SortStableFunc(groups, func(a, b uint32) int { return weights[b] - weights[a] })
	return groups
}

// A programBuilder collects the jumps into the words of a group, and makes
// updates of them.
type programBuilder struct {
	program
	first   uint64            // word of the group
	pending []pendingRun      // by word of the group
	known   map[string]uint32 // where a list of steps begins, by its bytes
}

type pendingRun struct {
	pulls []pull
	steps []step
}

// pull adds a jump from a word that is up to date. The mask is where the jump can be
// made.
func (b *programBuilder) pull(to, from, mask uint64, turn int) {
	p := &b.pending[to-b.first]
	if len(p.steps) > 0 {
		b.flush(to) // pulls come first in an update
	}
	p.pulls = append(p.pulls, pull{bits.RotateLeft64(mask, turn), uint32(turn), uint32(from)})
}

// step adds a jump within a word. The mask is where it can be made.
func (b *programBuilder) step(word, mask uint64, turn int) {
	p := &b.pending[word-b.first]
	p.steps = append(p.steps, step{bits.RotateLeft64(mask, turn), turn})
}

// flush brings a word up to date: it ends its update.
func (b *programBuilder) flush(word uint64) {
	p := &b.pending[word-b.first]
	if len(p.pulls) == 0 && len(p.steps) == 0 {
		return
	}
	u := update{word: uint32(word), pulls: uint32(len(p.pulls))}
	b.pulls = append(b.pulls, p.pulls...)
	if len(p.steps) > 0 {
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(&p.steps[0])), len(p.steps)*int(unsafe.Sizeof(step{})))
		first, ok := b.known[string(bytes)]
		if !ok {
			first = uint32(len(b.steps))
			b.steps = append(b.steps, p.steps...)
			b.known[string(bytes)] = first
		}
		u.first, u.last = first, first+uint32(len(p.steps))
	}
	b.updates = append(b.updates, u)
	p.pulls, p.steps = p.pulls[:0], p.steps[:0]
}

// close closes the blocks that lie side by side in the scratch memory, four of them.
func (p *program) close(scratch []uint64) {
	pulls := p.pulls
	for i := range p.updates {
		u := &p.updates[i]
		word := (*[4]uint64)(scratch[4*u.word:])
		a, b, c, d := word[0], word[1], word[2], word[3]
		for k := range pulls[:u.pulls] {
			q := &pulls[k]
			from, mask, turn := (*[4]uint64)(scratch[4*q.word:]), q.mask, int(q.turn)
			a |= bits.RotateLeft64(from[0], turn) & mask
			b |= bits.RotateLeft64(from[1], turn) & mask
			c |= bits.RotateLeft64(from[2], turn) & mask
			d |= bits.RotateLeft64(from[3], turn) & mask
		}
		pulls = pulls[u.pulls:]
		if a|b|c|d != 0 {
			for k := range p.steps[u.first:u.last] {
				q := &p.steps[u.first:u.last][k]
				a |= bits.RotateLeft64(a, q.turn) & q.mask
				b |= bits.RotateLeft64(b, q.turn) & q.mask
				c |= bits.RotateLeft64(c, q.turn) & q.mask
				d |= bits.RotateLeft64(d, q.turn) & q.mask
			}
		}
		word[0], word[1], word[2], word[3] = a, b, c, d
	}
}
