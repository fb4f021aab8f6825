package run_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pagoda/internal/failpoint"
	"pagoda/internal/long"
	"pagoda/layers"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// A payload is what an engine has put into a checkpoint.
type payload struct {
	meta     layers.Meta
	state    map[string]any
	sections map[string][]byte
}

// readPayload reads a checkpoint that one of the engines has written.
func readPayload(t testing.TB, path string) payload {
	t.Helper()
	f, err := layers.OpenCheckpoint(t.Context(), path, define, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := payload{meta: *f.Meta(), sections: make(map[string][]byte)}
	if err := f.State(&p.state); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"distances", "open", "goals", "depths", "levels", "ring", "sums", "packed", "set", "queue", "found"} {
		if data, err := f.Section(name, layers.AnyLength); err == nil {
			p.sections[name] = bytes.Clone(data)
		}
	}
	return p
}

// write writes the checkpoint again.
func (p payload) write(t testing.TB, path string) {
	t.Helper()
	var sections []layers.Section
	for _, name := range slices.Sorted(maps.Keys(p.sections)) {
		sections = append(sections, layers.SectionOf(name, p.sections[name]))
	}
	var state any
	if p.state != nil {
		state = p.state
	}
	if err := layers.WriteCheckpoint(t.Context(), path, &p.meta, state, sections...); err != nil {
		t.Fatal(err)
	}
}

// change returns a copy with another checkpoint, section or field of the state.
func (p payload) change(change func(c *layers.Checkpoint, state map[string]any, sections map[string][]byte)) payload {
	c := *p.meta.Checkpoint
	c.State = nil
	var state map[string]any
	text, err := json.Marshal(p.state)
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	if err != nil {
		panic(err) // it was JSON
	}
	p.meta.Checkpoint, p.state, p.sections = &c, state, maps.Clone(p.sections)
	change(&c, state, p.sections)
	return p
}

// savedRuns are runs whose checkpoints differ in kind, by a name for the kind.
func savedRuns(t testing.TB) map[string]struct {
	sp statespace.Space
	o  run.Options
} {
	t.Helper()
	g, err := twenty48.NewGame("2048/2x2", twenty48.Options{Rows: 2, Columns: 2, P4: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	type saved = struct {
		sp statespace.Space
		o  run.Options
	}
	return map[string]saved{
		"search, directed":   {directedRing, run.Options{Engine: run.NumbersEngine}},
		"search, undirected": {undirectedRing, run.Options{Engine: run.NumbersEngine}},
		"search, ending":     {endingRing, run.Options{Engine: run.NumbersEngine}},
		"search, stepper":    {slides(t, "slide/n2x3"), run.Options{Engine: run.NumbersEngine}},
		"set, plain":         {piles{N: 50}, run.Options{Engine: run.PlainEngine}},
		"set, layers":        {pegs(t, "peg/4x4"), run.Options{Engine: "layers", Store: layers.SetStore}},
		"stream, in file":    {pegs(t, "peg/4x5"), run.Options{Engine: "sweep", Store: layers.FoldedStore}},
		"stream, ring":       {pegs(t, "peg/4x5"), run.Options{Engine: "sweep", Store: layers.SetStore}},
		"levels":             {undirectedRing, run.Options{Engine: run.SparseEngine}},
		"chance":             {stoppedGame{chance.NewSpace(g)}, run.Options{}},
	}
}

// A stoppedGame is a game that cannot be stopped at a step.
type stoppedGame struct{ *chance.Space }

// stopAny stops a run, and returns its checkpoint.
func stopAny(t testing.TB, sp statespace.Space, o run.Options) (checkpoint string) {
	t.Helper()
	g, ok := sp.(stoppedGame)
	if !ok {
		return stopHalfway(t, sp, o)
	}
	ctx, cancel := stopping(t)
	var files atomic.Int64
	defer failpoint.Inject(func(op, path string) error {
		if strings.Contains(path, run.LevelsSuffix) && files.Add(1) == 40 {
			cancel()
		}
		return nil
	})()
	_, err := run.Start(ctx, g.Space, o)
	var stopped *run.StoppedError
	if !errors.As(err, &stopped) {
		t.Fatalf("%s was not stopped: %v", sp.Name(), err)
	}
	return stopped.Checkpoint
}

// With right checksums a checkpoint may say anything: a run is refused, or goes on, and does not break. What no run of
// the engine can have written is refused with what was found.
func TestForgedCheckpoints(t *testing.T) {
	for name, r := range savedRuns(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.reach")
			r.o.Output, r.o.Every, r.o.Threads = path, -1, 1
			checkpoint := stopAny(t, r.sp, r.o)
			good := readPayload(t, checkpoint)
			if field, _, _ := strings.Cut(name, ","); field != "set" && good.state[field] == nil || field == "set" && good.sections["set"] == nil {
				t.Fatalf("it holds the state %v", good.state)
			}
			left := t.TempDir() + "/left"
			if err := os.CopyFS(left, os.DirFS(filepath.Dir(path))); err != nil {
				t.Fatal(err)
			}
			try := func(p payload) error {
				if err := errors.Join(os.RemoveAll(filepath.Dir(path)), os.CopyFS(filepath.Dir(path), os.DirFS(left))); err != nil {
					t.Fatal(err)
				}
				p.write(t, checkpoint)
				_, err := run.Resume(t.Context(), checkpoint, define, run.Options{Threads: 2})
				return err
			}
			refused := func(what string, want error, text string, change func(c *layers.Checkpoint, state map[string]any, sections map[string][]byte)) {
				t.Helper()
				err := try(good.change(change))
				if wrong := (*layers.FileError)(nil); !errors.As(err, &wrong) || !errors.Is(err, want) || !strings.Contains(err.Error(), text) || strings.Contains(err.Error(), "--") {
					t.Errorf("%s: %v; want %q", what, err, text)
				}
			}
			if err := cmp.Or(try(good), verify(t, path)); err != nil {
				t.Fatal(err)
			}
			for section, data := range good.sections {
				set := func(data []byte) func(*layers.Checkpoint, map[string]any, map[string][]byte) {
					return func(_ *layers.Checkpoint, _ map[string]any, sections map[string][]byte) { sections[section] = data }
				}
				refused("without "+section, layers.ErrDamaged, section, func(_ *layers.Checkpoint, _ map[string]any, sections map[string][]byte) { delete(sections, section) })
				refused(section+" with a byte more", layers.ErrDamaged, "", set(append(slices.Clone(data), 0)))
				if section != "goals" {
					refused(section+" with words more", layers.ErrDamaged, "", set(append(slices.Clone(data), make([]byte, 1<<12)...)))
				}
				if len(data) > 0 {
					refused(section+" with a byte less", layers.ErrDamaged, "", set(data[:len(data)-1]))
				}
				if len(data) > 8 {
					refused(section+" with words less", layers.ErrDamaged, "", set(data[:len(data)/16*8]))
				}
			}
			c := good.meta.Checkpoint
			for _, version := range []int{c.Version + 1, c.Version - 2} {
				refused("another version", layers.ErrVersion, fmt.Sprintf("it should have version %d of the checkpoints of the engine %s, which this program goes on from, and has version %d; resume it with", c.Version, c.Engine, version),
					func(c *layers.Checkpoint, _ map[string]any, _ map[string][]byte) { c.Version = version })
			}
			refused("another engine", layers.ErrVersion, `has no engine "other"`, func(c *layers.Checkpoint, _ map[string]any, _ map[string][]byte) { c.Engine = "other" })
			refused("another division", layers.ErrVersion, "divided", func(c *layers.Checkpoint, _ map[string]any, _ map[string][]byte) { c.Division++ })
			for _, done := range []int{0, 1, c.Done + 1, c.Done + 1000} {
				try(good.change(func(c *layers.Checkpoint, _ map[string]any, _ map[string][]byte) { c.Done = done }))
			}
			// Each number of the state, and each field, is something else.
			try(good.change(func(_ *layers.Checkpoint, state map[string]any, _ map[string][]byte) { clear(state) }))
			for field, v := range good.state {
				for _, other := range others(v) {
					try(good.change(func(_ *layers.Checkpoint, state map[string]any, _ map[string][]byte) { state[field] = other }))
				}
			}
			// So are some bits of the sections.
			rng := rand.New(rand.NewPCG(1, 1))
			for range long.Or(100, 10) {
				try(good.change(func(_ *layers.Checkpoint, _ map[string]any, sections map[string][]byte) {
					for name, data := range sections {
						if data = bytes.Clone(data); len(data) > 0 {
							data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
						}
						sections[name] = data
					}
				}))
			}
		})
	}
}

