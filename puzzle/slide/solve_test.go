package slide

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

func TestSolveRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	n := 250
	if !long.Tests {
		n = 12
	}
	for range n {
		p := slidetest.Random(rng)
		if mustPack(t, p).Size() > 20000 {
			continue
		}
		for m := range tray.Metric(tray.Metrics) {
			compareEngines(t, p, m, false)
			compareEngines(t, p, m, true)
		}
	}
}

// TestLibrary solves the puzzles of the library, up to a number of positions, in every metric. What the
// library keeps is found again, and the solutions can be played.
func TestLibrary(t *testing.T) {
	most := uint64(50_000)
	if !long.Tests {
		most = 1_000
	}
	for name, facts := range library.Computed() {
		p := slidetest.Lookup(t, name)
		for m, want := range facts {
			if want.States == 0 || want.States > most {
				continue
			}
			r := mustSolve(t, p, tray.Metric(m), Options{})
			if r.Length != want.Length || r.States != want.States || r.Solutions.Cmp(want.Solutions) != 0 {
				t.Errorf("%s: %v: length %d, %v solutions, %d positions, kept are %+v", name, tray.Metric(m), r.Length, r.Solutions, r.States, want)
			}
			checkMoves(t, p, r)
		}
	}
}

// TestDistinctCentury: with all pieces distinct, 23,425,920 positions can be reached. Other
// programs computed this.
func TestDistinctCentury(t *testing.T) {
	if !long.Tests {
		t.Skip("takes seconds")
	}
	p := slidetest.Parse(t, "distinct: *\ntray: 1AA2/BAAC/BD.C/3D.4/EEFF\ngoal: ..../..../..../.AA/.AA")
	if r := mustSolve(t, p, tray.Steps, Options{}); r.States != 23425920 || r.Length != 131 {
		t.Errorf("%d positions, %d steps", r.States, r.Length)
	}
}

// TestThreads: the levels are the same on any number of threads, bit by bit, and so is the result.
func TestThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	puzzles, cases := []*tray.Puzzle{}, 30
	if !long.Tests {
		cases = 10
	}
	for len(puzzles) < cases {
		puzzles = append(puzzles, slidetest.Random(rng))
	}
	klotski := slidetest.Lookup(t, "slide/klotski")
	for _, p := range append(puzzles, klotski) {
		if mustPack(t, p).Size() > 100000 {
			continue
		}
		for m := range tray.Metric(tray.Metrics) {
			if p == klotski && m.Single() != tray.Moves {
				continue // it takes longer
			}
			for _, toGoal := range []bool{false, true} {
				compareThreads(t, p, m, toGoal)
			}
		}
	}
}

