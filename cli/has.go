package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/console"
	"pagoda/statespace/cells"
)

func (p *Program) has() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "has FILE PATTERN...",
		Short: "Say whether patterns can be reached",
		Long: `has says for each pattern whether it can be reached, and if not, why. It may differ from
the start in something that no move changes, or a piece may be where it cannot get.
Otherwise no moves lead there.

The exit code is 0 if all patterns can be reached, and 1 otherwise.`,
		Args: console.Args(2, -1, "a file and patterns"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := p.open(cmd, args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			w := bufio.NewWriter(cmd.OutOrStdout())
			stdin := newStdin(cmd)
			all := true
			for pattern, err := range patterns(args[1:], stdin) {
				if err != nil {
					return errors.Join(w.Flush(), err)
				}
				r, err := f.Has(pattern)
				if err != nil {
					return errors.Join(w.Flush(), err)
				}
				all = all && r.Reachable
				if err := writeReach(w, r, asJSON); err != nil {
					return err
				}
				if stdin.waits() { // and so may who asks
					if err := w.Flush(); err != nil {
						return err
					}
				}
			}
			return no(!all, w.Flush())
		},
	}
	OpenFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each pattern")
	return cmd
}

func writeReach(w io.Writer, r ask.Reach, asJSON bool) error {
	if asJSON {
		return console.WriteJSON(w, r)
	}
	return r.WriteText(w)
}

// no returns the error, or console.ErrNo if the answer is no.
func no(answer bool, err error) error {
	if err == nil && answer {
		return console.ErrNo
	}
	return err
}

func (p *Program) near() *cobra.Command {
	var q ask.NearQuestion
	var weights string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "near FILE PATTERN...",
		Short: "Find the members nearest to a pattern",
		Long: `near finds the members of a file that are nearest to a pattern: those that differ from it
in the fewest cells. A ? in the pattern is an open cell: anything may be there, at no cost.
With several patterns the distance is that from the nearest of them, or with --sum the sum
of all distances.

Without --within it prints the members at the least distance. With --within D it prints all
members at distance D or less, ordered by distance, then by number. So --within with a
large distance and --limit 50 prints the 50 nearest. Answers are exact.

The exit code is 1 if there is no such member.`,
		Args: console.Args(2, -1, "a file and patterns"),
	}
	flags := cmd.Flags()
	flags.StringVar(&q.Within, "within", "", "print all members at this distance or less")
	flags.BoolVar(&q.Sum, "sum", false, "the distance is the sum of those from all patterns")
	flags.StringVar(&weights, "weights", "", "a file with the cost of a difference in each cell: numbers such as 2 or 0.5, in the rows of the board")
	OpenFlags(cmd)
	completeBy(cmd, "weights", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault))
	flags.BoolVar(&asJSON, "json", false, "print one JSON object")
	limit, layer := NewLimitFlag(cmd, 20, "members"), NewLayerFlag(cmd, p.Families)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if err := console.NotEmpty(cmd, "within", "weights"); err != nil {
			return err
		}
		if q.Limit, err = limit.Get(cells.MaxMatches); err != nil {
			return err
		}
		f, err := p.open(cmd, args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		if weights != "" {
			if q.Weights, err = readWeights(weights); err != nil {
				return err
			}
		}
		q.Layers = &layer.Range
		for text, err := range patterns(args[1:], newStdin(cmd)) {
			if err != nil {
				return err
			}
			q.Patterns = append(q.Patterns, text)
		}
		r, err := f.Near(cmd.Context(), q)
		if err != nil {
			return err
		}
		w := cmd.OutOrStdout()
		if asJSON {
			err = console.WriteJSON(w, r)
		} else if err = r.WriteText(w); err == nil && !r.Complete {
			_, err = fmt.Fprintln(w, "more matches exist: --limit 0 lists all")
		}
		return no(len(r.Matches) == 0, err)
	}
	return cmd
}

// readWeights reads a file of weights.
func readWeights(path string) (string, error) {
	const most = 1 << 20
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("the weights cannot be read: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return "", fmt.Errorf("the weights cannot be read: %w", err)
	}
	if len(text) > most {
		return "", console.Usagef("%s is not a grid of weights: it is larger than 1 MiB", path)
	}
	if len(text) == 0 {
		return "", console.Usagef("%s is not a grid of weights: it is empty", path)
	}
	return string(text), nil
}
