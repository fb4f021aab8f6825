package run_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/run"
	"pagoda/statespace"
)

var errStop = errors.New("stopped")

// stopping is a context and the function that ends it with errStop.
func stopping(t testing.TB) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(t.Context())
	t.Cleanup(func() { cancel(nil) })
	return ctx, func() { cancel(errStop) }
}

// steps returns how many steps a run takes.
func steps(t testing.TB, sp statespace.Space, o run.Options) int64 {
	t.Helper()
	s := stopAt(math.MaxInt64, func() {})
	o.Overwrite, o.Output, o.Store = true, "", ""
	start(t, withStop(t, sp, s), o)
	return math.MaxInt64 - s.left.Load()
}

// canStop reports whether a run of an engine leaves checkpoints.
func canStop(sp statespace.Space, engine string) bool {
	return run.Saves(sp, engine)
}

// A run that is stopped anywhere, twice, and resumed makes the bytes of one that is not.
func TestResume(t *testing.T) {
	for _, w := range some() {
		for _, engine := range run.Engines(w.Space) {
			for _, store := range resumedStores(w.Space) {
				if canStop(w.Space, engine) && makes(engine, store) {
					t.Run(fmt.Sprintf("%s/%s/%s", w.Name(), engine, store.Name), func(t *testing.T) { testResume(t, w, engine, store.Name) })
				}
			}
		}
	}
	if !long.Tests {
		t.Run("4x5 folded", func(t *testing.T) { testResume(t, explore(pegs(t, "peg/4x5")), "sweep", layers.FoldedStore) })
	} else {
		t.Run("5x5 folded", func(t *testing.T) { testResume(t, largePegs(), "sweep", layers.FoldedStore) })
		t.Run("5x5 set", func(t *testing.T) { testResume(t, largePegs(), "sweep", layers.SetStore) })
		t.Run("5x5 levels", func(t *testing.T) { testResume(t, largePegs(), "layers", layers.SetStore) })
		t.Run("n3x3 sparse", func(t *testing.T) { testResume(t, largeSlides(), run.SparseEngine, layers.SparseStore) })
		t.Run("n3x3", func(t *testing.T) { testResume(t, largeSlides(), run.NumbersEngine, layers.Mod3Store) })
	}
}

// resumedStores are the best store of a space, which may be written while the run continues or
// keep what it finds; and others, which may not.
func resumedStores(sp statespace.Space) (some []layers.Store) {
	for _, s := range stores(sp) {
		if s.Name == run.BestStore(sp) || s.Lists || s.WholeDistances || s.Name == layers.SetStore || s.NeedsSet && s.Packed == layers.PackedTrieStore {
			some = append(some, s)
		}
	}
	return some
}

