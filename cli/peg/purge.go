package peg

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/draw"
	"pagoda/render"
	"pagoda/statespace/cells"
	"pagoda/studies/purges"
)

// A libraryAnswer is a package of the library in JSON. Cells are by row and column in the block.
type libraryAnswer struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Cells   int    `json:"cells"`
	Start   string `json:"start"`
	Goal    string `json:"goal"`
	Drawing string `json:"drawing"`
	Clears  string `json:"clears"` // the shape, the same in all directions
	*effect
	Either []cells.Cell `json:"either"`          // cells of the catalyst that may be the other, each alone
	Split  int          `json:"split,omitempty"` // the first jumps that are a package of their own
	*ask.Route
}

func newLibraryAnswer(p *purges.Package) *libraryAnswer {
	either, set := []cells.Cell{}, p.Either()
	for i, c := range p.Block.Cells() {
		if set>>i&1 == 1 {
			either = append(either, c)
		}
	}
	return &libraryAnswer{Name: p.Name, Kind: p.Kind().String(), Cells: len(p.Block.Cells()), Start: p.Text(p.Start), Goal: p.Text(p.Goal),
		Drawing: p.Draw(), Clears: p.Clears(), effect: newEffect(p.Block, inBlock(p)), Either: either, Split: p.Split, Route: packageRoute(p)}
}

// An effect is what a package does, on a board. Cells are by row and column.
type effect struct {
	Cleared  []cells.Cell `json:"cleared"`
	From     *cells.Cell  `json:"from,omitempty"` // of the peg that a mover moves
	To       *cells.Cell  `json:"to,omitempty"`
	Catalyst catalyst     `json:"catalyst"`
}

// A catalyst is the cells of a package that end as they begin.
type catalyst struct {
	Pegs  []cells.Cell `json:"pegs"`
	Holes []cells.Cell `json:"holes"`
}

func newEffect(b *board.Board, p *purges.Placement) *effect {
	e := &effect{Cleared: []cells.Cell{}, Catalyst: catalyst{Pegs: []cells.Cell{}, Holes: []cells.Cell{}}}
	from, to, moves := p.Package.Moved()
	for _, cell := range slices.Sorted(slices.Values(p.Cells)) {
		at := b.Cells()[cell]
		switch i := slices.Index(p.Cells, cell); {
		case moves && i == from:
			e.From = &at
		case moves && i == to:
			e.To = &at
		case p.Package.Cleared()>>i&1 == 1:
			e.Cleared = append(e.Cleared, at)
		case p.Package.Start>>i&1 == 1:
			e.Catalyst.Pegs = append(e.Catalyst.Pegs, at)
		default:
			e.Catalyst.Holes = append(e.Catalyst.Holes, at)
		}
	}
	return e
}

// inBlock returns the placement of a package on its own block.
func inBlock(p *purges.Package) *purges.Placement {
	all := &purges.Placement{Package: p}
	for cell := range p.Block.Cells() {
		all.Cells = append(all.Cells, cell)
	}
	return all
}

// packageRoute returns the jumps of a package.
func packageRoute(p *purges.Package) *ask.Route {
	r := &ask.Route{Positions: []string{p.Text(p.Start)}}
	addJumps(r, p.Block, p.Start, jumpNumbers(p.Block, p.Jumps), p.Text)
	return r
}

// packageDrawing draws a package on a board before its jumps, with the pegs marked that it clears, and an
// arrow for a peg that it moves.
func packageDrawing(b *board.Board, before board.Position, p *purges.Placement) draw.Position {
	d := draw.Position{Board: b, Pattern: board.Pattern{Pegs: before}}
	for i, cell := range p.Cells {
		d.Taken |= p.Package.Cleared() >> i & 1 << cell
	}
	if from, to, ok := p.Package.Moved(); ok {
		d.Moved = &[2]int{p.Cells[from], p.Cells[to]}
	}
	return d
}

// startDrawing draws a package at the start.
func startDrawing(p *purges.Package) draw.Position {
	return packageDrawing(p.Block, p.Start, inBlock(p))
}

// show writes one package.
func (o *purgesOptions) show(cmd *cobra.Command, p *purges.Package) error {
	return o.Answer(cmd, func() error {
		switch o.Format {
		case "csv":
			return o.WriteWhole(cmd, func(w io.Writer) error { return purges.Write(w, []*purges.Package{p}) })
		case "txt":
			return o.WriteWhole(cmd, func(w io.Writer) error { return o.describe(w, p) })
		}
		film, err := draw.NewFilm(p.Block, p.Start, jumpNumbers(p.Block, p.Jumps))
		if err != nil {
			return err
		}
		o.Title = p.Name
		return o.Write(cmd, film.Strip(), film)
	}, func() any { return newLibraryAnswer(p) })
}

// describe describes a package for people.
func (o *purgesOptions) describe(w io.Writer, p *purges.Package) error {
	at := func(cell int) string { return o.cells().Cell(p.Block.Cells()[cell]) }
	fmt.Fprintf(w, "%s: clears %s in a block of %s", p.Name, cli.Count(uint64(len(p.Jumps)), "peg"), cli.Count(uint64(len(p.Block.Cells())), "cell"))
	if from, to, ok := p.Moved(); ok {
		fmt.Fprintf(w, ", and moves a peg from %s to %s", at(from), at(to))
	}
	if p.Split > 0 {
		fmt.Fprintf(w, "; splits after %s", cli.Count(uint64(p.Split), "jump"))
	}
	fmt.Fprint(w, "\n\n")
	start, goal := startDrawing(p), draw.Position{Board: p.Block, Pattern: board.Pattern{Pegs: p.Goal}}
	err := render.Text(w, []render.Panel{{Drawing: start, Caption: "start"}, {Drawing: goal, Caption: "goal"}}, 2, render.Style{})
	if err != nil {
		return err
	}
	fmt.Fprintln(w)
	r := packageRoute(p)
	r.Cells = o.cells()
	return r.WriteText(w)
}
