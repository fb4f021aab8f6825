package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/internal/memory"
	"pagoda/puzzle"
	"pagoda/render"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// allValues is the value of an option, such as --metric, for which a puzzle is solved with each of its values.
const allValues = "all"

// solveFlags are the flags of solve.
type solveFlags struct {
	*Program
	Picture
	batch      string // the file of puzzles
	from, to   string
	engine     *string
	all        bool
	limit      *int // solutions to list
	job        *Job
	choice     func(memory uint64) puzzle.Choice
	bounds     run.BoundsOptions
	checkpoint string
	kept       *statespace.Kept // of a batch
}

// listed is how many solutions --all lists.
const listed = 1000

// solve returns the command that solves puzzles.
func (p *Program) solve() *cobra.Command {
	f := &solveFlags{Program: p}
	cmd := &cobra.Command{
		Use:   "solve [PUZZLE]",
		Short: "Solve a puzzle in the fewest moves",
		Long:  p.aboutSolve(),
		Args:  console.Args(0, 1, "one puzzle"),
		ValidArgsFunction: console.CompleteFirst(func(begun string) []string {
			var entries []puzzle.Entry
			for _, f := range p.Families.All() {
				if f.Metric != nil {
					entries = append(entries, f.List()...)
				}
			}
			return CompleteNames(entries, begun)
		}),
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
	}
	solved := slices.DeleteFunc(slices.Clone(p.Families.All()), func(f *puzzle.Family) bool { return f.Chance })
	for _, of := range solved {
		if s := p.of(of).Solving; s != nil {
			cmd.Example += s.Example + "\n"
		}
	}
	flags := cmd.Flags()
	flags.StringVar(&f.batch, "batch", "", "solve the puzzle on each line of a `FILE`, or - for stdin")
	flags.StringVar(&f.from, "from", "", "begin in this `PATTERN` instead of the start")
	flags.StringVar(&f.to, "to", "", "end in this `PATTERN` instead of the goal of the puzzle")
	flags.BoolVar(&f.all, "all", false, "list all shortest solutions")
	f.limit = LimitFlag(cmd, listed, math.MaxInt, "solutions of --all")
	console.NotEmpty(cmd, "from", "to")
	console.JSON(cmd, "one JSON object")
	f.engine = engineFlag(cmd)
	console.Time(cmd, &f.bounds.Time, "time", 0, "", "end a search with bounds after this time, such as 30s, with the best that is known")
	flags.StringVar(&f.bounds.Cut, "cut", "", "the `PATTERNS` of its bounds: the tiles of an n-puzzle in parts, as 1,2,3/4,5/6,7,8, or how many kinds of pieces of each set of a permutation puzzle, as 8/6")
	flags.StringVar(&f.bounds.Tables, "tables", "", "keep the tables of its bounds in this `DIRECTORY`, and use those that are there")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "keep what a search with bounds has done in this `DIRECTORY` when it ends early, and go on from there")
	console.NotEmpty(cmd, "cut", "tables", "checkpoint")
	console.CompleteFlag(cmd, "tables", cobra.ShellCompDirectiveFilterDirs)
	console.CompleteFlag(cmd, "checkpoint", cobra.ShellCompDirectiveFilterDirs)
	f.Flags(cmd, render.DefaultCell)
	f.Captions(cmd)
	f.choice = ChoiceFlags(cmd, puzzle.NewSet(solved...), allValues)
	f.job = NewJob(cmd, console.OfMachine)
	return cmd
}

