package peg_test

import (
	"math/rand/v2"
	"testing"

	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/statespace/sweep"
)

// Explain predicts the sizes of a run that makes block after block.
func TestExplainAgreesWithBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 10))
	rings := 0
	for boards := 0; boards < 60; boards++ {
		b, start := []func(*rand.Rand) (*board.Board, board.Position){pegtest.RandomBoard, pegtest.SymmetricBoard, pegtest.LargerBoard, pegtest.LargerBoard}[boards%4](rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		said := sp.Explain().(*peg.Explanation).Sweep
		blocks := sweep.BlocksOf(sp)
		if blocks == nil {
			if said != nil && said.Representatives != 0 {
				t.Errorf("Explain counts %d blocks, and there is no folding; board:\n%s", said.Representatives, b.Text(start))
			}
			continue
		}
		all := uint64(len(blocks.Folding().Order))
		words := uint64(1) << (blocks.Bits - 6)
		st := blocks.Stream(make([]uint64, all*words))
		window := uint64(0)
		for stage := range st.Stages() {
			window = max(window, st.Begin(stage+1)-st.Needs(stage))
		}
		if said.Representatives != all || said.WindowBlocks != window || said.Symmetries < 1+len(sp.Symmetries()) || said.BlockBytes != int(8*words) || said.Levels != st.Stages() {
			t.Errorf("Explain says %+v; there are %d blocks of %d words in %d stages, %d in memory, %d symmetries; board:\n%s",
				said, all, words, st.Stages(), window, 1+len(sp.Symmetries()), b.Text(start))
		}
		if window < all {
			rings++
		}
	}
	if rings < 6 {
		t.Errorf("only %d boards have a ring", rings)
	}
}
