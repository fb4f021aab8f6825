package engine

import "sync"

// An arena is memory for the counts of blocks. It is given up in the order in which it was
// taken, and used again, so the garbage collector has nothing to do.
type arena struct {
	*budget
	size int // words of a chunk, at least

	sync.Mutex
	full []*chunk
	free []*chunk
}

// A chunk is memory for the counts of some blocks.
type chunk struct {
	words []uint64
	used  int
	last  int // the last place of these blocks
}

// alloc returns memory for the block at a place. The chunk is the one that the caller fills; it is
// nil at first.
func (a *arena) alloc(c **chunk, words, place int) ([]uint64, error) {
	if *c == nil || len((*c).words)-(*c).used < words {
		next, err := a.next(*c, words)
		if err != nil {
			return nil, err
		}
		*c = next
	}
	from := (*c).used
	(*c).used += words
	(*c).last = max((*c).last, place)
	return (*c).words[from:(*c).used:(*c).used], nil
}

// next returns an empty chunk in exchange for a full one, or nil.
func (a *arena) next(full *chunk, words int) (*chunk, error) {
	a.Lock()
	defer a.Unlock()
	if full != nil {
		a.full = append(a.full, full)
	}
	for i, c := range a.free {
		if len(c.words) >= words {
			a.free[i] = a.free[len(a.free)-1]
			a.free = a.free[:len(a.free)-1]
			return c, nil
		}
	}
	size := max(a.size, words)
	if err := a.take(8 * uint64(size)); err != nil {
		return nil, err
	}
	return &chunk{words: make([]uint64, size)}, nil
}

// release gives up the full chunks that have no block from a place on.
func (a *arena) release(place int) {
	kept := a.full[:0]
	for _, c := range a.full {
		if c.last < place {
			c.used, c.last = 0, 0
			a.free = append(a.free, c)
		} else {
			kept = append(kept, c)
		}
	}
	clear(a.full[len(kept):])
	a.full = kept
}
