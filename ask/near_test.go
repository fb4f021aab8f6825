package ask_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pagoda/ask"
	"pagoda/statespace/cells"
)

// cost is the sum of the weights of the cells in which a state differs from a pattern, in
// hundredths. It sees texts only.
func cost(state, pattern string, weights []int) (sum int) {
	state, pattern = strings.ReplaceAll(state, "/", ""), strings.ReplaceAll(pattern, "/", "")
	for i := range state {
		if pattern[i] != '?' && pattern[i] != state[i] {
			sum += weights[i]
		}
	}
	return sum
}

// The nearest members are those that a plain loop over texts finds.
func TestNear(t *testing.T) {
	sp := board(t, "peg/4x4")
	f, d := file(t, sp, ""), depths(sp, sp.Roots()[0])
	even := slices.Repeat([]int{100}, 16)
	const weights = "1 1 1 1\n0.5 2 2 0.5\n0.25 3 3 1\n1 1 1 1\n"
	uneven := []int{100, 100, 100, 100, 50, 200, 200, 50, 25, 300, 300, 100, 100, 100, 100, 100}
	for _, c := range []struct {
		q       ask.NearQuestion
		weights []int
		within  int // in hundredths; -1: the least
	}{
		{ask.NearQuestion{Patterns: []string{"oooooooooooooooo"}}, even, -1},
		{ask.NearQuestion{Patterns: []string{"o..o/.oo./.oo./o..o"}}, even, -1},
		{ask.NearQuestion{Patterns: []string{"o..o/.??./.??./o..o"}, Within: "2"}, even, 200},
		{ask.NearQuestion{Patterns: []string{"o..o/.oo./.oo./o..o", "..../..../..../oooo"}, Within: "3"}, even, 300},
		{ask.NearQuestion{Patterns: []string{"o..o/.oo./.oo./o..o", "..../..../..../oooo"}, Sum: true}, even, -1},
		{ask.NearQuestion{Patterns: []string{"o..o/.oo./.oo./o..o", "..../..??/..../oooo"}, Sum: true, Within: "9"}, even, 900},
		{ask.NearQuestion{Patterns: []string{"o..o/.oo./.oo./o..o"}, Weights: weights}, uneven, -1},
		{ask.NearQuestion{Patterns: []string{"o..o/.oo./.oo./o..o", "..../..../..../oooo"}, Weights: weights, Within: "3.5"}, uneven, 350},
		{ask.NearQuestion{Patterns: []string{"o..o/.oo./.oo./o..o"}, Within: "6", Layers: &cells.Range{Least: 3, Most: 4}}, even, 600},
	} {
		type match struct{ cost, target int }
		var want []string
		found := make(map[uint64]match)
		least := 1 << 30
		for x := range sp.Size() {
			if d[x] < 0 || c.q.Layers != nil && !c.q.Layers.Holds(sp.Layer(x)) {
				continue
			}
			m := match{cost: 1 << 30}
			if c.q.Sum {
				m.cost = 0
			}
			for i, p := range c.q.Patterns {
				k := cost(sp.Format(x), p, c.weights)
				switch {
				case c.q.Sum:
					m.cost += k
				case k < m.cost:
					m = match{k, i}
				}
			}
			found[x], least = m, min(least, m.cost)
		}
		within := c.within
		if within < 0 {
			within = least
		}
		var order []uint64
		for x, m := range found {
			if m.cost <= within {
				order = append(order, x)
			}
		}
		slices.SortFunc(order, func(x, y uint64) int {
			return cmp.Or(cmp.Compare(found[x].cost, found[y].cost), cmp.Compare(x, y))
		})
		for _, x := range order {
			want = append(want, fmt.Sprintf("%s %g %d %d", sp.Format(x), float64(found[x].cost)/100, sp.Layer(x), found[x].target))
		}
		for _, limit := range []int{0, 1, len(want), len(want) + 1} {
			q := c.q
			q.Limit = limit
			n, err := f.Near(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range n.Matches {
				got = append(got, fmt.Sprintf("%s %s %d %d", m.Pattern, m.Distance, *m.Layer, m.Target))
			}
			end := len(want)
			if limit > 0 {
				end = min(end, limit)
			}
			if !slices.Equal(got, want[:end]) || n.Complete != (end == len(want)) {
				t.Errorf("%+v: complete: %t\n%q\nwant %q", q, n.Complete, got, want[:end])
			}
		}
	}
}

func TestWrongNearQuestions(t *testing.T) {
	f := file(t, board(t, "peg/4x4"), "")
	good := []string{"oooo/oooo/oooo/oooo"}
	for text, q := range map[string]ask.NearQuestion{
		"give at least one":                   {},
		`pattern "oo": `:                      {Patterns: []string{"oo"}},
		"the limit is -1, expected 0":         {Patterns: good, Limit: -1},
		"no position is farther away than 16": {Patterns: good, Within: "17"},
		`within: "-1" is not a distance`:      {Patterns: good, Within: "-1"},
		"weights: line 1, column 1: row 0 of": {Patterns: good, Weights: "1 2 3"},
		"no position is farther away than 32": {Patterns: slices.Repeat(good, 2), Sum: true, Within: "33"},
	} {
		_, err := f.Near(t.Context(), q)
		question(t, err, text)
	}
	_, err := file(t, newSlope(), "").Near(t.Context(), ask.NearQuestion{Patterns: []string{"1"}})
	question(t, err, "graphs/slope")
}
