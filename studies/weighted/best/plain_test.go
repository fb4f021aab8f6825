package best

import (
	"cmp"
	"context"
	"slices"

	"pagoda/internal/mapped"
	"pagoda/puzzle/peg/board"
	"pagoda/studies/weighted"
)

// A plainPosition is a position of a plain beam.
type plainPosition struct {
	at         []kind
	cost, left int64
	last       int32
	before     *plainPosition
	jump       uint32
}

// A plainBranch is a jump from a position, and the score after it.
type plainBranch struct {
	score  int64
	hash   uint64
	before *plainPosition
	jump   uint32
}

// plainBeam is a beam search that knows nothing but scores: after each number of jumps it keeps as many
// positions as the width says, those of the least scores. It returns the jumps up to the least score.
// With a width of 1 it is greedy. When ctx ends, it returns the best game so far and the cause.
func plainBeam(ctx context.Context, g *weighted.Game, width, threads int) ([]board.Jump, error) {
	f, err := newField(g)
	if err != nil {
		return nil, err
	}
	now := []*plainPosition{{at: f.start, left: f.total, last: -1}}
	best := now[0]
	for len(now) > 0 && err == nil {
		const part = 256
		parts := make([][]plainBranch, (len(now)+part-1)/part)
		err = mapped.Each(ctx, threads, uint64(len(parts)), func(i uint64) error {
			for _, p := range now[i*part : min(int(i+1)*part, len(now))] {
				parts[i] = p.branches(f, parts[i])
			}
			return nil
		})
		if err != nil {
			break
		}
		all := slices.Concat(parts...)
		slices.SortStableFunc(all, func(a, b plainBranch) int { return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.hash, b.hash)) })
		all = slices.CompactFunc(all, func(a, b plainBranch) bool { return a.hash == b.hash })
		now = make([]*plainPosition, min(width, len(all)))
		for i := range now {
			if now[i] = all[i].position(f); all[i].score < best.cost+best.left {
				best = now[i]
			}
		}
	}
	var jumps []uint32
	for p := best; p.before != nil; p = p.before {
		jumps = append(jumps, p.jump)
	}
	slices.Reverse(jumps)
	return f.gameOf(jumps), err
}

// branches adds the jumps from a position.
func (p *plainPosition) branches(f *field, to []plainBranch) []plainBranch {
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
		to = append(to, plainBranch{score, hash ^ f.hash(h.from, peg) ^ f.hash(h.over, over) ^ f.hash(h.to, peg) ^ f.lastHash(h.to), p, uint32(j)})
	}
	return to
}

// position returns the position after the jump.
func (b plainBranch) position(f *field) *plainPosition {
	h := f.jumps[b.jump]
	p := &plainPosition{at: slices.Clone(b.before.at), left: b.before.left - f.weights[b.before.at[h.over]], last: h.to, before: b.before, jump: b.jump}
	p.cost = b.score - p.left
	h.make(p.at)
	return p
}
