package peg

import (
	"fmt"
	"io"
	"math/bits"

	"github.com/spf13/cobra"

	"pagoda/internal/amount"
	"pagoda/internal/console"
	"pagoda/puzzle/peg"
	"pagoda/statespace/cells"
)

// counts is how many members are winning positions and dead ends.
type counts struct {
	Space    string       `json:"space"`
	Goals    []cells.Cell `json:"goals"`
	States   uint64       `json:"states"`
	Winning  uint64       `json:"winning"`
	DeadEnds uint64       `json:"dead_ends"`
	Single   uint64       `json:"single_pegs"`
	// Up to symmetry, if that was asked for.
	WinningOrbits *uint64       `json:"winning_orbits,omitempty"`
	DeadEndOrbits *uint64       `json:"dead_end_orbits,omitempty"`
	Layers        []layerCounts `json:"layers,omitempty"`
}

// layerCounts is counts for a number of pegs.
type layerCounts struct {
	Pegs          int     `json:"pegs"`
	Winning       uint64  `json:"winning"`
	DeadEnds      uint64  `json:"dead_ends"`
	WinningOrbits *uint64 `json:"winning_orbits,omitempty"`
	DeadEndOrbits *uint64 `json:"dead_end_orbits,omitempty"`
}

// count writes how many members are winning positions and dead ends.
func (s *solver) count(cmd *cobra.Command, e *peg.Endgame) error {
	found, err := e.Count(cmd.Context(), s.file.Members(), s.byLayer || s.orbits, s.options.Threads)
	if err != nil {
		return err
	}
	c := &counts{Space: s.space.Name(), Goals: goalsOf(s.space, e), States: s.file.Meta().States,
		Winning: found.Won, DeadEnds: found.DeadEnds, Single: found.Single}
	s.addLayers(c, found.Layers)
	return console.Answer(cmd, c, func(w io.Writer) error { return s.writeCounts(w, c) })
}

// addLayers adds what was asked for of the layers.
func (s *solver) addLayers(c *counts, layers []peg.EndgameLayer) {
	if s.orbits {
		c.WinningOrbits, c.DeadEndOrbits = new(uint64), new(uint64)
	}
	for _, l := range layers {
		layer := layerCounts{Pegs: l.Pegs, Winning: l.Won, DeadEnds: l.DeadEnds}
		if s.orbits {
			layer.WinningOrbits, layer.DeadEndOrbits = &l.WonUpTo, &l.DeadUpTo
			*c.WinningOrbits += l.WonUpTo
			*c.DeadEndOrbits += l.DeadUpTo
		}
		if s.byLayer {
			c.Layers = append(c.Layers, layer)
		}
	}
}

// writeCounts writes counts for people.
func (s *solver) writeCounts(w io.Writer, c *counts) error {
	winning := "no single peg is in the class of the start"
	switch {
	case len(c.Goals) > 0:
		winning = "can be played to a single peg at"
		for _, g := range c.Goals {
			winning += " " + s.cells().Cell(g)
		}
	case s.to != "":
		winning = "a single peg there is not in the class of the start"
	}
	upTo := func(orbits *uint64) string {
		if orbits == nil {
			return ""
		}
		return fmt.Sprintf("; %s up to symmetry", amount.Comma(*orbits))
	}
	fmt.Fprintf(w, "%s: %s positions\nwinning    %13s  %s%s\ndead ends  %13s  allow no jump; of these %s have a single peg%s\n",
		c.Space, amount.Comma(c.States), amount.Comma(c.Winning), winning, upTo(c.WinningOrbits),
		amount.Comma(c.DeadEnds), amount.Comma(c.Single), upTo(c.DeadEndOrbits))
	if s.byLayer {
		if s.orbits {
			const row = "%4v  %13s  %14s  %11s  %14s\n"
			fmt.Fprintf(w, "\n"+row, "pegs", "winning", "up to symmetry", "dead ends", "up to symmetry")
			for _, l := range c.Layers {
				fmt.Fprintf(w, row, l.Pegs, amount.Comma(l.Winning), amount.Comma(*l.WinningOrbits), amount.Comma(l.DeadEnds), amount.Comma(*l.DeadEndOrbits))
			}
			return nil
		}
		const row = "%4v  %13s  %11s\n"
		fmt.Fprintf(w, "\n"+row, "pegs", "winning", "dead ends")
		for _, l := range c.Layers {
			fmt.Fprintf(w, row, l.Pegs, amount.Comma(l.Winning), amount.Comma(l.DeadEnds))
		}
	}
	return nil
}

// goalsOf returns the cells of the goals, by row and column.
func goalsOf(sp *peg.Space, e *peg.Endgame) []cells.Cell {
	goals := []cells.Cell{}
	for _, g := range e.Goals() {
		goals = append(goals, sp.Board().Cells()[bits.TrailingZeros64(g)])
	}
	return goals
}
