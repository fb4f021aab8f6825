package statespace

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/mapped"
)

// A FaultKind says what is wrong with a state of a set.
type FaultKind int

const (
	// MissingRoot is a root that is not a member.
	MissingRoot FaultKind = iota
	// MissingSuccessor is a successor of a member that is not a member itself.
	MissingSuccessor
	// Orphan is a member that is neither a root nor a successor of a member.
	Orphan
	// NoState is a member beyond the last number of the space.
	NoState
)

func (k FaultKind) String() string {
	switch k {
	case MissingRoot:
		return "is the start, and is not a member"
	case MissingSuccessor:
		return "is one move from a member, and is not a member"
	case Orphan:
		return "is a member that no move from a member leads to"
	case NoState:
		return "is a member beyond the last number of the space"
	}
	return fmt.Sprintf("FaultKind(%d)", int(k))
}

// A Fault is a state at which a set is wrong.
type Fault struct {
	Kind  FaultKind
	State Index
}

// Faults sums up the faults of a set.
type Faults struct {
	Count uint64 // how many states are at fault
	First Fault  // the fault of the lowest number
}

// Add adds n faults. The first one is that of the lowest number among them.
func (f *Faults) Add(first Fault, n uint64) {
	if f.Count == 0 || first.State < f.First.State {
		f.First = first
	}
	f.Count += n
}

// Certify checks, one state at a time, that a set of Size numbers is what the roots of a space
// reach. The roots must be members, successors of members must be members, and any other
// member must be a successor of a member. In a space without cycles only one set is
// like this, so it is exactly what can be reached.
//
// Certify marks what roots and members lead to: Predecessors may take long, and members are far fewer than numbers,
// perhaps. When ctx ends, it stops soon and returns the cause.
func Certify(ctx context.Context, sp Space, set *bitset.Set) (faults Faults, err error) {
	memory, err := mapped.Alloc(ctx, bitset.Words(sp.Size()), 1)
	if err != nil {
		return faults, err
	}
	defer func() { err = cmp.Or(err, memory.Free()) }()
	reached, err := bitset.Over(memory.Words(), sp.Size())
	if err != nil {
		return faults, err
	}
	roots := sp.Roots()
	for _, r := range roots {
		reached.Add(r)
	}
	var edges []Edge
	n := 0
	for x := range set.All() {
		if n++; n%(1<<16) == 0 && ctx.Err() != nil {
			return faults, context.Cause(ctx)
		}
		if x >= sp.Size() {
			faults.Add(Fault{NoState, x}, 1)
			continue
		}
		edges = sp.Successors(edges[:0], x)
		for _, e := range edges {
			reached.Add(e.To)
		}
	}
	for w, want := range reached.Words() {
		found := set.Words()[w]
		if size := sp.Size() - uint64(w)*64; size < 64 {
			found &= 1<<size - 1
		}
		for wrong := want ^ found; wrong != 0; wrong &= wrong - 1 {
			x := uint64(w)*64 + uint64(bits.TrailingZeros64(wrong))
			kind := MissingSuccessor
			switch {
			case set.Has(x):
				kind = Orphan
			case slices.Contains(roots, x):
				kind = MissingRoot
			}
			faults.Add(Fault{kind, x}, 1)
		}
	}
	return faults, nil
}
