package lunar

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
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

// plainTally counts as Figures does, in the plain way.
func (g *Group) plainTally(v *bfs.Values) (c tally) {
	values := make([]uint64, len(columns))
	for x := g.start[g.letters]; x < g.orbitSize(); x++ {
		p, ok := g.representative(x)
		if !ok {
			continue
		}
		c.problems++
		if len(g.b.Moves(nil, p)) > 0 {
			c.withMove++
		}
		if e := v.Entry(x); e != 0 {
			c.solvable++
			v.Get(values, x)
			c.moves, c.steps = max(c.moves, uint64(e)-1), max(c.steps, values[StepsColumn])
			if bits.OnesCount64(values[AlwaysColumn]) == g.numbers {
				c.allSignificant++
			}
		}
	}
	return c
}

// The figures of 5x5 1-1, 1-2 and 1-3 are published; the others come from a program of another design
// in another language.
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		board            string
		letters, numbers int
		want             tally
	}{
		{"5x5", 1, 1, tally{80, 17, 2, 2, 1, 1}},
		{"5x5", 1, 2, tally{860, 423, 34, 11, 2, 2}},
		{"5x5", 1, 3, tally{6160, 4532, 511, 115, 5, 5}},
		{"5x5", 1, 4, tally{32090, 28344, 6307, 1597, 10, 12}},
		{"5x5", 2, 3, tally{61484, 54395, 1977, 1303, 10, 13}},
		{"5x5", 3, 3, tally{390460, 372668, 15554, 14836, 16, 23}},
		{"cross", 1, 4, tally{144332, 126524, 20938, 4194, 11, 12}},
		{"cross", 3, 2, tally{270434, 236018, 271, 256, 9, 10}},
		{"octagon", 2, 3, tally{516688, 447823, 9009, 5567, 10, 13}},
		{"7x7", 1, 3, tally{104214, 73627, 2847, 493, 5, 5}},
	} {
		if !long.Tests && c.want.problems > 100_000 {
			continue
		}
		g := newGroup(t, c.board, c.letters, c.numbers)
		_, v := solve(t, g, 2)
		figures, err := g.figures(t.Context(), 2, func(dst []uint64, x uint64) (int, error) {
			v.Get(dst, x)
			return int(v.Entry(x)) - 1, nil
		})
		var found []uint64
		for _, f := range figures {
			found = append(found, f.Value)
		}
		if w := c.want; err != nil || !slices.Equal(found, []uint64{w.problems, w.withMove, w.solvable, w.allSignificant, w.moves, w.steps}) {
			t.Errorf("%s: %v, %v, want %v", g.Name(), figures, err, w)
		}
		if plain := g.plainTally(v); plain != c.want {
			t.Errorf("%s, plain: %v, want %v", g.Name(), plain, c.want)
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
		if !long.Tests && g.Size() > 1<<13 {
			continue
		}
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

// Branching counts the moves of the plain rules that differ in the piece or in the cell where it stops.
func TestBranching(t *testing.T) {
	for _, g := range []*Group{newGroup(t, "5x5", 2, 2), newGroup(t, "cross", 1, 2), newGroup(t, "3x3", 1, 5)} {
		r := board.NewRays(g.b)
		for x := range g.Size() {
			p, ok := g.representative(x)
			if !ok {
				continue
			}
			ends := make(map[[2]int]bool)
			for _, m := range g.b.Moves(nil, p) {
				ends[[2]int{m.From, m.To}] = true
			}
			if n := branching(r, p, g.b.Exits()); n != len(ends) {
				t.Fatalf("%s has the branching %d, want %d", g.Format(x), n, len(ends))
			}
		}
	}
}

// A definition comes from a file, so it may be anything.
func TestDefineRefuses(t *testing.T) {
	define := func(puzzle, numbering string, memory uint64) error {
		d := statespace.Definition{Family: FamilyName, Name: "odd", Puzzle: json.RawMessage(puzzle), Numbering: json.RawMessage(numbering)}
		_, err := Define(t.Context(), d, memory)
		return err
	}
	const good = `{"board":["...",".+.","..."],"letters":1,"numbers":2}`
	if err := define(good, groupNumbering, 1<<20); err != nil {
		t.Fatal(err)
	}
	far := `"` + strings.Repeat(" ", 70) + `+"`
	row := strings.Repeat(".", 33)
	for puzzle, want := range map[string]string{
		``:            "cannot be read",
		`{}`:          "1 to 64 cells, found 0",
		`{"board":1}`: "cannot be read",
		`{"board":["..."],"letters":9223372036854775807,"numbers":9223372036854775807}`:    "have no place",
		`{"board":["..."],"letters":1,"numbers":9223372036854775807}`:                      "at most 25 letters and 16 numbers",
		`{"board":["..."],"letters":-1,"numbers":1}`:                                       "at least 1 letter",
		`{"board":["..."],"letters":1,"numbers":1e9}`:                                      "cannot be read",
		`{"board":["...",".+é","..."],"letters":1,"numbers":2}`:                            "should be",
		`{"board":["...",".+.","... "],"letters":1,"numbers":2}`:                           "should be",
		`{"board":["...",".X.","..."],"letters":1,"numbers":2}`:                            "should be",
		`{"board":[".",` + far + `],"letters":1,"numbers":1}`:                              "at most 64 rows and columns",
		`{"board":["."` + strings.Repeat(`,""`, 100) + `,"+"],"letters":1,"numbers":1}`:    "at most 64 rows and columns",
		`{"board":["` + row + `","` + row + `"],"letters":1,"numbers":1}`:                  "more than 64 cells",
		`{"board":["` + row[:31] + `","` + row[:31] + `","+."],"letters":25,"numbers":16}`: "more than",
		`{"board":["` + row[:31] + `","` + row[:31] + `","+."],"letters":20,"numbers":0}`:  "2^32 places",
	} {
		if err := define(puzzle, groupNumbering, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %s", puzzle, err, want)
		}
	}
	if err := define(good, `{"version":2}`, 0); !errors.Is(err, statespace.ErrUnknown) {
		t.Errorf("a numbering of the future: %v", err)
	}
	if err := define(strings.Replace(good, `"letters":1`, `"letters":3`, 1), groupNumbering, 100); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("100 bytes: %v", err)
	}
}
