package run_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pagoda/layers"
	"pagoda/run"
	"pagoda/statespace"
)

// Two runs with one checkpoint exclude each other, also if they write no file.
func TestCheckpointBusy(t *testing.T) {
	for name, o := range placed(t) {
		t.Run(name, func(t *testing.T) {
			sp := pegs(t, "peg/4x4")
			o.Checkpoint, o.Store, o.Every = t.TempDir(), "", -1
			second, tried := o, false
			o.Meter = func(string, uint64, string, func() (int64, int64)) func() {
				tried = true
				if _, err := run.Start(t.Context(), sp, second); !errors.Is(err, layers.ErrBusy) {
					t.Errorf("a second run: %v", err)
				}
				return func() {}
			}
			start(t, sp, o)
			onlyFile(t, "two runs", filepath.Join(o.Checkpoint, "none"))
			checkpoint := stopHalfway(t, sp, second)
			o.Meter = func(string, uint64, string, func() (int64, int64)) func() {
				if _, err := run.Resume(t.Context(), checkpoint, define, run.Options{}); !errors.Is(err, layers.ErrBusy) {
					t.Errorf("a second resume: %v", err)
				}
				return func() {}
			}
			if _, err := run.Resume(t.Context(), checkpoint, define, run.Options{Meter: o.Meter}); err != nil || !tried {
				t.Error(err)
			}
			onlyFile(t, "two resumes", filepath.Join(o.Checkpoint, "none"))
		})
	}
}

// A checkpoint that another run replaces while it is opened is not that of the run any more.
func TestCheckpointReplaced(t *testing.T) {
	r := stopRun(t, run.Options{Engine: "sweep"}, "a.reach")
	newer := readFile(t, r.checkpoint)
	_, err := run.Resume(t.Context(), r.checkpoint, func(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
		writeFile(t, r.checkpoint+".newer", newer)
		return must(define(ctx, d, memory)), os.Rename(r.checkpoint+".newer", r.checkpoint)
	}, run.Options{})
	if err == nil || !strings.Contains(err.Error(), "resume it again") {
		t.Errorf("a checkpoint that was replaced: %v", err)
	}
	r.finish("a newer checkpoint", run.Options{})
}

