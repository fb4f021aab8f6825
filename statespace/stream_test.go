package statespace_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/spacetest"
)

// pairs is a space of two large piles and two small ones, of up to 7. Its blocks are the
// large ones; to exchange them together with the small ones is its symmetry.
type pairs struct{ n uint64 }

func (p pairs) of(x uint64) [4]uint64     { return [4]uint64{x / 64 / p.n, x / 64 % p.n, x / 8 % 8, x % 8} }
func (p pairs) number(v [4]uint64) uint64 { return (v[0]*p.n+v[1])*64 + v[2]*8 + v[3] }

func (p pairs) Name() string { return "pairs" }
func (p pairs) Size() uint64 { return p.n * p.n * 64 }
func (p pairs) Roots() []statespace.Index {
	return []uint64{p.number([4]uint64{p.n - 1, p.n - 1, 6, 6})}
}
func (p pairs) Format(x uint64) string { return fmt.Sprint(p.of(x)) }
func (p pairs) LayerName() string      { return "things" }
func (p pairs) LayersFall() bool       { return true }

func (p pairs) Layer(x uint64) int {
	v := p.of(x)
	return int(4*(v[0]+v[1]) + v[2] + v[3])
}

func (p pairs) Tell(way statespace.Way) ([]fmt.Stringer, []string, error) { return tell(p, way) }

func (p pairs) Definition() statespace.Definition {
	return statespace.Definition{Family: "pairs", Name: p.Name()}
}

func (p pairs) Parse(text string) (uint64, error) {
	var v [4]uint64
	_, err := fmt.Sscanf(text, "[%d %d %d %d]", &v[0], &v[1], &v[2], &v[3])
	return p.number(v), err
}

// moves are what the four piles lose and get.
var pairMoves = [][4]int{{-2, 0, 1, 0}, {0, -2, 0, 1}, {-1, 0, 0, 3}, {0, -1, 3, 0}, {0, 0, -3, 0}, {0, 0, 0, -3}, {-1, -1, 0, 0}}

func (p pairs) edges(dst []statespace.Edge, x uint64, sign int) []statespace.Edge {
	limits := [4]int{int(p.n), int(p.n), 8, 8}
	for k, m := range pairMoves {
		v, ok := p.of(x), true
		for i := range v {
			to := int(v[i]) + sign*m[i]
			ok = ok && to >= 0 && to < limits[i]
			v[i] = uint64(to)
		}
		if ok {
			dst = append(dst, statespace.Edge{To: p.number(v), Move: k})
		}
	}
	return dst
}

func (p pairs) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	return p.edges(dst, x, 1)
}

func (p pairs) Predecessors(dst []statespace.Edge, x uint64) []statespace.Edge {
	return p.edges(dst, x, -1)
}

func (p pairs) Symmetries() []statespace.Symmetry { return []statespace.Symmetry{swap{p}} }

// Folding implements statespace.Foldable: blocks of many things come first.
func (p pairs) Folding() *statespace.Folding {
	f := &statespace.Folding{Bits: 6}
	for block := range p.n * p.n {
		if block/p.n <= block%p.n {
			f.Order = append(f.Order, uint32(block))
		}
	}
	things := func(block uint32) uint64 { return uint64(block)/p.n + uint64(block)%p.n }
	slices.SortStableFunc(f.Order, func(a, b uint32) int { return cmp.Compare(things(b), things(a)) })
	return f
}

type swap struct{ pairs }

func (s swap) Map(x uint64) uint64 {
	v := s.of(x)
	return s.number([4]uint64{v[1], v[0], v[3], v[2]})
}
func (s swap) TakesBlocks(bits int) bool { return bits == 6 }

func (s swap) Least(word uint64) uint64 { return statespace.LeastPlain(s, word, s.Size()) }
func (s swap) Gather(word uint64, read func(uint64) uint64) uint64 {
	return statespace.GatherPlain(s, word, s.Size(), read)
}

func TestPlainStreamer(t *testing.T) {
	for _, n := range []uint64{2, 3, 9} {
		spacetest.Test(t, pairs{n}, 50)
		spacetest.TestStream(t, spacetest.NewPlainStreamer(pairs{n}))
	}
	sp := spacetest.NewPlainStreamer(pairs{9})
	if slots, all := sp.Slots(), uint64(len(sp.Folding().Order)); slots >= all/2 {
		t.Errorf("a ring of %d slots for %d blocks is none", slots, all)
	}
	if statespace.StreamerOf(sp, statespace.PlainEngine) == nil || statespace.StreamerOf(pairs{9}, statespace.PlainEngine) != nil {
		t.Error("what is a streamer is not told")
	}
	if _, err := statespace.NewStreaming(sp, make([]uint64, sp.Slots()-1), nil); err == nil {
		t.Error("there is too little memory, and no error")
	}
}

