package weighted_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/peg"
	"pagoda/studies/weighted"
)

// TestMagic: the squares are as MATLAB's documentation prints them, and all are magic.
func TestMagic(t *testing.T) {
	for n, want := range map[int]string{
		1: "1",
		2: "1 3/4 2",
		3: "8 1 6/3 5 7/4 9 2",
		4: "16 2 3 13/5 11 10 8/9 7 6 12/4 14 15 1",
		5: "17 24 1 8 15/23 5 7 14 16/4 6 13 20 22/10 12 19 21 3/11 18 25 2 9",
		6: "35 1 6 26 19 24/3 32 7 21 23 25/31 9 2 22 27 20/8 28 33 17 10 15/30 5 34 12 14 16/4 36 29 13 18 11",
		7: "30 39 48 1 10 19 28/38 47 7 9 18 27 29/46 6 8 17 26 35 37/5 14 16 25 34 36 45/13 15 24 33 42 44 4/21 23 32 41 43 3 12/22 31 40 49 2 11 20",
		8: "64 2 3 61 60 6 7 57/9 55 54 12 13 51 50 16/17 47 46 20 21 43 42 24/40 26 27 37 36 30 31 33/32 34 35 29 28 38 39 25/41 23 22 44 45 19 18 48/49 15 14 52 53 11 10 56/8 58 59 5 4 62 63 1",
	} {
		var rows []string
		for _, row := range weighted.Magic(n) {
			rows = append(rows, strings.Trim(fmt.Sprint(row), "[]"))
		}
		if got := strings.Join(rows, "/"); got != want {
			t.Errorf("magic(%d) is %s, want %s", n, got, want)
		}
	}
	for n := 3; n <= 40; n++ {
		m := weighted.Magic(n)
		var all, sums []int64
		var down, up int64
		for i := range n {
			var row, col int64
			for k := range n {
				row, col = row+m[i][k], col+m[k][i]
			}
			sums, all = append(sums, row, col), append(all, m[i]...)
			down, up = down+m[i][i], up+m[i][n-1-i]
		}
		want := int64(n*(n*n+1)) / 2
		if sums = append(sums, down, up); slices.Min(sums) != want || slices.Max(sums) != want {
			t.Errorf("magic(%d) has sums %v, want %d", n, sums, want)
		}
		slices.Sort(all)
		for i, x := range all {
			if x != int64(i+1) {
				t.Fatalf("magic(%d) lacks %d", n, i+1)
			}
		}
	}
}

// TestMagicWeights: a board that is no square has the upper left of a larger square.
func TestMagicWeights(t *testing.T) {
	shape, _, err := peg.LookupShape("peg/3x2")
	if err != nil {
		t.Fatal(err)
	}
	if got := weighted.MagicWeights(shape); !slices.Equal(got, []int64{8, 1, 6, 3, 5, 7}) {
		t.Errorf("%v", got)
	}
	shape, _, err = peg.LookupShape("peg/triangle10")
	if err != nil {
		t.Fatal(err)
	}
	if got := weighted.MagicWeights(shape); !slices.Equal(got, []int64{16, 5, 11, 9, 7, 6, 4, 14, 15, 1}) {
		t.Errorf("%v", got)
	}
}
