package lunar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pagoda/cli"
	"pagoda/internal/console"
	space "pagoda/puzzle/lunar"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/draw"
	"pagoda/puzzle/lunar/problem"
	"pagoda/puzzle/lunar/replay"
	"pagoda/puzzle/lunar/solver"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// solving is what the family contributes to solve. A problem is no space: a group has the positions of all of its
// problems, and the solver goes only through those that matter for one. It finds the fewest moves, then the fewest
// steps, and the pieces that are significant.
func solving() *cli.Solving {
	return &cli.Solving{
		About: `The best solutions have the fewest moves, and among those the fewest steps. A step takes a
piece up, down, left or right (U, D, L, R) until it stands next to another; a move is one or
more steps of a piece, with turns between them: 4-LU. The number of best solutions is exact;
two differ if they differ in a step. A number piece is significant in a solution if it moves
or stops a piece. --all lists all best solutions, and the pieces that are significant in each.
With --metric slides, each step is a move of its own: so the fewest slides are found.

A puzzle is a board and a drawing, lunar/5x5:12..3/...../..+../4..../...X., or a text that
begins with the line lunar: and draws the board row by row: . is an empty cell, + an empty
exit, a capital letter is to leave by the exit, a digit or o only stops others, a space is
no cell. Lines before the drawing may say more: name:, exits:, piece X: and group:.`,
		Example: `  reach solve lunar/5x5:oo..o/...../..+../o..../...X.
  reach solve my-problem.txt --all --json
  reach solve lunar/5x5:.1.2./...../..+../3.X4./..... --metric slides
  reach solve lunar/5x5:oo..o/...../..+../o..../...X. -o solution.gif`,
		Problem: func(name, text string) (cli.Solve, error) {
			p, metric, err := readProblem(name, text)
			return solve(p, metric), err
		},
	}
}

// readProblem returns the problem of a name, and the metric behind an @, or the problem that a text draws if that is not empty.
func readProblem(full, text string) (p *problem.Problem, metric string, err error) {
	if text != "" {
		p, err = problem.Parse(text)
		return p, "", err
	}
	text, metric, _ = strings.Cut(strings.TrimPrefix(full, space.FamilyName+"/"), "@")
	if space.IsGroup(text) {
		return nil, "", fmt.Errorf("%s is a group of problems: expected one problem, a board and a drawing", full)
	}
	p, err = problem.ParseLine(text)
	if p == nil && err != nil {
		if on, _, drawn := strings.Cut(text, ":"); drawn {
			if _, wrong := board.Find(on); !errors.Is(wrong, statespace.ErrUnknown) {
				if at, ok := errors.AsType[*cells.SyntaxError](err); ok { // in the name as it is shown
					at.Col += len(full) - len(text)
				}
				return nil, "", fmt.Errorf("%s: %w", full, cmp.Or(wrong, err))
			}
		}
		return nil, "", fmt.Errorf("%w %.100q: expected a board and a drawing, such as lunar/3x3:X.1/.+./..2, or a file that draws a puzzle", statespace.ErrUnknown, full)
	}
	return p, metric, nil
}

// solve returns what solves a problem whose name has a metric, which may be empty.
func solve(p *problem.Problem, metric string) cli.Solve {
	return func(ctx context.Context, name string, o cli.SolveOptions) (*cli.Answer, error) {
		if p.Empty() {
			return nil, console.Usagef("%s: the board has no pieces: draw at least one letter piece and one number piece", name)
		}
		if p.Drawing.Position().Letters == 0 {
			return nil, console.Usagef("%s: no piece must leave: draw one that must as a capital letter, or in a text name it in a line such as leaves: 1", name)
		}
		begin := time.Now()
		name = strings.TrimSuffix(name, "@"+metric)
		b, _, err := space.InMetric(p.Board, name, metric, o.Choice.Options["metric"])
		if err != nil {
			return nil, console.UsageError(err)
		}
		p := *p
		p.Board = b
		r, err := solver.Solve(ctx, p.Board, p.Drawing.Position(), o.Memory, o.Threads)
		if err != nil {
			return nil, err
		}
		own := &answer{Name: p.Name, problem: &p, Significant: []string{}, InAny: []string{}, Insignificant: []string{}}
		for _, ch := range p.Drawing {
			if seen, ok := p.Pieces[ch]; ok {
				own.Pieces = append(own.Pieces, piece{string(ch), seen.Colour, seen.Name})
			}
		}
		a := &cli.Answer{Puzzle: name, Metric: b.Metric(), Solved: r.Solved, Reason: r.Reason, Solutions: r.Solutions, States: r.Positions,
			Start: p.Board.Format(p.Drawing), Moves: []cli.Move{}, Own: own}
		if r.Solved {
			err = own.take(ctx, a, r, o)
		}
		a.Seconds = time.Since(begin).Seconds()
		return a, err
	}
}

// take takes over the solutions of a problem.
func (own *answer) take(ctx context.Context, a *cli.Answer, r *solver.Result, o cli.SolveOptions) error {
	a.Length, own.Steps = &r.Moves, &r.Steps
	numbers := own.problem.Drawing.Position().Numbers
	own.Significant, own.InAny, own.Insignificant = own.names(r.Always), own.names(r.Ever), own.names(numbers&^r.Ever)
	most := 1
	if o.All {
		a.All, most = []any{}, o.List
	}
	for s := range r.All() {
		if most--; most < 0 {
			break
		}
		if err := own.add(a, s, o); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// add adds a solution that the checker has replayed.
func (own *answer) add(a *cli.Answer, s solver.Solution, o cli.SolveOptions) error {
	p := own.problem
	d := p.Drawing
	var plays []board.Play
	var text []string
	for _, m := range s.Moves {
		var play board.Play
		d, play = p.Board.Make(d, m)
		plays, text = append(plays, play), append(text, play.String())
	}
	drawings, err := replay.Solution(p.Board, p.Drawing, strings.Join(text, " "))
	if err != nil {
		return fmt.Errorf("the solution that was found is wrong: %w", err)
	}
	if o.All {
		a.All = append(a.All, listing{text, own.names(s.Significant)})
	}
	if len(a.Moves) > 0 {
		return nil
	}
	for i, play := range plays {
		a.Moves = append(a.Moves, cli.Move{Stringer: play, Position: drawings[i+1]})
	}
	if o.Draw {
		a.Film, err = draw.NewFilm(p.Board, p.Drawing, plays, p.Pieces)
	}
	return console.UsageError(err)
}
