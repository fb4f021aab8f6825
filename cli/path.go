package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/statespace"
)

func (p *Program) path() *cobra.Command {
	var q ask.PathQuestion
	var goal, explain bool
	var objective string
	cmd := &cobra.Command{
		Use:   "path FILE [PATTERN|--goal]",
		Short: "Show moves that lead from the start to a pattern",
		Long: `path shows moves that lead from the start to a pattern, with the position after each. If the
pattern cannot be reached, it says why, shows the nearest ones that can unless that takes
long, and the exit code is 1.

In a puzzle whose moves lose something, such as pegs, a path is any sequence of moves. In
others it is a shortest one, and two paths differ if a position differs.

--all, --random and --fewest-moves keep the positions that lie on a path in memory, within
--mem; where all moves lose something, --all keeps less.

--explain explains a path in the terms of the puzzle, in peg solitaire by purges and other
packages of jumps. It looks for a path with few steps, with more memory if --mem allows more;
with --random, --fewest-moves or --via it explains the path that these find.

Without a pattern, path plays a game against chance with the best moves for --objective, from
--from or the start to the end. Chance draws by --seed. It prints the states, one of all images
each, and the score.`,
		Args: console.Args(1, 2, "a file and a pattern, or --goal"),
	}
	flags := cmd.Flags()
	flags.StringVar(&q.From, "from", "", "begin in this `PATTERN` instead of the start; what can be reached from there is enumerated")
	flags.StringVar(&q.Via, "via", "", "only paths through this `PATTERN`; what can be reached is enumerated")
	flags.BoolVar(&goal, "goal", false, "show moves that lead to the nearest goal, instead of a pattern")
	flags.BoolVar(&q.All, "all", false, "count all paths")
	flags.BoolVar(&q.Random, "random", false, "draw a path at random; each is as likely as any other")
	flags.BoolVar(&q.Fewest, "fewest-moves", false, "find a path with the fewest moves, where consecutive moves of one piece are one, such as f3-d3-d5; with --all count these paths")
	flags.BoolVar(&explain, "explain", false, "explain the path in the terms of the puzzle")
	list := flags.Int("limit", 1, "with --all, also list this many paths, 0 for all; with --random, draw this many")
	flags.StringVar(&objective, "objective", "", objectiveUsage)
	console.NotEmpty(cmd, "from", "via", "objective")
	console.JSON(cmd, "one JSON object")
	notation := Cells(cmd)
	seed, job := seedFlag(cmd), NewJob(cmd, console.OfFile+"; with --all, --random, --fewest-moves, --via and --from "+console.OfMachine)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		game := !goal && len(args) == 1
		if err := checkPath(cmd, &q, *list, game); err != nil {
			return err
		}
		if goal && len(args) == 2 {
			return console.Usagef("expected a pattern, or --goal instead of one")
		}
		if cmd.Flags().Changed("limit") {
			q.List = list
		}
		if q.Cells = notation(); q.Fewest {
			q.Cells = BookCells(cmd, notation)
		}
		q.From, q.Via, q.Rand = console.Pattern(q.From), console.Pattern(q.Via), seed()
		q.Options = job.Options()
		f, err := p.open(cmd, args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		if game {
			return playGame(cmd, f, q, objective)
		}
		answer := func(s *ask.Solution) error { return writeSolution(cmd, s) }
		if explain {
			explain, err := p.explainer(f.Space())
			if err != nil {
				return err
			}
			answer = func(s *ask.Solution) error { return explainSolution(cmd, explain, s, q) }
		}
		paths, err := f.Paths(cmd.Context(), q)
		if err != nil {
			return err
		}
		defer paths.Close()
		if goal {
			s, err := paths.ToGoal()
			if err != nil {
				return err
			}
			return console.NoIf(!s.Reachable, answer(s))
		}
		all := true
		for pattern, err := range patterns(args[1:], newStdin(cmd)) {
			if err != nil {
				return err
			}
			s, err := paths.To(pattern)
			if err == nil {
				err = answer(s)
			}
			if err != nil {
				return err
			}
			all = all && s.Reachable
		}
		return console.NoIf(!all, nil)
	}
	return cmd
}

// objectiveUsage is that of the flag --objective of commands that play a game.
const objectiveUsage = "of a game against chance: the `OBJECTIVE` of the file for which moves are best (default: the first)"

// playGame plays a game against chance.
func playGame(cmd *cobra.Command, f *ask.File, q ask.PathQuestion, objective string) error {
	if f.Space().Parts().Chance == nil {
		return console.Usagef("expected a pattern, or --goal instead of one; only games against chance are played without")
	}
	seed := q.Rand.Uint64()
	if cmd.Flags().Changed("seed") {
		seed, _ = cmd.Flags().GetUint64("seed")
	}
	game, err := f.Play(ask.GameQuestion{From: q.From, Objective: objective, Seed: seed})
	if err != nil {
		return err
	}
	return console.Answer(cmd, game, game.WriteText)
}

func writeSolution(cmd *cobra.Command, s *ask.Solution) error {
	defer s.Close()
	if console.AsJSON(cmd) {
		return s.WriteJSON(cmd.OutOrStdout())
	}
	return s.WriteText(cmd.OutOrStdout())
}

// explainer returns what explains paths of a space.
func (p *Program) explainer(sp statespace.Space) (Explain, error) {
	if of := p.Families.Of(sp); of != nil && p.of(of).Explain != nil {
		return p.of(of).Explain, nil
	}
	return nil, console.Usagef("--explain: there are no explanations for moves of %s; leave it out", sp.Name())
}

// explainSolution writes a solution with an explanation of its path.
func explainSolution(cmd *cobra.Command, explain Explain, s *ask.Solution, q ask.PathQuestion) error {
	if s.Reachable {
		o := ExplainOptions{Keep: q.Random || q.Fewest || q.Via != "", Memory: q.Options.Memory}
		route, e, err := explain(cmd.Context(), s.Space(), s.Path, o)
		if err != nil {
			s.Close()
			return err
		}
		s.Explain(route, e)
	}
	return writeSolution(cmd, s)
}

// checkPath refuses flags that do not go together.
func checkPath(cmd *cobra.Command, q *ask.PathQuestion, list int, game bool) error {
	return cmp.Or(
		console.Refuse(cmd, q.Random && (q.All || q.Fewest), "random", "--%s goes neither with --all nor with --fewest-moves: choose one"),
		console.Refuse(cmd, game, "all random fewest-moves explain limit via cells", "expected a pattern, or --goal instead of one, with --%s"),
		console.Refuse(cmd, !q.Random && !game, "seed", "--%s is for --random, or without a pattern for a game against chance"),
		console.Refuse(cmd, !game, "objective", "--%s is for a game against chance, which takes no pattern"),
		console.Refuse(cmd, q.All || cmd.Flags().Changed("limit"), "explain", "--%s is for one path; it goes neither with --all nor with --limit"),
		console.Refuse(cmd, !q.All && !q.Random, "limit", "--%s is for --all and --random"),
		console.Refuse(cmd, list < 0 || list == 0 && q.Random, "limit", "--%s is %d, expected 1 or more, or with --all 0 for all", list))
}
