package peg

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/progress"
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
	all, none := vacancies{Board: s.space.Name()}, true
	notation, asJSON := cli.BookCells(cmd, s.cells), console.AsJSON(cmd)
	if !asJSON {
		fmt.Fprintln(cmd.OutOrStdout(), "vacancy  moves  solution")
	}
	symmetries := b.Symmetries()
	var done atomic.Int64
	total := len(b.Cells())
	defer progress.Start(cmd.Context(), "solving", uint64(total), "vacancies", func() (int64, int64) { return done.Load(), int64(total) })()
	for cell, c := range b.Cells() {
		done.Store(int64(cell))
		if slices.ContainsFunc(symmetries, func(p board.Permutation) bool { return p[cell] < cell }) {
			continue
		}
		v := vacancy{Cell: c}
		if err := s.vacancy(cmd, cell, &v); err != nil {
			return fmt.Errorf("vacancy %v: %w", c, err)
		}
		none = none && !v.Winning
		if asJSON {
			all.Vacancies = append(all.Vacancies, v)
			continue
		}
		moves, solution := "-", "none"
		if v.Winning {
			texts, _ := v.route.Texts()
			moves, solution = fmt.Sprint(*v.Fewest), strings.Join(texts, " ")
		}
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%7s  %5s  %s\n", notation.Cell(c), moves, solution); err != nil {
			return err
		}
	}
	var err error
	if asJSON {
		err = console.WriteJSON(cmd.OutOrStdout(), all)
	}
	return console.NoIf(none, err)
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
