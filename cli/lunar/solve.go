package lunar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	space "pagoda/puzzle/lunar"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/problem"
	"pagoda/puzzle/lunar/replay"
	"pagoda/puzzle/lunar/solver"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// options are the flags of solve.
type options struct {
	all   bool
	limit *int // solutions to list
	cmd   *cobra.Command
}

// listed is how many solutions --all lists.
const listed = 1000

// solving is what the family contributes to solve.
func solving() *cli.Solving {
	return &cli.Solving{
		About: `The best solutions have the fewest moves, and among those the fewest steps. A step takes a
piece up, down, left or right (U, D, L, R) until it stands next to another; a move is one or
more steps of a piece, with turns between them: 4-LU. The number of best solutions is exact;
two differ if they differ in a step. A number piece is significant in a solution if it moves
or stops a piece. --all lists all best solutions, and the pieces that are significant in each.

A puzzle is a board and a drawing, lunar/5x5:12..3/...../..+../4..../...X., or a text that
begins with the line lunar: and draws the board row by row: . is an empty cell, + an empty
exit, a capital letter is to leave by the exit, a digit or o only stops others, a space is
no cell. Lines before the drawing may say more: name:, exits:, piece X: and group:.`,
		Example: `  reach solve lunar/5x5:oo..o/...../..+../o..../...X.
  reach solve my-problem.txt --all --json
  reach solve lunar/5x5:oo..o/...../..+../o..../...X. -o solution.gif`,
		Flags: func(cmd *cobra.Command) cli.Solver {
			o := &options{cmd: cmd}
			cmd.Flags().BoolVar(&o.all, "all", false, "list all best solutions")
			o.limit = cli.LimitFlag(cmd, listed, math.MaxInt, "solutions of --all")
			return o
		},
	}
}

// Check implements cli.Solver.
func (o *options) Check(bool) error {
	if o.cmd.Flags().Changed("limit") && !o.all {
		return console.Usagef("--limit is for --all")
	}
	return nil
}

// Named implements cli.Solver.
func (o *options) Named(_ context.Context, full string) (cli.Solve, error) {
	text := strings.TrimPrefix(full, space.FamilyName+"/")
	if space.IsGroup(text) {
		return nil, fmt.Errorf("%s is a group of problems: expected one problem, a board and a drawing", full)
	}
	p, err := problem.ParseLine(text)
	if p == nil && err != nil {
		if on, _, drawn := strings.Cut(text, ":"); drawn {
			if _, wrong := board.Find(on); !errors.Is(wrong, statespace.ErrUnknown) {
				var at *cells.SyntaxError
				if errors.As(err, &at) { // in the name as it is shown
					at.Col += len(full) - len(text)
				}
				return nil, fmt.Errorf("%s: %w", full, cmp.Or(wrong, err))
			}
		}
		return nil, fmt.Errorf("%w %.100q: expected a board and a drawing, such as lunar/3x3:X.1/.+./..2, or a file that draws a puzzle", statespace.ErrUnknown, full)
	}
	return o.solve(p), nil
}

// Text implements cli.Solver.
func (o *options) Text(_ context.Context, text string) (cli.Solve, error) {
	if !problem.Is(text) { // it may draw another puzzle
		return nil, &cells.SyntaxError{Line: 1, Col: 1, Reason: "expected lunar: on the first line"}
	}
	p, err := problem.Parse(text)
	return o.solve(p), err
}

// solve returns what solves a problem.
func (o *options) solve(p *problem.Problem) cli.Solve {
	return func(ctx context.Context, name string, job run.Options) (cli.Answer, error) {
		if p.Empty() {
			return nil, console.Usagef("the board has no pieces: draw at least one letter piece and one number piece")
		}
		begin := time.Now()
		r, err := solver.Solve(ctx, p.Board, p.Drawing.Position(), job.Memory, job.Threads)
		if err != nil {
			return nil, err
		}
		a := &answer{Puzzle: name, Name: p.Name, HasSolution: r.Solved, Reason: r.Reason, Solutions: r.Solutions, Positions: r.Positions,
			Start: p.Board.Format(p.Drawing), Solution: []move{}, problem: p}
		a.Significant, a.InAny, a.Insignificant = []string{}, []string{}, []string{}
		for _, ch := range p.Drawing {
			if seen, ok := p.Pieces[ch]; ok {
				a.Pieces = append(a.Pieces, piece{string(ch), seen.Colour, seen.Name})
			}
		}
		if !r.Solved {
			a.Seconds = time.Since(begin).Seconds()
			return a, nil
		}
		a.Moves, a.Steps = &r.Moves, &r.Steps
		numbers := p.Drawing.Position().Numbers
		a.Significant, a.InAny, a.Insignificant = a.names(r.Always), a.names(r.Ever), a.names(numbers&^r.Ever)
		most := 1
		if o.all {
			if most = *o.limit; most == 0 {
				most = math.MaxInt
			}
			a.All = []listing{}
		}
		for s := range r.All() {
			if most--; most < 0 {
				break
			}
			if err := a.add(s, o.all); err != nil {
				return nil, err
			}
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
		}
		a.Seconds = time.Since(begin).Seconds()
		return a, nil
	}
}

// add adds a solution that the checker has replayed.
func (a *answer) add(s solver.Solution, all bool) error {
	d := a.problem.Drawing
	var plays []board.Play
	var text []string
	for _, m := range s.Moves {
		var play board.Play
		d, play = a.problem.Board.Make(d, m)
		plays, text = append(plays, play), append(text, play.String())
	}
	drawings, err := replay.Solution(a.problem.Board, a.problem.Drawing, strings.Join(text, " "))
	if err != nil {
		return fmt.Errorf("the solution that was found is wrong: %w", err)
	}
	if all {
		a.All = append(a.All, listing{text, a.names(s.Significant)})
	}
	if len(a.Solution) == 0 {
		for i, play := range plays {
			a.Solution = append(a.Solution, move{play, drawings[i+1]})
		}
	}
	return nil
}
