package main

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"pagoda"
	"pagoda/puzzle/lunar"
	"pagoda/puzzle/lunar/solver"
)

// BenchmarkProblem answers a question of one problem: from the file of its group, and by the solver,
// which needs no file. The problems are random among those with a solution; a question begins with
// the drawing.
func BenchmarkProblem(b *testing.B) {
	sp, err := pagoda.Lookup(b.Context(), "lunar/5x5:3-4")
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "group.reach")
	if _, err := pagoda.Run(b.Context(), sp, pagoda.Options{Output: path}); err != nil {
		b.Fatal(err)
	}
	f, err := pagoda.Open(b.Context(), path, pagoda.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	drawn, err := f.Sample(b.Context(), pagoda.Pick{Where: "letters == 3"}, 1000, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		b.Fatal(err)
	}
	var problems []string
	for _, x := range drawn {
		problems = append(problems, sp.Format(x))
	}
	ask := func(name string, question func(problem string) error) {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if err := question(problems[i%len(problems)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	values, ok := f.Values()
	if !ok {
		b.Fatal("the file has no values")
	}
	numbers := make([]uint64, len(values.Columns))
	ask("values", func(problem string) error {
		x, err := sp.Parse(problem)
		if err != nil {
			return err
		}
		return f.Read(func() error { return values.Get(numbers, x) })
	})
	paths, err := f.Paths(b.Context(), pagoda.PathQuestion{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(paths.Close)
	ask("path", func(problem string) error {
		s, err := paths.To(problem)
		if err == nil {
			s.Close()
		}
		return err
	})
	board := sp.(*lunar.Group).Board()
	ask("solver", func(problem string) error {
		p, err := board.ParsePosition(problem)
		if err == nil {
			_, err = solver.Solve(b.Context(), board, p, 0, 1)
		}
		return err
	})
}
