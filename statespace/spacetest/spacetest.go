// Package spacetest checks that a space keeps the laws that the engines count on.
package spacetest

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
)

// Test checks the laws of a space on its roots and on n random numbers: that
// successors and predecessors are inverse, that Parse reads what Format writes,
// that every move of a Layered space changes the layer in the direction that it
// tells, that symmetries are what they should be and agree with their plain twins,
// and, in a space of at most 2^22 numbers, that every engine finds the set that the
// plain search finds, with every kernel, on one and on several threads, that counting agrees with Layer,
// that the certificate accepts this set and, with one bit flipped, does not, and that
// the set folds and unfolds. Of a Reversible space every engine must find the distances
// that a search with a map of all states finds, and the shortest ways must be right.
func Test(t *testing.T, sp statespace.Space, n int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	states := slices.Clone(sp.Roots())
	for range n {
		states = append(states, rng.Uint64N(sp.Size()))
	}
	// Walk on from the roots as well: random numbers may miss what can be reached.
	for x, i := sp.Roots()[0], 0; i < n; i++ {
		next := sp.Successors(nil, x)
		if len(next) == 0 {
			x = sp.Roots()[0]
			continue
		}
		x = next[rng.IntN(len(next))].To
		states = append(states, x)
	}
	for _, x := range states {
		testState(t, sp, x)
	}
	testSymmetries(t, sp, states, rng)
	if sp.Size() <= 1<<22 {
		testEngines(t, sp, rng)
	}
}

func testState(t *testing.T, sp statespace.Space, x statespace.Index) {
	t.Helper()
	if x >= sp.Size() {
		t.Fatalf("number %d is not below Size() = %d", x, sp.Size())
	}
	if y, err := sp.Parse(sp.Format(x)); err != nil || y != x {
		t.Fatalf("Parse(Format(%d)) = %d, %v; text %q", x, y, err, sp.Format(x))
	}
	for _, e := range sp.Successors(nil, x) {
		if !slices.Contains(sp.Predecessors(nil, e.To), statespace.Edge{To: x, Move: e.Move}) {
			t.Fatalf("%d leads to %d by move %d, but is not its predecessor", x, e.To, e.Move)
		}
		if l, ok := sp.(statespace.Layered); ok {
			if from, to := l.Layer(x), l.Layer(e.To); min(from, to) < 0 || from == to || from > to != l.LayersFall() {
				t.Fatalf("a move leads from layer %d to %d; layers fall: %t", from, to, l.LayersFall())
			}
		}
	}
	for _, e := range sp.Predecessors(nil, x) {
		if !slices.Contains(sp.Successors(nil, e.To), statespace.Edge{To: x, Move: e.Move}) {
			t.Fatalf("%d comes from %d by move %d, but is not its successor", x, e.To, e.Move)
		}
	}
}

