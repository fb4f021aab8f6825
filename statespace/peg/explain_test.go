package peg_test

import (
	"math/rand/v2"
	"testing"

	"pagoda/statespace/peg"
)

// What is told of a stream before is what it is.
func TestExplainTellsTheStream(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 10))
	rings := 0
	for boards := 0; boards < 60; boards++ {
		b, start := []func(*rand.Rand) (*peg.Board, peg.Position){randomBoard, symmetricBoard, largerBoard, largerBoard}[boards%4](rng)
		sp, err := peg.New("random", b, start)
		if err != nil {
			t.Fatal(err)
		}
		told := sp.Explain().(*peg.Explanation).Sweep
		folding := sp.Folding()
		if folding == nil {
			if told != nil && told.KeptBlocks != 0 {
				t.Errorf("%d blocks are told, and there is no folding; board:\n%s", told.KeptBlocks, b.Text(start))
			}
			continue
		}
		all := uint64(len(folding.Order))
		words := uint64(1) << (folding.Bits - 6)
		st := sp.Stream(make([]uint64, all*words))
		window := uint64(0)
		for stage := range st.Stages() {
			window = max(window, st.Begin(stage+1)-st.Needs(stage))
		}
		if told.KeptBlocks != all || told.WindowBlocks != window || told.Symmetries < 1+len(sp.Symmetries()) || told.BlockBytes != int(8*words) || told.Levels != st.Stages() {
			t.Errorf("told is %+v; there are %d blocks of %d words in %d stages, %d in memory, %d symmetries; board:\n%s",
				told, all, words, st.Stages(), window, 1+len(sp.Symmetries()), b.Text(start))
		}
		if window < all {
			rings++
		}
	}
	if rings < 6 {
		t.Errorf("only %d boards have a ring", rings)
	}
}