// aboutSolve is the help of solve.
func (p *Program) aboutSolve() string {
	var s strings.Builder
	s.WriteString(`solve finds a solution of a puzzle with the fewest moves, and says how many there are. It is a
run in memory up to the last position, or with --to up to the goal.

A puzzle is a space, a text file that draws it, or - for such a text on stdin. The number of
shortest solutions is exact, and so is the number of positions that can be reached. Two solutions
differ if a position on the way differs. Where moves lose something, as in peg solitaire, --to
says what to reach; all ways there have the same length, and --all counts them.

The exit code is 1 if there is no solution. -o also draws the solution; a GIF is an animation. A
flag of another puzzle is refused.
`)
	for _, f := range p.Families.All() {
		if solving := p.of(f).Solving; solving != nil {
			fmt.Fprintf(&s, "\n%s:\n\n%s\n", title(f.About), strings.Trim(solving.About, "\n"))
		}
	}
	s.WriteString(`
All engines give the same answers; reach run --help lists them. One that needs more memory than
--mem is refused before it starts, or stops when it is full.

An n-puzzle or a permutation puzzle that no memory holds is solved by a search with lower bounds,
from tables of some tiles or pieces that are made first. Short solutions of permutation puzzles
are found from both ends before. The search counts nodes, the positions to which its moves led,
and finds one solution; --all looks for all. --tables keeps the tables, and takes larger ones,
which take longer. After --time, or Ctrl-C, it says between which lengths the answer is, with the
best solution so far; the exit code is 1 if there is none yet.

Other puzzles that no memory holds are solved from both ends, where moves can be taken back and
--to or the goal says where everything is. This counts all solutions, and as nodes the states
that both ends have found. --engine bounds does it for puzzles that memory holds, too.

With --batch each line is a puzzle: a text in one line, or a name with its family. Blank lines,
comments behind # and the number before a puzzle in a list do not count. A JSON object per
line comes out, in the same order, as soon as it is known: "line", the number of the line; the
fields of --json, where moves have no positions; and for a text "read_as", which says how it
was read. If a line is wrong, or its puzzle does not fit into --mem, the object has "line",
"puzzle" and "error". --threads puzzles are solved at a time and share --mem; one that needs
more than its share is solved alone. Ctrl-C says which line is next. The exit code is 2 if a
line is in error, or else 1 if a puzzle has no solution.`)
	return s.String()
}

// run solves one puzzle.
func (f *solveFlags) run(cmd *cobra.Command, arg string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	solve, err := f.find(cmd, arg)
	if err != nil {
		return err
	}
	answers, err := solve(cmd.Context(), f.options(f.job.Options()))
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("output") && answers[0].Solved {
		film := answers[0].Film
		if err := f.Write(cmd, film.Strip(), film); err != nil {
			return err
		}
	}
	err = console.NoIf(!solvedOne(answers), f.write(cmd, answers))
	return cmp.Or(context.Cause(cmd.Context()), err) // a search with bounds has an answer when it is interrupted
}

// options returns the options of a solution.
func (f *solveFlags) options(o run.Options) SolveOptions {
	o.Engine = *f.engine
	o.Memory, o.Checkpoint, o.Kept = run.MemoryLimit(o.Memory), f.checkpoint, f.kept
	if f.bounds != (run.BoundsOptions{}) {
		o.Own = &f.bounds
	}
	s := SolveOptions{Options: o, All: f.all, List: *f.limit, Draw: f.Out != ""}
	if s.List == 0 {
		s.List = math.MaxInt
	}
	return s
}

// write writes the answers: one, or one for each metric.
func (f *solveFlags) write(cmd *cobra.Command, answers []*Answer) error {
	var v any = answers
	if len(answers) == 1 {
		v = answers[0]
	}
	return console.Answer(cmd, v, func(w io.Writer) error {
		if len(answers) > 1 && solvedOne(answers) {
			writeMetrics(w, answers)
		} else {
			answers[0].WriteText(w)
		}
		return nil
	})
}

// solvedOne reports whether one of the answers is a solution.
func solvedOne(answers []*Answer) bool {
	return slices.ContainsFunc(answers, func(a *Answer) bool { return a.Solved })
}