func testResume(t *testing.T, w world, engine, store string) {
	path := filepath.Join(t.TempDir(), "a.reach")
	o := run.Options{Engine: engine, Store: store, Output: path, Every: -1, Threads: 1}
	start(t, w.Space, o)
	want := readFile(t, path)
	if err := verify(t, path); err != nil {
		t.Errorf("Verify: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	all := steps(t, w.Space, o)
	for i, stop := range []int64{1, all / 4, all / 2, all - 1, all} {
		if !long.Tests && i != len(t.Name())%5 {
			continue // one of them, and others in other subtests
		}
		ctx, cancel := stopping(t)
		o.Threads = 1 + i%3
		_, err := run.Start(ctx, withStop(t, w.Space, stopAt(max(stop, 1), cancel)), o)
		if err == nil && stop < all/2 {
			t.Errorf("it was not stopped at step %d of %d", stop, all)
		}
		for again := int64(0); err != nil; again++ {
			var stopped *run.StoppedError
			if !errors.As(err, &stopped) || !errors.Is(err, errStop) || stopped.Checkpoint != path+run.CheckpointSuffix {
				t.Fatalf("stopped at step %d of %d: %v", stop, all, err)
			}
			ctx, cancel = stopping(t)
			var r *run.Result
			r, err = run.Resume(ctx, stopped.Checkpoint, func(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
				sp, err := define(ctx, d, memory)
				if again == 0 && err == nil {
					sp = withStop(t, sp, stopAt(1+all/3, cancel))
				}
				return sp, err
			}, run.Options{Threads: 3 - i%3, Every: -1})
			if err == nil {
				testResult(t, w, r)
			}
		}
		sameFile(t, fmt.Sprintf("stopped at step %d of %d", stop, all), path, want)
	}
}

// So does a run that is stopped while it writes the file.
func TestResumeWriting(t *testing.T) {
	all := some()
	if long.Tests {
		all = append(all, largePegs())
	}
	for _, w := range all {
		for _, engine := range run.Engines(w.Space) {
			slow := engine == run.PlainEngine
			if !canStop(w.Space, engine) || w.Size() > 1<<17 && slow {
				continue
			}
			store := layers.TrieStore
			if engine == run.SparseEngine {
				store = layers.SparseStore
			}
			path := filepath.Join(t.TempDir(), "a.reach")
			o := run.Options{Engine: engine, Store: store, Output: path, Every: -1, Threads: 2}
			start(t, w.Space, o)
			want := readFile(t, path)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := stopping(t)
			o.Meter = func(what string, _ uint64, _ string, _ func() (int64, int64)) func() {
				if strings.HasPrefix(what, "writing ") {
					cancel()
				}
				return func() {}
			}
			_, err := run.Start(ctx, w.Space, o)
			var stopped *run.StoppedError
			if !errors.As(err, &stopped) || !errors.Is(err, errStop) {
				t.Fatalf("%s by %s: %v", w.Name(), engine, err)
			}
			if _, err := run.Resume(t.Context(), stopped.Checkpoint, define, run.Options{}); err != nil {
				t.Fatal(err)
			}
			sameFile(t, w.Name()+" by "+engine, path, want)
		}
	}
}

// stopHalfway starts a run, stops it in the middle and returns its checkpoint.
func stopHalfway(t testing.TB, sp statespace.Space, o run.Options) (checkpoint string) {
	t.Helper()
	ctx, cancel := stopping(t)
	_, err := run.Start(ctx, withStop(t, sp, stopAt(1+steps(t, sp, o)/2, cancel)), o)
	var stopped *run.StoppedError
	if !errors.As(err, &stopped) {
		t.Fatalf("%s by %q: %v", sp.Name(), o.Engine, err)
	}
	return stopped.Checkpoint
}

// Without a file the checkpoint is in the directory that was given, and the only one there can be
// named by the directory.
func TestResumeWithoutFile(t *testing.T) {
	all := some()
	if long.Tests {
		all = append(all, largePegs())
	}
	for _, w := range all {
		for _, engine := range run.Engines(w.Space) {
			if w.Size() > 1<<17 && engine != "sweep" && engine != "layers" || !canStop(w.Space, engine) || steps(t, w.Space, run.Options{Engine: engine}) < 3 {
				continue
			}
			dir := filepath.Join(t.TempDir(), "new", "directory")
			checkpoint := stopHalfway(t, w.Space, run.Options{Engine: engine, Checkpoint: dir, Threads: 1})
			if filepath.Dir(checkpoint) != dir {
				t.Errorf("the checkpoint is %s", checkpoint)
			}
			r, err := run.Resume(t.Context(), dir, define, run.Options{})
			if err != nil {
				t.Fatalf("%s by %s: %v", w.Name(), engine, err)
			}
			testResult(t, w, r)
			onlyFile(t, w.Name(), filepath.Join(dir, "none"))
			if _, err := run.Resume(t.Context(), dir, define, run.Options{}); !errors.Is(err, run.ErrOptions) {
				t.Errorf("a directory without checkpoints: %v", err)
			}
		}
	}
}

// Without a file, a search by whole levels keeps only two of them, and finds what a search with marks
// finds. So does one that is stopped and resumed. Its checkpoint makes no file.
func TestResumeLevels(t *testing.T) {
	run.KeepLevels(t, 1)
	w := long.Or(largeSlides, func() world { return exploreSlides("slide/n2x3") })()
	want := start(t, w.Space, run.Options{Output: filepath.Join(t.TempDir(), "a.reach")})
	same := func(what string, r *run.Result) {
		t.Helper()
		if !reflect.DeepEqual(r.Layers, want.Layers) || !reflect.DeepEqual(r.Goal, want.Goal) || r.States != want.States || !r.HasGoals {
			t.Errorf("%s: %+v, want %+v", what, r, want)
		}
	}
	o := run.Options{Engine: run.NumbersEngine}
	same("without a file", start(t, w.Space, o))
	all := steps(t, w.Space, o)
	o.Checkpoint, o.Every = t.TempDir(), -1
	for _, stop := range []int64{2, 15, all / 2} { // in the levels, and when solutions are counted
		ctx, cancel := stopping(t)
		_, err := run.Start(ctx, withStop(t, w.Space, stopAt(stop, cancel)), o)
		var stopped *run.StoppedError
		if !errors.As(err, &stopped) {
			t.Fatalf("stopped at step %d of %d: %v", stop, all, err)
		}
		if _, err := run.Resume(t.Context(), stopped.Checkpoint, define, run.Options{Output: filepath.Join(t.TempDir(), "b.reach")}); !errors.Is(err, run.ErrOptions) {
			t.Errorf("resumed with a file: %v", err)
		}
		r, err := run.Resume(t.Context(), stopped.Checkpoint, define, run.Options{Threads: 3})
		if err != nil {
			t.Fatal(err)
		}
		same(fmt.Sprintf("stopped at step %d of %d", stop, all), r)
	}
}

// A run that is stopped leaves a checkpoint, however short it was.
func TestKeeps(t *testing.T) {
	for _, every := range []time.Duration{-1, time.Nanosecond, 0, time.Hour} {
		path := filepath.Join(t.TempDir(), "a.reach")
		ctx, cancel := stopping(t)
		_, err := run.Start(ctx, withStop(t, directedRing, stopAt(100, cancel)), run.Options{Output: path, Every: every})
		var stopped *run.StoppedError
		if !errors.As(err, &stopped) || !errors.Is(err, errStop) {
			t.Errorf("every %v: %v", every, err)
		}
		if _, err := os.Stat(path + run.CheckpointSuffix); err != nil {
			t.Errorf("every %v: the checkpoint: %v", every, err)
		}
	}
	// The plain search of distances leaves none.
	path := filepath.Join(t.TempDir(), "a.reach")
	ctx, cancel := stopping(t)
	o := run.Options{Engine: run.PlainEngine, Output: path, Every: -1}
	_, err := run.Start(ctx, withStop(t, directedRing, stopAt(100, cancel)), o)
	var stopped *run.StoppedError
	if err == nil {
		t.Log("it was done before it looked")
	} else if errors.As(err, &stopped) || !errors.Is(err, errStop) {
		t.Errorf("the plain search: %v", err)
	}
	o.Checkpoint = t.TempDir()
	if _, err := run.Start(t.Context(), directedRing, o); !errors.Is(err, run.ErrOptions) {
		t.Errorf("a checkpoint of the plain search: %v", err)
	}
}

// mend makes the checksums of a file right again.
func mend(data []byte) {
	const page, piece = 4096, 64 << 10
	sum := func(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
	le := binary.LittleEndian
	sums := int(le.Uint64(data[24:]))
	for first := page; first < sums; first += piece {
		le.PutUint32(data[sums+(first-page)/piece*4:], sum(data[first:min(first+piece, sums)]))
	}
	le.PutUint32(data[32:], sum(data[sums:]))
	le.PutUint32(data[page-4:], sum(data[:page-4]))
}

// A checkpoint that is not as it was written is refused, and so is one of another run.
func TestResumeRefuses(t *testing.T) {
	for _, sp := range []statespace.Space{directedRing, undirectedRing, piles{N: 50}, pegs(t, long.Or("peg/5x5", "peg/4x5")), slides(t, "slide/dads")} {
		for _, engine := range run.Engines(sp) {
			slow := engine == run.SparseEngine || engine == run.NumbersEngine
			switch {
			case !canStop(sp, engine):
			case slow && sp.Size() > 1<<17:
				testResumeRefuses(t, pegs(t, "peg/4x4"), engine) // which is as good, and quicker
			default:
				testResumeRefuses(t, sp, engine)
			}
		}
	}
}

func testResumeRefuses(t *testing.T, sp statespace.Space, engine string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.reach")
	o := run.Options{Engine: engine, Output: path, Every: -1, Threads: 1}
	checkpoint := stopHalfway(t, sp, o)
	good := readFile(t, checkpoint)
	refused := func(what string, data []byte, want error) {
		t.Helper()
		writeFile(t, checkpoint, data)
		_, err := run.Resume(t.Context(), checkpoint, define, run.Options{})
		var wrong *layers.FileError
		if !errors.As(err, &wrong) || want != nil && !errors.Is(err, want) || strings.Contains(err.Error(), "--") {
			t.Errorf("%s by %s, %s: %v", sp.Name(), engine, what, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Fatalf("%s by %s, %s: a file was made", sp.Name(), engine, what)
		}
	}
	places := long.Or(40, 4)
	for at := 0; at < len(good); at += 1 + len(good)/places {
		bad := bytes.Clone(good)
		bad[at] ^= 16
		refused(fmt.Sprintf("byte %d flipped", at), bad, nil)
		refused(fmt.Sprintf("cut to %d bytes", at), good[:at], nil)
	}
	// Pages that were never written, as after a loss of power.
	for at := 0; at < len(good); at += 4096 {
		bad := bytes.Clone(good)
		clear(bad[at:][:4096])
		if !bytes.Equal(bad, good) && len(good) < 1<<17 {
			refused(fmt.Sprintf("page %d of zeros", at/4096), bad, nil)
		}
	}
	forge := func(old, new string) []byte {
		t.Helper()
		bad := bytes.Replace(good, []byte(old), []byte(new), 1)
		if len(old) != len(new) || bytes.Equal(bad, good) {
			t.Fatalf("%q cannot be forged", old)
		}
		mend(bad)
		return bad
	}
	writeFile(t, checkpoint, good)
	f, err := layers.OpenCheckpoint(t.Context(), checkpoint, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := *f.Meta().Checkpoint
	f.Close()
	refused("another engine", forge(fmt.Sprintf(`"engine":"%s"`, engine), fmt.Sprintf(`"engine":"%s"`, strings.Repeat("x", len(engine)))), layers.ErrVersion)
	division := fmt.Sprint(c.Division)
	other := "1" + division[1:]
	if other == division {
		other = "2" + division[1:]
	}
	refused("another division", forge(`"plan":`+division, `"plan":`+other), layers.ErrVersion)
	if len(c.State) == 0 && c.Done > 0 && c.Done < 10 {
		refused("too many stages", forge(fmt.Sprintf(`"done":%d,"store":"`, c.Done), fmt.Sprintf(`"done":%d9,"store":"`, c.Done)[:len(fmt.Sprintf(`"done":%d,"store":"`, c.Done))]), nil)
	}

	// A run of the same file does not begin again unless it is allowed to.
	writeFile(t, checkpoint, good)
	if _, err := run.Start(t.Context(), sp, o); !errors.Is(err, run.ErrInTheWay) || !strings.Contains(err.Error(), "resume it") {
		t.Errorf("%s by %s: a run over a checkpoint: %v", sp.Name(), engine, err)
	}
	if _, err := run.Start(t.Context(), hopelessRing, run.Options{Output: path}); !errors.Is(err, run.ErrInTheWay) {
		t.Errorf("%s by %s: a run of another space over a checkpoint: %v", sp.Name(), engine, err)
	}
	if _, err := run.Resume(t.Context(), checkpoint, func(_ context.Context, _ statespace.Definition, _ uint64) (statespace.Space, error) {
		return hopelessRing, nil
	}, run.Options{}); !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("%s by %s: a checkpoint of another space: %v", sp.Name(), engine, err)
	}
	o.Overwrite = true
	start(t, sp, o)
	onlyFile(t, "a run that begins again", path)
	if _, err := run.Resume(t.Context(), path, define, run.Options{}); !errors.Is(err, layers.ErrNotCheckpoint) {
		t.Errorf("%s by %s: a finished file: %v", sp.Name(), engine, err)
	}
}

// The partial file belongs to the checkpoint of a run that writes blocks.
func TestResumePartial(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	partial := path + layers.PartialSuffix
	sp := pegs(t, "peg/5x5")
	o := run.Options{Output: path, Every: -1, Threads: 2}
	start(t, sp, o)
	want := readFile(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	checkpoint := stopHalfway(t, sp, o)
	good, small := readFile(t, partial), readFile(t, checkpoint)
	if len(small) > len(good)/2 {
		t.Errorf("the checkpoint has %d bytes, the file %d", len(small), len(good))
	}
	refused := func(what string) {
		t.Helper()
		if _, err := run.Resume(t.Context(), checkpoint, define, run.Options{}); !errors.Is(err, layers.ErrLost) || !strings.HasSuffix(err.Error(), "begin again in another file") {
			t.Errorf("%s: %v", what, err)
		}
	}
	bad := bytes.Clone(good)
	bad[5000] ^= 1
	writeFile(t, partial, bad)
	refused("a bit flipped")
	writeFile(t, partial, good[:5000])
	refused("cut short")
	if err := os.Remove(partial); err != nil {
		t.Fatal(err)
	}
	refused("no file")
	for _, path := range []string{path, partial} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s was made", path)
		}
	}
	writeFile(t, partial, good)
	if _, err := run.Resume(t.Context(), checkpoint, define, run.Options{Threads: 3}); err != nil {
		t.Fatal(err)
	}
	sameFile(t, "resumed", path, want)
}

// What no run has left at the place of a checkpoint stays, and so does the checkpoint of another
// space beside a finished file.
func TestForeignCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	checkpoint := path + run.CheckpointSuffix
	mine := []byte("what somebody wrote")
	writeFile(t, checkpoint, mine)
	for _, overwrite := range []bool{true, false} {
		if _, err := run.Start(t.Context(), directedRing, run.Options{Output: path, Overwrite: overwrite}); !errors.Is(err, run.ErrInTheWay) {
			t.Errorf("over a file of somebody: %v", err)
		}
	}
	if data := readFile(t, checkpoint); !bytes.Equal(data, mine) {
		t.Errorf("it is now %q", data)
	}
	if err := os.Remove(checkpoint); err != nil {
		t.Fatal(err)
	}
	start(t, directedRing, run.Options{Output: path})
	other := stopHalfway(t, undirectedRing, run.Options{Output: filepath.Join(t.TempDir(), "b"), Every: -1, Threads: 1})
	writeFile(t, checkpoint, readFile(t, other))
	if r := start(t, directedRing, run.Options{Output: path}); !r.Existing {
		t.Error("the file is not found")
	}
	if _, err := os.Stat(checkpoint); err != nil {
		t.Errorf("the checkpoint of another space is gone: %v", err)
	}
}
