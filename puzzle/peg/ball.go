package peg

import (
	"context"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"sync"

	"pagoda/bitset"
	"pagoda/internal/gf2"
	"pagoda/internal/lists"
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
// At larger ones, whole words are looked at, or groups of 64 words. A number differs from the target in some bits above the
// low ones, which say where its word or group is. What may still differ in there depends only on how many flips there are
// and which pivots they turn: masks. The lists have the flips of these bits. There are far fewer groups than
// matches, so that matches are found in order if the groups are sorted.

const (
	mostFlips = 6
	mostFew   = 4       // flips, one number at a time, if all matches are wanted
	firstFew  = 3       // if the first are, or how many
	mostShell = 1 << 19 // flips
)

// A shell is all sets of some cells or bits, by the pivots that they turn together.
type shell struct {
	first []uint32 // by turns
	flips []uint32 // differences of numbers, or of numbers of words or groups
}

// of returns the flips with some turns.
func (sh *shell) of(turns uint64) []uint32 { return sh.flips[sh.first[turns]:sh.first[turns+1]] }

// shells make the shell of each number of flips when it is first used. It is nil if it is too large.
type shells struct {
	words   [mostFlips + 1]func() *shell
	groups  [mostFlips + 1]func() *shell
	numbers [mostFew + 1]func() *shell
}

func newShells(c classTables) (all shells) {
	var flips []uint64
	turns := slices.Clone(c.turns[:c.dim])
	for bit := range c.dim {
		flips = append(flips, 1<<bit)
	}
	for n := range all.words {
		above := func(low int) func() *shell {
			return sync.OnceValue(func() *shell { return newShell(n, c.varies, flips[:c.dim-low], turns[low:c.dim]) })
		}
		all.words[n], all.groups[n] = above(c.low), above(c.low+c.group)
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
	sets := new(big.Int).Binomial(int64(len(flips)), int64(n))
	if len(flips) > 0 && slices.Max(flips) > math.MaxUint32 || sets.Cmp(big.NewInt(mostShell)) > 0 {
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

// A groupWord is a word of a group that may have numbers within a distance.
type groupWord struct {
	word, mask uint64 // its place in the group; its numbers within the distance
	left       int    // what may still be flipped in it
	*leaf
}

// ball calls look for the groups that have numbers within a distance, of 1<<size words each: those of a list of
// flips, what is left to flip in each, and the mismatch of the pivots. It reports false if it can do no such thing.
func (w *walk) ball(within uint64, size int, shells []func() *shell, look func(flips []uint32, left int, mismatch uint64)) bool {
	if w.direct == nil || !w.unit || w.restricted || w.restBits < w.varies || w.low < 6 || within >= w.start+uint64(len(shells)) {
		return false
	}
	shells = shells[:max(0, int(within+1)-int(w.start))]
	if len(shells) > 0 && shells[len(shells)-1]() == nil {
		return false // otherwise none of fewer flips is too large
	}
	for n, shell := range shells {
		sh, left := shell(), len(shells)-1-n
		for mismatch, words := range w.reach[left][:1<<w.restBits] {
			if flips := sh.of(uint64(mismatch) ^ w.mismatch); words&(1<<(1<<size)-1) != 0 && len(flips) > 0 {
				look(flips, left, uint64(mismatch))
			}
		}
	}
	return true
}

// wordsOf returns the words of a group that ball finds, in order.
func (w *walk) wordsOf(size, left int, mismatch uint64) []groupWord {
	at, words, first := w.number>>w.low&(1<<size-1), w.reach[left][mismatch]&(1<<(1<<size)-1), len(w.groupWords)
	for axis := range size {
		if at>>axis&1 == 1 {
			words = gf2.Flip(axis).Apply(words)
		}
	}
	for ; words != 0; words &= words - 1 {
		word := uint64(bits.TrailingZeros64(words))
		flip := word ^ at
		still, l := left-bits.OnesCount64(flip), w.leaf(mismatch^w.groupTurned[flip])
		w.groupWords = append(w.groupWords, groupWord{word, l.below[still+1], still, l})
	}
	return w.groupWords[first:]
}

// matchFew finds or counts the members within a small distance, the nearest first, until there are enough. It reports
// whether it can do that.
func (n *near) matchFew(within uint64) bool {
	most := n.start + mostFew
	if n.counts || n.nearest || n.want > 0 {
		most = n.start + firstFew
	}
	if n.direct == nil || !n.unit || n.restricted || n.restBits < n.varies || within > most {
		return false
	}
	words, at, sum := n.direct, n.number, 0
	for d := n.start; d <= within; d++ {
		shell, found := n.numbers[d-n.start](), &n.numbersAt[d-n.start]
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
		if !n.grow(found, len(flips)+1) {
			break
		}
		room, i := (*found)[:len(flips)+1], 0
		for _, f := range flips { // the next number overwrites one that is not there
			x := at ^ uint64(f)
			room[i] = x
			i += int(words[x>>6] >> (x & 63) & 1)
		}
		*found = room[:i]
		if !n.sortWith(*found) || n.nearest && i > 0 {
			break
		}
		if sum += i; n.want > 0 && sum >= n.want {
			break
		}
	}
	return true
}

// matchBall finds or counts the members within a distance, and reports whether ball can do that.
func (n *near) matchBall(within uint64) bool {
	words, at, size, shells := n.direct, n.number>>n.low, 0, n.shells.words[:]
	if n.counts {
		if n.countedAt = within; n.nearest && within > n.empty {
			return false // some may be nearer
		}
		return n.ball(within, size, shells, func(flips []uint32, left int, mismatch uint64) {
			sum, mask := 0, n.leaf(mismatch).below[left+1]
			for _, f := range flips {
				sum += bits.OnesCount64(words[at^uint64(f)] & mask)
			}
			n.counted += uint64(sum)
		})
	}
	// If all matches are wanted, it takes the least time to sort groups. If only the first are, there are often few: words
	// without members are left out, and the numbers are sorted.
	many := n.want == 0 && !n.nearest
	if many {
		size, shells = n.group, n.shells.groups[:]
	}
	var hits [256]uint64
	n.groupWords = n.groupWords[:0]
	groups, kinds, kindBits := n.groups[:0], n.kinds[:0], 3+n.restBits
	ok := n.ball(within, size, shells, func(flips []uint32, left int, mismatch uint64) {
		if n.err == nil {
			groups, n.err = memory.Grow(&n.groupsShare, groups, len(flips)+1)
		}
		if n.err != nil {
			return
		}
		list := n.wordsOf(size, left, mismatch)
		room, some, kind := groups[len(groups):][:len(flips)+1], 0, uint64(len(kinds))
		for first := 0; first < len(flips); first += len(hits) {
			part := flips[first:min(first+len(hits), len(flips))]
			for i, f := range part { // nothing else, so that the waits for memory overlap
				if hits[i] = 1; !many {
					hits[i] = words[at^uint64(f)] & list[0].mask
				}
			}
			for i, f := range part { // the next group overwrites a word without members
				room[some] = (at>>size^uint64(f))<<kindBits | kind
				if some++; hits[i] == 0 {
					some--
				}
			}
		}
		groups, kinds = groups[:len(groups)+some], append(kinds, list)
	})
	n.groups, n.kinds = groups, kinds
	if !ok || n.err != nil || many && !n.sortWith(groups) {
		return ok
	}
	n.matchGroups(groups, kindBits, size, int(within-n.start))
	for _, numbers := range n.numbersAt {
		if !many && n.err == nil {
			n.sortWith(numbers)
		}
	}
	return true
}

// matchGroups finds the members in groups, whose low bits are their kinds, within a number of flips.
func (n *near) matchGroups(groups []uint64, kindBits, size, flips int) {
	type place struct {
		word, hits uint64
		*groupWord
	}
	var places [256]place
	for len(groups) > 0 && n.err == nil {
		k, most := 0, 0 // how many words, and members at most
		for ; len(groups) > 0; groups = groups[1:] {
			kind, first := n.kinds[groups[0]&(1<<kindBits-1)], groups[0]>>kindBits<<size
			if k+len(kind) > len(places) {
				break
			}
			for i := range kind {
				p := &places[k%len(places)]
				p.word, p.groupWord = first|kind[i].word, &kind[i]
				most += bits.OnesCount64(kind[i].mask)
				k++
			}
		}
		for i := range places[:k] { // nothing else, so that the waits for memory overlap
			places[i].hits = n.direct[places[i].word]
		}
		for d := range n.numbersAt {
			if !n.grow(&n.numbersAt[d], most) {
				return
			}
		}
		for i := range places[:k] {
			p := &places[i]
			for hits := p.hits & p.mask; hits != 0; hits &= hits - 1 {
				filling := uint64(bits.TrailingZeros64(hits)) % 64
				found := &n.numbersAt[flips-p.left+int(p.costs[filling])]
				*found = append(*found, p.word<<6|filling)
			}
		}
		n.checkMatches(n.numbersFound())
		if n.ctx.Err() != nil {
			n.fail(context.Cause(n.ctx))
		}
	}
}

// grow makes room for more numbers in one of numbersAt, which share an account.
func (n *near) grow(numbers *[]uint64, more int) bool {
	if cap(*numbers)-len(*numbers) >= more {
		return true
	}
	room := max(len(*numbers)+more, 2*len(*numbers), 64)
	held := room + lists.SumOf(n.numbersAt[:], func(numbers []uint64) int { return cap(numbers) })
	if n.err = n.numbersShare.Set(8 * uint64(held)); n.err == nil {
		*numbers = append(make([]uint64, 0, room), *numbers...)
	}
	return n.err == nil
}

// sortWith sorts numbers in place, and reports whether it had room.
func (n *near) sortWith(numbers []uint64) bool {
	if n.spare, n.err = memory.Grow(&n.spareShare, n.spare[:0], len(numbers)); n.err == nil {
		sorted.SortWith(numbers, n.spare[:len(numbers)])
	}
	return n.err == nil
}

// ofNumbers returns the numbers as matches, as many as are wanted, in memory of their own.
func (n *near) ofNumbers() []cells.Match {
	some := n.numbersFound()
	if n.want > 0 {
		some = min(some, n.want)
	}
	all := make([]cells.Match, 0, some)
	for d, numbers := range n.numbersAt {
		for _, x := range numbers[:min(len(numbers), some-len(all))] {
			all = append(all, cells.Match{State: x, Distance: n.start + uint64(d)})
		}
	}
	return all
}
