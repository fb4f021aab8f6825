package statespace

import (
	"fmt"
	"math/bits"
	"slices"

	"pagoda/bitset"
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
// member must have a predecessor that is a member. In a space without cycles only one set is
// like this, so it is exactly what can be reached.
func Certify(sp Space, set *bitset.Set) Faults {
	faults := CertifyBy(sp, set.Has)
	if n := sp.Size(); n%64 != 0 {
		if beyond := set.Words()[n/64] &^ (1<<(n%64) - 1); beyond != 0 {
			faults.Add(Fault{NoState, n&^63 + uint64(bits.TrailingZeros64(beyond))}, uint64(bits.OnesCount64(beyond)))
		}
	}
	return faults
}

// CertifyBy is Certify for any form of a set: has reports whether a number is a member.
func CertifyBy(sp Space, has func(Index) bool) (faults Faults) {
	roots := make(map[Index]bool)
	for _, r := range sp.Roots() {
		roots[r] = true
	}
	var edges []Edge
	hasPredecessor := func(x Index) bool {
		edges = sp.Predecessors(edges[:0], x)
		return slices.ContainsFunc(edges, func(e Edge) bool { return has(e.To) })
	}
	for x := range sp.Size() {
		expected := roots[x] || hasPredecessor(x)
		switch {
		case has(x) && !expected:
			faults.Add(Fault{Orphan, x}, 1)
		case !has(x) && roots[x]:
			faults.Add(Fault{MissingRoot, x}, 1)
		case !has(x) && expected:
			faults.Add(Fault{MissingSuccessor, x}, 1)
		}
	}
	return faults
}
