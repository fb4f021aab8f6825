package layout

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func none(int64) {}

func stress(t *testing.T, n int, edges [][2]int, seed uint64) []Point {
	t.Helper()
	places, err := Stress(t.Context(), n, edges, seed, none, none)
	if err != nil {
		t.Fatal(err)
	}
	return places
}

func distance(p, q Point) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }

// grid returns the edges of a grid of w by h vertices.
func grid(w, h int) (edges [][2]int) {
	for i := range w * h {
		if i%w < w-1 {
			edges = append(edges, [2]int{i, i + 1})
		}
		if i+w < w*h {
			edges = append(edges, [2]int{i, i + w})
		}
	}
	return edges
}

// In the plane a line is straight, a cycle is round, and a grid lies flat: its opposite corners are
// the farthest apart, and no edge is far from the length 1.
func TestStress(t *testing.T) {
	const n = 300
	line := grid(n, 1)
	if p := stress(t, n, line, 1); math.Abs(distance(p[0], p[n-1])-(n-1)) > 0.05*n {
		t.Errorf("the ends of a line of %d are %.1f apart", n, distance(p[0], p[n-1]))
	}
	p := stress(t, n, append(line, [2]int{n - 1, 0}), 1)
	for i := range n / 2 {
		if d := distance(p[i], p[i+n/2]) / (n / math.Pi); d < 0.8 || d > 1.6 {
			t.Errorf("opposite vertices of a cycle are %.2f diameters apart", d)
		}
	}
	const w, h = 40, 20
	edges := grid(w, h)
	p = stress(t, w*h, edges, 1)
	for _, e := range edges {
		if d := distance(p[e[0]], p[e[1]]); d < 0.4 || d > 1.8 {
			t.Errorf("the edge %v of a grid has the length %.2f", e, d)
		}
	}
	if a, b := distance(p[0], p[w*h-1]), distance(p[w-1], p[w*h-w]); a < w || b < w {
		t.Errorf("corners of a grid of %d by %d are %.1f and %.1f apart", w, h, a, b)
	}
	if p[0].X > 0 || p[0].Y > 0 {
		t.Errorf("the first vertex is at %v, not on the left above the middle", p[0])
	}
	if !slices.Equal(p, stress(t, w*h, edges, 1)) {
		t.Error("the same seed gives other places")
	}
	if slices.Equal(p, stress(t, w*h, edges, 2)) {
		t.Error("another seed gives the same places")
	}
}

// Each pair of a landmark and a vertex is there once, with the length of the shortest path. If every
// vertex is a landmark, this is the full stress, with the weight of a distance d 1/d^2.
func TestLandmarks(t *testing.T) {
	edges := grid(7, 5)
	next := neighbours(35, edges)
	seen := make(map[[2]int32]bool)
	for _, term := range landmarkTerms(next, 0) {
		d := float32(math.Abs(float64(term.i%7-term.j%7)) + math.Abs(float64(term.i/7-term.j/7)))
		if term.distance != d || term.wi != 1/(d*d) || term.wj != 1/(d*d) {
			t.Errorf("%+v, want the distance %v", term, d)
		}
		pair := [2]int32{min(term.i, term.j), max(term.i, term.j)}
		if seen[pair] {
			t.Errorf("%v is there twice", pair)
		}
		seen[pair] = true
	}
	if want := 35*34/2 - len(edges); len(seen) != want {
		t.Errorf("%d pairs, want %d", len(seen), want)
	}
}

func TestMemory(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 50: 50, 1398: 120, 25955: 120, 100_000: 40, 1_000_000: 20} {
		if got := landmarks(n); got != want {
			t.Errorf("%d vertices have %d landmarks, want %d", n, got, want)
		}
	}
	if got := Memory(1_000_000, 3_000_000); got < 500<<20 || got > 1<<30 {
		t.Errorf("a million vertices take %d bytes", got)
	}
}

// Odd graphs have finite places.
func TestOdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	random := func(n, m int) (edges [][2]int) {
		for range m {
			if a, b := rng.IntN(n), rng.IntN(n); a != b {
				edges = append(edges, [2]int{a, b})
			}
		}
		return edges
	}
	for _, tt := range []struct {
		n     int
		edges [][2]int
	}{{0, nil}, {1, nil}, {2, nil}, {2, [][2]int{{0, 1}}}, {9, random(9, 4)}, {200, random(200, 150)}, {200, random(200, 4000)}} {
		for _, p := range stress(t, tt.n, tt.edges, 1) {
			if math.IsNaN(p.X+p.Y) || math.IsInf(p.X+p.Y, 0) {
				t.Fatalf("%d vertices, %d edges: a place is %v", tt.n, len(tt.edges), p)
			}
		}
	}
}

func TestLayered(t *testing.T) {
	// Two chains, whose vertices are mixed up.
	layer := []int{0, 1, 1, 2, 2, 3, 3}
	edges := [][2]int{{0, 1}, {0, 2}, {1, 4}, {2, 3}, {4, 5}, {3, 6}}
	p, err := Layered(t.Context(), layer, edges, none, none)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range layer {
		if want := aspect * float64(l) / 3; math.Abs(p[i].X-want) > 1e-9 {
			t.Errorf("vertex %d of layer %d is at %v", i, l, p[i])
		}
	}
	upper := p[1].Y < p[2].Y
	if (p[4].Y < p[3].Y) != upper || (p[5].Y < p[6].Y) != upper {
		t.Errorf("the chains cross: %v", p)
	}
	for _, odd := range [][]int{nil, {0}, {0, 0}, {0, 2}} {
		p, err := Layered(t.Context(), odd, nil, none, none)
		if err != nil || len(p) != len(odd) || slices.ContainsFunc(p, func(q Point) bool { return math.IsNaN(q.X + q.Y) }) {
			t.Errorf("layers %v: %v, %v", odd, p, err)
		}
	}
}

func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	steps := 0
	done := func(n int64) {
		if steps += int(n); steps == 3 {
			cancel(enough)
		}
	}
	if _, err := Stress(ctx, 2, [][2]int{{0, 1}}, 1, none, done); !errors.Is(err, enough) || steps != 3 {
		t.Errorf("%v after %d steps", err, steps)
	}
	if _, err := Layered(ctx, []int{0}, nil, none, none); !errors.Is(err, enough) {
		t.Error(err)
	}
}
