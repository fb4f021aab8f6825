package run_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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

// A program has the engines that it was given, and one of the same name takes the place of another.
func TestUse(t *testing.T) {
	sp := pegs(t, "peg/5x5")
	all := run.Engines(sp)
	run.OnlyUse(t, run.Chance)
	if _, err := run.Start(t.Context(), sp, run.Options{}); !errors.Is(err, run.ErrOptions) || run.Kernel(sp) != "" || run.Engines(sp) != nil {
		t.Errorf("a program without engines for the space: %v", err)
	}
	run.Use(run.Numbers, run.Blocks, run.UnmarkedNumbers)
	if names := run.EngineNames(); !slices.Equal(names, []string{run.ChanceEngine, run.NumbersEngine, "sweep"}) {
		t.Errorf("the engines are %v", names)
	}
	if few := run.Engines(sp); !slices.Equal(few, []string{"sweep", run.NumbersEngine}) || few[0] != all[0] {
		t.Errorf("the engines of %s are %v of %v", sp.Name(), few, all)
	}
}
