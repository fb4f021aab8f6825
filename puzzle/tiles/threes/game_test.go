package threes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/tiles/glide"
	"pagoda/statespace"
	"pagoda/statespace/chance"
)

// twin returns the plain rules with the same options.
func twin(o Options) plain {
	return plain{rows: o.Rows, columns: o.Columns, bag: [3]int{o.Bag, o.Bag, o.Bag}, hidden: o.Hidden, stop: o.Stop, bonus: o.Bonus}
}

// node returns the plain node of a state.
func (g *Game) node(state uint64) plainNode {
	n := plainNode{bag: g.Left(state)}
	for c := range g.Cells() {
		n.cells[c] = Value(g.Board(state).At(c))
	}
	return n
}

// variants are the options that tests try on a board.
func variants(rows, columns int) (list []Options) {
	o := Standard(rows, columns)
	for _, bag := range []int{4, 1, 0} {
		for _, hidden := range []bool{false, true} {
			o.Bag, o.Hidden = bag, hidden
			list = append(list, o)
		}
	}
	stop := Standard(rows, columns)
	stop.Stop = 12
	return append(list, stop)
}

func (o Options) String() string {
	return fmt.Sprintf("%dx%d bag=%d hidden=%t stop=%d bonus=%t start=%q", o.Rows, o.Columns, o.Bag, o.Hidden, o.Stop, o.Bonus, o.Start)
}

