package peg_test

import (
	"math/rand/v2"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sweep"
)

// Folded and in a ring, a sweep finds what the plain search finds, on any number of
// threads, and counts it by layer and up to symmetry.
func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 4))
	most := 80
	if !long.Tests {
		most = 8
	}
	symmetric, rings := 0, 0
	for boards := 0; boards < most; {
		draw := []func(*rand.Rand) (*board.Board, board.Position){pegtest.RandomBoard, pegtest.SymmetricBoard, pegtest.SymmetricBoard, pegtest.LargerBoard}[boards%4]
		b, start := draw(rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		blocks := sweep.BlocksOf(sp)
		if blocks == nil {
			continue
		}
		boards++
		if len(sp.Symmetries()) > 0 {
			symmetric++
		}
		if blocks.Window < blocks.Representatives {
			rings++
		}
		e := sweepEngine(t, sp)
		if err := e.UseKernel(e.Kernels[rng.IntN(len(e.Kernels))]); err != nil {
			t.Fatal(err)
		}
		t.Run(b.FormatPosition(start), func(t *testing.T) { spacetest.TestBlocks(t, sp) })
	}
	if symmetric < most/4 || rings < most/12 {
		t.Errorf("of %d boards, %d are symmetric and %d have a ring", most, symmetric, rings)
	}
}

// A space without a sweep has no estimate.
func TestNoEstimate(t *testing.T) {
	b, err := board.Rectangle(1, 3)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := peg.New("1x3", b, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spacetest.FindEngine(sp, peg.SweepEngine); err == nil || sweep.BlocksOf(sp) != nil {
		t.Errorf("1x3 has an estimate, without a sweep: %v", err)
	}
	if took, err := sweep.BlocksOf(pegtest.Lookup(t, "peg/4x5")).Estimate(t.Context(), 1); err != nil || took <= 0 {
		t.Errorf("the estimate of 4x5 is %v, %v", took, err)
	}
}
