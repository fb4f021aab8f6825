package bfs

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// SearchPlain finds all states that the roots reach, level by level, one state at a time, by
// Successors, or in the way that the graph of the space has: see statespace.Graph.Plain. It enters their marks, which must be 0. If FindsWhole, it also returns whole
// distances, which must be freed. SearchPlain is simple on purpose: tests compare
// Search with it, and it proves files. Progress counts the states; it may be nil. When ctx
// ends, SearchPlain stops soon and returns the cause.
func SearchPlain(ctx context.Context, sp statespace.Space, marks *bitset.Planes, threads int, progress *statespace.Progress) (r *Result, depths *Depths, err error) {
	if marks.Len() != sp.Size() || marks.Width() != MarkBits {
		return nil, nil, fmt.Errorf("%s needs marks of %d numbers with %d bits, found %d with %d bits", sp.Name(), sp.Size(), MarkBits, marks.Len(), marks.Width())
	}
	progress.Start(int64(min(sp.Size(), 1<<62)))
	threads = max(1, threads)
	if FindsWhole(sp) {
		depths = &Depths{n: sp.Size()}
	}
	r = new(Result)
	if plain := PlainOf(sp); plain != nil {
		r.Whole = true
		return r, nil, plain(ctx, marks.Words(), threads, func(states uint64) {
			r.Layers = append(r.Layers, states)
			progress.Add(int64(states))
		})
	}
	if err := r.searchPlain(ctx, sp, marks, depths, threads, progress); err != nil {
		depths.Free()
		return nil, nil, err
	}
	return r, depths, nil
}

// PlainOf returns the Plain of the graph of a space, if the marks are all that SearchPlain finds; else nil.
func PlainOf(sp statespace.Space) func(ctx context.Context, marks []uint64, threads int, found func(states uint64)) error {
	if FindsWhole(sp) || sp.Parts().Goals.Any() {
		return nil
	}
	return Of(sp).Plain
}

func (r *Result) searchPlain(ctx context.Context, sp statespace.Space, marks *bitset.Planes, depths *Depths, threads int, progress *statespace.Progress) error {
	var frontier []uint64
	goals := sp.Parts().Goals
	for _, x := range sp.Roots() {
		if Claim(marks.Words(), x, Mark(0)) {
			frontier = append(frontier, x)
		}
	}
	for level := 0; len(frontier) > 0; level++ {
		r.Layers = append(r.Layers, uint64(len(frontier)))
		if depths != nil {
			if err := depths.grow(ctx, level, threads); err != nil {
				return err
			}
			for _, x := range frontier {
				depths.set(int(x/64), 1<<(x%64), level)
			}
		}
		progress.Add(int64(len(frontier)))
		if len(r.Goals) == 0 && goals.Any() {
			for _, x := range frontier {
				if goals.Is(x) {
					r.Goals, r.Length = append(r.Goals, x), level
				}
			}
			slices.Sort(r.Goals)
		}
		if goals.Ends && len(r.Goals) > 0 {
			return nil
		}
		parts := slices.Collect(slices.Chunk(frontier, max(1024, len(frontier)/(8*threads))))
		next := make([][]uint64, len(parts))
		if err := mapped.Each(ctx, threads, uint64(len(parts)), func(i uint64) error {
			var edges []statespace.Edge
			for k, x := range parts[i] {
				if k%1024 == 0 && ctx.Err() != nil {
					return context.Cause(ctx)
				}
				edges = sp.Successors(edges[:0], x)
				for _, e := range edges {
					if Claim(marks.Words(), e.To, Mark(level+1)) {
						next[i] = append(next[i], e.To)
					}
				}
			}
			return nil
		}); err != nil {
			return err
		}
		frontier = slices.Concat(next...)
	}
	r.Whole = true
	return nil
}

// Claim enters the mark of a state that has none. It reports whether this call did so, and not
// another thread before.
func Claim(words []uint64, x uint64, mark uint8) bool {
	bit := uint64(1) << (x % 64)
	low, high := &words[x/64*2], &words[x/64*2+1]
	if (atomic.LoadUint64(low)|atomic.LoadUint64(high))&bit != 0 {
		return false
	}
	first, second := low, high
	if mark == 2 {
		first, second = high, low
	}
	if atomic.OrUint64(first, bit)&bit != 0 {
		return false
	}
	if mark == 3 {
		atomic.OrUint64(second, bit)
	}
	return true
}
