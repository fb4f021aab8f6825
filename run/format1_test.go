package run_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/layers"
	"pagoda/run"
	"pagoda/statespace"
)

// unpackOld returns the files with an ending that were written when version 1 of the format was new, by the tests of
// some packages.
func unpackOld(t *testing.T, packages, ending string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", packages, "testdata", "format-1", "*"+ending+".gz"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no old files %s: %v", ending, err)
	}
	files := make(map[string][]byte)
	for _, path := range paths {
		files[strings.TrimSuffix(filepath.Base(path), ".gz")] = unzip(t, path)
	}
	return files
}

func unzip(t *testing.T, path string) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(readFile(t, path)))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return data
}

// unpackLevels puts the levels of an old checkpoint beside it.
func unpackLevels(t *testing.T, checkpoint string) {
	t.Helper()
	dir := strings.TrimSuffix(checkpoint, run.CheckpointSuffix) + run.LevelsSuffix
	paths, err := filepath.Glob(filepath.Join("..", "cmd", "testdata", "format-1", filepath.Base(dir), "*.gz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), ".gz")), unzip(t, path))
	}
}

// Old files are verified, and a run writes the same bytes today. Only what zstd compresses may
// differ between its versions.
func TestOldFiles(t *testing.T) {
	for name, data := range unpackOld(t, "cmd", ".reach") {
		path := filepath.Join(t.TempDir(), name)
		writeFile(t, path, data)
		if err := verify(t, path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		f, err := layers.Open(t.Context(), path, define, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		again := filepath.Join(t.TempDir(), name)
		sp := f.Space()
		if of := sp.Parts().Codes.Of; of != nil {
			sp = of
		}
		start(t, sp, run.Options{Store: f.Store().Name, Output: again})
		if f.Store().Unpacked == "" && !bytes.Equal(readFile(t, again), data) {
			t.Errorf("%s: a new file has other bytes: a change of the format takes a new version", name)
		}
	}
}

// Runs go on from old checkpoints, which have no version.
func TestOldCheckpoints(t *testing.T) {
	for name, data := range unpackOld(t, "*", ".checkpoint") {
		path := filepath.Join(t.TempDir(), name)
		if strings.HasPrefix(name, "ring-") { // no run has written it: it names no engine, and stays as long
			data = bytes.Replace(data, []byte(`{"engine":"","plan":0,"done":`), []byte(`{"engine":"numbers",  "done":`), 1)
			mend(data)
		}
		writeFile(t, path, data)
		unpackLevels(t, path)
		var w world
		r, err := run.Resume(t.Context(), path, func(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
			sp, err := define(ctx, d, memory)
			if err == nil {
				w = explore(sp)
			}
			return sp, err
		}, run.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		testResult(t, w, r)
		onlyFile(t, name, path)
	}
}