func mustNew(t testing.TB, o Options) *Game {
	t.Helper()
	g, err := NewGame("test", o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// outcome is what a slide with a known or unknown next tile leads to: chances of canonical nodes.
type outcome struct {
	number uint8
	chance float64
	to     map[plainNode]float64
}

// outcomes lists what the plain rules do in a node: next tiles in order, then directions.
func (p plain) outcomes(n plainNode) (list []outcome) {
	if p.over(n) {
		return nil
	}
	nexts := p.nexts(n)
	if p.bonus && n.highest() >= 48 { // the bonus tile last, as Case has it
		nexts = append(nexts[1:], nexts[0])
	}
	groups := [][]plainNext{nexts}
	if !p.hidden {
		groups = nil
		for i := range nexts {
			groups = append(groups, nexts[i:i+1])
		}
	}
	for _, group := range groups {
		whole := 0.0
		for _, next := range group {
			whole += next.chance
		}
		for d := range 4 {
			after, free := p.slide(n, d)
			if len(free) == 0 {
				continue
			}
			o := outcome{uint8(d), whole, map[plainNode]float64{}}
			for _, next := range group {
				for _, value := range next.values {
					for _, c := range free {
						m := after
						m.cells[c], m.bag = value, next.bag
						o.to[p.canonical(p.full(m))] += next.chance / whole / float64(len(next.values)*len(free))
					}
				}
			}
			list = append(list, o)
		}
	}
	return list
}

// check holds one state to the plain rules, and to the laws of afterstates.
func check(t *testing.T, g *Game, state uint64) {
	t.Helper()
	p, n := twin(g.Options), g.node(state)
	want := p.outcomes(n)
	rules := g.NewRules()
	moves := rules.Moves(nil, state)
	if len(moves) != len(want) || len(moves) > g.MostMoves() {
		t.Fatalf("%v: %v has %d moves, the plain rules have %d", g.Options, n, len(moves), len(want))
	}
	layer := g.Sum(g.Board(state))
	var cases [4]float64
	for i, m := range moves {
		w := want[i]
		cases[m.Case] = m.Chance
		if m.Number != w.number || math.Abs(m.Chance-w.chance) > 1e-12 {
			t.Fatalf("%v: move %d of %v is %+v, want %+v", g.Options, i, n, m, w)
		}
		draws := rules.Draws(nil, m.After)
		if len(draws) > g.MostDraws() {
			t.Fatalf("%v: %d draws, at most %d expected", g.Options, len(draws), g.MostDraws())
		}
		sum := 0.0
		got := map[plainNode]float64{}
		for _, d := range draws {
			sum += d.Chance
			got[p.canonical(g.node(d.To))] += d.Chance
			if d.Chance <= 0 || !slices.Contains(g.Steps(), d.Step) || g.Sum(g.Board(d.To)) != layer+d.Step {
				t.Fatalf("%v: %v to %v: draw %+v", g.Options, n, g.node(d.To), d)
			}
			if g.Canonical(g.Board(d.To)) != g.Board(d.To) {
				t.Fatalf("%v: %v is not canonical", g.Options, g.node(d.To))
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("%v: chances add up to %g", g.Options, sum)
		}
		if len(got) != len(w.to) {
			t.Fatalf("%v: %v, direction %d: %d successors, want %d", g.Options, n, m.Number, len(got), len(w.to))
		}
		for to, chance := range w.to {
			if math.Abs(got[to]-chance) > 1e-12 {
				t.Fatalf("%v: %v, direction %d: %v has chance %g, want %g", g.Options, n, m.Number, to, got[to], chance)
			}
		}
	}
	if all := cases[0] + cases[1] + cases[2] + cases[3]; len(moves) > 0 && math.Abs(all-1) > 1e-12 {
		t.Fatalf("%v: the chances of next tiles add up to %g", g.Options, all)
	}
	if got, want := rules.Final(state), n.score(); math.Abs(got-want) > 1e-6 {
		t.Fatalf("score of %v is %g, want %g", n, got, want)
	}
	if tile, _ := Tiles.Tile(uint64(n.highest())); rules.Mark(state) != int(tile) {
		t.Fatalf("mark of %v is %d", n, rules.Mark(state))
	}
}

// fast solves a game with the fast rules, without layers.
type fast struct {
	*Game
	rules  statespace.GameRules
	values map[uint64]float64
	boards map[glide.Board]bool
}

func (f *fast) value(state uint64) float64 {
	if v, ok := f.values[state]; ok {
		return v
	}
	v, best, chance := 0.0, 0.0, 0.0
	moves := f.rules.Moves(nil, state)
	for i, m := range moves {
		mean := 0.0
		for _, d := range f.rules.Draws(nil, m.After) {
			mean += d.Chance * f.value(d.To)
		}
		if i > 0 && moves[i-1].Case == m.Case {
			best = max(best, mean)
		} else {
			v += chance * best
			best, chance = mean, m.Chance
		}
	}
	v += chance * best
	if len(moves) == 0 {
		v = f.rules.Final(state)
	}
	f.values[state] = v
	f.boards[f.Board(state)] = true
	return v
}

func (g *Game) solve() (float64, *fast) {
	f := &fast{g, g.NewRules(), map[uint64]float64{}, map[glide.Board]bool{}}
	mean := 0.0
	for _, d := range g.Start() {
		mean += d.Chance * f.value(d.To)
	}
	return mean, f
}

// TestAll holds every state of small boards to the plain rules.
func TestAll(t *testing.T) {
	boards := append(variants(2, 2), variants(1, 4)...)
	boards = append(boards, variants(3, 1)...)
	for _, o := range append(boards, Standard(2, 3), Options{Rows: 3, Columns: 2, Bag: 1}) {
		g := mustNew(t, o)
		mean, f := g.solve()
		if o.Rows*o.Columns < 6 {
			want, s := twin(o).solve(plainNode.score)
			if math.Abs(mean-want) > 1e-9 || len(f.values) != len(s.values) || len(f.boards) != s.boards() {
				t.Errorf("%v: %.12f, %d nodes, %d boards, want %.12f, %d, %d", o, mean, len(f.values), len(f.boards), want, len(s.values), s.boards())
			}
		}
		i := 0
		for state := range f.values {
			if i++; o.Rows*o.Columns < 6 || long.Tests || i%64 == 0 {
				check(t, g, state)
			}
		}
	}
}

// solution solves a game with package chance.
func solution(t testing.TB, g *Game, objectives string) chance.Result {
	t.Helper()
	all, err := chance.ParseObjectives(g, objectives)
	if err != nil {
		t.Fatal(err)
	}
	s, err := chance.New(g, chance.Options{Objectives: all, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	return s.Result()
}

// TestKnown solves games with known values.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		o     Options
		nodes uint64
		want  []float64 // the score, and the chance of the highest tile
	}{
		{Standard(2, 2), 575, []float64{34.931115833661, 0.164617604618}},
		{Standard(3, 2), 120606, []float64{318.359875810799, 0.067953055247}},
		{Options{Rows: 2, Columns: 3, Bag: 1}, 32268, []float64{462.556576878111}},
		{Options{Rows: 3, Columns: 3, Bag: 4, Stop: 12}, 562911, nil},
	} {
		if !long.Tests && c.nodes > 200000 {
			continue
		}
		g := mustNew(t, c.o)
		objectives := "score"
		if len(c.want) > 1 {
			objectives += ",tile:" + g.FormatMark(g.Marks()[len(g.Marks())-1])
		}
		r := solution(t, g, objectives)
		if r.States != c.nodes {
			t.Errorf("%v: %d nodes, want %d", c.o, r.States, c.nodes)
		}
		all, layer := g.Estimate()
		if about := all / float64(c.nodes); about < 1./4 || about > 4 {
			t.Errorf("%v: %d nodes, estimated as %.0f", c.o, c.nodes, all)
		}
		largest := uint64(0)
		for _, l := range r.Layers {
			largest = max(largest, l.States)
		}
		if about := layer / all * float64(c.nodes) / float64(largest); about < 1 || about > 2.5 {
			t.Errorf("%v: %d nodes in a layer, estimated as %.2f times that", c.o, largest, about)
		}
		for i, want := range c.want {
			if got := r.Values[i]; math.Abs(got-want) > 3e-12 {
				t.Errorf("%v: value %d of %s is %.12f, want %.12f", c.o, i, objectives, got, want)
			}
		}
	}
}

// random returns any state of a game, with tiles below a number.
func (g *Game) random(r *rand.Rand, below int) uint64 {
	var b glide.Board
	for c := range g.Cells() {
		if r.IntN(4) > 0 {
			b = b.With(c, uint8(r.IntN(below)))
		}
	}
	state := uint64(g.Canonical(b))
	if bag := g.Options.Bag; bag > 0 {
		for i := range 3 {
			state |= uint64(r.IntN(bag+1)) << (int(g.shift) + 4*i)
		}
		if state>>g.shift == g.full {
			state &= g.board
		}
	}
	return state
}

// TestRandom holds random states of larger boards to the plain rules.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, size := range [][2]int{{3, 3}, {2, 4}, {4, 3}, {1, 9}, {2, 6}} {
		list := variants(size[0], size[1])
		for _, hidden := range []bool{false, true} {
			for _, bag := range []int{4, 15, 0} {
				list = append(list, Options{Rows: size[0], Columns: size[1], Bag: bag, Hidden: hidden, Stop: 768, Bonus: true})
			}
		}
		for _, o := range list {
			g := mustNew(t, o)
			for range 40 {
				check(t, g, g.random(r, 13))
				check(t, g, g.random(r, 6))
			}
		}
	}
}

// TestStarts holds the starts to the plain rules.
func TestStarts(t *testing.T) {
	for _, size := range [][2]int{{2, 2}, {2, 3}, {1, 2}, {1, 4}} {
		for _, o := range variants(size[0], size[1]) {
			g, p := mustNew(t, o), twin(o)
			want := map[plainNode]float64{}
			for n, chance := range p.starts() {
				want[p.canonical(n)] += chance
			}
			last := statespace.GameDraw{}
			for _, d := range g.Start() {
				n := p.canonical(g.node(d.To))
				if math.Abs(want[n]-d.Chance) > 1e-12 || d.Step != g.Sum(g.Board(d.To)) || d.Step < last.Step || d.Step == last.Step && d.To <= last.To {
					t.Errorf("%v: start %+v, the plain chance is %g", o, d, want[n])
				}
				last = d
				delete(want, n)
			}
			if len(want) > 0 {
				t.Errorf("%v: %d starts are missing", o, len(want))
			}
		}
	}
}

// TestTiles holds values, scores and joins to their definitions.
func TestTiles(t *testing.T) {
	for tile := uint8(1); tile < 16; tile++ {
		if got, err := Tiles.Tile(uint64(Value(tile))); err != nil || got != tile {
			t.Errorf("tile %d has value %d, which is tile %d", tile, Value(tile), got)
		}
	}
	for _, value := range []uint64{0, 4, 5, 7, 9, 15, 18, 24576, 1 << 63, math.MaxUint64} {
		if tile, err := Tiles.Tile(value); err == nil {
			t.Errorf("%d is tile %d", value, tile)
		}
	}
	for tile, want := range []int{0, 0, 0, 3, 9, 27, 81, 243, 729} {
		if got := Score(uint8(tile)); got != want {
			t.Errorf("score of tile %d is %d, want %d", tile, got, want)
		}
	}
	if line := []uint8{15, 15}; Rule(line) != 0 || line[0] != 15 || line[1] != 15 {
		t.Errorf("two tiles 15 join to %v", line)
	}
}

// TestOptions refuses what is no game.
func TestOptions(t *testing.T) {
	for _, o := range []Options{
		{}, {Rows: 1, Columns: 1}, {Rows: 4, Columns: 4}, {Rows: -2, Columns: -2}, {Rows: math.MaxInt, Columns: 2},
		{Rows: 2, Columns: 2, Bag: 16}, {Rows: 2, Columns: 2, Bag: -1}, {Rows: 2, Columns: 2, Stop: 3}, {Rows: 2, Columns: 2, Stop: 64},
		{Rows: 2, Columns: 2, Stop: 12288}, {Rows: 2, Columns: 2, Stop: -6}, {Rows: 2, Columns: 2, Bonus: true}, {Rows: 2, Columns: 2, Start: "1,2/3,4"}, {Rows: 2, Columns: 2, Bag: 4, Stop: 12, Start: "12,./.,."},
		{Rows: 2, Columns: 2, Stop: 48, Bonus: true},
	} {
		if _, err := NewGame("test", o); err == nil {
			t.Errorf("%v is a game", o)
		}
	}
}

// some returns states of games on 3x3.
func some(b *testing.B) (*Game, []uint64) {
	g := mustNew(b, Standard(3, 3))
	r := rand.New(rand.NewPCG(1, 2))
	starts := g.Start()
	rules := g.NewRules()
	var list []uint64
	for len(list) < 1<<14 {
		for state := starts[r.IntN(len(starts))].To; ; {
			list = append(list, state)
			moves := rules.Moves(nil, state)
			if len(moves) == 0 {
				break
			}
			draws := rules.Draws(nil, moves[r.IntN(len(moves))].After)
			state = draws[r.IntN(len(draws))].To
		}
	}
	return g, list
}

func BenchmarkMoves(b *testing.B) {
	g, list := some(b)
	rules, moves := g.NewRules(), make([]statespace.GameMove, 0, g.MostMoves())
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		moves = rules.Moves(moves[:0], list[i%len(list)])
	}
}

