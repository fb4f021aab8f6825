package best

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pagoda/studies/weighted"
	"pagoda/studies/weighted/internal/weightedtest"
)

// TestOptimal: on small boards, Search finds the best score of all games, and proves it.
func TestOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	gains, negative := 0, 0
	for i := range shorter(4000, 200) {
		g := weightedtest.Random(rng, 14)
		want, _ := weightedtest.Plain(g)
		r, err := Search(t.Context(), g, Options{Threads: 1 + i%3, Seed: uint64(i)})
		if err != nil {
			t.Fatal(err)
		}
		check(t, fmt.Sprint(i), g, r)
		if !r.Optimal() || r.Score != want.Score {
			t.Fatalf("board %d: score %d, bound %d, the best score is %d\n%s", i, r.Score, r.Bound, want.Score, g.Format())
		}
		if len(r.Jumps) > 1 {
			gains++
		}
		if want.Score < 0 {
			negative++
		}
	}
	if gains < shorter(100, 5) || negative < shorter(100, 5) {
		t.Errorf("%d games of two jumps and more, %d scores below 0: nothing is compared", gains, negative)
	}
}

// TestLevels: searches by levels of any width never bound too high, and without a limit find the best.
func TestLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	narrow := 0
	for i := range shorter(300, 100) {
		g := weightedtest.Random(rng, 14)
		want, _ := weightedtest.Plain(g)
		f, err := newField(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{1, 3, math.MaxInt32} {
			l := newLevels(f, width, 2, uint64(i), f.total)
			for !l.done() {
				if b := l.bound(); b > want.Score {
					t.Fatalf("board %d, width %d: bound %d, the best score is %d", i, width, b, want.Score)
				}
				if err := l.advance(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if l.best < want.Score || l.bound() > want.Score || l.bound() < want.Score && width > 3 {
				t.Fatalf("board %d, width %d: score %d, bound %d, the best score is %d", i, width, l.best, l.bound(), want.Score)
			}
			if score, _ := f.score(l.game); score != l.best {
				t.Fatalf("board %d, width %d: the game scores %d, want %d", i, width, score, l.best)
			}
			if l.bound() < want.Score {
				narrow++
			}
		}
	}
	if narrow < 10 {
		t.Errorf("the width mattered %d times", narrow)
	}
}

// bestOfAll returns the best score of all games. It visits every position once for each peg that jumped
// last, and knows no bound.
func bestOfAll(g *weighted.Game) int64 {
	type position struct {
		pegs [16]int8 // by cell, the cell of the peg at the start plus 1
		last int8
	}
	var start position
	var left int64
	for cell, peg := range g.Pegs {
		if peg {
			start.pegs[cell] = int8(cell + 1)
			left += g.Weights[cell]
		}
	}
	costs := map[position]int64{start: 0}
	least := left
	for len(costs) > 0 {
		next := make(map[position]int64)
		for p, cost := range costs {
			left := int64(0)
			for _, peg := range p.pegs {
				if peg > 0 {
					left += g.Weights[peg-1]
				}
			}
			least = min(least, cost+left)
			for k := range g.Shape.Jumps() {
				j := g.Shape.Jump(k)
				peg := p.pegs[j.From]
				if peg == 0 || p.pegs[j.Over] == 0 || p.pegs[j.To] != 0 {
					continue
				}
				q, c := p, cost
				q.pegs[j.From], q.pegs[j.Over], q.pegs[j.To] = 0, 0, peg
				if peg != p.last {
					c += g.Weights[peg-1]
				}
				q.last = peg
				if known, ok := next[q]; !ok || c < known {
					next[q] = c
				}
			}
		}
		costs = next
	}
	return least
}

// TestWholeBoards: on boards with up to 15 pegs, too, Search proves the best score.
func TestWholeBoards(t *testing.T) {
	for _, name := range []string{"peg/4x4", "peg/3x5", "peg/triangle15"} {
		for seed := range uint64(5) {
			g := random(t, name, seed)
			switch seed {
			case 1: // weights below 0
				for i := range g.Weights {
					g.Weights[i] -= 20
				}
			case 2: // equal weights
				for i := range g.Weights {
					g.Weights[i] = g.Weights[i] % 3
				}
			}
			r, err := Search(t.Context(), g, Options{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			check(t, name, g, r)
			if want := bestOfAll(g); !r.Optimal() || r.Score != want {
				t.Errorf("%s, seed %d: score %d, bound %d, the best is %d", name, seed, r.Score, r.Bound, want)
			}
		}
	}
}
