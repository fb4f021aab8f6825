package peg

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// sampleSpaces are spaces with and without symmetries, with large and small blocks.
func sampleSpaces(t *testing.T) (all []*Space) {
	t.Helper()
	rectangle, err := Rectangle(5, 6)
	if err != nil {
		t.Fatal(err)
	}
	cross, start, err := ParseBoard("  ooo\n  ooo\nooooooo\nooo.ooo\nooooooo\n  ooo\n  ooo")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		board *Board
		start Position
	}{{rectangle, rectangle.Full() &^ 1}, {rectangle, rectangle.Full() &^ (1<<12 | 1<<17)}, {cross, start}} {
		sp, err := New("a board", s.board, s.start)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sp)
	}
	return all
}

// What a sample says of its blocks and of what they need is what the whole plan says.
func TestSampleAgreesWithPlan(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	for _, sp := range sampleSpaces(t) {
		whole := sp.folding()
		f := unplanned(sp.class, sp.layout(), sp.symmetries())
		sw := &sweep{blocks: f.blocks, kernel: sp.sweepKernel(), layout: f.layout}
		sw.compile()
		sample, tries := f.sample(rng, sp.Roots()[0])
		n := len(sample.order)
		if tries < minTries || n < minSample || int(sample.stages[1]) != n {
			t.Errorf("a sample of %d blocks, of %d that were looked at", n, tries)
		}
		sw.plan, sw.ring = sample, &ring{folds: f.folds, slots: uint32(3 * n)}
		sample.placeSources(sw, rng)

		// Two blocks may share an entry of the tables, but that is rare.
		sources, wrong := 0, 0
		for i, block := range sample.order {
			place := int(whole.places[block]>>whole.viaBits) - 1
			if place < 0 || whole.order[place] != block || whole.images[place] != sample.images[i] {
				t.Fatalf("block %d is not one that is made, or has not %d images", block, sample.images[i])
			}
			for k := range sw.pulls {
				pull := &sw.pulls[k]
				source := block ^ uint32(pull.flip)
				if sw.outside(uint64(block))&pull.cells != pull.want || whole.places[source] == 0 {
					continue
				}
				place := sample.places[sample.entry(source)]
				if p := int(place>>sample.viaBits) - 1; p < n || p >= 3*n {
					t.Fatalf("a source is at place %d, expected one behind the %d of the sample and before %d", p, n, 3*n)
				}
				sources++
				if via := uint32(1)<<whole.viaBits - 1; place&via != whole.places[source]&via {
					wrong++
				}
			}
		}
		if sources == 0 || wrong > sources/20 {
			t.Errorf("of %d sources, %d have another symmetry than in the plan", sources, wrong)
		}
	}
}

// An estimate can be made with every kernel; there is none of a board that cannot be
// swept.
func TestEstimateStream(t *testing.T) {
	for _, sp := range sampleSpaces(t) {
		for _, kernel := range sp.Kernels() {
			if err := sp.UseKernel(kernel); err != nil {
				t.Fatal(err)
			}
			if took, err := sp.EstimateStream(t.Context(), 2); err != nil || took <= 0 {
				t.Errorf("%s: %v, %v", kernel, took, err)
			}
		}
	}
	// Of a light start, few blocks are made.
	b, err := Rectangle(6, 6)
	if err != nil {
		t.Fatal(err)
	}
	light, err := New("6x6", b, 3)
	if err != nil {
		t.Fatal(err)
	}
	if took, err := light.EstimateStream(t.Context(), 1); err != nil || took <= 0 || light.KeptBlocks() > 100 {
		t.Errorf("%d blocks: %v, %v", light.KeptBlocks(), took, err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := light.EstimateStream(stopped, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	b, err = Rectangle(1, 3)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := New("1x3", b, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sp.EstimateStream(t.Context(), 1); err == nil || slices.Contains(sp.Engines(), SweepEngine) {
		t.Errorf("1x3 has an estimate, without a sweep: %v", err)
	}
}
