package peg

import (
	"cmp"
	"math/bits"
	"slices"
)

// A weighing asks for a strict pagoda function: a weight for each cell, 0 on the
// cells of a set zero and not negative elsewhere, with which every jump loses
// weight unless its line lies wholly in zero:
//
//	w(from) + w(over) > w(to)
//
// The set zero must be closed: a line whose middle is in it lies wholly in it. The
// cells of an orbit weigh the same. That loses nothing: of weights that serve, the
// mean over all symmetries serves too.
type weighing struct {
	orbits []uint64  // the cells outside zero, by those that weigh the same
	sizes  []int64   // their numbers of cells
	losses [][]int64 // what a jump loses, as a sum over the orbits; each once
}

// newWeighing takes the lines that count, and the symmetries under which the weights
// shall be the same, the identity among them or nil.
func newWeighing(lines []Line, zero, cells uint64, group [][]int) *weighing {
	p := new(weighing)
	orbit := make(map[int]int)
	for left := cells &^ zero; left != 0; left &^= p.orbits[len(p.orbits)-1] {
		all := imagesOf(group, left&-left)
		for cell := range setBits(all) {
			orbit[cell] = len(p.orbits)
		}
		p.orbits, p.sizes = append(p.orbits, all), append(p.sizes, int64(bits.OnesCount64(all)))
	}
	for _, l := range lines {
		if l.mask()&^zero == 0 {
			continue
		}
		for _, j := range [2]Jump{{l.A, l.B, l.C}, {l.C, l.B, l.A}} {
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

// imagesOf returns the cells to which symmetries take a set, and the set.
func imagesOf(group [][]int, set uint64) (all uint64) {
	all = set
	for _, s := range group {
		all |= permute(s, set)
	}
	return all
}

// weights finds whole weights of the least sum, before they are scaled to whole
// numbers; see weighing. It reports false when there are none.
func weights(lines []Line, zero, cells uint64, group [][]int) ([]int, bool) {
	p := newWeighing(lines, zero, cells, group)
	w, ok := p.least()
	if !ok {
		return nil, false
	}
	return p.byCell(w), true
}

// least finds weights of the least sum.
func (p *weighing) least() (w []int64, ok bool) {
	ones := slices.Repeat([]int64{1}, len(p.losses))
	w, ok = minimize(p.losses, ones, p.sizes)
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
	cells := make([]int, 64)
	for i, o := range p.orbits {
		for cell := range setBits(o) {
			cells[cell] = int(w[i])
		}
	}
	return cells
}

// window returns how many of the fillings of the cells weigh alike but for the
// largest drop, at most. There is a row for each weight, so their sum must be small.
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

// mostWithin returns the most that any drop+1 successive counts sum to.
func mostWithin(count []uint64, drop int) (most uint64) {
	var sum uint64
	for i, n := range count {
		sum += n
		if i > drop {
			sum -= count[i-drop-1]
		}
		most = max(most, sum)
	}
	return most
}

// narrow finds weights with a small window, of a sum that is at most a given one. It
// takes the least ones if there are no better ones.
//
// The fillings are spread in weight by about the root of the sum of all w*w. So what is
// to be small is the largest drop, and the sum of w*w large. That is not linear, but
// for a given u the sum of u*w is, and what is found with it is the next u. A jump
// loses 1 at least: the more the sum must be, the less that matters, and the larger
// the numbers are.
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
	// What comes of the weight of an orbit alone, of all alike and of the least weights.
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
	// More weights make more stages: they must be worth it.
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
// fourths of what it is for the given weights.
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
	w, ok = minimize(rows, rhs, cost)
	if !ok {
		return nil, false
	}
	return whole(w[:n]), true
}

// dot returns the sum of the products.
func dot(a, b []int64) (s int64) {
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

// minimize solves a linear program: of all x >= 0 for which each row*x is at least its
// right-hand side, it finds one with the least cost*x, scaled to whole numbers. No cost
// is negative. It reports false when there is no such x.
//
// The dual has the slack basis as a feasible start and as many rows as there are x; an
// unbounded dual means that there is none, and at the optimum the reduced costs of the
// slacks are x. The simplex below is exact: all numbers share one denominator and
// stay whole (Edmonds; Bareiss). Bland's rule keeps it from cycling.
func minimize(rows [][]int64, rhs, cost []int64) (x []int64, ok bool) {
	// A row per variable and the objective last; a column per row, then the slacks,
	// then the right-hand side, which is the cost.
	m, n := len(cost), len(rows)
	last := n + m
	t := make([][]int64, m+1)
	for i := range t {
		t[i] = make([]int64, n+m+1)
	}
	for j, row := range rows {
		for i, a := range row {
			t[i][j] = a
		}
		t[m][j] = -rhs[j]
	}
	basis := make([]int, m)
	for i := range m {
		t[i][n+i], t[i][last] = 1, cost[i]
		basis[i] = n + i
	}
	d := int64(1)         // the common denominator
	const limit = 1 << 31 // products of two numbers below it, and their differences, fit
	for {
		c := 0
		for c < last && t[m][c] >= 0 {
			c++
		}
		if c == last {
			break
		}
		r := -1
		for i := range m {
			if t[i][c] <= 0 {
				continue
			}
			if r >= 0 {
				a, b := t[i][last]*t[r][c], t[r][last]*t[i][c]
				if a > b || a == b && basis[i] > basis[r] {
					continue
				}
			}
			r = i
		}
		if r < 0 {
			return nil, false
		}
		p := t[r][c]
		for i := range t {
			if i == r {
				continue
			}
			f := t[i][c]
			if f == 0 && p == d {
				continue
			}
			for k := range t[i] {
				v := (t[i][k]*p - f*t[r][k]) / d
				if v >= limit || v <= -limit {
					return nil, false // beyond exact arithmetic: the caller tries another
				}
				t[i][k] = v
			}
		}
		d, basis[r] = p, c
	}
	return whole(t[m][n:last]), true
}

// whole divides whole numbers by what they have in common.
func whole(x []int64) []int64 {
	g := int64(0)
	for _, v := range x {
		g = gcd(g, v)
	}
	x = slices.Clone(x)
	for i := range x {
		x[i] /= max(g, 1)
	}
	return x
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// closed grows a set of cells until it is closed under the lines: the ends of a
// line whose middle is in the set are in it too.
func closed(lines []Line, set uint64) uint64 {
	for {
		before := set
		for _, l := range lines {
			if set>>l.B&1 == 1 {
				set |= l.mask()
			}
		}
		if set == before {
			return set
		}
	}
}