// A fake is a stream of random stages whose blocks are a word each: the number of the block
// and 1. It looks for what it must never meet: a block that is written over before it was
// handed on, and one that is gone when it is needed.
type fake struct {
	statespace.Streamer
	begins, needs []uint64
	slots         uint64

	memory []uint64
	handed atomic.Uint64
	wrong  atomic.Pointer[string]
	made   atomic.Int64
	base   int64
	stop   func() // is called in the middle
	stopAt uint64
}

// newFake returns a fake of random stages.
func newFake(rng *rand.Rand) *fake {
	f := &fake{begins: []uint64{0}, stopAt: ^uint64(0)}
	window := rng.Uint64N(40)
	for range 1 + rng.IntN(30) {
		last := f.begins[len(f.begins)-1]
		need := last - min(last, window)
		if n := len(f.needs); n > 0 {
			need = max(need, f.needs[n-1])
		}
		f.needs = append(f.needs, need)
		f.begins = append(f.begins, last+rng.Uint64N(30))
	}
	for i := range f.needs {
		f.slots = max(f.slots, f.begins[i+1]-f.needs[i])
	}
	return f
}

func (f *fake) fail(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	f.wrong.CompareAndSwap(nil, &text)
}

func (f *fake) Size() uint64  { return 64 * f.begins[len(f.begins)-1] }
func (f *fake) Slots() uint64 { return f.slots }
func (f *fake) Name() string  { return "fake" }
func (f *fake) Folding() *statespace.Folding {
	order := make([]uint32, f.begins[len(f.begins)-1])
	for i := range order {
		order[i] = uint32(i)
	}
	return &statespace.Folding{Bits: 6, Order: order}
}

func (f *fake) Stream(memory []uint64) statespace.Stream {
	f.memory = memory
	return f
}

func (f *fake) Stages() int                  { return len(f.needs) }
func (f *fake) Tasks(stage int) int          { return int(f.begins[stage+1] - f.begins[stage]) }
func (f *fake) NewWorker() statespace.Worker { return f }
func (f *fake) Begin(stage int) uint64       { return f.begins[stage] }
func (f *fake) Needs(stage int) uint64       { return f.needs[stage] }
func (f *fake) Words(i uint64) []uint64      { return f.memory[i%uint64(len(f.memory)):][:1] }
func (f *fake) SetTally(l []statespace.Layer) error {
	f.made.Store(0)
	f.base = int64(l[0].States)
	return nil
}

func (f *fake) Tally() []statespace.Layer {
	return []statespace.Layer{{States: uint64(f.base + f.made.Load())}}
}

func (f *fake) Do(stage, task int) {
	i := f.begins[stage] + uint64(task)
	if i == f.stopAt {
		f.stop()
	}
	for need := f.needs[stage]; need < f.begins[stage]; need++ {
		if got := f.Words(need)[0]; got != need+1 {
			f.fail("block %d needs block %d, and there is %d", i, need, int64(got)-1)
		}
	}
	if old := f.Words(i)[0]; old != 0 && old != i+1 && old > f.handed.Load() {
		f.fail("block %d is written over block %d, and only %d were handed on", i, old-1, f.handed.Load())
	}
	f.Words(i)[0] = i + 1
	f.made.Add(1)
}

// sink takes the next block.
func (f *fake) sink(words []uint64) error {
	if got := words[0]; got != f.handed.Load()+1 {
		f.fail("block %d was handed on, not %d", int64(got)-1, f.handed.Load())
	}
	f.handed.Add(1)
	return nil
}

