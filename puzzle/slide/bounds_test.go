package slide

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/spacetest"
)

// shuffled returns an n-puzzle between two positions that random moves make of its start.
func shuffled(t *testing.T, rng *rand.Rand, rows, cols, moves int) *tray.Puzzle {
	t.Helper()
	p, err := library.NPuzzle(rows, cols)
	if err != nil {
		t.Fatal(err)
	}
	walk := func(pos tray.Position) tray.Position {
		for range moves {
			next := p.Successors(tray.Steps, pos)
			pos = next[rng.IntN(len(next))].To
		}
		return pos
	}
	end := walk(p.Start())
	return p.From(walk(end)).To(end)
}

// found finds shortest paths of a puzzle by an engine. The length is -1 if there are none.
func found(t *testing.T, p *tray.Puzzle, m tray.Metric, o run.Options) (length int, solutions string) {
	t.Helper()
	sp, err := New(t.Context(), "the puzzle", p, m, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	o.Path, o.Threads, o.Engines = true, max(1, o.Threads), []run.Engine{run.Numbers, run.Sparse, run.Bounds}
	f, err := run.Find(t.Context(), sp, o)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	on, paths, err := f.Shortest(t.Context())
	if errors.Is(err, statespace.ErrNoPath) && f.Whole {
		return -1, "0"
	}
	if err != nil {
		t.Fatal(err)
	}
	path, _, _, err := paths.First(on) // package replay checks its moves
	if err != nil || len(path.Steps) != f.Length {
		t.Fatalf("a path of %d moves, want %d, %v", len(path.Steps), f.Length, err)
	}
	return f.Length, paths.Total().String()
}

// Lengths and numbers of solutions are those of an enumeration, whatever the cut, the goal and its empty cell.
func TestBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 7))
	for _, c := range []struct {
		rows, cols, rounds int
		cuts               []string
	}{
		{2, 2, 4, []string{"", "1,2,3", "1/2/3"}}, {2, 3, 6, []string{"", "1,2,3,4,5", "1,5/2,3/4"}}, {3, 3, 8, []string{"", "1,2,3,4/5,6,7,8", "1/2/3/4/5/6/7/8", "1,3,5,7,8/2,4,6"}},
		{2, 4, 6, []string{"", "1,2,3,4/5,6,7"}}, {4, 2, 4, []string{"", "1,2,3,4/5,6,7"}}, {2, 5, 2, []string{""}},
	} {
		if long.Tests {
			c.rounds *= 10
		}
		for range c.rounds {
			p := shuffled(t, rng, c.rows, c.cols, 300)
			length, solutions := found(t, p, tray.Moves, run.Options{Engine: run.NumbersEngine})
			for _, cut := range c.cuts {
				if got, n := found(t, p, tray.Moves, run.Options{Engine: run.BoundsEngine, Solutions: true, Threads: 1 + rng.IntN(3), Own: &run.BoundsOptions{Cut: cut}}); got != length || n != solutions {
					t.Fatalf("%scut %q: %d moves, %s solutions, want %d, %s", p.Format(), cut, got, n, length, solutions)
				}
			}
			if got, n := found(t, p, tray.Moves, run.Options{Engine: run.BoundsEngine, Threads: 2}); got != length || n != "1" {
				t.Fatalf("%s%d moves, %s solutions, want %d and one of them", p.Format(), got, n, length)
			}
		}
	}
}

// A goal may leave tiles, and the empty cell, anywhere.
func TestPartialBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 7))
	for _, goal := range []string{"123/.../...", "..1/.../2..", "1../.2./..3", ".../.5./..."} {
		for range 3 {
			tiles := []byte("12345678.")
			rng.Shuffle(9, func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
			p := slidetest.Parse(t, fmt.Sprintf("distinct: *\ntray: %s/%s/%s\ngoal: %s", tiles[:3], tiles[3:6], tiles[6:], goal))
			length, solutions := found(t, p, tray.Moves, run.Options{Engine: run.NumbersEngine})
			if got, n := found(t, p, tray.Moves, run.Options{Engine: run.BoundsEngine, Solutions: true}); got != length || n != solutions {
				t.Fatalf("%s%d moves, %s solutions, want %d, %s", p.Format(), got, n, length, solutions)
			}
		}
	}
}

