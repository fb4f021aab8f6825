package player

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/tiles/glide"
	"pagoda/puzzle/tiles/threes"
	"pagoda/puzzle/tiles/twenty48"
)

func games(t testing.TB) (all []Game) {
	t.Helper()
	for _, shape := range [][2]int{{4, 4}, {3, 3}, {4, 3}, {2, 3}, {1, 6}, {2, 8}} {
		g, err := New2048(shape[0], shape[1], 0.1)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
		for _, o := range []threes.Options{{Rows: shape[0], Columns: shape[1], Bag: 4}, {Rows: shape[0], Columns: shape[1], Bonus: true}, {Rows: shape[0], Columns: shape[1], Bag: 1, Bonus: true},
			{Rows: shape[0], Columns: shape[1], Bag: 2, Hidden: true}, {Rows: shape[0], Columns: shape[1], Bag: 1, Bonus: true, Hidden: true}} {
			if g, err = NewThrees(o); err != nil {
				t.Fatal(err)
			}
			all = append(all, g)
		}
	}
	return all
}

// The chances of draws add up to 1, and the fast draw draws what is listed.
func TestDraws(t *testing.T) {
	for _, g := range games(t) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			s := g.Start(r)
			for {
				d, ok := NewRandom(g).Choose(r, s)
				if !ok {
					break
				}
				after, _, _ := g.Slide(s, d)
				draws := g.Draws(nil, after)
				sum, found := 0.0, false
				s = g.Draw(r, after)
				for _, d := range draws {
					sum += d.Chance
					found = found || d.To == s
				}
				if math.Abs(sum-1) > 1e-12 || !found {
					t.Fatalf("%s: chances of %s add up to %v; drawn: %v", g.Name(), startText(g, after), sum, found)
				}
			}
		}
	}
	g, _ := New2048(2, 2, 0.3)
	r := rand.New(rand.NewPCG(3, 4))
	count := make(map[State]int)
	const n = 60000
	for range n {
		count[g.Draw(r, State{Board: 0x1000})]++
	}
	for _, d := range g.Draws(nil, State{Board: 0x1000}) {
		if got := float64(count[d.To]) / n; math.Abs(got-d.Chance) > 0.01 {
			t.Errorf("%s comes with %v, expected %v", startText(g, d.To), got, d.Chance)
		}
	}
}

// plainValue is expectimax without tables, memory or cutoff.
func plainValue(g Game, after State, left int, value func(glide.Board) float64) (sum float64) {
	if left == 0 {
		return value(after.Board)
	}
	for _, d := range g.Draws(nil, after) {
		best := 0.0
		for dir := range glide.Direction(4) {
			if to, _, moved := g.Slide(d.To, dir); moved {
				best = max(best, plainValue(g, to, left-1, value))
			}
		}
		sum += d.Chance * best
	}
	return sum
}

// plainWorth judges all lines by the rule.
func plainWorth(g Game) func(b glide.Board) float64 {
	w := newWorth(g)
	return func(b glide.Board) (sum float64) {
		for r := range g.Grid().Rows() {
			var line []uint8
			for c := range g.Grid().Columns() {
				line = append(line, b.At(r*g.Grid().Columns()+c))
			}
			sum += float64(w.line(line))
		}
		for c := range g.Grid().Columns() {
			var line []uint8
			for r := range g.Grid().Rows() {
				line = append(line, b.At(r*g.Grid().Columns()+c))
			}
			sum += float64(w.line(line))
		}
		return sum
	}
}

// In Threes 1 and 2 count alike, and neighbours that join are good: 1 with 2, and equal tiles from 3 on.
func TestThreesWorth(t *testing.T) {
	of := func(line ...uint8) float32 { return threesWorth(line) }
	for _, c := range []struct {
		better, worse float32
	}{
		{of(1, 2, 0, 0), of(1, 1, 0, 0)}, {of(1, 2, 0, 0), of(2, 2, 0, 0)}, {of(3, 3, 0, 0), of(3, 4, 0, 0)},
		{of(4, 4, 0, 0), of(4, 0, 4, 0)}, {of(1, 2, 0, 0), of(1, 0, 2, 0)}, {of(9, 8, 7, 6), of(6, 9, 7, 8)}, {of(0, 0, 0, 0), of(1, 0, 0, 0)},
	} {
		if c.better <= c.worse {
			t.Errorf("%v, and it should be more than %v", c.better, c.worse)
		}
	}
	if of(1, 1, 0, 5) != of(2, 2, 0, 5) || of(0, 0, 0, 0) != 200000+4*700 {
		t.Errorf("%v, %v, %v", of(1, 1, 0, 5), of(2, 2, 0, 5), of(0, 0, 0, 0))
	}
}

