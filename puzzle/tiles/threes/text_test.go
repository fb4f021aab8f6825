package threes

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestText writes and reads the states of small games, and of random games on larger boards.
func TestText(t *testing.T) {
	read := func(g *Game, state uint64) {
		t.Helper()
		text := g.Format(0, state)
		layer, got, err := g.Parse(text)
		if err != nil || got != state || layer != g.Sum(g.Board(state)) {
			t.Fatalf("%v: %q is read as %d, %#x, %v, want %#x", g.Options, text, layer, got, err, state)
		}
	}
	for _, o := range append(variants(2, 2), variants(1, 4)...) {
		g := mustNew(t, o)
		_, f := g.solve()
		for state := range f.values {
			read(g, state)
		}
	}
	r := rand.New(rand.NewPCG(3, 3))
	for _, o := range []Options{
		Standard(3, 3), {Rows: 3, Columns: 4, Bag: 1}, {Rows: 2, Columns: 4, Bag: 15}, {Rows: 3, Columns: 3},
		{Rows: 3, Columns: 3, Bag: 4, Stop: 96, Bonus: true}, {Rows: 3, Columns: 4, Bag: 4, Stop: 768, Bonus: true, Hidden: true},
	} {
		g := mustNew(t, o)
		for range 50 {
			for _, state := range g.play(r) {
				read(g, state)
			}
		}
	}
}

// play returns the states of a game in which every move tries to keep tiles up and to the left.
func (g *Game) play(r *rand.Rand) (list []uint64) {
	b, bag, n := uint64(0), g.full, g.Starts()
	for n > 0 {
		c := r.IntN(g.Cells())
		tile := uint8(1 + r.IntN(3))
		if b>>(4*c)&15 != 0 || chances(bag)[tile-1] == 0 {
			continue
		}
		b |= uint64(tile) << (4 * c)
		if bag = deal(bag, tile); bag == 0 {
			bag = g.full
		}
		n--
	}
	if bag == g.full {
		bag = 0
	}
	state := uint64(g.Canonical(g.Board(b))) | bag<<g.shift
	for {
		list = append(list, state)
		moves := g.NewRules().Moves(nil, state)
		if len(moves) == 0 {
			return list
		}
		m := moves[r.IntN(len(moves))]
		for _, n := range moves { // two directions of four, most of the time
			if n.Case == m.Case && n.Number%2 == 0 && r.IntN(3) > 0 {
				m = n
				break
			}
		}
		draws := g.NewRules().Draws(nil, m.After)
		state = draws[r.IntN(len(draws))].To
	}
}

// TestParse reads other spellings, and refuses what is no state.
func TestParse(t *testing.T) {
	standard, none := mustNew(t, Standard(2, 2)), mustNew(t, Options{Rows: 2, Columns: 2})
	one := mustNew(t, Options{Rows: 2, Columns: 2, Bag: 1})
	stop := mustNew(t, Options{Rows: 3, Columns: 3, Bag: 4, Stop: 96, Bonus: true})
	for _, test := range []struct {
		g          *Game
		text, want string
		layer      int
	}{
		{standard, "1,2/.,3@111222333", "2,3/1,.@111222333", 6},
		{standard, " 3 _\n 2 1 @333221121\n", "2,3/1,.@111222333", 6},
		{standard, "0,0/12,12", "12,12/.,.", 24},
		{none, "0,1/2,24", "24,2/1,.", 27},
		{one, "3,3/3,.@12", "3,3/3,.@12", 9},
		{stop, "., 48 ,0/0 24 0/3 . .@12", ".,.,3/48,24,./.,.,.@12", 75},
	} {
		layer, state, err := test.g.Parse(test.text)
		if err != nil || layer != test.layer || test.g.Format(layer, state) != test.want {
			t.Errorf("%q is read as %d, %q, %v, want %d, %q", test.text, layer, test.g.Format(layer, state), err, test.layer, test.want)
		}
	}
	for _, test := range []struct {
		g          *Game
		text, want string
	}{
		{standard, "", "2 rows"},
		{standard, ".,./.,.", "no tiles"},
		{standard, "4,./.,.", "found 4"},
		{standard, "48,./.,.", "highest tile of this game is 24"},
		{standard, "1,2/.,3", "found a full bag"},
		{standard, "1,2/.,3@", "left in the bag"},
		{standard, "1,2/.,3@124", "at place 3"},
		{standard, "1,2/.,3@11111", "at most 4 tiles 1"},
		{standard, "1,2/.,3@1@", "'@'"},
		{one, "1,1/1,1", "no bag can"},
		{none, "1,2/.,3@1", "has no bag"},
		{stop, "192,.,./.,.,./.,.,.", "is 96"},
	} {
		if _, _, err := test.g.Parse(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want one with %q", test.text, err, test.want)
		}
	}
}

// FuzzParse reads any text: what is read is written and read again.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"1,2/.,3@111222333", "., 48 ,0/0 24 0/3 . .@12", "1,2,3/4,5,6/7,8,9", "3,3/3,.@12", "1 @"} {
		f.Add(text)
	}
	var games []*Game
	for _, o := range []Options{Standard(2, 2), {Rows: 2, Columns: 2}, {Rows: 1, Columns: 3, Bag: 1}, {Rows: 3, Columns: 3, Bag: 4, Stop: 96, Bonus: true}} {
		games = append(games, mustNew(f, o))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, g := range games {
			layer, state, err := g.Parse(text)
			if err != nil {
				continue
			}
			again, same, err := g.Parse(g.Format(layer, state))
			if err != nil || same != state || again != layer {
				t.Errorf("%q is %d, %#x; %q is %d, %#x, %v", text, layer, state, g.Format(layer, state), again, same, err)
			}
			for _, m := range g.NewRules().Moves(nil, state) {
				g.NewRules().Draws(nil, m.After)
			}
		}
	})
}
