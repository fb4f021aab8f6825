package npuzzle

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pagoda/bitset"
	"pagoda/internal/long"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// searchAll searches with lists for levels of fewer positions. It returns what was found, and the
// marks. With several threads, another search takes over now and then.
func searchAll(t *testing.T, n *Numbering, start uint64, toGoal bool, few uint64, threads int) (bfs.Result, []uint64) {
	t.Helper()
	g := n.Graph(tray.Steps)
	g.Roots = slices.Values([]uint64{start})
	g.NewStepper = func(marks []uint64, threads int) statespace.Stepper {
		s := newSearch(n, marks, threads)
		s.few = few
		return s
	}
	s, err := bfs.New(t.Context(), g, bfs.Options{ToGoal: toGoal, Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s = runOn(t, s, g, bfs.Options{ToGoal: toGoal, Threads: threads})
	return s.Result, slices.Clone(s.Marks().Words())
}

// runOn runs a search to its end. With several threads, another search takes over now and then: that
// is returned.
func runOn(t *testing.T, s *bfs.Search, g statespace.Graph, o bfs.Options) *bfs.Search {
	t.Helper()
	stop, levels := errors.New("stop"), 0
	for {
		err := s.Run(t.Context(), func() error {
			if levels++; o.Threads > 1 && levels%5 == 0 {
				return stop
			}
			return nil
		}, nil)
		if err == nil {
			return s
		}
		next, failed := bfs.New(t.Context(), g, o)
		if failed == nil && errors.Is(err, stop) {
			failed = next.Restore(s.Save())
		}
		if failed != nil {
			t.Fatal(err, failed)
		}
		s = next
	}
}

// searchLevels is searchAll without marks.
func searchLevels(t *testing.T, n *Numbering, start uint64, toGoal bool, few uint64, threads int) bfs.Result {
	t.Helper()
	g := n.Graph(tray.Steps)
	g.Roots = slices.Values([]uint64{start})
	g.NewStepper = func(marks []uint64, threads int) statespace.Stepper {
		if marks != nil {
			t.Fatal("the search keeps marks")
		}
		s := newSearch(n, nil, threads)
		s.few = few
		return s
	}
	o := bfs.Options{ToGoal: toGoal, Threads: threads, Levels: true}
	s, err := bfs.New(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	s = runOn(t, s, g, o)
	defer s.Close()
	return s.Result
}

// TestLists compares levels that are lists with a search of positions.
func TestLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for i := range 12 {
		p := slidetest.RandomTiles(t, rng, 2+i%2, 3-i%2)
		n := mustNumber(t, p)
		want := make([]uint64, bitset.PlaneWords(n.Size(), bfs.MarkBits))
		dist := map[string]int{p.Key(p.Start()): 0}
		for todo := []tray.Position{p.Start()}; len(todo) > 0; todo = todo[1:] {
			d := dist[p.Key(todo[0])]
			x, _ := n.Rank(todo[0])
			want[x/64*2] |= uint64(d%3+1) & 1 << (x % 64)
			want[x/64*2+1] |= uint64(d%3+1) >> 1 << (x % 64)
			for _, s := range p.Successors(tray.Steps, todo[0]) {
				if _, seen := dist[p.Key(s.To)]; !seen {
					dist[p.Key(s.To)] = d + 1
					todo = append(todo, s.To)
				}
			}
		}
		start, _ := n.Rank(p.Start())
		if _, got := searchAll(t, n, start, false, 1000, 1); !slices.Equal(got, want) {
			t.Fatalf("%sthe marks are wrong", p.Format())
		}
	}
}

// TestWords compares levels that are bits with lists, on any number of threads, with marks and
// without.
func TestWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for _, c := range []struct{ rows, cols, times int }{{3, 3, 12}, {2, 5, 2}, {5, 2, 1}} {
		if !long.Tests {
			if c.rows*c.cols > 9 {
				continue
			}
			c.times = (c.times + 3) / 4
		}
		for range c.times {
			p := slidetest.RandomTiles(t, rng, c.rows, c.cols)
			n := mustNumber(t, p)
			start, _ := n.Rank(p.Start())
			toGoal := p.Goals() > 0 && rng.IntN(2) == 0
			want, wantMarks := searchAll(t, n, start, toGoal, n.Size()+1, 1)
			for _, o := range []struct {
				few     uint64
				threads int
			}{{0, 1}, {300, 1}, {1, 2}, {20, 7}} {
				if got, marks := searchAll(t, n, start, toGoal, o.few, o.threads); !reflect.DeepEqual(got, want) || !slices.Equal(marks, wantMarks) {
					t.Fatalf("%sto the goal: %t, fewer than %d as lists, %d threads:\n%+v, want\n%+v, marks equal: %t",
						p.Format(), toGoal, o.few, o.threads, got, want, slices.Equal(marks, wantMarks))
				}
				if got := searchLevels(t, n, start, toGoal, o.few, o.threads); !reflect.DeepEqual(got, want) {
					t.Fatalf("%sto the goal: %t, fewer than %d as lists, %d threads, without marks:\n%+v, want\n%+v",
						p.Format(), toGoal, o.few, o.threads, got, want)
				}
			}
		}
	}
}

// TestStep compares a step of bits with the moves of numbers. There are windows of high tiles,
// of low tiles, and of both, with any number of low tiles.
func TestStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	for _, sides := range [][2]int{{3, 3}, {2, 5}, {3, 4}, {2, 6}} {
		p := slidetest.RandomTiles(t, rng, sides[0], sides[1])
		n := mustNumber(t, p)
		w := newWords(n, make([]uint64, bitset.PlaneWords(n.Size(), bfs.MarkBits)), 2)
		for colour := range 2 {
			var list, want []uint64
			for range 3000 {
				if x := rng.Uint64N(n.Size()); n.colour(int(x/n.plane)) == colour {
					list = append(list, x)
					want = n.neighbours(want, x)
				}
			}
			slices.Sort(want)
			want = slices.Compact(want)
			w.set(t.Context(), list)
			count, err := w.step(t.Context(), 1-colour, 1)
			if err != nil {
				t.Fatal(err)
			}
			if got := w.members(nil, 1-colour); !slices.Equal(got, want) || count != uint64(len(want)) {
				t.Fatalf("%v: %d positions lead to %d, want %d", sides, len(list), count, len(want))
			}
		}
	}
}

