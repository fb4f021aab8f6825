package run_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	_ "pagoda/run/all"
	"pagoda/statespace/sweep"
)

// small are spaces of all kinds: with cycles, directed and not, with layers; without kernels, and
// with those of pegs and sliding blocks.
func small() []world { return slices.Clone(smallWorlds()) }

var smallWorlds = sync.OnceValue(func() []world {
	return []world{explore(directedRing), explore(undirectedRing), explore(endingRing), explore(hopelessRing), explore(counted{directedRing}), explore(piles{N: 50}),
		explore(must(peg.Lookup("peg/4x4"))), exploreSlides("slide/n2x3"), exploreSlides("slide/dads")}
})

// some are a few of the small spaces: all of them if tests may take long.
func some() []world {
	all := small()
	if long.Tests {
		return all
	}
	return []world{all[1], all[4], all[6], all[8]}
}

// large are spaces whose runs have several stages, and levels for several threads.
func large(t testing.TB) []world { return []world{largePegs(), largeSlides()} }

var (
	largePegs   = sync.OnceValue(func() world { return explore(must(peg.Lookup("peg/5x5"))) })
	largeSlides = sync.OnceValue(func() world { return exploreSlides("slide/n3x3") })
)

func exploreSlides(name string) world {
	return explore(must(slide.NewSpace(context.Background(), name, must(library.Lookup(name)), tray.Moves, false, 0)))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Every engine finds what can be reached, and makes of every store the same bytes, on any number
// of threads. Files are verified, and a second run finds them there.
func TestStart(t *testing.T) {
	for _, w := range small() {
		files := make(map[string][]byte) // by store
		for _, engine := range run.Engines(w.Space) {
			for _, store := range stores(w.Space) {
				if makes(engine, store) {
					t.Run(fmt.Sprintf("%s/%s/%s", w.Name(), engine, store.Name), func(t *testing.T) { testStart(t, w, engine, store, files) })
				}
			}
		}
	}
	if !long.Tests {
		return
	}
	for _, w := range large(t) {
		files := make(map[string][]byte)
		for _, engine := range run.Engines(w.Space) {
			for _, store := range stores(w.Space) {
				best := store.Name == run.BestStore(w.Space)
				if makes(engine, store) && (best && engine != run.PlainEngine || store.Name == layers.SetStore && engine == run.Engines(w.Space)[0]) {
					t.Run(fmt.Sprintf("%s/%s/%s", w.Name(), engine, store.Name), func(t *testing.T) { testStart(t, w, engine, store, files) })
				}
			}
		}
	}
}

func testStart(t *testing.T, w world, engine string, store layers.Store, files map[string][]byte) {
	path := filepath.Join(t.TempDir(), "a.reach")
	for _, threads := range long.Or([]int{1, 2, 7}, []int{7}) {
		o := run.Options{Engine: engine, Store: store.Name, Output: path, Overwrite: true, Threads: threads}
		r := start(t, w.Space, o)
		if r.Engine != engine || r.Store != store.Name || r.File != path || r.Existing || r.Space != w.Name() {
			t.Errorf("the run says %+v", r)
		}
		testResult(t, w, r)
		data := readFile(t, path)
		if r.FileBytes != uint64(len(data)) {
			t.Errorf("the file has %d bytes, the run says %d", len(data), r.FileBytes)
		}
		if files[store.Name] == nil {
			files[store.Name] = data
		}
		if !bytes.Equal(data, files[store.Name]) {
			t.Errorf("other bytes on %d threads", threads)
		}
		onlyFile(t, "a run", path)
	}
	if err := verify(t, path); err != nil {
		t.Errorf("Verify: %v", err)
	}
	r := start(t, w.Space, run.Options{Engine: engine, Store: store.Name, Output: path})
	if !r.Existing {
		t.Error("the file is not found")
	}
	testResult(t, w, r)
	sameFile(t, "a second run", path, files[store.Name])
}

// testResult compares what a run has found with what can be reached.
func testResult(t *testing.T, w world, r *run.Result) {
	t.Helper()
	states := uint64(0)
	for _, l := range w.layers {
		states += l.States
	}
	if got := layers.WithoutOrbits(r.Layers); !slices.Equal(got, w.layers) || r.States != states {
		t.Errorf("%d states in the layers %v, want %d in %v", r.States, got, states, w.layers)
	}
	name, layered := "depth", false
	if l := w.Space.Parts().Layers; l != nil {
		name, layered = l.LayerName(), true
	}
	if r.LayerName != name {
		t.Errorf("the layers are by %s, want %s", r.LayerName, name)
	}
	if r.HasGoals != (w.Space.Parts().Goals.Any() && !layered) || r.Goal != nil && !r.HasGoals {
		t.Errorf("goals were looked for: %t; found: %+v", r.HasGoals, r.Goal)
	}
}

// Without a file, a run finds the same, and leaves nothing.
func TestStartWithoutFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, w := range small() {
		for _, engine := range run.Engines(w.Space) {
			r := start(t, w.Space, run.Options{Engine: engine, Threads: 3})
			if r.File != "" || r.FileBytes != 0 || r.Existing {
				t.Errorf("%s by %s: %+v", w.Name(), engine, r)
			}
			testResult(t, w, r)
			onlyFile(t, w.Name(), filepath.Join(dir, "none"))
		}
	}
}

