package slide

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
)

// randomNetwork draws a connected graph with parallel edges.
func randomNetwork(rng *rand.Rand, vertices, more int) *network {
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
	return newNetwork(vertices, edges, uint32(ends[0]), uint32(ends[1]))
}

// edges lists the edges, each once.
func (n *network) edges() [][2]uint32 {
	var edges [][2]uint32
	for v := range uint32(n.vertices()) {
		for _, y := range n.neighbours(v) {
			if v < y {
				edges = append(edges, [2]uint32{v, y})
			}
		}
	}
	return edges
}

// enumerate looks at all sets of edges that are spanning trees.
func (n *network) enumerate() (trees, length int64) {
	edges := n.edges()
	var choose func(first int, chosen [][2]uint32)
	choose = func(first int, chosen [][2]uint32) {
		if len(chosen) == n.vertices()-1 {
			if d, ok := treeDistance(chosen, n.vertices(), n.start, n.goal); ok {
				trees++
				length += int64(d)
			}
			return
		}
		for i := first; i < len(edges); i++ {
			choose(i+1, append(chosen, edges[i]))
		}
	}
	choose(0, nil)
	return trees, length
}

// treeDistance reports whether so many edges less one make a tree, and how far apart two
// vertices are in it.
func treeDistance(edges [][2]uint32, vertices int, from, to uint32) (int, bool) {
	dist := slices.Repeat([]int{-1}, vertices)
	dist[from] = 0
	for range vertices {
		for _, e := range edges {
			for range 2 {
				if dist[e[0]] >= 0 && dist[e[1]] < 0 {
					dist[e[1]] = dist[e[0]] + 1
				}
				e[0], e[1] = e[1], e[0]
			}
		}
	}
	return dist[to], !slices.Contains(dist, -1)
}

// countTrees is the determinant of the matrix-tree theorem.
func (n *network) countTrees() *big.Int {
	size := n.vertices() - 1
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

// exactPaths is treePaths with a plan of any width.
func (n *network) exactPaths(t *testing.T) (trees, length *big.Int) {
	t.Helper()
	p, ok, err := n.newPlan(t.Context(), MaxBBWidth)
	if err != nil || !ok {
		t.Fatalf("no plan for %+v: %v", n, err)
	}
	var done atomic.Int64
	trees, length, err = n.treePaths(t.Context(), p, &done)
	if err != nil {
		t.Fatal(err)
	}
	if done.Load() != p.work() {
		t.Errorf("%d of %d units of work are done at the end", done.Load(), p.work())
	}
	return trees, length
}

// meanLength is the exact mean by the blocks.
func (n *network) meanLength(t *testing.T) *big.Rat {
	t.Helper()
	var b BB
	if err := b.find(t.Context(), n.blocks(), BBOptions{Width: MaxBBWidth}); err != nil {
		t.Fatal(err)
	}
	if !b.Exact {
		t.Fatalf("not exact: %+v", b)
	}
	return b.ExactLength
}

func TestTreePaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 300 {
		n := randomNetwork(rng, 2+rng.IntN(6), rng.IntN(8))
		trees, length := n.enumerate()
		gotTrees, gotLength := n.exactPaths(t)
		if gotTrees.Cmp(big.NewInt(trees)) != 0 || gotLength.Cmp(big.NewInt(length)) != 0 {
			t.Fatalf("%+v: %v trees with paths of %v in all, want %d and %d", n, gotTrees, gotLength, trees, length)
		}
		if mean, want := n.meanLength(t), big.NewRat(length, trees); mean.Cmp(want) != 0 {
			t.Fatalf("%+v: mean %v by blocks, want %v", n, mean, want)
		}
	}
	// Larger ones, in which trees can only be counted.
	for range 40 {
		n := randomNetwork(rng, 8+rng.IntN(25), rng.IntN(16))
		trees, length := n.exactPaths(t)
		if want := n.countTrees(); trees.Cmp(want) != 0 {
			t.Fatalf("%+v: %v trees, want %v", n, trees, want)
		}
		if mean, byBlocks := new(big.Rat).SetFrac(length, trees), n.meanLength(t); mean.Cmp(byBlocks) != 0 {
			t.Fatalf("%+v: mean %v, by blocks %v", n, mean, byBlocks)
		}
	}
}

