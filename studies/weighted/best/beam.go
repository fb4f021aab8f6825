package best

import (
	"cmp"
	"context"
	"slices"
)

// A beam plays a game jump by jump and keeps, after each number of jumps, the positions that promise most.
// It can also play packages, several jumps at once: it then compares positions after the last of them.
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

	// Scratch. The first two go round: the fronts after the last numbers of jumps, and the branches that
	// lead to the next ones.
	fronts []front[S]
	later  [][]branch
	chosen []branch
	seen   map[uint64]bool
	loose  []int32
	overs  []kind
	steps  [][]backStep
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
	b := &beam[S]{f: f, axes: axesOf[S](f), place: placesOf(f), seen: make(map[uint64]bool),
		fronts: make([]front[S], f.longest+1), later: make([][]branch, f.longest+1)}
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

// A branch is a play, a jump or a package, from a position of a front.
type branch struct {
	rank         int64 // lower is better
	hash         uint64
	before, play uint32
}

// A backStep leads back.
type backStep struct{ before, play uint32 }

// play implements beamer.
func (b *beam[S]) play(ctx context.Context, from []kind, o beamOptions) (jumps []uint32, work uint64) {
	root := spot[S]{hash: b.f.hashOf(from, -1), left: b.f.left(from), last: -1}
	root.plan, root.unplanned = b.plan(from)
	for i := range b.fronts {
		b.later[i], b.fronts[i].spots = b.later[i][:0], b.fronts[i].spots[:0]
	}
	first := b.front(0)
	first.kinds = append(first.kinds[:0], from...)
	first.spots = append(first.spots, root)
	best, depth, index := root.left, 0, uint32(0)
	for level, empty := 1, 0; empty < len(b.fronts) && ctx.Err() == nil; level++ {
		for i := range b.front(level - 1).spots {
			work += b.branches(level, uint32(i), o)
		}
		b.advance(level, o.width)
		empty++
		for i, s := range b.front(level).spots {
			empty = 0
			if score := s.cost + s.left; score < best {
				best, depth, index = score, level, uint32(i)
			}
		}
	}
	for depth > 0 {
		s := b.steps[depth-1][index]
		play := b.f.plays[s.play]
		for _, j := range slices.Backward(play) {
			jumps = append(jumps, j)
		}
		index = s.before
		depth -= len(play)
	}
	slices.Reverse(jumps)
	return jumps, work
}

// front returns the positions after a number of jumps.
func (b *beam[S]) front(level int) *front[S] { return &b.fronts[level%len(b.fronts)] }

// advance makes a front of the best branches that lead to it.
func (b *beam[S]) advance(level, width int) {
	f := b.f
	n := len(f.start)
	later := &b.later[level%len(b.later)]
	if len(b.steps) < level {
		b.steps = append(b.steps, nil)
	}
	steps := b.steps[level-1][:0]
	next := b.front(level)
	next.kinds, next.spots = next.kinds[:0], next.spots[:0]
	for _, c := range b.choose(*later, width) {
		steps = append(steps, backStep{c.before, c.play})
		play := f.plays[c.play]
		before := b.front(level - len(play))
		next.kinds = append(next.kinds, before.kinds[int(c.before)*n:int(c.before+1)*n]...)
		at := next.kinds[len(next.kinds)-n:]
		s := before.spots[c.before]
		for _, j := range play {
			s = b.after(at, &s, f.jumps[j])
		}
		next.spots = append(next.spots, s)
	}
	b.steps[level-1], *later = steps, (*later)[:0]
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

// branches lists the plays from a position of the front before a level, and returns their number.
func (b *beam[S]) branches(level int, before uint32, o beamOptions) (count uint64) {
	n := len(b.f.start)
	front := b.front(level - 1)
	at, s := front.kinds[int(before)*n:int(before+1)*n], &front.spots[before]
	if s.last >= 0 {
		centre := b.at[s.last]
		for cell, k := range at {
			if d := b.at[cell]; k != 0 && max(d[0]-centre[0], centre[0]-d[0], d[1]-centre[1], centre[1]-d[1]) <= o.radius {
				count += b.branchesFrom(level, before, cell, at, s, o)
			}
		}
	}
	if count == 0 {
		for cell, k := range at {
			if k != 0 {
				count += b.branchesFrom(level, before, cell, at, s, o)
			}
		}
	}
	return count
}

// branchesFrom lists the plays that begin in a cell.
func (b *beam[S]) branchesFrom(level int, before uint32, cell int, at []kind, s *spot[S], o beamOptions) (count uint64) {
	f := b.f
	for j := f.first[cell]; j < f.first[cell+1]; j++ {
		h := f.jumps[j]
		if !h.can(at) {
			continue
		}
		over := at[h.over]
		after := b.after(at, s, h)
		b.list(level, branch{before: before, play: uint32(j)}, at, &after, o)
		h.unmake(at, over)
		count++
		if f.packages == nil {
			continue
		}
		for _, play := range f.packages[j] {
			if f.canPlay(at, f.plays[play]) {
				b.listPackage(level, branch{before: before, play: play}, at, s, o)
			}
			count++
		}
	}
	return count
}

// listPackage lists a package that can be played.
func (b *beam[S]) listPackage(level int, c branch, at []kind, s *spot[S], o beamOptions) {
	f := b.f
	play := f.plays[c.play]
	after := *s
	b.overs = b.overs[:0]
	for _, j := range play {
		b.overs = append(b.overs, at[f.jumps[j].over])
		after = b.after(at, &after, f.jumps[j])
	}
	b.list(level+len(play)-1, c, at, &after, o)
	for i, over := range slices.Backward(b.overs) {
		f.jumps[play[i]].unmake(at, over)
	}
}

// list lists a branch to a level. The position is that after it.
func (b *beam[S]) list(level int, c branch, at []kind, s *spot[S], o beamOptions) {
	promise := s.cost + s.unplanned
	if !has(s.plan, int(b.place[s.last])) && b.f.canGoOn(at, s.last) {
		promise -= b.f.weights[at[s.last]]
	}
	c.rank, c.hash = promise<<8, s.hash^b.f.lastHash(s.last)
	if o.noise > 0 {
		c.rank += int64(scramble(c.hash^o.seed) % o.noise)
	}
	later := &b.later[level%len(b.later)]
	*later = append(*later, c)
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
	return cmp.Or(cmp.Compare(c.hash, d.hash), cmp.Compare(c.before, d.before), cmp.Compare(c.play, d.play))
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
