package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sweep"
)

func TestPlainStreamer(t *testing.T) {
	for _, n := range []uint64{2, 3, 9} {
		spacetest.Test(t, spacetest.NewPlainStreamer(toys.Pairs{N: n}), 50)
		spacetest.TestBlocks(t, spacetest.NewPlainStreamer(toys.Pairs{N: n}))
	}
	sp := spacetest.NewPlainStreamer(toys.Pairs{N: 9})
	blocks := sweep.BlocksOf(sp)
	if blocks.Window >= blocks.Representatives/2 {
		t.Errorf("a ring of %d slots for %d blocks is none", blocks.Window, blocks.Representatives)
	}
	if sweep.BlocksOf(toys.Pairs{N: 9}) != nil {
		t.Error("a space without a streamer has blocks")
	}
	if _, err := sweep.NewBlockRun(toys.Pairs{N: 9}, nil, nil); err == nil || !strings.Contains(err.Error(), "block by block") {
		t.Errorf("a space without blocks is made block by block: %v", err)
	}
	if _, err := sweep.NewBlockRun(sp, make([]uint64, blocks.Window-1), nil); err == nil || !strings.Contains(err.Error(), "needs memory") {
		t.Errorf("there is too little memory: %v", err)
	}
}

// A fake is a space with random stages whose blocks are a word each: the number of the block, plus 1.
// It looks for what must never happen: a block that is written over before it was handed on, and
// one that is gone when it is needed.
type fake struct {
	statespace.Space
	begins, needs []uint64
	window        uint64

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
		f.window = max(f.window, f.begins[i+1]-f.needs[i])
	}
	return f
}

func (f *fake) fail(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	f.wrong.CompareAndSwap(nil, &text)
}

func (f *fake) blocks() uint64 { return f.begins[len(f.begins)-1] }
func (f *fake) Size() uint64   { return 64 * f.blocks() }
func (f *fake) Name() string   { return "fake" }

func (f *fake) Parts() statespace.Parts {
	return statespace.Parts{Sweep: &statespace.Sweep{Blocks: func() *statespace.SweepBlocks {
		return &statespace.SweepBlocks{Bits: 6, Representatives: f.blocks(), Window: f.window,
			Folding: func() *statespace.Folding {
				order := make([]uint32, f.blocks())
				for i := range order {
					order[i] = uint32(i)
				}
				return &statespace.Folding{Bits: 6, Order: order}
			},
			Stream: func(memory []uint64) statespace.Stream {
				f.memory = memory
				return f
			}}
	}}}
}

func (f *fake) Stages() int                  { return len(f.needs) }
func (f *fake) Tasks(stage int) int          { return int(f.begins[stage+1] - f.begins[stage]) }
func (f *fake) NewWorker() statespace.Worker { return f }
func (f *fake) Begin(stage int) uint64       { return f.begins[stage] }
func (f *fake) Needs(stage int) uint64       { return f.needs[stage] }
func (f *fake) Words(i uint64) []uint64      { return f.memory[i%uint64(len(f.memory)):][:1] }

func (f *fake) SetLayers(l []statespace.Layer) error {
	if len(l) != 1 {
		return errors.New("one layer was expected")
	}
	f.made.Store(0)
	f.base = int64(l[0].States)
	return nil
}

func (f *fake) Layers() []statespace.Layer {
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

// begin returns a new run, with a random number of slots.
func (f *fake) begin(t *testing.T, rng *rand.Rand) (s *sweep.BlockRun, slots uint64) {
	t.Helper()
	slots = f.window + rng.Uint64N(1+f.blocks())
	s, err := sweep.NewBlockRun(f, make([]uint64, slots), f.sink)
	if err != nil {
		t.Fatal(err)
	}
	return s, slots
}

// ended checks that all blocks are made and handed on.
func (f *fake) ended(t *testing.T, s *sweep.BlockRun) {
	t.Helper()
	if total := f.blocks(); f.handed.Load() != total || s.Blocks() != total || s.Layers()[0].States != total || s.Done() != f.Stages() {
		t.Errorf("of %d blocks %d are made in %d stages, %d handed on; the layers are %v", total, s.Blocks(), s.Done(), f.handed.Load(), s.Layers())
	}
	if wrong := f.wrong.Load(); wrong != nil {
		t.Fatal(*wrong)
	}
}

// Blocks are handed on in order, none is written over before, and a run that was stopped anywhere is
// continued by itself or by another one.
func TestBlockRun(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		if f := newFake(rng); f.blocks() > 0 {
			t.Run(fmt.Sprint(seed), func(t *testing.T) { f.test(t, rng, seed%3 == 0) })
		}
	}
}