func testEngines(t *testing.T, sp statespace.Space, rng *rand.Rand) {
	t.Helper()
	if r, ok := sp.(statespace.Reversible); ok {
		testDistances(t, r, rng)
		return
	}
	ctx := t.Context()
	plain := bitset.New(sp.Size())
	if err := statespace.Search(ctx, sp, plain); err != nil {
		t.Fatal(err)
	}
	find := func(engine, kernel string) {
		for _, threads := range []int{1, 2, 7} {
			set := bitset.New(sp.Size())
			if err := statespace.Enumerate(ctx, sp, engine, set, threads, nil); err != nil {
				t.Fatalf("%s: %s %s on %d threads: %v", sp.Name(), engine, kernel, threads, err)
			}
			if !slices.Equal(set.Words(), plain.Words()) {
				t.Fatalf("%s: %s %s on %d threads finds %d states, the plain search %d",
					sp.Name(), engine, kernel, threads, set.Count(), plain.Count())
			}
		}
	}
	for _, engine := range statespace.Engines(sp) {
		v, ok := sp.(statespace.Vectorized)
		if !ok || v.Kernel(engine) == "" {
			find(engine, "")
			continue
		}
		// The best is the last: it stays in use.
		for _, kernel := range slices.Backward(v.Kernels()) {
			if err := v.UseKernel(kernel); err != nil || v.Kernel(engine) != kernel {
				t.Fatalf("%s: %s has the kernel %q instead of %q: %v", sp.Name(), engine, v.Kernel(engine), kernel, err)
			}
			find(engine, kernel)
		}
	}
	testFold(t, sp, plain)

	layers, err := statespace.CountLayers(ctx, sp, plain, 2)
	if err != nil {
		t.Fatal(err)
	}
	if want := statespace.CountLayersPlain(sp, plain); !slices.Equal(layers, want) {
		t.Fatalf("%s: layers are %v, one by one %v", sp.Name(), layers, want)
	}

	l, ok := sp.(statespace.Layered)
	if !ok {
		return // there is no certificate
	}
	check(t, l, plain, true)
	if n := sp.Size(); n%64 != 0 {
		plain.Words()[n/64] ^= 5 << (61 - n%64/2)
		check(t, l, plain, false)
		plain.Words()[n/64] ^= 5 << (61 - n%64/2)
	}
	for range min(20, 1+1<<18/sp.Size()) {
		x := rng.Uint64N(sp.Size())
		plain.Flip(x)
		check(t, l, plain, false)
		plain.Flip(x)
	}
}

func testSymmetries(t *testing.T, sp statespace.Space, states []statespace.Index, rng *rand.Rand) {
	t.Helper()
	symmetries := statespace.Symmetries(sp)
	if len(symmetries) == 0 {
		return
	}
	for _, x := range states {
		for i, s := range symmetries {
			testImage(t, sp, i, s, x)
		}
	}
	// Whether maps are the same shows on all numbers of a small space, and on enough
	// random ones of another.
	if sp.Size() <= 1<<10 {
		states = nil
		for x := range sp.Size() {
			states = append(states, x)
		}
	} else {
		states = slices.Clone(states)
		for range 100 {
			states = append(states, rng.Uint64N(sp.Size()))
		}
	}
	maps := [][]statespace.Index{states}
	for i, s := range symmetries {
		var images []statespace.Index
		for _, x := range states {
			images = append(images, s.Map(x))
		}
		if j := slices.IndexFunc(maps, func(m []statespace.Index) bool { return slices.Equal(m, images) }); j >= 0 {
			t.Fatalf("%s: symmetry %d does what %d does, counted from 1; 0 is the identity", sp.Name(), i+1, j)
		}
		maps = append(maps, images)
	}
	for i, s := range symmetries {
		inverse := false
		for j := range symmetries {
			var images []statespace.Index
			for _, x := range maps[j+1] {
				images = append(images, s.Map(x))
			}
			if !slices.ContainsFunc(maps, func(m []statespace.Index) bool { return slices.Equal(m, images) }) {
				t.Fatalf("%s: symmetry %d after %d, counted from 1, is no symmetry", sp.Name(), i+1, j+1)
			}
			inverse = inverse || slices.Equal(images, states)
		}
		if !inverse {
			t.Fatalf("%s: symmetry %d, counted from 1, has no inverse", sp.Name(), i+1)
		}
	}
	words := bitset.Words(sp.Size())
	for range len(states)/len(symmetries) + 10 {
		word, seed := rng.Uint64N(words), rng.Uint64()
		read := func(w uint64) uint64 {
			if w >= words {
				t.Fatalf("%s: word %d was read of %d", sp.Name(), w, words)
			}
			v := rand.New(rand.NewPCG(seed, w)).Uint64()
			if n := sp.Size() % 64; n != 0 && w == words-1 {
				v &= 1<<n - 1
			}
			return v
		}
		for i, s := range symmetries {
			if got, want := s.Least(word), statespace.LeastPlain(s, word, sp.Size()); got != want {
				t.Fatalf("%s: symmetry %d, word %d: least are %x, one by one %x", sp.Name(), i+1, word, got, want)
			}
			if got, want := s.Gather(word, read), statespace.GatherPlain(s, word, sp.Size(), read); got != want {
				t.Fatalf("%s: symmetry %d, word %d: gathered are %x, one by one %x", sp.Name(), i+1, word, got, want)
			}
		}
	}
}

