package bfs

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// ProofBytes returns about how many bytes SearchProof takes besides the marks and distances.
func ProofBytes(sp statespace.Space) uint64 {
	return 8*bitset.Words(sp.Size()) + 1<<20 + ProofOf(sp).Memory
}

// ProofOf returns the Proof of a space. Without expanders of its own, it makes moves by Successors.
func ProofOf(sp statespace.Space) (proof statespace.Proof) {
	if of := sp.Parts().Proof; of != nil {
		proof = of()
	}
	if proof.NewExpander == nil {
		proof.NewExpander = Plain(sp).NewExpander
	}
	return proof
}

// SearchProof finds all states that the roots reach, level by level, by the moves of the Proof of a space. It enters
// their marks, which must be 0. If whole is set or FindsWhole, it also returns whole distances, which must be freed. It
// shares nothing with Search, and proves files. Progress counts the states; it may be nil. When ctx ends, SearchProof stops
// soon and returns the cause.
func SearchProof(ctx context.Context, sp statespace.Space, marks *bitset.Planes, whole bool, threads int, progress *statespace.Progress) (r *Result, depths *Depths, err error) {
	return searchAgain(ctx, sp, ProofOf(sp), marks, whole, threads, progress)
}

// SearchPlain is SearchProof one state at a time, by Successors. Tests compare Search with it.
func SearchPlain(ctx context.Context, sp statespace.Space, marks *bitset.Planes, threads int, progress *statespace.Progress) (r *Result, depths *Depths, err error) {
	return searchAgain(ctx, sp, statespace.Proof{NewExpander: Plain(sp).NewExpander}, marks, false, threads, progress)
}

func searchAgain(ctx context.Context, sp statespace.Space, proof statespace.Proof, marks *bitset.Planes, whole bool, threads int, progress *statespace.Progress) (r *Result, depths *Depths, err error) {
	if marks.Len() != sp.Size() || marks.Width() != MarkBits {
		return nil, nil, fmt.Errorf("%s needs marks of %d numbers with %d bits, found %d with %d bits", sp.Name(), sp.Size(), MarkBits, marks.Len(), marks.Width())
	}
	progress.Start(int64(min(sp.Size(), 1<<62)))
	p := proofSearch{ctx: ctx, goals: sp.Parts().Goals, marks: marks.Words(), threads: max(1, threads), progress: progress}
	defer p.memory.Free()
	if whole || FindsWhole(sp) {
		p.depths = &Depths{n: sp.Size()}
	}
	err = mapped.Guard(func() (err error) {
		if p.depths != nil || proof.NewLeveler == nil {
			p.expanded, err = p.memory.Words(ctx, bitset.Words(sp.Size()), p.threads)
		}
		if err != nil {
			return err
		}
		if proof.NewLeveler != nil {
			return p.levels(sp, proof.NewLeveler(p.marks, p.threads))
		}
		return p.states(sp, proof)
	})
	if err != nil {
		p.depths.Free()
		return nil, nil, err
	}
	return &p.Result, p.depths, nil
}

// A proofSearch is a SearchProof under way.
type proofSearch struct {
	Result
	ctx      context.Context
	goals    statespace.Goals
	marks    []uint64
	depths   *Depths // or nil
	threads  int
	progress *statespace.Progress
	memory   mapped.Arena

	expanded []uint64    // a bit for each number whose moves are made; of a Leveler, whose distance is entered
	dirty    [2][]uint64 // by parity of the level: a bit for each block of numbers in which it may have states
}

// found adds the states of a level, and its goals unless a level before has some. It reports whether the search ends.
func (r *proofSearch) found(states uint64, goals []uint64) bool {
	if r.Layers = append(r.Layers, states); len(r.Goals) == 0 && len(goals) > 0 {
		slices.Sort(goals)
		r.Goals, r.Length = slices.Compact(goals), len(r.Layers)-1
	}
	r.progress.Add(int64(states))
	return r.goals.Ends && len(r.Goals) > 0
}

// levels searches by a Leveler.
func (r *proofSearch) levels(sp statespace.Space, l statespace.Leveler) (err error) {
	states := uint64(0)
	for x := range statespace.EachRoot(sp) {
		l.Start(x)
		states++
	}
	for level := 0; states > 0; level++ {
		if err := r.deepen(level); err != nil {
			return err
		}
		var goals []uint64
		if r.goals.Any() && len(r.Goals) == 0 {
			goals = l.Goals(level)
		}
		if r.found(states, goals) {
			return nil
		}
		if states, err = l.Step(r.ctx, level); err != nil {
			return err
		}
	}
	r.Whole = true
	return nil
}

