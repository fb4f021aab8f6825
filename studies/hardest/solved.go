package hardest

import (
	"context"
	"math/bits"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// JustSolved counts the placements with the goal piece at an end from which it can make a step, by
// number of pieces. These are the ends that matter: a shortest solution leads to one of them.
// Turns and reflections count as others. Bickford's SBPFinder lists them. The error is a *LimitError
// if the count takes more than some bytes of memory.
func JustSolved(ctx context.Context, p *Problem, memory uint64) ([]uint64, error) {
	g, err := p.grid()
	if err != nil {
		return nil, err
	}
	ps, err := newPlaces(g, p, noBound)
	if err != nil {
		return nil, err
	}
	c := &counter{places: ps, ctx: ctx, most: int(memory / uint64(200+8*len(p.Board.Cells))), known: map[uint64][]uint64{0: {1}}}
	total := make([]uint64, bits.OnesCount64(g.open)+1)
	for i := range p.Goals {
		starts, ends := ps.placesOf(&p.Goals[i])
		for _, end := range ends {
			if !slices.ContainsFunc(starts, func(id int32) bool { return id != end }) {
				continue
			}
			for pieces, n := range c.free(end) {
				total[pieces+1] += n
			}
		}
	}
	least, most := max(1, p.MinPieces), len(total)-1
	if p.MaxPieces > 0 {
		most = min(most, p.MaxPieces)
	}
	for pieces := range total {
		if pieces < least || pieces > most {
			total[pieces] = 0
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(c.known) > c.most {
		return nil, &LimitError{What: "the placements that are just solved", Bytes: memory, Memory: memory}
	}
	return total, nil
}

// A counter counts how pieces can lie in some cells.
type counter struct {
	*places
	ctx   context.Context
	most  int // sets that may be known
	known map[uint64][]uint64
}

// free returns the number of placements of other pieces that leave a place free to make a step, by
// their number.
func (c *counter) free(end int32) (total []uint64) {
	var targets []uint64 // cells that a step needs
	at := &c.all[end]
	for _, s := range c.steps {
		if axis := c.forms[at.shape].axis; axis == tray.Free || axis == s.axis {
			if to := c.moved(at.mask, s); to != 0 {
				targets = append(targets, to&^at.mask)
			}
		}
	}
	total = make([]uint64, bits.OnesCount64(c.open))
	for set := 1; set < 1<<len(targets); set++ { // inclusion and exclusion
		needed := uint64(0)
		for i, target := range targets {
			if set>>i&1 != 0 {
				needed |= target
			}
		}
		for pieces, n := range c.fillings(c.open &^ at.mask &^ needed) {
			if bits.OnesCount(uint(set))%2 == 1 {
				total[pieces] += n
			} else {
				total[pieces] -= n
			}
		}
	}
	return total
}

// fillings returns the number of ways to put pieces into some cells, by their number.
func (c *counter) fillings(cells uint64) []uint64 {
	if ways, ok := c.known[cells]; ok || c.ctx.Err() != nil || len(c.known) > c.most {
		return ways
	}
	ways := slices.Clone(c.fillings(cells & (cells - 1)))
	if ways == nil { // the context or the memory has ended
		return nil
	}
	for _, id := range c.byFirst[bits.TrailingZeros64(cells)] {
		at := &c.all[id]
		if at.mask&^cells != 0 || !c.forms[at.shape].free {
			continue
		}
		for pieces, n := range c.fillings(cells &^ at.mask) {
			if pieces+1 == len(ways) {
				ways = append(ways, 0)
			}
			ways[pieces+1] += n
		}
	}
	c.known[cells] = ways
	return ways
}
