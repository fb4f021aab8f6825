package ask

import (
	"fmt"
	"math/big"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/paths"
	"pagoda/statespace/sweep"
)

// layered finds paths in a space with layers.
func (p *Paths) layered(s *Solution, sp statespace.Space, to statespace.Index) (err error) {
	if p.via != nil && places(sp) == nil { // with Places, no move passes over a layer
		of := sp.Parts().Layers
		sp = notOver{sp, of, of.Layer(p.via.to)}
	}
	switch {
	case p.Fewest:
		return p.fewest(s, sp, to)
	case p.All:
		if s.Count, err = p.total(sp, to); err != nil {
			return err
		}
		if p.List != nil {
			s.list = p.listed(paths.All(sp, p.member, to))
		}
		return nil
	case p.Random:
		counts, free, err := p.count(sp, to)
		if err != nil {
			return err
		}
		if p.List == nil {
			defer free()
		} else {
			s.free = free
		}
		return p.answer(s, enumeration{draw: func() (statespace.Path, error) { return counts.Random(p.Rand), nil }})
	}
	if p.file != nil {
		s.Path, err = p.file.path(to)
		return err
	}
	s.Path, err = paths.Find(sp, p.member, to)
	return err
}

// fewest finds the paths with the fewest moves.
func (p *Paths) fewest(s *Solution, sp statespace.Space, to statespace.Index) (err error) {
	var symmetries []paths.Symmetry
	image := sweep.Of(sp).PlaceImage
	if image != nil {
		symmetries = p.keeping(sp, to)
	}
	between, free, err := p.between(sp, symmetries, to)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			free()
		}
	}()
	progress, stop := p.Options.Meter.Start("moves", between.Count(), "states")
	fewest, err := paths.FewestMoves(p.ctx, sp, places(sp), image, symmetries, between, to, p.left(), p.Options.Threads, progress)
	stop()
	if err != nil {
		return err
	}
	s.Fewest = &fewest.Moves
	if p.All {
		if s.Count, err = fewest.Total(p.ctx); err != nil {
			return err
		}
	}
	s.free = free
	switch {
	case !p.All:
		for s.Path = range fewest.All() {
			break
		}
	case p.List != nil:
		s.list = p.listed(NoErrors(fewest.All()))
	}
	return nil
}

// places returns statespace.Sweep.Places of a space.
func places(sp statespace.Space) func(move int) (from, to int) { return sweep.Of(sp).Places }

// path returns a path in a space with layers: that of the pointers of the file, if it has
// any.
func (f *File) path(to statespace.Index) (statespace.Path, error) {
	if path, ok, err := f.PointerPath(to); ok {
		return path, err
	}
	return paths.Find(f.Space(), f.member, to)
}

// member is a paths.Member.
func (f *File) member(x statespace.Index) (bool, error) { return bitset.Has(f.Members(), x) }

// count counts the paths to a state, in memory that free gives back.
func (p *Paths) count(sp statespace.Space, to statespace.Index) (counts *paths.Counts, free func(), err error) {
	symmetries := p.keeping(sp, to)
	between, free, err := p.between(sp, symmetries, to)
	if err != nil {
		return nil, nil, err
	}
	progress, stop := p.Options.Meter.Start("paths", between.Count(), "states")
	counts, err = paths.Count(p.ctx, sp, symmetries, between, to, p.left(), p.Options.Threads, progress)
	stop()
	if err != nil {
		free()
		return nil, nil, err
	}
	return counts, free, nil
}

// total counts the paths to a state, if possible by the kernels of the space.
func (p *Paths) total(sp statespace.Space, to statespace.Index) (*big.Int, error) {
	if fast := sweep.Of(sp).Ways; fast != nil && p.via == nil {
		progress, stop := p.Options.Meter.Start("paths", sp.Size(), "numbers")
		ways, err := fast(p.ctx, statespace.WaysQuestion{To: []statespace.Index{to}, Memory: p.left(), Threads: p.Options.Threads, Progress: progress})
		stop()
		switch {
		case err != nil:
			return nil, err
		case ways != nil && ways.To[0].Sign() == 0:
			return nil, fmt.Errorf("%s: %w", sp.Format(to), statespace.ErrNoPath)
		case ways != nil:
			return ways.To[0], nil
		}
	}
	counts, free, err := p.count(sp, to)
	if err != nil {
		return nil, err
	}
	defer free()
	return counts.Total(), nil
}

// keeping returns the symmetries that take all paths to a state to such paths; none if they go through
// another state.
func (p *Paths) keeping(sp statespace.Space, to statespace.Index) []paths.Symmetry {
	if p.via != nil {
		return nil
	}
	return paths.Keeping(sp, to)
}
