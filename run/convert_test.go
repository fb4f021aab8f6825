package run_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/puzzle/peg"
	"pagoda/run"
	"pagoda/statespace"
)

// convert converts a file and returns the bytes of the new one.
func convert(t testing.TB, from string, store layers.Store, o run.Options) ([]byte, error) {
	t.Helper()
	f, err := layers.Open(t.Context(), from, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o.Output = filepath.Join(t.TempDir(), "converted")
	if err := run.Convert(t.Context(), f, store, o); err != nil {
		return nil, err
	}
	return readFile(t, o.Output), nil
}

// losesValues reports whether a conversion to a store is refused, as a list cannot keep the values.
func losesValues(sp statespace.Space, store layers.Store) bool {
	return store.Name == layers.SparseStore && sp.Parts().Values.Any()
}

// refusesToLose expects the error of a conversion that would lose values.
func refusesToLose(t *testing.T, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), "of each state, and a list of states cannot: use another store, or list the states alone by `reach run ") {
		t.Errorf("a conversion that loses values: %v", err)
	}
}

// A file is converted to every store and back: the bytes are those that a run writes.
func TestConvert(t *testing.T) {
	for _, w := range some() {
		dir := t.TempDir()
		files := make(map[string][]byte)
		for _, store := range stores(w.Space) {
			path := filepath.Join(dir, store.Name)
			start(t, w.Space, run.Options{Store: store.Name, Output: path})
			files[store.Name] = readFile(t, path)
		}
		best := run.BestStore(w.Space)
		for i, store := range stores(w.Space) {
			o := run.Options{Threads: 1 + i%3}
			there, err := convert(t, filepath.Join(dir, best), store, o)
			if losesValues(w.Space, store) {
				refusesToLose(t, err)
			} else if err != nil || !bytes.Equal(there, files[store.Name]) {
				t.Errorf("%s: %s from %s has other bytes than a run writes (%v)", w.Name(), store.Name, best, err)
			}
			target, err := layers.FindStore(best)
			if err != nil {
				t.Fatal(err)
			}
			back, err := convert(t, filepath.Join(dir, store.Name), target, o)
			if err != nil || !bytes.Equal(back, files[best]) {
				t.Errorf("%s: %s back to %s has other bytes (%v)", w.Name(), store.Name, best, err)
			}
		}
	}
}

// A conversion says what is wrong before it writes.
func TestConvertRefuses(t *testing.T) {
	dir := t.TempDir()
	path, there := filepath.Join(dir, "a.reach"), filepath.Join(dir, "b.reach")
	start(t, directedRing, run.Options{Output: path})
	writeFile(t, there, []byte("somebody's"))
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	find := func(name string) layers.Store {
		store, err := layers.FindStore(name)
		if err != nil {
			t.Fatal(err)
		}
		return store
	}
	set := find(layers.SetStore)
	if err := run.Convert(t.Context(), f, set, run.Options{Output: there}); !errors.Is(err, run.ErrInTheWay) || !errors.Is(err, layers.ErrExists) {
		t.Errorf("over another file: %v", err)
	}
	if data := readFile(t, there); string(data) != "somebody's" {
		t.Errorf("it is now %q", data)
	}
	if err := run.Convert(t.Context(), f, set, run.Options{}); !errors.Is(err, run.ErrOptions) {
		t.Errorf("to no file: %v", err)
	}
	if err := run.Convert(t.Context(), f, find(layers.Mod3Store), run.Options{Output: there, Overwrite: true}); !errors.Is(err, run.ErrOptions) || !strings.Contains(err.Error(), layers.DistanceStore) {
		t.Errorf("to a store that it cannot have: %v", err)
	}
	trie := find(layers.TrieStore)
	var memory *statespace.MemoryError
	need := trie.MemoryFrom(f)
	if err := run.Convert(t.Context(), f, trie, run.Options{Output: there, Overwrite: true, Memory: need - 1}); !errors.As(err, &memory) || memory.Need != need || memory.Allowed != need-1 {
		t.Errorf("with too little memory: %v", err)
	}
	if err := run.Convert(t.Context(), f, trie, run.Options{Output: there, Overwrite: true, Memory: need}); err != nil {
		t.Errorf("with enough memory: %v", err)
	}
	if err := verify(t, there); err != nil {
		t.Error(err)
	}
	// Over itself.
	if err := run.Convert(t.Context(), f, set, run.Options{Output: path, Overwrite: true}); err != nil {
		t.Errorf("over itself: %v", err)
	}
	if err := verify(t, path); err != nil {
		t.Error(err)
	}
	if err := os.Remove(there); err != nil {
		t.Fatal(err)
	}
	onlyFile(t, "conversions", path)

	// A damaged file is not converted.
	start(t, pegs(t, "peg/5x5"), run.Options{Output: there, Store: layers.SetStore})
	bad := readFile(t, there)
	bad[5000] ^= 1
	writeFile(t, there, bad)
	if _, err := convert(t, there, find(layers.PackedStore), run.Options{}); !errors.Is(err, layers.ErrDamaged) {
		t.Errorf("a damaged file: %v", err)
	}
}

// A file that becomes another one while it is converted or verified, of the same length and with
// right checksums, is an error, and nothing is put in place.
func TestChangedMeanwhile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be replaced here")
	}
	dir := t.TempDir()
	path, other, out := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c")
	start(t, must(peg.Lookup("peg/4x4@0,1")), run.Options{Store: layers.SetStore, Output: path})
	start(t, must(peg.Lookup("peg/4x4@1,0")), run.Options{Store: layers.SetStore, Output: other})
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, before, before); err != nil {
		t.Fatal(err)
	}
	store, err := layers.FindStore(layers.RoaringStore)
	if err != nil {
		t.Fatal(err)
	}
	f, err := layers.Open(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if was, is := readFile(t, path), readFile(t, other); len(was) != len(is) {
		t.Fatalf("the files have %d and %d bytes", len(was), len(is))
	}
	writeFile(t, path, readFile(t, other))
	for what, err := range map[string]error{
		"convert": run.Convert(t.Context(), f, store, run.Options{Output: out}),
		"verify":  run.Verify(t.Context(), f, run.Options{}),
		"check":   run.CheckFile(t.Context(), f, run.Options{}),
	} {
		if !errors.Is(err, mapped.ErrChanged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if left, err := filepath.Glob(out + "*"); err != nil || len(left) > 0 {
		t.Errorf("the conversion left %q", left)
	}
}
