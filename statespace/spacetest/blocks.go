package spacetest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

const (
	lawBlocks = "block by block, a space is made as a whole, and its layers are counted up to symmetry"
	lawFeeds  = "blocks are made from their sources alone, of earlier stages, and are the targets of these"
	lawFolded = "a folded set is proved and counted like the whole set"
)

// TestBlocks checks only that a small space can be made block by block. It does so more thoroughly
// than Test.
func TestBlocks(t testing.TB, sp statespace.Space) {
	t.Helper()
	set := bitset.New(sp.Size())
	if err := statespace.Search(t.Context(), sp, set, nil); err != nil {
		t.Fatal(err)
	}
	c := &checker{ctx: t.Context(), sp: sp, parts: sp.Parts(), rng: rand.New(rand.NewPCG(2, 1))}
	if err := c.blocks(sp, set, true); err != nil {
		t.Fatal(err)
	}
}

// blocks compares a space that is made block by block with the set of what can be reached: with the
// least memory for the ring, with more, and with memory for all blocks, on one and on several
// threads. If thorough is true, it tries each memory with each number of threads.
func (c *checker) blocks(sp statespace.Space, want *bitset.Set, thorough bool) error {
	blocks, symmetries := sweep.BlocksOf(sp), sweep.Symmetries(sp)
	folding := blocks.Folding()
	all := uint64(len(folding.Order))
	if blocks.Bits != folding.Bits || blocks.Representatives != all {
		return c.brokenAll(lawBlocks, "%d blocks of 2^%d numbers are promised, there are %d of 2^%d", blocks.Representatives, blocks.Bits, all, folding.Bits)
	}
	if err := sweep.CheckFolding(sp, folding.Bits); err != nil {
		return c.brokenAll(lawBlocks, "%v", err)
	}
	counts := make(statespace.LayerCounts)
	for x := range want.All() {
		layer := counts.Of(c.parts.Layers, x)
		layer.States++
		layer.Orbits += sweep.Fold(symmetries, x/64, 1<<(x%64)) >> (x % 64)
	}
	layers := counts.List(c.parts.Layers)
	for i, slots := range []uint64{max(all, blocks.Window), blocks.Window, blocks.Window + 1} {
		for j, threads := range []int{1, 2, 7} {
			if !thorough && i != j {
				continue
			}
			if err := c.blockRun(sp, want, layers, slots, threads); err != nil {
				return err
			}
		}
	}
	if blocks.Feeds == nil {
		return nil
	}
	return c.feeds(blocks, want, layers)
}

// feeds checks a space whose blocks are made from their sources alone: some of a stage at a time,
// in any order.
func (c *checker) feeds(blocks *statespace.SweepBlocks, want *bitset.Set, layers []statespace.Layer) error {
	f, order := blocks.Feeds(), blocks.Folding().Order
	if begin, all := f.Begin(f.Stages()), uint64(len(order)); begin != all {
		return c.brokenAll(lawFeeds, "the stages have %d blocks, there are %d", begin, all)
	}
	if err := c.neighbours(f, order, blocks.Bits); err != nil {
		return err
	}
	stages := make([][]uint64, f.Stages())
	for stage := range stages {
		for i := f.Begin(stage); i < f.Begin(stage+1); i++ {
			stages[stage] = append(stages[stage], i)
		}
	}
	if err := c.makeStages(stages, blocks, f, want, layers); err != nil {
		return err
	}
	stages = nil
	for i, chain := range sweep.Chains(f) {
		if int(chain) >= len(stages) {
			stages = slices.Grow(stages, 1+int(chain))[:1+int(chain)]
		}
		stages[chain] = append(stages[chain], uint64(i))
	}
	return c.makeStages(stages, blocks, f, want, layers)
}

