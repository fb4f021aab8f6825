package pegsolitaire

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"pagoda/ask"
	"pagoda/family"
	"pagoda/internal/command"
	"pagoda/render"
	"pagoda/render/pegs"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/peg"
	"pagoda/statespace/peg/board"
	"pagoda/statespace/peg/purges"
	"pagoda/statespace/sparse"
)

// explainRoom is how many positions the search for an explanation meets at most. It takes about 100 MB and
// some seconds.
const explainRoom = 1 << 20

// explain explains a path by purges. It is family.Family.Explain.
func explain(ctx context.Context, space statespace.Space, path statespace.Path, keep bool) (*ask.Route, family.Explanation, error) {
	space, path = sparse.Original(space, path)
	sp, ok := space.(*peg.Space)
	if !ok {
		return nil, nil, ask.Questionf("%s is no board of pegs", space.Name())
	}
	numbers, err := sp.JumpsOf(path)
	if err != nil {
		return nil, nil, err
	}
	from := sp.Class().Position(path.From)
	to := from
	var jumps []board.Jump
	for _, k := range numbers {
		jumps = append(jumps, sp.Board().Jump(k))
		to ^= sp.Board().Jump(k).Mask()
	}
	var steps []purges.Step
	if !keep {
		if steps, err = purges.Explain(ctx, sp.Board(), from, to, explainRoom); err != nil {
			return nil, nil, err
		}
	}
	fewest := steps != nil
	if !fewest {
		steps = purges.Annotate(sp.Board(), from, jumps)
	}
	e := newExplanation(sp.Board(), from, steps)
	e.Fewest = fewest
	return e.route, e, nil
}

// An explanation is a solution in steps. It is a family.Explanation.
type explanation struct {
	Packages int               `json:"packages"`
	Single   int               `json:"single_jumps"`
	Fewest   bool              `json:"fewest"` // no other way has fewer steps, by the purges with a name
	Steps    []explanationStep `json:"steps"`

	board *board.Board
	from  board.Position
	steps []purges.Step
	route *ask.Route // the jumps
}

// An explanationStep is a package, or a single jump. Cells are by row and column.
type explanationStep struct {
	Package  string         `json:"package,omitempty"`
	Cleared  [][2]int       `json:"cleared,omitempty"`
	Catalyst *catalyst      `json:"catalyst,omitempty"`
	Jumps    []peg.JumpText `json:"jumps"`
	Position string         `json:"position"` // after it
}

// A catalyst is the cells of a package that end as they begin.
type catalyst struct {
	Pegs  [][2]int `json:"pegs"`
	Holes [][2]int `json:"holes"`
}

func newExplanation(b *board.Board, at board.Position, steps []purges.Step) *explanation {
	e := &explanation{board: b, from: at, steps: steps, Steps: []explanationStep{}}
	e.route = &ask.Route{Moves: []fmt.Stringer{}, Positions: []string{b.FormatPosition(at)}}
	for _, s := range steps {
		step := explanationStep{Position: b.FormatPosition(s.After)}
		for _, j := range s.Jumps {
			at ^= j.Mask()
			jump := peg.JumpTextOf(b, jumpNumber(b, j))
			step.Jumps = append(step.Jumps, jump)
			e.route.Moves, e.route.Positions = append(e.route.Moves, jump), append(e.route.Positions, b.FormatPosition(at))
		}
		if s.Placement == nil {
			e.Single++
		} else {
			e.Packages++
			step.Package = s.Package.Name
			step.Cleared, step.Catalyst = parts(b, s.Placement)
		}
		e.Steps = append(e.Steps, step)
	}
	return e
}

// jumpNumber returns the number of a jump on a board.
func jumpNumber(b *board.Board, j board.Jump) int {
	for k := range b.Jumps() {
		if b.Jump(k) == j {
			return k
		}
	}
	panic(fmt.Sprintf("%v is no jump of the board", j))
}

