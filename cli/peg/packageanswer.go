package peg

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"math/big"
	"math/bits"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/internal/amount"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/draw"
	"pagoda/render"
	"pagoda/statespace"
	"pagoda/studies/packages"
)

// A packageAnswer is a package in JSON.
type packageAnswer struct {
	Block     string         `json:"block"`
	Goal      string         `json:"goal"`
	Lattice   string         `json:"lattice"`
	Cells     int            `json:"cells"`
	States    uint64         `json:"states"`
	Jumps     uint64         `json:"jumps"`
	Sequences *big.Int       `json:"sequences"`
	Reason    string         `json:"reason,omitempty"` // why there are no states: start, goal, class or unreached
	Starts    packageEnds    `json:"starts"`
	Goals     packageEnds    `json:"goals"`
	Layers    []packageLayer `json:"layers"` // most pegs first
	Example   *ask.Route     `json:"example,omitempty"`
}

// A packageLayer is the positions with a number of pegs.
type packageLayer struct {
	Pegs   int    `json:"pegs"`
	States uint64 `json:"states"`
}

// packageEnds are the starts or the goals of a package.
type packageEnds struct {
	Count     uint64   `json:"count"`
	Usable    uint64   `json:"usable"`
	Positions []string `json:"positions"` // usable ones, up to a limit
}

func newPackageAnswer(p *packages.Package, most int) *packageAnswer {
	ends := func(e packages.Ends, usable iter.Seq[board.Position]) packageEnds {
		list := packageEnds{e.All, e.Usable, []string{}}
		for q := range usable {
			if len(list.Positions) == most {
				break
			}
			list.Positions = append(list.Positions, p.Board.FormatPosition(q))
		}
		return list
	}
	a := &packageAnswer{Block: p.Board.FormatPattern(p.Start), Goal: p.Board.FormatPattern(p.Goal), Lattice: p.Board.Lattice().String(),
		Cells: len(p.Board.Cells()), States: p.States, Jumps: p.Jumps, Sequences: p.Sequences, Layers: []packageLayer{},
		Starts: ends(p.Starts, p.UsableStarts()), Goals: ends(p.Goals, p.UsableGoals()), Example: exampleOf(p)}
	if p.States == 0 {
		a.Reason, _ = whyNone(p)
	}
	for _, l := range p.Layers {
		a.Layers = append(a.Layers, packageLayer{l.Layer, l.States})
	}
	return a
}

// whyNone says in a word and in a sentence why a package has no positions.
func whyNone(p *packages.Package) (word, sentence string) {
	broken := p.Broken()
	switch {
	case p.Starts.All == 0:
		return "start", "there is no start: a full block and an empty one allow no jump"
	case p.Goals.All == 0:
		return "goal", "there is no goal: no jump leads to a full block or to an empty one"
	case broken != 0:
		parity := []string{"even", "odd"}
		is := bits.OnesCount64(broken&p.Start.Pegs) % 2
		return "class", fmt.Sprintf("no start can reach a goal: on the marked cells of %s a start has an %s number of pegs, a goal an %s one, and no jump changes that",
			p.Board.FormatPosition(broken), parity[is], parity[1-is])
	}
	return "unreached", fmt.Sprintf("no start can reach a goal: %s and %s were tried", cli.Count(p.Starts.All, "start"), cli.Count(p.Goals.All, "goal"))
}

// exampleOf describes a sequence of a package, nil if it has none.
func exampleOf(p *packages.Package) *ask.Route {
	at, jumps, ok := p.Example()
	if !ok {
		return nil
	}
	r := &ask.Route{Moves: []fmt.Stringer{}, Positions: []string{p.Board.FormatPosition(at)}}
	addJumps(r, p.Board, at, jumps, p.Board.FormatPosition)
	return r
}

// write writes a package for people. When ctx ends, it stops soon and returns the cause.
func (o *packageOptions) write(ctx context.Context, to io.Writer, p *packages.Package, most int) error {
	if p.States == 0 {
		_, text := whyNone(p)
		_, err := fmt.Fprintln(to, text)
		return err
	}
	w := bufio.NewWriter(to) // there can be millions of starts
	fmt.Fprintf(w, "%s, %s, %s\n", cli.Count(p.States, "position"), cli.Count(p.Jumps, "jump"), amount.Commas(p.Sequences, "sequence"))
	for _, ends := range []struct {
		what   string
		n      packages.Ends
		usable iter.Seq[board.Position]
	}{{"start", p.Starts, p.UsableStarts()}, {"goal", p.Goals, p.UsableGoals()}} {
		fmt.Fprintf(w, "\n%s of %s usable\n\n", amount.Comma(ends.n.Usable), cli.Count(ends.n.All, ends.what))
		for all := range chunks(ends.usable, most, render.MaxPanels) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := render.Text(w, drawnPanels(p.Board, all), 0, render.Style{}); err != nil {
				return err
			}
		}
		if uint64(most) < ends.n.Usable {
			fmt.Fprintln(w, "\nmore exist: --limit 0 draws all")
		}
	}
	r := exampleOf(p)
	r.Cells = o.cells()
	if len(r.Moves) > 0 {
		fmt.Fprint(w, "\none sequence\n\n")
		if err := r.WriteText(w); err != nil {
			return err
		}
	}
	return w.Flush()
}

// checkMemory returns an error if the positions of an answer in JSON take more memory than is allowed.
func checkMemory(p *packages.Package, most int, allowed uint64) error {
	n := min(p.Starts.Usable, uint64(most)) + min(p.Goals.Usable, uint64(most))
	// A position is a text, and part of the object, which is made in growing buffers.
	if need := n * uint64(32+6*len(p.Board.FormatPosition(0))); need > allowed {
		return &statespace.MemoryError{Name: "the answer", Need: need, Most: "for the usable starts and goals", Allowed: allowed, Instead: "choose a smaller --limit"}
	}
	return nil
}

// chunks yields the first positions, up to a limit, in slices of at most n.
func chunks(all iter.Seq[board.Position], most, n int) iter.Seq[[]board.Position] {
	return func(yield func([]board.Position) bool) {
		var chunk []board.Position
		for q := range all {
			if most--; most < 0 {
				break
			}
			if chunk = append(chunk, q); len(chunk) == n {
				if !yield(chunk) {
					return
				}
				chunk = nil
			}
		}
		if len(chunk) > 0 {
			yield(chunk)
		}
	}
}

// drawnPanels returns drawings of positions.
func drawnPanels(b *board.Board, all []board.Position) (panels []render.Panel) {
	for _, q := range all {
		d := draw.Position{Board: b, Pattern: board.Pattern{Pegs: q}}
		panels = append(panels, render.Panel{Drawing: d, Caption: d.Pegs()})
	}
	return panels
}