// TestMeanLengths: graphs of which the mean is known.
func TestMeanLengths(t *testing.T) {
	check := func(what string, n *network, want *big.Rat) {
		t.Helper()
		if mean := n.meanLength(t); mean.Cmp(want) != 0 {
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
			// One edge is missing: of the n-k beyond, or of the k between.
			check("cycle", newNetwork(n, cycle, 0, uint32(k)), big.NewRat(int64(2*k*(n-k)), int64(n)))
			check("path", newNetwork(n, path, 0, uint32(k)), big.NewRat(int64(k), 1))
		}
	}
	// In the complete graph (n-2)(n-3)...(n-d) paths have length d, and each is in
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
		check("complete graph", newNetwork(n, edges, 0, uint32(n-1)), want)
	}
}

func TestSamplePaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for seed := range uint64(10) {
		n := randomNetwork(rng, 5+rng.IntN(20), 4+rng.IntN(12))
		exact, _ := n.meanLength(t).Float64()
		b, threads := BB{Vertices: uint64(n.vertices())}, BB{Vertices: uint64(n.vertices())}
		o := BBOptions{Samples: 4001, Seed: seed, Threads: 1}
		if err := b.find(t.Context(), n.blocks(), o); err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(b.Length - exact); off > 5*b.Error+1e-9 {
			t.Errorf("%+v: sampled %v with standard error %v, exactly %v", n, b.Length, b.Error, exact)
		}
		o.Threads = 3
		if err := threads.find(t.Context(), n.blocks(), o); err != nil {
			t.Fatal(err)
		}
		b.ExactLength, threads.ExactLength = nil, nil // two pointers, if there are only bridges
		if b != threads {
			t.Errorf("%+v with one thread, %+v with three", b, threads)
		}
		// The walk on the whole graph has paths of the same mean.
		s, err := samplePaths(t.Context(), []*network{n}, 4000, seed, 1, noProgress)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(s.mean - exact); s.n != 4000 || off > 5*s.standardError()+1e-9 {
			t.Errorf("%+v: sampled %v with standard error %v from %d, exactly %v", n, s.mean, s.standardError(), s.n, exact)
		}
	}
}

// TestSampleAdd holds the mean and error of parts against those of all numbers at once.
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

// plainNetwork makes the graph of a puzzle by the plain moves and a map.
func plainNetwork(p *Puzzle, m Metric) (n *network, states, goals uint64) {
	const goal = ^uint32(0)
	number := map[string]uint32{}
	vertices := uint32(0)
	var todo []string
	see := func(pos Position) uint32 {
		key := p.Key(pos)
		if v, ok := number[key]; ok {
			return v
		}
		states++
		v := vertices
		if p.Solved(pos) {
			goals++
			v = goal
		} else {
			vertices++
		}
		number[key] = v
		todo = append(todo, key)
		return v
	}
	start := see(p.Start())
	var edges [][2]uint32
	for i := 0; i < len(todo); i++ {
		v := number[todo[i]]
		next := map[string]bool{}
		for _, s := range p.successors(m, p.position(todo[i])) {
			key := p.Key(s.pos)
			if y := see(s.pos); !next[key] && (v < y || v == goal && y == goal) {
				edges = append(edges, [2]uint32{v, y})
			}
			next[key] = true
		}
	}
	real := func(v uint32) uint32 { return min(v, vertices) }
	edges = slices.DeleteFunc(edges, func(e [2]uint32) bool { return e[0] == e[1] })
	for i, e := range edges {
		edges[i] = [2]uint32{real(e[0]), real(e[1])}
	}
	return newNetwork(int(vertices)+1, edges, real(start), vertices), states, goals
}

func TestBBRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	solved, enumerated := 0, 0
	for range 1000 {
		p := randomPuzzle(rng)
		m := Metric(rng.IntN(Metrics))
		r, err := SolvePlain(t.Context(), p, m, Options{Memory: 80 * plainBytes})
		if err != nil {
			continue // too many positions
		}
		b, err := FindBB(t.Context(), p, m, BBOptions{Width: 6, Samples: 200})
		if err != nil {
			t.Fatal(err)
		}
		n, states, goals := plainNetwork(p, m)
		if b.States != states || b.Goals != goals || b.Goals > 0 != r.Solved {
			t.Fatalf("%s%v: %+v, want %d positions and %d goals", p.Format(), m, b, states, goals)
		}
		if !r.Solved {
			if b.Vertices != 0 || b.Exact || b.ExactValue() != nil {
				t.Fatalf("%s%v: no goal can be reached, and still %+v", p.Format(), m, b)
			}
			continue
		}
		solved++
		if b.Vertices != states-goals+1 || int(b.Vertices) != n.vertices() {
			t.Fatalf("%s%v: %d vertices, want %d", p.Format(), m, b.Vertices, n.vertices())
		}
		if r.Length > 0 && b.Length < float64(r.Length)-1e-9 || r.Length == 0 && b.Length != 0 {
			t.Fatalf("%s%v: mean length %v, the shortest is %d", p.Format(), m, b.Length, r.Length)
		}
		if n.vertices() > 9 || len(n.edges()) > 14 || n.start == n.goal {
			continue
		}
		enumerated++
		trees, length := n.enumerate()
		want := big.NewRat(length, trees)
		if !b.Exact || b.ExactLength.Cmp(want) != 0 {
			t.Fatalf("%s%v: mean length %v, want %v", p.Format(), m, b.ExactLength, want)
		}
		value := new(big.Rat).Sub(big.NewRat(int64(b.Vertices)-1, 1), want)
		if f, _ := value.Float64(); b.ExactValue().Cmp(value) != 0 || b.Value != f || b.Low != f || b.High != f {
			t.Fatalf("%s%v: %+v, want the value %v", p.Format(), m, b, value)
		}
	}
	if solved < 100 || enumerated < 30 {
		t.Errorf("%d puzzles were solved and %d enumerated, too few to say much", solved, enumerated)
	}
}

