package slide

import (
	"context"
	"fmt"
	"strings"

	"pagoda/internal/suggest"
	"pagoda/puzzle"
	"pagoda/puzzle/slide/draw"
	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// Family returns the family.
func Family() *puzzle.Family {
	return &puzzle.Family{
		Name:  FamilyName,
		About: "sliding blocks",
		Naming: `slide/klotski is a puzzle of the library; spaces lists it. slide/n3x4 is the
n-puzzle of 3 rows and 4 columns. A puzzle in one line can stand behind slide/:
36 characters of Rush Hour, 1A9BF0C00, or the numbers of an n-puzzle.
@ and a metric say what counts as a move: slide/klotski@steps. A text draws the
tray, a letter for each cell of a piece, and below goal: where pieces are to go.`,
		Writing: `The tray in rows, separated by / or line ends, with a letter for each cell of
a piece and . for an empty one.`,
		Examples: map[string][]string{
			"run":    {"slide/klotski --metric steps"},
			"graph":  {"slide/dads -o dads.svg", "slide/klotski --theme dark -o klotski.png"},
			"bb":     {"slide/dads", "slide/klotski --metric steps --samples 100000"},
			"path":   {"slide-klotski.reach --goal"},
			"render": {"slide-klotski.reach BAAC/BAAC/DEEF/DghF/i..j -o klotski.png", "slide-klotski.reach --solution --goal -o klotski.gif"},
		},
		Entries: Entries,
		Fields:  fields(),
		Texts:   texts(),
		Options: []puzzle.Option{
			{Name: metricOption, Usage: "what counts as a move: " + suggest.Either(MetricNames()) + " (default moves)", Values: MetricNames()},
			{Name: goalOption, Usage: "go no farther than the nearest goal"},
			{Name: patternOption, Usage: "only these tiles of an n-puzzle, as 1,2,5", Form: "TILES"},
		},
		Lookup: lookup,
		Define: Define,
		Start:  StartOf,
		Reads:  formats.IsPuzzle,
		Read: func(ctx context.Context, name, text string, o puzzle.Choice) (statespace.Space, error) {
			p, err := formats.Parse(text)
			if err != nil {
				return nil, err
			}
			return spaceOf(ctx, name, p, o.Options[metricOption], o)
		},
		ReadAs: formats.ReadAs,
		Metric: metricOf,
		Drawer: draw.Drawer{},
		Page: &puzzle.Page{View: "slide", Title: "Sliding blocks", Edit: "edit", Play: newPlayer,
			Texts: "A Rush Hour board in 36 characters. A tray of sliding blocks, with a letter for each cell of a piece, and below the line goal: where they should go."},
	}
}

// metricOf is Family.Metric.
func metricOf(sp statespace.Space) (metric string, length int, states uint64) {
	s := sp.(interface {
		Puzzle() *tray.Puzzle
		Metric() tray.Metric
	})
	if !s.Metric().Super() { // where several pieces move at once, more may be reached
		states = s.Puzzle().States
	}
	return s.Metric().String(), s.Puzzle().Lengths[s.Metric()], states
}

// The options of a space.
const (
	metricOption  = "metric"
	goalOption    = "goal"
	patternOption = "pattern"
)

// MetricNames returns the names of all metrics.
func MetricNames() (names []string) {
	for m := range tray.Metric(tray.Metrics) {
		names = append(names, m.String())
	}
	return names
}

// Named returns the puzzle of a name: one of the library, or slide/ and a puzzle in one line, such as the 36 characters
// of a Rush Hour board.
func Named(name string) (*tray.Puzzle, error) {
	if line, ok := strings.CutPrefix(name, library.Prefix); ok && formats.IsLine(line) {
		p, err := formats.Parse(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return p, nil
	}
	return library.Lookup(name)
}

// lookup returns the space of a name, which may end in @ and a metric.
func lookup(ctx context.Context, name string, o puzzle.Choice) (statespace.Space, error) {
	base, metric, given := strings.Cut(name, "@")
	base, tiles := cutPattern(base)
	p, err := Named(base)
	if err != nil {
		return nil, err
	}
	chosen := o.Options[metricOption]
	if given && chosen != "" && chosen != metric {
		return nil, fmt.Errorf("%s names its metric, and --metric is %s: give one of them", name, chosen)
	}
	if !given {
		metric = chosen
	}
	if tiles != "" {
		return asSpace(NewPattern(base, p, tiles))
	}
	return spaceOf(ctx, base, p, metric, o)
}

// spaceOf returns the space of a puzzle in a metric; empty is moves.
func spaceOf(ctx context.Context, name string, p *tray.Puzzle, metric string, o puzzle.Choice) (statespace.Space, error) {
	if tiles := o.Options[patternOption]; tiles != "" {
		return asSpace(NewPattern(name, p, tiles))
	}
	m := tray.Moves
	if metric != "" {
		var err error
		if m, err = tray.ParseMetric(metric); err != nil {
			return nil, fmt.Errorf("%s: %w%s", name, err, suggest.Question(metric, MetricNames()))
		}
	}
	if m != tray.Moves {
		name += "@" + m.String()
	}
	sp, err := New(ctx, name, p, m, o.Options[goalOption] != "", o.Memory)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return sp, nil
}
