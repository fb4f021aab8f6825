package peg

import (
	"context"

	"pagoda/bitset"
	"pagoda/puzzle/peg/engine"
	"pagoda/puzzle/peg/verify"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// The engines of a Space.
const (
	SweepEngine  = "sweep"  // blocks of falling weight; see package engine
	LayersEngine = "layers" // one number of pegs after the other
)

// newKernels returns the kernels of the Parts.
func (s *Space) newKernels() *statespace.Sweep {
	return &statespace.Sweep{
		Engines: s.engines,
		Certify: func(set *bitset.Set) statespace.Certification { return verify.Certificate(s.class, s.Roots()[0], set) },
		Count:   func(set *bitset.Set) statespace.Counting { return verify.Count(s.class, set) },
		CertifyFolded: func(set statespace.FoldedSet, order []uint32) statespace.Certification {
			return verify.FoldedCertificate(s.class, s.Roots()[0], set, sweep.Symmetries(s), order)
		},
		CountFolded: func(set statespace.FoldedSet, order []uint32) statespace.Counting {
			return verify.FoldedCount(s.class, set, sweep.Symmetries(s), order)
		},
		Blocks:     s.blocks,
		Between:    s.between,
		Ways:       s.countWays,
		Places:     s.places,
		PlaceImage: func(i, place int) int { return s.symmetries()[i].Cells[place] },
		Pointers:   s.pointers(),
		Patterns:   s.patterns(),
		BitOrder:   s.bitOrder,
	}
}

// engines returns the engines, best first.
func (s *Space) engines() []statespace.SweepEngine {
	levels := statespace.SweepEngine{
		Name:   LayersEngine,
		Memory: 1 << 20,
		Fill:   func(set *bitset.Set) statespace.Work { return s.fill(LayersEngine, s.Roots(), set) },
	}
	e := s.sweep()
	if e == nil {
		return []statespace.SweepEngine{levels}
	}
	best := statespace.SweepEngine{
		Name:      SweepEngine,
		Memory:    e.Memory(),
		Streams:   s.blocks() != nil,
		Kernels:   e.Kernels(),
		Kernel:    e.Kernel(),
		UseKernel: e.UseKernel,
	}
	if e.Fills() {
		best.Fill = func(set *bitset.Set) statespace.Work { return s.fill(SweepEngine, s.Roots(), set) }
	}
	return []statespace.SweepEngine{best, levels}
}

// fill returns the work of filling a set by an engine, from any roots.
func (s *Space) fill(name string, roots []uint64, set *bitset.Set) statespace.Work {
	if name == SweepEngine {
		return s.sweep().Enumeration(roots, set.Words())
	}
	return engine.Levels(s.class, roots, set.Words())
}

// GenericKernel is the name of the kernel in Go, which every processor can run.
const GenericKernel = engine.GenericKernel

// places returns the cells between which a jump takes its peg.
func (s *Space) places(move int) (from, to int) {
	j := s.board.Jump(move)
	return j.From, j.To
}

// countWays implements statespace.Sweep.Ways.
func (s *Space) countWays(ctx context.Context, q statespace.WaysQuestion) (*statespace.Ways, error) {
	if e := s.sweep(); e != nil {
		return e.CountWays(ctx, q)
	}
	return nil, nil
}