// TestBBDads: the values are this program's own, exact and sampled.
func TestBBDads(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of large numbers")
	}
	p, err := Lookup("slide/dads")
	if err != nil {
		t.Fatal(err)
	}
	mirrored, err := ParsePuzzle("BBAA/CCAA/..21/FFED/GGED ..../..../..../..AA/..AA")
	if err != nil {
		t.Fatal(err)
	}
	for m, want := range map[Metric]string{Steps: "1259.313537", Lines: "1275.037941"} {
		b, err := FindBB(t.Context(), p, m, BBOptions{Width: BBWidth})
		if err != nil {
			t.Fatal(err)
		}
		if !b.Exact || b.ExactValue().FloatString(6) != want || b.States != 1398 || b.Goals != 32 || b.Vertices != 1367 {
			t.Errorf("%v: %v of %+v, want %s", m, b.ExactValue(), b, want)
		}
		mirror, err := FindBB(t.Context(), mirrored, m, BBOptions{Width: BBWidth})
		if err != nil {
			t.Fatal(err)
		}
		if !mirror.Exact || mirror.ExactValue().Cmp(b.ExactValue()) != 0 {
			t.Errorf("%v: %v, mirrored %v", m, b.ExactValue(), mirror.ExactValue())
		}
		s, err := FindBB(t.Context(), p, m, BBOptions{Samples: 2000, Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(s.Value - b.Value); s.Exact || s.Sampled != s.Blocks || off > 5*s.Error || s.Low >= s.Value || s.Value >= s.High {
			t.Errorf("%v: sampled %+v, exactly %v", m, s, b.Value)
		}
		// Narrow blocks are exact, the widest is sampled.
		some, err := FindBB(t.Context(), p, m, BBOptions{Width: 4, Samples: 2000, Seed: 8})
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(some.Value - b.Value); some.Sampled != 1 || some.Samples != 2000 || some.Seed != 8 || off > 5*some.Error {
			t.Errorf("%v: sampled in part %+v, exactly %v", m, some, b.Value)
		}
	}
}

func TestBBRefuses(t *testing.T) {
	p, err := Lookup("slide/klotski")
	if err != nil {
		t.Fatal(err)
	}
	var size *SizeError
	for _, memory := range []uint64{1 << 10, 2 << 20} { // less than the search takes, and than the graph does
		if _, err := FindBB(t.Context(), p, Moves, BBOptions{Memory: memory}); !errors.As(err, &size) {
			t.Errorf("with %d bytes: %v, want a SizeError", memory, err)
		}
	}
	noGoal, err := ParsePuzzle("tray: A..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := FindBB(t.Context(), noGoal, Moves, BBOptions{}); !errors.Is(err, ErrNoGoal) {
		t.Errorf("without a goal: %v", err)
	}
	// All that lasts stops when ctx ends; here the walk would not end at all.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := newNetwork(4, [][2]uint32{{0, 1}, {2, 3}}, 0, 3)
	if _, err := n.samplePath(ctx, rand.NewPCG(1, 1), make([]uint32, 4)); !errors.Is(err, context.Canceled) {
		t.Errorf("a walk without an end: %v", err)
	}
	n = randomNetwork(rand.New(rand.NewPCG(1, 1)), 20, 10)
	if _, _, err := n.newPlan(ctx, MaxBBWidth); !errors.Is(err, context.Canceled) {
		t.Errorf("a plan: %v", err)
	}
	plan, _, _ := n.newPlan(t.Context(), MaxBBWidth)
	if _, _, err := n.treePaths(ctx, plan, new(atomic.Int64)); !errors.Is(err, context.Canceled) {
		t.Errorf("counting trees: %v", err)
	}
}
