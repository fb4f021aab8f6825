package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/puzzle"
	"pagoda/statespace/cells"
)

func (p *Program) has() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "has FILE PATTERN...",
		Short: "Say whether patterns can be reached",
		Long: `has says for each pattern whether it can be reached, and if not, why: it may differ from the
start in something that no move changes, a piece may be where it cannot get, or no moves lead
there. The exit code is 1 if one of them cannot be reached.`,
		Args: console.Args(2, -1, "a file and patterns"),
		RunE: p.asking(func(cmd *cobra.Command, f *ask.File, args []string) error {
			w := bufio.NewWriter(cmd.OutOrStdout())
			stdin := newStdin(cmd)
			all := true
			for pattern, err := range patterns(args, stdin) {
				if err != nil {
					return errors.Join(w.Flush(), err)
				}
				r, err := f.Has(pattern)
				if err != nil {
					return errors.Join(w.Flush(), err)
				}
				all = all && r.Reachable
				if console.AsJSON(cmd) {
					err = console.WriteJSON(w, r)
				} else {
					err = r.WriteText(w)
				}
				if err != nil {
					return err
				}
				if stdin.waits() { // and so may who asks
					if err := w.Flush(); err != nil {
						return err
					}
				}
			}
			return console.NoIf(!all, w.Flush())
		}),
	}
	OpenFlags(cmd)
	console.JSON(cmd, "a JSON object for each pattern")
	return cmd
}

// unreached answers why a pattern cannot be reached.
func unreached(cmd *cobra.Command, r ask.Reach) error {
	return console.NoIf(true, console.Answer(cmd, r, r.WriteText))
}

func (p *Program) near() *cobra.Command {
	var q ask.NearQuestion
	var weights string
	var count bool
	cmd := &cobra.Command{
		Use:   "near FILE PATTERN...",
		Short: "Find the members nearest to a pattern",
		Long: `near finds the members of a file that are nearest to a pattern: those that differ from it in
the fewest cells. A ? in the pattern is an open cell: anything may be there, at no cost. With
several patterns the distance is that from the nearest of them, or with --sum the sum of all
distances. Answers are exact.

Without --within it prints the members at the least distance. With --within it prints all
members at this distance or less, ordered by distance, then by number. So --within with a large
distance and --limit 50 prints the 50 nearest. At most 2^22 members are printed. With --count it
only counts them, which is faster. The exit code is 1 if there is no such member.

A file of --weights has the cost of a difference in each cell, in the rows of the board: 0 to
10^9 with up to 6 decimals, with blanks or commas between, and # for a place off the board.`,
		Args: console.Args(2, -1, "a file and patterns"),
	}
	flags := cmd.Flags()
	flags.StringVar(&q.Within, "within", "", "print all members at this `DISTANCE` or less: at most the number of cells, or the sum of their weights")
	flags.BoolVar(&q.Sum, "sum", false, "the distance is the sum of those from all patterns")
	flags.StringVar(&weights, "weights", "", "a `FILE` with the cost of a difference in each cell; - is stdin")
	flags.BoolVar(&count, "count", false, "print only how many members there are, without a limit")
	OpenFlags(cmd)
	threads := console.Threads(cmd)
	console.CompleteFlag(cmd, "weights", cobra.ShellCompDirectiveDefault)
	console.NotEmpty(cmd, "within", "weights")
	console.JSON(cmd, "one JSON object")
	limit, layers := LimitFlag(cmd, 20, cells.MaxMatches, "members"), LayerFlag(cmd, p.Families)
	cmd.RunE = p.asking(func(cmd *cobra.Command, f *ask.File, args []string) (err error) {
		if weights != "" {
			if weights == "-" && slices.Contains(args, "-") {
				return console.Usagef("the patterns and --weights are both -, and stdin can be read once: name a file for the weights")
			}
			var name string
			switch name, q.Weights, err = puzzle.ReadUpTo(cmd.Context(), 1<<20, weights, cmd.InOrStdin()); {
			case err != nil:
				return fmt.Errorf("the weights cannot be read: %w", err)
			case q.Weights == "":
				return console.Usagef("%s is not a grid of weights: it is empty", name)
			}
		}
		if count && cmd.Flags().Changed("limit") {
			return console.Usagef("--count counts all members that are near: leave --limit out")
		}
		q.Layers, q.Limit, q.Threads = layers, *limit, *threads
		for text, err := range patterns(args, newStdin(cmd)) {
			if err != nil {
				return err
			}
			q.Patterns = append(q.Patterns, text)
		}
		if count {
			n, err := f.CountNear(cmd.Context(), q)
			if err != nil {
				return err
			}
			return console.NoIf(n.Count == 0, console.Answer(cmd, n, n.WriteText))
		}
		r, err := f.Near(cmd.Context(), q)
		if err != nil {
			return err
		}
		return console.NoIf(len(r.Matches) == 0, console.Answer(cmd, r, func(w io.Writer) error {
			if err := r.WriteText(w); err != nil || r.Complete {
				return err
			}
			_, err := fmt.Fprintln(w, "more matches exist: --limit 0 lists all")
			return err
		}))
	})
	return cmd
}