// parts returns the cells of a purge on a board.
func parts(b *board.Board, p *purges.Placement) (cleared [][2]int, c *catalyst) {
	c = &catalyst{Pegs: [][2]int{}, Holes: [][2]int{}}
	for _, cell := range slices.Sorted(slices.Values(p.Cells)) {
		at := [2]int{b.Cells()[cell].Row, b.Cells()[cell].Col}
		i := slices.Index(p.Cells, cell)
		switch {
		case p.Package.Cleared()>>i&1 == 1:
			cleared = append(cleared, at)
		case p.Package.Start>>i&1 == 1:
			c.Pegs = append(c.Pegs, at)
		default:
			c.Holes = append(c.Holes, at)
		}
	}
	return cleared, c
}

// WriteText implements ask.Explanation.
func (e *explanation) WriteText(to io.Writer, n cells.Notation) error {
	var b strings.Builder
	list := func(all [][2]int) string {
		var words []string
		for _, c := range all {
			words = append(words, n.Cell(cells.Cell{Row: c[0], Col: c[1]}))
		}
		return strings.Join(words, " ")
	}
	width := len("start")
	for _, s := range e.Steps {
		width = max(width, len(s.name(n)))
	}
	fmt.Fprintf(&b, "%3d  %-*s  %s\n", 0, width, "start", e.board.FormatPosition(e.from))
	for i, s := range e.Steps {
		fmt.Fprintf(&b, "%3d  %-*s  %s\n", i+1, width, s.name(n), s.Position)
		if s.Package == "" {
			continue
		}
		fmt.Fprintf(&b, "     clears %s; catalyst:", list(s.Cleared))
		var needs []string
		for _, c := range []struct {
			what  string
			cells [][2]int
		}{{"peg", s.Catalyst.Pegs}, {"hole", s.Catalyst.Holes}} {
			if len(c.cells) > 0 {
				needs = append(needs, fmt.Sprintf("%s %s", plural(c.what, len(c.cells)), list(c.cells)))
			}
		}
		b.WriteString(" " + strings.Join(needs, ", ") + "\n    ")
		for _, j := range s.Jumps {
			b.WriteString(" " + n.Move(j))
		}
		b.WriteByte('\n')
	}
	fewest := ""
	if e.Fewest {
		fewest = ", the fewest"
	}
	fmt.Fprintf(&b, "%s in %s%s: %s and %s\n", command.Count(uint64(len(e.route.Moves)), "jump"), command.Count(uint64(len(e.Steps)), "step"), fewest,
		command.Count(uint64(e.Packages), "package"), command.Count(uint64(e.Single), "single jump"))
	_, err := io.WriteString(to, b.String())
	return err
}

// Film implements family.Explanation.
func (e *explanation) Film() (render.Film, error) {
	var jumps []int
	for _, s := range e.steps {
		for _, j := range s.Jumps {
			jumps = append(jumps, jumpNumber(e.board, j))
		}
	}
	film, err := pegs.NewFilm(e.board, e.from, jumps)
	return explanationFilm{film, e}, err
}

// An explanationFilm is the film of the jumps, with panels for the steps.
type explanationFilm struct {
	render.Film
	*explanation
}

// Strip implements render.Stripped: each step with what it clears or its jump, and the end.
func (f explanationFilm) Strip() (panels []render.Panel) {
	at := f.from
	for i, s := range f.steps {
		p := pegs.Position{Board: f.board, Pattern: board.Pattern{Pegs: at}}
		caption := "jump"
		if s.Placement == nil {
			p.Jump = &s.Jumps[0]
		} else {
			p.Taken, caption = at&^s.After, s.Package.Name
		}
		panels = append(panels, render.Panel{Drawing: p, Caption: fmt.Sprintf("%d. %s", i+1, caption)})
		at = s.After
	}
	end := pegs.Position{Board: f.board, Pattern: board.Pattern{Pegs: at}}
	return append(panels, render.Panel{Drawing: end, Caption: "end, " + end.Pegs()})
}

// name is the name of a package, or the jump.
func (s explanationStep) name(n cells.Notation) string {
	if s.Package != "" {
		return s.Package
	}
	return n.Move(s.Jumps[0])
}

// plural writes a word for a number of things.
func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