// check checks the flags.
func (f *solveFlags) check(cmd *cobra.Command) error {
	drawn := cmd.Flags().Changed("output")
	if err := cmp.Or(
		console.Refuse(cmd, f.bounds.Time == 0, "time", "--%s 0 leaves no time to search: leave it out, or give a time such as 30s"),
		console.Refuse(cmd, f.checkpoint != "", "batch", "--checkpoint is for one puzzle; it does not go with --%s"),
		console.Refuse(cmd, !f.all, "limit", "--%s is for --all"),
	); err != nil {
		return err
	}
	for name, value := range f.choice(0).Options {
		if value == allValues && (drawn || f.all) {
			return console.Usagef("--%s all goes with neither -o nor --all, which are for one solution: name one %s", name, name)
		}
	}
	if !drawn {
		return console.Refuse(cmd, true, "columns format loop no-captions size speed theme", "--%s is for a picture: name its file with -o")
	}
	if f.Out == "-" {
		return console.Usagef("-o is stdout, where the solution is printed: name a file")
	}
	if err := cmp.Or(console.Refuse(cmd, true, "batch", "-o draws the solution of one puzzle; it does not go with --%s"), f.FindFormat(cmd)); err != nil {
		return err
	}
	return cmp.Or(f.For(cmd, "columns", "svg, png and txt"), f.CheckFlags(cmd))
}

// A solver solves a puzzle, once for each metric that was asked for.
type solver func(ctx context.Context, o SolveOptions) ([]*Answer, error)

// find returns what solves the puzzle that an argument names. Like puzzle.Set.Lookup, it takes a name with a family, a
// file or stdin, or a name without a family.
func (f *solveFlags) find(cmd *cobra.Command, arg string) (solve solver, err error) {
	var once sync.Once
	named := f.spaces(func(ctx context.Context, c puzzle.Choice) (statespace.Space, string, error) {
		sp, err := f.Families.Lookup(ctx, arg, nil, c)
		if err != nil {
			if errors.Is(err, statespace.ErrUnknown) {
				err = console.Advised(err, "`"+reachName(cmd.Root())+" spaces` lists all")
			}
			return nil, arg, err
		}
		once.Do(func() { Told(cmd, arg)(f.Families.ReadAs(arg, sp.Name())) })
		name := sp.Name()
		if of := f.Families.Of(sp); of != nil && of.Metric != nil {
			metric, _, _ := of.Metric(sp)
			name = strings.TrimSuffix(name, "@"+metric)
		}
		return sp, name, nil
	})
	if family, _, ok := strings.Cut(arg, "/"); ok && f.Families.Named(family) != nil {
		solve, err = f.problem(cmd, f.Families.Named(family), arg, "")
		if solve == nil && err == nil {
			solve = named
		}
		return solve, console.UsageError(err)
	}
	name, text, err := puzzle.ReadText(cmd.Context(), arg, cmd.InOrStdin())
	if puzzle.NoFile(arg, err) {
		for _, of := range f.Families.All() {
			if solve, err = f.problem(cmd, of, of.Name+"/"+arg, ""); solve != nil || err != nil && !errors.Is(err, statespace.ErrUnknown) {
				return solve, console.UsageError(err)
			}
		}
		return named, nil
	}
	if err != nil {
		return nil, console.UsageError(err)
	}
	solve, as, chosen, err := f.text(cmd, name, text, func(err error) error { return puzzle.InFile(name, err) })
	if err == nil {
		Told(cmd, name)(as, chosen)
	}
	return solve, console.UsageError(err)
}

// text returns what solves the puzzle that a text draws, and how the text was read. Where says where the text is wrong.
func (f *solveFlags) text(cmd *cobra.Command, name, text string, where func(error) error) (solve solver, as string, chosen bool, err error) {
	of := f.reader(cmd.Context(), text)
	if of == nil {
		return nil, "", false, fmt.Errorf("%s draws no puzzle that this program knows", name)
	}
	if solve, err = f.problem(cmd, of, name, text); solve == nil && err == nil {
		err = f.Families.Check(of, name, f.choice(0))
		solve = f.spaces(func(ctx context.Context, c puzzle.Choice) (statespace.Space, string, error) {
			sp, err := of.Read(ctx, name, text, c)
			return sp, name, where(err)
		})
	}
	if err == nil && of.ReadAs != nil {
		as, chosen = of.ReadAs(text)
	}
	return solve, as, chosen, where(err)
}

