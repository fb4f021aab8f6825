package chance

import (
	"context"
	"math"
	"math/bits"
	"sync/atomic"

	"pagoda/internal/mapped"
)

// A table is a hash table of states with open addressing. Each entry has the state plus 1, and then
// the values. Several goroutines may insert at once, or look up at once. A table of ordinals takes one
// goroutine to insert, and has its keys on the heap; this one is in mapped memory, which counts and is
// given back at once.
type table struct {
	memory   *mapped.Memory
	slots    []uint64
	stride   uint64 // words of an entry
	capacity uint64 // entries
	count    uint64 // of those taken
}

// mostFull is the part of a table that may be taken, in eighths.
const mostFull = 6

// leastCapacity is that of a small table.
const leastCapacity = 1 << 13

// capacityFor returns the capacity of a table of n entries.
func capacityFor(n uint64) uint64 { return max(leastCapacity, (n/mostFull+1)*8) }

// room returns how many entries the table can take before it grows.
func (t *table) room() uint64 { return t.capacity/8*mostFull - min(t.capacity/8*mostFull, t.count) }

// mixed spreads the bits of a state over a word (the finalizer of MurmurHash3).
func mixed(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// slot returns the first place of a state.
func (t *table) slot(state uint64) uint64 {
	high, _ := bits.Mul64(mixed(state), t.capacity)
	return high
}

// insert adds a state: there must be a free place. It returns its place, and whether it is new.
func (t *table) insert(state uint64) (at uint64, fresh bool) {
	want := state + 1
	i := t.slot(state)
	for {
		p := &t.slots[i*t.stride]
		found := atomic.LoadUint64(p)
		if found == 0 {
			if atomic.CompareAndSwapUint64(p, 0, want) {
				return i, true
			}
			found = atomic.LoadUint64(p)
		}
		if found == want {
			return i, false
		}
		if i++; i == t.capacity {
			i = 0
		}
	}
}

// insertAll adds states and returns how many are new. It touches the places of a few states before it
// looks at the first, so that the waits for memory overlap.
func (t *table) insertAll(states []uint64) (fresh uint64) {
	for len(states) > 0 {
		n := min(len(states), 16)
		t.touch(states[:n])
		for _, s := range states[:n] {
			if _, ok := t.insert(s); ok {
				fresh++
			}
		}
		states = states[n:]
	}
	return fresh
}

// touch reads the first places of states.
func (t *table) touch(states []uint64) (sum uint64) {
	for _, s := range states {
		sum += atomic.LoadUint64(&t.slots[t.slot(s)*t.stride])
	}
	return sum
}

// find returns the values of a state, or nil if it is not there.
func (t *table) find(state uint64) []uint64 {
	want := state + 1
	i := t.slot(state)
	for {
		at := i * t.stride
		switch t.slots[at] {
		case want:
			return t.slots[at+1 : at+t.stride]
		case 0:
			return nil
		}
		if i++; i == t.capacity {
			i = 0
		}
	}
}

func (t *table) free() {
	if t.memory != nil {
		t.memory.Free()
	}
	*t = table{}
}

// tables are the tables of a solver, which bounds their bytes.
type tables struct {
	ctx     context.Context
	threads int
	most    uint64 // bytes; 0 is no bound
	bytes   uint64 // of all tables
	others  uint64 // bytes that the solver takes besides
	spare   []*table
}

// left returns how many bytes may still be taken.
func (a *tables) left() uint64 {
	if a.most == 0 {
		return math.MaxUint64
	}
	return a.most - min(a.most, a.bytes+a.others)
}

// take returns an empty table for n entries. Each has a number of values. Most is how many entries a table that takes
// its place may need.
func (a *tables) take(n, most uint64, values int) (*table, error) {
	t := &table{stride: uint64(1 + values), capacity: capacityFor(n)}
	words := t.stride * t.capacity
	// Most layers are about as large as the one before: its table is cleared and used again.
	for i, s := range a.spare {
		if have := uint64(len(s.slots)); have >= words && have/2 <= words {
			a.spare = append(a.spare[:i], a.spare[i+1:]...)
			t.memory, t.slots, t.capacity = s.memory, s.slots[:cap(s.slots)], have/t.stride
			if err := a.clear(t); err != nil {
				a.release(t)
				return nil, err
			}
			return t, nil
		}
	}
	a.drop()
	if roomy := t.stride * capacityFor(max(n, min(most, n+n/2))); 8*roomy <= a.left() {
		words = roomy
	} else if 8*words > a.left() {
		return nil, errFull
	}
	t.capacity = words / t.stride
	var err error
	if t.memory, err = mapped.Alloc(a.ctx, words, a.threads); err != nil {
		return nil, err
	}
	t.slots = t.memory.Words()
	a.bytes += 8 * words
	return t, nil
}

// clear empties a table.
func (a *tables) clear(t *table) error {
	return mapped.Parts(a.ctx, a.threads, uint64(len(t.slots)), 1<<16, func(low, high uint64) error {
		clear(t.slots[low:high])
		return nil
	})
}

// give takes a table back.
func (a *tables) give(t *table) {
	if t == nil || t.memory == nil {
		return
	}
	if a.spare = append(a.spare, t); len(a.spare) > 4 {
		a.release(a.spare[0])
		a.spare = a.spare[1:]
	}
}

// drop frees the spare tables.
func (a *tables) drop() {
	for _, t := range a.spare {
		a.release(t)
	}
	a.spare = nil
}

func (a *tables) release(t *table) {
	a.bytes -= 8 * uint64(len(t.slots))
	t.free()
}

// grow returns a table with the states of another one, which it takes back, and room for half as many again, or
// for n more.
func (a *tables) grow(old *table, n uint64) (*table, error) {
	t, err := a.take(old.count+max(old.count/2, n)+8, 0, int(old.stride)-1)
	if err != nil {
		return nil, err
	}
	t.count = old.count
	if err = mapped.Parts(a.ctx, a.threads, old.capacity, 1<<14, func(low, high uint64) error {
		for i := low; i < high; i++ {
			if s := old.slots[i*old.stride]; s != 0 {
				t.insert(s - 1)
			}
		}
		return nil
	}); err != nil {
		a.release(t)
		return nil, err
	}
	a.give(old)
	return t, nil
}