// Blocks are handed on in order, none is written over before, and a streaming that was
// stopped anywhere is taken up by another.
func TestStreaming(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		f := newFake(rng)
		total := f.begins[len(f.begins)-1]
		if total == 0 {
			continue
		}
		slots := f.slots + rng.Uint64N(1+total)
		begin := func() *statespace.Streaming {
			s, err := statespace.NewStreaming(f, make([]uint64, slots), f.sink)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		s := begin()
		stopped := errors.New("stopped")
		ctx, cancel := context.WithCancelCause(t.Context())
		f.stop, f.stopAt = func() { cancel(stopped) }, rng.Uint64N(total)
		stages := 0
		between := func(done int) error {
			if stages++; rng.IntN(3) == 0 {
				if err := s.HandOn(); err != nil || f.handed.Load() != s.Blocks() || s.Blocks() != f.begins[done] {
					t.Errorf("%d blocks of %d are handed on between stages, %v", f.handed.Load(), s.Blocks(), err)
				}
			}
			return nil
		}
		if err := s.Run(ctx, between, 1+rng.IntN(4), nil); !errors.Is(err, stopped) {
			t.Fatalf("seed %d: it ended with %v", seed, err)
		}
		if seed%3 == 0 { // it goes on itself
			f.stopAt = ^uint64(0)
			if err := s.Run(t.Context(), nil, 1+rng.IntN(4), nil); err != nil || f.handed.Load() != total || s.Tally()[0].States != total {
				t.Errorf("seed %d: of %d blocks, %d were handed on; the tally is %v, %v", seed, total, f.handed.Load(), s.Tally(), err)
			}
			if wrong := f.wrong.Load(); wrong != nil {
				t.Fatalf("seed %d: %s", seed, *wrong)
			}
			continue
		}
		if err := s.HandOn(); err != nil || f.handed.Load() != s.Blocks() {
			t.Fatalf("seed %d: %d blocks of %d are handed on, %v", seed, f.handed.Load(), s.Blocks(), err)
		}
		done, _ := slices.BinarySearch(f.begins, s.Blocks())
		kept, first, old := s.Tally(), s.Window(), s
		if kept[0].States != s.Blocks() {
			t.Fatalf("seed %d: the tally is %v of %d blocks", seed, kept, s.Blocks())
		}
		for done+1 < len(f.begins) && f.begins[done+1] == s.Blocks() {
			done++ // stages without blocks
		}
		if first > f.needs[min(done, len(f.needs)-1)] {
			t.Fatalf("seed %d: the window begins at %d, and stage %d needs %d", seed, first, done, f.needs[done])
		}

		memory := make(map[uint64]uint64)
		for i := first; i < s.Blocks(); i++ {
			memory[i] = old.Words(i)[0]
		}
		f.stopAt = ^uint64(0)
		slots = f.slots + rng.Uint64N(1+total)
		if slots >= total {
			for i := range s.Blocks() { // all are in memory now
				memory[i] = i + 1
			}
		}
		s = begin()
		if err := s.Restore(done, kept, func(i uint64, words []uint64) error {
			words[0] = memory[i]
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context(), nil, 1+rng.IntN(4), nil); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if f.handed.Load() != total || s.Blocks() != total || s.Tally()[0].States != total {
			t.Errorf("seed %d: of %d blocks %d were made, %d handed on; the tally is %v", seed, total, s.Blocks(), f.handed.Load(), s.Tally())
		}
		if wrong := f.wrong.Load(); wrong != nil {
			t.Fatalf("seed %d: %s", seed, *wrong)
		}
		if set, err := s.Set(); (err == nil) != (slots >= total) {
			t.Errorf("seed %d: a set of %d blocks in %d slots: %v, %v", seed, total, slots, set, err)
		}
	}
}

// An error of the sink ends a streaming, and is not forgotten.
func TestStreamingFails(t *testing.T) {
	full := errors.New("the disk is full")
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 2))
		f := newFake(rng)
		total := f.begins[len(f.begins)-1]
		if total == 0 {
			continue
		}
		room := rng.Uint64N(total)
		var mu sync.Mutex
		s, err := statespace.NewStreaming(f, make([]uint64, f.slots), func(words []uint64) error {
			mu.Lock()
			defer mu.Unlock()
			if f.handed.Load() == room {
				return full
			}
			return f.sink(words)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context(), nil, 2, nil); !errors.Is(err, full) {
			t.Errorf("seed %d: it ended with %v", seed, err)
		}
		if err := s.HandOn(); s.Blocks() > room && !errors.Is(err, full) {
			t.Errorf("seed %d: the error is forgotten: %v", seed, err)
		}
		if f.handed.Load() != room || f.wrong.Load() != nil {
			t.Errorf("seed %d: %d blocks were handed on, of %d: %v", seed, f.handed.Load(), room, f.wrong.Load())
		}
	}
	f := newFake(rand.New(rand.NewPCG(1, 3)))
	s, err := statespace.NewStreaming(f, make([]uint64, f.slots), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), func(int) error { return full }, 1, nil); f.Stages() > 1 && !errors.Is(err, full) {
		t.Errorf("an error between stages became %v", err)
	}
	if err := s.Restore(f.Stages()+1, nil, nil); err == nil {
		t.Error("more stages are done than there are, and no error")
	}
}
