package paths

import (
	"context"
	"fmt"

	"pagoda/bitset"
	"pagoda/statespace"
)

// FewestMoves returns a path from the roots to a state with the fewest moves, and how many moves
// it has if moves of the same piece in a row count as one. Places returns the places, below 64,
// from which and to which a move takes its piece, and image is statespace.Sweep.PlaceImage; it is
// needed if there are symmetries. The other arguments and the errors are those of Count.
func FewestMoves(ctx context.Context, sp statespace.Space, places func(move int) (from, to int), image func(i, place int) int,
	symmetries []Symmetry, between *bitset.Set, to statespace.Index, memory uint64, threads int, progress *statespace.Progress) (moves int, path statespace.Path, err error) {
	// For each state the table keeps the fewest moves from it to the end, plus 1, or 0 if
	// there are none, and the places from which such a path can start. A move before them
	// costs nothing if it ends at one of these places, and counts as one otherwise. No other
	// path from the state can be cheaper, even if it continues the move for nothing.
	cost := func(of []uint64, move, by int) (n, start uint64) {
		from, to := places(move)
		if by >= 0 { // the places of the representative are the images of those of the state
			to = image(symmetries[by].number, to)
		}
		return of[0] + 1 - of[1]>>to&1, 1 << from
	}
	least := func(best, of []uint64, move, by int) bool {
		if of[0] == 0 {
			return true
		}
		n, start := cost(of, move, by)
		if best[0] == 0 || n < best[0] {
			best[0], best[1] = n, start
		} else if n == best[0] {
			best[1] |= start
		}
		return true
	}
	t, err := tabulate(ctx, sp, symmetries, between, to, []uint64{1, 0}, least, memory, threads, progress)
	if err != nil {
		return 0, path, err
	}
	fewest := ^uint64(0)
	for _, root := range sp.Roots() {
		if words, _ := t.get(root); words != nil && words[0] > 0 && words[0] < fewest {
			fewest, path.From = words[0], root
		}
	}
	if fewest == ^uint64(0) {
		return 0, path, fmt.Errorf("%s: %w", sp.Format(to), statespace.ErrNoPath)
	}
	place := -1
	for x := path.From; x != to; {
		// Among the best moves, prefer one that continues with the same piece.
		words, _ := t.get(x)
		best := words[0]
		next := statespace.Edge{Move: -1}
		for _, e := range sp.Successors(nil, x) {
			words, by := t.get(e.To)
			if words == nil || words[0] == 0 {
				continue
			}
			from, _ := places(e.Move)
			if n, _ := cost(words, e.Move, by); n == best && (next.Move < 0 || from == place) {
				next = e
			}
		}
		x = next.To
		path.Steps = append(path.Steps, statespace.Step{Move: next.Move, State: x})
		_, place = places(next.Move)
	}
	return int(fewest) - 1, path, nil
}