// Tables are kept as files, and a file of something else or a damaged one is refused.
func TestTables(t *testing.T) {
	dir, rng := t.TempDir(), rand.New(rand.NewPCG(33, 7))
	own := &run.BoundsOptions{Cut: "1,2,3,4/5,6,7,8", Tables: dir}
	p := shuffled(t, rng, 3, 3, 300)
	want, _ := found(t, p, tray.Moves, run.Options{Engine: run.NumbersEngine})
	for range 2 {
		if got, _ := found(t, p, tray.Moves, run.Options{Engine: run.BoundsEngine, Own: own}); got != want {
			t.Fatalf("%d moves, want %d", got, want)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.reach"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the tables are %v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	sp, err := New(t.Context(), "the puzzle", p, tray.Moves, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range []func() []byte{
		func() []byte { bad := append([]byte(nil), data...); bad[len(bad)*2/3] ^= 1; return bad },
		func() []byte { return data[:len(data)/2] },
		func() []byte { return []byte("no table") },
	} {
		if err := os.WriteFile(files[0], damage(), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := run.Find(t.Context(), sp, run.Options{Engine: run.BoundsEngine, Path: true, Own: own, Engines: []run.Engine{run.Bounds}})
		if err == nil || !strings.Contains(err.Error(), files[0]) {
			t.Errorf("a damaged table: %v", err)
		}
	}
}

// Korf's first 15-puzzles have the lengths that he published, with --time they end early, and a checkpoint goes on.
func TestKorf(t *testing.T) {
	korf := []struct {
		start  string
		length int
	}{{"EDF7/BC95/6.21/48A3", 57}, {"D54A/9C8E/2371/.FB6", 55}, {"5CA7/FBE./821D/3496", 56}, {"47ED/A39C/B56F/128.", 56}, {"E719/C36F/8B25/A.4D", 52}, {"2BF5/D467/C8A1/93E.", 52}}
	if !long.Tests {
		korf = korf[:2]
	}
	kept := new(statespace.Kept)
	defer kept.Close()
	for _, k := range korf {
		p := slidetest.Parse(t, "distinct: *\ntray: "+k.start+"\ngoal: .123/4567/89AB/CDEF")
		if got, _ := found(t, p, tray.Moves, run.Options{Kept: kept, Threads: 2}); got != k.length {
			t.Errorf("%s: %d moves, want %d", k.start, got, k.length)
		}
	}
	p := slidetest.Parse(t, "distinct: *\ntray: FEB8/CA7D/9.65/4312\ngoal: .123/4567/89AB/CDEF")
	sp, err := New(t.Context(), "the puzzle", p, tray.Moves, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	errStop := errors.New("stop")
	stop(errStop)
	f, err := run.Find(ctx, sp, run.Options{Path: true, Kept: kept, Engines: []run.Engine{run.Bounds}})
	if err == nil && (f.Searched.Proved || f.Searched.AtLeast < 50) {
		t.Errorf("a search that ended at once: %+v", f.Searched)
	}
	if err == nil {
		f.Close()
	} else if !errors.Is(err, errStop) {
		t.Error(err)
	}
}

// A pattern is a space like all others.
func TestPatternSpace(t *testing.T) {
	for _, c := range []struct{ text, tiles string }{
		{"distinct: *\ntray: 123/456/78.\ngoal: .12/345/678", "1,2,3"}, {"distinct: *\ntray: 1234/567.\ngoal: 123./4567", "7"}, {"distinct: *\ntray: 12/34/5.\ngoal: 12/3./..", "1,2,3"},
	} {
		sp, err := NewPattern("slide/a", slidetest.Parse(t, c.text), c.tiles)
		if err != nil {
			t.Fatal(err)
		}
		spacetest.Test(t, sp, 300)
		again, err := Define(t.Context(), sp.Definition(), 0)
		if err != nil || again.Name() != sp.Name() || again.Size() != sp.Size() {
			t.Errorf("%s is defined as %v, %v", sp.Name(), again, err)
		}
	}
	p := slidetest.Parse(t, "distinct: *\ntray: 123/456/78.\ngoal: .12/345/67.")
	for _, tiles := range []string{"", "0", "9", "8", "1,1", "1,,2", "x", "-1", "1 2"} {
		if _, err := NewPattern("slide/a", p, tiles); err == nil {
			t.Errorf("%q is a pattern", tiles)
		}
	}
}

// A search from both ends finds the lengths and the numbers of solutions of an enumeration, on any number of threads.
func TestBothEnds(t *testing.T) {
	rng, solved := rand.New(rand.NewPCG(49, 2)), 0
	rounds := 200
	if long.Tests {
		rounds = 1000
	}
	for range rounds {
		p, m := slidetest.Random(rng), tray.Metric(rng.IntN(tray.Metrics))
		if p.Goals() == 0 || p.DrawnGoals() == nil { // else one out of reach, perhaps
			p = p.To(slidetest.Walk(p, rng, 200))
		}
		if p.Barred() != "" {
			continue
		}
		length, solutions := found(t, p, m, run.Options{Engine: run.NumbersEngine})
		for threads := 1; threads <= 3; threads++ {
			if n, many := found(t, p, m, run.Options{Engine: run.BoundsEngine, Threads: threads, Solutions: true}); n != length || many != solutions {
				t.Fatalf("%s\nin %s: %d moves, %s solutions from both ends, want %d, %s", p.Format(), m, n, many, length, solutions)
			}
		}
		if length > 0 {
			solved++
		}
	}
	if solved < rounds/3 {
		t.Errorf("%d of %d have moves", solved, rounds)
	}
	if n, _ := found(t, slidetest.Parse(t, "tray: AB.\ngoal: BA."), tray.Moves, run.Options{Engine: run.BoundsEngine}); n != -1 {
		t.Errorf("%d moves past each other", n)
	}
}

// A search from both ends that is stopped anywhere has a bound, and no path, or all.
func TestBothEndsStopped(t *testing.T) {
	sp, err := New(t.Context(), "the puzzle", slidetest.Parse(t, "distinct: *\ntray: 12/34/5.\ngoal: .1/23/45"), tray.Supersteps, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	stopped := 0
	for n := range 2000 {
		f, err := run.Find(&stopping{t.Context(), n}, sp, run.Options{Engine: run.BoundsEngine, Path: true, Engines: []run.Engine{run.Bounds}})
		if err != nil {
			continue // before it began
		}
		_, _, err = f.Shortest(t.Context())
		if found := err == nil; found != f.Searched.Proved || !found && !errors.Is(err, statespace.ErrNoPath) {
			t.Fatalf("stopped after %d looks: %+v, %v", n, f.Searched, err)
		}
		f.Close()
		if f.Searched.Proved {
			break
		}
		stopped++
	}
	if stopped < 5 {
		t.Errorf("%d searches were stopped", stopped)
	}
}

// A stopping context ends after some looks.
type stopping struct {
	context.Context
	left int
}

func (s *stopping) Err() error {
	if s.left--; s.left < 0 {
		return context.Canceled
	}
	return nil
}

// A 15-puzzle is solved again and again from the same tables, or from those of single tiles, whose sum is the Manhattan
// distance; and an easy one also by a list of the positions up to the goal.
func BenchmarkBounds(b *testing.B) {
	easy, hard := "1623/45.B/89A7/CDEF", "E196/48C5/723./ABDF" // of 17 and of 45 moves: Korf's 12th
	for _, c := range []struct{ name, start, engine, cut string }{
		{"easy/6-6-3", easy, run.BoundsEngine, ""}, {"easy/plain", easy, run.SparseEngine, ""},
		{"hard/6-6-3", hard, run.BoundsEngine, ""}, {"hard/manhattan", hard, run.BoundsEngine, "1/2/3/4/5/6/7/8/9/10/11/12/13/14/15"},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, err := tray.Parse("distinct: *\ntray: " + c.start + "\ngoal: .123/4567/89AB/CDEF")
			if err != nil {
				b.Fatal(err)
			}
			sp, err := New(b.Context(), "the puzzle", p, tray.Moves, true, 0)
			if err != nil {
				b.Fatal(err)
			}
			o := run.Options{Engine: c.engine, Path: true, Threads: 2, Kept: new(statespace.Kept), Engines: []run.Engine{run.Sparse, run.Bounds}}
			defer o.Kept.Close()
			if c.cut != "" {
				o.Own = &run.BoundsOptions{Cut: c.cut}
			}
			solve := func() uint64 {
				f, err := run.Find(b.Context(), sp, o)
				if err != nil {
					b.Fatal(err)
				}
				defer f.Close()
				if f.Searched != nil {
					return f.Searched.Nodes
				}
				return f.States()
			}
			nodes := solve() // and the tables
			for b.Loop() {
				solve()
			}
			b.ReportMetric(float64(nodes), "nodes")
		})
	}
}
