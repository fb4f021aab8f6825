package run_test

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pagoda/layers"
	"pagoda/run"
	"pagoda/statespace"
)

// To ask for offers changes nothing, and the first of them is the engine that a run takes.
func TestOffers(t *testing.T) {
	for _, w := range some() {
		for _, o := range []run.Options{{}, {Output: filepath.Join(t.TempDir(), "a.reach")}, {Memory: 1}} {
			offers, err := run.Offers(t.Context(), w.Space, o)
			if err != nil {
				t.Fatal(err)
			}
			again, err := run.Offers(t.Context(), w.Space, o)
			if err != nil || len(again) != len(offers) {
				t.Fatalf("%s: %d offers, and then %d, %v", w.Name(), len(offers), len(again), err)
			}
			var names []string
			for i, a := range offers {
				names = append(names, a.Engine)
				if b := again[i]; a.Engine != b.Engine || a.Store != b.Store || a.Memory != b.Memory || a.Turn != b.Turn || a.Refused != b.Refused {
					t.Errorf("%s: the offer %+v, and then %+v", w.Name(), a, b)
				}
				if i > 0 && a.Turn < offers[i-1].Turn {
					t.Errorf("%s: %s (%v) comes behind %s (%v)", w.Name(), a.Engine, a.Turn, offers[i-1].Engine, offers[i-1].Turn)
				}
				if (a.Turn == run.Refused) != (a.Refused != "") || a.Turn != run.Refused && (a.Memory == 0 || a.Most == "") {
					t.Errorf("%s: %+v does not say what it takes, or why it is refused", w.Name(), a)
				}
			}
			engines := slices.Sorted(slices.Values(run.Engines(w.Space)))
			if slices.Sort(names); !slices.Equal(names, engines) {
				t.Errorf("%s: offers of %v, engines %v", w.Name(), names, engines)
			}
			p, err := run.Predict(t.Context(), w.Space, o)
			if err != nil {
				t.Fatal(err)
			}
			if p.Engine != offers[0].Engine && !p.Sparsely {
				t.Errorf("%s: %s is predicted, the first offer is %s, %v", w.Name(), p.Engine, offers[0].Engine, err)
			}
		}
	}
}

// An engine that does not make a store says so in its offer.
func TestRefusedOffers(t *testing.T) {
	offers, err := run.Offers(t.Context(), undirectedRing, run.Options{Output: "a.reach", Store: layers.SparseStore})
	if err != nil || offers[0].Engine != run.SparseEngine || offers[0].Turn != run.Fits {
		t.Fatalf("%+v, %v", offers[0], err)
	}
	for _, o := range offers[1:] {
		if o.Turn != run.Refused || o.Refused != "the engine "+o.Engine+" of "+undirectedRing.Name()+" does not make the store sparse: use the store mod3, and convert it" {
			t.Errorf("%+v", o)
		}
	}
}

// Where no list of states fits into memory, nothing looks whether they are few: with little memory and many threads that
// takes long.
func TestOffersAtOnce(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for _, w := range some() {
		if _, err := run.Offers(ended, w.Space, run.Options{Memory: 1, Threads: 16}); err != nil {
			t.Errorf("%s: it searches for states: %v", w.Name(), err)
		}
	}
}

// The engine sparse uses as many threads as there is memory for, so that it fits with any number of them.
func TestSparseThreads(t *testing.T) {
	const allowed = 20 << 20
	for _, w := range some() {
		if !slices.Contains(run.Engines(w.Space), run.SparseEngine) || w.Space.Parts().Chance != nil || w.Space.Parts().Values.Any() {
			continue
		}
		o := run.Options{Engine: run.SparseEngine, Output: filepath.Join(t.TempDir(), "a.reach"), Store: layers.SparseStore, Memory: allowed, Threads: 64}
		p, err := run.Predict(t.Context(), w.Space, o)
		if err != nil || !p.Fits {
			t.Fatalf("%s: %d bytes, %v", w.Name(), p.Memory, err)
		}
		got, want := start(t, w.Space, o), start(t, w.Space, run.Options{Engine: run.SparseEngine})
		if got.States != want.States || !reflect.DeepEqual(got.Layers, want.Layers) {
			t.Errorf("%s: %d states in %v, want %d in %v", w.Name(), got.States, got.Layers, want.States, want.Layers)
		}
	}
}

// Find has the same states, distances and shortest paths by every engine, with and without goals.
func TestFind(t *testing.T) {
	for _, w := range some() {
		if p := w.Space.Parts(); p.Layers != nil || p.Chance != nil {
			if _, err := run.Find(t.Context(), w.Space, run.Options{}); !errors.Is(err, run.ErrOptions) {
				t.Errorf("%s: %v", w.Name(), err)
			}
			continue
		}
		want := start(t, w.Space, run.Options{Engine: run.PlainEngine})
		for _, engine := range append(run.Engines(w.Space), "", run.BoundsEngine) {
			found, err := run.Find(t.Context(), w.Space, run.Options{Engine: engine, Threads: 2, Path: engine == run.BoundsEngine, Solutions: true})
			if engine == run.BoundsEngine && (want.Goal == nil || errors.Is(err, run.ErrOptions)) { // it has no end, or several starts
				continue
			}
			if err != nil {
				t.Fatalf("%s by %q: %v", w.Name(), engine, err)
			}
			checkPaths(t, w.Space, found, engine, want)
			if engine == run.BoundsEngine {
				if _, err := found.All(t.Context()); !errors.Is(err, run.ErrOptions) || !found.Searched.Proved || found.Searched.AtLeast != found.Length {
					t.Errorf("%s: %+v, all states: %v", w.Name(), found.Searched, err)
				}
				found.Close()
				continue
			}
			if found.States() != want.States || len(found.Layers) != len(want.Layers) {
				t.Errorf("%s by %q: %d states in %d levels, want %d in %d", w.Name(), engine, found.States(), len(found.Layers), want.States, len(want.Layers))
			}
			all, err := found.All(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			counts := make([]uint64, len(found.Layers))
			for x := range all.Space.Size() {
				e, err := all.Distances.At(x)
				if err != nil {
					t.Fatal(err)
				}
				if is := e != 0; is && all.Distances.Whole {
					counts[e-1]++
				}
			}
			if all.Distances.Whole && !reflect.DeepEqual(counts, found.Layers) {
				t.Errorf("%s by %q: distances of %v, levels of %v", w.Name(), engine, counts, found.Layers)
			}
			found.Close()
		}
	}
}

// checkPaths compares the shortest paths with the goal of a run.
func checkPaths(t *testing.T, w statespace.Space, found *run.Found, engine string, want *run.Result) {
	t.Helper()
	sp, paths, err := found.Shortest(t.Context())
	switch {
	case want.Goal == nil:
		if !errors.Is(err, statespace.ErrNoPath) || found.Length != -1 {
			t.Errorf("%s by %q: without a goal: %v", w.Name(), engine, err)
		}
	case err != nil || found.Length != want.Goal.Distance || paths.Total().Cmp(want.Goal.Solutions) != 0:
		t.Errorf("%s by %q: length %d, %v; want %+v", w.Name(), engine, found.Length, err, want.Goal)
	default:
		path, _, _, err := paths.First(sp)
		if err != nil || len(path.Steps) != found.Length || !sp.Parts().Goals.Has(path.Steps[found.Length-1].State) {
			t.Errorf("%s by %q: the path %v, %v", w.Name(), engine, path, err)
		}
	}
}
