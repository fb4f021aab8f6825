package peg

import (
	"context"
	"fmt"

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
	var fill func(set *bitset.Set) statespace.Work
	if e.Fills() {
		fill = func(set *bitset.Set) statespace.Work { return s.fill(SweepEngine, s.Roots(), set) }
	}
	return []statespace.SweepEngine{{
		Name:      SweepEngine,
		Memory:    e.Memory(),
		Fill:      fill,
		Streams:   e.FoldBits() > 0,
		Kernels:   e.Kernels(),
		Kernel:    e.Kernel(),
		UseKernel: s.useKernel,
	}, levels}
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

// useKernel makes the sweep use a kernel. Those with vectors need blocks of a vector at least.
func (s *Space) useKernel(name string) error {
	if err := engine.CheckKernel(name); err != nil {
		return err
	}
	if !s.sweep().UseKernel(name) {
		return fmt.Errorf("%s has no kernel %s: its blocks are smaller than a vector of %d bytes", s.name, name, engine.VectorBytes)
	}
	return nil
}

// newBlocks says how the space is cut into blocks. It returns nil where the symmetries do
// not take blocks to blocks.
func (s *Space) newBlocks() *statespace.SweepBlocks {
	e := s.sweep()
	if e == nil || e.FoldBits() == 0 {
		return nil
	}
	ratio, of := packedRatio(e.FoldBits())
	b := &statespace.SweepBlocks{
		Bits:            e.FoldBits(),
		Ratio:           ratio,
		RatioOf:         of,
		Representatives: e.Representatives(),
		Window:          e.Window(),
		Planned:         e.Planned,
		Stream:          e.Stream,
		Estimate:        e.Estimate,
	}
	if e.Fills() {
		b.Folding = func() *statespace.Folding { return &statespace.Folding{Bits: e.FoldBits(), Order: e.Order()} }
		b.Feeds = e.Feeds
	} else {
		b.OrderSum = e.OrderSum
	}
	return b
}

// packedRatio returns how many times smaller blocks of 2^bits numbers, or the next size below, were packed,
// and on which board. Large blocks have more jumps inside, and so fewer seeds: see statespace.Maker. All blocks of
// 7x7 were packed to 1/35, but those needed at the same time to 1/27 when they were most, which is more than
// is allowed for.
func packedRatio(bits int) (ratio float64, board string) {
	switch {
	case bits >= 21:
		return 32, "peg/7x7"
	case bits >= 18:
		return 21, "peg/5x8"
	case bits >= 16:
		return 12, "peg/6x6"
	case bits >= 14:
		return 9, "peg/5x6"
	case bits >= 12:
		return 2, "peg/european"
	}
	return 2, "peg/english"
}

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
