package slide

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pagoda/statespace"
)

// sameResult holds the fast searches against the plain one.
func sameResult(t *testing.T, p *Puzzle, m Metric, toGoal bool) {
	t.Helper()
	o := Options{ToGoal: toGoal}
	want, err := SolvePlain(t.Context(), p, m, o)
	if err != nil {
		t.Fatal(err)
	}
	for o.Engine = range Engine(Engines) {
		got := want
		if o.Engine != PlainEngine {
			if got, err = Solve(t.Context(), p, m, o); err != nil {
				t.Fatal(err)
			}
		}
		if got.Solved != want.Solved || got.Length != want.Length || got.States != want.States || got.Whole != want.Whole ||
			got.Solutions.Cmp(want.Solutions) != 0 || !slices.Equal(got.Layers, want.Layers) {
			t.Fatalf("%s%v: %v finds\n%+v, plainly\n%+v", p.Format(), m, o.Engine, got, want)
		}
		if got.Solved {
			if _, err := p.CheckSolution(m, got.Moves); err != nil || len(got.Moves) != got.Length {
				t.Fatalf("%s%v: %v: %v: %v", p.Format(), m, o.Engine, got.Moves, err)
			}
		}
	}
}

func TestSolveRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	n := 400
	if testing.Short() {
		n = 25
	}
	for range n {
		p := randomPuzzle(rng)
		pk, err := NewPacking(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		if pk.Size() > 20000 {
			continue
		}
		for m := range Metric(Metrics) {
			sameResult(t, p, m, false)
			sameResult(t, p, m, true)
		}
	}
}

// TestThreads: whatever the number of threads, the levels are the same, bit by bit, and so
// is the result.
func TestThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	puzzles := []*Puzzle{}
	for len(puzzles) < 30 {
		puzzles = append(puzzles, randomPuzzle(rng))
	}
	klotski, err := Lookup("slide/klotski")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(puzzles, klotski) {
		pk, err := NewPacking(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		if pk.Size() > 100000 {
			continue
		}
		for m := range Metric(Metrics) {
			if p == klotski && m.reach() != Moves {
				continue // it takes longer
			}
			for _, toGoal := range []bool{false, true} {
				var first *levels
				var search *searcher
				var want, all *Result
				for _, threads := range []int{1, 2, 7} {
					// The search itself, over memory that is given.
					l, r := newLevels(pk.size, make([]uint64, (pk.size+63)/64*2)), new(Result)
					s := newSearcher(pk, m, threads)
					s.shared = 1 // small levels, too
					s.progress = new(statespace.Progress)
					if err := s.search(t.Context(), l, []uint64{pk.Rank(p.Start())}, toGoal, r); err != nil {
						t.Fatal(err)
					}
					if done, _ := s.progress.Read(); uint64(done) != r.States {
						t.Errorf("%s%v, %d threads: progress %d, %d positions", p.Format(), m, threads, done, r.States)
					}
					got, err := pk.Solve(t.Context(), m, Options{ToGoal: toGoal && len(p.goals) > 0, Threads: threads})
					if err != nil {
						t.Fatal(err)
					}
					if first == nil {
						first, search, want, all = l, s, got, r
						continue
					}
					if !slices.Equal(l.planes, first.planes) || !slices.Equal(l.closed, first.closed) || !reflect.DeepEqual(r, all) ||
						!slices.Equal(s.ends, search.ends) || !slices.Equal(s.lastLevel, search.lastLevel) || s.last != search.last {
						t.Fatalf("%s%v: %d threads find other levels than 1", p.Format(), m, threads)
					}
					if !reflect.DeepEqual(got, want) {
						t.Fatalf("%s%v: %d threads find\n%+v, 1 finds\n%+v", p.Format(), m, threads, got, want)
					}
				}
			}
		}
	}
}

func TestSolveErrors(t *testing.T) {
	p, err := ParsePuzzle("A..")
	if err != nil {
		t.Fatal(err)
	}
	for e := range Engine(Engines) {
		if _, err := Solve(t.Context(), p, Steps, Options{Engine: e, ToGoal: true}); !errors.Is(err, ErrNoGoal) {
			t.Errorf("without a goal: %v", err)
		}
		r, err := Solve(t.Context(), p, Steps, Options{Engine: e})
		if err != nil || r.Solved || r.States != 3 || !r.Whole {
			t.Errorf("without a goal, all: %+v, %v", r, err)
		}
		stopped, stop := context.WithCancelCause(t.Context())
		cause := errors.New("enough")
		stop(cause)
		if _, err := Solve(stopped, p, Steps, Options{Engine: e}); !errors.Is(err, cause) {
			t.Errorf("stopped: %v", err)
		}
		var size *SizeError
		k, err := Lookup("slide/klotski")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Solve(t.Context(), k, Steps, Options{Engine: e, Memory: 1 << 16}); !errors.As(err, &size) {
			t.Errorf("in little memory: %v", err)
		}
	}
}

// BenchmarkSolve finds all positions that can be reached, fast and plainly, and tells how
// many in a second of the clock, and of the processors. All pieces of the distinct Century are told apart.
// The large tray is 6x6 with 12 empty cells. With -short only the small ones are searched.
func BenchmarkSolve(b *testing.B) {
	for _, c := range []struct {
		name, text string
		large      bool
	}{
		{"klotski", "BAAC/BAAC/DEEF/DghF/i..j .AA./.AA./..../..../....", false},
		{"century", "1AA2/BAAC/BD.C/3D.4/EEFF ..../..../..../.AA./.AA.", false},
		{"century-distinct", "distinct: *\ntray: 1AA2/BAAC/BD.C/3D.4/EEFF", true},
		{"6x6", "AABBJK/CCDDJK/EEFFJK/GHI.../GHI.../......", true},
	} {
		if c.large && testing.Short() {
			continue
		}
		p, err := ParsePuzzle(c.text)
		if err != nil {
			b.Fatal(err)
		}
		for m := range Metric(Metrics) {
			if c.large && m != Steps {
				break
			}
			pk, err := NewPacking(p, 0)
			if err != nil {
				b.Fatal(err)
			}
			pk.bands()
			run := func(name string, find func(r *Result) error) {
				b.Run(c.name+"/"+m.String()+"/"+name, func(b *testing.B) {
					states := 0.0
					cpu := cpuSeconds()
					for b.Loop() {
						r := new(Result)
						if err := find(r); err != nil {
							b.Fatal(err)
						}
						states += float64(r.States)
					}
					b.ReportMetric(states/b.Elapsed().Seconds()/1e6, "Mstates/s")
					if cpu = cpuSeconds() - cpu; cpu > 0 {
						b.ReportMetric(states/cpu/1e6, "Mstates/cpu-s")
					}
				})
			}
			for _, threads := range []int{1, 2} {
				run(fmt.Sprintf("threads=%d", threads), func(r *Result) error {
					return newSearcher(pk, m, threads).search(b.Context(), newLevels(pk.size, nil), []uint64{pk.Rank(p.Start())}, false, r)
				})
			}
			if !c.large {
				run("plain", func(r *Result) error {
					all, err := SolvePlain(b.Context(), p, m, Options{})
					if err == nil {
						*r = *all
					}
					return err
				})
			}
		}
	}
}
