package web

import (
	"context"
	"slices"
	"sync"

	"pagoda/bitset"
	"pagoda/internal/cli"
	"pagoda/statespace"
	"pagoda/statespace/peg"
)

// A keeper tells from which positions a target can still be reached. That takes an
// enumeration backwards from the target, in a set of all numbers; what it finds is kept
// for the targets that were last asked for.
type keeper struct {
	space   *peg.Space
	threads int
	budget  uint64        // bytes of what is kept, and of the set of the enumeration under way
	turn    chan struct{} // one enumeration at a time

	mu   sync.Mutex
	kept []*ways // asked for longest ago first
}

// ways is the positions from which a target can be reached.
type ways struct {
	target  peg.Position
	done    chan struct{} // closed when there is a source or an error
	cancel  context.CancelFunc
	waiting int // who would be glad of it; under the keeper's lock
	source
	err error
}

// A source is the positions that lead to a target, as the numbers of their complements:
// those that can be reached from the complement of the target. It is a set, or a list
// where that is much smaller.
type source struct {
	set  *bitset.Set
	free func()
	list []uint64 // sorted
}

func (s *source) bytes() uint64 {
	if s.set != nil {
		return 8 * uint64(len(s.set.Words()))
	}
	return 8 * uint64(len(s.list))
}

func (s *source) has(x uint64) bool {
	if s.set != nil {
		return s.set.Has(x)
	}
	_, ok := slices.BinarySearch(s.list, x)
	return ok
}

// newKeeper returns a keeper that takes up to so many bytes, or an error if that is too
// little for an enumeration.
func newKeeper(sp *peg.Space, threads int, memory cli.Memory) (*keeper, error) {
	if err := memory.Check(sp, statespace.Engines(sp)[0], 0); err != nil {
		return nil, err
	}
	const lists = 64 << 20
	budget := min(2*cli.StateBytes(sp)+lists, memory.Limit())
	return &keeper{space: sp, threads: threads, budget: budget, turn: make(chan struct{}, 1)}, nil
}

// ask calls look with a function that reports whether the target can be reached from a
// number of its class. When ctx ends, it gives up and returns the cause.
func (k *keeper) ask(ctx context.Context, target peg.Position, look func(reaches func(x statespace.Index) bool)) error {
	for {
		w := k.find(target)
		select {
		case <-w.done:
		case <-ctx.Done():
			k.leave(w)
			return context.Cause(ctx)
		}
		k.leave(w)
		if w.err != nil {
			return w.err
		}
		k.mu.Lock()
		if slices.Contains(k.kept, w) { // else it had to make room meanwhile
			last := k.space.Size() - 1
			look(func(x statespace.Index) bool { return w.has(last - x) })
			k.mu.Unlock()
			return nil
		}
		k.mu.Unlock()
	}
}

// find returns the ways to a target, which may be in the making. Who got them leaves them.
func (k *keeper) find(target peg.Position) *ways {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.kept, func(w *ways) bool { return w.target == target })
	if i >= 0 {
		w := k.kept[i]
		k.kept = append(slices.Delete(k.kept, i, i+1), w)
		w.waiting++
		return w
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &ways{target: target, done: make(chan struct{}), cancel: cancel, waiting: 1}
	k.kept = append(k.kept, w)
	go k.enumerate(ctx, w)
	return w
}

// leave says that somebody no longer waits. What nobody waits for is not made.
func (k *keeper) leave(w *ways) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if w.waiting--; w.waiting > 0 {
		return
	}
	select {
	case <-w.done:
	default:
		w.cancel()
		k.drop(w)
	}
}

// drop forgets ways. The caller holds the lock.
func (k *keeper) drop(w *ways) {
	k.kept = slices.DeleteFunc(k.kept, func(v *ways) bool { return v == w })
	if w.free != nil {
		w.free()
		w.source = source{}
	}
}

// enumerate makes ways.
func (k *keeper) enumerate(ctx context.Context, w *ways) {
	defer w.cancel()
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
	}
	s, err := k.search(ctx, w.target)
	k.mu.Lock()
	defer k.mu.Unlock()
	w.source, w.err = s, err
	if err != nil || ctx.Err() != nil {
		k.drop(w)
	}
	close(w.done)
}

// search finds the positions that lead to a target.
func (k *keeper) search(ctx context.Context, target peg.Position) (s source, err error) {
	if ctx.Err() != nil {
		return s, context.Cause(ctx)
	}
	k.makeRoom()
	set, free, err := cli.NewSet(ctx, k.space.Size(), k.threads)
	if err != nil {
		return s, err
	}
	sp, err := k.space.From(target) // of the target's class
	if err == nil {
		var e *peg.Endgame
		if e, err = sp.NewEndgame([]peg.Position{target}); err == nil {
			err = e.Enumerate(ctx, set, k.threads, nil)
		}
	}
	if err != nil {
		free()
		return s, err
	}
	s = source{set: set, free: free}
	if n := set.Count(); n <= uint64(len(set.Words()))/4 {
		s = source{list: make([]uint64, 0, n)}
		for x := range set.All() {
			s.list = append(s.list, x)
		}
		free()
	}
	return s, nil
}

// maxKept bounds the targets that are kept, however few positions lead to them.
const maxKept = 100

// makeRoom forgets what was asked for longest ago, so that a set more, and a list of it,
// are within the budget.
func (k *keeper) makeRoom() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for {
		used, kept := cli.StateBytes(k.space)*5/4, 0
		var oldest *ways
		for _, w := range k.kept {
			if n := w.bytes(); n > 0 { // it is made: the target leads to itself
				used, kept = used+n, kept+1
				if oldest == nil {
					oldest = w
				}
			}
		}
		if oldest == nil || used <= k.budget && kept < maxKept {
			return
		}
		k.drop(oldest)
	}
}
