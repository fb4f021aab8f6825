package run_test

import (
	"context"
	"errors"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/run"
	"pagoda/statespace"
)

// loadSet returns a copy of the members of a file, and its metadata.
func loadSet(t testing.TB, path string) (*bitset.Set, layers.Meta) {
	t.Helper()
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	set, free, err := layers.LoadSet(t.Context(), f.Members(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer free()
	own := bitset.New(set.Len())
	copy(own.Words(), set.Words())
	meta := *f.Meta()
	meta.Layers, meta.Details = layers.WithoutOrbits(meta.Layers), layers.Details{}
	return own, meta
}

// Verify refuses a set with another member or one too few, whatever the store.
func TestVerifyRefusesSets(t *testing.T) {
	for _, w := range some() {
		dir := t.TempDir()
		good := filepath.Join(dir, "good")
		start(t, w.Space, run.Options{Store: layers.SetStore, Output: good})
		set, meta := loadSet(t, good)
		last := uint64(0)
		for x := range set.All() {
			last = x
		}
		free := uint64(0)
		for free < set.Len() && set.Has(free) {
			free++
		}
		for _, x := range []uint64{last, w.Roots()[0], free} {
			if x == set.Len() {
				continue // all numbers are members
			}
			bad := bitset.New(set.Len())
			copy(bad.Words(), set.Words())
			bad.Flip(x)
			for _, store := range stores(w.Space) {
				if store.Lists || store.KeepsDistances || store.NeedsSet && store.Packed == layers.PackedStore {
					continue // such a file is not written
				}
				path := filepath.Join(dir, "bad")
				m := meta
				m.Store, m.Layers = store.Name, recount(w, bad, meta.Layers, x)
				m.States = bad.Count()
				out, err := layers.Create(path, 0, true)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := out.Finish(t.Context(), w.Space, bad, &m, layers.WriteOptions{}); err != nil {
					if store.Orbits {
						continue // the set is not symmetric
					}
					t.Fatal(err)
				}
				var wrong *layers.FileError
				if err := verify(t, path); !errors.As(err, &wrong) || !errors.Is(err, layers.ErrDamaged) {
					t.Errorf("%s in the store %s, number %d flipped: %v", w.Name(), store.Name, x, err)
				}
			}
		}
	}
}

// recount returns the layers of a set in which number x has changed.
func recount(w world, set *bitset.Set, counts []statespace.Layer, x uint64) []statespace.Layer {
	if w.Space.Parts().Layers != nil {
		return statespace.CountLayers(w.Space, set)
	}
	counts = slices.Clone(counts)
	last := &counts[len(counts)-1]
	if set.Has(x) {
		last.States++
	} else if last.States--; last.States == 0 {
		counts = counts[:len(counts)-1]
	}
	return counts
}

// Verify refuses metadata that is not right.
func TestVerifyRefusesMetadata(t *testing.T) {
	for _, w := range []world{explore(directedRing), explore(undirectedRing), explore(endingRing), explore(piles{N: 20}), explore(pegs(t, "peg/4x4"))} {
		dir := t.TempDir()
		set, found := filepath.Join(dir, "set"), filepath.Join(dir, "found")
		start(t, w.Space, run.Options{Store: layers.SetStore, Output: set})
		start(t, w.Space, run.Options{Output: found})
		members, meta := loadSet(t, set)
		for what, change := range map[string]func(m *layers.Meta){
			"":                   func(*layers.Meta) {},
			"another layer name": func(m *layers.Meta) { m.Layer = "floors" },
			"a state moved":      func(m *layers.Meta) { m.Layers[1].States--; m.Layers[0].States++ },
			"a goal more": func(m *layers.Meta) {
				m.Goal = goal(m.Goal)
				m.Goal.Count++
				m.Goal.Nearest = append(m.Goal.Nearest, m.Size-1)
			},
			"another distance": func(m *layers.Meta) { m.Goal = goal(m.Goal); m.Goal.Distance-- },
			"another path":     func(m *layers.Meta) { m.Goal = goal(m.Goal); m.Goal.Solutions.Add(m.Goal.Solutions, big.NewInt(1)) },
			"another goal":     func(m *layers.Meta) { m.Goal = goal(m.Goal); m.Goal.Nearest[0]++ },
			"a goal that is none": func(m *layers.Meta) {
				m.Goal = &layers.Goal{Distance: 0, Count: 1, Nearest: []uint64{0}, Solutions: big.NewInt(1)}
			},
		} {
			m := meta
			m.Layers = slices.Clone(meta.Layers)
			change(&m)
			path := filepath.Join(dir, "changed")
			out, err := layers.Create(path, 0, true)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := out.Finish(t.Context(), w.Space, members, &m, layers.WriteOptions{}); err != nil {
				t.Fatalf("%s, %s: %v", w.Name(), what, err)
			}
			if err := verify(t, path); (err == nil) != (what == "") || err != nil && !errors.Is(err, layers.ErrDamaged) {
				t.Errorf("%s, %s: %v", w.Name(), what, err)
			}
		}
		testForged(t, w, found)
	}
}

// goal returns a copy of a description of goals, or one if there is none.
func goal(g *layers.Goal) *layers.Goal {
	if g == nil {
		return &layers.Goal{Distance: 1, Count: 1, Nearest: []uint64{0}, Solutions: big.NewInt(1)}
	}
	c := *g
	c.Solutions, c.Nearest = new(big.Int).Set(g.Solutions), slices.Clone(g.Nearest)
	return &c
}

// testForged changes bits of what a run has written, with right checksums. Verify refuses each.
func testForged(t *testing.T, w world, path string) {
	t.Helper()
	good := readFile(t, path)
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	end := 4096 + int(w.Size()+63)/64*8
	if f.Store().KeepsDistances {
		end = 4096 + int(w.Size()+63)/64*16
	}
	f.Close()
	for at := 4096; at < end; at += 1 + (end-4096)/50 {
		bad := slices.Clone(good)
		bad[at] ^= 1 << (at % 8)
		mend(bad)
		writeFile(t, path, bad)
		if err := verify(t, path); !errors.Is(err, layers.ErrDamaged) {
			t.Errorf("%s, byte %d changed: %v", w.Name(), at, err)
		}
		// Without right checksums it does not come to the proof.
		bad = slices.Clone(good)
		bad[at] ^= 1 << (at % 8)
		writeFile(t, path, bad)
		if err := verify(t, path); !errors.Is(err, layers.ErrDamaged) || !strings.Contains(err.Error(), "checksum") {
			t.Errorf("%s, byte %d flipped: %v", w.Name(), at, err)
		}
	}
	writeFile(t, path, good)
	if err := verify(t, path); err != nil {
		t.Errorf("%s: %v", w.Name(), err)
	}
}

// Verify and Convert stop when their context ends.
func TestVerifyStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	for _, w := range []statespace.Space{directedRing, undirectedRing, pegs(t, "peg/4x4"), slides(t, "slide/dads")} {
		start(t, w, run.Options{Output: path, Overwrite: true})
		f, err := layers.Open(t.Context(), path, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		o := run.Options{Output: path + ".new", Meter: func(what string, _ uint64, _ string, _ func() (int64, int64)) func() {
			if what != "checking" {
				cancel(errStop)
			}
			return func() {}
		}}
		if err := run.Verify(ctx, f, o); !errors.Is(err, errStop) {
			t.Errorf("%s: Verify: %v", w.Name(), err)
		}
		set, err := layers.FindStore(layers.SetStore)
		if err != nil {
			t.Fatal(err)
		}
		for _, ctx := range []context.Context{ctx} {
			if err := run.Convert(ctx, f, set, o); !errors.Is(err, errStop) {
				t.Errorf("%s: Convert: %v", w.Name(), err)
			}
			if err := run.CheckFile(ctx, f, o); !errors.Is(err, errStop) {
				t.Errorf("%s: CheckFile: %v", w.Name(), err)
			}
		}
		onlyFile(t, w.Name(), path)
		f.Close()
	}
}
