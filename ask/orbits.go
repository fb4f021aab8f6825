package ask

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/patterns"
)

// LayersUpToSymmetry is Layers with the number of states up to symmetry, counted now unless the file
// says it. If the file does not say the distances of its states either, it searches again. The
// error is a *statespace.MemoryError if that takes more memory than is allowed.
func (f *File) LayersUpToSymmetry(ctx context.Context, o run.Options) (Layers, error) {
	l := f.Layers()
	if l.Orbits() > 0 {
		return l, nil
	}
	symmetries := statespace.Mirrors(f.Space())
	orbits := make(map[int]uint64)
	add := func(layer int, n uint64) { orbits[layer] += n }
	err := f.Read(func() error {
		distances, known := f.wholeDistances()
		layers := f.Space().Parts().Layers
		if len(symmetries) == 0 {
			return nil // each state is an orbit
		}
		if layers == nil && !known {
			return f.search(ctx, o, func(level int, first, word uint64) {
				add(level, uint64(bits.OnesCount64(statespace.Least(symmetries, first, word))))
			})
		}
		var fault error
		err := patterns.EachWord(ctx, f.Members(), func(first, members uint64) bool {
			for least := statespace.Least(symmetries, first, members); least != 0; least &= least - 1 {
				x := first + uint64(bits.TrailingZeros64(least))
				if layers != nil {
					add(layers.Layer(x), 1)
					continue
				}
				e, err := distances.At(x)
				if err != nil {
					fault = err
					return false
				}
				add(int(e)-1, 1)
			}
			return true
		})
		return cmp.Or(fault, err)
	})
	if err != nil {
		return l, err
	}
	l.Counts = slices.Clone(l.Counts)
	for i := range l.Counts {
		c := &l.Counts[i]
		if c.Orbits = orbits[c.Layer]; len(symmetries) == 0 {
			c.Orbits = c.States
		}
	}
	return l, nil
}

// search finds the states again, and visits those at each distance: bit i of word is number first+i. It has memory for a
// set of them.
func (f *File) search(ctx context.Context, o run.Options, visit func(level int, first, word uint64)) error {
	o.Memory = cmp.Or(o.Memory, f.Memory())
	sp := f.Space()
	g := bfs.Of(sp)
	g.NewStepper = nil // it makes no visits
	if need, allowed := bfs.MemoryOf(g)+sp.Size()/8, run.MemoryLimit(o.Memory); need > allowed {
		return &statespace.MemoryError{Name: sp.Name(), Need: need, Most: "for the distances of its numbers", Allowed: allowed, Instead: "convert the file to the store distance"}
	}
	s, err := bfs.New(ctx, g, bfs.Options{ToGoal: sp.Parts().Goals.Ends, Threads: 1, Visit: func(_, level int, first, word uint64) { visit(level, first, word) }})
	if err != nil {
		return err
	}
	defer s.Close()
	progress, stop := o.Meter.Start(sp.Name(), sp.Size(), "numbers")
	defer stop()
	return s.Run(ctx, nil, progress)
}
