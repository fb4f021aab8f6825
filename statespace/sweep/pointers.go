package sweep

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// FillPointers fills the pointers of all members of a set, which is what the roots reach. The pointers
// are 0 before. Each becomes the least one to a move from a member that is nearer to the roots.
func FillPointers(ctx context.Context, p *statespace.Pointers, sp statespace.Space, set *bitset.Set, pointers *bitset.Planes, threads int, progress *statespace.Progress) error {
	if pointers.Len() != set.Len() || pointers.Width() != p.Bits {
		return fmt.Errorf("a set of %d numbers needs as many pointers of %d bits, found %d of %d bits", set.Len(), p.Bits, pointers.Len(), pointers.Width())
	}
	if p.Point == nil {
		return FillPointersPlain(ctx, p, sp, set, pointers, threads)
	}
	return statespace.Do(ctx, p.Point(set, pointers), threads, progress)
}

// FollowPointers follows pointers back from a state to a root. The path has at most most moves. The
// error is statespace.ErrNoPath if the pointers do not lead to a root.
func FollowPointers(p *statespace.Pointers, sp statespace.Space, pointer func(x statespace.Index) (uint16, error), to statespace.Index, most uint64) (path statespace.Path, err error) {
	err = mapped.Guard(func() error {
		for x := to; ; {
			v, err := pointer(x)
			if err != nil {
				return err
			}
			if v == 1 && slices.Contains(sp.Roots(), x) {
				path.From = x
				slices.Reverse(path.Steps)
				return nil
			}
			e, ok := p.Follow(x, v)
			if v < 2 || !ok || uint64(len(path.Steps)) >= most {
				return fmt.Errorf("%s: %w", sp.Format(x), statespace.ErrNoPath)
			}
			path.Steps = append(path.Steps, statespace.Step{Move: e.Move, State: x})
			x = e.To
		}
	})
	return path, err
}

// CheckPointers looks for a member whose pointer is not good, in a set of what the roots reach. It
// returns one of them, if there is one. When ctx ends, CheckPointers stops soon and returns the cause.
func CheckPointers(ctx context.Context, p *statespace.Pointers, sp statespace.Space, set *bitset.Set, pointers *bitset.Planes, threads int) (x statespace.Index, wrong bool, err error) {
	nearer, free, err := findNearer(ctx, sp, threads)
	if err != nil {
		return 0, false, err
	}
	defer free()
	var found atomic.Pointer[statespace.Index]
	err = eachMember(ctx, set, threads, func() func(x statespace.Index) {
		return func(x statespace.Index) {
			if found.Load() == nil && !GoodPointer(p, sp, set, nearer, x, pointers.Get(x)) {
				bad := x // x itself would be on the heap for each member
				found.Store(&bad)
			}
		}
	})
	if x := found.Load(); x != nil {
		return *x, true, err
	}
	return 0, false, err
}

// GoodPointer reports whether the pointer of a member leads to a member that is nearer to the roots. If
// the pointer is 1, the member must be a root.
func GoodPointer(p *statespace.Pointers, sp statespace.Space, set *bitset.Set, nearer Nearer, x statespace.Index, pointer uint16) bool {
	if pointer == 1 {
		return slices.Contains(sp.Roots(), x)
	}
	e, ok := p.Follow(x, pointer)
	return ok && set.Has(e.To) && nearer(e.To, x)
}

// Nearer reports whether a state y is nearer to the roots than x. A move leads from y to x.
type Nearer func(y, x statespace.Index) bool

// findNearer returns a Nearer. In a layered space, every move leads away from the roots. In
// another one, it takes a search, and free gives its memory back.
func findNearer(ctx context.Context, sp statespace.Space, threads int) (nearer Nearer, free func(), err error) {
	parts := sp.Parts()
	if parts.Layers != nil {
		return func(statespace.Index, statespace.Index) bool { return true }, func() {}, nil
	}
	s, err := bfs.New(ctx, bfs.Of(sp), bfs.Options{ToGoal: parts.Goals.Ends, Threads: threads})
	if err == nil {
		err = s.Run(ctx, nil, nil)
	}
	if err != nil {
		if s != nil {
			s.Close()
		}
		return nil, nil, err
	}
	return s.Distances().Before, s.Close, nil
}

// PointersOf returns the pointers of a space. If it has none of its own, pointer k+2 means the
// k-th of the Predecessors, from 0, with enough bits for all members of a set.
func PointersOf(ctx context.Context, sp statespace.Space, set *bitset.Set, threads int) (*statespace.Pointers, error) {
	if p := Of(sp).Pointers; p != nil {
		return p, nil
	}
	var most atomic.Int64
	err := eachMember(ctx, set, threads, func() func(x statespace.Index) {
		var edges []statespace.Edge
		return func(x statespace.Index) {
			edges = sp.Predecessors(edges[:0], x)
			for n := int64(len(edges)); ; {
				if old := most.Load(); n <= old || most.CompareAndSwap(old, n) {
					return
				}
			}
		}
	})
	return PlainPointers(sp, bits.Len64(uint64(most.Load())+1)), err
}

// PlainPointers returns the pointers of a space that has none of its own, with the given number
// of bits: see PointersOf.
func PlainPointers(sp statespace.Space, width int) *statespace.Pointers {
	return &statespace.Pointers{Bits: width, Follow: func(x statespace.Index, pointer uint16) (statespace.Edge, bool) {
		edges := sp.Predecessors(nil, x)
		k := int(pointer) - 2
		if k < 0 || k >= len(edges) {
			return statespace.Edge{}, false
		}
		return edges[k], true
	}}
}

// FillPointersPlain is FillPointers one member at a time, by Follow.
func FillPointersPlain(ctx context.Context, p *statespace.Pointers, sp statespace.Space, set *bitset.Set, pointers *bitset.Planes, threads int) error {
	nearer, free, err := findNearer(ctx, sp, threads)
	if err != nil {
		return err
	}
	defer free()
	return eachMember(ctx, set, threads, func() func(x statespace.Index) {
		return func(x statespace.Index) {
			for v := uint16(1); v < 1<<p.Bits; v++ {
				if GoodPointer(p, sp, set, nearer, x, v) {
					pointers.SetAll(x/64, 1<<(x%64), v)
					return
				}
			}
		}
	})
}

// eachMember calls a function for each member of a set, on several threads. NewDo returns one for a part of
// the words of the set, which no other one gets.
func eachMember(ctx context.Context, set *bitset.Set, threads int, newDo func() func(x statespace.Index)) error {
	words := set.Words()
	return mapped.Parts(ctx, threads, uint64(len(words)), 1<<12, func(first, end uint64) error {
		do := newDo()
		for i := first; i < end; i++ {
			for word := words[i]; word != 0; word &= word - 1 {
				do(i*64 + uint64(bits.TrailingZeros64(word)))
			}
		}
		return nil
	})
}