func TestExpectimax(t *testing.T) {
	for _, g := range games(t)[:14] {
		r := rand.New(rand.NewPCG(5, 6))
		value := plainWorth(g)
		fast, err := NewExpectimax(g, SearchOptions{Depth: 2})
		if err != nil {
			t.Fatal(err)
		}
		slow := newSearch(g, SearchOptions{Depth: 2}, newWorth(g), false)
		cases, checked := 3, 0
		if !long.Tests {
			cases = 1
		}
		for s := g.Start(r); checked < cases; {
			d, ok := NewRandom(g).Choose(r, s)
			if !ok {
				s = g.Start(r)
				continue
			}
			after, _, _ := g.Slide(s, d)
			if s = g.Draw(r, after); r.IntN(8) > 0 {
				continue
			}
			checked++
			var values [4]float64
			best := 0.0
			for d := range glide.Direction(4) {
				if to, _, moved := g.Slide(s, d); moved {
					values[d] = plainValue(g, to, 2, value)
					best = max(best, values[d])
				}
			}
			for _, p := range []Player{fast, slow} {
				if d, ok := p.Choose(nil, s); ok != (best > 0) || values[d] < best*(1-1e-6) {
					t.Fatalf("%s, %s: %v, %v of %v", g.Name(), startText(g, s), d, ok, values)
				}
			}
		}
	}
}

// Boards with more than Empty empty cells are played as without search, others as with it.
func TestEmpty(t *testing.T) {
	g, _ := New2048(4, 4, 0.1)
	n := train(t, smallGame(t), Training{Games: 2000, Seed: 1, Threads: 1})
	some := func(n *Network, o SearchOptions) Player { p, _ := NewTrained(smallGame(t), n, o); return p }
	for _, c := range []struct {
		g                  Game
		never, always, few Player
		most               int
	}{
		{g, newSearch(g, SearchOptions{}, newWorth(g), false), must(NewExpectimax(g, SearchOptions{Depth: 1})), must(NewExpectimax(g, SearchOptions{Depth: 1, Empty: 7})), 7},
		{g, newSearch(g, SearchOptions{}, newWorth(g), false), newSearch(g, SearchOptions{Depth: 1}, newWorth(g), false), newSearch(g, SearchOptions{Depth: 1, Empty: 7}, newWorth(g), false), 7},
		{smallGame(t), some(n, SearchOptions{}), some(n, SearchOptions{Depth: 2}), some(n, SearchOptions{Depth: 2, Empty: 1}), 1},
	} {
		if s, ok := c.never.(*search); ok {
			s.exact = true
		}
		r := rand.New(rand.NewPCG(5, 6))
		differ, count := 0, [2]int{}
		for s := c.g.Start(r); count[0] < 300 || count[1] < 300; {
			d, ok := NewRandom(c.g).Choose(r, s)
			if !ok {
				s = c.g.Start(r)
				continue
			}
			one, _ := c.never.Choose(nil, s)
			two, _ := c.always.Choose(nil, s)
			if one != two {
				differ++
			}
			want, which := two, 0
			if bits.OnesCount64(uint64(c.g.Grid().Empty(s.Board))) > c.most {
				want, which = one, 1
			}
			if got, _ := c.few.Choose(nil, s); got != want {
				t.Fatalf("%s, %s: %v, want %v", c.g.Name(), startText(c.g, s), got, want)
			}
			count[which]++
			after, _, _ := c.g.Slide(s, d)
			s = c.g.Draw(r, after)
		}
		if differ == 0 {
			t.Errorf("%s: looking ahead changes no move", c.g.Name())
		}
	}
}

func must(p Player, err error) Player {
	if err != nil {
		panic(err)
	}
	return p
}

func TestPlay(t *testing.T) {
	for _, g := range games(t) {
		for name, p := range map[string]func() Player{"random": func() Player { return NewRandom(g) }, "greedy": func() Player { return NewGreedy(g) },
			"corner": func() Player { return NewCorner(g) }} {
			one, _, err := Play(context.Background(), g, p, Options{Games: 8, Seed: 7, Threads: 1, Records: true})
			if err != nil {
				t.Fatal(err)
			}
			two, _, _ := Play(context.Background(), g, p, Options{Games: 8, Seed: 7, Threads: 3, Records: true})
			for i := range one {
				if one[i] != two[i] {
					t.Fatalf("%s, %s: game %d differs with more threads", g.Name(), name, i)
				}
				again, err := Replay(g, one[i].Record, nil)
				if err != nil || again != one[i] {
					t.Fatalf("%s, %s: %v: %+v, %+v", g.Name(), name, err, again, one[i])
				}
			}
		}
	}
}

