package bfs

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// CertifyValues proves the whole distances of a space with values, without a search. At returns the entry of a number: its
// distance plus 1, or 0 if it is not reached; get returns the values. It looks at Predecessors only, which Value needs as
// well: distances and values are right if
//
//   - the roots, and no other states, have distance 0,
//   - the distance of any other state is one more than the least of its predecessors; it is not
//     reached if none of these is, or if the least is last, and
//   - its values are those that Value finds from its nearest predecessors.
//
// If the space ends at its nearest goals, last is their distance, and -1 otherwise. CertifyValues returns a state that is
// wrong, if there is one. Progress may be nil. When ctx ends, CertifyValues stops soon and returns the cause.
func CertifyValues(ctx context.Context, sp statespace.Space, at func(x uint64) (uint16, error), get func(dst []uint64, x uint64) error, last, threads int, progress *statespace.Progress) (x uint64, wrong bool, err error) {
	const part = 1 << 12
	isRoot, p, n := rootsOf(sp), sp.Parts(), len(sp.Parts().Values.Columns)
	progress.Start(int64((sp.Size() + part - 1) / part))
	var found atomic.Uint64
	found.Store(^uint64(0))
	err = mapped.Parts(ctx, threads, sp.Size(), part, func(first, end uint64) error {
		c := valueCertifier{values: p.Values, quotient: p.Symmetry.Quotient, at: at, get: get, last: last, isRoot: isRoot, want: make([]uint64, n), said: make([]uint64, n), near: make([]uint64, n)}
		for x := first; x < end && found.Load() == ^uint64(0); x++ {
			if good, err := c.check(x); err != nil {
				return err
			} else if !good {
				found.Store(x)
			}
		}
		progress.Add(1)
		return nil
	})
	x = found.Load()
	return x, x != ^uint64(0), err
}

type valueCertifier struct {
	values           statespace.Values
	quotient         statespace.Quotient // or nil
	at               func(x uint64) (uint16, error)
	get              func(dst []uint64, x uint64) error
	last             int
	isRoot           func(x uint64) bool
	want, said, near []uint64
}

// check reports whether the entry and the values of a number follow from those of its predecessors.
func (c *valueCertifier) check(x uint64) (bool, error) {
	entry, err := c.at(x)
	if err != nil {
		return false, err
	}
	if c.quotient != nil {
		if _, states := c.quotient.StandsFor(x); states == 0 {
			return entry == 0, nil
		}
	}
	least := uint16(0) // entry of the predecessors, or 0
	c.values.Value(c.want, x, func(y uint64) []uint64 {
		e, failed := c.at(y)
		if failed != nil || e == 0 {
			err = cmp.Or(err, failed)
			return nil
		}
		if least == 0 || e < least {
			least = e
		}
		if e+1 != entry {
			return nil
		}
		err = cmp.Or(err, c.get(c.near, y))
		return c.near
	})
	switch {
	case err != nil:
		return false, err
	case c.isRoot(x):
		if entry != 1 {
			return false, nil
		}
	case entry == 0:
		return least == 0 || int(least)-1 == c.last, nil
	case least == 0 || least+1 != entry || c.last >= 0 && int(entry)-1 > c.last:
		return false, nil
	}
	err = c.get(c.said, x)
	return slices.Equal(c.want, c.said), err
}
