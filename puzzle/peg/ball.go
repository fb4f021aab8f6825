package peg

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sync"

	"pagoda/bitset"
	"pagoda/internal/memory"
	"pagoda/sorted"
	"pagoda/statespace/cells"
)

// If all cells cost 1 and the whole set lies in memory, there are two ways without a walk. Lists are made once, and a
// target goes through some of them. What they lead to is independent, so that the waits for memory overlap.
//
// At a small distance, a number differs from the target in few free cells and pivots: the list of such flips that leave
// no pivot wrong has all numbers at this distance.
//
// At larger ones, whole words are looked at. A number differs from the target in some bits above the low ones, which
// say where its word is. What may still differ in the word depends only on how many flips there are and which
// pivots they turn: a mask. The lists have the flips of these bits.

const (
	mostFlips = 6
	mostFew   = 3       // flips, one number at a time
	mostShell = 1 << 19 // flips
)

// A shell is all sets of some cells or bits, by the pivots that they turn together.
type shell struct {
	first []uint32 // by turns
	flips []uint32 // differences of numbers, or of numbers of words
}

// of returns the flips with some turns.
func (sh *shell) of(turns uint64) []uint32 { return sh.flips[sh.first[turns]:sh.first[turns+1]] }

// shells make the shell of each number of flips when it is first used. It is nil if it is too large.
type shells struct {
	words   [mostFlips + 1]func() *shell
	numbers [mostFew + 1]func() *shell
}

func newShells(c classTables) (all shells) {
	var flips []uint64
	turns := slices.Clone(c.turns[:c.dim])
	for bit := range c.dim {
		flips = append(flips, 1<<bit)
	}
	for n := range all.words {
		all.words[n] = sync.OnceValue(func() *shell { return newShell(n, c.varies, flips[:c.dim-c.low], turns[c.low:c.dim]) })
	}
	for k := range c.varies {
		flips, turns = append(flips, 0), append(turns, 1<<k)
	}
	for n := range all.numbers {
		all.numbers[n] = sync.OnceValue(func() *shell { return newShell(n, c.varies, flips, turns) })
	}
	return all
}

// newShell makes the shell of n things that turn some of the pivots.
func newShell(n, pivots int, flips, turns []uint64) *shell {
	if len(flips) > 0 && slices.Max(flips) > math.MaxUint32 || binomial(len(flips), n) > mostShell {
		return nil
	}
	sh := &shell{first: make([]uint32, 1<<pivots+1)}
	// each calls do with all sets.
	each := func(do func(flips, turns uint64)) {
		for set := uint64(1)<<n - 1; set < 1<<len(flips); {
			flip, turn := uint64(0), uint64(0)
			for rest := set; rest != 0; rest &= rest - 1 {
				flip ^= flips[bits.TrailingZeros64(rest)]
				turn ^= turns[bits.TrailingZeros64(rest)]
			}
			if do(flip, turn); n == 0 {
				return
			}
			carry := set + set&-set // the next number with as many bits
			set = carry | (set^carry)>>2/(set&-set)
		}
	}
	at := make([]uint32, len(sh.first))
	each(func(_, turns uint64) { at[turns+1]++ })
	for turns := range 1 << pivots {
		at[turns+1] += at[turns]
	}
	copy(sh.first, at)
	sh.flips = make([]uint32, at[1<<pivots])
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
	if w.direct == nil || !w.unit || w.restricted || w.restBits < w.varies || w.low < 6 || within >= w.start+uint64(len(w.shells.words)) {
		return false
	}
	most := max(0, int(within+1)-int(w.start)) // the shells
	if most > 0 && w.shells.words[most-1]() == nil {
		return false // otherwise none of fewer flips is too large
	}
	for n, shell := range w.shells.words[:most] {
		sh, left := shell(), uint64(most-1-n)
		for mismatch, cost := range w.rest[uint64(w.low)<<w.restBits:][:1<<w.restBits] {
			if flips := sh.of(uint64(mismatch) ^ w.mismatch); cost <= left && len(flips) > 0 {
				l := w.leaf(uint64(mismatch))
				look(flips, l.below[left+1], w.start+uint64(n), l)
			}
		}
	}
	return true
}

// matchFew finds or counts the members within a small distance, the nearest first, until there are enough. It reports
// whether it can do that.
func (n *near) matchFew(within uint64) bool {
	if n.direct == nil || !n.unit || n.restricted || n.restBits < n.varies || within >= n.start+uint64(len(n.numbers)) {
		return false
	}
	words, at := n.direct, n.number
	for d := n.start; d <= within; d++ {
		shell := n.numbers[d-n.start]()
		if shell == nil {
			return false
		}
		flips := shell.of(n.mismatch)
		if n.counts {
			sum := uint64(0)
			for _, f := range flips {
				x := at ^ uint64(f)
				sum += words[x>>6] >> (x & 63) & 1
			}
			n.counted += sum
			if n.countedAt = d; n.nearest && n.counted > 0 {
				break
			}
			continue
		}
		i := len(n.keys)
		if n.keys, n.err = memory.Grow(&n.keysShare, n.keys, len(flips)+1); n.err != nil {
			break
		}
		keys := n.keys[:i+len(flips)+1]
		for _, f := range flips { // the next key overwrites one that is not there
			x := at ^ uint64(f)
			keys[i] = d<<n.dim | x
			i += int(words[x>>6] >> (x & 63) & 1)
		}
		if n.keys = keys[:i]; n.nearest && i > 0 || n.want > 0 && i >= n.want {
			break
		}
	}
	return true
}

type foundWord struct{ word, hits uint64 }

// matchBall finds or counts the members within a distance, and reports whether ball can do that. It finds keys: see ofKeys.
func (n *near) matchBall(within uint64) (ok bool) {
	words, at, dim := n.direct, n.number>>6, n.dim
	if n.counts {
		if n.countedAt = within; n.nearest && within > n.empty {
			return false // some may be nearer
		}
		return n.ball(within, func(flips []uint32, mask, _ uint64, _ *leaf) {
			for _, f := range flips {
				n.counted += uint64(bits.OnesCount64(words[at^uint64(f)] & mask))
			}
		})
	}
	hits, found := &n.ballHits, &n.ballWords
	return n.ball(within, func(flips []uint32, mask, cost uint64, l *leaf) {
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
			if n.keys, n.err = memory.Grow(&n.keysShare, n.keys, members+1-len(n.keys)); n.err != nil {
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
}

// ofKeys returns the matches of a ball in order, in memory of their own.
func (n *near) ofKeys() (all []cells.Match, err error) {
	if n.spare, err = memory.Grow(&n.spareShare, n.spare[:0], len(n.keys)); err != nil {
		return nil, err
	}
	sorted.SortWith(n.keys, n.spare[:len(n.keys)])
	if n.want > 0 {
		n.keys = n.keys[:min(len(n.keys), n.want)]
	}
	all = make([]cells.Match, len(n.keys))
	for i, key := range n.keys {
		all[i] = cells.Match{State: key & (1<<n.dim - 1), Distance: key >> n.dim}
	}
	return all, nil
}
