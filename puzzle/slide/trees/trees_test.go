package trees

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

// randomNetwork draws a connected graph with parallel edges.
func randomNetwork(rng *rand.Rand, vertices, more int) *Network {
	var edges [][2]uint32
	for v := 1; v < vertices; v++ {
		edges = append(edges, [2]uint32{uint32(rng.IntN(v)), uint32(v)})
	}
	for range more {
		if a, b := rng.IntN(vertices), rng.IntN(vertices); a != b {
			edges = append(edges, [2]uint32{uint32(a), uint32(b)})
		}
	}
	ends := rng.Perm(vertices)
	return New(vertices, edges, uint32(ends[0]), uint32(ends[1]))
}

// determinant counts the spanning trees by the matrix-tree theorem.
func (n *Network) determinant() *big.Int {
	size := n.Vertices() - 1
	m := make([][]*big.Rat, size)
	for i := range m {
		m[i] = make([]*big.Rat, size)
		for j := range m[i] {
			m[i][j] = new(big.Rat)
		}
	}
	one := big.NewRat(1, 1)
	for _, e := range n.edges() {
		a, b := int(e[0]), int(e[1]) // a < b, and the last vertex is left out
		m[a][a].Add(m[a][a], one)
		if b < size {
			m[b][b].Add(m[b][b], one)
			m[a][b].Sub(m[a][b], one)
			m[b][a].Sub(m[b][a], one)
		}
	}
	det := big.NewRat(1, 1)
	for k := range m {
		det.Mul(det, m[k][k]) // not 0: the graph is connected
		for i := k + 1; i < size; i++ {
			factor := new(big.Rat).Quo(m[i][k], m[k][k])
			for j := k; j < size; j++ {
				m[i][j].Sub(m[i][j], new(big.Rat).Mul(factor, m[k][j]))
			}
		}
	}
	return det.Num()
}

// eliminateWhole is eliminate of the whole network, with a plan of any width.
func eliminateWhole(t *testing.T, n *Network) (trees, length *big.Int) {
	t.Helper()
	p, err := n.newPlan(t.Context(), MaxWidth)
	if err != nil || p == nil {
		t.Fatalf("no plan for %+v: %v", n, err)
	}
	var done atomic.Int64
	trees, length, err = n.eliminate(t.Context(), p, &done)
	if err != nil {
		t.Fatal(err)
	}
	if done.Load() != p.work() {
		t.Errorf("%d of %d units of work are done at the end", done.Load(), p.work())
	}
	return trees, length
}

// exactMean is the exact mean, by parts.
func exactMean(t *testing.T, n *Network) *big.Rat {
	t.Helper()
	m, err := n.MeanPath(t.Context(), Options{Width: MaxWidth})
	if err != nil {
		t.Fatal(err)
	}
	if m.Exact == nil {
		t.Fatalf("not exact: %+v", m)
	}
	return m.Exact
}

// TestExact compares small networks with all of their trees, and larger ones with the number of
// their trees.
func TestExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 300 {
		n := randomNetwork(rng, 2+rng.IntN(6), rng.IntN(8))
		trees, length := n.enumerate()
		gotTrees, gotLength := eliminateWhole(t, n)
		if gotTrees.Cmp(big.NewInt(trees)) != 0 || gotLength.Cmp(big.NewInt(length)) != 0 {
			t.Fatalf("%+v: %v trees with paths of %v in all, want %d and %d", n, gotTrees, gotLength, trees, length)
		}
		if mean, want := exactMean(t, n), n.MeanPathPlain(); mean.Cmp(want) != 0 {
			t.Fatalf("%+v: mean %v by parts, want %v", n, mean, want)
		}
	}
	for range 40 {
		n := randomNetwork(rng, 8+rng.IntN(25), rng.IntN(16))
		trees, length := eliminateWhole(t, n)
		if want := n.determinant(); trees.Cmp(want) != 0 {
			t.Fatalf("%+v: %v trees, want %v", n, trees, want)
		}
		if mean, byParts := new(big.Rat).SetFrac(length, trees), exactMean(t, n); mean.Cmp(byParts) != 0 {
			t.Fatalf("%+v: mean %v, by parts %v", n, mean, byParts)
		}
	}
}

