package engine

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"
	"unsafe"

	"pagoda/internal/mapped"
	"pagoda/internal/memory"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// CountWays counts the sequences of jumps from the start to positions of the class. The error
// is statespace.ErrMemory if that takes more memory than is allowed. The answer is nil if there
// are too many blocks.
//
// First a stream makes all representatives. Then blocks are gone through again, in the same
// order: the members of a block have numbers one after another, and each has a count, the sum
// of those of the positions from which a jump leads to it. The counts of a block are given up
// when no later block reads them.
//
// If there is one position to reach and nothing else is asked for, only what leads to it is
// counted; see countTo.
func (e *Engine) CountWays(ctx context.Context, q statespace.WaysQuestion) (*statespace.Ways, error) {
	b := &budget{allowed: q.Memory}
	if len(q.To) == 1 && !q.Layers {
		return e.countTo(ctx, q, b)
	}
	reached, err := e.represent(ctx, e.symmetries(), q.Threads, b)
	if reached == nil || err != nil {
		return nil, err
	}
	defer reached.free()
	return count(ctx, reached, q, true, b)
}

// countTo counts the sequences from the start to one position, by what lies between.
//
// A jump seen backwards, with pegs and holes exchanged, is the same jump; see peg.Endgame. So the
// sequences are those from the complement of the position to the complement of the start, and
// what lies between is what the complement reaches and whose complements the start reaches.
func (e *Engine) countTo(ctx context.Context, q statespace.WaysQuestion, b *budget) (*statespace.Ways, error) {
	back, err := e.opposite(q.To[0])
	if err != nil {
		return nil, err
	}
	between, err := back.represent(ctx, back.symmetries(), q.Threads, b)
	if between == nil || err != nil {
		return nil, err
	}
	defer between.free()
	if done, err := between.keep(ctx, e, e.symmetries(), q.Threads, b); !done || err != nil {
		return nil, err
	}
	q.To = []statespace.Index{1<<e.class.Dim() - 1 - e.root}
	return count(ctx, between, q, false, b)
}

// count counts the paths to the members of a set.
func count(ctx context.Context, r *representativeSet, q statespace.WaysQuestion, whole bool, b *budget) (*statespace.Ways, error) {
	w := newWays(r, q, []uint64{1}, whole, b)
	if err := b.take(uint64(len(w.kept)) * uint64(unsafe.Sizeof(blockCounts{}))); err != nil {
		return nil, err
	}
	_, err := statespace.DoFrom(ctx, w, 0, w.between, q.Threads, q.Progress)
	if fault := w.fault.Load(); fault != nil {
		err = *fault
	}
	if err != nil {
		return nil, err
	}
	return w.answer(), nil
}

// Between adds to an empty set the positions that the start reaches and that lead to a position, one
// for each orbit of some symmetries that keep both. It returns false if there are too many blocks.
func (e *Engine) Between(ctx context.Context, symmetries []*board.Symmetry, to uint64, set []uint64, threads int) (bool, error) {
	b := &budget{allowed: ^uint64(0)}
	r, err := e.represent(ctx, symmetries, threads, b)
	if r == nil || err != nil {
		return false, err
	}
	defer r.free()
	back, err := e.opposite(to)
	if err != nil {
		return false, err
	}
	if done, err := r.keep(ctx, back, back.symmetries(), threads, b); !done || err != nil {
		return false, err
	}
	for place, block := range r.order {
		words := r.blocks.of(set, uint64(block))
		for i, w := range r.of(r.set, uint64(place)) {
			for _, s := range symmetries {
				if w == 0 {
					break
				}
				w &= s.Least(uint64(block)*uint64(len(words)) + uint64(i))
			}
			if w != 0 {
				words[i] = w
			}
		}
	}
	return true, nil
}

// opposite returns the engine that starts in the complement of a position. Its symmetries keep the
// start of this one.
func (e *Engine) opposite(x uint64) (*Engine, error) {
	start := e.class.Board().Full() ^ e.class.Position(x)
	class, err := board.NewClass(e.class.Board(), start, e.class.Free())
	if err != nil {
		return nil, err
	}
	back := New(class, e.layout, start, func() []*board.Symmetry {
		return slices.DeleteFunc(class.Symmetries(start), func(s *board.Symmetry) bool { return s.Cells.Image(e.start) != e.start })
	})
	back.kernel = e.kernel
	return back, nil
}

