package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/cli"
	"pagoda/statespace/peg"
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
from it in the fewest cells. In a pattern, ? is a cell that may have a peg or not and
costs nothing. Of several patterns, the nearest counts, or with --sum, the sum of the
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
			f, sp, err := openPeg(cmd, args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			q, weights, err := o.query(cmd, sp, args[1:])
			if err != nil {
				return err
			}
			result, err := findNear(cmd.Context(), sp, f.Members(), q, weights)
			if err != nil {
				return tooMany(err)
			}
			if err := result.write(cmd.OutOrStdout(), o.json, len(q.Targets) > 1); err != nil {
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

// query makes a query of the flags and patterns.
func (o *nearOptions) query(cmd *cobra.Command, sp *peg.Space, args []string) (peg.NearQuery, *peg.Weights, error) {
	q := peg.NearQuery{Within: peg.Nearest, Limit: *o.limit, Pegs: o.pegs.PegRange}
	weights := new(peg.Weights)
	if err := cli.NotEmpty(cmd, "within", "weights"); err != nil {
		return q, nil, err
	}
	if err := checkLimit(*o.limit, peg.MaxMatches); err != nil {
		return q, nil, err
	}
	if o.weights != "" {
		var err error
		if weights, err = readWeights(sp, o.weights); err != nil {
			return q, nil, err
		}
	}
	var alternatives [][]peg.Pattern
	for text, err := range patterns(args, newStdin(cmd)) {
		if err != nil {
			return q, nil, err
		}
		p, err := parsePattern(sp, text)
		if err != nil {
			return q, nil, err
		}
		if o.sum && len(alternatives) > 0 {
			alternatives[0] = append(alternatives[0], p)
		} else {
			alternatives = append(alternatives, []peg.Pattern{p})
		}
	}
	if len(alternatives) == 0 {
		return q, nil, cli.Usagef("there is no pattern on stdin")
	}
	for _, patterns := range alternatives {
		t, err := sp.Board().NewTarget(weights.Cells, patterns...)
		if err != nil {
			return q, nil, cli.UsageError(err)
		}
		q.Targets = append(q.Targets, t)
	}
	if o.within != "" {
		// However many cells are left open.
		all, err := sp.Board().NewTarget(weights.Cells, make([]peg.Pattern, len(alternatives[0]))...)
		if err != nil {
			return q, nil, cli.UsageError(err)
		}
		if q.Within, err = weights.Parse(o.within); err != nil {
			return q, nil, cli.Usagef("--within: %w", err)
		}
		if farthest := all.Farthest(); q.Within > farthest {
			return q, nil, cli.Usagef("--within is %s, but no position can be farther away than %s", o.within, weights.Format(farthest))
		}
	}
	return q, weights, nil
}

// readWeights reads a file of weights.
func readWeights(sp *peg.Space, path string) (*peg.Weights, error) {
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
	w, err := sp.Board().ParseWeights(string(text))
	if err != nil {
		return nil, cli.Usagef("%s: %w", path, err)
	}
	return w, nil
}

// A match is a member near to a wish.
type match struct {
	Pattern  string      `json:"pattern"`
	Distance json.Number `json:"distance"`
	Pegs     int         `json:"pegs"`
	Target   int         `json:"target"` // of the patterns, from 0
}

// nearResult is what near prints.
type nearResult struct {
	Matches  []match `json:"matches"`
	Complete bool    `json:"complete"`
}

func findNear(ctx context.Context, sp *peg.Space, members bitset.Reader, q peg.NearQuery, weights *peg.Weights) (*nearResult, error) {
	found, complete, err := sp.Near(ctx, members, q)
	if err != nil {
		return nil, err
	}
	r := &nearResult{Matches: make([]match, len(found)), Complete: complete}
	for i, m := range found {
		r.Matches[i] = match{sp.Format(m.State), json.Number(weights.Format(m.Distance)), sp.Layer(m.State), m.Target}
	}
	return r, nil
}

func (r *nearResult) write(w io.Writer, asJSON, several bool) error {
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
		heading := fmt.Sprintf("%*s  pegs  ", width, "distance")
		if several {
			heading += "target  "
		}
		fmt.Fprintln(b, heading+"pattern")
	}
	for _, m := range r.Matches {
		fmt.Fprintf(b, "%*s  %4d  ", width, m.Distance, m.Pegs)
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