func (f *fake) test(t *testing.T, rng *rand.Rand, itself bool) {
	s, _ := f.begin(t, rng)
	plan := s.Plan()
	ctx, cancel := context.WithCancelCause(t.Context())
	f.stop, f.stopAt = func() { cancel(errStop) }, rng.Uint64N(f.blocks())
	between := func(done int) error {
		if rng.IntN(3) == 0 {
			if err := s.HandOn(); err != nil || f.handed.Load() != s.Blocks() || s.Blocks() != f.begins[done] {
				t.Errorf("%d blocks of %d are handed on between stages, %v", f.handed.Load(), s.Blocks(), err)
			}
		}
		return nil
	}
	if err := s.Run(ctx, between, 1+rng.IntN(4), nil); !errors.Is(err, errStop) {
		t.Fatalf("it ended with %v", err)
	}
	f.stopAt = ^uint64(0)
	if itself {
		if err := s.Run(t.Context(), nil, 1+rng.IntN(4), nil); err != nil {
			t.Error(err)
		}
		f.ended(t, s)
		return
	}
	if err := s.HandOn(); err != nil || f.handed.Load() != s.Blocks() {
		t.Fatalf("%d blocks of %d are handed on, %v", f.handed.Load(), s.Blocks(), err)
	}
	done, kept, first := s.Done(), s.Layers(), s.Window()
	if kept[0].States != s.Blocks() || f.begins[done] != s.Blocks() {
		t.Fatalf("the layers are %v after %d stages of %d blocks", kept, done, s.Blocks())
	}
	if first > f.needs[done] {
		t.Fatalf("the window begins at %d, and stage %d needs %d", first, done, f.needs[done])
	}
	memory := make(map[uint64]uint64)
	for i := first; i < s.Blocks(); i++ {
		memory[i] = s.Words(i)[0]
	}
	s, slots := f.begin(t, rng)
	if s.Plan() != plan {
		t.Error("another amount of memory makes another plan")
	}
	if slots >= f.blocks() {
		for i := range f.begins[done] { // all are in memory now
			memory[i] = i + 1
		}
	}
	if err := s.Restore(done, kept, func(i uint64, words []uint64) error {
		words[0] = memory[i]
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), nil, 1+rng.IntN(4), nil); err != nil {
		t.Fatal(err)
	}
	f.ended(t, s)
	set, err := s.Set()
	if (err == nil) != (slots >= f.blocks()) {
		t.Fatalf("a set of %d blocks in %d slots: %v, %v", f.blocks(), slots, set, err)
	}
	if err != nil {
		return
	}
	for block := range f.blocks() {
		if words, err := set.Representative(block); err != nil || !slices.Equal(words, []uint64{block + 1}) || set.Len() != f.Size() || set.Bits() != 6 {
			t.Fatalf("block %d of the set is %v, %v", block, words, err)
		}
	}
}

// An error of the sink, of between or of Restore ends a run. That of the sink stays.
func TestBlockRunFails(t *testing.T) {
	full := errors.New("the disk is full")
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 2))
		f := newFake(rng)
		total := f.blocks()
		if total == 0 {
			continue
		}
		room := rng.Uint64N(total)
		var mu sync.Mutex
		s, err := sweep.NewBlockRun(f, make([]uint64, f.window), func(words []uint64) error {
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
	rng := rand.New(rand.NewPCG(1, 3))
	f := newFake(rng)
	if f.Stages() < 2 || f.begins[1] == 0 {
		t.Fatalf("the fake has %d stages, and %d blocks in the first one", f.Stages(), f.begins[1])
	}
	s, err := sweep.NewBlockRun(f, make([]uint64, f.window), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), func(int) error { return full }, 1, nil); !errors.Is(err, full) || s.Done() != 1 {
		t.Errorf("an error between stages became %v after %d stages", err, s.Done())
	}
	one := []statespace.Layer{{}}
	read := func(uint64, []uint64) error { return full }
	for _, done := range []int{-1, f.Stages() + 1} {
		if err := s.Restore(done, one, read); err == nil || !strings.Contains(err.Error(), "cannot continue") {
			t.Errorf("%d stages are done of %d: %v", done, f.Stages(), err)
		}
	}
	if err := s.Restore(1, one, read); !errors.Is(err, full) {
		t.Errorf("a block that cannot be read became %v", err)
	}
	if err := s.Restore(0, nil, read); err == nil || !strings.Contains(err.Error(), "one layer") {
		t.Errorf("layers that the space cannot have: %v", err)
	}
	if err := s.Run(ended(t), nil, 1, nil); !errors.Is(err, errStop) {
		t.Errorf("it runs after the end of its context: %v", err)
	}
	other, err := sweep.NewBlockRun(newFake(rng), make([]uint64, 100), nil)
	if err != nil || other.Plan() == s.Plan() {
		t.Errorf("other stages have the same plan, %v", err)
	}
}
