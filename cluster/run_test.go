package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pagoda/cluster/beamrun"
	"pagoda/cluster/storage"
	"pagoda/cluster/storage/storagetest"
	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/puzzle"
	"pagoda/run"
	"pagoda/statespace"
)

// lookup returns a space: of a name, or of a text that draws it.
func lookup(t *testing.T, name string) statespace.Space {
	t.Helper()
	if strings.Contains(name, "\n") {
		path := filepath.Join(t.TempDir(), "puzzle.txt")
		if err := os.WriteFile(path, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
		name = path
	}
	sp, err := families.Lookup(t.Context(), name, nil, puzzle.Choice{Memory: 1 << 32})
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// want returns the bytes of the file of one machine, and its result.
func want(t *testing.T, sp statespace.Space, o run.Options) ([]byte, *run.Result) {
	t.Helper()
	o.Output = filepath.Join(t.TempDir(), "want.reach")
	r, err := run.Start(t.Context(), sp, o)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, o.Output), r
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// same checks that a run has the result of one machine, and has left nothing but its file.
func same(t *testing.T, r *run.Result, output string, file []byte, other *run.Result) {
	t.Helper()
	if !bytes.Equal(read(t, output), file) {
		t.Errorf("%s: the file has other bytes than that of one machine", r.Space)
	}
	if r.States != other.States || fmt.Sprint(r.Layers) != fmt.Sprint(other.Layers) || r.Store != other.Store || r.FileBytes != other.FileBytes {
		t.Errorf("%s: %+v, expected %+v", r.Space, r, other)
	}
	if (r.Goal == nil) != (other.Goal == nil) || r.Goal != nil && (r.Goal.Distance != other.Goal.Distance || r.Goal.Solutions.Cmp(other.Goal.Solutions) != 0) {
		t.Errorf("%s: the goal is %+v, expected %+v", r.Space, r.Goal, other.Goal)
	}
	left, err := filepath.Glob(output + "*")
	if err != nil || len(left) != 1 {
		var all []string
		filepath.WalkDir(output+placeSuffix, func(path string, _ fs.DirEntry, err error) error {
			all = append(all, path)
			return err
		})
		t.Errorf("%s: it has left %v, %v", r.Space, all[:min(len(all), 5)], err)
	}
}

// century has all of its pieces distinct.
const century = "distinct: *\ntray:\n1AA2\nBAAC\nBD.C\n3D.4\nEEFF\ngoal:\n....\n....\n....\n.AA.\n.AA.\n"

// TestEqual: the file is that of one machine, byte for byte.
func TestEqual(t *testing.T) {
	small := []struct {
		space string
		o     Options
	}{
		{space: "peg/4x4", o: Options{By: ByLayers}},
		{space: "peg/5x5", o: Options{By: ByLayers, Shards: 9, Levels: 5}},
		{space: "peg/5x5", o: Options{By: ByLayers, Options: run.Options{Memory: 1 << 12, Threads: 3}}}, // workers sort
		{space: "peg/5x5", o: Options{By: ByLayers, Options: run.Options{Store: layers.SetStore}}},
		{space: "peg/triangle15", o: Options{By: ByLayers}},
		{space: "slide/klotski", o: Options{Shards: 5, Levels: 20}},
		{space: "slide/dads", o: Options{Levels: 1}},
		{space: "slide/dads", o: Options{Options: run.Options{Store: layers.SparseStore}}},
		{space: "slide/cluttered-bag"}, // no numbers
		{space: "slide/n3x3"},
		{space: "lunar/5x5:1-2"}, // values
		{space: "2048/2x2", o: Options{Options: run.Options{Store: layers.SparseStore}}},
		{space: "toys/ring-5000", o: Options{Levels: 100}},
		{space: "toys/ring-5000", o: Options{Levels: 100, Options: run.Options{Memory: 1 << 12}}},
		{space: "toys/down-300", o: Options{Levels: 100}},
	}
	for i, c := range small {
		t.Run(fmt.Sprintf("%d-%s", i, strings.ReplaceAll(strings.Fields(c.space)[0], "/", "-")), func(t *testing.T) {
			equal(t, c.space, c.o)
		})
	}
	if !long.Tests {
		return
	}
	for _, space := range []string{"slide/n2x5", "peg/5x6", "peg/english", century} {
		t.Run("large", func(t *testing.T) { equal(t, space, Options{By: byLayersIf(space)}) })
	}
}

func byLayersIf(space string) string {
	if strings.HasPrefix(space, "peg/") {
		return ByLayers
	}
	return ""
}

func equal(t *testing.T, space string, o Options) {
	t.Helper()
	sp := lookup(t, space)
	reference := run.Options{Store: o.Store}
	if o.Store == layers.SparseStore {
		reference.Engine = run.SparseEngine
	}
	file, other := want(t, sp, reference)
	o.Output = filepath.Join(t.TempDir(), "got.reach")
	r, err := Run(t.Context(), sp, o)
	if err != nil {
		t.Fatal(err)
	}
	same(t, r, o.Output, file, other)
}

// TestWorkers: worker processes make the same files.
func TestWorkers(t *testing.T) {
	for _, space := range []string{"slide/klotski", "peg/5x5"} {
		for _, n := range []int{1, 3} {
			equal(t, space, Options{By: byLayersIf(space), Beam: beamrun.Options{Workers: n}})
		}
	}
}

// TestPieces: a file in pieces is the same file.
func TestPieces(t *testing.T) {
	for _, c := range []struct{ space, store string }{{"peg/5x5", layers.SetStore}, {"slide/klotski", ""}, {"toys/ring-5000", ""}} {
		sp := lookup(t, c.space)
		file, _ := want(t, sp, run.Options{Store: c.store})
		o := Options{By: byLayersIf(c.space), Pieces: true, Options: run.Options{Output: filepath.Join(t.TempDir(), "got.reach"), Store: c.store}}
		r, err := Run(t.Context(), sp, o)
		if err != nil {
			t.Fatal(err)
		}
		f, err := layers.Open(t.Context(), o.Output, families.Define, 0)
		if err != nil {
			t.Fatal(err)
		}
		joined := filepath.Join(t.TempDir(), "joined.reach")
		if _, err := layers.Join(t.Context(), f, joined, false, nil); err != nil || !f.InPieces() {
			t.Errorf("%s: in pieces: %t, %v", c.space, f.InPieces(), err)
		}
		f.Close()
		if !bytes.Equal(read(t, joined), file) || r.FileBytes != uint64(len(file)) {
			t.Errorf("%s: in pieces, the file has other bytes", c.space)
		}
	}
}

// TestBucket: the levels may be in a bucket.
func TestBucket(t *testing.T) {
	for _, space := range []string{"peg/5x5", "slide/dads", "slide/cluttered-bag"} {
		equal(t, space, Options{By: byLayersIf(space), Place: storagetest.Bucket(t)})
	}
}

// keep makes a run that leaves its levels, and takes away those from one on: the same run goes on from
// there.
func keep(t *testing.T, sp statespace.Space, o *Options, from int) string {
	t.Helper()
	dir := t.TempDir()
	o.Output, o.Place, o.Keep = filepath.Join(dir, "got.reach"), filepath.Join(dir, "levels"), true
	if _, err := Run(t.Context(), sp, *o); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(o.Output); err != nil {
		t.Fatal(err)
	}
	for level := from; ; level++ {
		if err := os.Remove(filepath.Join(o.Place, filepath.FromSlash(new(plan).manifestName(level)))); err != nil {
			return o.Place
		}
	}
}

// TestDamage: what is damaged, missing or of another run is an error that names it. When it is put
// back, the run goes on.
func TestDamage(t *testing.T) {
	for _, space := range []string{"slide/dads", "peg/5x5"} {
		sp := lookup(t, space)
		file, other := want(t, sp, run.Options{})
		const from = 12
		o := Options{By: byLayersIf(space), Levels: 8}
		place := keep(t, sp, &o, from)
		p, err := storage.Open(t.Context(), place)
		if err != nil {
			t.Fatal(err)
		}
		last, err := getManifest(t.Context(), p, new(plan), from-1)
		if err != nil {
			t.Fatal(err)
		}
		p.Close()
		shard := new(plan).object(last.Shards[0])
		flip := func(data []byte) []byte {
			data = bytes.Clone(data)
			data[len(data)/2] ^= 4
			return data
		}
		for _, c := range []struct {
			name   string
			change func([]byte) []byte // nil: it is removed
			expect []string
		}{
			{shard, flip, []string{shard, "damaged", "checksum", "put it back"}},
			{shard, func(data []byte) []byte { return data[:len(data)/2] }, []string{shard, "damaged", "bytes"}},
			{shard, nil, []string{shard, "missing"}},
			{new(plan).manifestName(from - 1), flip, []string{new(plan).manifestName(from - 1), "damaged"}},
			{new(plan).manifestName(3), func(data []byte) []byte { return []byte("xx\n") }, []string{new(plan).manifestName(3), "damaged"}},
			{planName, flip, []string{planName}},
		} {
			path := filepath.Join(place, filepath.FromSlash(c.name))
			good := read(t, path)
			if c.change == nil {
				os.Remove(path)
			} else if err := os.WriteFile(path, c.change(good), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := Run(t.Context(), sp, o)
			if err == nil {
				t.Errorf("%s: nothing is said of %s", space, c.name)
				os.Remove(o.Output)
				continue
			}
			for _, word := range c.expect {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%s: %s: the error should have %q: %v", space, c.name, word, err)
				}
			}
			if err := os.WriteFile(path, good, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		// The levels of another run.
		another := lookup(t, "slide/klotski")
		if _, err := Run(t.Context(), another, o); !errors.Is(err, run.ErrInTheWay) || !strings.Contains(err.Error(), sp.Name()) {
			t.Errorf("levels of %s for a run of klotski: %v", space, err)
		}
		foreign := Options{By: o.By, Shards: 3, Levels: 8}
		strange := keep(t, sp, &foreign, from)
		path := filepath.FromSlash(new(plan).manifestName(from - 1))
		good := read(t, filepath.Join(place, path))
		if err := os.WriteFile(filepath.Join(place, path), read(t, filepath.Join(strange, path)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), sp, o); err == nil || !strings.Contains(err.Error(), "another run") {
			t.Errorf("%s: a manifest of another run: %v", space, err)
		}
		if err := os.WriteFile(filepath.Join(place, path), good, 0o666); err != nil {
			t.Fatal(err)
		}
		o.Keep = false
		r, err := Run(t.Context(), sp, o)
		if err != nil {
			t.Fatal(err)
		}
		same(t, r, o.Output, file, other)
	}
}

// TestExisting: a run whose file is there is done, and what it has left is removed.
func TestExisting(t *testing.T) {
	for _, space := range []string{"slide/dads", "peg/4x4", "slide/cluttered-bag"} {
		sp := lookup(t, space)
		file, other := want(t, sp, run.Options{})
		o := Options{Keep: true, Options: run.Options{Output: filepath.Join(t.TempDir(), "got.reach")}}
		if _, err := Run(t.Context(), sp, o); err != nil {
			t.Fatal(err)
		}
		o.Keep = false
		r, err := Run(t.Context(), sp, o)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Existing {
			t.Errorf("%s: the file was made again", space)
		}
		same(t, r, o.Output, file, other)
		if _, err := Run(t.Context(), lookup(t, "slide/klotski"), o); !errors.Is(err, run.ErrInTheWay) {
			t.Errorf("a run of klotski with the file of %s: %v", space, err)
		}
	}
}

// TestOthers: files of others in the place stay.
func TestOthers(t *testing.T) {
	place := t.TempDir()
	mine := []string{"notes.txt", "level-1/x", "pieces/mine", "level-00001/mine", "run.txt"}
	for _, name := range mine {
		path := filepath.Join(place, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(name), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "slide/dads", Options{Place: place})
	for _, name := range mine {
		if string(read(t, filepath.Join(place, filepath.FromSlash(name)))) != name {
			t.Errorf("%s was changed", name)
		}
	}
	if left, err := filepath.Glob(place + "/*/*"); err != nil || len(left) != 3 {
		t.Errorf("the run has left %v, %v", left, err)
	}
}

// TestStop: a run that is stopped goes on.
func TestStop(t *testing.T) {
	sp := lookup(t, "slide/klotski")
	file, other := want(t, sp, run.Options{})
	o := Options{Levels: 8, Options: run.Options{Output: filepath.Join(t.TempDir(), "got.reach")}}
	stopped := 0
	for wait := 300 * time.Millisecond; ; wait += 50 * time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		r, err := Run(ctx, sp, o)
		cancel()
		if err == nil {
			same(t, r, o.Output, file, other)
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		stopped++
	}
	if stopped == 0 {
		t.Log("the run was faster than its first stop")
	}
}

// TestRefuse: what cannot be is refused before anything is made.
func TestRefuse(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there.reach")
	if err := os.WriteFile(there, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	output := filepath.Join(dir, "new.reach")
	for _, c := range []struct {
		space string
		o     Options
		is    error
	}{
		{"slide/dads", Options{Options: run.Options{Output: there}}, run.ErrInTheWay},
		{"slide/dads", Options{Options: run.Options{Output: dir}}, run.ErrOptions},
		{"slide/dads", Options{Options: run.Options{Output: output, Store: "sets"}}, run.ErrOptions},
		{"slide/dads", Options{Options: run.Options{Output: output, Store: layers.SetStore}, Pieces: true}, run.ErrOptions},
		{"2048/2x2", Options{Options: run.Options{Output: output, Store: layers.ValuesStore}}, run.ErrOptions},
		{"slide/cluttered-bag", Options{Options: run.Options{Output: output}, Pieces: true}, run.ErrOptions},
		{"slide/dads", Options{Options: run.Options{Output: output}, Levels: -1}, run.ErrOptions},
		{"slide/dads", Options{Options: run.Options{Output: output}, Beam: beamrun.Options{Endpoint: "localhost:1"}}, run.ErrOptions},
		{"slide/dads", Options{Options: run.Options{Output: output}, Beam: beamrun.Options{Runner: "flink", Workers: 2}}, run.ErrOptions},
		{"slide/dads", Options{Options: run.Options{Output: output}, Beam: beamrun.Options{Flags: []string{"no_such_flag=1"}}}, run.ErrOptions},
	} {
		if _, err := Run(t.Context(), lookup(t, c.space), c.o); !errors.Is(err, c.is) {
			t.Errorf("%s with %+v: %v, expected %v", c.space, c.o, err, c.is)
		}
		os.RemoveAll(output + placeSuffix)
	}
	if left, _ := filepath.Glob(dir + "/*"); len(left) != 1 {
		t.Errorf("refused runs have left %v", left)
	}
	if string(read(t, there)) != "mine" {
		t.Error("a file that was there was changed")
	}
}
