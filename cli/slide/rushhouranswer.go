package slide

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/amount"
	"pagoda/internal/lists"
)

// A listed is a board that is printed and drawn.
type listed struct {
	record
	minimal bool
}

// listed returns the boards that are printed and drawn: the hardest minimal ones, and before them the hardest
// ones if they are harder.
func (r *rushHourResult) listed() (all []listed) {
	if r.Length == nil {
		return nil
	}
	if r.MinimalLength == nil || *r.MinimalLength < *r.Length {
		all = lists.Map(r.Puzzles, func(b record) listed { return listed{record: b} })
	}
	return append(all, lists.Map(r.Minimal, func(b record) listed { return listed{record: b, minimal: true} })...)
}

// caption says what a board is.
func (o *rushHourFind) caption(r *rushHourResult, b listed) string {
	text := fmt.Sprintf("%s, %s", cli.Count(uint64(r.Pieces), "piece"), cli.Count(uint64(b.length), strings.TrimSuffix(o.metric, "s")))
	if !b.minimal {
		text += ", not minimal"
	}
	return text
}

// write writes the answer, as the flags say.
func (o *rushHourFind) write(cmd *cobra.Command, a *rushHourAnswer) error {
	var shownBoards []shown
	for i := range a.Results {
		r := &a.Results[i]
		all := r.listed()
		for n, b := range all {
			caption := o.caption(r, b)
			shownBoards = append(shownBoards, shown{found: &all[n].found, caption: caption, title: a.Board + ", " + caption, drawn: true,
				file: fileName(strings.ReplaceAll(a.Board, " ", "-")+"-"+a.Metric, r.Pieces, n, len(all))})
		}
	}
	o.Title = cmp.Or(o.Title, fmt.Sprintf("The hardest boards of %s in %s, by number of pieces", a.Board, a.Metric))
	return o.writeAll(cmd, shownBoards, a, a.write)
}

// write writes a line for each number of pieces, or each board.
func (a *rushHourAnswer) write(w io.Writer) error {
	fmt.Fprintf(w, "%s, %s: %s boards, %s can be solved\n", a.Board, a.Metric, amount.Comma(a.Placements), amount.Comma(a.Solvable))
	line := func(pieces int, boards, solvable, length, starts, minimal, solutions, puzzle string) {
		fmt.Fprintf(w, "%6d  %13s  %14s  %6s  %7s  %7s  %9s  %s\n", pieces, boards, solvable, length, starts, minimal, solutions, puzzle)
	}
	fmt.Fprintln(w, "pieces         boards        solvable  length   starts  minimal  solutions  puzzle")
	for i := range a.Results {
		r := &a.Results[i]
		all := r.listed()
		if all == nil {
			line(r.Pieces, amount.Comma(r.Placements), "0", "-", "0", "", "", "-")
		}
		for n, b := range all {
			minimal := "no"
			if b.minimal {
				minimal = "yes"
			}
			boards, solvable, starts := "", "", ""
			if n == 0 {
				boards, solvable, starts = amount.Comma(r.Placements), amount.Comma(r.Solvable), amount.Comma(r.Starts)
			}
			line(r.Pieces, boards, solvable, strconv.Itoa(b.length), starts, minimal, b.Solutions.String(), b.Puzzle)
		}
	}
	if !a.Complete {
		fmt.Fprintln(w, "incomplete: the search was interrupted, and there may be harder boards")
	}
	return nil
}