// reader returns the family that a text is of. A text that none claims is of one whose texts draw goals, unless --to
// says what to reach, or only another family can read it.
func (f *solveFlags) reader(ctx context.Context, text string) *puzzle.Family {
	of := f.Families.Reader(text)
	if of == nil || of.Reads(text) || f.to != "" {
		return of
	}
	for _, other := range slices.Backward(f.Families.All()) { // the last one claims most
		if other.Read == nil || other.Metric == nil {
			continue
		}
		if _, err := of.Read(ctx, "", text, puzzle.Choice{}); err != nil {
			return other
		}
	}
	return of
}

// problem returns what solves a problem of a family that solves its problems in a way of its own; nil if it does not.
func (f *solveFlags) problem(cmd *cobra.Command, of *puzzle.Family, name, text string) (solver, error) {
	own := f.of(of).Solving
	if own == nil || own.Problem == nil {
		return nil, nil
	}
	problem, err := own.Problem(name, text)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(
		console.Refuse(cmd, true, "engine from to cut tables time checkpoint", "%[2]s has a solver of its own: --%[1]s does not go with it", of.About),
		f.Families.Check(of, name, f.choice(0)),
	); err != nil {
		return nil, err
	}
	return func(ctx context.Context, o SolveOptions) (all []*Answer, err error) {
		for _, o.Choice = range f.choices(o.Memory, of) {
			a, err := problem(ctx, name, o)
			if err != nil {
				return nil, err
			}
			all = append(all, a)
		}
		return all, nil
	}, nil
}

// spaces returns what solves a space that open finds, with a name for people.
func (f *solveFlags) spaces(open func(ctx context.Context, c puzzle.Choice) (sp statespace.Space, name string, err error)) solver {
	return func(ctx context.Context, o SolveOptions) (all []*Answer, err error) {
		choices := []puzzle.Choice{f.choice(o.Memory)}
		one := f.choice(o.Memory)
		maps.DeleteFunc(one.Options, func(_, value string) bool { return value == allValues })
		if len(one.Options) < len(choices[0].Options) { // all values of the family that the puzzle is of
			sp, _, err := open(ctx, one)
			if err != nil {
				return nil, console.UsageError(err)
			}
			choices = f.choices(o.Memory, f.Families.Of(sp))
		}
		for _, c := range choices {
			begin := time.Now()
			sp, name, err := open(ctx, c)
			if err != nil {
				return nil, console.UsageError(err)
			}
			a, err := f.solveSpace(ctx, sp, name, o)
			if err != nil {
				return nil, f.goalMayDo(sp, c, err)
			}
			a.Seconds = time.Since(begin).Seconds()
			all = append(all, a)
		}
		return all, nil
	}
}

// choices returns what was chosen: once for each value that a family has of an option whose value is all.
func (f *solveFlags) choices(memory uint64, of *puzzle.Family) (all []puzzle.Choice) {
	for _, o := range of.Options {
		if f.choice(memory).Options[o.Name] == allValues {
			for _, value := range o.Values {
				c := f.choice(memory)
				c.Options[o.Name] = value
				all = append(all, c)
			}
			return all
		}
	}
	return []puzzle.Choice{f.choice(memory)}
}

