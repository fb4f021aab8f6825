// Package layout finds places for the vertices of a graph in the plane, so that the distance of two
// places is near to the length of the shortest path between them.
//
// It lessens the stress, the sum of the squared differences of the two, by stochastic gradient
// descent (Zheng, Pawar, Goodman: Graph Drawing by Stochastic Gradient Descent, 2018), and not for
// all pairs, but for edges and pairs with a landmark (Ortmann, Klimenta, Brandes: A Sparse Stress
// Model, 2016). The time is in proportion to vertices times landmarks.
package layout

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// A Point is a place.
type Point struct{ X, Y float64 }

// The landmarks, and how many times all pairs are looked at.
const (
	mostLandmarks, leastLandmarks = 120, 20
	mostTerms                     = 4_000_000 // with landmarks, unless these are the least
	rounds                        = 30
)

// A term is a pair of vertices with the distance that they should have. A vertex moves in
// proportion to its weight.
type term struct {
	i, j     int32
	distance float32
	wi, wj   float32
}

// landmarks returns how many landmarks a graph of n vertices has.
func landmarks(n int) int {
	return min(n, max(leastLandmarks, min(mostLandmarks, mostTerms/max(n, 1))))
}

// Memory returns about how many bytes Stress takes.
func Memory(vertices, edges int) uint64 {
	const termBytes, distanceBytes, vertexBytes = 20, 4, 100
	terms := vertices * landmarks(vertices)
	return uint64(terms*(termBytes+distanceBytes) + edges*(termBytes+8) + vertices*vertexBytes)
}

// Stress returns places for n vertices, with undirected edges. An edge has about the length 1. The
// graph is turned so that it is wider than high, with the first vertex on the left. The same seed
// gives the same places. When ctx ends, Stress stops soon and returns the cause. It calls start with
// the number of steps that it takes, and done for each.
func Stress(ctx context.Context, n int, edges [][2]int, seed uint64, start, done func(int64)) ([]Point, error) {
	start(rounds)
	rng := rand.New(rand.NewPCG(seed, 0))
	places := make([]Point, n)
	for i := range places {
		places[i] = Point{rng.Float64(), rng.Float64()}
	}
	next := neighbours(n, edges)
	terms := landmarkTerms(next, len(edges))
	for _, e := range edges {
		terms = append(terms, term{int32(e[0]), int32(e[1]), 1, 1, 1})
	}
	least, most := math.Inf(1), 1.0
	for _, t := range terms {
		for _, w := range []float32{t.wi, t.wj} {
			if w > 0 {
				least, most = min(least, float64(w)), max(most, float64(w))
			}
		}
	}
	const last = 0.1 // the step of the heaviest pair in the last round
	step, factor := 1/least, float64(float32(math.Pow(last*least/most, 1/float64(rounds-1))))
	for range rounds {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		rng.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		for _, t := range terms {
			move(&places[t.i], &places[t.j], float64(t.distance), step*float64(t.wi), step*float64(t.wj))
		}
		step *= factor
		done(1)
	}
	turn(places)
	return places, nil
}

// move moves two places nearer to a distance, by shares of the way.
func move(p, q *Point, distance, sp, sq float64) {
	// The conversions keep processors from fusing operations, which would round otherwise.
	dx, dy := p.X-q.X, p.Y-q.Y
	length := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if length < 1e-9 {
		dx, dy, length = 1e-9, 0, 1e-9
	}
	by := (length - distance) / 2 / length
	mp, mq := by*min(sp, 1), by*min(sq, 1)
	p.X, p.Y = p.X-float64(dx*mp), p.Y-float64(dy*mp)
	q.X, q.Y = q.X+float64(dx*mq), q.Y+float64(dy*mq)
}

// neighbours lists the neighbours of each vertex.
func neighbours(n int, edges [][2]int) [][]int32 {
	next := make([][]int32, n)
	for _, e := range edges {
		next[e[0]] = append(next[e[0]], int32(e[1]))
		next[e[1]] = append(next[e[1]], int32(e[0]))
	}
	return next
}

