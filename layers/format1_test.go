package layers_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
	"pagoda/statespace/sweep"
)

// oldFiles returns files that were written when version 1 of the format was new, by name. They
// stay as they are: a change of the format gets a new version. Those in this package are of a
// ring; those of package cmd are of puzzles.
func oldFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, dir := range []string{filepath.Join("testdata", "format-1"), filepath.Join("..", "cmd", "testdata", "format-1")} {
		paths, err := filepath.Glob(filepath.Join(dir, "*.gz"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("there are no old files in %s: %v", dir, err)
		}
		for _, path := range paths {
			files[strings.TrimSuffix(filepath.Base(path), ".gz")] = unzip(t, path)
		}
	}
	return files
}

func unzip(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		data, err = io.ReadAll(z)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return data
}

// oldLevels unpacks the directory of levels that belongs to an old checkpoint.
func oldLevels(t *testing.T, checkpoint string) (dir string) {
	t.Helper()
	name := strings.TrimSuffix(checkpoint, ".checkpoint") + ".levels"
	paths, err := filepath.Glob(filepath.Join("..", "cmd", "testdata", "format-1", name, "*.gz"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no levels in %s: %v", name, err)
	}
	dir = t.TempDir()
	for _, path := range paths {
		if err := os.WriteFile(filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), ".gz")), unzip(t, path), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Old files are read and proved, and what is written today has the same bytes. Only what zstd
// compresses may differ between its versions.
func TestOldFiles(t *testing.T) {
	stores := make(map[string]bool)
	for name, data := range oldFiles(t) {
		if filepath.Ext(name) == ".checkpoint" {
			continue
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := layers.Open(t.Context(), path, define, 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		defer f.Close()
		sp := explore(t, f.Space())
		store := f.Store()
		stores[store.Name] = true
		testMembers(t, store.Name, f, sp)
		if said := layers.WithoutOrbits(f.Meta().Layers); !slices.Equal(said, sp.layers) {
			t.Errorf("%s: its layers are %v, want %v", name, said, sp.layers)
		}
		meta := metaOf(sp, store.Name)
		meta.Goal = f.Meta().Goal
		again := filepath.Join(t.TempDir(), name)
		w, err := layers.Create(again, store.FileSize(f.Space()), false)
		if err != nil {
			t.Fatal(err)
		}
		space, members := f.Space(), bitset.Reader(sp.set)
		if original := space.Parts().Codes.Of; original != nil {
			if original.Size() == 0 {
				continue // package run makes it again
			}
			numbered := explore(t, original)
			space, members = inStore(t, numbered.Space, numbered.set, meta)
		}
		if _, err := w.Finish(t.Context(), space, members, meta, layers.WriteOptions{Threads: 2}); err != nil {
			t.Fatal(err)
		}
		if found, err := os.ReadFile(again); err != nil || store.Unpacked == "" && !bytes.Equal(found, data) {
			t.Errorf("%s: a new file has other bytes, a change of the format takes a new version (%v)", name, err)
		}
	}
	for _, store := range layers.Stores {
		if !stores[store.Name] {
			t.Errorf("no old file has the store %s", store.Name)
		}
	}
}

// From old checkpoints runs go on, to what can be reached.
func TestOldCheckpoints(t *testing.T) {
	kinds := make(map[string]bool)
	for name, data := range oldFiles(t) {
		if filepath.Ext(name) != ".checkpoint" {
			continue
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := layers.OpenCheckpoint(t.Context(), path, define, 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		defer f.Close()
		if err := f.Check(t.Context(), 1, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		sp, c := f.Space(), f.Meta().Checkpoint
		var division uint32
		var layersFound []statespace.Layer
		search, err1 := f.SearchState()
		blocks, err2 := f.BlockState()
		var levels sparse.SavedLevels
		if err := cmp.Or(err1, err2, f.State(&levels)); err != nil {
			t.Fatal(err)
		}
		switch {
		case search != nil:
			kinds["search"] = true
			s := newSearch(t, sp, 2)
			if err := f.RestoreSearch(s); err != nil {
				t.Fatal(err)
			}
			if err := s.Run(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
			for i, n := range s.Layers {
				layersFound = append(layersFound, statespace.Layer{Layer: i, States: n})
			}
		case levels.Levels != nil:
			kinds["levels"] = true
			s := newSparse(t, sp, oldLevels(t, name))
			if err := s.Restore(t.Context(), levels.Levels); err != nil {
				t.Fatal(err)
			}
			if err := s.Run(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
			layersFound = statespace.CountLayers(sp, foundSparsely(t, s, sp))
		case blocks != nil:
			kinds["blocks"] = true
			s := newRun(t, sp, sweep.BlocksOf(sp).Window, nil)
			division = s.Plan()
			if err := f.RestoreBlocks(sp, s, nil); err != nil {
				t.Fatal(err)
			}
			if err := s.Run(t.Context(), nil, 2, nil); err != nil {
				t.Fatal(err)
			}
			layersFound = layers.WithoutOrbits(s.Layers())
		default:
			kinds["set"] = true
			set := bitset.New(sp.Size())
			old, _, err := layers.LoadSet(t.Context(), f.Members(), 1)
			if err != nil {
				t.Fatal(err)
			}
			copy(set.Words(), old.Words())
			e, err := sweep.FindEngine(sp, strings.Replace(c.Engine, "levels", "layers", 1)) // its name before 0.1.0
			if err != nil {
				t.Fatal(err)
			}
			r, err := sweep.NewRun(sp, e, set)
			if err != nil {
				t.Fatal(err)
			}
			division = r.Plan()
			if _, err := r.Do(t.Context(), c.Done, nil, 2, nil); err != nil {
				t.Fatal(err)
			}
			layersFound = statespace.CountLayers(sp, set)
		}
		if division != c.Division {
			t.Errorf("%s: the work is divided as %08x, and was as %08x", name, division, c.Division)
		}
		if want := explore(t, sp).layers; !slices.Equal(layersFound, want) {
			t.Errorf("%s: the run goes on to %v, want %v", name, layersFound, want)
		}
	}
	for _, kind := range []string{"search", "blocks", "levels", "set"} {
		if !kinds[kind] {
			t.Errorf("no old checkpoint is of a run of the kind %q", kind)
		}
	}
}