func BenchmarkDraws(b *testing.B) {
	g, list := some(b)
	rules := g.NewRules()
	var after []uint64
	for _, state := range list {
		for _, m := range rules.Moves(nil, state) {
			after = append(after, m.After)
		}
	}
	draws := make([]statespace.GameDraw, 0, g.MostDraws())
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		draws = rules.Draws(draws[:0], after[i%len(after)])
	}
}

// TestDrawn plays all games from a drawn start, which no standard game reaches.
func TestDrawn(t *testing.T) {
	for _, o := range []Options{
		{Rows: 2, Columns: 2, Bag: 4, Start: "192,96/.,."},
		{Rows: 2, Columns: 2, Bag: 4, Start: "3,1/.,.@3", Hidden: true},
		{Rows: 2, Columns: 2, Bag: 1, Start: "6144,6144/.,2"},
		{Rows: 2, Columns: 2, Bag: 4, Start: "24,24/.,2", Stop: 192, Bonus: true},
	} {
		g := mustNew(t, o)
		_, f := g.solve()
		for state := range f.values {
			if o.Start[0] != '6' { // two tiles 6144 join in the plain rules
				check(t, g, state)
			}
			if _, got, err := g.Parse(g.Format(0, state)); got != state || err != nil {
				t.Fatalf("%v: %s is read as %#x, %v", o, g.Format(0, state), got, err)
			}
			if tile := glide.Max(g.Board(state)); tile > g.highest() {
				t.Fatalf("%v: highest tile %d, more than %d", o, tile, g.highest())
			}
		}
	}
	// 6144 and 6144 stay apart.
	g := mustNew(t, Options{Rows: 1, Columns: 2, Start: "6144,6144"})
	if moves := g.NewRules().Moves(nil, g.Start()[0].To); len(moves) != 0 {
		t.Errorf("two tiles 6144 move: %+v", moves)
	}
}

// Benchmark3x3 solves 3x3 until a tile 48 is there: 8,860,507 nodes, a mean score of 407.594996174.
func Benchmark3x3(b *testing.B) {
	o := Standard(3, 3)
	o.Stop = 48
	for b.Loop() {
		r := solution(b, mustNew(b, o), "score")
		b.Log(r.States, r.Afterstates, r.Dead, r.Values)
	}
}
