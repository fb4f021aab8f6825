package peg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/studies/weighted/best"
)

// A bestFinder is the flags of best.
type bestFinder struct {
	gamePicture
	weights weightsFlag
	time    time.Duration
	work    uint64
	seed    uint64
	job     *cli.Job
}

func bestCommand(families *puzzle.Set) *cobra.Command {
	var o bestFinder
	cmd := &cobra.Command{
		Use:   "best BOARD",
		Short: "Find the best game of weighted peg solitaire",
		Long: `best looks for the game of weighted peg solitaire with the lowest score, and proves how low
a score can be. A jump costs the weight of the jumping peg, once for consecutive jumps of the
same peg. The score is the sum of these costs and of the weights of the pegs that are left.

` + aboutWeights + `
A board of best has at most 4096 places, rows times columns.

Each better game is shown on stderr as it is found, and so is each better bound: no game
scores less than the bound. The gap is the difference. When it is 0, the game is proved to be
optimal, and the search ends. Otherwise it ends after --time, after --work, or with Ctrl-C;
then the exit code is 130.

At the end the best game is printed, as query score reads it: from-row from-column to-row
to-column, counted from 1 at the top left, a jump on each line. Lines with % say its score
and the bound. -o also writes it to a file: .txt and .json are the game, .svg and .png draw
one position for each move, .gif is an animation.

Without --time the same --seed and --work give the same game on any number of --threads.`,
		Example: `  reach best english --weights magic
  reach best contest-board.txt --time 10m -o game.txt
  reach best peg/20x20 --weights w.csv --work 100000000 --seed 7 --json
  reach best 5x5 --time 0 -o game.gif`,
		Args:              console.Args(1, 1, "a board"),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, families, args[0]) },
		ValidArgsFunction: console.CompleteFirst(func(begun string) []string { return completeBoard(families, begun) }),
	}
	o.weights.add(cmd)
	flags := cmd.Flags()
	console.Time(cmd, &o.time, "time", time.Minute, ", or 0 for no limit", "search for at most this long; 0 is no limit, and with --work the default")
	flags.Uint64Var(&o.work, "work", 0, "search until about this many jumps were looked at; 0 is no limit")
	flags.Uint64Var(&o.seed, "seed", 0, "another seed searches in another order")
	console.JSON(cmd, "one JSON object")
	o.flags(cmd, "json")
	o.job = cli.NewJob(cmd, console.OfMachine)
	flags.Lookup("mem").Usage = "keep positions in at most this `SIZE` of memory, such as 8GiB (default: " + console.OfMachine + ")"
	return cmd
}

// options returns what the flags say.
func (o *bestFinder) options(cmd *cobra.Command) best.Options {
	b := best.Options{Time: o.time, Work: o.work, Threads: o.job.Threads(), Memory: o.job.Memory(), Seed: o.seed}
	if o.work > 0 && !cmd.Flags().Changed("time") {
		b.Time = 0
	}
	if quiet, err := cmd.Flags().GetBool("quiet"); err == nil && !quiet {
		b.Better = betterTable(cmd)
	}
	return b
}

// run searches, and writes what was found.
func (o *bestFinder) run(cmd *cobra.Command, families *puzzle.Set, arg string) error {
	writes, err := o.check(cmd, "svg and png")
	if err != nil {
		return err
	}
	options := o.options(cmd)
	g, name, err := o.weights.open(cmd, families, arg)
	if err != nil {
		return err
	}
	found, stopped := best.Search(cmd.Context(), g, options)
	switch {
	case found == nil:
		return console.UsageError(fmt.Errorf("%s: %w", name, stopped))
	case stopped != nil && !errors.Is(stopped, console.ErrInterrupted):
		return stopped
	case stopped != nil: // what was found is still to be written
		cmd.SetContext(context.WithoutCancel(cmd.Context()))
	}
	answer, err := o.answer(name, g, found)
	if err != nil {
		return err
	}
	if err := o.write(cmd, answer, writes); err != nil {
		return err
	}
	return stopped
}

// write writes the answer to stdout, and to a file if one is named.
func (o *bestFinder) write(cmd *cobra.Command, a *bestAnswer, writes bool) error {
	if !writes || o.Out != "" {
		if err := console.Answer(cmd, a, a.writeText); err != nil {
			return err
		}
	}
	switch {
	case !writes:
		return nil
	case o.Format == "txt":
		return o.WriteWhole(cmd, a.writeText)
	case o.Format == "json":
		return o.WriteWhole(cmd, func(w io.Writer) error { return console.WriteJSON(w, a) })
	}
	return o.draw(cmd, a.game, a.jumps)
}
