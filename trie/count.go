package trie

import (
	"context"
	"math/bits"
	"sync"

	"pagoda/internal/ordinals"
)

// plans keeps the memory of questions.
var plans = sync.Pool{New: func() any { return new(plan) }}

// Count returns how many members match a pattern. When ctx ends, it stops soon and
// returns the cause.
//
// It goes down level by level and keeps, for each node, the parities of the wide terms
// that are open there and the number of ones so far, how many ways lead to them. So the
// work, and the memory on a level, is bounded by the nodes times the number of such
// states, however many members there are; and by the number of paths, if that is less.
func (t *Trie) Count(ctx context.Context, p Pattern) (uint64, error) {
	below, err := t.below()
	if err != nil {
		return 0, err
	}
	q := plans.Get().(*plan)
	defer plans.Put(q)
	if err := q.set(t, p, nil); err != nil {
		return 0, err
	}
	if q.base >= never {
		return 0, nil
	}
	var n uint64
	// arrive takes a state on the way down: what can be told at once is.
	arrive := func(to *tally, level int, id uint32, parities uint16, ones uint8, prefixes uint64) {
		if id == empty {
			return
		}
		left := 6 + level
		certain := q.easy[left]
		if q.counted {
			least, most := int(ones)+q.minOnes[left], int(ones)+q.maxOnes[left]
			if most < q.least || least > q.most {
				return
			}
			certain = certain && least >= q.least && most <= q.most
		}
		switch {
		case certain:
			n += prefixes * t.count(below, level, id)
		case level == 0:
			word, _ := t.leaf(id)
			n += prefixes * uint64(bits.OnesCount64(word&q.leaf(parities, ones).asked))
		default:
			*to.at(uint64(id) | uint64(parities)<<32 | uint64(ones)<<48) += prefixes
		}
	}
	from, to := newTally(), newTally() // the ways to states
	arrive(to, t.height(), t.root, q.start, q.onesSoFar(q.ones), 1)
	looked := 0
	for k := t.height(); k > 0; k-- {
		from, to = to, from
		to.clear()
		for i, key := range from.states.Keys {
			if looked++; looked%(1<<14) == 0 && ctx.Err() != nil {
				return 0, context.Cause(ctx)
			}
			var children [2]uint32
			children[0], children[1], _ = t.children(k, uint32(key)) // below knows them all
			for v, id := range children {
				cost, ones, parities := q.step(5+k, uint64(v), uint16(key>>32))
				if cost < never {
					arrive(to, k-1, id, parities, q.onesSoFar(ones+uint8(key>>48)), from.counts[i])
				}
			}
		}
	}
	return n, nil
}

// A tally counts something for each of some states.
type tally struct {
	states *ordinals.Table[uint64]
	counts []uint64 // by number of a state
}

func newTally() *tally { return &tally{states: ordinals.New(ordinals.Hash)} }

func (t *tally) clear() {
	t.states.Reset()
	t.counts = t.counts[:0]
}

// at returns the count of a state, which is 0 at first.
func (t *tally) at(state uint64) *uint64 {
	n, fresh := t.states.Number(state, ordinals.Hash(state))
	if fresh {
		t.counts = append(t.counts, 0)
	}
	return &t.counts[n]
}
