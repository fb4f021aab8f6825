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
	if proof := ProofOf(sp); proof.NewLeveler != nil {
		return proof.Memory
	}
	return 16*bitset.Words(sp.Size()) + 1<<20
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
// their marks, which must be 0. If FindsWhole, it also returns whole distances, which must be freed. It shares nothing
// with Search, and proves files. Progress counts the states; it may be nil. When ctx ends, SearchProof stops soon and
// returns the cause.
func SearchProof(ctx context.Context, sp statespace.Space, marks *bitset.Planes, threads int, progress *statespace.Progress) (r *Result, depths *Depths, err error) {
	return searchAgain(ctx, sp, ProofOf(sp), marks, threads, progress)
}

// SearchPlain is SearchProof one state at a time, by Successors. Tests compare Search with it.
func SearchPlain(ctx context.Context, sp statespace.Space, marks *bitset.Planes, threads int, progress *statespace.Progress) (r *Result, depths *Depths, err error) {
	return searchAgain(ctx, sp, statespace.Proof{NewExpander: Plain(sp).NewExpander}, marks, threads, progress)
}

func searchAgain(ctx context.Context, sp statespace.Space, proof statespace.Proof, marks *bitset.Planes, threads int, progress *statespace.Progress) (r *Result, depths *Depths, err error) {
	if marks.Len() != sp.Size() || marks.Width() != MarkBits {
		return nil, nil, fmt.Errorf("%s needs marks of %d numbers with %d bits, found %d with %d bits", sp.Name(), sp.Size(), MarkBits, marks.Len(), marks.Width())
	}
	progress.Start(int64(min(sp.Size(), 1<<62)))
	p := proofSearch{ctx: ctx, goals: sp.Parts().Goals, marks: marks.Words(), threads: max(1, threads), progress: progress}
	defer p.memory.Free()
	if FindsWhole(sp) {
		p.depths, proof.NewLeveler = &Depths{n: sp.Size()}, nil
	}
	err = mapped.Guard(func() error {
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

	now, next *proofLevel
}

// A proofLevel has a bit for each number, and one for each 64 of these words in which there may be some.
type proofLevel struct{ words, some []uint64 }

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

// A proofWorker makes moves on one thread.
type proofWorker struct {
	statespace.Expander
	numbers, goals []uint64
	count          uint64
}

// states searches by Expanders.
func (r *proofSearch) states(sp statespace.Space, proof statespace.Proof) error {
	words := bitset.Words(sp.Size())
	for _, l := range []**proofLevel{&r.now, &r.next} {
		bits, err := r.memory.Words(r.ctx, words, r.threads)
		if err != nil {
			return err
		}
		*l = &proofLevel{bits, make([]uint64, (words+64*64-1)/(64*64))}
	}
	workers := make([]*proofWorker, r.threads)
	for i := range workers {
		workers[i] = &proofWorker{Expander: proof.NewExpander()}
	}
	for x := range statespace.EachRoot(sp) {
		r.claim(x)
	}
	for level := 0; ; level++ {
		r.now, r.next = r.next, r.now
		if r.depths != nil {
			if err := r.depths.grow(r.ctx, level, r.threads); err != nil {
				return err
			}
		}
		if err := r.each(workers, func(w *proofWorker, i int, word uint64) { r.enter(w, level, i, word) }); err != nil {
			return err
		}
		states := uint64(0)
		for _, w := range workers {
			states, w.count, w.goals = states+w.count, 0, w.goals[:0]
		}
		if states == 0 {
			r.Whole = true
			return nil
		}
		look := r.goals.Any() && len(r.Goals) == 0
		if err := r.each(workers, func(w *proofWorker, i int, word uint64) { r.expand(w, look, i, word) }); err != nil {
			return err
		}
		clear(r.now.some)
		var goals []uint64
		for _, w := range workers {
			goals = append(goals, w.goals...)
		}
		if r.found(states, goals) {
			return nil
		}
	}
}

// each calls do with the words of the level that have states.
func (r *proofSearch) each(workers []*proofWorker, do func(w *proofWorker, i int, word uint64)) error {
	return mapped.EachWith(r.ctx, workers, uint64(len(r.now.some)), func(w *proofWorker, k uint64) error {
		for some := r.now.some[k]; some != 0; some &= some - 1 {
			if r.ctx.Err() != nil {
				return context.Cause(r.ctx)
			}
			first := (int(k)*64 + bits.TrailingZeros64(some)) * 64
			for i := first; i < min(first+64, len(r.now.words)); i++ {
				if word := r.now.words[i]; word != 0 {
					do(w, i, word)
				}
			}
		}
		return nil
	})
}

// enter marks the states of a word, and counts them.
func (r *proofSearch) enter(w *proofWorker, level, i int, word uint64) {
	w.count += ones(word)
	for plane := range 2 {
		r.marks[2*i+plane] |= word & -uint64(Mark(level)>>plane&1)
	}
	if r.depths != nil {
		r.depths.set(i, word, level)
	}
}

// expand makes the moves of the states of a word, and takes the word from the level.
func (r *proofSearch) expand(w *proofWorker, look bool, i int, word uint64) {
	var goals *[]uint64
	if look {
		goals = &w.goals
	}
	w.numbers = w.Expand(w.numbers[:0], uint64(i)*64, word, goals)
	for _, x := range w.numbers {
		r.claim(x)
	}
	r.now.words[i] = 0
}

// claim adds a state to the next level unless it has a mark.
func (r *proofSearch) claim(x uint64) {
	i, bit := x/64, uint64(1)<<(x%64)
	if (r.marks[2*i]|r.marks[2*i+1])&bit != 0 || atomic.LoadUint64(&r.next.words[i])&bit != 0 {
		return
	}
	atomic.OrUint64(&r.next.words[i], bit)
	some, one := &r.next.some[i/(64*64)], uint64(1)<<(i/64%64)
	if atomic.LoadUint64(some)&one == 0 {
		atomic.OrUint64(some, one)
	}
}
