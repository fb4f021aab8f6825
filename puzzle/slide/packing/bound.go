package packing

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// atLeast returns a lower bound of the number of placements, or MaxPlacements+1 if there are more.
// It goes through a part of the graph of the numbering: for each cell it goes on from the nodes to
// which most paths lead, as many as the beam is wide. So it takes little time and memory, however
// large the graph is. Pieces that have the same places are as one kind in that graph, and the
// ways to tell them apart come in addition. So the bound is exact where that graph is small.
func atLeast(ctx context.Context, p *tray.Puzzle, beam int) (uint64, error) {
	b, ways := newMerged(p)
	counts := make([]map[key]uint64, len(b.byEnd)) // paths to nodes, by the first cell that is not decided
	add := func(k key, n uint64) {
		cell := bits.TrailingZeros64(^k.decided)
		if counts[cell] == nil {
			counts[cell] = make(map[key]uint64)
		}
		counts[cell][k] = min(counts[cell][k]+n, MaxPlacements+1)
	}
	add(b.first(), 1)
	for cell := range len(counts) - 1 {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		for _, k := range widest(counts[cell], beam) {
			n := counts[cell][k]
			if next := b.emptied(k, cell); next != k {
				add(next, n)
			}
			for kind := range b.radix {
				if next := b.placed(k, kind, cell); next != k {
					add(next, n)
				}
			}
		}
		counts[cell] = nil
	}
	n := uint64(0)
	for _, paths := range counts[len(counts)-1] {
		n += paths
	}
	if high, low := bits.Mul64(n, ways); high == 0 && low <= MaxPlacements {
		return low, nil
	}
	return MaxPlacements + 1, nil
}

// newMerged returns a builder for which all pieces with the same places are of one kind, and in how
// many ways the pieces of a placement can be told apart, or MaxPlacements+1 if there are more.
func newMerged(p *tray.Puzzle) (b *builder, ways uint64) {
	b, ways = &builder{p: p}, 1
	for _, k := range newBuilder(p).kinds {
		i := slices.IndexFunc(b.kinds, func(m builtKind) bool { return slices.Equal(m.masks, k.masks) })
		if i < 0 {
			b.kinds = append(b.kinds, k)
			continue
		}
		m, choices := &b.kinds[i], uint64(1) // of the pieces of this kind among those of the same places
		for n := range k.pieces {
			m.pieces++
			choices = min(choices*m.pieces/(n+1), MaxPlacements+1)
		}
		if high, low := bits.Mul64(ways, choices); high > 0 || low > MaxPlacements {
			ways = MaxPlacements + 1
		} else {
			ways = low
		}
	}
	b.begin()
	return b, ways
}

// widest returns the keys to which most paths lead, up to a number of them.
func widest(counts map[key]uint64, most int) []key {
	keys := make([]key, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	if len(keys) > most {
		slices.SortFunc(keys, func(a, b key) int {
			return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.decided, b.decided), cmp.Compare(a.left, b.left))
		})
		keys = keys[:most]
	}
	return keys
}
