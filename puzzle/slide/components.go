package slide

import (
	"context"

	"pagoda/bitset"
	"pagoda/internal/progress"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// A Component is positions that moves lead to from each other, among all placements of the pieces of a puzzle.
type Component struct {
	First    tray.Position // the one with the least number
	Diameter *Diameter     // without pairs
	Hardest  *Hardest
}

// FindComponents calls take with the components of all placements of the pieces of a puzzle, in the order of their first
// positions. If searches is not 0, it bounds the probes for each diameter, which may then be no more than a bound. The errors are
// those of FindHardestPlacement, and the first one of take. When ctx ends, FindComponents stops soon and returns the cause. Of the
// options, Memory and Threads count.
func FindComponents(ctx context.Context, p *tray.Puzzle, m tray.Metric, searches int, o Options, take func(*Component) error) error {
	e, err := explorePlacements(ctx, p, m, o)
	if err != nil {
		return err
	}
	e.pairless, e.searches = true, searches
	seen := bitset.New(e.numbers.Size())
	var done statespace.Progress
	done.Start(int64(seen.Len()))
	defer progress.Start(ctx, "finding components", seen.Len(), "placements", done.Read)()
	ctx = progress.With(ctx, nil)
	for x := range seen.Len() {
		if seen.Has(x) {
			continue
		}
		c := &Component{First: e.numbers.Unrank(x)}
		e.start = x
		reached, err := e.search(ctx, only(x), false)
		if err != nil {
			return err
		}
		for w := range seen.Words() {
			seen.Words()[w] |= reached.Marks().NotZero(uint64(w))
		}
		if c.Diameter, err = e.diameterOf(ctx, p, reached); err != nil {
			return err
		}
		if c.Hardest, err = e.findHardest(ctx); err != nil {
			return err
		}
		if err := take(c); err != nil {
			return err
		}
		done.Add(int64(c.Diameter.States))
	}
	return nil
}
