package twist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/twist/definition"
	"pagoda/statespace/bfs"
	"pagoda/statespace/spacetest"
)

// apply makes a move on an arrangement, as its definition says.
func apply(p *definition.Puzzle, a definition.Arrangement, m definition.Move) (after definition.Arrangement) {
	for i, set := range p.Sets {
		pieces := make([]definition.Piece, set.Places)
		for k, from := range m.Sets[i] {
			pieces[k] = a[i][from.Place]
			if pieces[k].Turn != definition.Any {
				pieces[k].Turn = (pieces[k].Turn + from.Turn) % set.Turns
			}
		}
		after = append(after, pieces)
	}
	return after
}

// isLegal reports whether no piece is where it must not be.
func isLegal(p *definition.Puzzle, a definition.Arrangement) bool {
	return !slices.ContainsFunc(p.Illegal, func(is definition.Illegal) bool { return a[is.Set][is.Place].Kind == is.Kind })
}

// text writes an arrangement as Format does.
func text(a definition.Arrangement) string {
	var to []byte
	for i, set := range a {
		for k, p := range set {
			switch {
			case k > 0:
				to = append(to, ',')
			case i > 0:
				to = append(to, '/')
			}
			to = strconv.AppendInt(to, int64(p.Kind+1), 10)
			if p.Turn > 0 {
				to = strconv.AppendInt(append(to, '+'), int64(p.Turn), 10)
			}
		}
	}
	return string(to)
}

// plainLevels searches arrangements one by one. In the metric of moves, a move is made any number of times.
func plainLevels(p *definition.Puzzle, metric string, most int) (levels []uint64, seen map[string]int) {
	seen = map[string]int{text(p.Solved): 0}
	for level := []definition.Arrangement{p.Solved}; len(level) > 0; {
		levels = append(levels, uint64(len(level)))
		var next []definition.Arrangement
		for _, a := range level {
			for _, m := range p.Moves {
				last := definition.Arrangement(nil) // before the multiples are at their beginning again
				reach := func(b definition.Arrangement) {
					if text := text(b); isLegal(p, b) {
						if _, ok := seen[text]; !ok {
							seen[text] = len(levels)
							next = append(next, b)
						}
					}
				}
				b := apply(p, a, m)
				for k := 1; ; k++ {
					if metric == movesMetric || k == 1 {
						reach(b)
					}
					if text(b) == text(a) {
						break
					}
					last, b = b, apply(p, b, m)
				}
				if last != nil {
					reach(last)
				}
			}
		}
		if level = next; len(seen) > most {
			return nil, nil
		}
	}
	return levels, seen
}

// search searches a space by its graph.
func search(t *testing.T, s *Space, threads int) *bfs.Search {
	t.Helper()
	found, err := bfs.New(t.Context(), s.Parts().Graph(), bfs.Options{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(found.Close)
	if err := found.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	return found
}

// randomPuzzle returns a puzzle of a few small sets and any moves. Pieces are alike, or of any turn, by chance.
func randomPuzzle(rng *rand.Rand) *definition.Puzzle {
	p := &definition.Puzzle{Name: "random"}
	for i := range 1 + rng.IntN(3) {
		p.Sets = append(p.Sets, definition.Set{Name: fmt.Sprintf("set%d", i), Places: 1 + rng.IntN(5), Turns: 1 + rng.IntN(4)})
	}
	for _, set := range p.Sets {
		kinds := 1 + rng.IntN(set.Places)
		if rng.IntN(2) == 0 {
			kinds = set.Places
		}
		free := rng.IntN(4) == 0
		var pieces []definition.Piece
		for k := range set.Places {
			piece := definition.Piece{Kind: k % kinds}
			if free && piece.Kind%2 == 0 {
				piece.Turn = definition.Any
			} else if rng.IntN(4) == 0 {
				piece.Turn = rng.IntN(set.Turns)
			}
			pieces = append(pieces, piece)
		}
		p.Solved = append(p.Solved, pieces)
	}
	for i := range 1 + rng.IntN(3) {
		m := definition.Move{Name: string(rune('A' + i))}
		idle := rng.IntN(8) == 0
		for _, set := range p.Sets {
			from := make([]definition.From, set.Places)
			order, turns := rng.Perm(set.Places), rng.IntN(2)
			for k := range from {
				from[k] = definition.From{Place: order[k], Turn: turns * rng.IntN(set.Turns)}
				if idle || rng.IntN(3) == 0 && turns == 0 && i > 0 && order[k] == k {
					from[k] = definition.From{Place: k}
				}
			}
			m.Sets = append(m.Sets, from)
		}
		p.Moves = append(p.Moves, m)
	}
	for range max(0, rng.IntN(6)-3) {
		set := rng.IntN(len(p.Sets))
		is := definition.Illegal{Set: set, Place: rng.IntN(p.Sets[set].Places), Kind: rng.IntN(p.Sets[set].Places)}
		if p.Illegal = append(p.Illegal, is); !isLegal(p, p.Solved) {
			p.Illegal = p.Illegal[:len(p.Illegal)-1]
		}
	}
	return p
}

// The levels of random puzzles are those of a search that applies moves to arrangements, with one number for each state.
func TestRandomPuzzles(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	defer func(most int) { mostColumns = most }(mostColumns)
	links, tried, puzzles, most := make(map[int]int), 0, 300, 2000
	if long.Tests {
		puzzles, most = 1500, 10_000
	}
	for tried < puzzles {
		p := randomPuzzle(rng)
		metric := []string{movesMetric, turnsMetric}[rng.IntN(2)]
		want, seen := plainLevels(p, metric, most)
		if want == nil {
			continue
		}
		m, err := newModel(p, metric)
		if err != nil {
			continue // no move does something
		}
		tried++
		mostColumns = []int{1 << 13, 24, 6}[tried%3]
		n, err := newNumbering(t.Context(), m, byAny, 0)
		if err == nil && n == nil && m.full.least() > mostRows {
			continue // too many for these bounds, with what is illegal
		}
		if err != nil || n == nil {
			t.Fatalf("%v: no numbers: %v", p, err)
		}
		if least := m.full.least(); len(p.Illegal) == 0 && least > float64(len(seen)) {
			t.Fatalf("%v: least %v, there are %d states", p, least, len(seen))
		}
		if n.columns > 1 {
			links[min(len(n.links), 3)]++
		}
		s := newSpace("random", n)
		if len(p.Illegal) == 0 && s.Size() != uint64(len(seen)) {
			t.Fatalf("%v: %d numbers, want %d", p, s.Size(), len(seen))
		}
		found := search(t, s, 1+tried%2)
		if !slices.Equal(found.Layers, want) {
			t.Fatalf("%v, %s: levels %v, want %v", p, metric, found.Layers, want)
		}
		marks := found.Marks()
		for state, distance := range seen {
			x, err := s.Parse(state)
			if err != nil || s.Format(x) != state || marks.Get(x) != uint16(bfs.Mark(distance)) {
				t.Fatalf("%v, %s: %s is number %d, %v, with mark %d, want that of %d", p, metric, state, x, err, marks.Get(x), distance)
			}
		}
		if tried%40 == 0 && s.Size() < 2000 {
			spacetest.Test(t, s, 20)
		}
	}
	t.Logf("puzzles by their links: %v", links)
	for n := 1; n <= 3; n++ {
		if links[n] < 20 {
			t.Errorf("%d puzzles have %d links", links[n], n)
		}
	}
}
