package lunar

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"pagoda/cli"
	"pagoda/internal/amount"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/problem"
)

// An answer is what solve says of a problem besides its solution: see cli.Own.
type answer struct {
	Name  string `json:"name,omitempty"`
	Steps *int   `json:"steps"` // null if it cannot be solved
	// The number pieces that are significant in all best solutions, in any, and in none.
	Significant   []string `json:"significant"`
	InAny         []string `json:"significant_in_any"`
	Insignificant []string `json:"insignificant"`
	Pieces        []piece  `json:"pieces,omitempty"`

	problem *problem.Problem
}

// A piece is what people see in a piece.
type piece struct {
	Piece  string `json:"piece"`
	Colour string `json:"colour"`
	Name   string `json:"name,omitempty"`
}

// A listing is one of the best solutions.
type listing struct {
	Moves       []string `json:"moves"`
	Significant []string `json:"significant"`
}

// names returns the names of the pieces on some cells at the start.
func (a *answer) names(set board.Set) []string { return pieceNames(a.problem.Drawing, set) }

// pieceNames returns the names of the pieces on some cells, in the order of names.
func pieceNames(d board.Drawing, set board.Set) []string {
	names := []string{}
	for _, name := range board.NumberNames {
		for i, ch := range d {
			if ch == byte(name) && set>>i&1 != 0 {
				names = append(names, string(name))
			}
		}
	}
	return names
}

// Title implements cli.Own.
func (a *answer) Title(puzzle string) string {
	if a.Name != "" {
		return puzzle + " (" + a.Name + ")"
	}
	return puzzle
}

// WriteText implements cli.Own.
func (a *answer) WriteText(w io.Writer, s *cli.Answer) {
	fmt.Fprintf(w, "%s: %s, %s\n", a.Title(s.Puzzle), lengthOf(s.Metric, *s.Length, *a.Steps), amount.Of(s.Solutions, "solution"))
	for _, p := range a.Pieces {
		fmt.Fprintf(w, "piece %s: %s\n", p.Piece, strings.TrimSpace(p.Colour+" "+p.Name))
	}
	writeNames(w, "significant", a.Significant)
	if len(a.InAny) > len(a.Significant) {
		writeNames(w, "significant in some solutions", slices.DeleteFunc(slices.Clone(a.InAny), func(name string) bool { return slices.Contains(a.Significant, name) }))
	}
	if len(a.Insignificant) > 0 {
		writeNames(w, "insignificant", a.Insignificant)
	}
	if s.All == nil {
		s.WriteMoves(w)
	}
	for _, one := range s.All {
		fmt.Fprint(w, strings.Join(one.(listing).Moves, " "))
		if len(a.InAny) > len(a.Significant) {
			fmt.Fprint(w, "  ("+strings.Join(one.(listing).Significant, " ")+")")
		}
		fmt.Fprintln(w)
	}
	s.WriteMore(w)
}

// lengthOf writes a length in a metric: "3 moves, 5 steps" or "4 slides".
func lengthOf(metric string, length, steps int) string {
	text := cli.Count(uint64(length), strings.TrimSuffix(metric, "s"))
	if metric != board.SlidesMetric {
		text += ", " + cli.Count(uint64(steps), "step")
	}
	return text
}

func writeNames(w io.Writer, what string, names []string) {
	fmt.Fprintf(w, "%s: %s\n", what, cmp.Or(strings.Join(names, " "), "none"))
}
