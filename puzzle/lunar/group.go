package lunar

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"pagoda/internal/lists"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/solver"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// FamilyName is the family in the definitions of these spaces, and begins their names.
const FamilyName = "lunar"

// The places of the columns among the values of a problem.
const (
	StepsColumn = iota
	SolutionsColumn
	AlwaysColumn
	SomeColumn
	Columns // how many there are
)

// mostSolutions is how far solutions are counted.
const mostSolutions = 1<<32 - 1

var columns = []statespace.Column{
	{Name: "steps", About: "the fewest steps of a solution in the fewest moves", Bytes: 2},
	{Name: "solutions", About: fmt.Sprintf("the number of best solutions, up to %d", mostSolutions), Bytes: 4},
	{Name: "always", About: "the number pieces that are significant in all best solutions, a bit for each", Bytes: 2},
	{Name: "some", About: "the number pieces that are significant in a best solution, a bit for each", Bytes: 2},
}

// The numberings of the spaces.
const (
	groupNumbering      = `{"version":1}`
	placementsNumbering = `{"version":1,"placements":true}`
)

// A Group is the space of a group of problems.
type Group struct {
	*orbits
	name  string
	whole *Placements
	roots func() []statespace.Index
}

// New returns the group of the problems with these numbers of letters and number pieces on a board. The error is
// statespace.ErrMemory if its tables take more than memory bytes; 0 is no bound. When ctx ends, New
// stops soon and returns the cause.
func New(ctx context.Context, name string, b *board.Board, letters, numbers int, memory uint64) (*Group, error) {
	n, err := newNumbering(b, letters, numbers)
	if err != nil {
		return nil, err
	}
	o, err := newOrbits(ctx, n, memory)
	if err != nil {
		return nil, err
	}
	g := &Group{orbits: o, name: name}
	g.whole = &Placements{n, name, g}
	g.roots = sync.OnceValue(func() []statespace.Index { return slices.Collect(g.eachRoot) })
	return g, nil
}

// puzzleJSON is the Puzzle of a definition.
type puzzleJSON struct {
	Board   []string `json:"board"` // rows: . is a cell, + an exit, a space no cell
	Letters int      `json:"letters"`
	Numbers int      `json:"numbers"`
	Metric  string   `json:"metric,omitempty"` // slides, or moves if it is left out
}

// Definition implements statespace.Space.
func (g *Group) Definition() statespace.Definition {
	p := puzzleJSON{Board: g.b.Lines(g.b.EmptyAt), Letters: g.letters, Numbers: g.numbers}
	if g.b.Metric() == board.SlidesMetric {
		p.Metric = board.SlidesMetric
	}
	return statespace.Definition{Family: FamilyName, Name: g.name, Puzzle: statespace.Encode(p), Numbering: json.RawMessage(groupNumbering)}
}

// Define returns the space of a definition. See New.
func Define(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
	var p puzzleJSON
	if err := json.Unmarshal(d.Puzzle, &p); err != nil {
		return nil, fmt.Errorf("the definition of %s cannot be read: %w", d.Name, err)
	}
	var all, exits []cells.Cell
	for r, row := range p.Board {
		for c, ch := range row {
			if ch == board.ExitChar {
				exits = append(exits, cells.Cell{Row: r, Col: c})
			}
			if ch != ' ' {
				all = append(all, cells.Cell{Row: r, Col: c})
			}
			if len(all) > board.MaxCells {
				return nil, fmt.Errorf("the definition of %s has more than %d cells", d.Name, board.MaxCells)
			}
		}
	}
	b, err := board.New(all, exits)
	if err != nil {
		return nil, fmt.Errorf("the definition of %s: %w", d.Name, err)
	}
	if p.Metric == board.SlidesMetric {
		b = b.BySlides()
	}
	g, err := New(ctx, d.Name, b, p.Letters, p.Numbers, memory)
	if err != nil {
		return nil, err
	}
	own := g.Definition()
	if string(own.Puzzle) != string(d.Puzzle) {
		return nil, fmt.Errorf("the definition of %s should be %s, and is %s", d.Name, own.Puzzle, d.Puzzle)
	}
	switch string(d.Numbering) {
	case groupNumbering:
		return g, nil
	case placementsNumbering:
		g.whole.name = d.Name
		return g.whole, nil
	}
	return nil, fmt.Errorf("%w: %s has the numbering %s, which this program does not have", statespace.ErrUnknown, d.Name, d.Numbering)
}

// Name implements statespace.Space.
func (g *Group) Name() string { return g.name }

// Board returns the board.
func (g *Group) Board() *board.Board { return g.b }

// Letters returns how many letters the problems of the group have.
func (g *Group) Letters() int { return g.letters }

// Numbers returns how many number pieces the problems have.
func (g *Group) Numbers() int { return g.numbers }

// Size implements statespace.Space.
func (g *Group) Size() uint64 { return g.orbitSize() }

// Roots implements statespace.Space: the solved problems.
func (g *Group) Roots() []statespace.Index { return g.roots() }