// testImage checks that a symmetry takes a state to one with the same moves.
func testImage(t *testing.T, sp statespace.Space, i int, s statespace.Symmetry, x statespace.Index) {
	t.Helper()
	y := s.Map(x)
	if y >= sp.Size() {
		t.Fatalf("%s: symmetry %d takes %d to %d, which is not below Size() = %d", sp.Name(), i+1, x, y, sp.Size())
	}
	if y != x && slices.Contains(sp.Roots(), x) {
		t.Fatalf("%s: symmetry %d takes the root %d to %d", sp.Name(), i+1, x, y)
	}
	if l, ok := sp.(statespace.Layered); ok && l.Layer(x) != l.Layer(y) {
		t.Fatalf("%s: symmetry %d takes %d of layer %d to %d of layer %d", sp.Name(), i+1, x, l.Layer(x), y, l.Layer(y))
	}
	var images, successors []statespace.Index
	for _, e := range sp.Successors(nil, x) {
		images = append(images, s.Map(e.To))
	}
	for _, e := range sp.Successors(nil, y) {
		successors = append(successors, e.To)
	}
	slices.Sort(images)
	slices.Sort(successors)
	if !slices.Equal(images, successors) {
		t.Fatalf("%s: symmetry %d takes %d to %d, and its successors to %v, not to the successors %v", sp.Name(), i+1, x, y, images, successors)
	}
}

// testFold folds and unfolds the set of what can be reached.
func testFold(t *testing.T, sp statespace.Space, set *bitset.Set) {
	t.Helper()
	symmetries := statespace.Symmetries(sp)
	want := bitset.New(sp.Size())
	sum := 0
	for x := range set.All() {
		if !slices.ContainsFunc(symmetries, func(s statespace.Symmetry) bool { return s.Map(x) < x }) {
			want.Add(x)
			sum += statespace.Orbit(symmetries, x)
		}
	}
	if uint64(sum) != set.Count() {
		t.Fatalf("%s: the orbits of the least members hold %d, there are %d", sp.Name(), sum, set.Count())
	}
	for _, threads := range []int{1, 3} {
		folded, unfolded := bitset.New(sp.Size()), bitset.New(sp.Size())
		copy(folded.Words(), set.Words())
		for i := range unfolded.Words() {
			unfolded.Words()[i] = 0x5555 // to be written over
		}
		if err := statespace.FoldSet(t.Context(), sp, folded, threads, nil); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(folded.Words(), want.Words()) {
			t.Fatalf("%s: folded on %d threads the set has %d members, one by one %d", sp.Name(), threads, folded.Count(), want.Count())
		}
		if err := statespace.UnfoldSet(t.Context(), sp, folded, unfolded, threads, nil); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(unfolded.Words(), set.Words()) {
			t.Fatalf("%s: unfolded on %d threads the set has %d members, and had %d", sp.Name(), threads, unfolded.Count(), set.Count())
		}
	}
}

