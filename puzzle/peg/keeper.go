package peg

import (
	"context"
	"slices"
	"sync"

	"pagoda/ask"
	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/puzzle"
	"pagoda/puzzle/peg/board"
	"pagoda/run"
	"pagoda/statespace"
)

// A keeper knows from which positions a target can still be reached. That takes an
// enumeration backwards from the target, in a set of all numbers. It keeps what it finds for
// the targets that were last asked for.
type keeper struct {
	space   *Space
	options run.Options
	work    uint64        // bytes that an enumeration takes
	room    uint64        // bytes that a list may have
	budget  uint64        // bytes of what is kept, of the enumeration under way, and of its list
	turn    chan struct{} // one enumeration at a time

	mu   sync.Mutex
	kept []*leading // asked for longest ago first
}

// leading is the positions from which a target can be reached.
type leading struct {
	target  board.Position
	done    chan struct{} // closed when there is a source or an error
	cancel  context.CancelFunc
	waiting int // who would be glad of it; under the keeper's lock
	source
	err error
}

// A source is the positions that lead to a target, as the numbers of their complements:
// those that can be reached from the complement of the target. It is a set, or a list
// where that is much smaller. Both are outside the garbage-collected heap, so that what is
// forgotten takes no memory.
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

// newKeeper returns a keeper, or an error if there is too little memory for an enumeration.
func newKeeper(sp *Space, o run.Options) (*keeper, error) {
	set := setBytes(sp)
	if err := ask.CheckSet(sp, puzzle.ServerMemory, o); err != nil {
		return nil, err
	}
	const lists = 64 << 20
	work := ask.SetNeed(sp)
	budget := min(set+work+lists, run.MemoryLimit(o.Memory)-puzzle.ServerMemory)
	return &keeper{space: sp, options: o, work: work, room: min(set/4, budget-work), budget: budget, turn: make(chan struct{}, 1)}, nil
}

// setBytes returns the bytes of a set of all numbers.
func setBytes(sp *Space) uint64 { return 8 * bitset.Words(sp.Size()) }

// ask calls look with a function that reports whether the target can be reached from a
// number of its class. When ctx ends, it gives up and returns the cause.
func (k *keeper) ask(ctx context.Context, target board.Position, look func(reaches func(x statespace.Index) bool)) error {
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

// find returns what leads to a target; it may still be in the making. Every find is followed
// by a leave.
func (k *keeper) find(target board.Position) *leading {
	k.mu.Lock()
	defer k.mu.Unlock()
	i := slices.IndexFunc(k.kept, func(w *leading) bool { return w.target == target })
	if i >= 0 {
		w := k.kept[i]
		k.kept = append(slices.Delete(k.kept, i, i+1), w)
		w.waiting++
		return w
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &leading{target: target, done: make(chan struct{}), cancel: cancel, waiting: 1}
	k.kept = append(k.kept, w)
	go k.enumerate(ctx, w)
	return w
}

// leave says that somebody no longer waits. What nobody waits for is not made.
func (k *keeper) leave(w *leading) {
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

// drop forgets what leads to a target. The caller holds the lock.
func (k *keeper) drop(w *leading) {
	k.kept = slices.DeleteFunc(k.kept, func(v *leading) bool { return v == w })
	if w.free != nil {
		w.free()
		w.source = source{}
	}
}

// enumerate finds what leads to a target.
func (k *keeper) enumerate(ctx context.Context, w *leading) {
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
func (k *keeper) search(ctx context.Context, target board.Position) (s source, err error) {
	if ctx.Err() != nil {
		return s, context.Cause(ctx)
	}
	k.makeRoom()
	set, free, err := ask.NewSet(ctx, k.space, puzzle.ServerMemory, k.options)
	if err != nil {
		return s, err
	}
	sp, err := k.space.From(target) // of the target's class
	if err == nil {
		var e *Endgame
		if e, err = sp.NewEndgame([]board.Position{target}); err == nil {
			err = e.Enumerate(ctx, set, k.options.Threads, nil)
		}
	}
	if err != nil {
		free()
		return s, err
	}
	n := set.Count()
	if 8*n > k.room {
		return source{set: set, free: free}, nil
	}
	defer free()
	memory, err := mapped.Alloc(ctx, n, 1)
	if err != nil {
		return s, err
	}
	s = source{list: memory.Words()[:0], free: func() { memory.Free() }}
	for x := range set.All() {
		s.list = append(s.list, x)
	}
	return s, nil
}

// maxKept bounds the targets that are kept, however few positions lead to them.
const maxKept = 100

// makeRoom forgets what was asked for longest ago, so that another enumeration, and a list of what
// it finds, are within the budget.
func (k *keeper) makeRoom() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for {
		used, kept := k.work+k.room, 0
		var oldest *leading
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

// close forgets all, and stops what is in the making.
func (k *keeper) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for len(k.kept) > 0 {
		k.kept[0].cancel()
		k.drop(k.kept[0])
	}
}
