package slide

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/amount"
	"pagoda/internal/printable"
	"pagoda/studies/hardest"
)

// A findAnswer is what find prints.
type findAnswer struct {
	Board      string       `json:"board"`
	Metric     string       `json:"metric"`
	From       string       `json:"from"`
	To         string       `json:"to"`
	Strict     bool         `json:"strict"`
	Complete   bool         `json:"complete"`
	Placements uint64       `json:"placements"` // that are just solved
	Searched   uint64       `json:"searched"`   // all that were searched; of goals that are reflected or rotated one is
	Seconds    float64      `json:"seconds"`
	Resumed    bool         `json:"resumed,omitempty"` // the seconds are of the rest
	Results    []findResult `json:"results"`
}

// A findResult is the hardest puzzles with some number of pieces.
type findResult struct {
	Pieces    int      `json:"pieces"`
	Length    int      `json:"length"`
	Starts    int      `json:"starts"`
	Solutions *big.Int `json:"solutions"`
	Puzzle    string   `json:"puzzle"`
	Searched  uint64   `json:"searched"`
	Reached   uint64   `json:"reached"`           // from which the goal can be reached
	Puzzles   []record `json:"puzzles,omitempty"` // with --all

	found []found
}

// add adds the hardest puzzles with some number of pieces, and lists all of them if it is to.
func (a *findAnswer) add(r hardest.Result, all []found, list bool) {
	result := findResult{Pieces: r.Pieces, Length: r.Length, Starts: len(all), Solutions: all[0].solved.Solutions, Puzzle: all[0].text,
		Searched: r.Placements, Reached: r.Reached, found: all}
	if list {
		result.Puzzles = recordsOf(all)
	}
	a.Results = append(a.Results, result)
}

// write writes the answer, as the flags say.
func (f *finding) write(cmd *cobra.Command, a *findAnswer) error {
	base := filepath.Base(a.Board)
	base = strings.TrimSuffix(base, filepath.Ext(base)) + "-" + a.Metric
	if !a.Strict || a.From == anywhere {
		base += "-" + strings.NewReplacer(",", "", " ", "-").Replace(a.what())
	}
	var all []shown
	for _, r := range a.Results {
		for i := range r.found {
			all = append(all, shown{found: &r.found[i], caption: fmt.Sprintf("%d: %d", r.Pieces, r.Length), title: a.title(r),
				file: fileName(base, r.Pieces, i, len(r.found)), drawn: i == 0 || f.all})
		}
	}
	f.Title = cmp.Or(f.Title, fmt.Sprintf("The hardest puzzles of %s in %s, %s, by number of pieces", a.Board, a.Metric, a.what()))
	return f.writeAll(cmd, all, a, func(w io.Writer) error { return f.print(w, a) })
}

// what says which puzzles were searched.
func (a *findAnswer) what() string {
	switch {
	case a.To == rightEdge:
		return "to the right edge"
	case a.From == anywhere && a.To == anywhere:
		return "from anywhere to anywhere"
	case a.To == anywhere:
		return "to anywhere"
	case a.From == anywhere && a.Strict:
		return "from anywhere, strict"
	case a.From == anywhere:
		return "from anywhere, not strict"
	case a.Strict:
		return "strict"
	}
	return "not strict"
}

// print prints a line for each number of pieces, or each puzzle.
func (f *finding) print(w io.Writer, a *findAnswer) error {
	fmt.Fprintf(w, "%s, %s, %s: %s just solved, %s searched\n", printable.Line(a.Board), a.Metric, a.what(), cli.Count(a.Placements, "placement"), amount.Comma(a.Searched))
	if len(a.Results) > 0 {
		fmt.Fprintln(w, "pieces  length  starts  solutions  puzzle")
	}
	for _, r := range a.Results {
		for _, z := range r.found[:max(1, len(r.Puzzles))] {
			text := strings.ReplaceAll(strings.TrimSpace(z.text), "\n", "\n"+strings.Repeat(" ", 35))
			fmt.Fprintf(w, "%6d  %6d  %6d  %9v  %s\n", r.Pieces, r.Length, r.Starts, z.solved.Solutions, text)
		}
	}
	switch {
	case !a.Complete:
		fmt.Fprintln(w, "incomplete: the search was interrupted, and there may be harder puzzles")
	case len(a.Results) == 0:
		fmt.Fprintln(w, "no puzzle can be solved"+f.why())
	}
	return nil
}

// why says why no puzzle can be solved, if the board says it.
func (f *finding) why() string {
	if len(f.problem.Goals) > 0 {
		return ""
	}
	if f.strict {
		return ": no piece fits into the upper left corner and the lower right corner, and covers the corner cell; --strict=false may find some"
	}
	return ": no piece fits into the upper left corner and the lower right corner"
}

// title says what a puzzle is.
func (a *findAnswer) title(r findResult) string {
	text := fmt.Sprintf("%s, %s", a.Board, cli.Count(uint64(r.Pieces), "piece"))
	if !a.Strict || a.From == anywhere {
		text += ", " + a.what()
	}
	return text + ": " + amount.Of(r.Length, strings.TrimSuffix(a.Metric, "s"))
}
