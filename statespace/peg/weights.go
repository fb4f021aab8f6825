package peg

// weights finds a strict pagoda function: a whole number for each cell, 0 on the
// cells of zero and not negative elsewhere, with which every jump loses weight
// unless its line lies wholly in zero:
//
//	w(from) + w(over) > w(to)
//
// The set zero must be closed: a line whose middle is in it lies wholly in it.
// Only the given lines count. The sum of the weights is least, before they are
// scaled to whole numbers. It reports false when there is no such function.
//
// The two jumps of a line A B C ask that w(B) >= |w(A)-w(C)| + 1, which makes a
// linear program with two rows a line. Its dual has the slack basis as a feasible
// start and as many rows as there are weights; an unbounded dual means that no
// weights exist, and at the optimum the reduced costs of the slacks are the
// weights. The simplex below is exact: all numbers share one denominator and
// stay whole (Edmonds; Bareiss). Bland's rule keeps it from cycling.
func weights(lines []Line, zero, cells uint64) ([]int, bool) {
	outer := setCells(cells &^ zero)
	row := make(map[int]int, len(outer))
	for i, cell := range outer {
		row[cell] = i
	}
	var constraints [][3]int // the cells with coefficient +1, +1, -1
	for _, l := range lines {
		if l.mask()&^zero != 0 {
			constraints = append(constraints, [3]int{l.B, l.A, l.C}, [3]int{l.B, l.C, l.A})
		}
	}

	// A row per weight and the objective last; a column per constraint, then the
	// slacks, then the right-hand side.
	m, n := len(outer), len(constraints)
	rhs := n + m
	t := make([][]int64, m+1)
	for i := range t {
		t[i] = make([]int64, n+m+1)
	}
	for j, c := range constraints {
		for k, sign := range [3]int64{1, 1, -1} {
			if i, ok := row[c[k]]; ok {
				t[i][j] += sign
			}
		}
		t[m][j] = -1
	}
	basis := make([]int, m)
	for i := range m {
		t[i][n+i], t[i][rhs] = 1, 1
		basis[i] = n + i
	}
	d := int64(1)         // the common denominator
	const limit = 1 << 31 // products of two numbers below it, and their differences, fit
	for {
		c := 0
		for c < rhs && t[m][c] >= 0 {
			c++
		}
		if c == rhs {
			break
		}
		r := -1
		for i := range m {
			if t[i][c] <= 0 {
				continue
			}
			if r >= 0 {
				a, b := t[i][rhs]*t[r][c], t[r][rhs]*t[i][c]
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
					return nil, false // beyond exact arithmetic: the caller tries another set
				}
				t[i][k] = v
			}
		}
		d, basis[r] = p, c
	}

	w := make([]int, 64)
	g := int64(0)
	for i := range m {
		g = gcd(g, t[m][n+i])
	}
	for i, cell := range outer {
		if t[m][n+i] > 0 {
			w[cell] = int(t[m][n+i] / g)
		}
	}
	for _, c := range constraints {
		if w[c[0]]+w[c[1]] <= w[c[2]] {
			return nil, false
		}
	}
	return w, true
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
