package run_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pagoda/internal/long"
	"pagoda/layers"
	_ "pagoda/layers/all"
	"pagoda/puzzle/tiles/twenty48"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// A run of a game against chance that is stopped again and again writes the same file, which is proved.
func TestChanceStops(t *testing.T) {
	g, err := twenty48.NewGame("2048/2x3", twenty48.Options{Rows: 2, Columns: 3, P4: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	sp, dir := chance.NewSpace(g), t.TempDir()
	for _, size := range long.Or([]int{4, 8}, []int{4}) {
		whole, stopped := filepath.Join(dir, "whole.reach"), filepath.Join(dir, "stopped.reach")
		objectives := "score>length,tile:64"
		if size == 4 {
			objectives = "score,length,tile:64"
		}
		o := run.Options{Output: whole, Own: run.ChanceOptions{Objectives: objectives, ValueBytes: size}, Threads: 2, Overwrite: true}
		want := start(t, sp, o)
		o.Output, o.Threads = stopped, 1
		for attempt := 0; ; attempt++ {
			ctx, cancel := context.WithTimeout(t.Context(), (5*time.Millisecond)<<min(attempt, 14))
			var r *run.Result
			if _, left := os.Stat(stopped + run.CheckpointSuffix); left == nil {
				r, err = run.Resume(ctx, stopped+run.CheckpointSuffix, define, run.Options{Threads: 2, Overwrite: true})
			} else {
				r, err = run.Start(ctx, sp, o)
			}
			cancel()
			if err == nil {
				if got, want := worthOf(t, r).Values, worthOf(t, want).Values; len(got) != 3 || got[0] != want[0] {
					t.Errorf("a run that was stopped finds %v, expected %v", got, want)
				}
				break
			}
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(readFile(t, stopped), readFile(t, whole)) {
			t.Errorf("values of %d bytes: a run that was stopped wrote other bytes", size)
		}
		if err := verify(t, stopped); err != nil {
			t.Error(err)
		}
		for _, left := range []string{run.CheckpointSuffix, run.CheckpointSuffix + ".lock", run.LevelsSuffix} {
			if _, err := os.Lstat(stopped + left); err == nil && left != run.CheckpointSuffix+".lock" {
				t.Errorf("the run left %s", left)
			}
		}
	}
}

// A run that lacks memory keeps the layers that are done, and goes on with more.
func TestChanceMemory(t *testing.T) {
	g, err := twenty48.NewGame("2048/2x3", twenty48.Options{Rows: 2, Columns: 3, P4: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	sp, dir := chance.NewSpace(g), t.TempDir()
	// Tables have a least size, which is large with many values.
	var objectives []string
	for i := range 40 {
		objectives = append(objectives, fmt.Sprintf("discount:0.%d1:64", 10+i))
	}
	o := run.Options{Output: filepath.Join(dir, "whole.reach"), Own: run.ChanceOptions{Objectives: strings.Join(objectives, ",")}, Threads: 2}
	start(t, sp, o)
	want := readFile(t, o.Output)
	o.Output, o.Memory = filepath.Join(dir, "small.reach"), 20<<20
	_, err = run.Start(t.Context(), sp, o)
	if !errors.Is(err, statespace.ErrMemory) || !strings.Contains(err.Error(), "the limit is 20 MiB: raise it") {
		t.Fatalf("little memory: %v", err)
	}
	if _, err := run.Resume(t.Context(), o.Output+run.CheckpointSuffix, define, run.Options{Threads: 1, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readFile(t, o.Output), want) {
		t.Error("a run that lacked memory wrote other bytes")
	}
}

// Files of small values are proved although the chances are below the least ones that 4 bytes have with all
// digits. Ties are no more what they were, so they are not broken.
func TestChanceSmall(t *testing.T) {
	for _, p4 := range long.Or([]float64{0.1, 1e-20, 1e-30}, []float64{1e-30}) {
		g, err := twenty48.NewGame("2048/2x3", twenty48.Options{Rows: 2, Columns: 3, P4: p4})
		if err != nil {
			t.Fatal(err)
		}
		sp, path := chance.NewSpace(g), filepath.Join(t.TempDir(), "game.reach")
		start(t, sp, run.Options{Output: path, Own: run.ChanceOptions{Objectives: "score,tile,discount:1e-5:64", ValueBytes: 4}})
		if err := verify(t, path); err != nil {
			t.Errorf("a chance of %v: %v", p4, err)
		}
		o := run.Options{Output: path + "2", Own: run.ChanceOptions{Objectives: "score,tile:128>score", ValueBytes: 4}}
		if _, err := run.Start(t.Context(), sp, o); !errors.Is(err, run.ErrOptions) || !strings.Contains(err.Error(), `"tile:128>score"`) {
			t.Errorf("ties of small values: %v", err)
		}
	}
}

// A file that is cut, or in which a bit has flipped, is found by its checksums.
func TestChanceDamage(t *testing.T) {
	g, err := twenty48.NewGame("2048/2x2", twenty48.Options{Rows: 2, Columns: 2, P4: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "game.reach")
	start(t, chance.NewSpace(g), run.Options{Output: path})
	data := readFile(t, path)
	for at := 0; at < len(data); at += 97 {
		bad := bytes.Clone(data)
		bad[at] ^= 4
		writeFile(t, path, bad)
		if err := verify(t, path); !errors.Is(err, layers.ErrDamaged) && !errors.Is(err, layers.ErrNotReach) && !errors.Is(err, layers.ErrVersion) && !errors.Is(err, layers.ErrUnfinished) {
			t.Errorf("byte %d flipped: %v", at, err)
		}
		writeFile(t, path, data[:at])
		if err := verify(t, path); err == nil {
			t.Errorf("cut to %d bytes: no error", at)
		}
	}
}

// worthOf returns what a run found that the start is worth.
func worthOf(t *testing.T, r *run.Result) *run.Worth {
	t.Helper()
	worth, ok := r.Own.(*run.Worth)
	if !ok {
		t.Fatalf("a run finds %+v, and not what the start is worth", r)
	}
	return worth
}
