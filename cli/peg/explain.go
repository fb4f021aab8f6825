package peg

import (
	"context"
	"fmt"
	"io"
	"strings"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/internal/lists"
	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/draw"
	"pagoda/render"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/statespace/sparse"
	"pagoda/studies/purges"
)

const (
	// explainRoom is how many positions the search for an explanation meets at most if nothing else is
	// said. It takes some seconds.
	explainRoom = 1 << 20
	// explainBytes is about what a position takes at most.
	explainBytes = 96
)

// explain explains a path by purges. It is puzzle.Family.Explain.
func explain(ctx context.Context, space statespace.Space, path statespace.Path, o cli.ExplainOptions) (*ask.Route, cli.Explanation, error) {
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
	if !o.Keep {
		room := explainRoom
		if o.Memory > 0 {
			room = int(o.Memory / explainBytes)
		}
		if steps, err = purges.Explain(ctx, sp.Board(), from, to, room); err != nil {
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

// An explanation is a solution in steps. It is a cli.Explanation.
type explanation struct {
	Packages int               `json:"packages"`
	Single   int               `json:"single_jumps"`
	Fewest   bool              `json:"fewest"` // no other way has fewer steps, by purges with a name and single jumps
	Steps    []explanationStep `json:"steps"`

	board *board.Board
	from  board.Position
	steps []purges.Step
	route *ask.Route // the jumps
}

// An explanationStep is a package, or a single jump. Cells are by row and column.
type explanationStep struct {
	Package string `json:"package,omitempty"`
	*effect
	Jumps    []peg.JumpText `json:"jumps"`
	Position string         `json:"position"` // after it
}

func newExplanation(b *board.Board, at board.Position, steps []purges.Step) *explanation {
	e := &explanation{board: b, from: at, steps: steps, Steps: []explanationStep{}}
	e.route = &ask.Route{Moves: []fmt.Stringer{}, Positions: []string{b.FormatPosition(at)}}
	for _, s := range steps {
		step := explanationStep{Position: b.FormatPosition(s.After)}
		numbers := jumpNumbers(b, s.Jumps)
		at = addJumps(e.route, b, at, numbers, b.FormatPosition)
		for _, k := range numbers {
			step.Jumps = append(step.Jumps, peg.JumpTextOf(b, k))
		}
		if s.Placement == nil {
			e.Single++
		} else {
			e.Packages++
			step.Package = s.Package.Name
			step.effect = newEffect(b, s.Placement)
		}
		e.Steps = append(e.Steps, step)
	}
	return e
}

// jumpNumbers returns the numbers of jumps on a board.
func jumpNumbers(b *board.Board, jumps []board.Jump) (numbers []int) {
	for _, j := range jumps {
		k := 0
		for b.Jump(k) != j {
			k++
		}
		numbers = append(numbers, k)
	}
	return numbers
}

// addJumps adds jumps from a position to a route, and returns the last position.
func addJumps(r *ask.Route, b *board.Board, at board.Position, jumps []int, format func(board.Position) string) board.Position {
	for _, k := range jumps {
		at ^= b.Jump(k).Mask()
		r.Moves, r.Positions = append(r.Moves, peg.JumpTextOf(b, k)), append(r.Positions, format(at))
	}
	return at
}

// WriteText implements ask.Explanation.
func (e *explanation) WriteText(to io.Writer, n cells.Notation) error {
	var b strings.Builder
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
		fmt.Fprintf(&b, "     %s\n    ", s.effect.text(n))
		for _, j := range s.Jumps {
			b.WriteString(" " + n.Move(j))
		}
		b.WriteByte('\n')
	}
	fewest := ""
	if e.Fewest {
		fewest = ", the fewest by named purges"
	}
	fmt.Fprintf(&b, "%s in %s%s: %s and %s\n", cli.Count(uint64(len(e.route.Moves)), "jump"), cli.Count(uint64(len(e.Steps)), "step"), fewest,
		cli.Count(uint64(e.Packages), "package"), cli.Count(uint64(e.Single), "single jump"))
	_, err := io.WriteString(to, b.String())
	return err
}

// text describes an effect in a line.
func (e *effect) text(n cells.Notation) string {
	list := func(all ...cells.Cell) string { return strings.Join(lists.Map(all, n.Cell), " ") }
	text := "clears " + list(e.Cleared...)
	if e.From != nil {
		text += fmt.Sprintf(", moves a peg from %s to %s", list(*e.From), list(*e.To))
	}
	var needs []string
	for _, c := range []struct {
		what  string
		cells []cells.Cell
	}{{"peg", e.Catalyst.Pegs}, {"hole", e.Catalyst.Holes}} {
		if len(c.cells) > 0 {
			if len(c.cells) > 1 {
				c.what += "s"
			}
			needs = append(needs, c.what+" "+list(c.cells...))
		}
	}
	if needs != nil {
		text += "; catalyst: " + strings.Join(needs, ", ")
	}
	return text
}

// Film implements cli.Explanation: a panel is a step, with what it clears or its jump, or the end.
func (e *explanation) Film() (render.Film, error) {
	at := e.from
	var jumps []int
	var panels []render.Panel
	for i, s := range e.steps {
		jumps = append(jumps, jumpNumbers(e.board, s.Jumps)...)
		drawing, caption := draw.Position{Board: e.board, Pattern: board.Pattern{Pegs: at}, Jump: &s.Jumps[0]}, "jump"
		if s.Placement != nil {
			drawing, caption = packageDrawing(e.board, at, s.Placement), s.Package.Name
		}
		panels = append(panels, render.Panel{Drawing: drawing, Caption: fmt.Sprintf("%d. %s", i+1, caption)})
		at = s.After
	}
	end := draw.Position{Board: e.board, Pattern: board.Pattern{Pegs: at}}
	film, err := draw.NewFilm(e.board, e.from, jumps)
	film.Panels = append(panels, render.Panel{Drawing: end, Caption: "end, " + end.Pegs()})
	return film, err
}

// name is the name of a package, or the jump.
func (s explanationStep) name(n cells.Notation) string {
	if s.Package != "" {
		return s.Package
	}
	return n.Move(s.Jumps[0])
}
