package layout

import "slices"

// minimize solves a linear program: of all x >= 0 for which each row*x is at least its
// right-hand side, it finds one with the least cost*x, scaled to whole numbers. No cost
// may be negative. It reports false when there is no such x, when the numbers become too
// large, or when the effort is spent; nil has no end.
//
// The dual has the slack basis as a feasible start and as many rows as there are x. If
// the dual is unbounded, there is no x; at the optimum the reduced costs of the slacks
// are x. The simplex below is exact: all numbers share one denominator and stay whole
// (Edmonds; Bareiss). Bland's rule keeps it from cycling.
func minimize(rows [][]int64, rhs, cost []int64, e *effort) (x []int64, ok bool) {
	// A row per variable and the objective last; a column per row, then the slacks,
	// then the right-hand side, which is the cost.
	m, n := len(cost), len(rows)
	e.spend(4 * m * (m + n))
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
		if e.spend(m * last); e.done() {
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
					return nil, false // beyond exact arithmetic: the caller tries another program
				}
				t[i][k] = v
			}
		}
		d, basis[r] = p, c
	}
	return whole(t[m][n:last]), true
}

// dot returns the sum of the products.
func dot(a, b []int64) (s int64) {
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

// whole divides whole numbers by their greatest common divisor.
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
