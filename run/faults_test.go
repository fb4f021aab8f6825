package run_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"pagoda/internal/failpoint"
	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// A fault makes one operation on files fail, or all from one on, as when a disk dies.
type fault struct {
	mu      sync.Mutex
	at      int // the number of the operation, from 1
	forever bool
	seen    int
	hits    []string // the operations that failed, as errors have them
	kept    bool     // there was a checkpoint before
}

// inject makes the operation fail while do runs. It reports whether that came to it.
func (f *fault) inject(checkpoint string, do func()) bool {
	undo := failpoint.Inject(func(op, path string) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.seen++
		if f.seen < f.at || f.seen > f.at && !f.forever {
			return nil
		}
		if len(f.hits) == 0 {
			_, err := os.Lstat(checkpoint)
			f.kept = err == nil
		}
		f.hits = append(f.hits, op+" "+path)
		return syscall.EIO
	})
	defer undo()
	do()
	return len(f.hits) > 0
}

// String names the first operation that failed.
func (f *fault) String() string {
	if len(f.hits) == 0 {
		return "nothing"
	}
	return f.hits[0]
}

// named reports whether an error names an operation that failed.
func (f *fault) named(err error) bool {
	return errors.Is(err, syscall.EIO) && slices.ContainsFunc(f.hits, func(hit string) bool { return strings.Contains(err.Error(), hit) })
}

// faulty are the runs that are tried with faults: with all kinds of checkpoints, and with files
// that are written at the end and while the run continues.
func faulty(t *testing.T) map[string]run.Options {
	all := placed(t)
	all["sweep into a trie"] = run.Options{Engine: "sweep", Store: layers.TrieStore}
	return all
}

// faultySpace is a space with few levels, or one with more stages of blocks.
func faultySpace(t *testing.T, o run.Options) statespace.Space {
	if o.Engine == "sweep" && o.Store == layers.FoldedStore && long.Tests {
		return pegs(t, "peg/5x5")
	}
	if o.Engine == "sweep" {
		return pegs(t, "peg/4x4")
	}
	return pegs(t, "peg/triangle10")
}

// Whatever operation on files fails, once or from then on: the error names it, what was there
// before is there, and the run can be resumed, or begun again, and makes the same bytes.
func TestFaults(t *testing.T) {
	for name, o := range faulty(t) {
		for _, forever := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/forever=%t", name, forever), func(t *testing.T) {
				testFaults(t, o, forever)
			})
		}
	}
}

