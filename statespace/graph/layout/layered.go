package layout

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// How often Layered passes over the layers, and how the width of a picture compares with its height.
const (
	passes = 40
	aspect = 1.5
)

// Layered returns places for vertices in layers, with edges from one layer to another. A layer is a
// column, from the left to the right; the more vertices it has, the higher it is. Vertices are near
// the height of their neighbours: each pass sorts the columns by the mean heights of neighbours
// (the barycentre method of Sugiyama, Tagawa and Toda, 1981). When ctx ends, Layered stops soon and
// returns the cause. It calls start with the number of steps that it takes, and done for each.
func Layered(ctx context.Context, layer []int, edges [][2]int, start, done func(int64)) ([]Point, error) {
	start(passes)
	n := len(layer)
	var columns [][]int
	for i, l := range layer {
		for len(columns) <= l {
			columns = append(columns, nil)
		}
		columns[l] = append(columns[l], i)
	}
	most := 1
	for _, c := range columns {
		most = max(most, len(c))
	}
	next := neighbours(n, edges)
	height := make([]float64, n)
	spread := func(column []int) {
		// The square root makes a lens of a mountain.
		h := math.Sqrt(float64(len(column)) / float64(most))
		for k, i := range column {
			height[i] = h * ((float64(k)+0.5)/float64(len(column)) - 0.5)
		}
	}
	for _, c := range columns {
		spread(c)
	}
	mean := make([]float64, n)
	sort := func(column []int, side int) {
		for _, i := range column {
			sum, count := 0.0, 0
			for _, u := range next[i] {
				if d := layer[u] - layer[i]; d*side > 0 {
					sum, count = sum+height[u], count+1
				}
			}
			if mean[i] = height[i]; count > 0 {
				mean[i] = sum / float64(count)
			}
		}
		slices.SortStableFunc(column, func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
		spread(column)
	}
	for round := range passes {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for k := range columns {
			if round%2 == 0 {
				sort(columns[k], -1)
			} else {
				sort(columns[len(columns)-1-k], 1)
			}
		}
		done(1)
	}
	places := make([]Point, n)
	for i, l := range layer {
		places[i] = Point{aspect * float64(l) / float64(max(1, len(columns)-1)), height[i]}
	}
	return places, nil
}