// The nearest goals of the rings are easy to see.
func TestGoals(t *testing.T) {
	for _, tt := range []struct {
		ring
		distance int
		paths    int64
		nearest  []uint64
	}{
		// 3000 is 10 steps of 300. 5997 is 19 of 300 and 33 of 9.
		{directedRing, 10, 1, []uint64{3000}},
		{endingRing, 10, 1, []uint64{3000}},
		// 1500 is 17 steps of 90 and 10 of 3 back, in any order; or all of them the other way.
		{undirectedRing, 27, 2 * 8436285, []uint64{1500}},
		{hopelessRing, 0, 0, nil},
	} {
		for _, engine := range run.Engines(tt.ring) {
			r := start(t, tt.ring, run.Options{Engine: engine})
			nearest := tt.nearest
			if engine == run.SparseEngine && nearest != nil { // by their places in the list
				nearest = []uint64{must(bitset.Rank(explore(tt.ring).states, tt.nearest[0]))}
			}
			switch {
			case tt.nearest == nil && (r.Goal != nil || !r.HasGoals):
				t.Errorf("%s: found %+v", tt.Name(), r.Goal)
			case tt.nearest != nil && (r.Goal == nil || r.Goal.Distance != tt.distance || r.Goal.Solutions.Int64() != tt.paths || !slices.Equal(r.Goal.Nearest, nearest) || r.Goal.Count != uint64(len(tt.nearest))):
				t.Errorf("%s by %s: found %+v, want %d paths of %d moves to %v", tt.Name(), engine, r.Goal, tt.paths, tt.distance, tt.nearest)
			}
		}
	}
}

// A run by blocks says first how far its plan is, and then how far the blocks are.
func TestPlanning(t *testing.T) {
	sp := must(peg.Lookup("peg/5x5"))
	var parts []string
	var read func() (done, total int64)
	_, err := run.Start(t.Context(), sp, run.Options{Threads: 2, Meter: func(what string, size uint64, unit string, r func() (int64, int64)) func() {
		if what == "planning" {
			if done, _ := r(); done != 0 {
				t.Errorf("%d blocks are planned at the beginning", done)
			}
			read = r
		}
		parts = append(parts, fmt.Sprintf("%s: %d %s", what, size, unit))
		return func() { parts = append(parts, "end") }
	}})
	if err != nil {
		t.Fatal(err)
	}
	blocks := sp.Size() >> sweep.BlocksOf(sp).Bits
	if want := []string{fmt.Sprintf("planning: %d blocks", blocks), "end", fmt.Sprintf("peg/5x5: %d numbers", sp.Size()), "end"}; !slices.Equal(parts, want) {
		t.Errorf("it shows %q, want %q", parts, want)
	}
	if done, total := read(); done <= 0 || done > total {
		t.Errorf("%d of %d is planned at the end", done, total)
	}
}