// TestKnownMeans has graphs with known means.
func TestKnownMeans(t *testing.T) {
	check := func(what string, n *Network, want *big.Rat) {
		t.Helper()
		if mean := exactMean(t, n); mean.Cmp(want) != 0 {
			t.Errorf("%s: mean length %v, want %v", what, mean, want)
		}
	}
	for n := 3; n <= 12; n++ {
		var cycle, path [][2]uint32
		for v := range n {
			cycle = append(cycle, [2]uint32{uint32(v), uint32((v + 1) % n)})
		}
		path = cycle[:n-1]
		for k := 1; k < n; k++ {
			// A tree lacks one edge: one of the n-k beyond the ends, or one of the k between them.
			check("cycle", New(n, cycle, 0, uint32(k)), big.NewRat(int64(2*k*(n-k)), int64(n)))
			check("path", New(n, path, 0, uint32(k)), big.NewRat(int64(k), 1))
		}
	}
	// In the complete graph, (n-2)(n-3)...(n-d) paths have length d, and each is in
	// (d+1) n^(n-d-2) of the n^(n-2) trees.
	for n := 2; n <= 9; n++ {
		var edges [][2]uint32
		for a := range n {
			for b := range a {
				edges = append(edges, [2]uint32{uint32(a), uint32(b)})
			}
		}
		want, paths := new(big.Rat), int64(1)
		for d := 1; d < n; d++ {
			power := new(big.Int).Exp(big.NewInt(int64(n)), big.NewInt(int64(d)), nil)
			want.Add(want, new(big.Rat).SetFrac(big.NewInt(paths*int64(d*(d+1))), power))
			paths *= int64(n - d - 1)
		}
		check("complete graph", New(n, edges, 0, uint32(n-1)), want)
	}
	check("one vertex", New(1, nil, 0, 0), new(big.Rat))
}

func TestSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for seed := range uint64(10) {
		n := randomNetwork(rng, 5+rng.IntN(20), 4+rng.IntN(12))
		exact, _ := exactMean(t, n).Float64()
		o := Options{Samples: 4001, Seed: seed, Threads: 1}
		one, err := n.MeanPath(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(one.Length - exact); one.Sampled != one.Parts || off > 5*one.Error+1e-9 {
			t.Errorf("%+v: sampled %v with standard error %v, exactly %v", n, one.Length, one.Error, exact)
		}
		o.Threads = 3
		three, err := n.MeanPath(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		one.Exact, three.Exact = nil, nil // two pointers, if there are only bridges
		if *one != *three {
			t.Errorf("%+v with one thread, %+v with three", one, three)
		}
		// The walk on the whole graph has paths with the same mean.
		s, err := samplePaths(t.Context(), []*Network{n}, 4000, Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(s.mean - exact); s.n != 4000 || off > 5*s.standardError()+1e-9 {
			t.Errorf("%+v: sampled %v with standard error %v from %d, exactly %v", n, s.mean, s.standardError(), s.n, exact)
		}
	}
}

// TestMemory: parts that would take too much memory are sampled.
func TestMemory(t *testing.T) {
	n := randomNetwork(rand.New(rand.NewPCG(1, 1)), 20, 10)
	m, err := n.MeanPath(t.Context(), Options{Width: MaxWidth, Memory: planBytes(2) - 1, Samples: 10})
	if err != nil || m.Exact != nil || m.Sampled == 0 {
		t.Errorf("in little memory: %+v, %v", m, err)
	}
	m, err = n.MeanPath(t.Context(), Options{Width: MaxWidth, Memory: planBytes(MaxWidth)})
	if err != nil || m.Exact == nil {
		t.Errorf("in enough memory: %+v, %v", m, err)
	}
}

// TestSampleAdd compares the mean and error of several samples with those of all numbers at once.
func TestSampleAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	var all, part sample
	var numbers []float64
	for range 1000 {
		x := 1e6 + rng.Float64()
		numbers = append(numbers, x)
		part.add(sample{n: 1, mean: x})
		if rng.IntN(7) == 0 {
			all.add(part)
			part = sample{}
		}
	}
	if part.n > 0 {
		all.add(part)
	}
	mean, squares := 0.0, 0.0
	for _, x := range numbers {
		mean += x / 1000
	}
	for _, x := range numbers {
		squares += (x - mean) * (x - mean)
	}
	if want := math.Sqrt(squares / 999 / 1000); all.n != 1000 || math.Abs(all.mean-mean) > 1e-6 || math.Abs(all.standardError()-want) > 1e-6*want {
		t.Errorf("%+v, error %v; want mean %v, error %v", all, all.standardError(), mean, want)
	}
}

// TestStopped: everything that can take long stops when ctx ends. The walk would not end at all.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := New(4, [][2]uint32{{0, 1}, {2, 3}}, 0, 3)
	if _, err := n.samplePath(ctx, rand.NewPCG(1, 1), make([]uint32, 4)); !errors.Is(err, context.Canceled) {
		t.Errorf("a walk without an end: %v", err)
	}
	n = randomNetwork(rand.New(rand.NewPCG(1, 1)), 20, 10)
	if _, err := n.newPlan(ctx, MaxWidth); !errors.Is(err, context.Canceled) {
		t.Errorf("a plan: %v", err)
	}
	plan, err := n.newPlan(t.Context(), MaxWidth)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := n.eliminate(ctx, plan, new(atomic.Int64)); !errors.Is(err, context.Canceled) {
		t.Errorf("an elimination: %v", err)
	}
}
