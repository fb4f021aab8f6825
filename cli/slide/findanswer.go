package slide

import (
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/printable"
	"pagoda/render"
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
	Pieces    int          `json:"pieces"`
	Length    int          `json:"length"`
	Starts    int          `json:"starts"`
	Solutions *big.Int     `json:"solutions"`
	Puzzle    string       `json:"puzzle"`
	Searched  uint64       `json:"searched"`
	Reached   uint64       `json:"reached"`           // from which the goal can be reached
	Puzzles   []findPuzzle `json:"puzzles,omitempty"` // with --all

	found []found
}

type findPuzzle struct {
	Puzzle    string   `json:"puzzle"`
	Solutions *big.Int `json:"solutions"`
	States    uint64   `json:"states"`
}

// add adds the hardest puzzles with some number of pieces, and lists all of them if it is to.
func (a *findAnswer) add(r hardest.Result, all []found, list bool) {
	result := findResult{Pieces: r.Pieces, Length: r.Length, Starts: len(all), Solutions: all[0].solved.Solutions, Puzzle: all[0].text,
		Searched: r.Placements, Reached: r.Reached, found: all}
	for i := 0; list && i < len(all); i++ {
		f := &all[i]
		result.Puzzles = append(result.Puzzles, findPuzzle{f.text, f.solved.Solutions, f.solved.States})
	}
	a.Results = append(a.Results, result)
}

// write writes the answer, as the flags say.
func (f *finding) write(cmd *cobra.Command, a *findAnswer) error {
	if f.save != "" {
		if err := f.saveAll(cmd, a); err != nil {
			return err
		}
	}
	if f.drawn && len(a.Results) > 0 {
		if err := f.draw(cmd, a); err != nil {
			return err
		}
	}
	switch {
	case f.json:
		return console.WriteJSON(cmd.OutOrStdout(), a)
	case f.drawn && f.Out == "":
		return nil
	}
	return f.print(cmd.OutOrStdout(), a)
}

// what says which puzzles were searched.
func (a *findAnswer) what() string {
	switch {
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
	var s strings.Builder
	fmt.Fprintf(&s, "%s, %s, %s: %s just solved, %s searched\n", printable.Line(a.Board), a.Metric, a.what(), cli.Count(a.Placements, "placement"), ask.Comma(a.Searched))
	if len(a.Results) > 0 {
		s.WriteString("pieces  length  starts  solutions  puzzle\n")
	}
	for _, r := range a.Results {
		for _, z := range f.shown(r) {
			text := strings.ReplaceAll(strings.TrimSpace(z.text), "\n", "\n"+strings.Repeat(" ", 35))
			fmt.Fprintf(&s, "%6d  %6d  %6d  %9v  %s\n", r.Pieces, r.Length, r.Starts, z.solved.Solutions, text)
		}
	}
	switch {
	case !a.Complete:
		s.WriteString("incomplete: the search was interrupted, and there may be harder puzzles\n")
	case len(a.Results) == 0:
		s.WriteString("no puzzle can be solved" + f.why() + "\n")
	}
	_, err := io.WriteString(w, s.String())
	return err
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
	unit := a.Metric
	if r.Length == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	return fmt.Sprintf("%s: %d %s", text, r.Length, unit)
}

// shown returns the puzzles that are printed and drawn.
func (f *finding) shown(r findResult) []found {
	if f.all {
		return r.found
	}
	return r.found[:1]
}

// draw draws the puzzles, or as a GIF their solutions.
func (f *finding) draw(cmd *cobra.Command, a *findAnswer) error {
	var panels []render.Panel
	var films []render.Film
	for _, r := range a.Results {
		for _, z := range f.shown(r) {
			panel, film, err := z.drawing(fmt.Sprintf("%d: %d", r.Pieces, r.Length))
			if err != nil {
				return console.UsageError(err)
			}
			panels, films = append(panels, panel), append(films, film)
		}
	}
	f.Title = fmt.Sprintf("The hardest puzzles of %s in %s, %s, by number of pieces", a.Board, a.Metric, a.what())
	return f.Write(cmd, panels, films...)
}

// saveAll writes a file for each puzzle.
func (f *finding) saveAll(cmd *cobra.Command, a *findAnswer) error {
	if err := os.MkdirAll(f.save, 0o777); err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	base := filepath.Base(a.Board)
	base = strings.TrimSuffix(base, filepath.Ext(base)) + "-" + a.Metric
	if !a.Strict || a.From == anywhere {
		base += "-" + strings.NewReplacer(",", "", " ", "-").Replace(a.what())
	}
	for _, r := range a.Results {
		for i, z := range r.found {
			name := fmt.Sprintf("%s-%02d", base, r.Pieces)
			if len(r.found) > 1 {
				name += fmt.Sprintf("-%d", i+1)
			}
			text := z.file(a.title(r), f.problem.Metric)
			if err := console.WriteFile(cmd.Context(), filepath.Join(f.save, name+".txt"), func(w io.Writer) error {
				_, err := io.WriteString(w, text)
				return err
			}); err != nil {
				return err
			}
		}
	}
	return nil
}
