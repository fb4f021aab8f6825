package ask

import (
	"context"
	"errors"
	"fmt"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/paths"
	"pagoda/statespace/sweep"
)

// A part is the states from which a state can be reached.
type part struct {
	members bitset.Reader
	to      statespace.Index
}

// left returns how many bytes may be taken besides the sets.
func (p *Paths) left() uint64 {
	limit := run.MemoryLimit(p.Options.Memory)
	return limit - min(p.used, limit)
}

// enumerate returns the set of what can be reached in a space with layers.
func (p *Paths) enumerate(sp statespace.Space) (*bitset.Set, error) {
	return p.fill(sp, &p.frees, func(set *bitset.Set, progress *statespace.Progress) error {
		return sweep.Enumerate(p.ctx, sp, set, p.Options.Threads, progress)
	})
}

// fill returns a set of numbers of a space that work has filled. It adds to frees the function
// that gives the memory back.
func (p *Paths) fill(sp statespace.Space, frees *[]func(), work func(*bitset.Set, *statespace.Progress) error) (*bitset.Set, error) {
	set, free, err := NewSet(p.ctx, sp, p.used, p.Options)
	if err != nil {
		return nil, err
	}
	bytes := 8 * bitset.Words(sp.Size())
	p.used += bytes
	*frees = append(*frees, func() {
		p.used -= bytes
		free()
	})
	progress, stop := p.Options.Meter.Start(sp.Name(), sp.Size(), "numbers")
	defer stop()
	return set, work(set, progress)
}

// NewSet returns an empty set of all numbers of a space, in memory that free gives back. It
// fails as CheckSet does.
func NewSet(ctx context.Context, sp statespace.Space, used uint64, o run.Options) (set *bitset.Set, free func(), err error) {
	if err := CheckSet(sp, used, o); err != nil {
		return nil, nil, err
	}
	return layers.MakeSet(ctx, sp.Size(), o.Threads, func(*bitset.Set) error { return nil })
}

// SetNeed returns how many bytes an enumeration in a set of all numbers takes.
func SetNeed(sp statespace.Space) uint64 {
	need := 8 * bitset.Words(sp.Size())
	if engines := sweep.Engines(sp); len(engines) > 0 {
		need += engines[0].Memory
	}
	return need
}

// CheckSet returns a *statespace.MemoryError if an enumeration in a set of all numbers takes more
// memory than is allowed. Used is the number of bytes in use already; of the options, Memory
// counts.
func CheckSet(sp statespace.Space, used uint64, o run.Options) error {
	need := used + SetNeed(sp)
	if allowed := run.MemoryLimit(o.Memory); need > allowed {
		return &statespace.MemoryError{Name: sp.Name(), Need: need, Most: "for a set of its numbers", Allowed: allowed}
	}
	return nil
}

// through makes all paths go through a state of a space with layers.
func (p *Paths) through(text string) error {
	sp, of := p.space, p.space.Parts().Layers
	r, err := reach(p.members, sp, text)
	if bad, ok := errors.AsType[*PartError](err); ok {
		return &PartError{"via", bad.Value, bad.Err}
	}
	if err != nil {
		return err
	}
	if !r.Reachable {
		p.blocked = fmt.Sprintf("the position to go through, %s, cannot be reached: %s", r.Pattern, r.Detail)
		return nil
	}
	beyond, err := p.startAt("via", text)
	if err != nil {
		return err
	}
	if roots := beyond.Roots(); beyond.Size() != sp.Size() || len(roots) != 1 || roots[0] != r.State {
		return Questionf("%s numbers its states in another way when it begins in %s: paths cannot go through it", p.space.Name(), r.Pattern)
	}
	set, err := p.enumerate(beyond)
	if err != nil {
		return err
	}
	// The two spaces have the same numbers.
	before, layer := p.members, of.Layer(r.State)
	p.members, p.file, p.via = set, nil, &part{before, r.State}
	p.member = func(x statespace.Index) (bool, error) {
		if l := of.Layer(x); l != layer && l > layer == of.LayersFall() {
			return bitset.Has(before, x)
		}
		return bitset.Has(set, x)
	}
	return nil
}

// between returns the set of all states on paths to a state, one of each orbit of some symmetries, in
// memory that free gives back.
func (p *Paths) between(sp statespace.Space, symmetries []paths.Symmetry, to statespace.Index) (set *bitset.Set, free func(), err error) {
	var frees []func()
	free = func() {
		for _, free := range frees {
			free()
		}
	}
	fill := func(l part) (*bitset.Set, error) {
		return p.fill(sp, &frees, func(set *bitset.Set, progress *statespace.Progress) error {
			return paths.Between(p.ctx, sp, symmetries, l.members, l.to, set, p.Options.Threads, progress)
		})
	}
	if set, err = fill(part{p.members, to}); err == nil && p.via != nil {
		var before *bitset.Set
		if before, err = fill(*p.via); err == nil {
			for i, w := range before.Words() {
				set.Words()[i] |= w
			}
		}
	}
	if err != nil {
		free()
	}
	return set, free, err
}
