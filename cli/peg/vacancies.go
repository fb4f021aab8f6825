package peg

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace/cells"
)

// vacancies is what solve says with --vacancies.
type vacancies struct {
	Board     string    `json:"space"`
	Vacancies []vacancy `json:"vacancies"`
}

// A vacancy is a cell that is vacant at the start. The goal is a single peg there.
type vacancy struct {
	Cell    cells.Cell     `json:"cell"`
	Winning bool           `json:"winning"`
	Fewest  *int           `json:"fewest_moves,omitempty"`
	Chains  [][]cells.Cell `json:"chains,omitempty"`
	route   *ask.Route     // nil if there is none
}

// vacancies solves the board of the file from each vacancy to a single peg there, in the fewest moves.
// Of vacancies that symmetries of the board map to each other it takes the first.
func (s *solver) vacancies(cmd *cobra.Command) error {
	b := s.space.Board()
	all := vacancies{Board: s.space.Name()}
	symmetries := b.Symmetries()
	for cell, c := range b.Cells() {
		if slices.ContainsFunc(symmetries, func(p board.Permutation) bool { return p[cell] < cell }) {
			continue
		}
		v := vacancy{Cell: c}
		if err := s.vacancy(cmd, cell, &v); err != nil {
			return fmt.Errorf("vacancy %v: %w", c, err)
		}
		all.Vacancies = append(all.Vacancies, v)
	}
	notation := cli.BookCells(cmd, s.cells)
	none := !slices.ContainsFunc(all.Vacancies, func(v vacancy) bool { return v.Winning })
	return console.NoIf(none, console.Answer(cmd, all, func(w io.Writer) (err error) {
		fmt.Fprintln(w, "vacancy  moves  solution")
		for _, v := range all.Vacancies {
			moves, solution := "-", "none"
			if v.Winning {
				texts, _ := v.route.Texts()
				moves, solution = fmt.Sprint(*v.Fewest), strings.Join(texts, " ")
			}
			_, err = fmt.Fprintf(w, "%7s  %5s  %s\n", notation.Cell(v.Cell), moves, solution)
		}
		return err
	}))
}

// vacancy solves the board from a vacancy.
func (s *solver) vacancy(cmd *cobra.Command, cell int, v *vacancy) error {
	b := s.space.Board()
	q := ask.PathQuestion{From: b.FormatPosition(b.Full() &^ (1 << cell)), Fewest: true, Options: s.job.Options(), Cells: cli.BookCells(cmd, s.cells)}
	paths, err := s.file.Paths(cmd.Context(), q)
	if err != nil {
		return err
	}
	defer paths.Close()
	found, err := paths.To(b.FormatPosition(1 << cell))
	if err != nil {
		return err
	}
	defer found.Close()
	if v.Winning = found.Reachable; v.Winning {
		v.Fewest, v.Chains, v.route = found.Fewest, found.Chains, found.Route
	}
	return nil
}
