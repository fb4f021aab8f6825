package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/answer"
	"pagoda/internal/cli"
	"pagoda/statespace"
)

type nearOptions struct {
	within, weights string
	sum, json       bool
	limit           *int
	pegs            *pegRange
}

func nearCommand() *cobra.Command {
	var o nearOptions
	cmd := &cobra.Command{
		Use:   "near FILE PATTERN...",
		Short: "Find the reachable patterns nearest to a wish",
		Long: `near finds the members of the file that are nearest to a pattern: those that differ
from it in the fewest cells. In a pattern, ? is a cell that may have a peg or not, or of
sliding blocks, anything at all, and costs nothing. Of several patterns, the nearest counts, or with --sum, the sum of the
distances from all of them.

Without --within it gives the members at the least distance; with it, all that are so
near, ordered by distance, then by number. So --within with a large distance and
--limit 50 gives the 50 nearest. Answers are exact.

It exits with 1 when there is no such member.`,
		Example: `  query near peg-5x7.reach .ooo./o...o/o...o/ooooo/o...o/o...o/o...o
  query near peg-5x7.reach .ooo./o...o/o.?.o/ooooo/o.?.o/o...o/o...o --within 2 --json
  query near peg-5x7.reach .ooo./o...o/o...o/ooooo/o...o/o...o/o...o --weights w.txt --pegs 12-17`,
		Args: cli.Args(2, -1, "a file and patterns"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, c, err := openCells(cmd, args[0], o.pegs)
			if err != nil {
				return err
			}
			defer f.Close()
			q, err := o.query(cmd, c, args[1:])
			if err != nil {
				return err
			}
			result, err := q.find(cmd.Context(), f.Members())
			if err != nil {
				return tooMany(err)
			}
			if err := writeNear(cmd.OutOrStdout(), result, o.json, q.targets > 1); err != nil {
				return err
			}
			if len(result.Matches) == 0 {
				return cli.ErrNo
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.within, "within", "", "give all members at most this far away")
	flags.BoolVar(&o.sum, "sum", false, "the distance is the sum of those from all patterns")
	flags.StringVar(&o.weights, "weights", "", "a file that says what each cell costs: numbers such as 2 or 0.5, in the rows of the board")
	flags.BoolVar(&o.json, "json", false, "print one JSON object")
	o.limit = newLimit(cmd, 20, "members")
	o.pegs = newPegRange(cmd)
	return cmd
}

// A nearQuery is a question for what is near.
type nearQuery struct {
	cells   cells
	wishes  wishes
	targets int
	weights *statespace.Weights
	within  uint64
	limit   int
}

// query makes a query of the flags and patterns.
func (o *nearOptions) query(cmd *cobra.Command, c cells, args []string) (*nearQuery, error) {
	q := &nearQuery{cells: c, wishes: c.wishes(), weights: new(statespace.Weights), within: statespace.Nearest, limit: *o.limit}
	if err := cli.NotEmpty(cmd, "within", "weights"); err != nil {
		return nil, err
	}
	if err := checkLimit(*o.limit, statespace.MaxMatches); err != nil {
		return nil, err
	}
	if o.weights != "" {
		var err error
		if q.weights, err = readWeights(q.wishes, o.weights); err != nil {
			return nil, err
		}
	}
	var alternatives [][]string
	for text, err := range patterns(args, newStdin(cmd)) {
		if err != nil {
			return nil, err
		}
		if o.sum && len(alternatives) > 0 {
			alternatives[0] = append(alternatives[0], text)
		} else {
			alternatives = append(alternatives, []string{text})
		}
	}
	if len(alternatives) == 0 {
		return nil, cli.Usagef("there is no pattern on stdin")
	}
	for _, patterns := range alternatives {
		if err := q.wishes.add(q.weights.Cells, patterns...); err != nil {
			return nil, err
		}
	}
	q.targets = len(alternatives)
	if o.within == "" {
		return q, nil
	}
	farthest, err := q.wishes.farthest(q.weights.Cells, len(alternatives[0])) // however many cells are left open
	if err != nil {
		return nil, err
	}
	if q.within, err = q.weights.Parse(o.within); err != nil {
		return nil, cli.Usagef("--within: %w", err)
	}
	if q.within > farthest {
		return nil, cli.Usagef("--within is %s, but no position can be farther away than %s", o.within, q.weights.Format(farthest))
	}
	return q, nil
}

// readWeights reads a file of weights.
func readWeights(wishes wishes, path string) (*statespace.Weights, error) {
	const most = 1 << 20
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the weights cannot be read: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("the weights cannot be read: %w", err)
	}
	if len(text) > most {
		return nil, cli.Usagef("%s is not a grid of weights: it is larger than 1 MiB", path)
	}
	w, err := wishes.parseWeights(string(text))
	if err != nil {
		return nil, cli.Usagef("%s: %w", path, err)
	}
	return w, nil
}

func (q *nearQuery) find(ctx context.Context, members bitset.Reader) (*answer.Near, error) {
	found, complete, err := q.wishes.near(ctx, members, q.within, q.limit)
	if err != nil {
		return nil, err
	}
	return answer.NewNear(q.cells, q.weights, found, complete), nil
}

func writeNear(w io.Writer, r *answer.Near, asJSON, several bool) error {
	if asJSON {
		return cli.WriteJSON(w, r)
	}
	b := bufio.NewWriter(w)
	width := len("distance")
	for _, m := range r.Matches {
		width = max(width, len(m.Distance))
	}
	if len(r.Matches) == 0 {
		fmt.Fprintln(b, "none")
	} else {
		heading := fmt.Sprintf("%*s  ", width, "distance")
		if r.Matches[0].Pegs != nil {
			heading += "pegs  "
		}
		if several {
			heading += "target  "
		}
		fmt.Fprintln(b, heading+"pattern")
	}
	for _, m := range r.Matches {
		fmt.Fprintf(b, "%*s  ", width, m.Distance)
		if m.Pegs != nil {
			fmt.Fprintf(b, "%4d  ", *m.Pegs)
		}
		if several {
			fmt.Fprintf(b, "%6d  ", m.Target)
		}
		fmt.Fprintln(b, m.Pattern)
	}
	if !r.Complete {
		fmt.Fprintln(b, "and more: --limit gives them")
	}
	return b.Flush()
}
