package run_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/run"
	"pagoda/statespace"
)

// manyBlocks are starts on Wiegleb's board, which has 2^33 blocks. Few of them are as light as the
// start.
var manyBlocks = []string{
	"   ...\n   ...\n   .o.\n....o....\n..ooooo..\n....o....\n   .o.\n   ...\n   ...\n",
	"   o..\n   ...\n   ...\n.........\n...ooo...\n....o....\n   ...\n   ...\n   ...\n",
	"   ooo\n   ...\n   ...\n.........\n...ooo...\n....o....\n   .o.\n   ...\n   ...\n",
}

func manyBlocksSpace(t testing.TB, text string) *peg.Space {
	t.Helper()
	b, start, err := board.ParseBoard(text)
	if err != nil {
		t.Fatal(err)
	}
	sp, err := peg.New("many blocks", b, start)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// A board with more blocks than a file can number is swept without a file, and counted as by a
// search that lists the states.
func TestManyBlocks(t *testing.T) {
	for _, text := range long.Or(manyBlocks, manyBlocks[:1]) {
		sp := manyBlocksSpace(t, text)
		want := start(t, sp, run.Options{Engine: run.SparseEngine, Threads: 1})
		for _, kernel := range []string{"", peg.GenericKernel} {
			got := start(t, sp, run.Options{Engine: peg.SweepEngine, Kernel: kernel, Threads: 2})
			if got.States != want.States || !slices.EqualFunc(got.Layers, want.Layers, func(x, y statespace.Layer) bool {
				return x.Layer == y.Layer && x.States == y.States
			}) {
				t.Errorf("the layers by %s are %v, expected %v", got.Kernel, got.Layers, want.Layers)
			}
		}
		// Without a choice, the run sees that there are few states.
		if r := start(t, sp, run.Options{Threads: 2}); r.Engine != run.SparseEngine || r.States != want.States {
			t.Errorf("the engine %s finds %d states, expected %d", r.Engine, r.States, want.States)
		}
		if _, err := run.Start(t.Context(), sp, run.Options{Engine: peg.SweepEngine, Output: t.TempDir() + "/a.reach"}); !errors.Is(err, run.ErrOptions) ||
			!strings.Contains(err.Error(), "8,589,934,592 blocks of 256 numbers, and a file can number 2^32 blocks: run it without a file") {
			t.Errorf("a file: %v", err)
		}
		p, err := run.Predict(t.Context(), sp, run.Options{Engine: peg.SweepEngine})
		if err != nil || p.BlockPrediction == nil || p.FileBytes != 0 || p.RingBytes != p.WindowBlocks*p.BlockBytes || p.Seconds <= 0 {
			t.Errorf("the prediction is %+v, %v", p, err)
		}
	}
}

// Wiegleb's board itself would take more memory than a small machine has, and says so at once.
func TestManyBlocksMemory(t *testing.T) {
	sp := manyBlocksSpace(t, "   ooo\n   ooo\n   ooo\nooooooooo\noooo.oooo\nooooooooo\n   ooo\n   ooo\n   ooo\n")
	var short *statespace.MemoryError
	if _, err := run.Start(t.Context(), sp, run.Options{Engine: peg.SweepEngine, Memory: 1 << 30}); !errors.As(err, &short) || short.Need < 8<<30 || short.Need > 10<<30 {
		t.Errorf("with 1 GiB: %v", err)
	}
	if _, err := run.Start(t.Context(), sp, run.Options{Output: t.TempDir() + "/a.reach", Memory: 1 << 30}); !errors.Is(err, run.ErrOptions) {
		t.Errorf("a file: %v", err)
	}
}

// A stoppedSpace calls stop when a stage of its blocks begins.
type stoppedSpace struct {
	*peg.Space
	stage int
	stop  func()
}

func (s stoppedSpace) Parts() statespace.Parts {
	p := s.Space.Parts()
	k := *s.Space.Parts().Sweep
	k.Blocks = func() *statespace.SweepBlocks {
		b := *s.Space.Parts().Sweep.Blocks()
		stream := b.Stream
		b.Stream = func(memory []uint64) statespace.Stream { return stoppedStream{stream(memory), s} }
		return &b
	}
	p.Sweep = &k
	return p
}

type stoppedStream struct {
	statespace.Stream
	of stoppedSpace
}

func (s stoppedStream) NewWorker() statespace.Worker {
	return stoppedWorker{s.Stream.NewWorker(), s.of}
}

type stoppedWorker struct {
	statespace.Worker
	of stoppedSpace
}

func (w stoppedWorker) Do(stage, task int) {
	if stage == w.of.stage {
		w.of.stop()
	}
	w.Worker.Do(stage, task)
}

// A run of very many blocks that is stopped continues from its checkpoint.
func TestManyBlocksResume(t *testing.T) {
	sp := manyBlocksSpace(t, manyBlocks[0])
	want := start(t, sp, run.Options{Engine: peg.SweepEngine, Threads: 1})
	for _, stage := range long.Or([]int{1, 9, 17}, []int{9}) {
		ctx, stop := stopping(t)
		_, err := run.Start(ctx, stoppedSpace{sp, stage, stop}, run.Options{Engine: peg.SweepEngine, Threads: 2, Checkpoint: t.TempDir()})
		var stopped *run.StoppedError
		if !errors.As(err, &stopped) {
			t.Fatalf("stopped in stage %d: %v", stage, err)
		}
		got, err := run.Resume(t.Context(), stopped.Checkpoint, func(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
			return define(ctx, d, memory)
		}, run.Options{Threads: 1})
		if err != nil || !slices.Equal(got.Layers, want.Layers) {
			t.Errorf("stopped in stage %d, and resumed: %+v, %v", stage, got, err)
		}
	}
}
