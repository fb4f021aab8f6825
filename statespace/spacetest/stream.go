package spacetest

import (
	"math/bits"
	"slices"
	"sync"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
)

// foldableLayers is a space that a PlainStreamer can stream.
type foldableLayers interface {
	statespace.Foldable
	statespace.Layered
}

// A PlainStreamer streams a small space one number at a time, by its predecessors. It is
// kept simple on purpose; fast Streamers are held against it.
type PlainStreamer struct {
	foldableLayers
	folding    *statespace.Folding
	symmetries []statespace.Symmetry
	begins     []uint64 // of each stage, and the end
	needs      []uint64 // by stage
	place      map[uint64]uint64
}

// NewPlainStreamer returns the plain streamer of a space. The order of its folding has each
// block after all those from which moves lead to it or to images of it.
func NewPlainStreamer(sp foldableLayers) *PlainStreamer {
	p := &PlainStreamer{foldableLayers: sp, folding: sp.Folding(), symmetries: sp.Symmetries(), place: make(map[uint64]uint64)}
	f := p.folding
	for i, block := range f.Order {
		p.place[uint64(block)] = uint64(i)
	}
	for i, block := range f.Order {
		i := uint64(i)
		first, last := i, uint64(0) // blocks that it needs, and the end of them
		var edges []statespace.Edge
		for x := uint64(block) << f.Bits; x < uint64(block+1)<<f.Bits; x++ {
			edges = sp.Predecessors(edges[:0], x)
			for _, e := range edges {
				kept, _ := statespace.KeptBlock(p.symmetries, f.Bits, e.To>>f.Bits)
				if from, ok := p.place[kept]; ok && from != i {
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
	return p
}

// Folding implements statespace.Foldable.
func (p *PlainStreamer) Folding() *statespace.Folding { return p.folding }

// BlockBits implements statespace.Streamer.
func (p *PlainStreamer) BlockBits() int { return p.folding.Bits }

// KeptBlocks implements statespace.Streamer.
func (p *PlainStreamer) KeptBlocks() uint64 { return uint64(len(p.folding.Order)) }

// Slots implements statespace.Streamer.
func (p *PlainStreamer) Slots() (n uint64) {
	for stage := range p.needs {
		n = max(n, p.begins[stage+1]-p.needs[stage])
	}
	return n
}

// Stream implements statespace.Streamer.
func (p *PlainStreamer) Stream(memory []uint64) statespace.Stream {
	s := &plainStream{PlainStreamer: p, memory: memory, words: 1 << (p.folding.Bits - 6), counts: make(map[int]statespace.Layer)}
	s.slots = uint64(len(memory)) / s.words
	return s
}

type plainStream struct {
	*PlainStreamer
	memory       []uint64
	words, slots uint64

	mu     sync.Mutex
	counts map[int]statespace.Layer
}

func (s *plainStream) Stages() int                  { return len(s.needs) }
func (s *plainStream) Tasks(stage int) int          { return int(s.begins[stage+1] - s.begins[stage]) }
func (s *plainStream) NewWorker() statespace.Worker { return s }
func (s *plainStream) Begin(stage int) uint64       { return s.begins[stage] }
func (s *plainStream) Needs(stage int) uint64       { return s.needs[stage] }
func (s *plainStream) Words(i uint64) []uint64      { return s.memory[i%s.slots*s.words:][:s.words] }
func (s *plainStream) SetTally(all []statespace.Layer) error {
	clear(s.counts)
	for _, l := range all {
		s.counts[l.Layer] = l
	}
	return nil
}

func (s *plainStream) Tally() (all []statespace.Layer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.counts {
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b statespace.Layer) int {
		if s.LayersFall() {
			a, b = b, a
		}
		return a.Layer - b.Layer
	})
	return all
}

// has reports whether a number is a member, if its block is made or is the block i itself.
func (s *plainStream) has(x uint64) bool {
	bits := s.folding.Bits
	kept, by := statespace.KeptBlock(s.symmetries, bits, x>>bits)
	if by != nil {
		x = by.Map(x)
	}
	i, ok := s.place[kept]
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
	images, stabiliser := statespace.BlockOrbit(s.symmetries, shift, block)
	s.mu.Lock()
	defer s.mu.Unlock()
	for w, word := range words {
		least := statespace.Fold(stabiliser, first/64+uint64(w), word)
		for ; word != 0; word &= word - 1 {
			x := uint64(bits.TrailingZeros64(word))
			l := s.Layer(first + 64*uint64(w) + x)
			c := s.counts[l]
			c.Layer = l
			c.States += images
			c.Orbits += least >> x & 1
			s.counts[l] = c
		}
	}
}

// TestStream checks that a streamer makes the set that the plain search finds, in as little
// memory as it asks for and in memory for all blocks, on one and on several threads, and
// that it counts its layers.
func TestStream(t *testing.T, sp interface {
	statespace.Streamer
	statespace.Layered
}) {
	t.Helper()
	folding, symmetries := sp.Folding(), sp.Symmetries()
	if bits, blocks := sp.BlockBits(), sp.KeptBlocks(); bits != folding.Bits || blocks != uint64(len(folding.Order)) {
		t.Fatalf("%d blocks of 2^%d numbers are told, and there are %d of 2^%d", blocks, bits, len(folding.Order), folding.Bits)
	}
	if err := statespace.CheckFolding(sp, folding.Bits); err != nil {
		t.Fatal(err)
	}
	want := bitset.New(sp.Size())
	if err := statespace.Search(t.Context(), sp, want); err != nil {
		t.Fatal(err)
	}
	layers := statespace.CountLayersPlain(sp, want)
	for i := range layers {
		layers[i].Orbits = 0
	}
	for x := range want.All() {
		if statespace.Fold(symmetries, x/64, 1<<(x%64)) != 0 {
			i := slices.IndexFunc(layers, func(l statespace.Layer) bool { return l.Layer == sp.Layer(x) })
			layers[i].Orbits++
		}
	}
	words := uint64(1) << (folding.Bits - 6)
	for _, slots := range []uint64{sp.Slots(), sp.Slots() + 1, uint64(len(folding.Order))} {
		for _, threads := range []int{1, 2, 7} {
			next := uint64(0)
			sink := func(got []uint64) error {
				if set := want.Words()[uint64(folding.Order[next])*words:][:words]; !slices.Equal(got, set) {
					t.Fatalf("block %d, the %d-th, differs, with %d slots and %d threads", folding.Order[next], next, slots, threads)
				}
				next++
				return nil
			}
			s, err := statespace.NewStreaming(sp, make([]uint64, max(slots, sp.Slots())*words), sink)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Run(t.Context(), nil, threads, nil); err != nil {
				t.Fatal(err)
			}
			if next != uint64(len(folding.Order)) {
				t.Errorf("%d blocks were handed on, of %d", next, len(folding.Order))
			}
			if got := s.Tally(); !slices.Equal(got, layers) {
				t.Errorf("the layers are %v, want %v", got, layers)
			}
			if slots == uint64(len(folding.Order)) {
				set, err := s.Set()
				if err != nil {
					t.Fatal(err)
				}
				unfolded := statespace.Unfolded{FoldedSet: set, Symmetries: symmetries}
				for i := range want.Words() {
					if word, err := unfolded.Word(uint64(i)); err != nil || word != want.Words()[i] {
						t.Fatalf("word %d unfolded is %x, %v, want %x", i, word, err, want.Words()[i])
					}
				}
			}
		}
	}
}
