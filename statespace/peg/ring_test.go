package peg_test

import (
	"math/rand/v2"
	"testing"

	"pagoda/statespace/peg"
	"pagoda/statespace/spacetest"
)

// largerBoard draws a rectangle with enough cells that not all blocks are needed at a time,
// and a start that some symmetries of it may keep.
func largerBoard(rng *rand.Rand) (*peg.Board, peg.Position) {
	sides := [][2]int{{4, 5}, {3, 7}, {6, 4}, {5, 5}}[rng.IntN(4)]
	b, err := peg.Rectangle(sides[0], sides[1])
	if err != nil {
		panic(err)
	}
	start, symmetries := b.Full(), b.Symmetries()
	symmetry := symmetries[rng.IntN(len(symmetries))]
	for cell := rng.IntN(len(b.Cells())); start>>cell&1 == 1; cell = symmetry[cell] {
		start &^= 1 << cell
	}
	return b, start
}

// Folded and in a ring, a sweep finds what the plain search does, on any number of threads,
// and counts it by layer and up to symmetry.
func TestStream(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 4))
	most := 240
	if testing.Short() {
		most = 20
	}
	symmetric, rings := 0, 0
	for boards := 0; boards < most; {
		draw := []func(*rand.Rand) (*peg.Board, peg.Position){randomBoard, symmetricBoard, symmetricBoard, largerBoard}[boards%4]
		b, start := draw(rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		if sp.BlockBits() == 0 {
			continue
		}
		boards++
		if len(sp.Symmetries()) > 0 {
			symmetric++
		}
		if sp.Slots() < sp.KeptBlocks() {
			rings++
		}
		kernels := sp.Kernels()
		if err := sp.UseKernel(kernels[rng.IntN(len(kernels))]); err != nil {
			t.Fatal(err)
		}
		t.Run(b.FormatPosition(start), func(t *testing.T) { spacetest.TestStream(t, sp) })
	}
	if symmetric < most/4 || rings < most/12 {
		t.Errorf("of %d boards, %d are symmetric and %d have a ring", most, symmetric, rings)
	}
}
