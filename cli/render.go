package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/render"
	"pagoda/statespace"
)

// renderFlags are the flags of render.
type renderFlags struct {
	Picture
	solution, goal, explain, game bool
	from, objective               string
	seed                          uint64
	job                           *Job
}

func (p *Program) render() *cobra.Command {
	var f renderFlags
	cmd := &cobra.Command{
		Use:   "render FILE PATTERN...",
		Short: "Draw patterns, or the moves to one",
		Long: `render draws patterns: as SVG, PNG or GIF, or as text. Several patterns, or - for the lines of
stdin, become a sheet of up to 4096. A pattern need not be one that can be reached.

With --solution it draws the moves from the start to one pattern, or with --goal to the nearest
goal: each position with the next move as an arrow, or as GIF, an animation. If there are none,
it says why, writes no file, and the exit code is 1. --explain explains the moves as path does:
each picture is a step, which can be several moves.

With --game it draws a game against chance that is played with the best moves, as path plays it.

A PNG has at most 40 million pixels, a GIF 4 million. A flag that has no meaning for the format
is refused. PNG and GIF do not go to a terminal.`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.goal:
				return console.Args(1, 1, "a file and no pattern with --goal")(cmd, args)
			case f.game:
				return console.Args(1, 1, "a file and no pattern with --game")(cmd, args)
			}
			return console.Args(2, -1, "a file and patterns")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, p, args) },
	}
	f.Flags(cmd, render.DefaultCell)
	flags := cmd.Flags()
	flags.BoolVar(&f.solution, "solution", false, "draw moves that lead from the start to the pattern")
	flags.BoolVar(&f.goal, "goal", false, "with --solution: draw moves that lead to the nearest goal")
	flags.BoolVar(&f.explain, "explain", false, "with --solution: explain the moves")
	flags.BoolVar(&f.game, "game", false, "draw a game against chance, played with the best moves")
	flags.StringVar(&f.from, "from", "", "with --game: begin in this `PATTERN` instead of the start")
	flags.Uint64Var(&f.seed, "seed", 1, "with --game: seed of the random numbers")
	flags.StringVar(&f.objective, "objective", "", objectiveUsage)
	console.NotEmpty(cmd, "from", "objective")
	f.Captions(cmd)
	f.Plays = "gif with --solution or --game"
	flags.BoolVar(&f.noLetters, "no-letters", false, "leave out the names of pieces; cells of less than 15 pixels have none")
	f.job = NewJob(cmd, console.OfFile)
	return cmd
}

// check finds the format and refuses flags that mean nothing for it.
func (f *renderFlags) check(cmd *cobra.Command) error {
	if err := f.FindFormat(cmd); err != nil {
		return err
	}
	return cmp.Or(
		console.Refuse(cmd, !f.solution, "goal explain", "--%s is for --solution"),
		console.Refuse(cmd, !f.game, "from objective seed", "--%s is for --game"),
		console.Refuse(cmd, f.game && f.solution, "solution", "--%s and --game do not go together: choose one"),
		console.Refuse(cmd, f.Format == "gif" && !f.solution && !f.game, "speed loop", "--%s is for gif with --solution or --game; there is none here"),
		f.For(cmd, "no-letters", "svg, png and gif"),
		f.For(cmd, "columns", "svg, png and txt"),
		f.CheckFlags(cmd))
}

func (f *renderFlags) run(cmd *cobra.Command, p *Program, args []string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	file, err := p.open(cmd, args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	drawer, err := p.Families.Drawer(file.Space())
	if err != nil {
		return console.UsageError(err)
	}
	if f.noLetters && !drawer.Letters() {
		return console.Usagef("--no-letters is for pieces that have names; those of %s have none", file.Space().Name())
	}
	if f.game {
		return f.drawGame(cmd, file, drawer)
	}
	var texts []string
	for text, err := range patterns(args[1:], newStdin(cmd)) {
		if err != nil {
			return err
		}
		if len(texts) == render.MaxPanels {
			return console.Usagef("there are more than %d patterns, the most that one picture shows", render.MaxPanels)
		}
		texts = append(texts, text)
	}
	if f.explain {
		explain, err := p.explainer(file.Space())
		if err != nil {
			return err
		}
		drawer = explained{drawer, cmd.Context(), explain, f.job.Options().Memory}
	}
	switch {
	case f.goal:
		return f.drawSolution(cmd, file, drawer, (*ask.Paths).ToGoal)
	case f.solution && len(texts) > 1:
		return console.Usagef("--solution draws the moves to one pattern, found %d", len(texts))
	case f.solution:
		return f.drawSolution(cmd, file, drawer, func(p *ask.Paths) (*ask.Solution, error) { return p.To(texts[0]) })
	case len(texts) > 1 && f.Format == "gif":
		return console.Usagef("a GIF shows one pattern or, with --solution, the moves to it; found %d patterns: choose SVG or PNG", len(texts))
	}
	var panels []render.Panel
	for _, text := range texts {
		panel, err := drawer.Still(file.Space(), text)
		if err != nil {
			return console.Usagef("pattern %s: %w", ask.Shorten(text), err)
		}
		panels = append(panels, panel)
	}
	return f.Write(cmd, panels)
}

// drawSolution draws the moves of a solution.
func (f *renderFlags) drawSolution(cmd *cobra.Command, file *ask.File, drawer render.Drawer, solve func(*ask.Paths) (*ask.Solution, error)) error {
	paths, err := file.Paths(cmd.Context(), ask.PathQuestion{Options: f.job.Options()})
	if err != nil {
		return err
	}
	defer paths.Close()
	s, err := solve(paths)
	if err != nil {
		return err
	}
	if !s.Reachable {
		return console.NoIf(true, writeSolution(cmd, s))
	}
	return f.drawPath(cmd, drawer, s.Space(), s.Path)
}

// drawGame draws a game that is played with the best moves.
func (f *renderFlags) drawGame(cmd *cobra.Command, file *ask.File, drawer render.Drawer) error {
	game, err := file.Play(ask.GameQuestion{From: console.Pattern(f.from), Objective: f.objective, Seed: f.seed})
	if err != nil {
		return err
	}
	path, err := file.GamePath(game)
	if err != nil {
		return err
	}
	return f.drawPath(cmd, drawer, file.Space(), path)
}

// drawPath draws the moves of a path.
func (f *renderFlags) drawPath(cmd *cobra.Command, drawer render.Drawer, sp statespace.Space, path statespace.Path) error {
	film, err := drawer.Film(sp, path)
	if err != nil {
		return err
	}
	return f.Write(cmd, film.Strip(), film)
}

// An explained drawer draws the explanation of a path.
type explained struct {
	render.Drawer
	ctx     context.Context
	explain Explain
	memory  uint64 // as in ExplainOptions
}

// Film implements render.Drawer.
func (e explained) Film(sp statespace.Space, path statespace.Path) (film render.Film, err error) {
	_, x, err := e.explain(e.ctx, sp, path, ExplainOptions{Memory: e.memory})
	if err != nil {
		return film, err
	}
	return x.Film()
}