// others returns values that are another one in one place.
func others(v any) (all []any) {
	switch v := v.(type) {
	case float64:
		return []any{-1, 0, v + 1, 17, 1e18, "x"}
	case bool:
		return []any{!v, nil}
	case map[string]any:
		all = []any{nil, map[string]any{}, []any{}}
		for field, old := range v {
			for _, other := range others(old) {
				changed := maps.Clone(v)
				changed[field] = other
				all = append(all, changed)
			}
		}
	case []any:
		all = []any{nil, 7}
		for i, old := range v {
			if i > 0 && i < len(v)-1 {
				continue
			}
			for _, other := range others(old) {
				changed := slices.Clone(v)
				changed[i] = other
				all = append(all, changed)
			}
			all = append(all, slices.Delete(slices.Clone(v), i, i+1))
		}
	}
	return all
}

// FuzzResume goes on from checkpoints that say anything.
func FuzzResume(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.reach")
	checkpoint := path + run.CheckpointSuffix
	for _, r := range savedRuns(f) {
		r.o.Output, r.o.Every, r.o.Threads = path, -1, 1
		stopAny(f, r.sp, r.o)
		f.Add(readFile(f, checkpoint))
		for _, left := range []string{checkpoint, path + layers.PartialSuffix, path + run.LevelsSuffix} {
			os.RemoveAll(left)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 4096 || binary.LittleEndian.Uint64(data[24:]) > uint64(len(data)) || binary.LittleEndian.Uint64(data[24:]) < 4096 {
			return
		}
		mend(data) // so that the fuzzer gets behind the checksums
		writeFile(t, checkpoint, data)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		run.Resume(ctx, checkpoint, func(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
			sp, err := define(ctx, d, memory)
			switch sp := sp.(type) {
			case ring:
				if sp.N == 0 || sp.N > 1<<20 || len(sp.Steps) > 100 || slices.ContainsFunc(sp.Steps, func(s uint64) bool { return s >= sp.N }) {
					err = errors.New("no such ring")
				}
			case piles:
				if sp.N == 0 || sp.N > 1000 {
					err = errors.New("no such piles")
				}
			}
			return sp, err
		}, run.Options{Output: path, Overwrite: true, Memory: 1 << 28, MaxStates: 1 << 16, Threads: 2})
	})
}
