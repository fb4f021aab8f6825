package run_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"pagoda/layers"
	"pagoda/puzzle/peg"
	"pagoda/run"
	"pagoda/statespace"
)

// definePegs makes the space of a file: here, of boards of peg solitaire.
func definePegs(_ context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) {
	return peg.Define(d)
}

// A run keeps what can be reached in a file, and Verify proves it.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()

	sp, err := peg.Lookup("peg/4x4")
	if err != nil {
		panic(err)
	}
	result, err := run.Start(ctx, sp, run.Options{Output: filepath.Join(dir, "4x4.reach")})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.States, "states; the start has", result.Layers[0].Layer, result.LayerName)

	f, err := layers.Open(ctx, result.File, definePegs, 0)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Println("verified:", run.Verify(ctx, f, run.Options{}))
	// Output:
	// 2115 states; the start has 15 pegs
	// verified: <nil>
}

// A run that is stopped leaves a checkpoint, and Resume continues it.
func ExampleResume() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	sp, err := peg.Lookup("peg/5x5")
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err = run.Start(ctx, sp, run.Options{
		Output:     filepath.Join(dir, "5x5.reach"),
		Checkpoint: dir,
		Meter: func(string, uint64, string, func() (int64, int64)) func() {
			cancel() // stop the run as soon as it has begun
			return func() {}
		},
	})
	var stopped *run.StoppedError
	if !errors.As(err, &stopped) {
		panic(err)
	}
	fmt.Println(stopped.Err, "at", filepath.Base(stopped.Checkpoint))

	result, err := run.Resume(context.Background(), stopped.Checkpoint, definePegs, run.Options{Threads: 2})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.States, "states in", filepath.Base(result.File))
	// Output:
	// context canceled at 5x5.reach.checkpoint
	// 1183924 states in 5x5.reach
}
