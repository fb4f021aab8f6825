package cells

import (
	"cmp"
	"context"
	"errors"

	"pagoda/bitset"
)

// Nearest, as Query.Within, finds only the members at the least distance.
const Nearest = ^uint64(0)

// MaxMatches is the greatest number of matches of a query without a limit.
const MaxMatches = 1 << 22

// ErrMatches is the error for a query without a limit that has more than MaxMatches matches.
var ErrMatches = errors.New("there are too many matches")

// A Match is a member near a target.
type Match struct {
	State    uint64
	Distance uint64
	Target   int // the first of the targets at this distance
}

// Compare orders by distance, then by number, then by target.
func (m Match) Compare(n Match) int {
	return cmp.Or(cmp.Compare(m.Distance, n.Distance), cmp.Compare(m.State, n.State), m.Target-n.Target)
}

// A Query describes which members of a set are wanted: those near a target.
type Query struct {
	// Targets are alternatives, at least one. The distance of a state is that from the
	// nearest of them.
	Targets []*Target
	// Within is the greatest distance of a match, in the units of the weights. Nearest means
	// the least distance that any member has.
	Within uint64
	// Limit is the greatest number of matches. Of more matches, the first ones are returned.
	// 0 means that there is no limit, but more than MaxMatches are ErrMatches.
	Limit int
	// Layers are the layers of the matches: AllLayers in a space without layers.
	Layers Range
	// Threads share many targets; 0 is 1.
	Threads int
}

// A Finder has a fast way of its own to find members.
type Finder interface {
	// Near finds members within a distance of one target of a query, in order: the first ones, one more than its limit.
	// Of a query for Nearest it may leave out those that are not. More than MaxMatches without a limit may be ErrMatches.
	Near(ctx context.Context, members bitset.Reader, t *Target, q Query, within uint64) ([]Match, error)
	// Visit and Count do the same as the functions of package patterns.
	Visit(ctx context.Context, members bitset.Reader, p Pattern, layers Range, take func(first, members uint64) bool) error
	Count(ctx context.Context, members bitset.Reader, p Pattern, layers Range) (uint64, error)
}

// A NearCounter is a Finder that counts members near a target faster than it lists them.
type NearCounter interface {
	Finder
	// CountNear does the same as the function of package patterns, for one target.
	CountNear(ctx context.Context, members bitset.Reader, q Query) (count, distance uint64, err error)
}