// deepen enters the distances of the level that a Leveler has made.
func (r *proofSearch) deepen(level int) error {
	if r.depths == nil {
		return nil
	}
	if err := r.depths.grow(r.ctx, level, r.threads); err != nil {
		return err
	}
	return mapped.Parts(r.ctx, r.threads, uint64(len(r.expanded)), 1<<12, func(first, end uint64) error {
		for i := first; i < end; i++ {
			if word := WithMark(r.marks[2*i], r.marks[2*i+1], Mark(level)) &^ r.expanded[i]; word != 0 {
				r.expanded[i] |= word
				r.depths.set(int(i), word, level)
			}
		}
		return nil
	})
}

// A proofWorker makes moves on one thread.
type proofWorker struct {
	statespace.Expander
	numbers, goals []uint64
	count          uint64
}

// states searches by Expanders.
func (r *proofSearch) states(sp statespace.Space, proof statespace.Proof) (err error) {
	words := uint64(len(r.expanded))
	for i := range r.dirty {
		r.dirty[i] = make([]uint64, (words+64*64-1)/(64*64))
	}
	workers := make([]*proofWorker, r.threads)
	for i := range workers {
		workers[i] = &proofWorker{Expander: proof.NewExpander()}
	}
	for x := range statespace.EachRoot(sp) {
		r.claim(x, 0)
	}
	for level := 0; ; level++ {
		dirty, look := r.dirty[level%2], r.goals.Any() && len(r.Goals) == 0
		if r.depths != nil && slices.ContainsFunc(dirty, func(w uint64) bool { return w != 0 }) {
			if err := r.depths.grow(r.ctx, level, r.threads); err != nil {
				return err
			}
		}
		if err := mapped.EachWith(r.ctx, workers, uint64(len(dirty)), func(w *proofWorker, i uint64) error {
			for ; dirty[i] != 0; dirty[i] &= dirty[i] - 1 {
				if r.ctx.Err() != nil {
					return context.Cause(r.ctx)
				}
				first := (i*64 + uint64(bits.TrailingZeros64(dirty[i]))) * 64
				for k := first; k < min(first+64, words); k++ {
					r.expand(w, level, k, look)
				}
			}
			return nil
		}); err != nil {
			return err
		}
		var goals []uint64
		states := uint64(0)
		for _, w := range workers {
			goals, states = append(goals, w.goals...), states+w.count
			w.goals, w.count = w.goals[:0], 0
		}
		if states == 0 {
			r.Whole = true
			return nil
		}
		if r.found(states, goals) {
			for i, word := range r.expanded { // the marks of the next level are not wanted
				r.marks[2*i] &= word
				r.marks[2*i+1] &= word
			}
			return nil
		}
	}
}

// expand makes the moves of the states of a level among 64 numbers. Other threads enter marks of the next level meanwhile.
func (r *proofSearch) expand(w *proofWorker, level int, i uint64, look bool) {
	high := atomic.LoadUint64(&r.marks[2*i+1]) // first: see claim
	word := WithMark(atomic.LoadUint64(&r.marks[2*i]), high, Mark(level)) &^ r.expanded[i]
	if word == 0 {
		return
	}
	r.expanded[i] |= word
	w.count += ones(word)
	if r.depths != nil {
		r.depths.set(int(i), word, level)
	}
	var goals *[]uint64
	if look {
		goals = &w.goals
	}
	w.numbers = w.Expand(w.numbers[:0], i*64, word, goals)
	n := 0
	for _, x := range w.numbers { // most have marks: without a branch, the waits for memory overlap
		m := r.marks[x/64*2:][:2]
		w.numbers[n] = x
		n += int(^(atomic.LoadUint64(&m[0]) | atomic.LoadUint64(&m[1])) >> (x % 64) & 1)
	}
	for _, x := range w.numbers[:n] {
		r.claim(x, level+1)
	}
}

// claim adds a state to a level unless it has a mark. For mark 3 it sets the low bit first: the high one alone is the mark of
// the level before.
func (r *proofSearch) claim(x uint64, level int) {
	i, bit := x/64, uint64(1)<<(x%64)
	m := r.marks[2*i:][:2]
	if (atomic.LoadUint64(&m[0])|atomic.LoadUint64(&m[1]))&bit != 0 {
		return
	}
	for plane := range 2 {
		if Mark(level)>>plane&1 != 0 {
			atomic.OrUint64(&m[plane], bit)
		}
	}
	some, one := &r.dirty[level%2][i/(64*64)], uint64(1)<<(i/64%64)
	if atomic.LoadUint64(some)&one == 0 {
		atomic.OrUint64(some, one)
	}
}
