package peg

import (
	"math/bits"
	"slices"
)

// A plan is the order in which a sweep makes blocks.
type plan struct {
	order  []uint32 // the blocks, by falling weight
	stages []uint32 // where each weight begins in order, and the end
	needs  []uint32 // by stage: the first place in order that it, or a later one, reads
	// Of a folded set, by block: where the block is that is kept for it. Its place in order,
	// and 1, stands above viaBits bits for the fold that takes it there, and 1; of blocks that
	// are never reached, all is 0.
	places  []uint32
	viaBits int
	images  []uint8 // by place: how many images the block has, with itself
	// sampled says that places has just the sources of a few blocks; see entry.
	sampled bool
}

// entry returns where places has a block. In that of a sample, two blocks may have the same
// entry.
func (p *plan) entry(block uint32) uint32 {
	if p.sampled {
		return block * 2654435769 >> (32 - samplePlaceBits)
	}
	return block
}

// newPlan sorts the blocks that can be reached by falling weight. If they are folded, only
// the least of those that are images of each other are made. Blocks of the same weight keep
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

	// First count the blocks of each weight, then list them.
	weights := make([]uint16, n) // and 1; 0: not to be made
	images := make([]uint32, len(folds))
	for first := uint64(0); first < n; first += 256 {
		for i, f := range folds {
			images[i] = f.image(uint32(first))
		}
		for b := first; b < min(first+256, n); b++ {
			if !isLeast(uint32(b), images, folds) {
				continue
			}
			if w := weigh.weight(s.outside(b)); w <= heaviest {
				weights[b] = uint16(w) + 1
				p.stages[heaviest-w+1]++
			}
		}
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
		p.places = make([]uint32, n)
		p.findPlaces(folds)
	}
	return p
}

// isLeast reports whether none of a block's images is below it. Those of the block of which
// the lowest byte is 0 are given.
func isLeast(block uint32, images []uint32, folds []*fold) bool {
	for i, f := range folds {
		if images[i]^f.block[0][byte(block)] < block {
			return false
		}
	}
	return true
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

// findNeeds fills in needs: jumps lose at most so much weight.
func (p *plan) findNeeds(drop int) {
	for stage := range len(p.stages) - 1 {
		p.needs = append(p.needs, p.stages[max(0, stage-drop)])
	}
	p.needs = append(p.needs, p.stages[len(p.stages)-1])
}

// findPlaces fills in places and images.
func (p *plan) findPlaces(folds []*fold) {
	p.viaBits = bits.Len(uint(len(folds)))
	p.images = make([]uint8, len(p.order))
	back := inverses(folds)
	for i, b := range p.order {
		place := uint32(i+1) << p.viaBits
		fixed := 1
		for k, f := range folds {
			if image := f.image(b); image == b {
				fixed++
			} else {
				p.places[image] = place | back[k]
			}
		}
		p.places[b] = place
		p.images[i] = uint8((1 + len(folds)) / fixed)
	}
}

// inverses returns for each fold 1 more than the one that takes all back.
func inverses(folds []*fold) (back []uint32) {
	for _, f := range folds {
		takesBack := func(g *fold) bool {
			for i := range f.columns {
				if x := uint64(1) << i; g.Map(f.Map(x)) != x {
					return false
				}
			}
			return g.Map(f.Map(0)) == 0
		}
		back = append(back, uint32(slices.IndexFunc(folds, takesBack)+1))
	}
	return back
}
