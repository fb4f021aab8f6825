package npuzzle

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/statespace/bfs"
	"pagoda/statespace/rows"
)

// plainPattern returns the distances of a pattern by a search of single states, as texts.
func plainPattern(height, width int, goal, empty uint32) map[string]int {
	type state struct {
		at    []int // by tile
		empty int
	}
	text := func(s state) string { return fmt.Sprint(s.at, s.empty) }
	var at []int
	for cells := goal; cells != 0; cells &= cells - 1 {
		at = append(at, bits.TrailingZeros32(cells))
	}
	dist := map[string]int{}
	var level []state
	for cell := range height * width {
		if empty>>cell&1 != 0 {
			dist[text(state{at, cell})] = 0
			level = append(level, state{at, cell})
		}
	}
	// A move of a tile that is not in the pattern costs nothing, so it comes first.
	for d := 0; len(level) > 0; d++ {
		var next []state
		for i := 0; i < len(level); i++ {
			s := level[i]
			if dist[text(s)] < d {
				continue
			}
			for _, m := range directions {
				r, c := s.empty/width+m[0], s.empty%width+m[1]
				if r < 0 || r >= height || c < 0 || c >= width {
					continue
				}
				to := state{slices.Clone(s.at), r*width + c}
				cost := 0
				if i := slices.Index(to.at, to.empty); i >= 0 {
					to.at[i], cost = s.empty, 1
				}
				if old, ok := dist[text(to)]; ok && old <= d+cost {
					continue
				}
				dist[text(to)] = d + cost
				if cost == 0 {
					level = append(level, to)
				} else {
					next = append(next, to)
				}
			}
		}
		level = next
	}
	return dist
}

// A pattern has the distances that moves of its tiles alone have.
func TestPattern(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, c := range []struct{ height, width, tiles int }{{2, 2, 1}, {2, 3, 2}, {3, 2, 3}, {3, 3, 1}, {3, 3, 3}, {3, 3, 4}, {2, 5, 5}, {4, 3, 2}} {
		cells := rng.Perm(c.height * c.width)
		goal, empty := uint32(0), uint32(1)<<cells[c.tiles]
		for _, cell := range cells[:c.tiles] {
			goal |= 1 << cell
		}
		if rng.IntN(2) == 0 && c.tiles+1 < len(cells) {
			empty |= 1 << cells[c.tiles+1]
		}
		p, err := NewPattern(c.height, c.width, goal, empty)
		if err != nil {
			t.Fatal(err)
		}
		s, err := bfs.New(t.Context(), p.Search(), bfs.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		want, table := plainPattern(c.height, c.width, goal, empty), &Table{p, s.Marks().Words()}
		seen := map[string]bool{}
		for x := range p.Size() {
			at, region := p.Unrank(x)
			for ; region != 0; region &= region - 1 {
				cell := uint8(bits.TrailingZeros32(region))
				if y := p.Rank(at, cell); y != x {
					t.Fatalf("%v: %v with cell %d empty has the number %d, want %d", c, at, cell, y, x)
				}
				key := fmt.Sprint(at, cell)
				seen[key] = true
				mark := rows.MarkOf(table.Marks, x)
				if d, ok := want[key]; ok != (mark != 0) || ok && d != table.Distance(table.Marks, table.roots, x) {
					t.Fatalf("%v: %s has the mark %d, want the distance %d", c, key, mark, d)
				}
			}
		}
		if len(seen) < len(want) {
			t.Fatalf("%v: %d states have numbers, want %d", c, len(seen), len(want))
		}
	}
}

// Patterns that are none are refused.
func TestNoPattern(t *testing.T) {
	for _, c := range []struct {
		height, width int
		goal, empty   uint32
	}{{1, 4, 1, 2}, {4, 9, 1, 2}, {3, 3, 0, 1}, {3, 3, 1, 0}, {3, 3, 3, 1}, {3, 3, 0x1ff, 0x200}, {4, 4, 0x1ff, 0x200}, {4, 8, 0xff, 0x100}} {
		if _, err := NewPattern(c.height, c.width, c.goal, c.empty); err == nil {
			t.Errorf("%+v is a pattern", c)
		}
	}
}
