package slide

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/statespace"
)

// randomTiles draws an n-puzzle with any start, and no goal, one or two that name some of
// the tiles or all. What the goals want need not be possible.
func randomTiles(t *testing.T, rng *rand.Rand, rows, cols int) *Puzzle {
	t.Helper()
	var text strings.Builder
	text.WriteString("distinct: *\n")
	margin := strings.Repeat(" ", rng.IntN(3))
	draw := func(heading string, some int) {
		cells := []byte(tileNames[:rows*cols-1] + ".")
		rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		for i := 0; i < some; i++ {
			cells[i] = '.'
		}
		if some > 0 { // those that are left are anywhere
			rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		}
		fmt.Fprintf(&text, "%s:\n%s%s\n", heading, margin, strings.ReplaceAll(inRows(string(cells), cols), "/", "\n"+margin))
	}
	draw("tray", 0)
	for range rng.IntN(3) {
		draw("goal", rng.IntN(rows*cols-1))
	}
	p, err := ParsePuzzle(text.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	return p
}

func mustTiles(t testing.TB, p *Puzzle) *TilePacking {
	t.Helper()
	tp, err := NewTilePacking(p)
	if err != nil {
		t.Fatalf("%v\n%s", err, p.Format())
	}
	return tp
}

// TestTilePacking holds the numbers against all placements, and the moves between them
// against the plain ones.
func TestTilePacking(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, sides := range [][2]int{{2, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 2}} {
		for range 4 {
			p := randomTiles(t, rng, sides[0], sides[1])
			tp := mustTiles(t, p)
			keys := placements(p)
			seen := make([]bool, tp.Size())
			for _, key := range keys {
				pos := p.position(key)
				x, ok := tp.Rank(pos)
				if !ok {
					continue
				}
				if x >= tp.Size() || seen[x] {
					t.Fatalf("%s%s: number %d, of %d, is there twice or too large", p.Format(), p.FormatPosition(pos), x, tp.Size())
				}
				seen[x] = true
				if got := tp.Unrank(x); !slices.Equal(got, pos) {
					t.Fatalf("%s%d is %s, want %s", p.Format(), x, p.FormatPosition(got), p.FormatPosition(pos))
				}
			}
			if n := bytes.Count(marks(seen), []byte{1}); n != len(keys)/2 || uint64(n) != tp.Size() {
				t.Fatalf("%s%d of %d placements have numbers, %d are told", p.Format(), n, len(keys), tp.Size())
			}
		}
	}
	for _, sides := range [][2]int{{2, 2}, {2, 3}, {3, 2}, {3, 3}, {2, 4}, {2, 5}, {5, 2}, {3, 4}, {4, 3}, {2, 6}, {2, 7}, {3, 5}, {5, 3}} {
		for range 10 {
			p := randomTiles(t, rng, sides[0], sides[1])
			tp := mustTiles(t, p)
			if x, ok := tp.Rank(p.Start()); !ok || x >= tp.Size() {
				t.Fatalf("%sthe start has the number %d, %t", p.Format(), x, ok)
			}
			for range 20 {
				x := rng.Uint64N(tp.Size())
				pos := tp.Unrank(x)
				if y, ok := tp.Rank(pos); !ok || x != y {
					t.Fatalf("%s%d is %s, and this is %d, %t", p.Format(), x, p.FormatPosition(pos), y, ok)
				}
				if tp.isGoal(x) != p.Solved(pos) {
					t.Fatalf("%s%s is a goal: %t, found: %t", p.Format(), p.FormatPosition(pos), p.Solved(pos), tp.isGoal(x))
				}
				other := slices.Clone(pos)
				other[0], other[1] = other[1], other[0]
				if _, ok := tp.Rank(other); ok {
					t.Fatalf("%s%s can be reached, and with two tiles exchanged as well", p.Format(), p.FormatPosition(pos))
				}
				var want []uint64
				for _, s := range p.successors(Moves, pos) {
					y, ok := tp.Rank(s.pos)
					if !ok {
						t.Fatalf("%s%s leads to what cannot be reached", p.Format(), p.FormatPosition(pos))
					}
					want = append(want, y)
				}
				got := tp.Neighbours(nil, x)
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Fatalf("%s%s leads to %v, want %v", p.Format(), p.FormatPosition(pos), got, want)
				}
			}
		}
	}
}

