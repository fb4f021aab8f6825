package best

import (
	"cmp"
	"context"
	"slices"
)

// A beam plays a game jump by jump and keeps, after each number of jumps, the positions that promise most.
//
// What a position promises comes from a plan: pegs that could be removed where they stand, found by taking
// the heaviest first, as long as no region is among them. All others are assumed to cost their weight
// once more. After a jump, the plan is mended near the jump only. So the promise is close to the cover
// of the position, but faster, and it bounds nothing.
//
// A jump begins near the end of the jump before, if any can. Jumps far from each other can be exchanged,
// so this loses little, and the positions that are compared differ in what is near.
type beam[S set] struct {
	f    *field
	axes []axis[S]
	// place is the place of a cell, near are the cells beside those of a jump over it, reach
	// is the row and the column.
	place []int32
	near  [][]int32
	at    [][2]int32

	// Scratch: the positions after the last number of jumps, and after one more, and the branches that lead there.
	now, next front[S]
	branches  []branch
	chosen    []branch
	seen      map[uint64]bool
	loose     []int32
	steps     [][]backStep
}

// beamOptions say how a beam searches.
type beamOptions struct {
	width  int
	radius int32  // in rows and columns: how far from the end of a jump the next one may begin
	noise  uint64 // the most that chance adds to a promise, in units of 1/256
	seed   uint64
}

// A beamer plays games from a position on. It returns jumps after which the score is least, and counts
// the jumps that it looks at. When ctx ends, it returns what it has. It serves one goroutine.
type beamer interface {
	play(ctx context.Context, from []kind, o beamOptions) (jumps []uint32, work uint64)
}

func newBeamer(f *field) beamer {
	switch places := f.places(); {
	case places <= 64:
		return newBeam[[1]uint64](f)
	case places <= 128:
		return newBeam[[2]uint64](f)
	case places <= 256:
		return newBeam[[4]uint64](f)
	case places <= 512:
		return newBeam[[8]uint64](f)
	}
	return newBeam[[64]uint64](f)
}

// mendRadius is how far from the peg that is removed a plan is mended, in steps along the rows and
// columns.
const mendRadius = 2

func newBeam[S set](f *field) *beam[S] {
	b := &beam[S]{f: f, axes: axesOf[S](f), place: placesOf(f), seen: make(map[uint64]bool)}
	shape := f.game.Shape
	for _, c := range shape.Cells() {
		b.at = append(b.at, [2]int32{int32(c.Row), int32(c.Col)})
		var near []int32
		for dr := -mendRadius; dr <= mendRadius; dr++ {
			for dc := -mendRadius; dc <= mendRadius; dc++ {
				d := c
				d.Row += dr
				d.Col += dc
				if n, ok := shape.Number(d); ok && max(dr, -dr)+max(dc, -dc) <= mendRadius {
					near = append(near, int32(n))
				}
			}
		}
		b.near = append(b.near, near)
	}
	return b
}

// A front is the positions after some number of jumps. Position i has the kinds from i*cells on.
type front[S set] struct {
	kinds []kind
	spots []spot[S]
}

// A spot is what a position has besides its pegs.
type spot[S set] struct {
	plan       S
	hash       uint64 // of the pegs
	cost, left int64
	unplanned  int64 // weight of the pegs that are not in the plan
	last       int32 // the cell of the peg that jumped last, or -1
}

// A branch is a jump from a position of a front.
type branch struct {
	rank         int64 // lower is better
	hash         uint64
	before, jump uint32
}

// A backStep leads back.
type backStep struct{ before, jump uint32 }

// play implements beamer.
func (b *beam[S]) play(ctx context.Context, from []kind, o beamOptions) (jumps []uint32, work uint64) {
	root := spot[S]{hash: b.f.hashOf(from, -1), left: b.f.left(from), last: -1}
	root.plan, root.unplanned = b.plan(from)
	b.now.kinds = append(b.now.kinds[:0], from...)
	b.now.spots = append(b.now.spots[:0], root)
	best, depth, index := root.left, 0, uint32(0)
	for level := 1; len(b.now.spots) > 0 && ctx.Err() == nil; level++ {
		b.branches = b.branches[:0]
		for i := range b.now.spots {
			work += b.listFrom(uint32(i), o)
		}
		b.advance(level, o.width)
		for i, s := range b.now.spots {
			if score := s.cost + s.left; score < best {
				best, depth, index = score, level, uint32(i)
			}
		}
	}
	for ; depth > 0; depth-- {
		s := b.steps[depth-1][index]
		jumps, index = append(jumps, s.jump), s.before
	}
	slices.Reverse(jumps)
	return jumps, work
}

// advance makes the front after a number of jumps, of the best branches that lead to it.
func (b *beam[S]) advance(level, width int) {
	n := len(b.f.start)
	if len(b.steps) < level {
		b.steps = append(b.steps, nil)
	}
	steps := b.steps[level-1][:0]
	b.next.kinds, b.next.spots = b.next.kinds[:0], b.next.spots[:0]
	for _, c := range b.choose(b.branches, width) {
		steps = append(steps, backStep{c.before, c.jump})
		b.next.kinds = append(b.next.kinds, b.now.kinds[int(c.before)*n:int(c.before+1)*n]...)
		b.next.spots = append(b.next.spots, b.after(b.next.kinds[len(b.next.kinds)-n:], &b.now.spots[c.before], b.f.jumps[c.jump]))
	}
	b.steps[level-1] = steps
	b.now, b.next = b.next, b.now
}

