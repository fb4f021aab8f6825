package statespace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// tally counts its tasks, and may look at words.
type tally struct {
	tasks []int
	words []uint64
	done  atomic.Int64
	sum   atomic.Uint64
	each  func(stage int)
}

func (w *tally) Stages() int                  { return len(w.tasks) }
func (w *tally) Tasks(stage int) int          { return w.tasks[stage] }
func (w *tally) NewWorker() statespace.Worker { return w }
func (w *tally) Do(stage, task int) {
	w.done.Add(1)
	for _, x := range w.words {
		w.sum.Add(x)
	}
	if w.each != nil {
		w.each(stage)
	}
}

func TestDo(t *testing.T) {
	for _, threads := range []int{-1, 1, 3, 2000} {
		var progress statespace.Progress
		work := &tally{tasks: []int{5, 0, 1000}}
		if err := statespace.Do(t.Context(), work, threads, &progress); err != nil {
			t.Fatal(err)
		}
		if done, total := progress.Read(); work.done.Load() != 1005 || done != 1005 || total != 1005 {
			t.Errorf("%d tasks were done on %d threads; %d of %d, says the progress", work.done.Load(), threads, done, total)
		}
	}
}

// Work that was stopped continues after the last stage that is done.
func TestDoFrom(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	work := &tally{tasks: []int{10, 20, 30, 40}, each: func(stage int) {
		if stage == 2 {
			cancel(errStop)
		}
	}}
	var stages []int
	between := func(done int) error {
		stages = append(stages, done)
		return nil
	}
	done, err := statespace.DoFrom(ctx, work, 0, between, 3, nil)
	if done != 2 || !errors.Is(err, errStop) || len(stages) != 2 {
		t.Fatalf("stopped in stage 2, %d stages are done, %v; between was called after %v", done, err, stages)
	}
	work.done.Store(0)
	work.each = nil
	var progress statespace.Progress
	done, err = statespace.DoFrom(t.Context(), work, done, between, 3, &progress)
	if done != 4 || err != nil || len(stages) != 3 || stages[2] != 3 || work.done.Load() != 70 {
		t.Errorf("continued, %d stages and %d tasks are done, %v; between was called after %v", done, work.done.Load(), err, stages)
	}
	if did, total := progress.Read(); did != 100 || total != 100 {
		t.Errorf("%d of %d, says the progress", did, total)
	}
	done, err = statespace.DoFrom(t.Context(), work, 0, func(int) error { return errStop }, 1, nil)
	if done != 1 || !errors.Is(err, errStop) {
		t.Errorf("an error after a stage: %d stages are done, %v", done, err)
	}
}

// heavy is work whose later tasks take longer.
type heavy struct{ tally }

func (w *heavy) Weight(stage int) int64 { return int64(1 + 10*stage) }

// The progress of work goes by the weight of what is done.
func TestWeightedProgress(t *testing.T) {
	var progress statespace.Progress
	var read []int64
	between := func(int) error {
		done, total := progress.Read()
		read = append(read, done, total)
		return nil
	}
	work := &heavy{tally{tasks: []int{10, 0, 5}}}
	if _, err := statespace.DoFrom(t.Context(), work, 0, between, 2, &progress); err != nil {
		t.Fatal(err)
	}
	between(3)
	if _, err := statespace.DoFrom(t.Context(), work, 2, nil, 2, &progress); err != nil {
		t.Fatal(err)
	}
	between(3)
	if want := []int64{10, 115, 10, 115, 115, 115, 115, 115}; !slices.Equal(read, want) {
		t.Errorf("the progress was %d, want %d", read, want)
	}
}

// Words in a map of a file that was cut short make an error.
func TestDoOverLostFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, make([]byte, 1<<16), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := mapped.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	work := &tally{tasks: []int{4}, words: m.Words(0, 1<<16)}
	if err := statespace.Do(t.Context(), work, 2, nil); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be cut short here")
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if err := statespace.Do(t.Context(), work, 2, nil); !errors.Is(err, mapped.ErrFault) {
		t.Errorf("a lost file became %v", err)
	}
}
