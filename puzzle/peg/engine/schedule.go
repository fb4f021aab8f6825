package engine

import (
	"context"
	"math/bits"
	"runtime"
	"slices"

	"pagoda/internal/mapped"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
)

// A schedule is the order in which a pass makes blocks.
type schedule struct {
	order  []uint32 // the blocks, by falling weight
	stages []uint32 // where each weight begins in order, and the end
	needs  []uint32 // by stage: the first place in order that it, or a later one, reads

	// For a folded set, by block: where its representative is. The place in order + 1
	// stands above viaBits bits, which are 1 + the fold that takes the block there, or 0.
	// The entry is 0 for blocks that are never reached.
	places  []uint32
	viaBits int
	images  []uint8 // by place: how many images the block has, with itself
	// sampled says that places has only the sources of a few blocks; see entry.
	sampled bool
}

// entry returns where places has a block. In the schedule of a sample, two blocks may
// have the same entry.
func (s *schedule) entry(block uint32) uint32 {
	if s.sampled {
		return block * 2654435769 >> (32 - samplePlaceBits)
	}
	return block
}

// newSchedule sorts the blocks that can be reached by falling weight. If they are folded,
// it takes only representatives. Blocks of the same weight keep their order, so that
// neighbours look for their sources in the same region; within short stretches they are
// then sorted by program.
func newSchedule(b *blocks, l *layout.Layout, roots []uint64, folded bool, folds []*fold) *schedule {
	n := b.count()
	weigher := layout.NewWeigher(l.BlockWeights)
	heaviest := 0
	for _, x := range roots {
		heaviest = max(heaviest, weigher.Weight(b.outside(x>>b.bits)))
	}
	s := &schedule{stages: make([]uint32, heaviest+2)}

	// First count the blocks of each weight, then list them.
	weights := make([]uint16, n) // weight + 1; 0: the block is not made
	b.plan(n, func(first, end uint64) {
		images := make([]uint32, len(folds))
		for block := first; block < end; block++ {
			if block%256 == 0 {
				for i, f := range folds {
					images[i] = f.image(uint32(block))
				}
			}
			if !isRepresentative(uint32(block), images, folds) {
				continue
			}
			if w := weigher.Weight(b.outside(block)); w <= heaviest {
				weights[block] = uint16(w) + 1
			}
		}
	})
	for _, w := range weights {
		if w > 0 {
			s.stages[heaviest-int(w)+2]++
		}
	}
	for i := range heaviest + 1 {
		s.stages[i+1] += s.stages[i]
	}
	s.order = make([]uint32, s.stages[heaviest+1])
	next := slices.Clone(s.stages)
	for block, w := range weights {
		if w > 0 {
			stage := heaviest - int(w-1)
			s.order[next[stage]] = uint32(block)
			next[stage]++
		}
	}
	s.sortByProgram(b)
	s.findNeeds(l.Drop)
	if folded {
		s.places = make([]uint32, n)
		s.findPlaces(b, folds)
	}
	return s
}

// plan does half of the planning of all blocks, for n things in parts, on all processors.
func (b *blocks) plan(n uint64, do func(first, end uint64)) {
	const part = 1 << 14
	mapped.Parts(context.Background(), runtime.GOMAXPROCS(0), n, part, func(first, end uint64) error {
		do(first, end)
		b.planned.Add(b.count() * (end - first) / n)
		return nil
	})
}

// isRepresentative reports whether none of a block's images has a lower number. The
// images given are those of the block whose lowest byte is 0.
func isRepresentative(block uint32, images []uint32, folds []*fold) bool {
	for i, f := range folds {
		if images[i]^f.block[0][byte(block)] < block {
			return false
		}
	}
	return true
}

// sortByProgram sorts stretches of blocks of the same weight by program.
func (s *schedule) sortByProgram(b *blocks) {
	const stretch = 1024
	if 1<<len(b.inside) > stretch { // there are too many buckets
		for i := range len(s.stages) - 1 {
			for blocks := range slices.Chunk(s.order[s.stages[i]:s.stages[i+1]], stretch) {
				slices.SortStableFunc(blocks, func(x, y uint32) int { return b.program(x) - b.program(y) })
			}
		}
		return
	}
	buckets := make([][]uint32, 1<<len(b.inside))
	for i := range len(s.stages) - 1 {
		for blocks := range slices.Chunk(s.order[s.stages[i]:s.stages[i+1]], stretch) {
			for _, block := range blocks {
				k := b.program(block)
				buckets[k] = append(buckets[k], block)
			}
			for k, bucket := range buckets {
				copy(blocks, bucket)
				blocks, buckets[k] = blocks[len(bucket):], bucket[:0]
			}
		}
	}
}

// findNeeds fills in needs: a jump loses at most drop.
func (s *schedule) findNeeds(drop int) {
	for stage := range len(s.stages) - 1 {
		s.needs = append(s.needs, s.stages[max(0, stage-drop)])
	}
	s.needs = append(s.needs, s.stages[len(s.stages)-1])
}

// findPlaces fills in places and images.
func (s *schedule) findPlaces(b *blocks, folds []*fold) {
	s.viaBits = bits.Len(uint(len(folds)))
	s.images = make([]uint8, len(s.order))
	back := inverses(symmetriesOf(folds))
	b.plan(uint64(len(s.order)), func(first, end uint64) {
		for i := first; i < end; i++ {
			block, place, fixed := s.order[i], uint32(i+1)<<s.viaBits, 1
			for k, f := range folds {
				if image := f.image(block); image == block {
					fixed++
				} else {
					s.places[image] = place | back[k]
				}
			}
			s.places[block] = place
			s.images[i] = uint8((1 + len(folds)) / fixed)
		}
	})
}

// inverses returns for each fold 1 + the number of its inverse.
func inverses(folds []*board.Symmetry) (back []uint32) {
	for _, f := range folds {
		isInverse := func(g *board.Symmetry) bool {
			for i := range f.Columns() {
				if x := uint64(1) << i; g.Map(f.Map(x)) != x {
					return false
				}
			}
			return g.Map(f.Map(0)) == 0
		}
		back = append(back, uint32(slices.IndexFunc(folds, isInverse)+1))
	}
	return back
}
