package peg

import "slices"

// A plan is the order in which a sweep makes blocks.
type plan struct {
	order  []uint32 // the blocks, by falling weight
	stages []uint32 // where each weight begins in order, and the end
	needs  []uint32 // by stage: the first place in order that it, or a later one, reads
	slots  uint64   // how many blocks there must be in memory at a time
	// Of a folded set, by block: the place in order, and 1, of the block that is kept for
	// it, and 1 more than the fold that takes it there. Blocks that are never reached have
	// place 0.
	places []uint32
	via    []uint8
	images []uint8 // by place: how many images the block has, with itself
}

// newPlan sorts the blocks that can be reached by falling weight. If they
// are folded, only the least of those that are images of each other are made. Blocks of the same weight keep
// their order, so that neighbours in it look for their sources in the same region; within
// a stretch of it they are sorted by program.
func newPlan(s *blocks, l *Layout, roots []uint64, folded bool, folds []*fold) *plan {
	n := uint64(1) << (s.class.Dim() - s.bits)
	weigh := newWeigher(l.BlockWeights)
	heaviest := 0
	for _, x := range roots {
		heaviest = max(heaviest, weigh.weight(s.outside(x>>s.bits)))
	}
	p := &plan{stages: make([]uint32, heaviest+2)}
	if folded {
		p.places, p.via = make([]uint32, n), make([]uint8, n)
	}
	least := func(b uint64) (kept uint32, via uint8) {
		kept = uint32(b)
		for i, f := range folds {
			if image := f.image(uint32(b)); image < kept {
				kept, via = image, uint8(i+1)
			}
		}
		return kept, via
	}

	// First count the blocks of each weight, then list them.
	weights := make([]uint16, n) // and 1; 0: not to be made
	for b := range n {
		w := weigh.weight(s.outside(b))
		if w > heaviest {
			continue
		}
		if len(folds) > 0 {
			kept, via := least(b)
			if via != 0 {
				p.places[b], p.via[b] = kept, via
				continue
			}
		}
		weights[b] = uint16(w) + 1
		p.stages[heaviest-w+1]++
	}
	for i := range heaviest + 1 {
		p.stages[i+1] += p.stages[i]
	}
	p.order = make([]uint32, p.stages[heaviest+1])
	next := slices.Clone(p.stages)
	for b, w := range weights {
		if w > 0 {
			stage := heaviest - int(w-1)
			p.order[next[stage]] = uint32(b)
			next[stage]++
		}
	}
	p.sortByProgram(s)
	p.findNeeds(l.Drop)
	if folded {
		p.findPlaces(folds)
	}
	return p
}

// sortByProgram sorts stretches of blocks of the same weight by program.
func (p *plan) sortByProgram(s *blocks) {
	const stretch = 1024
	buckets := make([][]uint32, 1<<len(s.inside))
	for i := range len(p.stages) - 1 {
		for blocks := range slices.Chunk(p.order[p.stages[i]:p.stages[i+1]], stretch) {
			for _, b := range blocks {
				k := s.program(b)
				buckets[k] = append(buckets[k], b)
			}
			for k, bucket := range buckets {
				copy(blocks, bucket)
				blocks, buckets[k] = blocks[len(bucket):], bucket[:0]
			}
		}
	}
}

// findNeeds fills in needs and slots: jumps lose at most so much weight.
func (p *plan) findNeeds(drop int) {
	for stage := range len(p.stages) - 1 {
		need := p.stages[max(0, stage-drop)]
		p.needs = append(p.needs, need)
		p.slots = max(p.slots, uint64(p.stages[stage+1]-need))
	}
	p.needs = append(p.needs, p.stages[len(p.stages)-1])
}

// findPlaces fills in places and images. Blocks that are not kept have their kept ones in
// places so far.
func (p *plan) findPlaces(folds []*fold) {
	p.images = make([]uint8, len(p.order))
	for i, b := range p.order {
		p.places[b] = uint32(i) + 1
		fixed := 1
		for _, f := range folds {
			if f.image(b) == b {
				fixed++
			}
		}
		p.images[i] = uint8((1 + len(folds)) / fixed)
	}
	for b, via := range p.via {
		if via != 0 {
			p.places[b] = p.places[p.places[b]]
		}
	}
}
