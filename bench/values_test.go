package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"pagoda/layers"
	"pagoda/puzzle/tiles/twenty48"
	pagodarun "pagoda/run"
	_ "pagoda/run/all"
	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// BenchmarkValues looks up what random states are worth, in a file of 2048/3x3:64 that it makes or in the file of
// 2048 that the environment variable VALUES names. Each of 2^16 states comes once in a turn, and most of
// their chunks are decoded anew if the file is large; those of 64 states stay decoded. All checksums have been checked.
func BenchmarkValues(b *testing.B) {
	path := os.Getenv("VALUES")
	if path == "" {
		path = filepath.Join(b.TempDir(), "3x3.reach")
		g, err := twenty48.NewGame("2048/3x3:64", twenty48.Options{Rows: 3, Columns: 3, Target: 64, P4: twenty48.DefaultP4})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := pagodarun.Start(b.Context(), chance.NewSpace(g), pagodarun.Options{Output: path, Threads: 2}); err != nil {
			b.Fatal(err)
		}
	}
	f, err := layers.Open(b.Context(), path, func(_ context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) {
		sp, err := twenty48.Define(d)
		if err != nil {
			return nil, err
		}
		return sp, nil
	}, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := f.Check(b.Context(), 2, nil); err != nil {
		b.Fatal(err)
	}
	worth, ok := f.Worth()
	if !ok {
		b.Fatalf("%s has no values", path)
	}
	type place struct {
		layer int
		state uint64
	}
	rng := rand.New(rand.NewPCG(1, 1))
	places := make([]place, 1<<16)
	for i := range places {
		if places[i].layer, places[i].state, err = worth.Game.Parse(f.Space().Format(rng.Uint64N(f.Meta().Size))); err != nil {
			b.Fatal(err)
		}
	}
	for _, n := range []int{len(places), 64} {
		b.Run(fmt.Sprintf("states=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			values, i := make([]float64, worth.Columns()), 0
			if err := f.Read(func() error {
				for b.Loop() {
					p := places[i%n]
					i++
					if found, err := worth.State(values, p.layer, p.state); err != nil || !found {
						return fmt.Errorf("state %d of layer %d: %v, %v", p.state, p.layer, found, err)
					}
				}
				return nil
			}); err != nil {
				b.Fatal(err)
			}
		})
	}
}
