package definition

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
)

// A group is a level of the chain of Schreier and Sims, as in D. E. Knuth, Efficient representation of perm groups (1991):
// permutations that fix the points of the levels above.
type group struct {
	point      int
	reps       map[int][]int // by image of the point
	generators [][]int
	fixing     *group
}

// after returns the permutation a and then b.
func after(a, b []int) []int {
	c := make([]int, len(a))
	for i, to := range a {
		c[i] = b[to]
	}
	return c
}

func inverse(a []int) []int {
	b := make([]int, len(a))
	for i, to := range a {
		b[to] = i
	}
	return b
}

// add adds a permutation to a group, which may be nil, and returns the group.
func (g *group) add(a []int) *group {
	if g.has(a) {
		return g
	}
	if g == nil {
		point := 0
		for a[point] == point {
			point++
		}
		g = &group{point: point, reps: map[int][]int{point: after(a, inverse(a))}}
	}
	g.generators = append(g.generators, a)
	for _, rep := range slices.Collect(maps.Values(g.reps)) {
		g.reach(after(rep, a))
	}
	return g
}

func (g *group) reach(a []int) {
	rep := g.reps[a[g.point]]
	if rep != nil {
		g.fixing = g.fixing.add(after(a, inverse(rep)))
		return
	}
	g.reps[a[g.point]] = a
	for _, b := range g.generators {
		g.reach(after(a, b))
	}
}

// has reports whether a permutation is in the group.
func (g *group) has(a []int) bool {
	for ; g != nil; g = g.fixing {
		rep := g.reps[a[g.point]]
		if rep == nil {
			return false
		}
		a = after(a, inverse(rep))
	}
	return slices.IsSorted(a)
}

func (g *group) order() float64 {
	if g == nil {
		return 1
	}
	return float64(len(g.reps)) * g.fixing.order()
}

// levels returns how many states there are by distance. A move with its multiples is one.
func levels(p *Puzzle) (counts []int) {
	var moves [][][]From
	for _, m := range p.Moves {
		for sets := m.Sets; !reflect.DeepEqual(sets, p.still()); sets = p.then(sets, m.Sets) {
			moves = append(moves, sets)
		}
	}
	var start []byte // the kind and the turn of each piece
	for _, set := range p.Solved {
		for _, piece := range set {
			start = append(start, byte(piece.Kind), byte(piece.Turn))
		}
	}
	seen, level := map[string]bool{string(start): true}, []string{string(start)}
	for len(level) > 0 {
		counts = append(counts, len(level))
		var next []string
		for _, s := range level {
			for _, m := range moves {
				to := make([]byte, 0, len(s))
				for i, set := range p.Sets {
					before := s[len(to):]
					for _, f := range m[i] {
						kind, turn := before[2*f.Place], int(int8(before[2*f.Place+1]))
						if turn != Any {
							turn = (turn + f.Turn) % set.Turns
						}
						to = append(to, kind, byte(turn))
					}
				}
				if !seen[string(to)] {
					seen[string(to)] = true
					next = append(next, string(to))
				}
			}
		}
		level = next
	}
	return counts
}

// The groups of the puzzles that come along have their known orders.
func TestOrders(t *testing.T) {
	orders := map[string]float64{"2x2x2": 3674160, "3x3x3": 43252003274489856000, "3x3x3-corners": 88179840, "3x3x3-phase-1": 43252003274489856000, "3x3x3-phase-2": 19508428800, "dino": 19958400,
		"gear": 41472, "ivy": 29160, "m24": 244823040, "pyraminx": 933120, "skewb": 3149280}
	if got, want := Names(), slices.Sorted(maps.Keys(orders)); !slices.Equal(got, want) {
		t.Errorf("the names are %v, want %v", got, want)
	}
	for name, want := range orders {
		text, _ := Named(name)
		p := parse(t, text)
		var g *group
		for _, m := range p.Moves {
			g = g.add(points(p, m))
		}
		if got := g.order(); got != want {
			t.Errorf("%s: %.0f, want %.0f", name, got, want)
		}
	}
	for _, name := range []string{"", "..", "cube", "../puzzles/gear"} {
		if _, ok := Named(name); ok {
			t.Errorf("there is a puzzle %q", name)
		}
	}
}

// points returns a move as a permutation of places with turns.
func points(p *Puzzle, m Move) (all []int) {
	for i, s := range p.Sets {
		first := len(all)
		all = append(all, make([]int, s.Places*s.Turns)...)
		for to, f := range m.Sets[i] {
			for turn := range s.Turns {
				all[first+f.Place*s.Turns+turn] = first + to*s.Turns + (turn+f.Turn)%s.Turns
			}
		}
	}
	return all
}

// Solved states in which pieces are alike, or their turns, lead to the known numbers of states.
func TestLevels(t *testing.T) {
	cube, _ := Named("3x3x3-phase-1")
	begin, end := strings.Index(cube, "corners\n"), strings.Index(cube, "End\n")
	const anyCorners = "corners\n0 0 0 0 0 0 0 0\n? ? ? ? ? ? ? ?\n"
	tests := []struct {
		solved string
		levels []int
	}{
		{anyCorners + "edges\n0 0 0 0 0 0 0 0 1 1 1 1\n? ? ? ? ? ? ? ? ? ? ? ?\n", []int{1, 4, 50, 286, 152, 2}},
		{"corners\n3 3 3 3 3 3 3 3\nedges\n0 0 0 0 0 0 0 0 0 0 0 0\n? ? ? ? ? ? ? ? ? ? ? ?\n", []int{1, 4, 34, 186, 816, 1018, 128}},
		{anyCorners + "edges\n0 0 0 0 0 0 0 0 0 0 0 0\n", []int{1, 2, 25, 202, 620, 900, 285, 13}},
	}
	if long.Tests { // the cross
		tests = append(tests, struct {
			solved string
			levels []int
		}{anyCorners + "edges\n? ? ? ? 4 5 6 7 ? ? ? ?\n? ? ? ? 0 0 0 0 ? ? ? ?\n", []int{1, 15, 158, 1394, 9809, 46381, 97254, 34966, 102}})
	}
	for _, test := range tests {
		if got := levels(parse(t, cube[:begin]+test.solved+cube[end:])); !slices.Equal(got, test.levels) {
			t.Errorf("%v, want %v:\n%s", got, test.levels, test.solved)
		}
	}
}
