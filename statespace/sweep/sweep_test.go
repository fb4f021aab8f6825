package sweep_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/puzzle/peg"
	"pagoda/statespace"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/spacetest"
	"pagoda/statespace/sweep"
)

var errStop = errors.New("stopped by the test")

// ended returns a context that has ended.
func ended(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	return ctx
}

// With and without kernels, the functions find the same.
func TestSweep(t *testing.T) {
	for _, plain := range []statespace.Space{toys.Countdown{Start: 0}, toys.Countdown{Start: 200}, toys.Piles{N: 20}, toys.Pairs{N: 8}} {
		want := toys.Reach(t, plain)
		for _, sp := range []statespace.Space{plain, toys.NewSwept(plain)} {
			set := bitset.New(sp.Size())
			if err := sweep.Enumerate(t.Context(), sp, set, 2, nil); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(set.Words(), want.Words()) {
				t.Errorf("%s: %d states are found, want %d", sp.Name(), set.Count(), want.Count())
			}
			if layers, err := sweep.CountLayers(t.Context(), sp, set, 2); err != nil || !slices.Equal(layers, statespace.CountLayers(plain, want)) {
				t.Errorf("%s: the layers are %v, %v", sp.Name(), layers, err)
			}
			if faults, err := sweep.Verify(t.Context(), sp, set, 2, nil); err != nil || faults.Count != 0 {
				t.Errorf("%s: %+v, %v", sp.Name(), faults, err)
			}
			for _, x := range []uint64{0, sp.Size() / 2, sp.Size() - 1} {
				set.Flip(x)
				if faults, err := sweep.Verify(t.Context(), sp, set, 2, nil); err != nil || faults != toys.Certify(t, plain, set) || faults.Count == 0 {
					t.Errorf("%s: with number %d changed: %+v, %v", sp.Name(), x, faults, err)
				}
				set.Flip(x)
			}
		}
	}
}

