package lunar

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"pagoda/statespace/bfs"
	"pagoda/statespace/lunar/board"
)

func newGroup(t testing.TB, name string, letters, numbers int) *Group {
	t.Helper()
	b, ok := board.Named(name)
	if !ok {
		t.Fatal(name)
	}
	g, err := New(t.Context(), fmt.Sprintf("lunar/%s:%d-%d", name, letters, numbers), b, letters, numbers, 0)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// solve searches a group.
func solve(t testing.TB, g *Group, threads int) (*bfs.Search, *bfs.Values) {
	t.Helper()
	s, err := bfs.New(t.Context(), g.Graph(), bfs.Options{Threads: threads, Whole: true})
	if err == nil {
		err = s.Run(t.Context(), nil, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	v, err := bfs.FindValues(t.Context(), g, s.Members(), threads, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Free)
	return s, v
}

// A tally is what the article counts of a group.
type tally struct {
	problems, movable, solvable, significant uint64
	moves, steps                             int
}

func (g *Group) count(v *bfs.Values) (c tally) {
	values := make([]uint64, len(columns))
	for x := g.start[g.letters]; x < g.orbitSize(); x++ {
		p, ok := g.representative(x)
		if !ok {
			continue
		}
		c.problems++
		if len(g.b.Moves(nil, p)) > 0 {
			c.movable++
		}
		if e := v.Entry(x); e != 0 {
			c.solvable++
			v.Get(values, x)
			c.moves, c.steps = max(c.moves, int(e)-1), max(c.steps, int(values[stepsColumn]))
			if bits.OnesCount64(values[alwaysColumn]) == g.numbers {
				c.significant++
			}
		}
	}
	return c
}

// The figures are those of FACTS.
func TestArticle(t *testing.T) {
	for _, c := range []struct {
		letters, numbers int
		want             tally
	}{{1, 1, tally{80, 17, 2, 2, 1, 1}}, {1, 2, tally{860, 423, 34, 11, 2, 2}}, {1, 3, tally{6160, 4532, 511, 115, 5, 5}}} {
		g := newGroup(t, "5x5", c.letters, c.numbers)
		_, v := solve(t, g, 1)
		if found := g.count(v); found != c.want {
			t.Errorf("%s: %v, want %v", g.Name(), found, c.want)
		}
	}
}

// The fast ways agree with the plain ones.
func TestFast(t *testing.T) {
	for _, c := range []struct {
		board            string
		letters, numbers int
	}{{"5x5", 2, 2}, {"3x5", 3, 3}, {"cross", 1, 2}, {"octagon", 2, 1}, {"3x3", 3, 0}, {"5x5", 1, 3}, {"1x5", 1, 2}} {
		g := newGroup(t, c.board, c.letters, c.numbers)
		s, v := solve(t, g, 3)
		var w [64]uint64
		fast, plain := g.Graph().NewExpander(), bfs.Plain(g).NewExpander()
		for first := uint64(0); first < g.Size(); first += 64 {
			for i := range w {
				w[i] = 0
				if x := first + uint64(i); x < g.Size() {
					if _, ok := g.representative(x); ok {
						w[i] = 1 << i
					}
				}
			}
			for _, word := range w {
				a, b := fast.Expand(nil, first, word, nil), plain.Expand(nil, first, word, nil)
				slices.Sort(a)
				if !slices.Equal(slices.Compact(a), b) {
					t.Fatalf("%s: the moves back from %d, word %x, lead to %d, expected %d", g.Name(), first, word, a, b)
				}
			}
		}
		p, err := bfs.FindValuesPlain(t.Context(), g, s.Members(), 2)
		if err != nil {
			t.Fatal(err)
		}
		for x := range g.Size() {
			if !slices.Equal(v.Record(x), p.Record(x)) {
				t.Fatalf("%s: number %d, %s, has the record %v, expected %v", g.Name(), x, g.Format(x), v.Record(x), p.Record(x))
			}
		}
		p.Free()
	}
}
