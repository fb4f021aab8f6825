package statespace

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
)

// A Pointed space can note for each state which move led to it, in a few bits: 0 for a
// state that cannot be reached, 1 for a root, and from 2 on whatever Follow makes of
// it.
type Pointed interface {
	Layered
	// PointerBits returns how many bits a pointer takes, at most 8.
	PointerBits() int
	// Follow returns the last move of the way to x that a pointer from 2 on stands
	// for, and the state in which it was made; false if the pointer stands for none.
	Follow(x Index, pointer uint8) (Edge, bool)
	// Pointing returns the work of Point.
	Pointing(set *bitset.Set, pointers *bitset.Planes) Work
}

// A Patterned space has patterns as its states, and numbers for some of them.
type Patterned interface {
	Space
	// PatternBits returns how many bits a pattern has; it is below 2^PatternBits.
	PatternBits() int
	// Pattern returns the pattern of state x.
	Pattern(x Index) uint64
	// Among appends those of the patterns from 64*word on that have a number.
	Among(dst []Placed, word uint64) []Placed
}

// A Placed is a pattern, given by its place among 64, and its number.
type Placed struct {
	Bit    int
	Number Index
}

// Point fills the pointers, which are 0, of all members of a set of what can be
// reached: with the least pointer to a move that was made in a member.
func Point(ctx context.Context, sp Pointed, set *bitset.Set, pointers *bitset.Planes, threads int, progress *Progress) error {
	if set.Len() != sp.Size() || pointers.Len() != sp.Size() || pointers.Width() != sp.PointerBits() {
		return fmt.Errorf("%s has %d numbers and pointers of %d bits, found a set of %d and pointers of %d bits for %d",
			sp.Name(), sp.Size(), sp.PointerBits(), set.Len(), pointers.Width(), pointers.Len())
	}
	return Do(ctx, sp.Pointing(set, pointers), threads, progress)
}

// PointPlain is Point state by state.
func PointPlain(sp Pointed, set *bitset.Set, pointers *bitset.Planes) {
	roots := sp.Roots()
	for x := range set.All() {
		if slices.Contains(roots, x) {
			pointers.Set(x, 1)
			continue
		}
		for v := 2; v < 1<<sp.PointerBits(); v++ {
			if e, ok := sp.Follow(x, uint8(v)); ok && set.Has(e.To) {
				pointers.Set(x, uint8(v))
				break
			}
		}
	}
}

// FollowPath follows pointers back to a root. It is ErrNoPath when they do not lead to
// one.
func FollowPath(sp Pointed, pointer func(x Index) (uint8, error), to Index) (way Way, err error) {
	err = mapped.Guard(func() error {
		for x := to; ; {
			v, err := pointer(x)
			if err != nil {
				return err
			}
			if v == 1 && slices.Contains(sp.Roots(), x) {
				way.From = x
				slices.Reverse(way.Steps)
				return nil
			}
			e, ok := sp.Follow(x, v)
			if v < 2 || !ok {
				return fmt.Errorf("%s: %w", sp.Format(x), ErrNoPath)
			}
			way.Steps = append(way.Steps, Step{e.Move, x})
			x = e.To
		}
	})
	return way, err
}

// GoodPointer reports whether a pointer of a member of a set of what can be reached leads
// to a member, or is 1 and the member a root.
func GoodPointer(sp Pointed, set *bitset.Set, x Index, pointer uint8) bool {
	if pointer == 1 {
		return slices.Contains(sp.Roots(), x)
	}
	e, ok := sp.Follow(x, pointer)
	return ok && set.Has(e.To)
}

// CheckPointers looks for a member of a set of what can be reached whose pointer is not
// good. It returns the first that it finds. When ctx ends, it stops soon and returns the cause.
func CheckPointers(ctx context.Context, sp Pointed, set *bitset.Set, pointers *bitset.Planes, threads int) (x Index, bad bool, err error) {
	c := &pointerCheck{sp: sp, set: set, pointers: pointers}
	err = Do(ctx, c, threads, nil)
	if found := c.found.Load(); found != nil {
		return *found, true, err
	}
	return 0, false, err
}

// A pointerCheck is the work of CheckPointers.
type pointerCheck struct {
	sp       Pointed
	set      *bitset.Set
	pointers *bitset.Planes
	found    atomic.Pointer[Index]
}

const pointerCheckTask = 1 << 12 // words

// Stages implements Work.
func (c *pointerCheck) Stages() int { return 1 }

// Tasks implements Work.
func (c *pointerCheck) Tasks(int) int {
	return (len(c.set.Words()) + pointerCheckTask - 1) / pointerCheckTask
}

// NewWorker implements Work.
func (c *pointerCheck) NewWorker() Worker { return c }

// Do implements Worker.
func (c *pointerCheck) Do(_, task int) {
	words := c.set.Words()
	for i := task * pointerCheckTask; i < min((task+1)*pointerCheckTask, len(words)); i++ {
		for w := words[i]; w != 0 && c.found.Load() == nil; w &= w - 1 {
			x := uint64(i)*64 + uint64(bits.TrailingZeros64(w))
			if !GoodPointer(c.sp, c.set, x, c.pointers.Get(x)) {
				c.found.Store(&x)
			}
		}
	}
}
