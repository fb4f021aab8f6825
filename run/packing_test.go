package run_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"pagoda/internal/failpoint"
	"pagoda/internal/long"
	"pagoda/run"
	"pagoda/statespace"
)

// packed returns options with which a run packs its blocks: it may take as little as it can do with, and
// some more.
func packed(t *testing.T, sp statespace.Space, o run.Options, more uint64) run.Options {
	t.Helper()
	o.Memory = 0
	whole, packed, err := run.Needs(t.Context(), sp, o)
	if err != nil || packed+more >= whole {
		t.Fatalf("whole blocks take %d bytes, packed ones %d, %v", whole, packed, err)
	}
	o.Memory = packed + more
	return o
}

// A run that packs its blocks makes the file of one that does not, also if it was stopped twice, and
// counts the same layers without a file. It says that it packs.
func TestPacking(t *testing.T) {
	sp := pegs(t, "peg/5x6")
	path := filepath.Join(t.TempDir(), "a.reach")
	plain := start(t, sp, run.Options{Output: path, Threads: 2})
	if plain.Own != nil {
		t.Errorf("the plain run packs: %+v", plain.Own)
	}
	want := readFile(t, path)
	for seed := range uint64(6) {
		if !long.Tests && seed%5 > 0 {
			continue
		}
		rng := rand.New(rand.NewPCG(seed, 9))
		dir := t.TempDir()
		o := run.Options{Threads: 1 + rng.IntN(2), Every: -1}
		if seed%2 == 0 {
			o.Scratch = filepath.Join(dir, "scratch")
		}
		if seed < 3 {
			o.Output = filepath.Join(dir, "a.reach")
		} else {
			o.Checkpoint = dir
		}
		o = packed(t, sp, o, rng.Uint64N(100<<10))
		var warned []string
		o.Warn = func(err error) { warned = append(warned, err.Error()) }
		var at, stages atomic.Int64
		var r *run.Result
		var err error
		for r == nil {
			at.Store(1 + rng.Int64N(40))
			stages.Store(0)
			ctx, cancel := context.WithCancelCause(t.Context())
			o.Meter = func(string, uint64, string, func() (int64, int64)) func() { return func() {} }
			undo := failpoint.Inject(func(op, path string) error {
				// A checkpoint is renamed after each stage.
				if op == "rename" && stages.Add(1) == at.Load() {
					cancel(errStop)
				}
				return nil
			})
			var stopped *run.StoppedError
			if err == nil {
				r, err = run.Start(ctx, sp, o)
			} else if errors.As(err, &stopped) {
				again := o
				again.Threads, again.Checkpoint = 1+rng.IntN(3), ""
				again.Memory += rng.Uint64N(4 << 20)
				r, err = run.Resume(ctx, stopped.Checkpoint, define, again)
			} else {
				t.Fatal(err)
			}
			undo()
			cancel(nil)
		}
		if stats, ok := r.Own.(*run.PackedStats); !ok || stats.Ratio() < 2 || r.States != plain.States || !slices.Equal(r.Layers, plain.Layers) && o.Output == "" {
			t.Errorf("seed %d: %+v", seed, r)
		}
		if len(warned) == 0 || !strings.Contains(warned[0], "keeps them packed") {
			t.Errorf("it says %q", warned)
		}
		if o.Output != "" && !bytes.Equal(readFile(t, o.Output), want) {
			t.Errorf("seed %d: the file differs", seed)
		}
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		if scratch, _ := filepath.Glob(filepath.Join(dir, "scratch", "*")); err != nil || len(scratch) > 0 || slices.ContainsFunc(left, func(name string) bool { return name != o.Output && name != o.Scratch }) {
			t.Errorf("seed %d: it leaves %s and %s, %v", seed, left, scratch, err)
		}
	}
}

// When the scratch directory is full, a run stops with a checkpoint, and goes on when there is space.
func TestScratchFull(t *testing.T) {
	sp := pegs(t, "peg/5x6")
	want := start(t, sp, run.Options{Threads: 2})
	o := packed(t, sp, run.Options{Engine: "sweep", Threads: 2, Checkpoint: t.TempDir(), Scratch: t.TempDir()}, 0)
	var writes atomic.Int64
	undo := failpoint.Inject(func(op, path string) error {
		if op == "write" && strings.HasSuffix(path, ".scratch") && writes.Add(1) > 2 {
			return syscall.ENOSPC
		}
		return nil
	})
	defer undo()
	_, err := run.Start(t.Context(), sp, o)
	var stopped *run.StoppedError
	if !errors.As(err, &stopped) || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("a full scratch directory became %v after %d writes", err, writes.Load())
	}
	undo()
	copied := filepath.Join(t.TempDir(), filepath.Base(stopped.Checkpoint))
	writeFile(t, copied, readFile(t, stopped.Checkpoint))
	var warned []string // with memory for whole blocks, they stay packed, and it says why
	if _, err := run.Resume(t.Context(), copied, define, run.Options{Memory: 1 << 30, Warn: func(err error) { warned = append(warned, err.Error()) }}); err != nil {
		t.Error(err)
	}
	if len(warned) != 1 || !strings.HasPrefix(warned[0], "the blocks of the checkpoint are packed: the run keeps them so, which takes longer, although ") ||
		!strings.HasSuffix(warned[0], " of whole blocks fit into the 1.0 GiB of memory that is allowed") {
		t.Errorf("resumed with more memory, it says %q", warned)
	}
	r, err := run.Resume(t.Context(), stopped.Checkpoint, define, o)
	if err != nil || !slices.Equal(r.Layers, want.Layers) || r.Own.(*run.PackedStats).Spilled == 0 {
		t.Errorf("it goes on to %+v, %v", r, err)
	}
	if left, _ := os.ReadDir(o.Scratch); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
	// Without a scratch directory the need is larger.
	o.Scratch, o.Checkpoint = "", ""
	var memory *statespace.MemoryError
	if _, err := run.Start(t.Context(), sp, o); !errors.As(err, &memory) {
		t.Errorf("too little memory became %v", err)
	}
}