// plan returns a plan of a position, and the weight of the pegs that are not in it.
func (b *beam[S]) plan(at []kind) (plan S, unplanned int64) {
	var cells []int32
	for cell, k := range at {
		if k != 0 {
			cells = append(cells, int32(cell))
			unplanned += b.f.weights[k]
		}
	}
	slices.SortStableFunc(cells, func(c, d int32) int { return cmp.Compare(at[d], at[c]) })
	return plan, unplanned - b.extend(&plan, at, cells)
}

// extend puts those pegs into a plan that fit, one after another, and returns their weight.
func (b *beam[S]) extend(plan *S, at []kind, cells []int32) (weight int64) {
	for _, c := range cells {
		w := b.f.weights[at[c]]
		if w <= 0 {
			continue // it costs nothing
		}
		with := *plan
		add(&with, int(b.place[c]))
		if isEmpty(peel(b.axes, with)) {
			*plan = with
			weight += w
		}
	}
	return weight
}

// listFrom lists the jumps from a position of the front, and returns their number.
func (b *beam[S]) listFrom(before uint32, o beamOptions) (count uint64) {
	n := len(b.f.start)
	at, s := b.now.kinds[int(before)*n:int(before+1)*n], &b.now.spots[before]
	if s.last >= 0 {
		centre := b.at[s.last]
		for cell, k := range at {
			if d := b.at[cell]; k != 0 && max(d[0]-centre[0], centre[0]-d[0], d[1]-centre[1], centre[1]-d[1]) <= o.radius {
				count += b.listOf(before, cell, at, s, o)
			}
		}
	}
	if count == 0 {
		for cell, k := range at {
			if k != 0 {
				count += b.listOf(before, cell, at, s, o)
			}
		}
	}
	return count
}

// listOf lists the jumps that begin in a cell.
func (b *beam[S]) listOf(before uint32, cell int, at []kind, s *spot[S], o beamOptions) (count uint64) {
	f := b.f
	for j := f.first[cell]; j < f.first[cell+1]; j++ {
		h := f.jumps[j]
		if !h.can(at) {
			continue
		}
		over := at[h.over]
		after := b.after(at, s, h)
		promise := after.cost + after.unplanned
		if !has(after.plan, int(b.place[after.last])) && f.canGoOn(at, after.last) {
			promise -= f.weights[at[after.last]]
		}
		h.unmake(at, over)
		c := branch{rank: promise << 8, hash: after.hash ^ f.lastHash(after.last), before: before, jump: uint32(j)}
		if o.noise > 0 {
			c.rank += int64(scramble(c.hash^o.seed) % o.noise)
		}
		b.branches = append(b.branches, c)
		count++
	}
	return count
}

// after makes a jump and returns what the position then has.
func (b *beam[S]) after(at []kind, s *spot[S], h hop) spot[S] {
	f := b.f
	peg, over := at[h.from], at[h.over]
	r := *s
	r.hash ^= f.hash(h.from, peg) ^ f.hash(h.over, over) ^ f.hash(h.to, peg)
	r.last = h.to
	if h.from != s.last {
		r.cost += f.weights[peg]
	}
	r.left -= f.weights[over]
	for _, c := range [2]int32{h.from, h.over} {
		if place := int(b.place[c]); has(r.plan, place) {
			remove(&r.plan, place)
		} else {
			r.unplanned -= f.weights[at[c]]
		}
	}
	r.unplanned += f.weights[peg]
	h.make(at)
	// Mend the plan, with the heaviest pegs first.
	b.loose = b.loose[:0]
	for _, c := range b.near[h.over] {
		if k := at[c]; k != 0 && !has(r.plan, int(b.place[c])) {
			i := len(b.loose)
			b.loose = append(b.loose, c)
			for ; i > 0 && at[b.loose[i-1]] < k; i-- {
				b.loose[i] = b.loose[i-1]
			}
			b.loose[i] = c
		}
	}
	r.unplanned -= b.extend(&r.plan, at, b.loose)
	return r
}

// choose returns the best branches, at most width of them and each position once.
func (b *beam[S]) choose(all []branch, width int) []branch {
	for most := min(2*width, len(all)); ; most = min(2*most, len(all)) { // some are alike
		putLeast(all, most)
		slices.SortFunc(all[:most], branch.compare)
		clear(b.seen)
		b.chosen = b.chosen[:0]
		for _, c := range all[:most] {
			if len(b.chosen) == width {
				break
			}
			if !b.seen[c.hash] {
				b.seen[c.hash] = true
				b.chosen = append(b.chosen, c)
			}
		}
		if len(b.chosen) == width || most == len(all) {
			return b.chosen
		}
	}
}

// compare orders branches: the best first.
func (c branch) compare(d branch) int {
	if c.rank != d.rank {
		return cmp.Compare(c.rank, d.rank)
	}
	return cmp.Or(cmp.Compare(c.hash, d.hash), cmp.Compare(c.before, d.before), cmp.Compare(c.jump, d.jump))
}

// putLeast puts the n least branches first, in any order (quickselect: C. A. R. Hoare, 1961).
func putLeast(all []branch, n int) {
	for from, to := 0, len(all); to-from > 1 && n > from && n < to; {
		pivot := all[(from+to)/2]
		i, j := from, to-1
		for i <= j {
			for all[i].compare(pivot) < 0 {
				i++
			}
			for all[j].compare(pivot) > 0 {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j+1:
			to = j + 1
		case n >= i:
			from = i
		default:
			return
		}
	}
}