// eachRoot yields the roots: a list of millions is long.
func (g *Group) eachRoot(yield func(x statespace.Index) bool) {
	c := g.cursor(0)
	for x := range g.start[1] {
		if g.stands(c, c.numbers()) && !yield(x) {
			return
		}
		c.step()
	}
}

// Whole implements statespace.Quotient.
func (g *Group) Whole() statespace.Space { return g.whole }

// StandsFor implements statespace.Quotient.
func (g *Group) StandsFor(x statespace.Index) (statespace.Index, int) {
	p, ok := g.representative(x)
	if !ok {
		return 0, 0
	}
	return g.number(p), g.states(x)
}

// For implements statespace.Quotient.
func (g *Group) For(member statespace.Index) statespace.Index { return g.orbit(g.position(member)) }

// Position returns the problem that stands for those of a state; it is false if the number is no
// state.
func (g *Group) Position(x statespace.Index) (board.Position, bool) { return g.representative(x) }

// StateOf returns the state of a problem. The problem has at most as many letters as those of the group,
// and as many number pieces.
func (g *Group) StateOf(p board.Position) statespace.Index { return g.orbit(p) }

// Successors implements statespace.Space: the moves that are taken back.
func (g *Group) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return g.edges(dst, x, g.whole.Successors)
}

// Predecessors implements statespace.Space: the moves that can be made in a problem.
func (g *Group) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return g.edges(dst, x, g.whole.Predecessors)
}

// edges appends an edge to each state to which moves lead. All have the number 0.
func (g *Group) edges(dst []statespace.Edge, x statespace.Index, moves func([]statespace.Edge, statespace.Index) []statespace.Edge) []statespace.Edge {
	p, ok := g.representative(x)
	if !ok {
		return dst
	}
	return g.appendStates(dst, moves(nil, g.number(p)))
}

// appendStates appends an edge to each state that stands for the ends of some edges of the whole space.
func (g *Group) appendStates(dst, whole []statespace.Edge) []statespace.Edge {
	to := lists.Map(whole, func(e statespace.Edge) statespace.Index { return g.For(e.To) })
	slices.Sort(to)
	for _, y := range slices.Compact(to) {
		dst = append(dst, statespace.Edge{To: y})
	}
	return dst
}

// Parse implements statespace.Space.
func (g *Group) Parse(text string) (statespace.Index, error) {
	x, err := g.whole.Parse(text)
	if err != nil {
		return 0, err
	}
	return g.For(x), nil
}

// Format implements statespace.Space.
func (g *Group) Format(x statespace.Index) string {
	p, _ := g.representative(x)
	return g.b.FormatPosition(p)
}

// FormatMove implements statespace.Space: one of the moves that lead from one state to the other.
func (g *Group) FormatMove(from statespace.Index, move statespace.Edge) string {
	if text, ok := g.formatMove(from, move.To); ok { // a move of the puzzle
		return text
	}
	text, _ := g.formatMove(move.To, from)
	return "undo " + text
}

func (g *Group) formatMove(from, to statespace.Index) (string, bool) {
	p, ok := g.representative(from)
	if !ok {
		return "", false
	}
	d, err := g.b.NewDrawing(p)
	if err != nil {
		return "", false
	}
	for _, m := range g.b.Moves(nil, p) {
		if g.orbit(p.After(m)) == to {
			_, play := g.b.Make(d, m)
			return play.String(), true
		}
	}
	return "", false
}

// Parts implements statespace.Space.
func (g *Group) Parts() statespace.Parts {
	return statespace.Parts{Reversed: true, EachRoot: g.eachRoot, Graph: g.Graph, Proof: g.proof,
		Symmetry: statespace.Symmetric{Quotient: g},
		Values: statespace.Values{Value: g.value, Best: g.best, DistanceName: g.b.Metric(), Columns: columns,
			Figures: g.figures, NewValuer: g.newValuer},
		Texts: statespace.Texts{Features: g.features, WhyNot: func(x statespace.Index) string {
			p, _ := g.representative(x)
			return g.whyNot(p)
		}}}
}

// whyNot says why a problem has no solution.
func (n *numbering) whyNot(p board.Position) string {
	switch why := solver.Impossible(n.b)(p); {
	case why != "":
		return "it cannot be solved: " + why
	case len(n.b.Moves(nil, p)) == 0:
		return "it cannot be solved: no piece can move"
	}
	return "it cannot be solved"
}

// value is the Value of the Values.
func (g *Group) value(dst []uint64, x statespace.Index, near statespace.Near) {
	p, _ := g.representative(x)
	g.valueOf(dst, p, func(p board.Position) ([]uint64, board.Set, []int) {
		y, turn := g.orbitBy(p)
		return near(y), g.turn.set(p.Numbers, turn), g.turns[turn]
	})
}

// best is the Best of the Values.
func (g *Group) best(dst []statespace.Edge, x statespace.Index, near statespace.Near) []statespace.Edge {
	p, _ := g.representative(x)
	return g.appendStates(dst, g.whole.best(nil, g.number(p), func(y statespace.Index) []uint64 { return near(g.For(y)) }))
}
