package design_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/contest"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/studies/design"
)

// TestSearch holds the designer against the plain one, on random problems with walls.
func TestSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(173, 174))
	solvable, longest := 0, 0
	for range 150 {
		p := slidetest.RandomProblem(rng, 3, 3)
		printed := -1
		o := design.Options{Threads: 1 + rng.IntN(2), Better: func(z *contest.Puzzle) error {
			if z.Length <= printed {
				t.Errorf("%sa puzzle of %d moves comes after one of %d", slidetest.FormatProblem(p), z.Length, printed)
			}
			printed = z.Length
			return nil
		}}
		r, err := design.Search(t.Context(), p, o)
		if wrong := p.CheckGoal(); (wrong != nil) != (err != nil) {
			t.Fatalf("%s%v, %v", slidetest.FormatProblem(p), err, wrong)
		}
		if err != nil {
			continue
		}
		want, length := designPlain(p), 0
		var placements uint64
		for _, w := range want {
			length = max(length, w.length)
			placements += w.placements
		}
		if !r.Proved || r.Best.Length != length || printed != length {
			t.Fatalf("%sfound %d moves, printed %d, expected %d", slidetest.FormatProblem(p), r.Best.Length, printed, length)
		}
		if length > 0 && (r.Placements != placements || r.Searched != placements) {
			t.Errorf("%s%d placements, searched %d, expected %d", slidetest.FormatProblem(p), r.Placements, r.Searched, placements)
		}
		for _, f := range r.Results {
			if w := want[f.Pieces]; f.Length != w.length || f.Placements != w.placements || f.Reached != w.reached {
				t.Errorf("%s%d pieces: %+v, expected %+v", slidetest.FormatProblem(p), f.Pieces, f, w)
			}
		}
		if v, err := design.Judge(t.Context(), p, r.Best, slide.Options{}); err != nil || v.Shortest != length {
			t.Errorf("%s%s%+v, %v", slidetest.FormatProblem(p), r.Best.Format(), v, err)
		}
		solvable, longest = solvable+1, max(longest, length)
	}
	if solvable < 50 || longest < 8 {
		t.Errorf("only %d problems can be solved, in at most %d moves", solvable, longest)
	}
}

// TestTooMany: where there are too many placements, samples are searched.
func TestTooMany(t *testing.T) {
	p, _ := dads(t)
	ctx, cancel := context.WithCancel(t.Context())
	var why error
	r, err := design.Search(ctx, p, design.Options{MaxPlacements: 1000, Seed: 1, Sampling: func(err error) { why = err },
		Better: func(z *contest.Puzzle) error {
			if z.Length > 10 {
				cancel()
			}
			return p.Replay(z)
		}})
	var many *design.TooManyError
	if err != nil || r.Proved || r.Best.Length <= 10 || r.Searched > 0 || r.Placements != 29899090 || r.Sampled.Whole == 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if !errors.As(why, &many) || many.Placements != r.Placements || many.Most != 1000 {
		t.Errorf("samples were searched as %v", why)
	}
}

// A search that ends returns what it has found.
func TestSearchEnds(t *testing.T) {
	p, _ := dads(t)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := design.Search(ctx, p, design.Options{Better: func(z *contest.Puzzle) error {
		if z.Length > 10 {
			cancel()
		}
		return nil
	}})
	if err != nil || r.Proved || r.Best.Length <= 10 || r.Searched >= r.Placements {
		t.Errorf("%+v, %v", r, err)
	}
	if err := p.Replay(r.Best); err != nil {
		t.Error(err)
	}
}

// TestSample: with enough samples, all puzzles are found; the seed says which samples are drawn.
func TestSample(t *testing.T) {
	rng := rand.New(rand.NewPCG(175, 176))
	cases := 400
	if !long.Tests {
		cases = 100
	}
	hard := 0
	for range cases {
		p := slidetest.RandomProblem(rng, 3, 3)
		if p.CheckGoal() != nil {
			continue
		}
		length := 0
		for _, w := range designPlain(p) {
			length = max(length, w.length)
		}
		if length < 4 {
			continue
		}
		hard++
		var texts []string
		for threads := 1; threads <= 3; threads += 2 {
			text := ""
			r, err := design.Sample(t.Context(), p, design.Options{Seed: 1, Threads: threads, Better: func(z *contest.Puzzle) error {
				text += z.Format()
				return p.Replay(z)
			}}, 400)
			if err != nil || r.Best.Length != length || r.Sampled.Whole == 0 {
				t.Fatalf("%s%+v, %v; expected %d moves", slidetest.FormatProblem(p), r, err, length)
			}
			texts = append(texts, text)
		}
		if texts[0] != texts[1] {
			t.Errorf("%sthe number of threads makes a difference:\n%s%s", slidetest.FormatProblem(p), texts[0], texts[1])
		}
	}
	if hard < cases/40 {
		t.Errorf("only %d problems are hard", hard)
	}
}
