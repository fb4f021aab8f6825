package sweep

import (
	"cmp"
	"context"
	"fmt"

	"pagoda/bitset"
	"pagoda/statespace"
)

// VerifyFolded is Verify for a folded set, without unfolding it. It finds faults exactly if
// CertifyFoldedPlain does. They are the same faults if every block is symmetric under the
// symmetries that take it to itself.
func VerifyFolded(ctx context.Context, sp statespace.Space, set statespace.FoldedSet, threads int, progress *statespace.Progress) (statespace.Faults, error) {
	if err := checkFolded(sp, set); err != nil {
		return statespace.Faults{}, err
	}
	s := Of(sp)
	if s.CertifyFolded == nil {
		return CertifyFoldedPlain(ctx, sp, set)
	}
	order, err := orderOf(set)
	if err != nil {
		return statespace.Faults{}, err
	}
	ctx, set, stop := stopping(ctx, set)
	defer stop()
	work := s.CertifyFolded(set, order)
	err = statespace.Do(ctx, work, threads, progress)
	return work.Faults(), err
}

// CountFolded counts the members of a folded set by layer, and their orbits.
func CountFolded(ctx context.Context, sp statespace.Space, set statespace.FoldedSet, threads int) ([]statespace.Layer, error) {
	if err := checkFolded(sp, set); err != nil {
		return nil, err
	}
	s := Of(sp)
	if s.CountFolded == nil {
		layers, err := CountFoldedPlain(sp, set)
		return layers, cmp.Or(err, context.Cause(ctx))
	}
	order, err := orderOf(set)
	if err != nil {
		return nil, err
	}
	ctx, set, stop := stopping(ctx, set)
	defer stop()
	work := s.CountFolded(set, order)
	err = statespace.Do(ctx, work, threads, nil)
	return work.Layers(), err
}

// checkFolded returns an error if a set cannot be a folded set of the space.
func checkFolded(sp statespace.Space, set statespace.FoldedSet) error {
	if err := cmp.Or(statespace.CheckLen(sp, set), CheckFolding(sp, set.Bits())); err != nil {
		return err
	}
	if n := sp.Size() >> set.Bits(); n > 1<<32 {
		return fmt.Errorf("%s has %d blocks of 2^%d numbers; a folded set has at most 2^32", sp.Name(), n, set.Bits())
	}
	return nil
}

// An OrderedSet is a FoldedSet that is read fastest in a certain order, because it is on a disk
// for example.
type OrderedSet interface {
	statespace.FoldedSet
	// Order lists blocks in this order. The other blocks come after them.
	Order() ([]uint32, error)
}

// orderOf returns the order of an OrderedSet. Other sets have none.
func orderOf(set statespace.FoldedSet) ([]uint32, error) {
	if o, ok := set.(OrderedSet); ok {
		return o.Order()
	}
	return nil, nil
}

// stopping returns a set with the same blocks, and a context that ends with the error as its
// cause if one of them cannot be read.
func stopping(ctx context.Context, set statespace.FoldedSet) (context.Context, statespace.FoldedSet, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, stoppingSet{set, cancel}, func() { cancel(nil) }
}

type stoppingSet struct {
	statespace.FoldedSet
	cancel context.CancelCauseFunc
}

// Representative implements FoldedSet.
func (s stoppingSet) Representative(block uint64) ([]uint64, error) {
	words, err := s.FoldedSet.Representative(block)
	if err != nil {
		s.cancel(err)
	}
	return words, err
}

// CertifyFoldedPlain is statespace.Certify for the unfolded set.
func CertifyFoldedPlain(ctx context.Context, sp statespace.Space, set statespace.FoldedSet) (statespace.Faults, error) {
	whole, err := unfold(sp, set)
	if err != nil {
		return statespace.Faults{}, err
	}
	return statespace.Certify(ctx, sp, whole)
}

// CountFoldedPlain is statespace.CountLayers for the unfolded set. It also counts orbits: the
// members that are not above any of their images.
func CountFoldedPlain(sp statespace.Space, set statespace.FoldedSet) ([]statespace.Layer, error) {
	whole, err := unfold(sp, set)
	if err != nil {
		return nil, err
	}
	symmetries := statespace.Symmetries(sp)
	counts, layers := make(statespace.LayerCounts), sp.Parts().Layers
	for x := range whole.All() {
		layer := counts.Of(layers, x)
		layer.States++
		if statespace.Representative(symmetries, x) == x {
			layer.Orbits++
		}
	}
	return counts.List(layers), nil
}

// unfold returns the whole set.
func unfold(sp statespace.Space, set statespace.FoldedSet) (*bitset.Set, error) {
	whole := bitset.New(set.Len())
	return whole, Unfolded{set, Symmetries(sp)}.Fill(whole.Words(), 0)
}
