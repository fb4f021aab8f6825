package main

import (
	"context"

	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/answer"
	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/peg"
	"pagoda/statespace/slide"
)

// cells is a space whose states are drawn cell by cell, for questions with patterns.
type cells interface {
	statespace.Space
	// wishes begins a question for what is near.
	wishes() wishes
	// parse reads a pattern in which ? is a cell that may be anything; visit and count
	// are about the members that agree with it.
	parse(text string) (chosen, error)
	all() chosen
	// member is what commands print of a state as JSON.
	member(x statespace.Index) any
}

// wishes are targets, of which the nearest counts.
type wishes interface {
	parseWeights(text string) (*statespace.Weights, error)
	// add adds a target: the sum of the distances from patterns.
	add(weights []uint64, patterns ...string) error
	// farthest returns a distance from so many patterns that nothing exceeds.
	farthest(weights []uint64, patterns int) (uint64, error)
	near(ctx context.Context, members bitset.Reader, within uint64, limit int) (found []statespace.Match, complete bool, err error)
}

// chosen is members that are picked by a pattern.
type chosen interface {
	// open reports whether the pattern says nothing of any cell.
	open() bool
	visit(ctx context.Context, members bitset.Reader, take func(first, members uint64) bool) error
	count(ctx context.Context, f *layers.File) (uint64, error)
}

// openCells opens a file of states for a question about their cells. Only of peg boards,
// members are picked by the number of pegs as well.
func openCells(cmd *cobra.Command, arg string, pegs *pegRange) (*layers.File, cells, error) {
	f, sp, err := cli.OpenFile(cli.Pattern(arg))
	if err != nil {
		return nil, nil, err
	}
	c := cellsOf(sp, pegs.PegRange)
	switch {
	case c == nil:
		err = cli.Usagef("%s asks about cells; %s has none", cmd.CommandPath(), sp.Name())
	case cmd.Flags().Changed("pegs") && !isPeg(sp):
		err = cli.Usagef("--pegs is for peg boards; %s holds %s", f.Path(), sp.Name())
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, c, nil
}

func isPeg(sp statespace.Space) bool {
	_, ok := sp.(*peg.Space)
	return ok
}

// cellsOf returns the cells of a space, or nil.
func cellsOf(sp statespace.Space, pegs peg.PegRange) cells {
	switch sp := sp.(type) {
	case *peg.Space:
		return pegCells{sp, pegs}
	case *slide.Space:
		return slideCells{sp}
	}
	return nil
}

// pegCells are those of a peg board.
type pegCells struct {
	*peg.Space
	pegs peg.PegRange
}

func (c pegCells) wishes() wishes                { return &pegWishes{pegCells: c} }
func (c pegCells) member(x statespace.Index) any { return newMember(c.Space, x) }
func (c pegCells) all() chosen                   { return pegChosen{c, peg.Pattern{Any: c.Board().Full()}} }

func (c pegCells) parse(text string) (chosen, error) {
	p, err := parsePattern(c.Space, text)
	return pegChosen{c, p}, err
}

type pegWishes struct {
	pegCells
	targets []*peg.Target
}

func (w *pegWishes) parseWeights(text string) (*statespace.Weights, error) {
	return w.Board().ParseWeights(text)
}

func (w *pegWishes) add(weights []uint64, texts ...string) error {
	var patterns []peg.Pattern
	for _, text := range texts {
		p, err := parsePattern(w.Space, text)
		if err != nil {
			return err
		}
		patterns = append(patterns, p)
	}
	t, err := w.Board().NewTarget(weights, patterns...)
	w.targets = append(w.targets, t)
	return cli.UsageError(err)
}

func (w *pegWishes) farthest(weights []uint64, patterns int) (uint64, error) {
	t, err := w.Board().NewTarget(weights, make([]peg.Pattern, patterns)...)
	if err != nil {
		return 0, cli.UsageError(err)
	}
	return t.Farthest(), nil
}

func (w *pegWishes) near(ctx context.Context, members bitset.Reader, within uint64, limit int) ([]statespace.Match, bool, error) {
	return w.Near(ctx, members, peg.NearQuery{Targets: w.targets, Within: within, Limit: limit, Pegs: w.pegs})
}

type pegChosen struct {
	pegCells
	pattern peg.Pattern
}

func (c pegChosen) open() bool { return c.pattern.Any == c.Board().Full() }

func (c pegChosen) visit(ctx context.Context, members bitset.Reader, take func(first, members uint64) bool) error {
	return c.Visit(ctx, members, c.pattern, c.pegs, take)
}

func (c pegChosen) count(ctx context.Context, f *layers.File) (n uint64, err error) {
	if !c.open() {
		return c.Count(ctx, f.Members(), c.pattern, c.pegs)
	}
	for _, l := range f.Meta().Layers { // the file tells it
		if c.pegs.Holds(l.Layer) {
			n += l.States
		}
	}
	return n, nil
}

// slideCells are those of a tray.
type slideCells struct{ *slide.Space }

func (c slideCells) wishes() wishes                { return &slideWishes{slideCells: c} }
func (c slideCells) member(x statespace.Index) any { return slideMember{c.Format(x)} }
func (c slideCells) all() chosen                   { return slideChosen{c, c.Puzzle().OpenPattern()} }

func (c slideCells) parse(text string) (chosen, error) {
	p, err := c.pattern(text)
	return slideChosen{c, p}, err
}

func (c slideCells) pattern(text string) (slide.Pattern, error) {
	p, err := c.Puzzle().ParsePattern(text)
	if err != nil {
		return nil, answer.BadPattern(text, err)
	}
	return p, nil
}

type slideMember struct {
	Pattern string `json:"pattern"`
}

type slideWishes struct {
	slideCells
	targets []*slide.Target
}

func (w *slideWishes) parseWeights(text string) (*statespace.Weights, error) {
	return w.Puzzle().ParseWeights(text)
}

func (w *slideWishes) add(weights []uint64, texts ...string) error {
	var patterns []slide.Pattern
	for _, text := range texts {
		p, err := w.pattern(text)
		if err != nil {
			return err
		}
		patterns = append(patterns, p)
	}
	t, err := w.Puzzle().NewTarget(weights, patterns...)
	w.targets = append(w.targets, t)
	return cli.UsageError(err)
}

func (w *slideWishes) farthest(weights []uint64, patterns int) (uint64, error) {
	var all []slide.Pattern
	for range patterns {
		all = append(all, make(slide.Pattern, w.Puzzle().Cells()))
	}
	t, err := w.Puzzle().NewTarget(weights, all...)
	if err != nil {
		return 0, cli.UsageError(err)
	}
	return t.Farthest(), nil
}

func (w *slideWishes) near(ctx context.Context, members bitset.Reader, within uint64, limit int) ([]statespace.Match, bool, error) {
	return w.Near(ctx, members, slide.NearQuery{Targets: w.targets, Within: within, Limit: limit})
}

type slideChosen struct {
	slideCells
	pattern slide.Pattern
}

func (c slideChosen) open() bool { return c.pattern.Open() }

func (c slideChosen) visit(ctx context.Context, members bitset.Reader, take func(first, members uint64) bool) error {
	return c.Visit(ctx, members, c.pattern, take)
}

func (c slideChosen) count(ctx context.Context, f *layers.File) (n uint64, err error) {
	if c.open() {
		return f.Meta().States, nil
	}
	return c.Count(ctx, f.Members(), c.pattern)
}
