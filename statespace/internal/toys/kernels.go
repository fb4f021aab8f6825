package toys

import (
	"context"
	"math/bits"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/paths"
	"pagoda/statespace/sweep"
)

// Swept is a Layered space with kernels.
type Swept struct {
	statespace.Layered
	Kernels *sweep.Sweep
}

// Sweep implements sweep.Swept.
func (s *Swept) Sweep() *sweep.Sweep { return s.Kernels }

// Symmetries implements statespace.Symmetric.
func (s *Swept) Symmetries() []statespace.Symmetry { return statespace.Symmetries(s.Layered) }

// NewSwept returns a space with all kernels that every Layered space can have. They do the same as
// the plain functions, and there is one engine, "layers".
func NewSwept(sp statespace.Layered) *Swept {
	width := bits.Len64(sp.Size() - 1)
	k := &sweep.Sweep{
		Engines: func() []sweep.Engine {
			return []sweep.Engine{{Name: "layers", Fill: func(set *bitset.Set) statespace.Work { return newLayerWork(sp, set) }}}
		},
		Certify: func(set *bitset.Set) sweep.Certification {
			return &single{do: func(s *single) { s.faults = statespace.Certify(sp, set) }}
		},
		Count: func(set *bitset.Set) sweep.Counting {
			return &single{do: func(s *single) { s.layers = statespace.CountLayers(sp, set) }}
		},
		CertifyFolded: func(set sweep.FoldedSet, _ []uint32) sweep.Certification {
			return &single{do: func(s *single) { s.faults, _ = sweep.CertifyFoldedPlain(sp, set) }}
		},
		CountFolded: func(set sweep.FoldedSet, _ []uint32) sweep.Counting {
			return &single{do: func(s *single) { s.layers, _ = sweep.CountFoldedPlain(sp, set) }}
		},
		Between: func(ctx context.Context, symmetries []int, members bitset.Reader, to statespace.Index, set *bitset.Set, _ int, _ *statespace.Progress) error {
			var kept []paths.Symmetry
			for _, i := range symmetries {
				kept = append(kept, paths.Keeping(sp)[i])
			}
			return paths.BetweenPlain(ctx, sp, kept, members, to, set)
		},
		Places:   func(move int) (from, to int) { return move, move + 1 },
		Pointers: sweep.PlainPointers(sp, 4),
		// The pattern of a state is its number, followed by a bit that is 1.
		Patterns: &sweep.Patterns{
			Bits: width + 1,
			Of:   func(x statespace.Index) uint64 { return 2*x + 1 },
			Numbered: func(dst []sweep.NumberedPattern, word uint64) []sweep.NumberedPattern {
				for bit := 1; bit < 64; bit += 2 {
					if x := (64*word + uint64(bit)) / 2; x < sp.Size() {
						dst = append(dst, sweep.NumberedPattern{Bit: bit, Number: x})
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
	sp     statespace.Layered
	set    *bitset.Set
	layers []int // in the order of moves
}

func newLayerWork(sp statespace.Layered, set *bitset.Set) *layerWork {
	w := &layerWork{sp: sp, set: set}
	for x := range sp.Size() {
		w.layers = append(w.layers, sp.Layer(x))
	}
	slices.Sort(w.layers)
	w.layers = slices.Compact(w.layers)
	if sp.LayersFall() {
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
		if w.sp.Layer(x) != w.layers[stage] {
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

// Faults implements sweep.Certification.
func (s *single) Faults() statespace.Faults { return s.faults }

// Layers implements sweep.Counting.
func (s *single) Layers() []statespace.Layer { return s.layers }