// testDistances checks the distances of a Reversible space and the ways that follow from
// them.
func testDistances(t *testing.T, sp statespace.Reversible, rng *rand.Rand) {
	t.Helper()
	ctx := t.Context()
	// The distances, the shortest ways to each state, and the goals, by a map.
	distance := make(map[statespace.Index]int)
	ways := make(map[statespace.Index]int64) // below 2^62, or -1
	var layers [][]statespace.Index
	var goals []statespace.Index
	for _, root := range sp.Roots() {
		distance[root], ways[root] = 0, 1
	}
	layer := slices.Sorted(maps.Keys(distance))
	for len(layer) > 0 {
		layers = append(layers, layer)
		for _, x := range layer {
			if sp.Goal(x) {
				goals = append(goals, x)
			}
		}
		if sp.ToGoal() && len(goals) > 0 {
			break
		}
		var next []statespace.Index
		for _, x := range layer {
			once := make(map[statespace.Index]bool)
			for _, e := range sp.Successors(nil, x) {
				if once[e.To] {
					continue
				}
				once[e.To] = true
				if _, ok := distance[e.To]; !ok {
					distance[e.To] = len(layers)
					next = append(next, e.To)
				}
				if distance[e.To] == len(layers) && ways[e.To] >= 0 {
					if ways[e.To] += ways[x]; ways[x] < 0 || ways[e.To] >= 1<<61 {
						ways[e.To] = -1
					}
				}
			}
		}
		slices.Sort(next)
		layer = next
	}
	nearest := slices.DeleteFunc(slices.Clone(goals), func(x statespace.Index) bool { return distance[x] > distance[goals[0]] })
	slices.Sort(nearest)

	var planes *bitset.Planes
	for _, engine := range statespace.Engines(sp) {
		for _, threads := range []int{1, 2, 7} {
			var err error
			planes, err = bitset.PlanesOver(make([]uint64, bitset.PlaneWords(sp.Size(), statespace.DistanceBits)), sp.Size(), statespace.DistanceBits)
			if err != nil {
				t.Fatal(err)
			}
			r, err := statespace.FindDistances(ctx, sp, engine, planes, threads, nil)
			if err != nil {
				t.Fatalf("%s: %s on %d threads: %v", sp.Name(), engine, threads, err)
			}
			for x := range sp.Size() {
				want := uint8(0)
				if d, ok := distance[x]; ok {
					want = statespace.DistanceMark(d)
				}
				if planes.Get(x) != want {
					t.Fatalf("%s: %s on %d threads gives %d the mark %d, want %d", sp.Name(), engine, threads, x, planes.Get(x), want)
				}
			}
			if len(r.Layers) != len(layers) || !slices.Equal(r.Goals, nearest) {
				t.Fatalf("%s: %s on %d threads finds %d layers and the goals %v, there are %d and %v", sp.Name(), engine, threads, len(r.Layers), r.Goals, len(layers), nearest)
			}
			for i, layer := range layers {
				if r.Layers[i] != uint64(len(layer)) {
					t.Fatalf("%s: %s on %d threads: layer %d has %d, want %d", sp.Name(), engine, threads, i, r.Layers[i], len(layer))
				}
			}
			solutions, known := new(big.Int), true
			for _, x := range nearest {
				known = known && ways[x] >= 0
				solutions.Add(solutions, big.NewInt(ways[x]))
			}
			if known && r.Solutions.Cmp(solutions) != 0 || len(nearest) > 0 && r.Length != distance[nearest[0]] {
				t.Fatalf("%s: %s on %d threads: %v solutions of %d moves, want %v", sp.Name(), engine, threads, r.Solutions, r.Length, solutions)
			}
		}
	}
	near := sp.Neighbours()
	for range 20 {
		d := rng.IntN(len(layers))
		x := layers[d][rng.IntN(len(layers[d]))]
		var neighbours []statespace.Index
		for _, e := range sp.Successors(nil, x) {
			neighbours = append(neighbours, e.To)
		}
		slices.Sort(neighbours)
		if got := slices.Compact(slices.Sorted(slices.Values(near(nil, x)))); !slices.Equal(got, slices.Compact(neighbours)) {
			t.Fatalf("%s: the neighbours of %d are %v, the successors %v", sp.Name(), x, got, neighbours)
		}
		isWay := func(way statespace.Way) {
			t.Helper()
			at := way.From
			if !slices.Contains(sp.Roots(), at) || len(way.Steps) != d {
				t.Fatalf("%s: the way to %d has %d moves from %d, want %d from a root", sp.Name(), x, len(way.Steps), at, d)
			}
			for _, step := range way.Steps {
				if !slices.ContainsFunc(sp.Successors(nil, at), func(e statespace.Edge) bool { return e.To == step.State }) {
					t.Fatalf("%s: no move leads from %d to %d", sp.Name(), at, step.State)
				}
				at = step.State
			}
			if at != x {
				t.Fatalf("%s: the way to %d ends at %d", sp.Name(), x, at)
			}
		}
		way, err := statespace.ShortestPath(sp, statespace.Known(planes), x, len(layers))
		if err != nil {
			t.Fatal(err)
		}
		isWay(way)
		if moves, states, err := sp.Tell(way); err != nil || len(moves) != d || len(states) != d+1 {
			t.Fatalf("%s: %d moves and %d states are told of %d moves: %v", sp.Name(), len(moves), len(states), d, err)
		}
		all, err := statespace.FindShortest(ctx, sp, statespace.Known(planes), []statespace.Index{x}, d, 0)
		if err != nil {
			t.Fatal(err)
		}
		if ways[x] >= 0 && all.Total().Cmp(big.NewInt(ways[x])) != 0 {
			t.Fatalf("%s: %v shortest ways to %d, want %d", sp.Name(), all.Total(), x, ways[x])
		}
		isWay(all.Random(rng))
		known := make(map[string]bool)
		for way := range all.All() {
			if isWay(way); known[fmt.Sprint(way)] {
				t.Fatalf("%s: a way to %d comes twice", sp.Name(), x)
			}
			if known[fmt.Sprint(way)] = true; len(known) == 100 {
				break
			}
		}
		if ways[x] >= 0 && int64(len(known)) != min(100, ways[x]) {
			t.Fatalf("%s: %d ways to %d are listed, there are %d", sp.Name(), len(known), x, ways[x])
		}
		// What is not right about distances shows.
		if d > 1 {
			wrong := func(y statespace.Index) (uint8, error) {
				if y == x || slices.Contains(sp.Roots(), y) {
					return planes.Get(y), nil
				}
				return 0, nil
			}
			if _, err := statespace.ShortestPath(sp, wrong, x, len(layers)); !errors.Is(err, statespace.ErrNoPath) {
				t.Fatalf("%s: a way was found without distances: %v", sp.Name(), err)
			}
			if _, err := statespace.FindShortest(ctx, sp, wrong, []statespace.Index{x}, d, 0); !errors.Is(err, statespace.ErrNoPath) {
				t.Fatalf("%s: ways were found without distances: %v", sp.Name(), err)
			}
			if _, err := statespace.ShortestPath(sp, statespace.Known(planes), x, d-1); !errors.Is(err, statespace.ErrNoPath) {
				t.Fatalf("%s: a way of %d moves was found with %d at most: %v", sp.Name(), d, d-1, err)
			}
			if _, err := statespace.FindShortest(ctx, sp, statespace.Known(planes), []statespace.Index{x}, d, 1); !errors.Is(err, statespace.ErrMemory) {
				t.Fatalf("%s: ways were found in one byte: %v", sp.Name(), err)
			}
		}
	}
}

// check holds the fast certificate against the plain one, and both against what
// is known of the set.
func check(t *testing.T, sp statespace.Layered, set *bitset.Set, good bool) {
	t.Helper()
	fast, err := statespace.Verify(t.Context(), sp, set, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if plain := statespace.Certify(sp, set); fast != plain || (plain.Count == 0) != good {
		t.Fatalf("%s: the certificate finds %+v, state by state %+v; the set is right: %t", sp.Name(), fast, plain, good)
	}
}

// MustFail checks that a text is refused by Parse, as outside the space or not.
func MustFail(t *testing.T, sp statespace.Space, text string, outside bool) {
	t.Helper()
	_, err := sp.Parse(text)
	if err == nil {
		t.Errorf("%s: %q was read without an error", sp.Name(), text)
	} else if errors.Is(err, statespace.ErrOutside) != outside {
		t.Errorf("%s: %q: %v; outside the space should be %t", sp.Name(), text, err, outside)
	}
}
