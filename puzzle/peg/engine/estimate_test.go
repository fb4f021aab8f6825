package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pagoda/internal/lists"
	"pagoda/internal/long"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
)

// engines are those of starts with and without symmetries, with large and small blocks.
func engines(t *testing.T) (all []*Engine) {
	t.Helper()
	rectangle, err := board.Rectangle(5, 6)
	if err != nil {
		t.Fatal(err)
	}
	cross, start, err := board.ParseBoard("  ooo\n  ooo\nooooooo\nooo.ooo\nooooooo\n  ooo\n  ooo")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		board *board.Board
		start board.Position
	}{{rectangle, rectangle.Full() &^ 1}, {rectangle, rectangle.Full() &^ (1<<12 | 1<<17)}, {cross, start}} {
		e, _ := newEngine(t, s.board, s.start, layout.New(s.board, s.board.Stabilizer(s.start)))
		all = append(all, e)
	}
	return all
}

// A sample agrees with the whole schedule on its blocks and on their sources.
func TestSampleAgreesWithSchedule(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	for _, e := range engines(t) {
		whole := e.folding()
		f := newFolding(e.class, e.layout, e.symmetries())
		p := newPass(f.blocks, f.layout, e.kernel)
		sample, tries := f.sample(rng, e.root)
		n := len(sample.order)
		if tries < minTries || n < minSample || int(sample.stages[1]) != n {
			t.Errorf("a sample of %d blocks, of %d that were looked at", n, tries)
		}
		p.schedule, p.ring = sample, &ring{folds: f.folds, slots: uint32(3 * n)}
		sample.placeSources(p, rng)

		// Two blocks may share an entry of the tables, but that is rare.
		sources, wrong := 0, 0
		for i, block := range sample.order {
			place := int(whole.places[block]>>whole.viaBits) - 1
			if place < 0 || whole.order[place] != block || whole.images[place] != sample.images[i] {
				t.Fatalf("block %d is not one that is made, or has not %d images", block, sample.images[i])
			}
			for k := range p.pulls {
				pull := &p.pulls[k]
				source := block ^ uint32(pull.flip)
				if p.outside(uint64(block))&pull.cells != pull.want || whole.places[source] == 0 {
					continue
				}
				place := sample.places[sample.entry(source)]
				if at := int(place>>sample.viaBits) - 1; at < n || at >= 3*n {
					t.Fatalf("a source is at place %d, expected one behind the %d of the sample and before %d", at, n, 3*n)
				}
				sources++
				if via := uint32(1)<<whole.viaBits - 1; place&via != whole.places[source]&via {
					wrong++
				}
			}
		}
		if sources == 0 || wrong > sources/20 {
			t.Errorf("of %d sources, %d have another symmetry than in the schedule", sources, wrong)
		}
	}
}

// An estimate can be made with every kernel, and for a light start that reaches few
// blocks. It stops with its context.
func TestEstimate(t *testing.T) {
	for _, e := range engines(t) {
		for _, kernel := range e.Kernels() {
			if err := e.UseKernel(kernel); err != nil {
				t.Fatalf("there is no kernel %s", kernel)
			}
			if !long.Tests && kernel != e.Kernels()[0] {
				continue
			}
			if took, err := e.estimate(t.Context(), 2); err != nil || took <= 0 {
				t.Errorf("%s: %v, %v", kernel, took, err)
			}
		}
	}
	b, err := board.Rectangle(6, 6)
	if err != nil {
		t.Fatal(err)
	}
	light, _ := newEngine(t, b, 3, layout.New(b, b.Stabilizer(3)))
	if took, err := light.estimate(t.Context(), 1); err != nil || took <= 0 || lists.Sum(light.kept()) > 100 {
		t.Errorf("%d blocks: %v, %v", lists.Sum(light.kept()), took, err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := light.estimate(stopped, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