// TestDamagedLevels: words that Levels cannot have returned are an error.
func TestDamagedLevels(t *testing.T) {
	p := slidetest.Lookup(t, "slide/n3x3")
	n := mustNumber(t, p)
	g := n.Graph(tray.Steps)
	start, _ := n.Rank(p.Start())
	g.Roots = slices.Values([]uint64{start})
	newSearch := func(levels bool) *bfs.Search {
		s, err := bfs.New(t.Context(), g, bfs.Options{Levels: levels})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	s, levels := newSearch(true), 0
	if err := s.Run(t.Context(), func() error {
		if levels++; levels == 20 {
			return errors.New("stop")
		}
		return nil
	}, nil); err == nil {
		t.Fatal("it was not stopped")
	}
	good := s.Save()
	for name, damage := range map[string]func(s *bfs.Saved){
		"":             func(*bfs.Saved) {},
		"bit too high": func(s *bfs.Saved) { s.Levels[0][0] |= 1 << wordNumbers },
		"a state more": func(s *bfs.Saved) { s.Levels[0][0] ^= 1; s.Levels[1][0] ^= 1 },
		"states":       func(s *bfs.Saved) { s.States++ },
		"layers":       func(s *bfs.Saved) { s.Layers[3] = n.Size() },
		"no layer":     func(s *bfs.Saved) { s.Layers[3] = 0 },
		"short":        func(s *bfs.Saved) { s.Levels = s.Levels[1:] },
		"no words":     func(s *bfs.Saved) { s.Levels = nil },
		"marks":        func(s *bfs.Saved) { s.Unmarked = false },
		"with marks":   func(s *bfs.Saved) { s.Marks = make([]uint64, 2) },
	} {
		saved := good
		saved.Layers = slices.Clone(saved.Layers)
		saved.Levels = slices.Clone(saved.Levels)
		for i, plane := range saved.Levels {
			saved.Levels[i] = slices.Clone(plane)
		}
		damage(&saved)
		if err := newSearch(true).Restore(saved); (err == nil) != (name == "") {
			t.Errorf("%s: %v", name, err)
		}
		if err := newSearch(false).Restore(saved); err == nil {
			t.Errorf("%s: it was restored by a search with marks", name)
		}
	}
}

// TestStoppedSet: bits that are set by halves are set again.
func TestStoppedSet(t *testing.T) {
	n := mustNumber(t, slidetest.Lookup(t, "slide/n2x5"))
	w := newWords(n, nil, 1)
	stopped, stop := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	stop(cause)
	all, colour := []uint64{0, 1, 59, 61, 100000}, n.colour(0)
	if err := w.set(t.Context(), []uint64{2, 3, n.plane - 1}); err != nil || len(w.members(nil, colour)) != 3 {
		t.Errorf("%v, %v", w.members(nil, colour), err)
	}
	if err := w.set(stopped, all); !errors.Is(err, cause) {
		t.Errorf("stopped: %v", err)
	}
	if err := w.set(t.Context(), all); err != nil || !slices.Equal(w.members(nil, colour), all) {
		t.Errorf("%v, %v", w.members(nil, colour), err)
	}
}

// A stopping stepper stops the search in a step.
type stopping struct {
	statespace.Stepper
	at   int
	stop func()
}

func (s stopping) Step(ctx context.Context, level int) (uint64, error) {
	if level == s.at {
		s.stop()
	}
	return s.Stepper.Step(ctx, level)
}

// TestStoppedLevels: a search without marks ends its level before it stops, unless it is not to be saved.
func TestStoppedLevels(t *testing.T) {
	n := mustNumber(t, slidetest.Lookup(t, "slide/n3x3"))
	start, _ := n.Rank(n.puzzle.Start())
	for _, unsaved := range []bool{false, true} {
		stopped, stop := context.WithCancelCause(t.Context())
		cause := errors.New("enough")
		g := n.Graph(tray.Steps)
		g.Roots = slices.Values([]uint64{start})
		newStepper := g.NewStepper
		g.NewStepper = func(marks []uint64, threads int) statespace.Stepper {
			return stopping{newStepper(marks, threads), 12, func() { stop(cause) }}
		}
		s, err := bfs.New(t.Context(), g, bfs.Options{Levels: true, Unsaved: unsaved})
		if err != nil {
			t.Fatal(err)
		}
		ended := 0
		err = s.Run(stopped, func() error {
			ended++
			return nil
		}, nil)
		want := 13
		if unsaved {
			want = 12
		}
		if !errors.Is(err, cause) || ended != want {
			t.Errorf("unsaved %t: stopped after %d levels, want %d: %v", unsaved, ended, want, err)
		}
		s.Close()
	}
}

// TestStopped: a step that is stopped is made again by a search that takes over.
func TestStopped(t *testing.T) {
	p := slidetest.Lookup(t, "slide/n2x5")
	n := mustNumber(t, p)
	start, _ := n.Rank(p.Start())
	want, wantMarks := searchAll(t, n, start, false, 0, 1)
	g := n.Graph(tray.Steps)
	g.Roots = slices.Values([]uint64{start})
	s, err := bfs.New(t.Context(), g, bfs.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { s.Close() }()
	cause := errors.New("enough")
	for stops := 0; ; stops++ {
		stopped, stop := context.WithCancelCause(t.Context())
		go func() {
			time.Sleep(time.Duration(stops) * 200 * time.Microsecond)
			stop(cause)
		}()
		err := s.Run(stopped, nil, nil)
		if err == nil {
			break
		}
		if !errors.Is(err, cause) {
			t.Fatal(err)
		}
		next, err := bfs.New(t.Context(), g, bfs.Options{Threads: 2})
		if err == nil {
			err = next.Restore(s.Save())
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		s = next
	}
	if !reflect.DeepEqual(s.Result, want) || !slices.Equal(s.Marks().Words(), wantMarks) {
		t.Errorf("with stops the search finds %+v, without %+v", s.Result, want)
	}
}
