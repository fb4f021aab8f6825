package twist

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"pagoda/internal/amount"
	"pagoda/internal/lists"
	"pagoda/puzzle"
	"pagoda/puzzle/twist/definition"
	"pagoda/statespace"
)

// metricOption is the option that says what counts as a move.
const metricOption = "metric"

// Family returns the family.
func Family() *puzzle.Family {
	return &puzzle.Family{
		Name:  FamilyName,
		About: "permutation puzzles",
		Exact: true,
		Naming: `twist/2x2x2, twist/pyraminx, twist/topspin-12-4 and twist/pancake-9 are puzzles
whose moves permute and turn pieces. In twist/2x2x2@turns a move is a turn by
one step; else all multiples of a turn are moves.`,
		Writing: `The pieces at the places of a set, such as 2,1+2,3: their kinds, and how much
they are turned, with / between sets. Or moves from the solved state, such as
'R U2 R3' or "R U' F2".`,
		Examples: map[string][]string{
			"run":  {"twist/2x2x2", "rings.txt --metric turns"},
			"path": {"twist-2x2x2.reach 'R U F2 R'"},
		},
		Entries: entries,
		Options: []puzzle.Option{{Name: metricOption, Usage: "what counts as a move: moves with all their multiples, or turns by one step (default moves)",
			Values: []string{movesMetric, turnsMetric}}},
		Lookup: lookup,
		Define: Define,
		Reads:  definition.Is,
		Read:   read,
		ReadAs: readAs,
		Metric: func(sp statespace.Space) (string, int, uint64) {
			return sp.(interface{ Metric() string }).Metric(), 0, 0
		},
	}
}

// lookup returns the space of a name.
func lookup(ctx context.Context, name string, o puzzle.Choice) (statespace.Space, error) {
	base, metric, _ := strings.Cut(name, "@")
	p, err := find(strings.TrimPrefix(base, FamilyName+"/"))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case p == nil:
		return nil, statespace.ErrUnknown
	}
	return inMetric(ctx, p, base, metric, o)
}

// read returns the space of the puzzle that a text defines.
func read(ctx context.Context, name, text string, o puzzle.Choice) (statespace.Space, error) {
	p, err := definition.Parse(text)
	if err != nil {
		return nil, err
	}
	return inMetric(ctx, p, name, "", o)
}

// readAs says how a text is read.
func readAs(text string) (as string, chosen bool) {
	p, err := definition.Parse(text)
	if err != nil {
		return "", false
	}
	places := lists.SumOf(p.Sets, func(set definition.Set) int { return set.Places })
	return fmt.Sprintf("a permutation puzzle of %s in %s, %s", amount.Of(places, "piece"), amount.Of(len(p.Sets), "set"), amount.Of(len(p.Moves), "move")), false
}

// inMetric returns the space of a puzzle. The metric comes from the name, behind an @, or was chosen by a flag. Either may
// be empty.
func inMetric(ctx context.Context, p *definition.Puzzle, name, metric string, o puzzle.Choice) (statespace.Space, error) {
	chosen := o.Options[metricOption]
	if metric != "" && chosen != "" && chosen != metric {
		return nil, fmt.Errorf("%s@%s names its metric, and --metric is %s: give one of them", name, metric, chosen)
	}
	switch metric = cmp.Or(metric, chosen, movesMetric); metric {
	case movesMetric:
	case turnsMetric:
		name += "@" + metric
	default:
		return nil, fmt.Errorf("%s: permutation puzzles have no metric %.40q: expected %s or %s", name, metric, movesMetric, turnsMetric)
	}
	s, err := New(ctx, name, p, metric, o.Memory)
	if err != nil {
		return nil, err
	}
	return s, nil
}
