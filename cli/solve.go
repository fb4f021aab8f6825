package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
	"pagoda/internal/suggest"
	"pagoda/puzzle"
	"pagoda/render"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// solveFlags are the flags of solve, and the families whose puzzles it solves.
type solveFlags struct {
	*Program
	Picture
	batch   string // the file of puzzles
	job     *Job
	solvers map[*puzzle.Family]Solver
	owners  owners
}

// solve returns the command that solves single puzzles, or nil if no family has such.
func (p *Program) solve() []*cobra.Command {
	f := &solveFlags{Program: p, solvers: make(map[*puzzle.Family]Solver), owners: make(owners)}
	solving := p.solving()
	if len(solving) == 0 {
		return nil
	}
	cmd := &cobra.Command{
		Use:   "solve [PUZZLE]",
		Short: "Solve a puzzle in the fewest moves",
		Long:  p.aboutSolve(solving),
		Args:  console.Args(0, 1, "one puzzle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch batch := cmd.Flags().Changed("batch"); {
			case batch && len(args) > 0:
				return console.Usagef("unexpected %.100q: --batch has a puzzle on each line of its file", args[0])
			case batch:
				return f.solveBatch(cmd)
			case len(args) == 0:
				return console.Usagef("expected one puzzle, or --batch and a file with one on each line")
			}
			return f.run(cmd, args[0])
		},
		ValidArgsFunction: console.CompleteFirst(func(begun string) []string {
			var entries []puzzle.Entry
			for _, f := range solving {
				if p.of(f).Solving.Entries != nil {
					entries = append(entries, p.of(f).Solving.Entries()...)
				}
			}
			return CompleteNames(entries, begun)
		}),
	}
	for _, of := range solving {
		cmd.Example += p.of(of).Solving.Example + "\n"
		f.owners.add(cmd, of, len(solving) > 1, func() { f.solvers[of] = p.of(of).Solving.Flags(cmd) })
	}
	flags := cmd.Flags()
	flags.StringVar(&f.batch, "batch", "", "solve the puzzle on each line of a `FILE`, or - for stdin")
	console.JSON(cmd, "one JSON object")
	f.Flags(cmd, render.DefaultCell)
	f.Captions(cmd)
	f.job = NewJob(cmd, console.OfMachine)
	return []*cobra.Command{cmd}
}

// solving returns the families with puzzles that can be solved.
func (p *Program) solving() []*puzzle.Family {
	return p.having(func(c Commands) bool { return c.Solving != nil })
}

// having returns the families that have some commands.
func (p *Program) having(has func(Commands) bool) []*puzzle.Family {
	return slices.DeleteFunc(slices.Clone(p.Families.All()), func(f *puzzle.Family) bool { return !has(p.of(f)) })
}

// aboutSolve is the help of solve.
func (p *Program) aboutSolve(solving []*puzzle.Family) string {
	var s strings.Builder
	s.WriteString(`solve finds a solution of a puzzle with the fewest moves, and says how many there are.

A puzzle is a name, a text file that draws it, or - for such a text on stdin. The solution
has been replayed move by move by a checker of its own. The exit code is 1 if there is none.
-o also draws the solution; a GIF is an animation. A flag of another puzzle is refused.
`)
	for _, f := range solving {
		fmt.Fprintf(&s, "\n%s:\n\n%s\n", title(f.About), strings.Trim(p.of(f).Solving.About, "\n"))
	}
	s.WriteString(`
With --batch each line is a puzzle: a text in one line, or a name with its family. Blank lines
do not count. A JSON object per line comes out, in the same order, as soon as it is known:
"line", the number of the line; the fields of --json, where moves have no positions; and for a
text "read_as", which says how it was read. If a line is wrong, or its puzzle does not fit into
--mem, the object has "line", "puzzle" and "error". --threads puzzles are solved at a time and
share --mem; one that needs more than its share is solved alone. Ctrl-C says which line is
next. The exit code is 2 if a line is in error, or else 1 if a puzzle has no solution.`)
	return s.String()
}

// run solves one puzzle.
func (f *solveFlags) run(cmd *cobra.Command, arg string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	of, name, solve, err := f.find(cmd, arg)
	if err != nil {
		return err
	}
	if err := f.owners.allow(cmd, of, "puzzle"); err != nil {
		return err
	}
	o := f.job.Options()
	o.Memory = f.job.Memory()
	answer, err := solve(cmd.Context(), name, o)
	if console.IsUsage(err) {
		return console.Usagef("%s: %w", name, err)
	}
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("output") && answer.Solved() {
		film, err := answer.Film()
		if err != nil {
			return console.UsageError(err)
		}
		if err := f.Write(cmd, render.Strip(film), film); err != nil {
			return err
		}
	}
	return console.NoIf(!answer.Solved(), console.Answer(cmd, answer.JSON(), answer.WriteText))
}

