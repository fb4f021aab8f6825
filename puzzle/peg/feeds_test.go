package peg_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// fedSpaces are boards with and without symmetries, of square and triangular lattices.
func fedSpaces(t *testing.T) (all []*peg.Space) {
	t.Helper()
	for _, name := range []string{"peg/4x4", "peg/5x5", "peg/5x6", "peg/4x6", "peg/4x7", "peg/triangle15"} {
		all = append(all, pegtest.Lookup(t, name))
	}
	rectangle, err := board.Rectangle(5, 6)
	if err != nil {
		t.Fatal(err)
	}
	triangle, err := board.OfShape(board.TriangleShape(7))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		name  string
		board *board.Board
		start board.Position
	}{
		{"5x6 from a corner", rectangle, rectangle.Full() &^ 1},
		{"three rows of triangle28", triangle, 1<<6 - 1}, // few of its blocks
	} {
		sp, err := peg.New(s.name, s.board, s.start)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sp)
	}
	return all
}

// Block by block, and in groups of random blocks of a stage, makers with each kernel make from the
// listed sources alone what a stream makes, and count the same layers.
func TestFeeds(t *testing.T) {
	if !long.Tests {
		t.Skip("all blocks of many boards: TestFeedsAtOnce makes some")
	}
	rng := rand.New(rand.NewPCG(3, 6))
	for _, sp := range fedSpaces(t) {
		blocks := sweep.BlocksOf(sp)
		if blocks == nil {
			t.Fatalf("%s is not made block by block", sp.Name())
		}
		t.Logf("%s: %d blocks of 2^%d, %d symmetries", sp.Name(), blocks.Representatives, blocks.Bits, len(sp.Symmetries()))
		size := uint64(1) << (blocks.Bits - 6)
		memory := make([]uint64, blocks.Representatives*size)
		stream := blocks.Stream(memory)
		if err := statespace.Do(t.Context(), stream, 2, nil); err != nil {
			t.Fatal(err)
		}
		e := sweepEngine(t, sp)
		for _, kernel := range e.Kernels {
			if err := e.UseKernel(kernel); err != nil {
				t.Fatal(err)
			}
			f := blocks.Feeds()
			if f.Stages() != stream.Stages() {
				t.Fatalf("%s: %d stages, expected %d", sp.Name(), f.Stages(), stream.Stages())
			}
			maker, poison := f.NewMaker(), slices.Repeat([]uint64{0xaaaaaaaaaaaaaaaa}, int(size))
			for _, most := range []int{1, 20} {
				counts := make(statespace.LayerCounts)
				for stage := range f.Stages() {
					if f.Begin(stage) != stream.Begin(stage) {
						t.Fatalf("%s: stage %d begins at %d, expected %d", sp.Name(), stage, f.Begin(stage), stream.Begin(stage))
					}
					for group := range slices.Chunk(stageBlocks(rng, f, stage), most) {
						there := make(map[uint64][]uint64)
						for _, i := range group {
							for _, from := range f.Sources(nil, i) {
								there[from] = stream.Words(from)
							}
						}
						for _, i := range group {
							there[i] = slices.Clone(poison)
						}
						layers, err := maker.Make(group, func(i uint64) []uint64 { return there[i] })
						if err != nil {
							t.Fatal(err)
						}
						counts.Add(layers)
						for _, i := range group {
							if !slices.Equal(there[i], stream.Words(i)) {
								t.Fatalf("%s by %s: block %d differs, made with %d", sp.Name(), kernel, i, group)
							}
							maker.Seeds(there[i], i, stream.Words(i))
						}
						maker.Grow(group, func(i uint64) []uint64 { return there[i] })
						for _, i := range group {
							if !slices.Equal(there[i], stream.Words(i)) {
								t.Fatalf("%s by %s: block %d differs, grown with %d", sp.Name(), kernel, i, group)
							}
						}
					}
				}
				if got := counts.List(sp); !slices.Equal(got, stream.Layers()) {
					t.Errorf("%s by %s: the layers are %v, expected %v", sp.Name(), kernel, got, stream.Layers())
				}
			}
		}
	}
}