func compareThreads(t *testing.T, p *tray.Puzzle, m tray.Metric, toGoal bool) {
	t.Helper()
	pk := mustPack(t, p)
	var marks []uint64
	var found *bfs.Result
	var solved *Result
	for _, threads := range []int{1, 2, 7} {
		s, err := search(t.Context(), pk.Graph(m), only(rank(pk, p.Start())), bfs.Options{ToGoal: toGoal, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		gotMarks, gotFound := slices.Clone(s.Marks().Words()), s.Result
		s.Close()
		got, err := solvePacked(t.Context(), p, m, Options{ToGoal: toGoal, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		if found == nil {
			marks, found, solved = gotMarks, &gotFound, got
			continue
		}
		if !slices.Equal(gotMarks, marks) || !reflect.DeepEqual(&gotFound, found) {
			t.Fatalf("%s%v: %d threads find other levels than 1", p.Format(), m, threads)
		}
		if !reflect.DeepEqual(got, solved) {
			t.Fatalf("%s%v: %d threads find\n%+v, 1 finds\n%+v", p.Format(), m, threads, got, solved)
		}
	}
}

func TestSolveErrors(t *testing.T) {
	p := slidetest.Parse(t, "A..")
	klotski := slidetest.Lookup(t, "slide/klotski")
	for _, e := range []string{autoEngine, numbersEngine, sparseEngine, run.PlainEngine} {
		if _, err := Solve(t.Context(), p, tray.Steps, Options{Engine: e, ToGoal: true}); !errors.Is(err, ErrNoGoal) {
			t.Errorf("%q without a goal: %v", e, err)
		}
		if r := mustSolve(t, p, tray.Steps, Options{Engine: e}); r.Solved || r.States != 3 || !r.Whole {
			t.Errorf("%q without a goal, all positions: %+v", e, r)
		}
		stopped, stop := context.WithCancelCause(t.Context())
		cause := errors.New("enough")
		stop(cause)
		if _, err := Solve(stopped, p, tray.Steps, Options{Engine: e}); !errors.Is(err, cause) {
			t.Errorf("%q stopped: %v", e, err)
		}
		if _, err := Solve(t.Context(), klotski, tray.Steps, Options{Engine: e, Memory: 1 << 19}); e != run.PlainEngine && (!errors.Is(err, statespace.ErrMemory) || !TooLarge(err)) {
			t.Errorf("%q in little memory: %v", e, err)
		}
	}
	if _, err := Solve(t.Context(), klotski, tray.Steps, Options{Engine: "hash"}); !errors.Is(err, run.ErrOptions) {
		t.Errorf("solved by an unknown engine: %v", err)
	}
}

// BenchmarkSolve finds all positions that can be reached, fast and by the plain search, in
// positions per second of the clock and of the processors. In the distinct Century all pieces are
// distinct. The large tray is 6x6 with 12 empty cells. Without -tags long only the small ones are
// searched.
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
		if c.large && !long.Tests {
			continue
		}
		p := slidetest.Parse(b, c.text)
		for m := range tray.Metric(tray.Metrics) {
			if c.large && m != tray.Steps {
				break
			}
			pk := mustPack(b, p)
			pk.Graph(m) // makes the tables
			run := func(name string, find func() (states uint64, err error)) {
				b.Run(c.name+"/"+m.String()+"/"+name, func(b *testing.B) {
					states := 0.0
					cpu := cpuSeconds()
					for b.Loop() {
						n, err := find()
						if err != nil {
							b.Fatal(err)
						}
						states += float64(n)
					}
					b.ReportMetric(states/b.Elapsed().Seconds()/1e6, "Mstates/s")
					if cpu = cpuSeconds() - cpu; cpu > 0 {
						b.ReportMetric(states/cpu/1e6, "Mstates/cpu-s")
					}
				})
			}
			for _, threads := range []int{1, 2} {
				run(fmt.Sprintf("threads=%d", threads), func() (uint64, error) {
					return countStates(b, pk, p, m, threads)
				})
			}
			if !c.large {
				run("plain", func() (uint64, error) { return countPlain(b, p, m) })
			}
		}
	}
}

// countStates searches all positions by a numbering.
func countStates(b *testing.B, n numbering, p *tray.Puzzle, m tray.Metric, threads int) (uint64, error) {
	s, err := search(b.Context(), n.Graph(m), only(rank(n, p.Start())), bfs.Options{Threads: threads})
	if err != nil {
		return 0, err
	}
	defer s.Close()
	return s.States(), nil
}

// countPlain searches all positions by the plain search.
func countPlain(b *testing.B, p *tray.Puzzle, m tray.Metric) (uint64, error) {
	r, err := solvePlain(b.Context(), p, m, Options{})
	if err != nil {
		return 0, err
	}
	return r.States, nil
}

// BenchmarkEngines times whole solutions.
func BenchmarkEngines(b *testing.B) {
	for _, name := range []string{"klotski", "century", "distinct"} {
		p := slidetest.Parse(b, "distinct: *\ntray: 1AA2/BAAC/BD.C/3D.4/EEFF\ngoal: ..../..../..../.AA./.AA.")
		if name != "distinct" {
			p = slidetest.Lookup(b, library.Prefix+name)
		}
		for _, m := range []tray.Metric{tray.Steps, tray.Moves} {
			for _, e := range []string{numbersEngine, sparseEngine, run.PlainEngine} {
				b.Run(name+"/"+m.String()+"/"+e, func(b *testing.B) {
					states := uint64(0)
					for b.Loop() {
						r, err := Solve(b.Context(), p, m, Options{Engine: e})
						if err != nil {
							b.Fatal(err)
						}
						states += r.States
					}
					b.ReportMetric(float64(states)/b.Elapsed().Seconds()/1e6, "Mstates/s")
				})
			}
		}
	}
}