func marks(set []bool) []byte {
	out := make([]byte, len(set))
	for i, member := range set {
		if member {
			out[i] = 1
		}
	}
	return out
}

// TestTileNumbers: the number does not tell from which start or to which goal.
func TestTileNumbers(t *testing.T) {
	p, err := ParsePuzzle("distinct: *\ntray: 123/456/78.\ngoal: 1")
	if err != nil {
		t.Fatal(err)
	}
	q, err := ParsePuzzle("distinct: *\ntray: 123/.46/758")
	if err != nil {
		t.Fatal(err)
	}
	a, b := mustTiles(t, p), mustTiles(t, q)
	for x := uint64(0); x < a.Size(); x += 1001 {
		if v, w := p.FormatPosition(a.Unrank(x)), q.FormatPosition(b.Unrank(x)); v != w {
			t.Fatalf("%d is %s and %s", x, v, w)
		}
	}
	if x, _ := a.Rank(p.Start()); x != 8*20160 {
		t.Errorf("123/456/78. has the number %d", x)
	}
}

// TestNoTiles: these are no n-puzzles, or too large ones.
func TestNoTiles(t *testing.T) {
	for _, text := range []string{
		"tray: 123/45.",                  // alike
		"distinct: *\ntray: 123/4..",     // two empty cells
		"distinct: *\ntray: 123/456",     // none
		"distinct: *\ntray: 123/45#/6.7", // a wall
		"distinct: *\ntray: 123/.45/6",   // a wall
		"distinct: *\nwalls: (0,2) below\ntray: 123/45.",
		"distinct: *\ntray: 1234.",                  // a line
		"distinct: *\ntray: 1/2/.",                  //
		"distinct: *\ntray: 11/2.",                  // a large piece
		"distinct: *\nhorizontal: 2\ntray: 123/45.", // that does not move up
		"distinct: *\ntray: 1234/5678/9ABC/DEF.",
	} {
		p, err := ParsePuzzle(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if _, err := NewTilePacking(p); !errors.Is(err, ErrNoTiles) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// searchTiles searches with levels of fewer positions as lists.
func searchTiles(t *testing.T, tp *TilePacking, start uint64, toGoal bool, few uint64, threads int) (*Result, []uint64, []uint64) {
	t.Helper()
	s := &tileSearch{tp: tp, planes: make([]uint64, tp.PlaneWords()), few: few, threads: threads}
	r, ends, err := s.search(t.Context(), start, toGoal, new(statespace.Progress))
	if err != nil {
		t.Fatal(err)
	}
	return r, ends, s.planes
}

// TestTileDistances holds lists against a search of positions.
func TestTileDistances(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for i := range 12 {
		p := randomTiles(t, rng, 2+i%2, 3-i%2)
		tp := mustTiles(t, p)
		want := make([]uint64, tp.PlaneWords())
		dist := map[string]int{p.Key(p.Start()): 0}
		for todo := []Position{p.Start()}; len(todo) > 0; todo = todo[1:] {
			d := dist[p.Key(todo[0])]
			x, _ := tp.Rank(todo[0])
			want[x/64*2] |= uint64(d%3+1) & 1 << (x % 64)
			want[x/64*2+1] |= uint64(d%3+1) >> 1 << (x % 64)
			for _, s := range p.successors(Steps, todo[0]) {
				if _, seen := dist[p.Key(s.pos)]; !seen {
					dist[p.Key(s.pos)] = d + 1
					todo = append(todo, s.pos)
				}
			}
		}
		start, _ := tp.Rank(p.Start())
		if _, _, got := searchTiles(t, tp, start, false, 1000, 1); !slices.Equal(got, want) {
			t.Fatalf("%sthe planes are wrong", p.Format())
		}
	}
}

// TestTileSearch holds bits against lists, on any number of threads.
func TestTileSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for _, c := range []struct{ rows, cols, times int }{{3, 3, 12}, {2, 5, 2}, {5, 2, 1}} {
		for range c.times {
			p := randomTiles(t, rng, c.rows, c.cols)
			tp := mustTiles(t, p)
			start, _ := tp.Rank(p.Start())
			toGoal := p.Goals() > 0 && rng.IntN(2) == 0
			want, wantEnds, wantPlanes := searchTiles(t, tp, start, toGoal, tp.Size()+1, 1)
			for _, o := range []struct {
				few     uint64
				threads int
			}{{0, 1}, {300, 1}, {1, 2}, {20, 7}} {
				got, ends, planes := searchTiles(t, tp, start, toGoal, o.few, o.threads)
				if got.Solved != want.Solved || got.Length != want.Length || got.Whole != want.Whole || got.States != want.States ||
					!slices.Equal(got.Layers, want.Layers) || !slices.Equal(ends, wantEnds) || !slices.Equal(planes, wantPlanes) {
					t.Fatalf("%sto the goal: %t, fewer than %d as lists, %d threads:\n%+v %v, want\n%+v %v, planes equal: %t",
						p.Format(), toGoal, o.few, o.threads, got, ends, want, wantEnds, slices.Equal(planes, wantPlanes))
				}
			}
		}
	}
}

// TestTileWords holds moves of bits against those of numbers, where windows have words
// that go together and those that do not, and any number of low tiles.
func TestTileWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	for _, sides := range [][2]int{{3, 3}, {2, 5}, {3, 4}, {2, 6}} {
		p := randomTiles(t, rng, sides[0], sides[1])
		tp := mustTiles(t, p)
		w := newTileWords(tp, make([]uint64, tp.PlaneWords()), 2)
		for colour := range 2 {
			var list, want []uint64
			for range 3000 {
				if x := rng.Uint64N(tp.Size()); tp.colour(int(x/tp.plane)) == colour {
					list = append(list, x)
					want = tp.Neighbours(want, x)
				}
			}
			slices.Sort(want)
			want = slices.Compact(want)
			w.set(list)
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

// TestSolveTiles holds Solve against the plain search and against the numbers of all
// placements.
func TestSolveTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 30))
	for _, c := range []struct{ rows, cols, times int }{{2, 2, 20}, {2, 3, 20}, {3, 2, 20}, {2, 4, 2}, {4, 2, 1}} {
		for range c.times {
			p := randomTiles(t, rng, c.rows, c.cols)
			mustTiles(t, p) // so that Solve takes it
			for _, m := range []Metric{Steps, Lines, Moves} {
				sameResult(t, p, m, false)
				if p.Goals() > 0 {
					sameResult(t, p, m, true)
				}
			}
		}
	}
	for range 6 {
		p := randomTiles(t, rng, 3, 3)
		mustTiles(t, p)
		pk, err := NewPacking(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		want, err := pk.Solve(t.Context(), Lines, Options{ToGoal: p.Goals() > 0})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Solve(t.Context(), p, Lines, Options{ToGoal: p.Goals() > 0})
		if err != nil {
			t.Fatal(err)
		}
		if got.Solved != want.Solved || got.Length != want.Length || got.Whole != want.Whole || got.Solutions.Cmp(want.Solutions) != 0 ||
			!slices.Equal(got.Layers, want.Layers) {
			t.Fatalf("%sfound\n%+v, by the numbers of all placements\n%+v", p.Format(), got, want)
		}
		if got.Solved {
			if _, err := p.CheckSolution(Lines, got.Moves); err != nil {
				t.Fatalf("%s%v: %v", p.Format(), got.Moves, err)
			}
		}
	}
}

func TestTileErrors(t *testing.T) {
	p, err := Lookup("slide/n3x4")
	if err != nil {
		t.Fatal(err)
	}
	var size *SizeError
	if _, err := Solve(t.Context(), p, Moves, Options{Memory: 64 << 20}); !errors.As(err, &size) || size.Numbers != 239500800 || size.Need < 90<<20 {
		t.Errorf("in little memory: %v", err)
	}
	for name, places := range map[string]int{"slide/n3x5": 15, "slide/n2x7": 14} {
		p, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		n := new(big.Int).MulRange(3, int64(places)).Uint64()
		if _, err := Solve(t.Context(), p, Moves, Options{Memory: 1 << 30}); !errors.As(err, &size) || size.Numbers != n {
			t.Errorf("%s in little memory: %v, want %d positions", name, err, n)
		}
	}
	if p, err = ParsePuzzle("distinct: *\ntray: 123/456/78."); err != nil {
		t.Fatal(err)
	}
	tp := mustTiles(t, p)
	planes := make([]uint64, tp.PlaneWords())
	if _, _, err := tp.Search(t.Context(), tp.Size(), planes, false, 1, nil); err == nil {
		t.Error("a search began beyond the last number")
	}
	if _, _, err := tp.Search(t.Context(), 0, planes[1:], false, 1, nil); err == nil {
		t.Error("a search took planes that are too short")
	}
	if _, _, err := tp.Search(t.Context(), 0, planes, true, 1, nil); !errors.Is(err, ErrNoGoal) {
		t.Errorf("without a goal: %v", err)
	}
	stopped, stop := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	stop(cause)
	for _, few := range []uint64{0, 1000} {
		s := &tileSearch{tp: tp, planes: planes, few: few, threads: 2}
		if _, _, err := s.search(stopped, 0, false, new(statespace.Progress)); !errors.Is(err, cause) {
			t.Errorf("stopped: %v", err)
		}
	}
}

// TestLargeNPuzzles: both n-puzzles of 12 cells, computed by other programs.
func TestLargeNPuzzles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, depth := range map[string]int{"slide/n3x4": 53, "slide/n2x6": 80} {
		p, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Solve(t.Context(), p, Moves, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.States != 239500800 || len(r.Layers)-1 != depth || !r.Whole {
			t.Errorf("%s: %d positions, depth %d, want %d", name, r.States, len(r.Layers)-1, depth)
		}
		if _, err := p.CheckSolution(Moves, r.Moves); err != nil || !r.Solved || len(r.Moves) != r.Length {
			t.Errorf("%s: %d moves: %v", name, r.Length, err)
		}
		t.Log(name, r.Length, r.Solutions, r.Layers)
	}
}

// BenchmarkNPuzzle searches all positions by the numbers of n-puzzles, by those of all
// placements, and plainly.
func BenchmarkNPuzzle(b *testing.B) {
	for _, name := range []string{"slide/n3x3", "slide/n2x5", "slide/n3x4", "slide/n2x6"} {
		p, err := Lookup(name)
		if err != nil {
			b.Fatal(err)
		}
		tp := mustTiles(b, p)
		start, _ := tp.Rank(p.Start())
		ways := map[string]func() (*Result, error){
			"tiles": func() (*Result, error) {
				r, _, err := tp.Search(b.Context(), start, make([]uint64, tp.PlaneWords()), false, 1, nil)
				return r, err
			},
			"packing": func() (*Result, error) {
				pk, err := NewPacking(p, 0)
				if err != nil {
					return nil, err
				}
				r := new(Result)
				return r, newSearcher(pk, Steps, 1).search(b.Context(), newLevels(pk.size, nil), []uint64{pk.Rank(p.Start())}, false, r)
			},
			"plain": func() (*Result, error) { return SolvePlain(b.Context(), p, Steps, Options{}) },
		}
		for _, way := range []string{"tiles", "packing", "plain"} {
			if way == "plain" && tp.Size() > 1e6 || way == "packing" && tp.Size() > 1e8 && testing.Short() {
				continue // minutes
			}
			b.Run(name[len(Prefix):]+"/"+way, func(b *testing.B) {
				states := uint64(0)
				for b.Loop() {
					r, err := ways[way]()
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