// makeStages makes all blocks in the given stages.
func (c *checker) makeStages(stages [][]uint64, blocks *statespace.SweepBlocks, f statespace.Feeds, want *bitset.Set, layers []statespace.Layer) error {
	order, size := blocks.Folding().Order, uint64(1)<<(blocks.Bits-6)
	finished := func(i uint64) []uint64 { return want.Words()[uint64(order[i])*size:][:size] }
	maker, counts := f.NewMaker(), make(statespace.LayerCounts)
	for _, todo := range stages {
		c.rng.Shuffle(len(todo), func(i, k int) { todo[i], todo[k] = todo[k], todo[i] })
		for len(todo) > 0 {
			n := 1 + c.rng.IntN(len(todo))
			if err := c.make(f, maker, todo[:n], finished, counts, size); err != nil {
				return err
			}
			todo = todo[n:]
		}
	}
	if got := counts.List(c.parts.Layers); !slices.Equal(got, layers) {
		return c.brokenAll(lawFeeds, "the layers are %v, one by one %v", got, layers)
	}
	return nil
}

// neighbours checks that the targets are the inverse of the sources.
func (c *checker) neighbours(f statespace.Feeds, order []uint32, bits int) error {
	targets := make([][]uint64, len(order))
	for stage := range f.Stages() {
		for i := f.Begin(stage); i < f.Begin(stage+1); i++ {
			sources := f.Sources(nil, i)
			for k, from := range sources {
				if from >= f.Begin(stage) || k > 0 && from <= sources[k-1] {
					return c.broken(lawFeeds, uint64(order[i])<<bits, "block %d of stage %d has the sources %d", i, stage, sources)
				}
				targets[from] = append(targets[from], i)
			}
		}
	}
	for i, want := range targets {
		if got := f.Targets(nil, uint64(i)); !slices.Equal(got, want) {
			return c.broken(lawFeeds, uint64(order[i])<<bits, "block %d has the targets %d, and is a source of %d", i, got, want)
		}
	}
	return nil
}

// make checks blocks of one stage that a maker makes from their sources, and adds their layers to
// the counts. Nothing else is there, and their memory was used before.
func (c *checker) make(f statespace.Feeds, maker statespace.Maker, blocks []uint64, finished func(i uint64) []uint64, counts statespace.LayerCounts, size uint64) error {
	there := make(map[uint64][]uint64)
	for _, i := range blocks {
		for _, from := range f.Sources(nil, i) {
			there[from] = slices.Clone(finished(from))
		}
	}
	for _, i := range blocks {
		there[i] = make([]uint64, size)
		for k := range there[i] {
			there[i][k] = c.rng.Uint64()
		}
	}
	got, err := maker.Make(blocks, func(i uint64) []uint64 { return there[i] })
	if err != nil {
		return c.brokenAll(lawFeeds, "%v", err)
	}
	counts.Add(got)
	for i, words := range there {
		if !slices.Equal(words, finished(i)) {
			return c.brokenAll(lawFeeds, "block %d differs, when %d are made", i, blocks)
		}
	}
	return c.seeds(maker, blocks, finished, size)
}

// seeds checks that blocks grow from their seeds, and that each seed is necessary.
func (c *checker) seeds(maker statespace.Maker, blocks []uint64, finished func(i uint64) []uint64, size uint64) error {
	grown := make(map[uint64][]uint64)
	for _, i := range blocks {
		grown[i] = make([]uint64, size)
		maker.Seeds(grown[i], i, finished(i))
	}
	i := blocks[c.rng.IntN(len(blocks))]
	fewer := slices.Clone(grown[i])
	maker.Grow(blocks, func(i uint64) []uint64 { return grown[i] })
	for i, words := range grown {
		if !slices.Equal(words, finished(i)) {
			return c.brokenAll(lawFeeds, "block %d differs, when it has grown from its seeds", i)
		}
	}
	if w := slices.IndexFunc(fewer, func(word uint64) bool { return word != 0 }); w >= 0 {
		fewer[w] &= fewer[w] - 1
		maker.Grow([]uint64{i}, func(uint64) []uint64 { return fewer })
		if slices.Equal(fewer, finished(i)) {
			return c.brokenAll(lawFeeds, "block %d grows from fewer members than its seeds", i)
		}
	}
	return nil
}

