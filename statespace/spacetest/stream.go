package spacetest

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// A Foldable is a space with layers that a PlainStreamer can make block by block.
type Foldable interface {
	statespace.Space
	Folding() *statespace.Folding
}

// A PlainStreamer is a small space that is made block by block, one number at a time, by
// Predecessors. It is simple on purpose.
type PlainStreamer struct {
	Foldable
	folding    *statespace.Folding
	symmetries []statespace.WordSymmetry
	begins     []uint64 // of each stage, and the end
	needs      []uint64 // by stage
	place      map[uint64]uint64
	sources    [][]uint64 // by place
	targets    [][]uint64
	layers     statespace.Layers
	sweep      *statespace.Sweep
}

// NewPlainStreamer returns the plain streamer of a space. In the order of its folding, each block
// must come after all blocks from which moves lead to it or to its images.
func NewPlainStreamer(sp Foldable) *PlainStreamer {
	p := &PlainStreamer{Foldable: sp, layers: sp.Parts().Layers, folding: sp.Folding(), symmetries: sweep.Symmetries(sp), place: make(map[uint64]uint64)}
	f := p.folding
	for i, block := range f.Order {
		p.place[uint64(block)] = uint64(i)
	}
	for i, block := range f.Order {
		i := uint64(i)
		var sources []uint64
		var edges []statespace.Edge
		for x := uint64(block) << f.Bits; x < uint64(block+1)<<f.Bits; x++ {
			edges = sp.Predecessors(edges[:0], x)
			for _, e := range edges {
				representative, _ := sweep.Represent(p.symmetries, f.Bits, e.To>>f.Bits)
				if from, ok := p.place[representative]; ok && from != i {
					sources = append(sources, from)
				}
			}
		}
		slices.Sort(sources)
		sources = slices.Compact(sources)
		p.sources = append(p.sources, sources)
		first, last := i, uint64(0) // the blocks that it needs
		if n := len(sources); n > 0 {
			first, last = sources[0], sources[n-1]+1
		}
		if n := len(p.begins); n == 0 || last > p.begins[n-1] {
			p.begins, p.needs = append(p.begins, i), append(p.needs, i)
		}
		p.needs[len(p.needs)-1] = min(p.needs[len(p.needs)-1], first)
	}
	p.begins = append(p.begins, uint64(len(f.Order)))
	p.targets = make([][]uint64, len(f.Order))
	for i, sources := range p.sources {
		for _, from := range sources {
			p.targets[from] = append(p.targets[from], uint64(i))
		}
	}
	for i := len(p.needs) - 2; i >= 0; i-- {
		p.needs[i] = min(p.needs[i], p.needs[i+1])
	}
	blocks := &statespace.SweepBlocks{Bits: f.Bits, Representatives: uint64(len(f.Order)), Window: p.window(),
		Folding: func() *statespace.Folding { return p.folding }, Stream: p.stream, Feeds: func() statespace.Feeds { return plainFeeds{p} }}
	p.sweep = &statespace.Sweep{Blocks: func() *statespace.SweepBlocks { return blocks }}
	return p
}

// Parts implements statespace.Space.
func (p *PlainStreamer) Parts() statespace.Parts {
	all := p.Foldable.Parts()
	all.Sweep = p.sweep
	return all
}

func (p *PlainStreamer) window() (n uint64) {
	for stage := range p.needs {
		n = max(n, p.begins[stage+1]-p.needs[stage])
	}
	return n
}

func (p *PlainStreamer) stream(memory []uint64) statespace.Stream {
	words := p.words()
	slots := uint64(len(memory)) / words
	return p.newStream(func(i uint64) []uint64 { return memory[i%slots*words:][:words] })
}

func (p *PlainStreamer) newStream(find func(i uint64) []uint64) *plainStream {
	return &plainStream{PlainStreamer: p, find: find, counts: make(statespace.LayerCounts)}
}

// words returns how many words a block has.
func (p *PlainStreamer) words() uint64 { return 1 << (p.folding.Bits - 6) }

type plainStream struct {
	*PlainStreamer
	find func(i uint64) []uint64 // returns the words of a block

	mu     sync.Mutex
	counts statespace.LayerCounts
}

func (s *plainStream) Stages() int                  { return len(s.needs) }
func (s *plainStream) Tasks(stage int) int          { return int(s.begins[stage+1] - s.begins[stage]) }
func (s *plainStream) NewWorker() statespace.Worker { return s }
func (s *plainStream) Begin(stage int) uint64       { return s.begins[stage] }
func (s *plainStream) Needs(stage int) uint64       { return s.needs[stage] }
func (s *plainStream) Words(i uint64) []uint64      { return s.find(i) }