// stageBlocks lists the blocks of a stage in a random order.
func stageBlocks(rng *rand.Rand, f statespace.Feeds, stage int) (blocks []uint64) {
	for i := f.Begin(stage); i < f.Begin(stage+1); i++ {
		blocks = append(blocks, i)
	}
	rng.Shuffle(len(blocks), func(i, k int) { blocks[i], blocks[k] = blocks[k], blocks[i] })
	return blocks
}

// A maker says which block is missing or has another size, and which blocks do not go together.
// Then it makes others as before.
func TestFeedsRefuse(t *testing.T) {
	blocks := sweep.BlocksOf(pegtest.Lookup(t, "peg/5x5"))
	f := blocks.Feeds()
	size, all := 1<<(blocks.Bits-6), f.Begin(f.Stages())
	last := all - 1
	sources := f.Sources(nil, last)
	words := func(absent uint64, n int) func(i uint64) []uint64 {
		return func(i uint64) []uint64 {
			if i == absent {
				return make([]uint64, n)
			}
			return make([]uint64, size)
		}
	}
	maker := f.NewMaker()
	for _, bad := range []struct {
		blocks []uint64
		words  func(i uint64) []uint64
		want   string
	}{
		{[]uint64{last}, words(sources[0], 0), fmt.Sprintf("block %d has 0 words, expected %d", sources[0], size)},
		{[]uint64{last}, words(last, size+1), fmt.Sprintf("block %d has %d words, expected %d", last, size+1, size)},
		{[]uint64{all}, words(0, size), fmt.Sprintf("there is no block %d: there are %d blocks", all, all)},
		{[]uint64{last, sources[0]}, words(all, size), fmt.Sprintf("block %d is a source of a block", sources[0])},
	} {
		if _, err := maker.Make(bad.blocks, bad.words); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("the error is %v, expected %s", err, bad.want)
		}
	}
	first := make([]uint64, size)
	layers, err := maker.Make([]uint64{0}, func(uint64) []uint64 { return first })
	if err != nil || len(layers) == 0 || slices.Max(first) == 0 {
		t.Errorf("the first block has the layers %v, %v", layers, err)
	}
	if layers, err := maker.Make(nil, nil); len(layers) != 0 || err != nil {
		t.Errorf("no blocks have the layers %v, %v", layers, err)
	}
}

// Several makers make the blocks of a stage at once, in stages by the longest chain of sources.
func TestFeedsAtOnce(t *testing.T) {
	blocks := sweep.BlocksOf(pegtest.Lookup(t, "peg/5x6"))
	size := uint64(1) << (blocks.Bits - 6)
	stream := blocks.Stream(make([]uint64, blocks.Representatives*size))
	if err := statespace.Do(t.Context(), stream, 2, nil); err != nil {
		t.Fatal(err)
	}
	f := blocks.Feeds()
	chains := sweep.Chains(f)
	memory := make([]uint64, len(chains)*int(size))
	words := func(i uint64) []uint64 { return memory[i*size:][:size] }
	makers := []statespace.Maker{f.NewMaker(), f.NewMaker(), f.NewMaker()}
	for chain := range 1 + slices.Max(chains) {
		groups := make([][]uint64, len(makers))
		for i, c := range chains {
			if c == chain {
				groups[i%len(groups)] = append(groups[i%len(groups)], uint64(i))
			}
		}
		var group sync.WaitGroup
		for k, maker := range makers {
			group.Go(func() {
				if _, err := maker.Make(groups[k], words); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
	for i := range chains {
		if !slices.Equal(words(uint64(i)), stream.Words(uint64(i))) {
			t.Fatalf("block %d differs", i)
		}
	}
}
