package run_test

import (
	"errors"
	"fmt"

	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// A grid is the fields of a board of W times H. A piece begins in a corner and goes to a neighbour;
// if Forward is set, only away from the corner. The goal is the opposite corner. The space has codes of
// several words, and no numbers until they are listed. To expand a state is a step.
type grid struct {
	W       uint64 `json:"w"`
	H       uint64 `json:"h"`
	Words   int    `json:"words"`
	Forward bool   `json:"forward,omitempty"`

	stop *stopper
}

// The code of a field is odd times its number, so that they lie far apart; unodd times odd is 1.
const odd = 0x9e3779b97f4a7c15

var unodd = func() uint64 {
	inverse := uint64(odd)
	for range 5 {
		inverse *= 2 - odd*inverse
	}
	return inverse
}()

func (g grid) code(dst []uint64, x uint64) []uint64 {
	for i := range g.Words {
		dst = append(dst, (x+uint64(i)*x*x)*odd)
	}
	return dst
}

// field returns the number of the field of a code.
func field(code []uint64) uint64 { return code[0] * unodd }

// around appends the fields from which moves lead to x, or to which moves lead from it.
func (g grid) around(dst []uint64, x uint64, back bool) []uint64 {
	col, row := x%g.W, x/g.W
	if !back || !g.Forward {
		if col+1 < g.W {
			dst = append(dst, x+1)
		}
		if row+1 < g.H {
			dst = append(dst, x+g.W)
		}
	}
	if back || !g.Forward {
		if col > 0 {
			dst = append(dst, x-1)
		}
		if row > 0 {
			dst = append(dst, x-g.W)
		}
	}
	return dst
}

// Expand implements statespace.CodeExpander.
func (g grid) Expand(dst, code []uint64) []uint64 {
	g.stop.step()
	var near [4]uint64
	for _, y := range g.around(near[:0], field(code), false) {
		dst = g.code(dst, y)
	}
	return dst
}

// A gridExpander knows the goal of a grid.
type gridExpander struct{ grid }

func (g gridExpander) Goal(code []uint64) bool { return field(code) == g.W*g.H-1 }

func (g grid) Parts() statespace.Parts {
	return statespace.Parts{Undirected: !g.Forward, Goals: statespace.Goals{Is: func(uint64) bool { return false }},
		Codes: statespace.Codes{Graph: g.codes, Numbered: g.numbered}}
}

func (g grid) codes() statespace.CodeGraph {
	back := 1
	if g.Forward {
		back = -1
	}
	return statespace.CodeGraph{Words: g.Words, Back: back, Roots: [][]uint64{g.code(nil, 0)}, NewExpander: func() statespace.CodeExpander { return gridExpander{g} }}
}

func (g grid) Name() string                 { return fmt.Sprintf("grid/%dx%d", g.W, g.H) }
func (g grid) Size() uint64                 { return 0 }
func (g grid) Roots() []uint64              { return nil }
func (g grid) Format(uint64) string         { panic("it has no numbers") }
func (g grid) Parse(string) (uint64, error) { return 0, statespace.ErrOutside }

func (g grid) FormatMove(uint64, statespace.Edge) string { panic("it has no numbers") }

func (g grid) Successors([]statespace.Edge, uint64) []statespace.Edge { panic("it has no numbers") }

func (g grid) Predecessors([]statespace.Edge, uint64) []statespace.Edge { panic("it has no numbers") }

func (g grid) Definition() statespace.Definition { return definition("grid", g.Name(), g) }

func (g grid) numbered(t statespace.Table) (statespace.Space, error) {
	l := listedGrid{g, t}
	if _, found, err := t.Rank(g.code(nil, 0)); err != nil || !found {
		return nil, errors.Join(errors.New("the list lacks the first field"), err)
	}
	return l, nil
}

// A listedGrid is a grid with numbers.
type listedGrid struct {
	grid
	table statespace.Table
}

func (l listedGrid) field(x uint64) uint64 { return field(must(l.table.At(nil, x))) }

func (l listedGrid) edges(dst []statespace.Edge, x uint64, back bool) []statespace.Edge {
	from := l.field(x)
	for _, y := range l.around(nil, from, back) {
		if rank, found, err := l.table.Rank(l.code(nil, y)); err == nil && found {
			move := int(y - from)
			if back {
				move = -move
			}
			dst = append(dst, statespace.Edge{To: rank, Move: move})
		}
	}
	return dst
}

func (l listedGrid) Size() uint64 { return l.table.Len() }
func (l listedGrid) Parts() statespace.Parts {
	p := l.grid.Parts()
	p.Codes = statespace.Codes{Of: l.grid}
	p.Goals.Is = func(x uint64) bool { return l.field(x) == l.W*l.H-1 }
	return p
}
func (l listedGrid) Format(x uint64) string {
	return fmt.Sprintf("%d.%d", l.field(x)%l.W, l.field(x)/l.W)
}

func (l listedGrid) Roots() []uint64 {
	rank, _, err := l.table.Rank(l.code(nil, 0))
	return []uint64{must(rank, err)}
}

func (l listedGrid) Parse(text string) (uint64, error) {
	var col, row uint64
	if n, err := fmt.Sscanf(text, "%d.%d", &col, &row); n != 2 || err != nil || text != fmt.Sprintf("%d.%d", col, row) || col >= l.W || row >= l.H {
		return 0, fmt.Errorf("%w: there is no field %q", statespace.ErrOutside, text)
	}
	rank, found, err := l.table.Rank(l.code(nil, row*l.W+col))
	if err == nil && !found {
		err = statespace.ErrUnlisted
	}
	return rank, err
}

func (l listedGrid) FormatMove(_ uint64, e statespace.Edge) string { return "to " + l.Format(e.To) }

func (l listedGrid) Successors(dst []statespace.Edge, x uint64) []statespace.Edge {
	return l.edges(dst, x, false)
}

func (l listedGrid) Predecessors(dst []statespace.Edge, x uint64) []statespace.Edge {
	return l.edges(dst, x, true)
}

func (l listedGrid) Definition() statespace.Definition {
	return must(sparse.Renumber(l.grid.Definition()))
}
