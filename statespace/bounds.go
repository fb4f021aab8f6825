package statespace

import (
	"context"
	"errors"
	"sync"

	"pagoda/internal/memory"
)

// Bounds are what a search needs to find shortest paths of a space that no memory holds: lower bounds of the number of
// moves from a state to the nearest goal, see package bounds, or the goals, see sparse.Ends.
type Bounds struct {
	// Of returns a bound of a state; 0 is always one.
	Of func(x Index) int
	// Walks returns walks whose bounds follow the moves. It may be nil if there is Of.
	Walks func(ctx context.Context, o BoundsOptions) (*Walks, error)
	// Need returns about how many bytes Walks takes at least, and what most of them are for. It may be nil.
	Need func() (bytes uint64, most string)
	// Goals returns the codes of all goals, where moves can be taken back and the goals are few; see Codes. It may be nil.
	Goals func() [][]uint64
}

// Any reports whether there are bounds or goals.
func (b Bounds) Any() bool { return b.Of != nil || b.Walks != nil || b.Goals != nil }

// BoundsOptions say what bounds may take.
type BoundsOptions struct {
	Memory  uint64 // bytes, about; 0 is no bound
	Threads int
	// Cut names the patterns whose tables give the bounds, as the space writes them; empty: the space chooses.
	Cut string
	// Lasting says that the tables are kept, so that large ones pay.
	Lasting bool
	// Table enumerates a space whose distances are bounds, and returns the marks of its numbers: see bfs.Mark. They are
	// there until they are closed. The space is small.
	Table func(ctx context.Context, sp Space) (marks []uint64, close func(), err error)
	// Kept, if not nil, has what several searches share.
	Kept *Kept
}

// A marked space is one whose distances are bounds, with the marks of its numbers.
type marked struct {
	Space
	marks []uint64
}

// Tables are those of the bounds of some walks.
type Tables struct {
	*Kept
	o    BoundsOptions
	used []func()
}

// Tables returns the tables of walks, which are Kept for others, too, if the options say so.
func (o BoundsOptions) Tables() *Tables {
	t := &Tables{Kept: o.Kept, o: o}
	if t.Kept == nil {
		t.Kept = new(Kept)
	}
	return t
}

// Get returns the table with a name: a space with the marks of its numbers. The first walks that use it define and make it.
func (t *Tables) Get(ctx context.Context, name string, define func() (Space, error)) (sp Space, marks []uint64, err error) {
	made, release, err := t.Kept.Get(name, func() (any, func(), error) {
		sp, err := define()
		if err != nil {
			return nil, nil, err
		}
		marks, closed, err := t.o.Table(ctx, sp)
		if err != nil {
			closed()
			return nil, nil, err
		}
		return marked{sp, marks}, closed, nil
	})
	if err != nil {
		return nil, nil, err
	}
	t.used = append(t.used, release)
	m := made.(marked)
	return m.Space, m.marks, nil
}

// Close releases the tables.
func (t *Tables) Close() {
	for _, release := range t.used {
		release()
	}
	if t.o.Kept == nil {
		t.Kept.Close()
	}
}

// A CutError says what is wrong with BoundsOptions.Cut.
type CutError struct{ Reason string }

func (e *CutError) Error() string { return e.Reason }

// Walks are walks through a space.
type Walks struct {
	// New returns a walk for one goroutine.
	New func() Walk
	// Tracer returns a Tracer of words of moves. It may be nil. Kept has what is made of it, for all searches.
	Tracer func() Tracer
	Kept   *Kept
	// Close gives back the memory of the tables.
	Close func()
}

// A Walk is a state and its bound, which moves change and take back.
type Walk interface {
	// Start goes to the state of a code: see Codes. It forgets the moves before.
	Start(code []uint64)
	// Bound returns the bound of the state. It is 0 if the state is a goal.
	Bound() int
	// Goal reports whether the state is a goal. Its bound is 0.
	Goal() bool
	// Moves appends the moves that can be made, always in the same order.
	Moves(dst []uint16) []uint16
	// Do makes a move that Moves has returned in the state, and returns the bound. Undo takes the last one back.
	Do(move uint16) (bound int)
	Undo()
	// Code appends the code of the state.
	Code(dst []uint64) []uint64
}

// A Tracer follows words of moves which are made where there is room for them. The moves have the same numbers as
// those of a Walk, from 0.
type Tracer interface {
	// Moves is how many moves there are.
	Moves() int
	// Do makes a move, and Undo takes the last one back.
	Do(move uint8)
	Undo()
	// Effect appends what the word does: words with the same effect lead to the same state. Checksum is one of it.
	Effect(dst []byte) []byte
	Checksum() uint64
	// Room is where the word can be made: as far as it goes in each direction. Another word with the same effect
	// that goes nowhere farther can be made wherever this one can.
	Room() [4]int8
}

// Kept is what several searches share, such as tables. Its zero value is empty.
type Kept struct {
	mutex sync.Mutex
	all   map[string]*kept
}

type kept struct {
	made  any
	close func()
	users int
}

// Get returns what has a name, until it is released. The first call makes it, and says how it is closed, or nil; others
// wait. When that takes too much memory, what nobody uses is closed first.
func (k *Kept) Get(name string, make func() (made any, close func(), err error)) (made any, release func(), err error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	one := k.all[name]
	if one == nil {
		one = new(kept)
		one.made, one.close, err = make()
		if errors.Is(err, memory.ErrFull) && k.free() {
			one.made, one.close, err = make()
		}
		if err != nil {
			return nil, nil, err
		}
		if k.all == nil {
			k.all = map[string]*kept{}
		}
		k.all[name] = one
	}
	one.users++
	return one.made, func() {
		k.mutex.Lock()
		defer k.mutex.Unlock()
		one.users--
	}, nil
}

// free closes what nobody uses. It reports whether there was something.
func (k *Kept) free() (some bool) {
	for name, one := range k.all {
		if one.users == 0 && one.close != nil {
			one.close()
			delete(k.all, name)
			some = true
		}
	}
	return some
}

// Close closes everything.
func (k *Kept) Close() {
	for _, one := range k.all {
		if one.close != nil {
			one.close()
		}
	}
	k.all = nil
}