// SetLayers implements statespace.Stream.
func (s *plainStream) SetLayers(all []statespace.Layer) error {
	clear(s.counts)
	for _, l := range all {
		s.counts[l.Layer] = &l
	}
	return nil
}

// Layers implements statespace.Stream.
func (s *plainStream) Layers() []statespace.Layer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts.List(s.layers)
}

// has reports whether a number is a member. Its block, or the representative of it, is in the ring.
func (s *plainStream) has(x uint64) bool {
	bits := s.folding.Bits
	representative, by := sweep.Represent(s.symmetries, bits, x>>bits)
	if by != nil {
		x = by.Map(x)
	}
	i, ok := s.place[representative]
	x &= 1<<bits - 1
	return ok && s.Words(i)[x/64]>>(x%64)&1 == 1
}

// Do implements statespace.Worker: a task is a block.
func (s *plainStream) Do(stage, task int) { s.fill(s.begins[stage] + uint64(task)) }

// fill makes a block.
func (s *plainStream) fill(i uint64) {
	block, shift := uint64(s.folding.Order[i]), s.folding.Bits
	words, first := s.Words(i), block<<shift
	clear(words)
	var edges []statespace.Edge
	reached := func(x uint64) bool {
		edges = s.Predecessors(edges[:0], x)
		return slices.Contains(s.Roots(), x) || slices.ContainsFunc(edges, func(e statespace.Edge) bool { return s.has(e.To) })
	}
	for more := true; more; {
		more = false
		for x := range uint64(1) << shift {
			if words[x/64]>>(x%64)&1 == 0 && reached(first+x) {
				words[x/64] |= 1 << (x % 64)
				more = true
			}
		}
	}
	images, stabiliser := sweep.BlockOrbit(s.symmetries, shift, block)
	s.mu.Lock()
	defer s.mu.Unlock()
	for w, word := range words {
		least := sweep.Fold(stabiliser, first/64+uint64(w), word)
		for ; word != 0; word &= word - 1 {
			x := uint64(bits.TrailingZeros64(word))
			layer := s.counts.Of(s.layers, first+64*uint64(w)+x)
			layer.States += images
			layer.Orbits += least >> x & 1
		}
	}
}

// plainFeeds is the Feeds of a PlainStreamer.
type plainFeeds struct{ p *PlainStreamer }

func (f plainFeeds) Stages() int                             { return len(f.p.needs) }
func (f plainFeeds) Begin(stage int) uint64                  { return f.p.begins[stage] }
func (f plainFeeds) Needs(stage int) uint64                  { return f.p.needs[stage] }
func (f plainFeeds) Sources(dst []uint64, i uint64) []uint64 { return append(dst, f.p.sources[i]...) }
func (f plainFeeds) Targets(dst []uint64, i uint64) []uint64 { return append(dst, f.p.targets[i]...) }
func (f plainFeeds) NewMaker() statespace.Maker              { return f }

// Make implements statespace.Maker.
func (f plainFeeds) Make(blocks []uint64, words func(i uint64) []uint64) ([]statespace.Layer, error) {
	s := f.p.newStream(words)
	for _, i := range blocks {
		for _, needed := range append([]uint64{i}, f.p.sources[i]...) {
			if needed != i && slices.Contains(blocks, needed) {
				return nil, fmt.Errorf("block %d is a source of block %d, which would be made together with it", needed, i)
			}
			if n := len(words(needed)); uint64(n) != f.p.words() {
				return nil, fmt.Errorf("block %d has %d words, expected %d", needed, n, f.p.words())
			}
		}
		s.fill(i)
	}
	return s.Layers(), nil
}

// Seeds implements statespace.Maker.
func (f plainFeeds) Seeds(dst []uint64, i uint64, words []uint64) {
	copy(dst, words)
	f.eachMove(i, func(from, to uint64) {
		if words[from/64]>>(from%64)&1 == 1 {
			dst[to/64] &^= 1 << (to % 64)
		}
	})
}

// Grow implements statespace.Maker.
func (f plainFeeds) Grow(blocks []uint64, words func(i uint64) []uint64) {
	for _, i := range blocks {
		words := words(i)
		for more := true; more; {
			more = false
			f.eachMove(i, func(from, to uint64) {
				if words[from/64]>>(from%64)&^(words[to/64]>>(to%64))&1 == 1 {
					words[to/64] |= 1 << (to % 64)
					more = true
				}
			})
		}
	}
}

// eachMove calls do with the moves within a block, as numbers in the block.
func (f plainFeeds) eachMove(i uint64, do func(from, to uint64)) {
	block, shift := uint64(f.p.folding.Order[i]), f.p.folding.Bits
	for x := range uint64(1) << shift {
		for _, e := range f.p.Predecessors(nil, block<<shift+x) {
			if e.To>>shift == block {
				do(e.To&(1<<shift-1), x)
			}
		}
	}
}
