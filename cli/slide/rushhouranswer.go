package slide

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/render"
)

// A listed is a board that is printed and drawn.
type listed struct {
	record
	first   bool // of its number of pieces
	minimal bool
}

// listed returns the boards that are printed and drawn: the hardest minimal ones, and before them the hardest
// ones if they are harder.
func (r *rushHourResult) listed() (all []listed) {
	if r.Length == nil {
		return nil
	}
	if r.MinimalLength == nil || *r.MinimalLength < *r.Length {
		for _, b := range r.Puzzles {
			all = append(all, listed{record: b})
		}
	}
	for _, b := range r.Minimal {
		all = append(all, listed{record: b, minimal: true})
	}
	all[0].first = true
	return all
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
	if o.save != "" {
		if err := o.saveAll(cmd, a); err != nil {
			return err
		}
	}
	if o.drawn && a.Solvable > 0 {
		if err := o.draw(cmd, a); err != nil {
			return err
		}
	}
	switch {
	case o.json:
		return console.WriteJSON(cmd.OutOrStdout(), a)
	case o.drawn && o.Out == "":
		return nil
	}
	return o.print(cmd.OutOrStdout(), a)
}

// print prints a line for each number of pieces, or each board.
func (o *rushHourFind) print(w io.Writer, a *rushHourAnswer) error {
	var s strings.Builder
	fmt.Fprintf(&s, "%s, %s: %s boards, %s can be solved\n", a.Board, a.Metric, ask.Comma(a.Placements), ask.Comma(a.Solvable))
	line := func(pieces int, boards, solvable, length, starts, minimal, solutions, puzzle string) {
		fmt.Fprintf(&s, "%6d  %13s  %14s  %6s  %7s  %7s  %9s  %s\n", pieces, boards, solvable, length, starts, minimal, solutions, puzzle)
	}
	s.WriteString("pieces         boards        solvable  length   starts  minimal  solutions  puzzle\n")
	for i := range a.Results {
		r := &a.Results[i]
		all := r.listed()
		if all == nil {
			line(r.Pieces, ask.Comma(r.Placements), "0", "-", "0", "", "", "-")
		}
		for _, b := range all {
			minimal := "no"
			if b.minimal {
				minimal = "yes"
			}
			boards, solvable, starts := "", "", ""
			if b.first {
				boards, solvable, starts = ask.Comma(r.Placements), ask.Comma(r.Solvable), ask.Comma(r.Starts)
			}
			line(r.Pieces, boards, solvable, strconv.Itoa(b.length), starts, minimal, b.Solutions.String(), b.Puzzle)
		}
	}
	if !a.Complete {
		s.WriteString("incomplete: the search was interrupted, and there may be harder boards\n")
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// draw draws the boards, or as a GIF their solutions.
func (o *rushHourFind) draw(cmd *cobra.Command, a *rushHourAnswer) error {
	var panels []render.Panel
	var films []render.Film
	for i := range a.Results {
		r := &a.Results[i]
		for _, b := range r.listed() {
			panel, film, err := b.drawing(o.caption(r, b))
			if err != nil {
				return console.UsageError(err)
			}
			panels, films = append(panels, panel), append(films, film)
		}
	}
	o.Title = fmt.Sprintf("The hardest boards of %s in %s, by number of pieces", a.Board, a.Metric)
	return o.Write(cmd, panels, films...)
}

// saveAll writes a file for each board.
func (o *rushHourFind) saveAll(cmd *cobra.Command, a *rushHourAnswer) error {
	if err := os.MkdirAll(o.save, 0o777); err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	for i := range a.Results {
		r := &a.Results[i]
		all := r.listed()
		for n, b := range all {
			name := fmt.Sprintf("%s-%s-%02d", strings.ReplaceAll(a.Board, " ", "-"), a.Metric, r.Pieces)
			if len(all) > 1 {
				name += fmt.Sprintf("-%d", n+1)
			}
			text := b.file(fmt.Sprintf("%s, %s", a.Board, o.caption(r, b)), o.asked)
			if err := console.WriteFile(cmd.Context(), filepath.Join(o.save, name+".txt"), func(w io.Writer) error {
				_, err := io.WriteString(w, text)
				return err
			}); err != nil {
				return err
			}
		}
	}
	return nil
}
