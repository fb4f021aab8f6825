package peg

import (
	"context"
	"math/bits"
	"sync"

	"pagoda/bitset"
	"pagoda/internal/memory"
	"pagoda/sorted"
	"pagoda/statespace/cells"
)

// If all cells cost 1 and the whole set lies in memory, there is a way without a walk. A number differs
// from the target in some bits above the low ones, the flips, which say where its word is. What may
// still differ in the word depends only on how many flips there are and which pivots they turn: a mask.
// So lists of all flips by their number and turns are made once, and a target goes through those that
// have a mask. The words are independent of each other, so that the waits for memory overlap.

const (
	mostFlips = 6
	mostShell = 1 << 19 // flips
)

// A shell is all flips of a number of bits, by the pivots that they turn.
type shell struct {
	first []uint32 // by turns
	flips []uint32 // differences of numbers of words, in increasing order for each turns
}

// of returns the flips with some turns.
func (sh *shell) of(turns uint64) []uint32 { return sh.flips[sh.first[turns]:sh.first[turns+1]] }

// shells make the shell of each number of flips when it is first used. It is nil if it is too large.
type shells [mostFlips + 1]func() *shell

func newShells(c classTables) (all shells) {
	for n := range all {
		all[n] = sync.OnceValue(func() *shell { return newShell(&c, n) })
	}
	return all
}

func newShell(c *classTables, n int) *shell {
	high := c.dim - c.low
	if size := binomial(high, n); high > 32 || size > mostShell {
		return nil
	}
	sh := &shell{first: make([]uint32, 1<<c.varies+1)}
	// each calls do with all flips, in increasing order.
	each := func(do func(flips, turns uint64)) {
		for flips := uint64(1)<<n - 1; flips < 1<<high; {
			turns := uint64(0)
			for rest := flips; rest != 0; rest &= rest - 1 {
				turns ^= c.turns[c.low+bits.TrailingZeros64(rest)]
			}
			if do(flips, turns); n == 0 {
				return
			}
			carry := flips + flips&-flips // the next number with as many bits
			flips = carry | (flips^carry)>>2/(flips&-flips)
		}
	}
	at := make([]uint32, len(sh.first))
	each(func(_, turns uint64) { at[turns+1]++ })
	for turns := range 1 << c.varies {
		at[turns+1] += at[turns]
	}
	copy(sh.first, at)
	sh.flips = make([]uint32, at[1<<c.varies])
	each(func(flips, turns uint64) {
		sh.flips[at[turns]] = uint32(flips)
		at[turns]++
	})
	return sh
}

// binomial returns how many sets of k of n things there are.
func binomial(n, k int) int {
	size := 1
	for i := range k {
		size = size * (n - i) / (i + 1)
	}
	return size
}

// A directReader is a Reader whose words may all lie in memory: Direct returns them, or nil.
type directReader interface {
	bitset.Reader
	Direct() []uint64
}

// direct returns the words of a set if they all lie in memory, or nil.
func direct(members bitset.Reader) []uint64 {
	switch m := members.(type) {
	case *bitset.Set:
		return m.Words()
	case directReader:
		return m.Direct()
	}
	return nil
}

// ball calls look for the words that have numbers within a distance: those of a list of flips, which all
// have a mask and a leaf, and cost the same without it. It reports false if it can do no such thing.
func (w *walk) ball(within uint64, look func(flips []uint32, mask, cost uint64, l *leaf)) bool {
	if w.direct == nil || !w.unit || w.restricted || w.restBits < w.varies || w.low < 6 || within >= w.start+uint64(len(w.shells)) {
		return false
	}
	var shells [mostFlips + 1]*shell
	most := max(0, int(within+1)-int(w.start)) // the shells
	for n := range most {
		if shells[n] = w.shells[n](); shells[n] == nil {
			return false
		}
	}
	each := func(do func(n int, left, mismatch uint64, flips []uint32)) {
		for n, sh := range shells[:most] {
			left := uint64(most - 1 - n)
			for mismatch, cost := range w.rest[uint64(w.low)<<w.restBits:][:1<<w.restBits] {
				if cost <= left {
					do(n, left, uint64(mismatch), sh.of(uint64(mismatch)^w.mismatch))
				}
			}
		}
	}
	// A processor waits for the words of a long list all at once, but not for those of many short ones.
	const short = 64
	each(func(_ int, _, _ uint64, flips []uint32) {
		if len(flips) < short {
			for _, f := range flips {
				w.fetched |= prefetch(&w.direct[w.number>>6^uint64(f)])
			}
		}
	})
	each(func(n int, left, mismatch uint64, flips []uint32) {
		if len(flips) > 0 {
			l := w.leaf(mismatch)
			look(flips, l.below[left+1], w.start+uint64(n), l)
		}
	})
	return true
}

type foundWord struct{ word, hits uint64 }

// matchBall finds or counts the members within a distance, in order, and reports whether ball can do that. It leaves out
// the distances at which an earlier ball found no member.
func (n *near) matchBall(within uint64) (ok bool) {
	words, at, dim := n.direct, n.number>>6, n.dim
	if n.counts {
		n.countedAt = within
		return n.ball(within, func(flips []uint32, mask, _ uint64, _ *leaf) {
			for _, f := range flips {
				n.counted += uint64(bits.OnesCount64(words[at^uint64(f)] & mask))
			}
		})
	}
	var hits [256]uint64
	var found [len(hits)]foundWord
	n.keys = n.keys[:0]
	ok = n.ball(within, func(flips []uint32, mask, cost uint64, l *leaf) {
		for len(flips) > 0 && n.err == nil {
			some := flips[:min(len(flips), len(found))]
			flips = flips[len(some):]
			for i, f := range some {
				hits[i] = words[at^uint64(f)] & mask
			}
			k := 0
			for i, f := range some {
				found[k%len(found)] = foundWord{at ^ uint64(f), hits[i]}
				if k++; hits[i] == 0 {
					k--
				}
			}
			members := len(n.keys)
			for _, f := range found[:k] {
				members += bits.OnesCount64(f.hits)
			}
			if n.keys, n.err = memory.Grow(n.keysShare, n.keys, members+1-len(n.keys)); n.err != nil {
				return
			}
			keys, i := n.keys[:members+1], len(n.keys)
			for _, f := range found[:k] {
				key := func(hits uint64) uint64 {
					filling := bits.TrailingZeros64(hits) % 64
					return (cost+uint64(l.costs[filling]))<<dim | f.word<<6 | uint64(filling)
				}
				// Most words have one or two, which a processor cannot predict. The next key overwrites one that is not there.
				second := f.hits & (f.hits - 1)
				keys[i], keys[i+1] = key(f.hits), key(second)
				if i++; second != 0 {
					i++
				}
				for rest := second & (second - 1); rest != 0; rest &= rest - 1 {
					keys[i] = key(rest)
					i++
				}
			}
			n.keys = keys[:members]
			n.checkMatches(len(n.keys))
			if n.ctx.Err() != nil {
				n.fail(context.Cause(n.ctx))
			}
		}
	})
	if !ok || n.err != nil {
		return ok
	}
	if n.spare, n.err = memory.Grow(n.spareShare, n.spare[:0], len(n.keys)); n.err != nil {
		return true
	}
	sorted.SortWith(n.keys, n.spare[:len(n.keys)])
	if n.want > 0 {
		n.keys = n.keys[:min(len(n.keys), n.want)]
	}
	if !n.room(len(n.keys)) {
		return true
	}
	for _, key := range n.keys {
		n.found = append(n.found, cells.Match{State: key & (1<<dim - 1), Distance: key >> dim})
	}
	return true
}