// A run is stopped after each of its stages, and another one continues.
func TestRun(t *testing.T) {
	sp := toys.NewSwept(toys.Countdown{Start: 60})
	want := toys.Reach(t, sp)
	begin := func(set *bitset.Set) *sweep.Run {
		r, err := sweep.NewRun(sp, sweep.Engines(sp)[0], set)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	set, done := bitset.New(sp.Size()), 0
	plan := begin(set).Plan()
	for stage := 1; ; stage++ {
		r := begin(set)
		var err error
		if done, err = r.Do(t.Context(), done, func(int) error { return errStop }, 2, nil); err == nil {
			break
		}
		if !errors.Is(err, errStop) || done != stage || r.Plan() != plan {
			t.Fatalf("stopped after stage %d, %d are done: %v", stage, done, err)
		}
	}
	if done != 61 || !slices.Equal(set.Words(), want.Words()) {
		t.Errorf("after %d stages there are %d states, want %d", done, set.Count(), want.Count())
	}
	for _, from := range []int{-1, 62} {
		if _, err := begin(set).Do(t.Context(), from, nil, 1, nil); err == nil {
			t.Errorf("a run of 61 stages continues after stage %d", from)
		}
	}
	more := toys.NewSwept(toys.Countdown{Start: 61})
	longer, err := sweep.NewRun(more, sweep.Engines(more)[0], bitset.New(62))
	if err != nil || longer.Plan() == plan {
		t.Errorf("runs of 61 and of 62 stages have the same plan, %v", err)
	}
}

// A set of another size is refused, and so is an engine that the space does not have.
func TestRefuses(t *testing.T) {
	for _, sp := range []statespace.Space{toys.Countdown{Start: 20}, toys.NewSwept(toys.Countdown{Start: 20})} {
		wrong := bitset.New(64)
		for name, err := range map[string]error{
			"Enumerate": sweep.Enumerate(t.Context(), sp, wrong, 1, nil),
			"CountLayers": func() error {
				_, err := sweep.CountLayers(t.Context(), sp, wrong, 1)
				return err
			}(),
			"Verify": func() error {
				_, err := sweep.Verify(t.Context(), sp, wrong, 1, nil)
				return err
			}(),
			"UnfoldSet": sweep.UnfoldSet(t.Context(), sp, bitset.New(21), wrong, 1, nil),
		} {
			if err == nil || err.Error() != "countdown/20 has 21 numbers, the set holds 64" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	swept := toys.NewSwept(toys.Countdown{Start: 20})
	if _, err := sweep.NewRun(swept, sweep.Engines(swept)[0], bitset.New(64)); err == nil {
		t.Error("a run takes a set of another size")
	}
	for sp, want := range map[statespace.Space]string{
		swept:                     `countdown/20 has no engine "sweep": it has layers`,
		toys.Countdown{Start: 20}: `countdown/20 has no engine "sweep": it has none`,
	} {
		if _, err := spacetest.FindEngine(sp, "sweep"); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if e, err := spacetest.FindEngine(swept, "layers"); err != nil || e.Name != "layers" {
		t.Errorf("the engine %+v, %v", e, err)
	}
}

// Everything ends with its context, with kernels and without.
func TestInterrupt(t *testing.T) {
	board, err := peg.Lookup("peg/5x6")
	if err != nil {
		t.Fatal(err)
	}
	ctx := ended(t)
	for _, sp := range []statespace.Space{board, toys.Piles{N: 30}} {
		set := bitset.New(sp.Size())
		for _, engine := range sweep.Engines(sp) {
			r, err := sweep.NewRun(sp, engine, set)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Do(ctx, 0, nil, 2, nil); !errors.Is(err, errStop) {
				t.Errorf("%s goes on after it was stopped: %v", engine.Name, err)
			}
		}
		if err := sweep.Enumerate(ctx, sp, set, 2, nil); !errors.Is(err, errStop) {
			t.Errorf("%s is enumerated after it was stopped: %v", sp.Name(), err)
		}
		if _, err := sweep.Verify(ctx, sp, set, 2, nil); !errors.Is(err, errStop) {
			t.Errorf("verify goes on after it was stopped: %v", err)
		}
		if _, err := sweep.CountLayers(ctx, sp, set, 2); !errors.Is(err, errStop) {
			t.Errorf("counting goes on after it was stopped: %v", err)
		}
		if err := sweep.UnfoldSet(ctx, sp, set, bitset.New(sp.Size()), 2, nil); !errors.Is(err, errStop) {
			t.Errorf("unfolding goes on after it was stopped: %v", err)
		}
	}
}

func TestUnfoldSet(t *testing.T) {
	sp := toys.Piles{N: 10}
	set := toys.Reach(t, sp)
	all := slices.Clone(set.Words())
	if err := spacetest.FoldSet(t.Context(), sp, set, 2); err != nil {
		t.Fatal(err)
	}
	// 1, 3, 5, 7 or 9 in each pile, no more in the left one.
	if n := set.Count(); n != 15 {
		t.Errorf("%d members are left of 25, want 15", n)
	}
	unfolded := bitset.New(sp.Size())
	if err := sweep.UnfoldSet(t.Context(), sp, set, unfolded, 2, nil); err != nil || !slices.Equal(unfolded.Words(), all) {
		t.Errorf("unfolded, there are %d members, %v", unfolded.Count(), err)
	}
	if err := spacetest.FoldSet(t.Context(), toys.Countdown{Start: 20}, bitset.New(21), 2); err != nil {
		t.Errorf("a space without symmetries: %v", err)
	}
}

func TestCheckFolding(t *testing.T) {
	pairs := toys.Pairs{N: 4}
	for bits, want := range map[int]string{
		5: "whole blocks", 6: "", 7: "does not take blocks", 10: "", 11: "whole blocks", 64: "whole blocks", -1: "whole blocks",
	} {
		if err := sweep.CheckFolding(pairs, bits); err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("blocks of 2^%d numbers: %v, want %q", bits, err, want)
		}
	}
	large := sweep.Plain(toys.Map(func(x uint64) uint64 { return x }), 1<<25)
	if large.TakesBlocks(6) {
		t.Error("a plain symmetry looks at 2^25 numbers")
	}
}
