package best

import (
	"cmp"
	"context"
	"slices"

	"pagoda/statespace/peg/board"
	"pagoda/statespace/peg/weighted"
)

// Greedy plays the jump after which the score is least, until there is none. It returns the jumps up to
// the least score.
func Greedy(g *weighted.Game) ([]board.Jump, error) {
	return PlainBeam(context.Background(), g, 1)
}

// PlainBeam is a beam search that knows nothing but scores: after each number of jumps it keeps as many
// positions as the width says, those of the least scores. It returns the jumps up to the least score.
// When ctx ends, it returns the best game so far and the cause.
func PlainBeam(ctx context.Context, g *weighted.Game, width int) ([]board.Jump, error) {
	f, err := newField(g)
	if err != nil {
		return nil, err
	}
	type position struct {
		at         []kind
		cost, left int64
		last       int32
		before     *position
		jump       uint32
	}
	type branch struct {
		score  int64
		hash   uint64
		before *position
		jump   uint32
	}
	now := []*position{{at: f.start, left: f.total, last: -1}}
	best := now[0]
	for len(now) > 0 && ctx.Err() == nil {
		var all []branch
		for _, p := range now {
			hash := f.hashOf(p.at, -1)
			for j, h := range f.jumps {
				if !h.can(p.at) {
					continue
				}
				peg, over := p.at[h.from], p.at[h.over]
				score := p.cost + p.left - f.weights[over]
				if h.from != p.last {
					score += f.weights[peg]
				}
				all = append(all, branch{score, hash ^ f.hash(h.from, peg) ^ f.hash(h.over, over) ^ f.hash(h.to, peg) ^ f.lastHash(h.to), p, uint32(j)})
			}
		}
		slices.SortStableFunc(all, func(a, b branch) int { return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.hash, b.hash)) })
		all = slices.CompactFunc(all, func(a, b branch) bool { return a.hash == b.hash })
		now = nil
		for _, b := range all[:min(width, len(all))] {
			h := f.jumps[b.jump]
			p := &position{at: slices.Clone(b.before.at), left: b.before.left - f.weights[b.before.at[h.over]], last: h.to, before: b.before, jump: b.jump}
			p.cost = b.score - p.left
			h.make(p.at)
			if now = append(now, p); b.score < best.cost+best.left {
				best = p
			}
		}
	}
	var jumps []uint32
	for p := best; p.before != nil; p = p.before {
		jumps = append(jumps, p.jump)
	}
	slices.Reverse(jumps)
	return f.gameOf(jumps), context.Cause(ctx)
}
