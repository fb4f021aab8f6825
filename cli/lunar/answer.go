package lunar

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"pagoda/cli"
	"pagoda/internal/amount"
	"pagoda/internal/exactjson"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/draw"
	"pagoda/puzzle/lunar/problem"
	"pagoda/render"
)

// An answer is what solve prints.
type answer struct {
	Puzzle      string   `json:"puzzle"`
	Name        string   `json:"name,omitempty"`
	HasSolution bool     `json:"solved"`
	Reason      string   `json:"reason,omitempty"` // why not
	Moves       *int     `json:"moves"`            // null if it cannot be solved
	Steps       *int     `json:"steps"`
	Solutions   *big.Int `json:"solutions"`
	// The number pieces that are significant in all best solutions, in any, and in none.
	Significant   []string  `json:"significant"`
	InAny         []string  `json:"significant_in_any"`
	Insignificant []string  `json:"insignificant"`
	Positions     uint64    `json:"positions"` // that the search has found
	Seconds       float64   `json:"seconds"`
	Start         string    `json:"start"`
	Pieces        []piece   `json:"pieces,omitempty"`
	Solution      []move    `json:"solution"`
	All           []listing `json:"all,omitempty"`

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

// A move is one of a solution.
type move struct {
	board.Play
	Position string // after it; may be empty
}

// MarshalJSON adds the position to what a play has.
func (m move) MarshalJSON() ([]byte, error) {
	return exactjson.Object{m.Play, struct {
		Position string `json:"position,omitempty"`
	}{m.Position}}.MarshalJSON()
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

// Solved implements cli.Answer.
func (a *answer) Solved() bool { return a.HasSolution }

// Film implements cli.Answer.
func (a *answer) Film() (render.Film, error) {
	var plays []board.Play
	for _, m := range a.Solution {
		plays = append(plays, m.Play)
	}
	return draw.NewFilm(a.problem.Board, a.problem.Drawing, plays, a.problem.Pieces)
}

// JSON implements cli.Answer.
func (a *answer) JSON() any { return a }

// Lines implements cli.Answer.
func (a *answer) Lines() []any {
	for i := range a.Solution {
		a.Solution[i].Position = ""
	}
	return []any{a}
}

// WriteText implements cli.Answer.
func (a *answer) WriteText(w io.Writer) error {
	if a.HasSolution {
		a.writeSolution(w)
		return nil
	}
	_, err := fmt.Fprintf(w, "%s cannot be solved: %s\n", a.title(), a.Reason)
	return err
}

// title names the problem.
func (a *answer) title() string {
	if a.Name != "" {
		return a.Puzzle + " (" + a.Name + ")"
	}
	return a.Puzzle
}

func (a *answer) writeSolution(w io.Writer) {
	fmt.Fprintf(w, "%s: %s, %s, %s\n", a.title(), cli.Count(uint64(*a.Moves), "move"), cli.Count(uint64(*a.Steps), "step"), amount.Of(a.Solutions, "solution"))
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
	if a.All == nil {
		a.writeMoves(w)
		return
	}
	for _, one := range a.All {
		fmt.Fprint(w, strings.Join(one.Moves, " "))
		if len(a.InAny) > len(a.Significant) {
			fmt.Fprint(w, "  ("+strings.Join(one.Significant, " ")+")")
		}
		fmt.Fprintln(w)
	}
	if a.Solutions.Cmp(big.NewInt(int64(len(a.All)))) > 0 {
		fmt.Fprintln(w, "more solutions exist: --limit 0 lists all")
	}
}

func writeNames(w io.Writer, what string, names []string) {
	fmt.Fprintf(w, "%s: %s\n", what, cmp.Or(strings.Join(names, " "), "none"))
}

// writeMoves writes a line for each move.
func (a *answer) writeMoves(w io.Writer) {
	width := len("start")
	for _, m := range a.Solution {
		width = max(width, len(m.String()))
	}
	fmt.Fprintf(w, "%4d  %-*s  %s\n", 0, width, "start", a.Start)
	for i, m := range a.Solution {
		fmt.Fprintf(w, "%4d  %-*s  %s\n", i+1, width, m.String(), m.Position)
	}
}
