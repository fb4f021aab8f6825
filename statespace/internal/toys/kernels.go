package toys

import (
	"context"
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/statespace"
	"pagoda/statespace/paths"
	"pagoda/statespace/sweep"
)

// Swept is a space with layers and kernels.
type Swept struct {
	statespace.Space
	Kernels *statespace.Sweep
}

// Parts implements statespace.Space.
func (s *Swept) Parts() statespace.Parts {
	p := s.Space.Parts()
	p.Sweep = s.Kernels
	return p
}

// NewSwept returns a space with all kernels that every space with layers can have. They do the same as
// the plain functions, and there is one engine, "layers".
func NewSwept(sp statespace.Space) *Swept {
	width := bits.Len64(sp.Size() - 1)
	k := &statespace.Sweep{
		Engines: func() []statespace.SweepEngine {
			return []statespace.SweepEngine{{Name: "layers", Fill: func(set *bitset.Set) statespace.Work { return newLayerWork(sp, set) }}}
		},
		Certify: func(set *bitset.Set) statespace.Certification {
			return &single{do: func(s *single) { s.faults, _ = statespace.Certify(context.Background(), sp, set) }}
		},
		Count: func(set *bitset.Set) statespace.Counting {
			return &single{do: func(s *single) { s.layers = statespace.CountLayers(sp, set) }}
		},
		CertifyFolded: func(set statespace.FoldedSet, _ []uint32) statespace.Certification {
			return &single{do: func(s *single) { s.faults, _ = sweep.CertifyFoldedPlain(context.Background(), sp, set) }}
		},
		CountFolded: func(set statespace.FoldedSet, _ []uint32) statespace.Counting {
			return &single{do: func(s *single) { s.layers, _ = sweep.CountFoldedPlain(sp, set) }}
		},
		Between: func(ctx context.Context, symmetries []int, members bitset.Reader, to statespace.Index, set *bitset.Set, _ int, _ *statespace.Progress) error {
			kept := lists.Map(symmetries, func(i int) paths.Symmetry { return paths.Keeping(sp)[i] })
			return paths.BetweenPlain(ctx, sp, kept, members, to, set)
		},
		Places:   func(move int) (from, to int) { return move, move + 1 },
		Pointers: sweep.PlainPointers(sp, 4),
		// The pattern of a state is its number, followed by a bit that is 1.
		Patterns: &statespace.Patterns{
			Bits: width + 1,
			Of:   func(x statespace.Index) uint64 { return 2*x + 1 },
			Numbered: func(dst []statespace.NumberedPattern, word uint64) []statespace.NumberedPattern {
				for bit := 1; bit < 64; bit += 2 {
					if x := (64*word + uint64(bit)) / 2; x < sp.Size() {
						dst = append(dst, statespace.NumberedPattern{Bit: bit, Number: x})
					}
				}
				return dst
			},
		},
	}
	if sp.Size() >= 64 && sp.Size() == 1<<width {
		k.BitOrder = func() bitset.Order {
			order := bitset.PlainOrder(width)
			slices.Reverse(order)
			return order
		}
	}
	return &Swept{sp, k}
}

// layerWork fills a set layer by layer: a stage is a layer, and it has
// one task.
type layerWork struct {
	sp     statespace.Space
	of     statespace.Layers
	set    *bitset.Set
	layers []int // in the order of moves
}

func newLayerWork(sp statespace.Space, set *bitset.Set) *layerWork {
	w := &layerWork{sp: sp, of: sp.Parts().Layers, set: set}
	for x := range sp.Size() {
		w.layers = append(w.layers, w.of.Layer(x))
	}
	slices.Sort(w.layers)
	w.layers = slices.Compact(w.layers)
	if w.of.LayersFall() {
		slices.Reverse(w.layers)
	}
	return w
}

// Stages implements statespace.Work.
func (w *layerWork) Stages() int { return len(w.layers) }

// Tasks implements statespace.Work.
func (w *layerWork) Tasks(int) int { return 1 }

// NewWorker implements statespace.Work.
func (w *layerWork) NewWorker() statespace.Worker { return w }

// Do implements statespace.Worker: it adds the successors of a layer.
func (w *layerWork) Do(stage, _ int) {
	for x := range w.set.All() {
		if w.of.Layer(x) != w.layers[stage] {
			continue
		}
		for _, e := range w.sp.Successors(nil, x) {
			w.set.Add(e.To)
		}
	}
}

// single is work of one task.
type single struct {
	do     func(s *single)
	faults statespace.Faults
	layers []statespace.Layer
}

// Stages implements statespace.Work.
func (s *single) Stages() int { return 1 }

// Tasks implements statespace.Work.
func (s *single) Tasks(int) int { return 1 }

// NewWorker implements statespace.Work.
func (s *single) NewWorker() statespace.Worker { return s }

// Do implements statespace.Worker.
func (s *single) Do(int, int) { s.do(s) }

// Faults implements statespace.Certification.
func (s *single) Faults() statespace.Faults { return s.faults }

// Layers implements statespace.Counting.
func (s *single) Layers() []statespace.Layer { return s.layers }