func TestReplayErrors(t *testing.T) {
	g, _ := New2048(2, 2, 0.1)
	const good = "2048/2x2 seed 1 game 1 score 8: 2,./.,2 u2:2 r0:2 d0:2 l3:2"
	if _, err := Replay(g, good, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ record, want string }{
		{"", "expected a record such as"},
		{"2048/3x3 seed 1 game 0 score 0: 2,4/4,2", "expected a game of 2048/2x2"},
		{"2048/2x2 seed 1 game x score 0: 2,4/4,2", "number of the game"},
		{strings.Replace(good, "score 8", "score 9", 1), "the game scores 8, and the record says 9"},
		{"2048/2x2 seed 1 game 0 score 0: 2,4/4,2", "the start: games start with two tiles: found 4"},
		{"2048/2x2 seed 1 game 0 score 0: 8,./.,2", "the start: games start with tiles that may appear: found 8"},
		{"2048/2x2 seed 1 game 0 score 0: 2,4/4,3", "the start: row 2, column 2"},
		{"2048/2x2 seed 1 game 0 score 0: 2,4/4,2>1", "shows no next tile"},
		{"2048/2x2 seed 1 game 0 score 0: 2,4/.,. u0:2", "a move up moves nothing"},
		{"2048/2x2 seed 1 game 0 score 0: 2,./.,2 l0:2", "move 1: \"l0:2\" puts a tile where it cannot appear"},
		{"2048/2x2 seed 1 game 0 score 0: 2,./.,2 x", "expected u, d, l or r"},
		{"2048/2x2 seed 1 game 0 score 0: 2,./.,2", "still has a slide up"},
	} {
		if _, err := Replay(g, c.record, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, expected %q", c.record, err, c.want)
		}
	}
	for _, bag := range []int{0, 4} {
		g, _ := NewThrees(threes.Options{Rows: 2, Columns: 2, Bag: bag, Bonus: false})
		for start, want := range map[string]string{
			"768,1/192,1>1": "games start with tiles 1, 2 and 3: found 768",
			"1,2/3,.>1":     "games start with 2 tiles: found 3",
			"1,2/.,.>+":     "expected the next tile, 1, 2 or 3",
		} {
			if _, err := Replay(g, g.Name()+" seed 1 game 0 score 0: "+start, nil); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("a bag of %d, %s: %v, expected %q", bag, start, err, want)
			}
		}
	}
}

func FuzzReplay(f *testing.F) {
	g, _ := New2048(2, 2, 0.1)
	h, _ := NewThrees(threes.Options{Rows: 2, Columns: 2, Bag: 4, Bonus: true})
	f.Add("2048/2x2 seed 1 game 0 score 8: 2,./.,2 u2:2 r0:2 d0:2 l3:2")
	f.Add("threes/2x2 bonus seed 1 game 0 score 0: 1,.,./2>3 l1:3>1")
	f.Fuzz(func(t *testing.T, text string) {
		for _, g := range []Game{g, h} {
			if one, err := Replay(g, text, nil); err == nil {
				if again, err := Replay(g, one.Record, nil); err != nil || again != one {
					t.Fatalf("%q: %v", text, err)
				}
			}
		}
	})
}

// A sight keeps what a watcher sees.
type sight struct {
	g     Game
	moves []string
	ended map[int]string
}

func (w *sight) Move(s State, d glide.Direction) {
	w.moves = append(w.moves, startText(w.g, s)+" "+d.String())
}
func (w *sight) End(number int) {
	w.ended[number] = strings.Join(w.moves, "\n")
	w.moves = nil
}

// Games up to a tile are the beginnings of the whole games, whose players do not know of the end. A watcher sees
// the moves that the records have.
func TestUntil(t *testing.T) {
	two, _ := New2048(2, 3, 0.2)
	three, _ := NewThrees(threes.Options{Rows: 2, Columns: 3, Bag: 4, Bonus: false})
	for name, c := range map[string]struct {
		g    Game
		tile uint64
	}{"2048/2x3:32@p4=0.2": {two, 32}, "threes/2x3:24": {three, 24}} {
		g, err := Until(c.g, c.tile)
		if err != nil || g.Name() != name {
			t.Fatalf("%s: %v, %v", name, g, err)
		}
		corner := func() Player { return NewCorner(c.g) }
		w := &sight{g, nil, make(map[int]string)}
		o := Options{Games: 200, Seed: 3, Threads: 1, Records: true}
		whole, _, _ := Play(t.Context(), c.g, corner, o)
		o.Watch = func() Watcher { return w }
		all, _, _ := Play(t.Context(), g, corner, o)
		tile, _ := g.Grid().Tile(c.tile)
		reached := 0
		for i, one := range all {
			again, err := Replay(g, one.Record, nil)
			if err != nil || again != one {
				t.Fatalf("%s: %v", one.Record, err)
			}
			var seen []string
			Replay(g, one.Record, func(s State, d glide.Direction, _, _ State) { seen = append(seen, startText(g, s)+" "+d.String()) })
			if got := w.ended[i]; got != strings.Join(seen, "\n") {
				t.Fatalf("%s: the watcher has seen\n%s", one.Record, got)
			}
			_, body, _ := strings.Cut(one.Record, ": ")
			if !strings.Contains(whole[i].Record, ": "+body) || (whole[i].Max >= tile) != (one.Max >= tile) {
				t.Fatalf("%s\nis no beginning of\n%s", one.Record, whole[i].Record)
			}
			if one.Max >= tile {
				reached++
			} else if one.Moves != whole[i].Moves {
				t.Fatalf("%s\nends before\n%s", one.Record, whole[i].Record)
			}
		}
		if reached < 20 || reached > 180 {
			t.Errorf("%s: %d games of 200 reach %d", name, reached, c.tile)
		}
	}
	for number, want := range map[uint64]string{4: "at least 8", 12: "power of two"} {
		if _, err := Until(two, number); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("2048 until %d: %v", number, err)
		}
	}
	if _, err := Until(three, 3); err == nil || !strings.Contains(err.Error(), "at least 6: found 3") {
		t.Errorf("Threes until 3: %v", err)
	}
}

