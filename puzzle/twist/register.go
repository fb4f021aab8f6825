package twist

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"pagoda/puzzle"
	"pagoda/statespace"
)

// metricOption is the option that says what counts as a move.
const metricOption = "metric"

// Family returns the family.
func Family() *puzzle.Family {
	return &puzzle.Family{
		Name:  FamilyName,
		About: "permutation puzzles",
		Naming: `twist/2x2x2, twist/pyraminx, twist/topspin-12-4 and twist/pancake-9 are puzzles
whose moves permute and turn pieces. In twist/2x2x2@turns a move is a turn by
one step; else all multiples of a turn are moves.`,
		Writing: `The pieces at the places of a set, such as 2,1+2,3: their kinds, and how much
they are turned, with / between sets. Or moves from the solved state, such as
'R U2 R3' or "R U' F2".`,
		Examples: map[string][]string{
			"run":  {"twist/2x2x2"},
			"path": {"twist-2x2x2.reach 'R U F2 R'"},
		},
		Entries: entries,
		Options: []puzzle.Option{{Name: metricOption, Usage: "what counts as a move: moves with all their multiples, or turns by one step (default moves)",
			Values: []string{movesMetric, turnsMetric}}},
		Lookup: lookup,
		Define: Define,
	}
}

// lookup returns the space of a name.
func lookup(ctx context.Context, name string, o puzzle.Choice) (statespace.Space, error) {
	base, metric, _ := strings.Cut(name, "@")
	p, err := find(strings.TrimPrefix(base, FamilyName+"/"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if p == nil {
		return nil, statespace.ErrUnknown
	}
	metric, base, err = inMetric(base, metric, o.Options[metricOption])
	if err != nil {
		return nil, err
	}
	s, err := New(ctx, base, p, metric, o.Memory)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// inMetric returns the metric, and the name with it. The metric comes from the name, behind an @, or was chosen by a
// flag. Either may be empty.
func inMetric(name, metric, chosen string) (string, string, error) {
	if metric != "" && chosen != "" && chosen != metric {
		return "", name, fmt.Errorf("%s@%s names its metric, and --metric is %s: give one of them", name, metric, chosen)
	}
	switch metric = cmp.Or(metric, chosen, movesMetric); metric {
	case movesMetric:
		return metric, name, nil
	case turnsMetric:
		return metric, name + "@" + metric, nil
	}
	return "", name, fmt.Errorf("%s: permutation puzzles have no metric %.40q: expected %s or %s", name, metric, movesMetric, turnsMetric)
}
