package paths

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
)

// Fewest has the paths from the roots to a state with the fewest moves, where moves of the same piece
// in a row count as one.
type Fewest struct {
	// Moves is the number of moves of each of the paths.
	Moves int

	sp     statespace.Space
	to     statespace.Index
	places func(move int) (from, to int)
	image  func(i, place int) int
	// table keeps for each state the fewest moves from it to the end, plus 1, or 0 if there are
	// none, and the places from which such a path can start.
	table *table
	left  uint64 // bytes that Total may take
}

// FewestMoves finds the paths from the roots to a state with the fewest moves. Places returns the
// places, below 64, from which and to which a move takes its piece, and image is
// statespace.Sweep.PlaceImage; it is needed if there are symmetries. The other arguments and the
// errors are those of Count.
func FewestMoves(ctx context.Context, sp statespace.Space, places func(move int) (from, to int), image func(i, place int) int,
	symmetries []Symmetry, between *bitset.Set, to statespace.Index, memory uint64, threads int, progress *statespace.Progress) (*Fewest, error) {
	// A move costs nothing if the next one starts where it ends, and otherwise one. So a path that
	// is not the cheapest from a state is never needed: to continue a move saves one at most.
	least := func(best, of []uint64, move, by int) bool {
		if of[0] == 0 {
			return true
		}
		from, to := places(move)
		if by >= 0 { // the places of the representative are the images of those of the state
			to = image(symmetries[by].number, to)
		}
		n, start := of[0]+1-of[1]>>to&1, uint64(1)<<from
		if best[0] == 0 || n < best[0] {
			best[0], best[1] = n, start
		} else if n == best[0] {
			best[1] |= start
		}
		return true
	}
	t, err := tabulate(ctx, sp, symmetries, between, to, []uint64{1, 0}, least, memory, threads, progress)
	if err != nil {
		return nil, err
	}
	f := &Fewest{Moves: -1, sp: sp, to: to, places: places, image: image, table: t, left: memory - min(memory, 8*uint64(len(t.words)))}
	for _, root := range sp.Roots() {
		if n := f.from(root, noPlace); n >= 0 && (f.Moves < 0 || n < f.Moves) {
			f.Moves = n
		}
	}
	if f.Moves < 0 {
		return nil, fmt.Errorf("%s: %w", sp.Format(to), statespace.ErrNoPath)
	}
	return f, nil
}

// noPlace is where the last piece is at the beginning of a path.
const noPlace = -1

// from returns the fewest moves from a state to the end after a move that took a piece to a place. That
// move does not count, even if it is continued. It is -1 if no path leads to the end.
func (f *Fewest) from(x statespace.Index, place int) int {
	words, by := f.table.get(x)
	if words == nil || words[0] == 0 {
		return -1
	}
	n := int(words[0]) - 1
	if place == noPlace {
		return n
	}
	if by >= 0 {
		place = f.image(f.table.symmetries[by].number, place)
	}
	return n - int(words[1]>>place&1)
}

// A fewestNode is a state on a path, and the place to which the last move took its piece.
type fewestNode struct {
	state statespace.Index
	place int
}

// roots returns the nodes where the paths begin.
func (f *Fewest) roots() (all []fewestNode) {
	for _, root := range f.sp.Roots() {
		if f.from(root, noPlace) == f.Moves {
			all = append(all, fewestNode{root, noPlace})
		}
	}
	return all
}

// next yields the moves from a node with which a path has the fewest moves, and where they lead.
func (f *Fewest) next(at fewestNode) iter.Seq2[statespace.Edge, fewestNode] {
	return func(yield func(statespace.Edge, fewestNode) bool) {
		best := f.from(at.state, at.place)
		for _, e := range f.sp.Successors(nil, at.state) {
			from, to := f.places(e.Move)
			n := f.from(e.To, to)
			if from != at.place && n >= 0 {
				n++
			}
			if n == best && !yield(e, fewestNode{e.To, to}) {
				return
			}
		}
	}
}

// All yields the paths, which are at least one.
func (f *Fewest) All() iter.Seq[statespace.Path] {
	return func(yield func(statespace.Path) bool) {
		var steps []statespace.Step
		var walk func(root statespace.Index, at fewestNode) (more bool)
		walk = func(root statespace.Index, at fewestNode) bool {
			if at.state == f.to {
				return yield(statespace.Path{From: root, Steps: slices.Clone(steps)})
			}
			for e, next := range f.next(at) {
				steps = append(steps, statespace.Step{Move: e.Move, State: e.To})
				more := walk(root, next)
				steps = steps[:len(steps)-1]
				if !more {
					return false
				}
			}
			return true
		}
		for _, root := range f.roots() {
			if !walk(root.state, root) {
				return
			}
		}
	}
}

// nodeBytes is about what a node takes with its count.
const nodeBytes = 160

// Total counts the paths, layer by layer. The error is statespace.ErrMemory if that takes more than
// the memory of FewestMoves. When ctx ends, Total stops soon and returns the cause.
func (f *Fewest) Total(ctx context.Context) (*big.Int, error) {
	total, nodes := new(big.Int), uint64(0)
	of := f.sp.Parts().Layers
	ahead := make(map[int]map[fewestNode]*big.Int) // by layer
	add := func(at fewestNode, n *big.Int) {
		layer := of.Layer(at.state)
		if ahead[layer] == nil {
			ahead[layer] = make(map[fewestNode]*big.Int)
		}
		sum := ahead[layer][at]
		if sum == nil {
			sum = new(big.Int)
			ahead[layer][at] = sum
			nodes++
		}
		sum.Add(sum, n)
	}
	for _, root := range f.roots() {
		add(root, big.NewInt(1))
	}
	for len(ahead) > 0 {
		first, found := 0, false
		for layer := range ahead {
			if !found || layer < first != of.LayersFall() {
				first, found = layer, true
			}
		}
		layer := ahead[first]
		delete(ahead, first)
		for at, n := range layer {
			if at.state == f.to {
				total.Add(total, n)
				continue
			}
			for _, next := range f.next(at) {
				add(next, n)
			}
			if nodes*nodeBytes > f.left {
				return nil, fmt.Errorf("%w: to count the paths with the fewest moves takes more than %d bytes", statespace.ErrMemory, f.left)
			}
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
		}
		nodes -= uint64(len(layer))
	}
	return total, nil
}