// A state of 2048 is found in the exact game with a symmetry that takes slides along.
func TestExact(t *testing.T) {
	for _, shape := range [][2]int{{3, 3}, {2, 3}, {4, 4}} {
		g, _ := New2048(shape[0], shape[1], 0.1)
		grid := g.Grid()
		r := rand.New(rand.NewPCG(9, 1))
		for range 200 {
			s := g.Start(r)
			for {
				layer, state, known, symmetry := g.Exact(s)
				if layer != twenty48.Tiles.Sum(s.Board) || state != uint64(grid.Canonical(s.Board)) || known != 0 || grid.Image(symmetry, s.Board) != glide.Board(state) {
					t.Fatalf("%s is state %#x of layer %d, case %d, by symmetry %d", startText(g, s), state, layer, known, symmetry)
				}
				d, ok := NewRandom(g).Choose(r, s)
				if !ok {
					break
				}
				after, _, _ := g.Slide(s, d)
				if image, _ := grid.Slide(glide.Board(state), grid.ImageDirection(symmetry, d)); image != grid.Image(symmetry, after.Board) {
					t.Fatalf("%s: %v is another slide of %#x", startText(g, s), d, state)
				}
				s = g.Draw(r, after)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	g, _ := New2048(4, 4, 0.1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	all, _, err := Play(ctx, g, func() Player { return NewGreedy(g) }, Options{Games: 5, Threads: 2})
	if len(all) != 0 || err != context.Canceled {
		t.Errorf("%v, %v", all, err)
	}
}

func TestSummary(t *testing.T) {
	g, _ := New2048(4, 4, 0.1)
	s := Summarize(g, []Played{{Score: 10, Max: 3, Moves: 5}, {Score: 20, Max: 4, Moves: 7}, {Score: 60, Max: 4, Moves: 8}}, 2)
	if s.Mean != 30 || s.Median != 20 || s.Moves != 20 || s.MovesPerSecond != 10 || len(s.Tiles) != 2 || s.Tiles[0].Tile != 8 || s.Tiles[1].Games != 2 {
		t.Errorf("%+v", s)
	}
	if math.Abs(s.High-s.Mean-1.959963984540054*math.Sqrt(700./3)) > 1e-9 {
		t.Errorf("%v", s.High)
	}
	// R. G. Newcombe, Statistics in Medicine 17 (1998), page 867: 81 of 263, 0.2553 to 0.3662.
	if low, high := Wilson(81, 263); math.Abs(low-0.2553) > 5e-5 || math.Abs(high-0.3662) > 5e-5 {
		t.Errorf("%v to %v", low, high)
	}
}

func BenchmarkSlide4x4(b *testing.B) {
	g, _ := New2048(4, 4, 0.1)
	var boards [1024]glide.Board
	r := rand.New(rand.NewPCG(8, 9))
	for i := range boards {
		for c := range 16 {
			boards[i] = boards[i].With(c, uint8(r.IntN(12)))
		}
	}
	i := 0
	var x glide.Board
	for b.Loop() {
		a, _ := g.Grid().Slide(boards[i>>2&1023], glide.Direction(i&3))
		x ^= a
		i++
	}
	_ = x
}

func benchmarkPlayer(b *testing.B, o SearchOptions) {
	g, _ := New2048(4, 4, 0.1)
	moves := 0
	for b.Loop() {
		all, _, _ := Play(context.Background(), g, func() Player { p, _ := NewExpectimax(g, o); return p }, Options{Games: 1, Seed: uint64(b.N), Threads: 1})
		moves += all[0].Moves
	}
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
}

func BenchmarkTwoLayers(b *testing.B) { benchmarkPlayer(b, SearchOptions{Depth: 2}) }