// So it is with the layers of a game against chance.
func TestFaultsOfLayers(t *testing.T) {
	g, err := twenty48.NewGame("2048/1x3", twenty48.Options{Rows: 1, Columns: 3, P4: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	for _, forever := range long.Or([]bool{false, true}, []bool{false}) {
		testFaultsOf(t, chance.NewSpace(g), run.Options{Own: run.ChanceOptions{Objectives: "score,tile:8>score"}}, forever)
	}
}

// So it is with a run that packs its blocks, some of them in a scratch file.
func TestFaultsOfPacking(t *testing.T) {
	if !long.Tests {
		t.Skip("a board whose blocks are packed is large")
	}
	sp := pegs(t, "peg/5x6")
	o := packed(t, sp, run.Options{Engine: "sweep", Output: filepath.Join(t.TempDir(), "a.reach"), Scratch: t.TempDir(), Threads: 1}, 1<<20)
	for _, forever := range []bool{false, true} {
		testFaultsOf(t, sp, o, forever)
	}
}

func testFaults(t *testing.T, o run.Options, forever bool) {
	testFaultsOf(t, faultySpace(t, o), o, forever)
}

func testFaultsOf(t *testing.T, sp statespace.Space, o run.Options, forever bool) {
	path := filepath.Join(t.TempDir(), "a.reach")
	o.Output, o.Every, o.Threads = path, -1, 1
	start(t, sp, o)
	want := readFile(t, path)
	old := bytes.Clone(want)
	old[len(old)-1] ^= 1 // which can be told apart
	o.Overwrite = true
	checkpoint, step := path+run.CheckpointSuffix, 1
	if !long.Tests {
		step = 31
	} else if sp.Size() == 0 {
		step = 11 // each layer has the same operations
	} else if sp.Size() > 1<<17 {
		step = 23 // a checkpoint takes 8 or 9: each comes up
	} else if forever {
		step = 2
	}
	for n := 1; ; n += step {
		writeFile(t, path, old)
		f := &fault{at: n, forever: forever}
		var err error
		hit := f.inject(checkpoint, func() { _, err = run.Start(t.Context(), sp, o) })
		f.check(t, err, path, old, want)
		if _, none := os.Lstat(checkpoint); err != nil && f.kept && none != nil && !bytes.Equal(readFile(t, path), want) {
			t.Fatalf("%s fails: the checkpoint is lost: %v", f, err)
		}
		recovered(t, f, sp, o, want)
		if !hit {
			t.Logf("%d operations", n)
			if n < 15 {
				t.Error("these are too few")
			}
			return
		}
	}
}

// check holds that an error names the operation that failed, and that there is a good file.
func (f *fault) check(t *testing.T, err error, path string, old, want []byte) {
	t.Helper()
	if err != nil && !f.named(err) {
		t.Errorf("%s fails: %v", f, err)
	}
	data, unread := os.ReadFile(path)
	switch {
	case bytes.Equal(data, want) || err != nil && old != nil && bytes.Equal(data, old):
	case err != nil && old == nil && errors.Is(unread, fs.ErrNotExist):
	default:
		t.Fatalf("%s fails: the file has %d bytes, which are others (%v, %v)", f, len(data), unread, err)
	}
}

// recovered resumes the run, or begins it again if there is no checkpoint.
func recovered(t *testing.T, f *fault, sp statespace.Space, o run.Options, want []byte) {
	t.Helper()
	checkpoint := o.Output + run.CheckpointSuffix
	if _, err := os.Lstat(checkpoint); err == nil {
		if _, err := run.Resume(t.Context(), checkpoint, define, run.Options{Overwrite: o.Overwrite}); err != nil {
			t.Fatalf("%s fails, and then: %v", f, err)
		}
	} else {
		start(t, sp, o)
	}
	sameFile(t, f.String()+" fails", o.Output, want)
}

// A run that is done, and cannot remove what it kept, says that the file is complete.
func TestFileIsComplete(t *testing.T) {
	sp, path := pegs(t, "peg/4x4"), filepath.Join(t.TempDir(), "a.reach")
	checkpoint := stopHalfway(t, sp, run.Options{Output: path, Every: -1, Threads: 1})
	defer failpoint.Inject(func(op, path string) error {
		if op == "remove" && path == checkpoint {
			return syscall.EPERM
		}
		return nil
	})()
	_, err := run.Resume(t.Context(), checkpoint, define, run.Options{Every: -1})
	if err == nil || !strings.HasPrefix(err.Error(), path+" is complete, but ") || !strings.Contains(err.Error(), checkpoint) || !errors.Is(err, syscall.EPERM) {
		t.Error(err)
	}
	if f, err := layers.Open(t.Context(), path, define, 0); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
}

// So it is when a run is resumed.
func TestFaultsOfResume(t *testing.T) {
	for name, o := range faulty(t) {
		t.Run(name, func(t *testing.T) {
			sp, path := pegs(t, "peg/4x4"), filepath.Join(t.TempDir(), "a.reach")
			o.Output, o.Every, o.Threads = path, -1, 1
			start(t, sp, o)
			want := readFile(t, path)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			checkpoint := stopHalfway(t, sp, o)
			left := os.DirFS(filepath.Dir(path))
			saved := t.TempDir() + "/saved"
			if err := os.CopyFS(saved, left); err != nil {
				t.Fatal(err)
			}
			for n := 1; ; n += long.Or(3, 31) {
				f := &fault{at: n, forever: n%2 == 0}
				var err error
				hit := f.inject(checkpoint, func() { _, err = run.Resume(t.Context(), checkpoint, define, run.Options{Every: -1}) })
				f.check(t, err, path, nil, want)
				if _, none := os.Lstat(checkpoint); err != nil && none != nil && !errors.Is(err, syscall.EIO) {
					t.Fatalf("%s fails: the checkpoint is lost: %v", f, err)
				}
				recovered(t, f, sp, o, want)
				if !hit {
					t.Logf("%d operations", n)
					return
				}
				if err := os.CopyFS(filepath.Dir(path), os.DirFS(saved)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
