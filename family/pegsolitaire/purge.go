package pegsolitaire

import (
	"fmt"
	"io"
	"math/bits"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/internal/cli"
	"pagoda/internal/command"
	"pagoda/render"
	"pagoda/render/pegs"
	"pagoda/statespace/peg"
	"pagoda/statespace/peg/board"
	"pagoda/statespace/peg/purges"
)

// A libraryAnswer is a package of the library in JSON. Cells are by row and column in the block.
type libraryAnswer struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	Cells    int      `json:"cells"`
	Start    string   `json:"start"`
	Goal     string   `json:"goal"`
	Drawing  string   `json:"drawing"`
	Clears   string   `json:"clears"` // the shape, the same in all directions
	Cleared  [][2]int `json:"cleared"`
	From     *[2]int  `json:"from,omitempty"` // of the peg that a mover moves
	To       *[2]int  `json:"to,omitempty"`
	Catalyst catalyst `json:"catalyst"`
	Either   [][2]int `json:"either"`          // cells of the catalyst that may be the other, each alone
	Split    int      `json:"split,omitempty"` // the first jumps that are a package of their own
	*ask.Route
}

func newLibraryAnswer(p *purges.Package) *libraryAnswer {
	b := p.Block
	at := func(cell int) [2]int { return [2]int{b.Cells()[cell].Row, b.Cells()[cell].Col} }
	list := func(set uint64) [][2]int {
		all := [][2]int{}
		for ; set != 0; set &= set - 1 {
			all = append(all, at(bits.TrailingZeros64(set)))
		}
		return all
	}
	a := &libraryAnswer{Name: p.Name, Kind: p.Kind().String(), Cells: len(b.Cells()), Start: p.Text(p.Start), Goal: p.Text(p.Goal),
		Drawing: p.Draw(), Clears: p.Clears(), Cleared: list(p.Cleared()), Either: list(p.Either()), Split: p.Split, Route: packageRoute(p)}
	a.Catalyst = catalyst{Pegs: list(p.Catalyst() & p.Start), Holes: list(p.Catalyst() &^ p.Start)}
	if from, to, ok := p.Moved(); ok {
		f, t := at(from), at(to)
		a.From, a.To = &f, &t
	}
	return a
}

// packageRoute returns the jumps of a package.
func packageRoute(p *purges.Package) *ask.Route {
	at := p.Start
	r := &ask.Route{Positions: []string{p.Text(at)}}
	for _, j := range p.Jumps {
		at ^= j.Mask()
		r.Moves, r.Positions = append(r.Moves, peg.JumpTextOf(p.Block, jumpNumber(p.Block, j))), append(r.Positions, p.Text(at))
	}
	return r
}

// startDrawing draws a package at the start, with the pegs marked that it clears.
func startDrawing(p *purges.Package) pegs.Position {
	return pegs.Position{Board: p.Block, Pattern: board.Pattern{Pegs: p.Start}, Taken: p.Cleared()}
}

// show writes one package.
func (o *purgesOptions) show(cmd *cobra.Command, p *purges.Package) (err error) {
	switch {
	case o.Format == "csv":
		err = o.WriteOther(cmd, func(w io.Writer) error { return purges.Write(w, []*purges.Package{p}) })
	case o.Format != "txt":
		var numbers []int
		for _, j := range p.Jumps {
			numbers = append(numbers, jumpNumber(p.Block, j))
		}
		var film render.Film
		if film, err = pegs.NewFilm(p.Block, p.Start, numbers); err != nil {
			return err
		}
		o.Title = p.Name
		err = o.Write(cmd, render.Strip(film), film)
	case o.Out != "" || !o.json:
		err = o.WriteOther(cmd, func(w io.Writer) error { return o.describe(w, p) })
	}
	if err == nil && o.json {
		err = cli.WriteJSON(cmd.OutOrStdout(), newLibraryAnswer(p))
	}
	return err
}

// describe describes a package for people.
func (o *purgesOptions) describe(w io.Writer, p *purges.Package) error {
	var b strings.Builder
	at := func(cell int) string { return o.cells().Cell(p.Block.Cells()[cell]) }
	fmt.Fprintf(&b, "%s: clears %s in a block of %s", p.Name, command.Count(uint64(len(p.Jumps)), "peg"), command.Count(uint64(len(p.Block.Cells())), "cell"))
	if from, to, ok := p.Moved(); ok {
		fmt.Fprintf(&b, ", and moves a peg from %s to %s", at(from), at(to))
	}
	if p.Split > 0 {
		fmt.Fprintf(&b, "; splits after %s", command.Count(uint64(p.Split), "jump"))
	}
	b.WriteString("\n\n")
	start, goal := startDrawing(p), pegs.Position{Board: p.Block, Pattern: board.Pattern{Pegs: p.Goal}}
	err := render.Text(&b, []render.Panel{{Drawing: start, Caption: "start"}, {Drawing: goal, Caption: "goal"}}, 2, render.Style{})
	if err != nil {
		return err
	}
	b.WriteByte('\n')
	r := packageRoute(p)
	r.Cells = o.cells()
	if err := r.WriteText(&b); err != nil {
		return err
	}
	_, err = io.WriteString(w, b.String())
	return err
}
