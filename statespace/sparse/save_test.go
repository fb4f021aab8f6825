package sparse

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pagoda/internal/failpoint"
	"pagoda/internal/long"
	"pagoda/sorted"
	"pagoda/statespace"
)

// files returns the files of a directory.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if all[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

var errEnough = errors.New("enough")

// TestSaved: a search that is stopped and restored after each level, with other threads and
// other memory, finds the same, and its files have the same bytes.
func TestSaved(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for kind := range kinds {
		for words := 1; words <= 2; words++ {
			g := newToy(rng, kind, words, 3000)
			want := plain(g.graph(), false)
			whole := filepath.Join(t.TempDir(), "whole")
			s := start(t, g.graph(), Options{Dir: whole}, "disk")
			if err := s.Run(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
			levels, err := s.Save(t.Context())
			if err != nil || len(levels) != len(want.Levels) {
				t.Fatalf("%d levels, want %d: %v", len(levels), len(want.Levels), err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			wantFiles := files(t, whole)
			if len(wantFiles) != len(levels) {
				t.Fatalf("%d files of %d levels", len(wantFiles), len(levels))
			}

			dir := filepath.Join(t.TempDir(), "parts")
			var saved []Level
			for i := 0; ; i++ {
				way := []string{"disk", "tiny"}[i%2]
				s := start(t, g.graph(), Options{Dir: dir, Threads: 1 + i%3}, way)
				if err := s.Restore(t.Context(), saved); err != nil {
					t.Fatal(err)
				}
				err := s.Run(t.Context(), func() error { return errEnough }, nil)
				if err != nil && !errors.Is(err, errEnough) {
					t.Fatal(err)
				}
				if saved, err = s.Save(t.Context()); err != nil {
					t.Fatal(err)
				}
				done := s.Result().Whole
				if done {
					want.hold(t, s, g.codes)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				if done {
					break
				}
			}
			if !slices.Equal(saved, levels) {
				t.Fatalf("levels %v, at once %v", saved, levels)
			}
			for name, data := range files(t, dir) {
				if !bytes.Equal(data, wantFiles[name]) {
					t.Fatalf("%s has other bytes than at once", name)
				}
			}
			if found := len(files(t, dir)); found != len(levels) {
				t.Fatalf("%d files of %d levels", found, len(levels))
			}
		}
	}
}

// TestStopped: when the context ends, the search stops with the cause; it leaves whole levels
// and no scratch files, and goes on.
func TestStopped(t *testing.T) {
	g := newToy(rand.New(rand.NewPCG(5, 6)), undirected, 1, 3000)
	want := plain(g.graph(), false)
	for way := range ways {
		for _, after := range []int{0, 1, 100, 1000, 2500} {
			ctx, cancel := context.WithCancelCause(t.Context())
			graph := g.graph()
			graph.NewExpander = func() statespace.CodeExpander {
				return &stopper{toy: g, left: after, stop: func() { cancel(errEnough) }}
			}
			dir := ""
			if ways[way].disk {
				dir = t.TempDir()
			}
			s := start(t, graph, Options{Dir: dir}, way)
			if err := s.Run(ctx, nil, nil); err == nil && after < 2000 || err != nil && err != errEnough {
				t.Fatalf("%s, after %d states: %v", way, after, err)
			}
			if r := s.Result(); len(r.Levels) > 0 && !slices.Equal(r.Levels, want.Levels[:len(r.Levels)]) {
				t.Fatalf("%s, after %d states: levels %v, want %v", way, after, r.Levels, want.Levels)
			}
			if dir != "" && len(files(t, dir)) != len(s.Result().Levels) {
				t.Fatalf("%s, after %d states there are %d files of %d levels", way, after, len(files(t, dir)), len(s.Result().Levels))
			}
			if err := s.Run(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
			want.hold(t, s, g.codes)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if dir != "" && len(files(t, dir)) > 0 {
				t.Fatalf("%d files are left", len(files(t, dir)))
			}
		}
	}
}

// A stopper calls stop after some states.
type stopper struct {
	*toy
	left int
	stop func()
}

func (s *stopper) Expand(dst []uint64, code []uint64) []uint64 {
	if s.left--; s.left < 0 {
		s.stop()
	}
	return s.toy.Expand(dst, code)
}

// TestFiles: what is in the directory before, meanwhile and afterwards.
func TestFiles(t *testing.T) {
	g := newToy(rand.New(rand.NewPCG(7, 8)), undirected, 1, 500)
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := start(t, g.graph(), Options{Dir: dir}, "disk")
	if err := s.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the directory that the search made is still there: %v", err)
	}

	// What other searches left goes, and nothing else.
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"level-00000.sorted", "level-00099.sorted", "run-00007.sorted", "level-1.sorted", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s = start(t, g.graph(), Options{Dir: dir}, "tiny")
	var saved []Level
	err := s.Run(t.Context(), func() (err error) {
		if len(s.Result().Levels) == 3 {
			saved, err = s.Save(t.Context())
		}
		return err
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	found := files(t, dir)
	for i := range saved {
		name := fmt.Sprintf("level-%05d.sorted", i)
		if uint64(len(found[name])) != saved[i].Bytes {
			t.Errorf("%s has %d bytes, want %d", name, len(found[name]), saved[i].Bytes)
		}
		delete(found, name)
	}
	if len(saved) != 3 || len(found) != 2 || found["notes.txt"] == nil || found["level-1.sorted"] == nil {
		t.Errorf("%d levels are saved, and the other files are %v", len(saved), found)
	}

	s = start(t, g.graph(), Options{Dir: dir}, "disk")
	if err := s.Restore(t.Context(), saved); err != nil {
		t.Fatal(err)
	}
	if err := s.Discard(); err != nil {
		t.Fatal(err)
	}
	if found := files(t, dir); len(found) != 2 {
		t.Errorf("after Discard there are %v", found)
	}
}

// TestDamaged: a file that is not as it was saved is refused, when it is restored or, at the
// latest, when it is read.
func TestDamaged(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	g := newToy(rng, undirected, 1, 1000)
	dir := t.TempDir()
	s := start(t, g.graph(), Options{Dir: dir}, "disk")
	if err := s.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	saved, err := s.Save(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	restore := func(g statespace.CodeGraph, levels []Level) error {
		s := start(t, g, Options{Dir: dir}, "disk")
		defer s.Close()
		err := s.Restore(t.Context(), levels)
		if err != nil && (len(s.Result().Levels) > 0 || len(files(t, dir)) < len(saved)-1) {
			t.Errorf("after %v there are %d levels and %d files", err, len(s.Result().Levels), len(files(t, dir)))
		}
		return err
	}
	if err := restore(g.graph(), saved); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "level-00002.sorted")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		bad := slices.Clone(good)
		bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
		put(bad)
		if err := restore(g.graph(), saved); !errors.Is(err, sorted.ErrDamaged) || !strings.Contains(err.Error(), "checksum should be") || !strings.Contains(err.Error(), path) {
			t.Fatalf("with a bit flipped: %v", err)
		}
		put(good[:rng.IntN(len(good))])
		if err := restore(g.graph(), saved); !errors.Is(err, sorted.ErrDamaged) || !strings.Contains(err.Error(), "bytes, and has") {
			t.Fatalf("cut short: %v", err)
		}
	}
	put(good)
	// Another level, or none.
	for _, change := range []func(l *Level){func(l *Level) { l.States++ }, func(l *Level) { l.CRC32C++ }, func(l *Level) { l.Bytes-- }} {
		other := slices.Clone(saved)
		change(&other[2])
		if err := restore(g.graph(), other); !errors.Is(err, sorted.ErrDamaged) {
			t.Errorf("%+v for %+v: %v", other[2], saved[2], err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := restore(g.graph(), saved); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	put(good)
	// Another search.
	for _, roots := range [][][]uint64{{g.codes[g.roots[0]], {12345}}, {{12345}}} {
		other := g.graph()
		other.Roots = roots
		if err := restore(other, saved); err == nil || !strings.Contains(err.Error(), "another search") {
			t.Errorf("with roots %v: %v", roots, err)
		}
	}
	wide := g.graph()
	wide.Words, wide.Roots = 2, [][]uint64{{1, 2}}
	if err := restore(wide, saved); !errors.Is(err, sorted.ErrDamaged) || !strings.Contains(err.Error(), "words") {
		t.Errorf("with codes of two words: %v", err)
	}
	// A level of another program: its checksums are right, and its codes are those of no states.
	var forged bytes.Buffer
	w, err := sorted.NewWriter(&forged, 1)
	if err == nil {
		err = w.Append([]uint64{5, 1 << 63})
	}
	if err == nil {
		_, err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	last := len(saved) - 1
	if err := os.WriteFile(filepath.Join(dir, LevelName(last)), forged.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	foreign := slices.Clone(saved)
	foreign[last] = Level{2, uint64(forged.Len()), crc32.Checksum(forged.Bytes(), crc32.MakeTable(crc32.Castagnoli))}
	below := g.graph()
	below.Valid = func(code []uint64) bool { return code[0] != 1<<63 }
	s = start(t, below, Options{Dir: dir}, "disk")
	if err := s.Restore(t.Context(), foreign); err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), nil, nil); !errors.Is(err, sorted.ErrDamaged) || !strings.Contains(err.Error(), LevelName(last)) || !strings.Contains(err.Error(), "8000000000000000") {
		t.Errorf("with a code that is none: %v", err)
	}

	// A file that changes while the search runs.
	s = start(t, g.graph(), Options{Dir: filepath.Join(dir, "other")}, "disk")
	err = s.Run(t.Context(), func() error {
		if len(s.Result().Levels) != 5 {
			return nil
		}
		path = filepath.Join(dir, "other", "level-00004.sorted")
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = file.WriteAt([]byte("damage"), 20)
		return err
	}, nil)
	if !errors.Is(err, sorted.ErrDamaged) || !strings.Contains(err.Error(), path) {
		t.Errorf("with a file that changes: %v", err)
	}
}

// TestFullDisk: a level or a run that cannot be written makes an error that names the file,
// and the levels before it are as they were.
func TestFullDisk(t *testing.T) {
	g := newToy(rand.New(rand.NewPCG(11, 12)), undirected, 1, 5000)
	want := plain(g.graph(), false)
	for _, name := range []string{"level-00004.sorted", "run-00003.sorted"} {
		dir := t.TempDir()
		s := start(t, g.graph(), Options{Dir: dir}, "tiny")
		undo := failpoint.Inject(func(op, path string) error {
			if op == "write" && filepath.Base(path) == name {
				return syscall.ENOSPC
			}
			return nil
		})
		err := s.Run(t.Context(), nil, nil)
		undo()
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "write "+filepath.Join(dir, name)) {
			t.Fatalf("%s: %v", name, err)
		}
		if found := files(t, dir); len(found) != len(s.Result().Levels) {
			t.Fatalf("%s: %d files of %d levels", name, len(found), len(s.Result().Levels))
		}
		if err := s.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		want.hold(t, s, g.codes)
	}
}

// TestLinks: a search follows no links, which a stranger may have put among its files.
func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege")
	}
	g := newToy(rand.New(rand.NewPCG(11, 12)), undirected, 1, 5000)
	precious := filepath.Join(t.TempDir(), "level-00002.sorted")
	keep := func() {
		t.Helper()
		if data, err := os.ReadFile(precious); err != nil || string(data) != "precious" {
			t.Fatalf("it is now %q, %v", data, err)
		}
	}
	if err := os.WriteFile(precious, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	// The directory.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Dir(precious), link); err != nil {
		t.Fatal(err)
	}
	s := start(t, g.graph(), Options{Dir: link}, "tiny")
	if err := s.Run(t.Context(), nil, nil); err == nil || !strings.Contains(err.Error(), "link should be a directory") {
		t.Errorf("in a link: %v", err)
	}
	if err := s.Restore(t.Context(), []Level{{}}); err == nil || !strings.Contains(err.Error(), "link should be a directory") {
		t.Errorf("from a link: %v", err)
	}
	if err := RemoveLevels(link); err == nil {
		t.Error("the levels in a link were removed")
	}
	keep()
	// A file, to be written while the search runs, and one to be read.
	dir := t.TempDir()
	s = start(t, g.graph(), Options{Dir: dir}, "tiny")
	var saved []Level
	err := s.Run(t.Context(), func() (err error) {
		if saved == nil {
			if saved, err = s.Save(t.Context()); err == nil {
				err = os.Symlink(precious, filepath.Join(dir, "level-00002.sorted"))
			}
		}
		return err
	}, nil)
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("with a link at the place of a level: %v", err)
	}
	keep()
	s.Close()
	first := filepath.Join(dir, "level-00000.sorted")
	if err := errors.Join(os.Rename(first, first+".moved"), os.Symlink(first+".moved", first)); err != nil {
		t.Fatal(err)
	}
	s = start(t, g.graph(), Options{Dir: dir}, "tiny")
	if err := s.Restore(t.Context(), saved); !errors.Is(err, sorted.ErrDamaged) || !strings.Contains(err.Error(), first+": ") {
		t.Errorf("with a link for a level: %v", err)
	}
}

// TestKilled kills a process that searches and saves, again and again, and restores what it
// last said it has saved.
func TestKilled(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record")
	dir := filepath.Join(t.TempDir(), "levels")
	if os.Getenv("PAGODA_SPARSE_CHILD") != "" {
		record, dir = os.Getenv("PAGODA_SPARSE_CHILD"), os.Getenv("PAGODA_SPARSE_DIR")
	}
	g := newToy(rand.New(rand.NewPCG(13, 14)), undirected, 2, 4000)
	run := func() (*Search, error) {
		s := start(t, g.graph(), Options{Dir: dir, Threads: 2}, "tiny")
		if data, err := os.ReadFile(record); err == nil {
			var levels []Level
			if err := json.Unmarshal(data, &levels); err != nil {
				return s, err
			}
			if err := s.Restore(t.Context(), levels); err != nil {
				return s, err
			}
		}
		return s, s.Run(t.Context(), func() error {
			levels, err := s.Save(t.Context())
			if err != nil {
				return err
			}
			data, err := json.Marshal(levels)
			if err != nil {
				return err
			}
			if err := os.WriteFile(record+".new", data, 0o644); err != nil {
				return err
			}
			return os.Rename(record+".new", record)
		}, nil)
	}
	if os.Getenv("PAGODA_SPARSE_CHILD") != "" {
		if _, err := run(); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !long.Tests || runtime.GOOS == "windows" {
		t.Skip("starts processes and kills them")
	}
	kills := 0
	for delay := time.Millisecond; delay < time.Minute; delay += delay/8 + 1 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "PAGODA_SPARSE_CHILD="+record, "PAGODA_SPARSE_DIR="+dir)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(delay, func() { cmd.Process.Kill() })
		err := cmd.Wait()
		if timer.Stop(); err == nil {
			break
		}
		if cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("%v\n%s", err, &out)
		}
		kills++
	}
	t.Logf("killed %d times", kills)
	s, err := run()
	if err != nil {
		t.Fatal(err)
	}
	plain(g.graph(), false).hold(t, s, g.codes)
}
