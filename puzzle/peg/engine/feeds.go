package engine

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
)

// feeds is a stream whose blocks are made by makers. It implements statespace.Feeds.
type feeds struct {
	stream
	within func() []blockPull // the jumps within a block
}

func newFeeds(p *pass) feeds {
	return feeds{stream{p}, sync.OnceValue(func() (all []blockPull) {
		b := p.class.Board()
		for k := range b.Jumps() {
			if j := b.Jump(k); j.Mask()&^p.cells == 0 {
				all = append(all, p.newPull(j, p.kernel.pull != nil))
			}
		}
		return all
	})}
}

// Sources implements statespace.Feeds.
func (f feeds) Sources(dst []uint64, i uint64) []uint64 {
	block := f.order[i]
	return f.neighbours(dst, block, f.outside(uint64(block)))
}

// Targets implements statespace.Feeds. A jump seen backwards, with pegs and holes exchanged, is the
// same jump.
func (f feeds) Targets(dst []uint64, i uint64) []uint64 {
	block := f.order[i]
	return f.neighbours(dst, block, ^f.outside(uint64(block)))
}

// neighbours appends the places of the blocks from which the pulls come that lead to a position,
// which is in the given block, or is the complement of one in it.
func (f feeds) neighbours(dst []uint64, block uint32, p board.Position) []uint64 {
	n := len(dst)
	for i := 0; i < len(f.pulls); i += 64 {
		for which := f.filter.leading(i, p); which != 0; which &= which - 1 {
			pull := &f.pulls[i+bits.TrailingZeros64(which)]
			if place := f.places[block^uint32(pull.flip)]; place != 0 {
				dst = append(dst, uint64(place>>f.viaBits-1))
			}
		}
	}
	slices.Sort(dst[n:])
	return dst[:n+len(slices.Compact(dst[n:]))]
}

// NewMaker implements statespace.Feeds.
func (f feeds) NewMaker() statespace.Maker {
	p, r := *f.pass, *f.ring
	p.ring = &r
	p.schedule = &schedule{places: f.places, viaBits: f.viaBits}
	w := p.NewWorker().(*worker)
	w.given = &callerBlocks{spare: make([]uint64, p.words)}
	return &maker{feeds: f, worker: w}
}

// A maker is a worker in a schedule of its own, which has only the blocks that are made now. It
// implements statespace.Maker.
type maker struct {
	feeds  feeds
	worker *worker
}

// callerBlocks are the blocks that the caller of a maker holds.
type callerBlocks struct {
	words  func(i uint64) []uint64
	places []uint64 // by place in the order of the worker: the place in the order of all
	listed []uint64 // the same, in ascending order
	spare  []uint64 // stands for a block that is wrong
	err    error    // says what is wrong
}

// at returns the words of a block, by its place in the order of all.
func (g *callerBlocks) at(place uint64) []uint64 {
	words := g.words(place)
	if len(words) != len(g.spare) {
		g.err = cmp.Or(g.err, fmt.Errorf("block %d has %d words, expected %d", place, len(words), len(g.spare)))
		return g.spare
	}
	return words
}

// source returns the words of a source, by its place in the order of all.
func (g *callerBlocks) source(place uint64) []uint64 {
	if place >= g.listed[0] { // in a stage there is none
		if _, found := slices.BinarySearch(g.listed, place); found {
			g.err = cmp.Or(g.err, fmt.Errorf("block %d is a source of a block that would be made together with it", place))
			return g.spare
		}
	}
	return g.at(place)
}

// Make implements statespace.Maker.
func (m *maker) Make(blocks []uint64, words func(i uint64) []uint64) ([]statespace.Layer, error) {
	if len(blocks) == 0 {
		return nil, nil
	}
	w, all := m.worker, m.feeds
	if most, n := slices.Max(blocks), all.Begin(all.Stages()); most >= n {
		return nil, fmt.Errorf("there is no block %d: there are %d blocks", most, n)
	}
	// Lanes are filled with blocks of the same program.
	g := w.given
	g.words, g.err = words, nil
	g.places, g.listed = append(g.places[:0], blocks...), append(g.listed[:0], blocks...)
	slices.Sort(g.listed)
	slices.SortFunc(g.places, func(i, j uint64) int {
		if x, y := all.program(all.order[i]), all.program(all.order[j]); x != y {
			return x - y
		}
		return int(i) - int(j)
	})
	s := w.schedule
	s.order, s.images = s.order[:0], s.images[:0]
	for _, place := range g.places {
		s.order, s.images = append(s.order, all.order[place]), append(s.images, all.images[place])
	}
	w.ring.rootPlace = slices.Index(g.places, uint64(all.ring.rootPlace))
	*w.tally = tally{scratch: w.tally.scratch}
	w.makeBlocks(0, len(blocks))
	g.words = nil
	if g.err != nil {
		return nil, g.err
	}
	return stream{w.pass}.Layers(), nil
}

// targetAt returns the words of a block that is made, by its place in the order of this worker.
func (w *worker) targetAt(place int) []uint64 {
	if w.given != nil {
		return w.given.at(w.given.places[place])
	}
	return w.wordsAt(place)
}