// goalMayDo says which flag helps: for a puzzle without a goal, or one that takes too much memory, if the goal may be
// near and its family can stop there.
func (f *solveFlags) goalMayDo(sp statespace.Space, c puzzle.Choice, err error) error {
	const goal = "goal"
	of := f.Families.Of(sp)
	for text, flag := range map[string]string{"name the state to reach": "to", "name the state to solve": "from"} {
		if strings.HasSuffix(err.Error(), text) {
			return fmt.Errorf("%w with --%s", err, flag)
		}
	}
	if errors.Is(err, statespace.ErrMemory) && sp.Size() > 0 && c.Options[goal] == "" && of != nil && slices.ContainsFunc(of.Options, func(o puzzle.Option) bool { return o.Name == goal }) {
		return fmt.Errorf("%w; --%s may do, which stops at the goal", err, goal)
	}
	return err
}

// solveSpace solves a space, which has a name for people.
func (f *solveFlags) solveSpace(ctx context.Context, sp statespace.Space, name string, o SolveOptions) (*Answer, error) {
	s, err := ask.Solve(ctx, sp, ask.SolveQuestion{From: console.Pattern(f.from), To: console.Pattern(f.to), Count: o.All, Options: o.Options})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	a := &Answer{Puzzle: name, Metric: "moves", Solved: s.Solved, Solutions: s.Count, States: s.States, Whole: s.Whole, Reason: s.Reason, Moves: []Move{}}
	if s.Searched != nil {
		if a.Nodes = s.Searched.Nodes; !s.Searched.Proved && !s.Whole {
			a.AtLeast, a.Checkpoint = &s.Searched.AtLeast, s.Checkpoint
		}
	}
	of := f.Families.Of(sp)
	if of != nil && of.Metric != nil {
		if a.Metric, a.Published, a.PublishedStates = of.Metric(sp); f.from != "" || f.to != "" {
			a.Published, a.PublishedStates = 0, 0
		}
		if !a.Whole || a.PublishedStates == a.States {
			a.PublishedStates = 0
		}
	}
	if !s.Solved {
		if a.Start = ask.StartOf(s.Space); of != nil && of.Start != nil && f.from == "" {
			a.Start, err = of.Start(sp.Definition())
		}
		return a, err
	}
	length := s.Length // a pointer into s would keep all of it
	a.Length, a.Start = &length, s.Route.Positions[0]
	for i, m := range s.Route.Moves {
		a.Moves = append(a.Moves, Move{m, s.Route.Positions[i+1]})
	}
	if o.All && s.Count != nil {
		a.All = []any{}
		share, bytes := memory.For(ctx, "the list of solutions"), uint64(0)
		defer share.Free()
		for route, err := range s.All() {
			if err == nil && ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err == nil {
				bytes += 64 * uint64(1+len(route.Moves)) // about
				err = share.Set(bytes)
			}
			if err != nil {
				return nil, err
			}
			if len(a.All) == o.List {
				break
			}
			moves, _ := route.Texts()
			a.All = append(a.All, Listed{append([]string{}, moves...)})
		}
	}
	if o.Draw {
		drawer, err := f.Families.Drawer(s.Space)
		if err == nil {
			a.Film, err = drawer.Film(s.Space, s.Path)
		}
		if err != nil {
			return nil, console.UsageError(err)
		}
	}
	return a, nil
}

// line returns what solves the puzzle on a line, which is a name with its family or a text, and how a text was read.
func (f *solveFlags) line(cmd *cobra.Command, text string) (solve solver, as string, err error) {
	first, _, _ := strings.Cut(text, "/")
	column := func(err error) error {
		if at, ok := errors.AsType[*cells.SyntaxError](err); ok {
			return fmt.Errorf("column %d: %s", at.Col, at.Reason)
		}
		return err
	}
	if of := f.Families.Named(first); of != nil {
		solve, err = f.problem(cmd, of, text, "")
		if err = column(err); solve == nil && err == nil {
			solve = f.spaces(func(ctx context.Context, c puzzle.Choice) (statespace.Space, string, error) {
				sp, err := f.Families.Lookup(ctx, text, nil, c)
				return sp, text, err
			})
		}
	} else {
		solve, as, _, err = f.text(cmd, text, text, column)
	}
	return solve, as, console.UsageError(err)
}
