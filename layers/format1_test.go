package layers_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/layers"
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

// In old checkpoints, which have no version, the fields of the state are among the others. Package run goes on from
// them.
func TestOldCheckpoints(t *testing.T) {
	engines := make(map[string]bool)
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
		c := f.Meta().Checkpoint
		state := make(map[string]any)
		if err := errors.Join(f.Check(t.Context(), 1, nil), f.State(&state)); err != nil || c.Version != 1 || state["engine"] != c.Engine {
			t.Errorf("%s: version %d, state %v, %v", name, c.Version, state, err)
		}
		engines[c.Engine] = true
	}
	if len(engines) < 4 {
		t.Errorf("old checkpoints are of the engines %v only", engines)
	}
}