// A conversion leaves what a stopped run has left, and its errors do not advise to remove it.
func TestConvertBesideCheckpoint(t *testing.T) {
	r := stopRun(t, run.Options{Engine: "sweep"}, "a.reach")
	from := filepath.Join(t.TempDir(), "from.reach")
	start(t, pegs(t, "peg/4x4"), run.Options{Output: from})
	f, err := layers.Open(t.Context(), from, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var left *run.CheckpointError
	for _, store := range []string{layers.TrieStore, layers.SparseStore} {
		store, _ := layers.FindStore(store)
		for _, overwrite := range []bool{false, true} {
			left = nil
			if err := run.Convert(t.Context(), f, store, run.Options{Output: r.output, Overwrite: overwrite}); !errors.As(err, &left) || left.Checkpoint != r.checkpoint {
				t.Errorf("to the store %s: %v", store.Name, err)
			}
		}
	}
	left = nil
	// A file in the way is no reason to advise to overwrite.
	writeFile(t, r.output, []byte("precious"))
	if _, err := run.Start(t.Context(), f.Space(), run.Options{Output: r.output}); !errors.As(err, &left) {
		t.Errorf("a run over a text: %v", err)
	}
	if err := os.Remove(r.output); err != nil {
		t.Fatal(err)
	}
	left = nil
	// So does a run with another place for its checkpoint.
	if _, err := run.Start(t.Context(), f.Space(), run.Options{Output: r.output, Checkpoint: t.TempDir()}); !errors.As(err, &left) {
		t.Errorf("a run: %v", err)
	}
	r.finish("after all", run.Options{})
}

// The blocks of a stopped run stay, wherever its checkpoint is.
func TestPartialStays(t *testing.T) {
	sp, o := pegs(t, "peg/5x5"), run.Options{Output: filepath.Join(t.TempDir(), "a.reach"), Threads: 1}
	start(t, sp, o)
	want := readFile(t, o.Output)
	if err := os.Remove(o.Output); err != nil {
		t.Fatal(err)
	}
	again := o
	o.Checkpoint = t.TempDir()
	checkpoint := stopHalfway(t, sp, o)
	for _, every := range []time.Duration{time.Hour, -1} { // resumed and stopped again at once, or with a new checkpoint
		if _, err := run.Start(t.Context(), sp, again); !errors.Is(err, layers.ErrKept) {
			t.Errorf("a new run: %v", err)
		}
		if _, err := layers.Open(t.Context(), o.Output+layers.PartialSuffix, define, 0); !errors.Is(err, layers.ErrUnfinished) {
			t.Errorf("opened as a file: %v", err)
		}
		ctx, cancel := stopping(t)
		_, err := run.Resume(ctx, checkpoint, define, run.Options{Output: o.Output, Every: every, Meter: func(what string, _ uint64, _ string, _ func() (int64, int64)) func() {
			if what == sp.Name() {
				cancel()
			}
			return func() {}
		}})
		if !errors.Is(err, errStop) {
			t.Errorf("resumed: %v", err)
		}
	}
	if _, err := run.Resume(t.Context(), checkpoint, define, run.Options{Output: o.Output}); err != nil {
		t.Fatal(err)
	}
	sameFile(t, "resumed", o.Output, want)

	// It may be overwritten.
	stopHalfway(t, sp, o)
	again.Overwrite = true
	start(t, sp, again)
	sameFile(t, "begun again", o.Output, want)
}

// A run that is interrupted keeps what it has done, however short it was; also when it has found
// all and writes the file. One that has done nothing says so.
func TestKeepsAll(t *testing.T) {
	for name, o := range placed(t) {
		t.Run(name, func(t *testing.T) {
			sp := pegs(t, "peg/4x4")
			if o.Engine == "sweep" {
				sp = pegs(t, "peg/5x5")
			}
			o.Output, o.Threads = filepath.Join(t.TempDir(), "a.reach"), 1
			start(t, sp, o)
			want := readFile(t, o.Output)
			if err := os.Remove(o.Output); err != nil {
				t.Fatal(err)
			}
			all := steps(t, sp, o)
			for _, o.Every = range []time.Duration{0, time.Hour} {
				_, err := run.Resume(t.Context(), stopHalfway(t, sp, o), define, run.Options{})
				if err != nil {
					t.Fatal(err)
				}
				sameFile(t, "stopped halfway", o.Output, want)
			}
			ctx, cancel := stopping(t)
			_, err := run.Start(ctx, withStop(t, sp, stopAt(all, cancel)), o)
			for stop := all; err != nil; {
				var stopped *run.StoppedError
				if !errors.As(err, &stopped) {
					t.Fatalf("stopped at step %d of %d: %v", stop, all, err)
				}
				_, err = run.Resume(t.Context(), stopped.Checkpoint, define, run.Options{})
			}
			sameFile(t, "stopped at the end", o.Output, want)

			o.Meter = func(what string, _ uint64, _ string, _ func() (int64, int64)) func() {
				if strings.HasPrefix(what, "writing ") {
					cancel()
				}
				return func() {}
			}
			ctx, cancel = stopping(t)
			_, err = run.Start(ctx, sp, o)
			if checkpoint := o.Output + run.CheckpointSuffix; err == nil && o.Engine == "sweep" {
				t.Log("its file is written as it is found")
			} else if stopped := (*run.StoppedError)(nil); !errors.As(err, &stopped) || stopped.Checkpoint != checkpoint {
				t.Fatalf("stopped while it writes: %v", err)
			} else if _, err := run.Resume(t.Context(), checkpoint, define, run.Options{}); err != nil {
				t.Fatal(err)
			}
			sameFile(t, "stopped while it writes", o.Output, want)

			ctx, cancel = stopping(t)
			o.Meter = nil
			cancel()
			if _, err := run.Start(ctx, sp, o); !errors.Is(err, errStop) || !strings.Contains(err.Error(), "it had done nothing that a checkpoint could keep") {
				t.Errorf("stopped at once: %v", err)
			}
			onlyFile(t, "stopped at once", o.Output)
			o.Output, o.Store = "", ""
			if _, err := run.Start(ctx, sp, o); !errors.Is(err, errStop) || !strings.Contains(err.Error(), "only where a directory for checkpoints is given") {
				t.Errorf("without a file: %v", err)
			}
		})
	}
}
