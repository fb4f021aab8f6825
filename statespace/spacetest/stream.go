package spacetest

import (
	"math/bits"
	"slices"
	"sync"

	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// A Foldable is a space that a PlainStreamer can make block by block.
type Foldable interface {
	statespace.Layered
	statespace.Symmetric
	Folding() *sweep.Folding
}

// A PlainStreamer is a small space that is made block by block, one number at a time, by
// Predecessors. It is simple on purpose.
type PlainStreamer struct {
	Foldable
	folding    *sweep.Folding
	symmetries []sweep.Symmetry
	begins     []uint64 // of each stage, and the end
	needs      []uint64 // by stage
	place      map[uint64]uint64
	sweep      *sweep.Sweep
}

// NewPlainStreamer returns the plain streamer of a space. In the order of its folding, each block
// must come after all blocks from which moves lead to it or to its images.
func NewPlainStreamer(sp Foldable) *PlainStreamer {
	p := &PlainStreamer{Foldable: sp, folding: sp.Folding(), symmetries: sweep.Symmetries(sp), place: make(map[uint64]uint64)}
	f := p.folding
	for i, block := range f.Order {
		p.place[uint64(block)] = uint64(i)
	}
	for i, block := range f.Order {
		i := uint64(i)
		first, last := i, uint64(0) // the blocks that it needs
		var edges []statespace.Edge
		for x := uint64(block) << f.Bits; x < uint64(block+1)<<f.Bits; x++ {
			edges = sp.Predecessors(edges[:0], x)
			for _, e := range edges {
				representative, _ := sweep.Represent(p.symmetries, f.Bits, e.To>>f.Bits)
				if from, ok := p.place[representative]; ok && from != i {
					first, last = min(first, from), max(last, from+1)
				}
			}
		}
		if n := len(p.begins); n == 0 || last > p.begins[n-1] {
			p.begins, p.needs = append(p.begins, i), append(p.needs, i)
		}
		p.needs[len(p.needs)-1] = min(p.needs[len(p.needs)-1], first)
	}
	p.begins = append(p.begins, uint64(len(f.Order)))
	for i := len(p.needs) - 2; i >= 0; i-- {
		p.needs[i] = min(p.needs[i], p.needs[i+1])
	}
	blocks := &sweep.Blocks{Bits: f.Bits, Representatives: uint64(len(f.Order)), Window: p.window(),
		Folding: func() *sweep.Folding { return p.folding }, Stream: p.stream}
	p.sweep = &sweep.Sweep{Blocks: func() *sweep.Blocks { return blocks }}
	return p
}

// Sweep implements sweep.Swept.
func (p *PlainStreamer) Sweep() *sweep.Sweep { return p.sweep }

func (p *PlainStreamer) window() (n uint64) {
	for stage := range p.needs {
		n = max(n, p.begins[stage+1]-p.needs[stage])
	}
	return n
}

func (p *PlainStreamer) stream(memory []uint64) sweep.Stream {
	s := &plainStream{PlainStreamer: p, memory: memory, words: 1 << (p.folding.Bits - 6), counts: make(statespace.LayerCounts)}
	s.slots = uint64(len(memory)) / s.words
	return s
}

type plainStream struct {
	*PlainStreamer
	memory       []uint64
	words, slots uint64

	mu     sync.Mutex
	counts statespace.LayerCounts
}

func (s *plainStream) Stages() int                  { return len(s.needs) }
func (s *plainStream) Tasks(stage int) int          { return int(s.begins[stage+1] - s.begins[stage]) }
func (s *plainStream) NewWorker() statespace.Worker { return s }
func (s *plainStream) Begin(stage int) uint64       { return s.begins[stage] }
func (s *plainStream) Needs(stage int) uint64       { return s.needs[stage] }
func (s *plainStream) Words(i uint64) []uint64      { return s.memory[i%s.slots*s.words:][:s.words] }

// SetLayers implements sweep.Stream.
func (s *plainStream) SetLayers(all []statespace.Layer) error {
	clear(s.counts)
	for _, l := range all {
		s.counts[l.Layer] = &l
	}
	return nil
}

// Layers implements sweep.Stream.
func (s *plainStream) Layers() []statespace.Layer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts.List(s)
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
func (s *plainStream) Do(stage, task int) {
	i := s.begins[stage] + uint64(task)
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
			layer := s.counts.Of(s, first+64*uint64(w)+x)
			layer.States += images
			layer.Orbits += least >> x & 1
		}
	}
}
