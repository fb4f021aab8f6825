package run_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pagoda/layers"
	"pagoda/run"
)

// A new engine is one value in the list: it is chosen, predicted, found by its name, and makes files.
func TestNewEngine(t *testing.T) {
	sp := slides(t, "slide/n2x3")
	path := filepath.Join(t.TempDir(), "a.reach")
	want := start(t, sp, run.Options{Engine: run.NumbersEngine})
	run.OnlyUse(t, run.Backwards, run.Numbers)
	if names := run.EngineNames(); !slices.Equal(names, []string{"backwards", run.NumbersEngine}) || !slices.Equal(run.Engines(sp), names) {
		t.Errorf("the engines are %v, of the space %v", names, run.Engines(sp))
	}
	if p, err := run.Predict(t.Context(), sp, run.Options{}); err != nil || p.Engine != "backwards" || p.Memory == 0 {
		t.Errorf("the prediction is %+v, %v", p, err)
	}
	r := start(t, sp, run.Options{Output: path})
	if r.Engine != "backwards" || r.States != want.States || !slices.Equal(r.Layers, want.Layers) || r.FileBytes == 0 {
		t.Errorf("it finds %+v, expected %+v", r, want)
	}
	if _, err := run.Start(t.Context(), sp, run.Options{Engine: "backward"}); !errors.Is(err, run.ErrOptions) || !strings.Contains(err.Error(), "did you mean backwards?") {
		t.Errorf("a wrong name became %v", err)
	}
}

// An engine that keeps megabytes in sections of its own is one file as well, queue_test.go: its runs are stopped, go on
// on other threads, and make the same bytes. A checkpoint of another version, or one that is damaged, is refused.
func TestBulkEngine(t *testing.T) {
	sp := ring{N: 1 << 19, Steps: []uint64{1, 700}, Back: true}
	path := filepath.Join(t.TempDir(), "a.reach")
	o := run.Options{Engine: run.NumbersEngine, Output: path, Threads: 2}
	start(t, sp, o)
	want := readFile(t, path)
	run.OnlyUse(t, run.Queue, run.Numbers)
	o = run.Options{Output: path, Overwrite: true, Every: time.Hour}
	start(t, sp, o)
	sameFile(t, "by the queue", path, want)

	o.Overwrite, o.Threads = false, 1
	checkpoint := stopHalfway(t, sp, o)
	saved := readPayload(t, checkpoint)
	if c := saved.meta.Checkpoint; c.Engine != "queue" || c.Version != 3 || len(saved.sections["queue"]) < 1<<20 || len(saved.sections["found"]) != 1<<20 {
		t.Fatalf("the checkpoint says %+v", c)
	}
	refused := func(what, text string, want error, change func(c *layers.Checkpoint, state map[string]any, sections map[string][]byte)) {
		t.Helper()
		saved.change(change).write(t, checkpoint)
		if _, err := run.Resume(t.Context(), checkpoint, define, run.Options{}); !errors.Is(err, want) || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, version := range []int{2, 4} {
		refused("another version", fmt.Sprintf("it should have version 3 of the checkpoints of the engine queue, which this program goes on from, and has version %d; resume it with the program that wrote it", version),
			layers.ErrVersion, func(c *layers.Checkpoint, _ map[string]any, _ map[string][]byte) { c.Version = version })
	}
	for _, name := range []string{"queue", "found"} {
		data := saved.sections[name]
		refused("a section that is cut short", fmt.Sprintf("section %q should have %d bytes", name, len(data)), layers.ErrDamaged, func(_ *layers.Checkpoint, _ map[string]any, sections map[string][]byte) {
			sections[name] = data[:len(data)-8]
		})
		refused("no section", "should", layers.ErrDamaged, func(_ *layers.Checkpoint, _ map[string]any, sections map[string][]byte) { delete(sections, name) })
		refused("a forged section", "it", layers.ErrDamaged, func(_ *layers.Checkpoint, _ map[string]any, sections map[string][]byte) {
			sections[name] = bytes.Clone(data)
			sections[name][1000] ^= 1
		})
	}
	refused("no state", "cannot end at", layers.ErrDamaged, func(_ *layers.Checkpoint, state map[string]any, _ map[string][]byte) { clear(state) })
	saved.write(t, checkpoint)
	bad := readFile(t, checkpoint)
	bad[1<<19] ^= 1
	writeFile(t, checkpoint, bad)
	if _, err := run.Resume(t.Context(), checkpoint, define, run.Options{}); !errors.Is(err, layers.ErrDamaged) || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("a wrong checksum: %v", err)
	}

	saved.write(t, checkpoint)
	if _, err := run.Resume(t.Context(), checkpoint, define, run.Options{Threads: 3}); err != nil {
		t.Fatal(err)
	}
	sameFile(t, "resumed", path, want)
	small := ring{N: 3000, Steps: []uint64{3, 90}, Back: true}
	testResumeRefuses(t, small, "queue")
	testResume(t, explore(small), "queue", layers.Mod3Store)
}

// A program has the engines that it was given, and one of the same name takes the place of another.
func TestUse(t *testing.T) {
	sp := pegs(t, "peg/5x5")
	all := run.Engines(sp)
	run.OnlyUse(t, run.Chance)
	if _, err := run.Start(t.Context(), sp, run.Options{}); !errors.Is(err, run.ErrOptions) || run.Kernel(sp) != "" || run.Engines(sp) != nil {
		t.Errorf("a program without engines for the space: %v", err)
	}
	run.Use(run.Numbers, run.Blocks, run.Blocks)
	if names := run.EngineNames(); !slices.Equal(names, []string{run.ChanceEngine, run.NumbersEngine, "sweep"}) {
		t.Errorf("the engines are %v", names)
	}
	if few := run.Engines(sp); !slices.Equal(few, []string{"sweep", run.NumbersEngine}) || few[0] != all[0] {
		t.Errorf("the engines of %s are %v of %v", sp.Name(), few, all)
	}
}