// distances returns the distance of each vertex from one. Vertices of other components are one
// farther than all others.
func distances(next [][]int32, from int) []int32 {
	d := slices.Repeat([]int32{-1}, len(next))
	d[from] = 0
	queue := []int32{int32(from)}
	far := int32(0)
	for k := 0; k < len(queue); k++ {
		v := queue[k]
		far = d[v]
		for _, u := range next[v] {
			if d[u] < 0 {
				d[u] = d[v] + 1
				queue = append(queue, u)
			}
		}
	}
	for i := range d {
		if d[i] < 0 {
			d[i] = far + 1
		}
	}
	return d
}

// landmarkTerms returns the pairs of a landmark and another vertex. Landmarks are as far as possible from
// each other. A landmark stands for the vertices that are nearest to it: it weighs for a vertex as
// many as are at most half as far from it. There is room for more terms.
func landmarkTerms(next [][]int32, more int) []term {
	n := len(next)
	var chosen []int
	var from [][]int32
	nearest, region := slices.Repeat([]int32{math.MaxInt32}, n), make([]int, n)
	for p := 0; len(chosen) < landmarks(n); {
		d := distances(next, p)
		for i := range nearest {
			if d[i] < nearest[i] {
				nearest[i], region[i] = d[i], len(chosen)
			}
		}
		chosen, from = append(chosen, p), append(from, d)
		p = 0
		for i := range nearest {
			if nearest[i] > nearest[p] {
				p = i
			}
		}
		if nearest[p] == 0 {
			break
		}
	}
	within := make([][]int, len(chosen)) // by landmark and distance: vertices of its region
	for i, r := range region {
		d := int(from[r][i])
		for len(within[r]) <= d {
			within[r] = append(within[r], 0)
		}
		within[r][d]++
	}
	for _, w := range within {
		for d := 1; d < len(w); d++ {
			w[d] += w[d-1]
		}
	}
	isLandmark := make([]bool, n)
	for _, p := range chosen {
		isLandmark[p] = true
	}
	weight := func(k int, d int32) float32 {
		w := within[k]
		return float32(w[min(int(d/2), len(w)-1)]) / float32(d*d)
	}
	terms := make([]term, 0, n*len(chosen)+more)
	for k, p := range chosen {
		for i, d := range from[k] {
			if d < 2 || isLandmark[i] && i < p { // an edge, or two landmarks, which are there once
				continue
			}
			t := term{i: int32(i), j: int32(p), distance: float32(d), wi: weight(k, d)}
			if isLandmark[i] {
				t.wj = weight(slices.Index(chosen, i), d)
			}
			terms = append(terms, t)
		}
	}
	return terms
}

// turn turns the places so that they are wider than high, and the first is on the left and above
// the middle.
func turn(places []Point) {
	if len(places) == 0 {
		return
	}
	var middle Point
	for _, p := range places {
		middle.X, middle.Y = middle.X+p.X, middle.Y+p.Y
	}
	middle.X, middle.Y = middle.X/float64(len(places)), middle.Y/float64(len(places))
	var xx, xy, yy float64
	for _, p := range places {
		dx, dy := p.X-middle.X, p.Y-middle.Y
		xx, xy, yy = xx+float64(dx*dx), xy+float64(dx*dy), yy+float64(dy*dy)
	}
	angle := math.Atan2(2*xy, xx-yy) / 2
	cos, sin := float64(float32(math.Cos(angle))), float64(float32(math.Sin(angle)))
	for i, p := range places {
		dx, dy := p.X-middle.X, p.Y-middle.Y
		places[i] = Point{float64(dx*cos) + float64(dy*sin), float64(dy*cos) - float64(dx*sin)}
	}
	first := places[0]
	for i := range places {
		if first.X > 0 {
			places[i].X = -places[i].X
		}
		if first.Y > 0 {
			places[i].Y = -places[i].Y
		}
	}
}
