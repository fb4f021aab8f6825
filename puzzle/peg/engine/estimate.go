package engine

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"time"

	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/puzzle/peg/layout"
	"pagoda/statespace"
)

// estimate returns about how long a stream takes with memory for the window on the given
// number of threads, from the folding on, if there are as many processors like this
// one and they do nothing else. In about a tenth of a second, however large the board,
// it times the kernel on some blocks with random contents, and the scheduling on some of
// all blocks. It leaves out what is done with blocks after they are made.
func (e *Engine) estimate(ctx context.Context, threads int) (time.Duration, error) {
	if e.slabs != nil {
		return e.estimateSlabs(ctx, threads)
	}
	begin := mapped.ProcessorTime()
	f := newFolding(e.class, e.layout, e.symmetries())
	p := newPass(f.blocks, f.layout, e.kernel)
	p.ring = &ring{folds: f.folds, rootPlace: -1, counter: counter{kinds: newKinds(f.blocks), folds: len(f.folds)}}
	setup := mapped.ProcessorTime() - begin

	rng := rand.New(rand.NewPCG(1, 2))
	begin = mapped.ProcessorTime()
	sample, tries := f.sample(rng, e.root)
	scheduling := mapped.ProcessorTime() - begin

	// The blocks of the sample come first; what they need lies behind.
	n := uint64(len(sample.order))
	kept := e.kept()
	slots := n + max(n, min(e.layout.Window(kept), sampleMemory/uint64(f.words)))
	p.schedule, p.ring.slots = sample, uint32(slots)
	memory, err := mapped.Alloc(ctx, slots*uint64(f.words), 1)
	if err != nil {
		return 0, err
	}
	defer memory.Free()
	p.memory = memory.Words()
	for i := range p.memory {
		p.memory[i] = rng.Uint64()
	}

	// Each round reads other memory, so that not all of it is in a cache from the round before.
	each, err := bestRound(func() (time.Duration, uint64, error) {
		sample.placeSources(p, rng)
		begin := mapped.ProcessorTime()
		err := statespace.Do(ctx, p, 1, nil)
		return mapped.ProcessorTime() - begin, n, err
	})
	if err != nil {
		return 0, err
	}
	alone := float64(setup) + float64(scheduling)*float64(f.count())/float64(tries)
	shared := each * float64(lists.Sum(kept))
	return time.Duration(alone + shared/float64(threads)), nil
}

// estimateSlabs is estimate for blocks in slabs. It makes some of the tasks.
func (e *Engine) estimateSlabs(ctx context.Context, threads int) (time.Duration, error) {
	begin := mapped.ProcessorTime()
	s := newSlabs(e.slabs.blocks, e.layout, e.start, e.symmetries())
	p := newSlabPass(s, e.kernel, e.start, nil)
	setup := mapped.ProcessorTime() - begin

	// The blocks of a slab in a stage are in slots side by side.
	slots := max(sampleMemory/uint64(s.words), 2*s.longest())
	memory, err := mapped.Alloc(ctx, slots*uint64(s.words), 1)
	if err != nil {
		return 0, err
	}
	defer memory.Free()
	p.memory, p.slots = memory.Words(), slots
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range p.memory {
		p.memory[i] = rng.Uint64()
	}
	w := p.NewWorker()
	each, err := bestRound(func() (time.Duration, uint64, error) {
		begin, blocks := mapped.ProcessorTime(), uint64(0)
		for blocks < maxSample {
			stage, task := s.taskAt(rng.Uint64N(s.total()))
			w.Do(stage, task)
			blocks += s.taskEnd(stage, task) - s.taskBegin(stage, task)
		}
		return mapped.ProcessorTime() - begin, blocks, context.Cause(ctx)
	})
	return time.Duration(float64(setup) + each*float64(s.total())/float64(threads)), err
}

// bestRound returns the least time for a block of several rounds, as other programs slow some down. A round makes some
// blocks, and returns its time and their number.
func bestRound(round func() (took time.Duration, blocks uint64, err error)) (each float64, err error) {
	each = math.Inf(1)
	for n, spent := 0, time.Duration(0); n < leastRounds || spent < leastTime; n++ {
		took, blocks, err := round()
		if err != nil {
			return 0, err
		}
		spent += max(took, time.Microsecond)
		each = min(each, float64(took)/float64(blocks))
	}
	return each, nil
}

const (
	// A sample has between minSample and maxSample blocks, and about sampleWords words if
	// that is possible. To find them, between minTries and maxTries blocks are looked at:
	// if the start is light, few blocks are made.
	minSample, maxSample, sampleWords = 32, 1 << 14, 1 << 17
	minTries, maxTries                = 1 << 15, 1 << 18
	// The words that a sample reads from, and the bits that number its places, take more
	// memory than the caches of a core.
	sampleMemory, samplePlaceBits = 1 << 22, 20

	leastRounds, leastTime = 4, 80 * time.Millisecond
)

// sample returns a schedule of one stage with the block of the start and other
// representatives. It looks at blocks as newSchedule does, and also returns how many.
func (f *folding) sample(rng *rand.Rand, root uint64) (s *schedule, tries uint64) {
	weigher := layout.NewWeigher(f.layout.BlockWeights)
	heaviest := weigher.Weight(f.outside(root >> f.bits))
	blocks := f.count()
	n := max(minSample, min(maxSample, sampleWords/f.words))
	s = &schedule{sampled: true, order: []uint32{uint32(root >> f.bits)}, viaBits: bits.Len(uint(len(f.folds)))}
	images := make([]uint32, len(f.folds))
	for tries < minTries || len(s.order) < n && tries < maxTries {
		first := rng.Uint64N(blocks) &^ 255
		for i, fold := range f.folds {
			images[i] = fold.image(uint32(first))
		}
		last := min(first+256, blocks)
		for b := first; b < last; b++ {
			if isRepresentative(uint32(b), images, f.folds) && weigher.Weight(f.outside(b)) <= heaviest && len(s.order) < n {
				s.order = append(s.order, uint32(b))
			}
		}
		tries += last - first
	}
	s.stages = []uint32{0, uint32(len(s.order))}
	s.sortByProgram(f.blocks)
	for _, block := range s.order {
		fixed := 1
		for _, fold := range f.folds {
			if fold.image(block) == block {
				fixed++
			}
		}
		s.images = append(s.images, uint8((1+len(f.folds))/fixed))
	}
	return s, tries
}

// placeSources decides where the sources of a sample are, behind it. Those of a jump lie
// near each other, much as in the order of a whole schedule.
func (s *schedule) placeSources(p *pass, rng *rand.Rand) {
	if s.places == nil {
		s.places = make([]uint32, 1<<samplePlaceBits)
	}
	n := uint32(len(s.order))
	behind := p.ring.slots - n
	for k := range p.pulls {
		pull := &p.pulls[k]
		at := rng.Uint32N(behind)
		for _, block := range s.order {
			if p.outside(uint64(block))&pull.cells != pull.want {
				continue
			}
			source := block ^ uint32(pull.flip)
			least, via := source, uint32(0)
			for i, fold := range p.ring.folds {
				if image := fold.image(source); image < least {
					least, via = image, uint32(i+1)
				}
			}
			s.places[s.entry(source)] = (n+at%behind+1)<<s.viaBits | via
			at += 1 + rng.Uint32N(4)
		}
	}
}