// check checks the flags of the command and of all families.
func (f *solveFlags) check(cmd *cobra.Command) error {
	drawn := cmd.Flags().Changed("output")
	if err := f.checkPicture(cmd, drawn); err != nil {
		return err
	}
	for _, of := range f.solving() {
		if err := f.solvers[of].Check(drawn); err != nil {
			return err
		}
	}
	return nil
}

// checkPicture checks the flags of the picture.
func (f *solveFlags) checkPicture(cmd *cobra.Command, drawn bool) error {
	if !drawn {
		if flag := console.Given(cmd, "columns", "format", "loop", "no-captions", "size", "speed", "theme"); flag != "" {
			return console.Usagef("--%s is for a picture: name its file with -o", flag)
		}
		return nil
	}
	switch {
	case f.Out == "-":
		return console.Usagef("-o is stdout, where the solution is printed: name a file")
	case cmd.Flags().Changed("batch"):
		return console.Usagef("-o draws the solution of one puzzle; it does not go with --batch")
	}
	if err := f.FindFormat(cmd); err != nil {
		return err
	}
	return f.CheckFlags(cmd, Use{Flag: "columns", Formats: "svg, png and txt", Applies: f.Format != "gif"})
}

// find returns what solves the puzzle that an argument names, with its family and a name for people.
// Like puzzle.Set.Lookup, it takes a name with a family, a file or stdin, or a name without a family.
func (f *solveFlags) find(cmd *cobra.Command, arg string) (of *puzzle.Family, name string, solve Solve, err error) {
	ctx, solving := cmd.Context(), f.solving()
	unknown := fmt.Errorf("%w %.100q: it is neither a known name nor a file that draws a puzzle", statespace.ErrUnknown, arg)
	solve, name, err = Named(cmd, arg, func(arg string) (Solve, error) {
		first, _, ok := strings.Cut(arg, "/")
		if of = f.Families.Named(first); !ok || of == nil || f.of(of).Solving == nil {
			return nil, statespace.ErrUnknown
		}
		solve, err := f.solvers[of].Named(ctx, arg)
		if err != nil {
			unknown = err
		}
		return solve, err
	}, func(text string) (solve Solve, as string, err error) {
		of, solve, as, err = f.text(ctx, text)
		return solve, as, err
	}, func() (Solve, string, error) {
		for _, of = range solving {
			full := of.Name + "/" + arg
			if solve, err := f.solvers[of].Named(ctx, full); !errors.Is(err, statespace.ErrUnknown) {
				return solve, full, err
			}
		}
		return nil, arg, Unknown(cmd, f.Families, arg, f.expected(), unknown, solving...)
	})
	if err == nil {
		Told(cmd)(arg, f.Families.ReadAs(arg, name))
	}
	return of, name, solve, err
}

// expected says which puzzles are solved.
func (f *solveFlags) expected() string {
	var all []string
	for _, of := range f.solving() {
		all = append(all, of.About)
	}
	return "a puzzle of " + suggest.Either(all)
}

// text returns what solves the puzzle that a text draws, its family, and how the text was read. The family is the one
// that claims the text, or else one that can read it.
func (f *solveFlags) text(ctx context.Context, text string) (of *puzzle.Family, solve Solve, as string, err error) {
	reader, readers := f.Families.Reader(text), f.solving()
	if reader != nil && f.of(reader).Solving != nil {
		readers = []*puzzle.Family{reader}
	}
	for _, of = range readers {
		if solve, err = f.solvers[of].Text(ctx, text); err == nil {
			if of.ReadAs != nil {
				as = of.ReadAs(text)
			}
			return of, solve, as, nil
		}
	}
	if reader != nil && f.of(reader).Solving == nil {
		if _, wrong := reader.Read(ctx, "", text, puzzle.Choice{}); wrong == nil {
			err = fmt.Errorf("it is of the family %s (%s): expected %s", reader.Name, reader.About, f.expected())
		}
	}
	return nil, nil, "", err
}

// line returns what solves the puzzle on a line, which is a name with its family or a text, and how a text was read.
func (f *solveFlags) line(ctx context.Context, cmd *cobra.Command, text string) (solve Solve, as string, err error) {
	first, _, _ := strings.Cut(text, "/")
	of := f.Families.Named(first)
	if of != nil && f.of(of).Solving != nil {
		solve, err = f.solvers[of].Named(ctx, text)
	} else {
		of, solve, as, err = f.text(ctx, text)
	}
	var at *cells.SyntaxError
	if errors.As(err, &at) {
		err = fmt.Errorf("column %d: %s", at.Col, at.Reason)
	}
	if err == nil {
		err = f.owners.allow(cmd, of, "puzzle")
	}
	return solve, as, console.UsageError(err)
}