// blockRun checks one run.
func (c *checker) blockRun(sp statespace.Space, want *bitset.Set, layers []statespace.Layer, slots uint64, threads int) error {
	folding := sweep.BlocksOf(sp).Folding()
	words, next := uint64(1)<<(folding.Bits-6), 0
	sink := func(got []uint64) error {
		block := uint64(folding.Order[next])
		if set := want.Words()[block*words:][:words]; !slices.Equal(got, set) {
			return c.broken(lawBlocks, block<<folding.Bits, "this block, number %d in order, differs, with %d slots and %d threads", next, slots, threads)
		}
		next++
		return nil
	}
	r, err := sweep.NewBlockRun(sp, make([]uint64, slots*words), sink)
	if err == nil {
		err = r.Run(c.ctx, nil, threads, nil)
	}
	if err != nil {
		return err
	}
	if next != len(folding.Order) {
		return c.brokenAll(lawBlocks, "%d blocks are handed on, there are %d", next, len(folding.Order))
	}
	if got := r.Layers(); !slices.Equal(got, layers) {
		return c.brokenAll(lawBlocks, "the layers are %v, one by one %v", got, layers)
	}
	if slots < uint64(len(folding.Order)) {
		return nil
	}
	set, err := r.Set()
	if err != nil {
		return err
	}
	unfolded := sweep.Unfolded{FoldedSet: set, Symmetries: sweep.Symmetries(sp)}
	for i := range want.Words() {
		if word, err := unfolded.Word(uint64(i)); err != nil || word != want.Words()[i] {
			return c.broken(lawBlocks, 64*uint64(i), "the word of this number unfolded is %x, expected %x: %v", word, want.Words()[i], err)
		}
	}
	if threads > 1 {
		return nil
	}
	return c.folded(sp, set, layers)
}

// folded checks the certificate and the count of a folded set, and the certificate of one that is
// wrong.
func (c *checker) folded(sp statespace.Space, set statespace.FoldedSet, layers []statespace.Layer) error {
	faults, err := sweep.VerifyFolded(c.ctx, sp, set, 2, nil)
	if err != nil {
		return err
	}
	if faults.Count != 0 {
		return c.broken(lawFolded, faults.First.State, "the certificate finds %+v in the set of what can be reached", faults)
	}
	counts, err := sweep.CountFolded(c.ctx, sp, set, 2)
	if err != nil {
		return err
	}
	if !slices.Equal(counts, layers) {
		return c.brokenAll(lawFolded, "the layers are %v, one by one %v", counts, layers)
	}
	order := sweep.BlocksOf(sp).Folding().Order
	for range 3 {
		block := uint64(order[c.rng.IntN(len(order))])
		x := block<<set.Bits() + c.rng.Uint64N(1<<set.Bits())
		if faults, err = sweep.VerifyFolded(c.ctx, sp, flipped{set, x}, 2, nil); err != nil {
			return err
		}
		if faults.Count == 0 {
			return c.broken(lawFolded, x, "the certificate accepts the set with this number changed")
		}
	}
	return nil
}

// flipped is a folded set with a number changed.
type flipped struct {
	statespace.FoldedSet
	x statespace.Index // in a representative
}

// Representative implements statespace.FoldedSet.
func (f flipped) Representative(block uint64) ([]uint64, error) {
	words, err := f.FoldedSet.Representative(block)
	if err != nil || block != f.x>>f.Bits() {
		return words, err
	}
	if words = slices.Clone(words); words == nil {
		words = make([]uint64, 1<<f.Bits()/64)
	}
	x := f.x % (1 << f.Bits())
	words[x/64] ^= 1 << (x % 64)
	return words, nil
}
