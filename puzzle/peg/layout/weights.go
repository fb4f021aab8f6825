package layout

import (
	"cmp"
	"math/bits"
	"slices"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
)

// A weighing is the search for a strict pagoda function: a weight for each cell, 0 on the
// cells of a set zero and not negative elsewhere, such that every jump loses weight
// unless its line lies wholly in zero:
//
//	w(from) + w(over) > w(to)
//
// The set zero must be closed: a line whose middle is in it lies wholly in it. The
// cells of an orbit weigh the same. That excludes nothing: the mean of a pagoda function
// over all symmetries is one too.
type weighing struct {
	orbits []uint64  // the cells outside zero, by orbit
	sizes  []int64   // by orbit: its number of cells
	losses [][]int64 // what jumps lose, each as a sum over the orbits; each sum once
	effort *effort   // nil: as much as it takes
}

// newWeighing takes the lines that count, and the symmetries under which the weights
// shall be the same, the identity among them or nil.
func newWeighing(lines []board.Line, zero, cells uint64, symmetries []board.Permutation, e *effort) *weighing {
	p := &weighing{effort: e}
	orbit := make(map[int]int)
	for left := cells &^ zero; left != 0; left &^= p.orbits[len(p.orbits)-1] {
		all := imagesOf(symmetries, left&-left)
		for cell := range gf2.Elements(all) {
			orbit[cell] = len(p.orbits)
		}
		p.orbits, p.sizes = append(p.orbits, all), append(p.sizes, int64(bits.OnesCount64(all)))
	}
	for _, l := range lines {
		if l.Mask()&^zero == 0 {
			continue
		}
		for _, j := range [2]board.Jump{{From: l.A, Over: l.B, To: l.C}, {From: l.C, Over: l.B, To: l.A}} {
			loss := make([]int64, len(p.orbits))
			for i, cell := range [3]int{j.From, j.Over, j.To} {
				if o, ok := orbit[cell]; ok {
					loss[o] += [3]int64{1, 1, -1}[i]
				}
			}
			if !slices.ContainsFunc(p.losses, func(l []int64) bool { return slices.Equal(l, loss) }) {
				p.losses = append(p.losses, loss)
			}
		}
	}
	return p
}

// leastWeights finds the weights of the least sum, if each jump loses 1 at least, and
// scales them to whole numbers; see weighing. It reports false when there are none.
func leastWeights(lines []board.Line, zero, cells uint64, symmetries []board.Permutation, e *effort) ([]int, bool) {
	p := newWeighing(lines, zero, cells, symmetries, e)
	w, ok := p.least()
	if !ok {
		return nil, false
	}
	return p.byCell(w), true
}

// least finds the weights of leastWeights, by orbit.
func (p *weighing) least() (w []int64, ok bool) {
	ones := slices.Repeat([]int64{1}, len(p.losses))
	w, ok = minimize(p.losses, ones, p.sizes, p.effort)
	return w, ok && p.ok(w)
}

// ok reports whether every jump loses weight.
func (p *weighing) ok(w []int64) bool {
	return !slices.ContainsFunc(p.losses, func(loss []int64) bool { return dot(loss, w) <= 0 })
}

// drop returns the most that a jump loses.
func (p *weighing) drop(w []int64) (most int64) {
	for _, loss := range p.losses {
		most = max(most, dot(loss, w))
	}
	return most
}

// byCell returns the weight of each cell.
func (p *weighing) byCell(w []int64) []int {
	cells := make([]int, board.MaxCells)
	for i, o := range p.orbits {
		for cell := range gf2.Elements(o) {
			cells[cell] = int(w[i])
		}
	}
	return cells
}

// window returns the most fillings of the cells whose weights are within the largest drop
// of each other. It keeps a count for each weight, so the sum of w must be small.
func (p *weighing) window(w []int64) uint64 {
	count := []uint64{1} // of fillings, by weight
	for _, x := range p.byCell(w) {
		if x > 0 {
			count = withCell(count, x)
		}
	}
	return mostWithin(count, int(p.drop(w)))
}

// withCell counts by weight the fillings of one more cell, of weight x.
func withCell(count []uint64, x int) []uint64 {
	more := append(slices.Clone(count), make([]uint64, x)...)
	for i, n := range count {
		more[i+x] += n
	}
	return more
}

// narrow finds weights with a small window whose sum is at most a given one. It returns
// the least weights if it finds no better ones.
//
// The weights of fillings spread by about the root of the sum of all w*w. So the largest
// drop should be small, and the sum of w*w large. That is not linear in w, but the sum of
// u*w is for a given u, and the w found with it is the next u. A jump loses 1 at
// least: the larger the required sum, the less that matters, and the larger the numbers.
func (p *weighing) narrow(least []int64, most int) []int64 {
	const rounds, maxStarts = 3, 96
	type found struct {
		w      []int64
		sum    int64
		window uint64
	}
	all := []found{{least, dot(p.sizes, least), p.window(least)}}
	from := func(u []int64, scale int64) {
		for range rounds {
			w, ok := p.spread(u, least, scale)
			if !ok || !p.ok(w) || dot(p.sizes, w) > int64(most) {
				return
			}
			if slices.ContainsFunc(all, func(f found) bool { return slices.Equal(f.w, w) }) {
				return
			}
			all = append(all, found{w, dot(p.sizes, w), p.window(w)})
			u = w
		}
	}
	// Start from the least weights, from equal ones, and from one orbit alone.
	starts := [][]int64{least, slices.Repeat([]int64{1}, len(least))}
	for i := range min(len(least), maxStarts/len(least)) {
		one := make([]int64, len(least))
		one[i] = 1
		starts = append(starts, one)
	}
	for _, u := range starts {
		for _, scale := range []int64{5, 6, 8, 12, 16, 32} {
			from(u, scale)
		}
	}
	// A larger sum makes more stages, which a smaller window must be worth.
	slices.SortStableFunc(all, func(f, g found) int {
		return cmp.Or(cmp.Compare(f.sum, g.sum), cmp.Compare(f.window, g.window))
	})
	best := all[0]
	for _, f := range all {
		if f.window < best.window-best.window/100 {
			best = f
		}
	}
	return best.w
}

// spread finds the weights of the least drop for which the sum of u*w is at least scale
// fourths of what it is for the least weights.
func (p *weighing) spread(u, least []int64, scale int64) (w []int64, ok bool) {
	// The drop is one more variable.
	n := len(p.orbits)
	var rows [][]int64
	var rhs []int64
	for _, loss := range p.losses {
		upper := make([]int64, n+1)
		for i, x := range loss {
			upper[i] = -x
		}
		upper[n] = 1
		rows, rhs = append(rows, append(slices.Clone(loss), 0), upper), append(rhs, 1, 0)
	}
	total := make([]int64, n+1)
	for i := range u {
		total[i] = u[i] * p.sizes[i]
	}
	rows, rhs = append(rows, total), append(rhs, dot(total[:n], least)*scale/4)
	cost := make([]int64, n+1)
	cost[n] = 1
	w, ok = minimize(rows, rhs, cost, p.effort)
	if !ok {
		return nil, false
	}
	return whole(w[:n]), true
}