// A budget bounds memory.
type budget struct {
	allowed uint64
	used    atomic.Uint64
}

// take takes some bytes. The error is statespace.ErrMemory if they are too many.
func (b *budget) take(bytes uint64) error {
	if used := b.used.Add(bytes); used > b.allowed {
		return fmt.Errorf("%w: counting paths takes %s and more; the limit is %s", statespace.ErrMemory, memory.EnoughBytes(used), memory.EnoughBytes(b.allowed))
	}
	return nil
}

// A representativeSet is the set of what a start reaches: its representatives, one after the other in
// their order.
type representativeSet struct {
	*folding
	set  []uint64
	root uint64
	free func()
}

// represent makes the representatives under those of some symmetries that keep the layout. It returns
// nil if there are too many blocks.
func (e *Engine) represent(ctx context.Context, symmetries []*board.Symmetry, threads int, b *budget) (*representativeSet, error) {
	symmetries = slices.DeleteFunc(slices.Clone(symmetries), func(s *board.Symmetry) bool { return !e.layout.Keeps(s.Cells) })
	if !isGroup(symmetries, e.class.Dim()) {
		symmetries = nil
	}
	if e.class.Dim()-e.layout.BlockBits+bits.Len(uint(len(symmetries))) > 32 {
		return nil, nil // see schedule.places
	}
	if err := b.take(e.Memory()); err != nil {
		return nil, err
	}
	f := newFolding(e.class, e.layout, symmetries)
	f.schedule = newSchedule(f.blocks, e.layout, []uint64{e.root}, true, f.folds)
	words := uint64(len(f.order)) * uint64(f.words)
	if err := b.take(8 * words); err != nil {
		return nil, err
	}
	memory, err := mapped.Alloc(ctx, words, threads)
	if err != nil {
		return nil, err
	}
	r := &representativeSet{f, memory.Words(), e.root, func() { memory.Free() }}
	if err := statespace.Do(ctx, newStream(f, e.kernel, e.root, r.set), threads, nil); err != nil {
		r.free()
		return nil, err
	}
	return r, nil
}

// isGroup reports whether symmetries of numbers of this many bits are a group, together with the
// identity. Those that keep a layout may be none: of several permutations of the cells that map all
// numbers alike, a class knows one.
func isGroup(symmetries []*board.Symmetry, bits int) bool {
	same := func(f, g func(x uint64) uint64) bool {
		for i := range bits {
			if f(1<<i) != g(1<<i) {
				return false
			}
		}
		return f(0) == g(0)
	}
	for _, s := range symmetries {
		for _, t := range symmetries {
			product := func(x uint64) uint64 { return s.Map(t.Map(x)) }
			known := func(u *board.Symmetry) bool { return same(product, u.Map) }
			if !same(product, func(x uint64) uint64 { return x }) && !slices.ContainsFunc(symmetries, known) {
				return false
			}
		}
	}
	return true
}

// words returns the words of a block, and nil if it has no members. Scratch is memory for a block.
func (r *representativeSet) words(block uint32, scratch []uint64) []uint64 {
	entry := r.places[block]
	if entry == 0 {
		return nil
	}
	words := r.of(r.set, uint64(entry>>r.viaBits-1))
	if via := entry & (1<<r.viaBits - 1); via != 0 {
		sweep.GatherBlock(scratch, r.folds[via-1].Affine, uint64(block), words)
		return scratch
	}
	return words
}

// keep removes what is not the complement of a position that another engine reaches. It returns false
// if that has too many blocks.
func (r *representativeSet) keep(ctx context.Context, e *Engine, symmetries []*board.Symmetry, threads int, b *budget) (bool, error) {
	before := b.used.Load()
	from, err := e.represent(ctx, symmetries, threads, b)
	if from == nil || err != nil {
		return false, err
	}
	defer func() {
		from.free()
		b.used.Store(before)
	}()
	scratch := make([]uint64, r.blocks.words)
	for place, block := range r.order {
		if place%1024 == 0 && ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		words := r.of(r.set, uint64(place))
		if !slices.ContainsFunc(words, func(w uint64) bool { return w != 0 }) {
			continue
		}
		// The complement of a position has the complement of its number.
		opposite := from.words(uint32(r.count()-1)-block, scratch)
		if opposite == nil {
			clear(words)
			continue
		}
		for i := range words {
			words[i] &= bits.Reverse64(opposite[len(words)-1-i])
		}
	}
	return true, nil
}
