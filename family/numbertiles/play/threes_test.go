package play

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pagoda/statespace/tiles"
	"pagoda/statespace/tiles/threes"
)

// state returns the state of the exact rules.
func state(g *threes.Game, s ThreesState) uint64 {
	k := uint64(g.Canonical(s.Tiles))
	if bag := g.Bag; s.Left != [3]int{bag, bag, bag} {
		for i, n := range s.Left {
			k |= uint64(n) << (4*g.Cells() + 4*i)
		}
	}
	return k
}

func rulesOf(t testing.TB, o threes.Options) *threes.Game {
	t.Helper()
	g, err := threes.NewGame("threes", o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Games follow the exact rules: each state is one that these make of the state before, and each comes as
// often as its chance says.
func TestThrees(t *testing.T) {
	bonus := threes.Standard(2, 3)
	bonus.Bonus, bonus.Stop = true, 192
	none := threes.Standard(2, 3)
	none.Bag, none.Hidden = 0, true
	for name, o := range map[string]threes.Options{"2x2": threes.Standard(2, 2), "3x3": threes.Standard(3, 3), "bonus": bonus, "no bag": none} {
		exact := rulesOf(t, o)
		g, rules := NewThrees(exact), exact.NewRules()
		steps, bonuses := 0, 0
		for n := range uint64(400) {
			r := rand.New(rand.NewPCG(73, n))
			s := g.Start(r).(ThreesState)
			if n%4 > 0 && o.Bonus { // bonus tiles are rare on small boards: begin with a high tile
				s.Tiles = s.Tiles.With(int(n)%6, 8)
			}
			for !g.Won(s) && g.Grid().Moves(s.Tiles) {
				d := tiles.Direction(r.IntN(tiles.Directions))
				if slid, _ := g.Grid().Slide(s.Tiles, d); slid == s.Tiles {
					continue
				}
				after := g.Slide(s, d, r).(ThreesState)
				possible := make(map[uint64]bool)
				for _, m := range rules.Moves(nil, state(exact, s)) {
					if m.Won && g.Won(after) {
						possible[state(exact, after)] = true
					}
					if !m.Won && !g.Won(after) {
						for _, draw := range rules.Draws(nil, m.After) {
							possible[draw.To] = true
						}
					}
				}
				if !possible[state(exact, after)] && !g.Won(after) {
					t.Fatalf("%s: %+v %v leads to %+v, none of %d states", name, s, d, after, len(possible))
				}
				if s.Bonus() {
					bonuses++
				}
				s = after
				steps++
			}
			if want := rules.Final(state(exact, s)); !g.Won(s) && s.Score() != want {
				t.Errorf("%s: %+v has the score %v, want %v", name, s, s.Score(), want)
			}
		}
		if steps < 1500 || (bonuses > 0) != o.Bonus {
			t.Errorf("%s: %d steps, %d with bonus tiles", name, steps, bonuses)
		}
	}
}

// Starts, next tiles and entries have their chances.
func TestChancesOfThrees(t *testing.T) {
	g := NewThrees(rulesOf(t, threes.Standard(3, 3)))
	const n = 20_000
	counts := make(map[string]int)
	for i := range uint64(n) {
		r := rand.New(rand.NewPCG(79, i))
		s := g.Start(r).(ThreesState)
		on := 0
		for cell := range 9 {
			if tile := s.Tiles.At(cell); tile > 0 {
				on++
			}
		}
		if on != 5 || s.Left[0]+s.Left[1]+s.Left[2] != 7 {
			t.Fatalf("a game starts with %d tiles, %v left", on, s.Left)
		}
		counts[fmt.Sprint("next ", s.Next)]++
		// A 1 in each of two rows slides to the right: two rows move.
		s = ThreesState{Tiles: 0x1000001, Left: [3]int{1, 2, 1}, Next: 3}
		s = g.Slide(s, tiles.Right, r).(ThreesState)
		counts[fmt.Sprintf("enters %x", uint64(s.Tiles))]++
		counts[fmt.Sprint("then ", s.Next)]++
		if s.Left != [3]int{1, 2, 0} {
			t.Fatalf("the bag has %v left", s.Left)
		}
	}
	for what, want := range map[string]float64{"next 1": 1. / 3, "next 2": 1. / 3, "next 3": 1. / 3,
		"enters 10000013": 0.5, "enters 13000010": 0.5, "then 1": 1. / 3, "then 2": 2. / 3, "then 3": 0} {
		if got := float64(counts[what]) / n; math.Abs(got-want) > 5*math.Sqrt(0.25/n) {
			t.Errorf("%s: %.4f of the games, want %.4f: %v", what, got, want, counts)
		}
	}
}

// The screen shows the next tile, and a plus sign for a bonus tile.
func TestNote(t *testing.T) {
	for want, s := range map[string]ThreesState{"next tile 3": {Next: 3}, "next tile +": {Next: 5}, "": {Next: 5, hidden: true}} {
		if got := s.Note(); got != want {
			t.Errorf("%+v has the note %q, want %q", s, got, want)
		}
	}
	o := threes.Standard(2, 3)
	o.Start = "2,1,./1,3,12@1122233"
	g := NewThrees(rulesOf(t, o))
	if got := script(t, g, Options{Seed: 1}, "left"); !strings.HasPrefix(got, " 2  1  .\n 1  3 12\ngame 1, 0 moves, score 30, next tile ") || !strings.Contains(got, "\n 3  .  ") {
		t.Errorf("the game is\n%s", got)
	}
}
