package peg

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"time"

	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// EstimateStream returns about how long it takes to make a Stream with memory for
// Slots blocks on so many threads, from the folding on, if there are as many processors
// like this one and they have nothing else to do. The kernel is timed on some blocks with
// random contents, and the planning on some of the blocks that are planned, in about a
// tenth of a second however large the board is. What is done with the blocks when they
// are made is not in it.
func (s *Space) EstimateStream(ctx context.Context, threads int) (time.Duration, error) {
	if s.BlockBits() == 0 {
		return 0, fmt.Errorf("%s has no blocks that its symmetries take to blocks, so that it cannot be streamed", s.name)
	}
	begin := processorTime()
	l := s.layout()
	f := unplanned(s.class, l, s.symmetries())
	sw := &sweep{blocks: f.blocks, kernel: s.sweepKernel(), layout: l}
	sw.compile()
	sw.ring = &ring{folds: f.folds, rootPlace: -1, kinds: newKinds(f.blocks)}
	setup := processorTime() - begin

	rng := rand.New(rand.NewPCG(1, 2))
	begin = processorTime()
	sample, tries := f.sample(rng, s.Roots()[0])
	planning := processorTime() - begin

	// The blocks of the sample come first; what they need lies behind.
	n := uint64(len(sample.order))
	slots := n + max(n, min(s.Slots(), sampleMemory/uint64(f.words)))
	sw.plan, sw.ring.slots = sample, uint32(slots)
	memory, err := mapped.Alloc(ctx, slots*uint64(f.words), 1)
	if err != nil {
		return 0, err
	}
	defer memory.Free()
	sw.memory = memory.Words()
	for i := range sw.memory {
		sw.memory[i] = rng.Uint64()
	}

	// The best of several rounds, as what else runs here makes some longer. Each reads other
	// memory, so that not all of it is in a cache from the one before.
	var best, spent time.Duration
	for round := 0; round < leastRounds || spent < leastTime; round++ {
		sample.placeSources(sw, rng)
		begin := processorTime()
		if err := statespace.Do(ctx, sw, 1, nil); err != nil {
			return 0, err
		}
		took := processorTime() - begin
		if spent += max(took, time.Microsecond); round == 0 || took < best {
			best = took
		}
	}
	all := s.Size() >> f.bits
	alone := float64(setup) + float64(planning)*float64(all)/float64(tries)
	shared := float64(best) * float64(s.KeptBlocks()) / float64(n)
	return time.Duration(alone + shared/float64(threads)), nil
}

const (
	// A sample has at least and at most so many blocks, else those of so many words. At
	// least and at most so many are looked at to find them: where the start is light, few
	// are kept.
	minSample, maxSample, sampleWords = 32, 1 << 14, 1 << 17
	minTries, maxTries                = 1 << 15, 1 << 18
	// The words that a sample reads from, and the bits that number its places: they are
	// larger than the caches of a core.
	sampleMemory, samplePlaceBits = 1 << 22, 20

	leastRounds, leastTime = 4, 80 * time.Millisecond
)

// sample returns a plan of one stage with the block of the start and other kept blocks, and
// how many blocks it has looked at, in the way in which newPlan does.
func (f *folding) sample(rng *rand.Rand, root uint64) (p *plan, tries uint64) {
	weigh := newWeigher(f.layout.BlockWeights)
	heaviest := weigh.weight(f.outside(root >> f.bits))
	blocks := uint64(1) << (f.class.Dim() - f.bits)
	n := max(minSample, min(maxSample, sampleWords/f.words))
	p = &plan{sampled: true, order: []uint32{uint32(root >> f.bits)}, viaBits: bits.Len(uint(len(f.folds)))}
	images := make([]uint32, len(f.folds))
	for tries < minTries || len(p.order) < n && tries < maxTries {
		first := rng.Uint64N(blocks) &^ 255
		for i, fold := range f.folds {
			images[i] = fold.image(uint32(first))
		}
		last := min(first+256, blocks)
		for b := first; b < last; b++ {
			if isLeast(uint32(b), images, f.folds) && weigh.weight(f.outside(b)) <= heaviest && len(p.order) < n {
				p.order = append(p.order, uint32(b))
			}
		}
		tries += last - first
	}
	p.stages = []uint32{0, uint32(len(p.order))}
	p.sortByProgram(f.blocks)
	for _, block := range p.order {
		fixed := 1
		for _, fold := range f.folds {
			if fold.image(block) == block {
				fixed++
			}
		}
		p.images = append(p.images, uint8((1+len(f.folds))/fixed))
	}
	return p, tries
}

// placeSources tells where the sources of a sample are, behind it: those of a jump lie near
// each other, nearly as in the order of a plan.
func (p *plan) placeSources(s *sweep, rng *rand.Rand) {
	if p.places == nil {
		p.places = make([]uint32, 1<<samplePlaceBits)
	}
	n := uint32(len(p.order))
	behind := s.ring.slots - n
	for k := range s.pulls {
		pull := &s.pulls[k]
		at := rng.Uint32N(behind)
		for _, block := range p.order {
			if s.outside(uint64(block))&pull.cells != pull.want {
				continue
			}
			source := block ^ uint32(pull.flip)
			least, via := source, uint32(0)
			for i, fold := range s.ring.folds {
				if image := fold.image(source); image < least {
					least, via = image, uint32(i+1)
				}
			}
			p.places[p.entry(source)] = (n+at%behind+1)<<p.viaBits | via
			at += 1 + rng.Uint32N(4)
		}
	}
}
