package bfs_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
)

// All levels are shared between threads, however few states they have.
func TestMain(m *testing.M) {
	bfs.ShareLevels(1)
	os.Exit(m.Run())
}

var errStop = errors.New("stopped by the test")

// known is what a search with a map finds.
type known struct {
	at     map[uint64]int
	layers []uint64
	goals  []uint64
	length int
	whole  bool
}

func find(sp statespace.Space, toGoal bool) *known {
	k := &known{at: make(map[uint64]int)}
	for _, x := range sp.Roots() {
		k.at[x] = 0
	}
	level := slices.Sorted(maps.Keys(k.at))
	for len(level) > 0 {
		k.layers = append(k.layers, uint64(len(level)))
		if len(k.goals) == 0 {
			for _, x := range level {
				if sp.Parts().Goals.Has(x) {
					k.goals, k.length = append(k.goals, x), len(k.layers)-1
				}
			}
		}
		if toGoal && len(k.goals) > 0 {
			return k
		}
		var next []uint64
		for _, x := range level {
			for _, e := range sp.Successors(nil, x) {
				if _, ok := k.at[e.To]; !ok {
					k.at[e.To] = len(k.layers)
					next = append(next, e.To)
				}
			}
		}
		slices.Sort(next)
		level = next
	}
	k.whole = true
	return k
}

// farthest returns the first of the states that are farthest from the roots, and their distance.
func (k *known) farthest() (x uint64, distance int) {
	x = slices.MinFunc(slices.Collect(maps.Keys(k.at)), func(x, y uint64) int { return cmp.Or(k.at[y]-k.at[x], cmp.Compare(x, y)) })
	return x, k.at[x]
}

// check compares what a search has found with what is known.
func (k *known) check(t *testing.T, r *bfs.Result, members *bfs.Members) {
	t.Helper()
	if !slices.Equal(r.Layers, k.layers) || !slices.Equal(r.Goals, k.goals) || r.Length != k.length || r.Whole != k.whole || r.States() != uint64(len(k.at)) {
		t.Fatalf("found %+v, %d states; want layers %v, goals %v at distance %d, whole: %t", r, r.States(), k.layers, k.goals, k.length, k.whole)
	}
	distances := members.Distances()
	for x := range members.Len() {
		n, reached := k.at[x]
		mark, entry := uint16(0), uint16(0)
		if reached {
			mark = uint16(bfs.Mark(n))
			if entry = mark; distances.Whole {
				entry = uint16(n) + 1
			}
		}
		if got, err := distances.At(x); got != entry || err != nil {
			t.Fatalf("number %d has the entry %d, %v, want %d", x, got, err, entry)
		}
		if got := members.Marks().Get(x); got != mark {
			t.Fatalf("number %d has the mark %d, want %d", x, got, mark)
		}
		if has, err := members.Has(x); has != reached || err != nil {
			t.Fatalf("number %d is a member: %t, %v, want %t", x, has, err, reached)
		}
	}
}

// newSearch returns a search that is closed after the test.
func newSearch(t testing.TB, g statespace.Graph, o bfs.Options) *bfs.Search {
	t.Helper()
	s, err := bfs.New(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// run returns a search that has ended.
func run(t testing.TB, g statespace.Graph, o bfs.Options) *bfs.Search {
	t.Helper()
	s := newSearch(t, g, o)
	if err := s.Run(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// clone returns a copy in memory of its own.
func clone(saved bfs.Saved) bfs.Saved {
	saved.Layers, saved.Goals = slices.Clone(saved.Layers), slices.Clone(saved.Goals)
	saved.Marks, saved.Open = slices.Clone(saved.Marks), slices.Clone(saved.Open)
	saved.Depths = slices.Clone(saved.Depths)
	for i, plane := range saved.Depths {
		saved.Depths[i] = slices.Clone(plane)
	}
	return saved
}

// visits collects what a search visits.
type visits struct {
	mu     sync.Mutex
	levels map[uint64]int
	twice  []uint64
	left   int // calls until stop is called
	stop   func()
}

func newVisits() *visits { return &visits{levels: make(map[uint64]int), left: -1} }

func (v *visits) visit(_, level int, first, word uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range uint64(64) {
		if word>>i&1 == 1 {
			if _, ok := v.levels[first+i]; ok {
				v.twice = append(v.twice, first+i)
			}
			v.levels[first+i] = level
		}
	}
	if v.left--; v.left == 0 {
		v.stop()
	}
}

// check compares the visits with what is known: each state comes once, at its distance.
func (v *visits) check(t *testing.T, k *known) {
	t.Helper()
	if len(v.twice) > 0 || !maps.Equal(v.levels, k.at) {
		t.Fatalf("%d states are visited, %v twice; there are %d", len(v.levels), v.twice, len(k.at))
	}
}

// stepper is a statespace.Stepper, with marks only, for any undirected space in which no move stays on a level. It keeps a
// level as a list.
type stepper struct {
	sp     statespace.Space
	marks  *bitset.Planes
	level  []uint64
	broken bool // by the end of a context: some marks of the next level are there
}

// stepped returns the graph of a space with steppers.
func stepped(sp statespace.Space) statespace.Graph {
	g := bfs.Plain(sp)
	g.NewStepper = func(marks []uint64, _ int) statespace.Stepper {
		planes, err := bitset.PlanesOver(marks, sp.Size(), bfs.MarkBits)
		if err != nil {
			panic(err)
		}
		return &stepper{sp: sp, marks: planes}
	}
	return g
}

func (s *stepper) Levels(int) [][]uint64                       { panic("it keeps marks") }
func (s *stepper) RestoreLevels(int, []uint64) (uint64, error) { panic("it keeps marks") }

func (s *stepper) Start(root uint64) {
	s.marks.Set(root, uint16(bfs.Mark(0)))
	s.level = append(s.level, root)
}

func (s *stepper) Goals(int) (goals []uint64) {
	for _, x := range s.level {
		if s.sp.Parts().Goals.Has(x) {
			goals = append(goals, x)
		}
	}
	slices.Sort(goals)
	return goals
}

func (s *stepper) Step(ctx context.Context, level int) (uint64, error) {
	if s.broken {
		return 0, errors.New("it goes on after the end of a context")
	}
	var next []uint64
	mark := uint16(bfs.Mark(level + 1))
	for _, x := range s.level {
		if s.broken = ctx.Err() != nil; s.broken {
			return 0, context.Cause(ctx)
		}
		for _, e := range s.sp.Successors(nil, x) {
			// A state of the next level can have its mark from a step that was stopped.
			if old := s.marks.Get(e.To); old == 0 || old == mark {
				s.marks.Set(e.To, mark)
				next = append(next, e.To)
			}
		}
	}
	slices.Sort(next)
	s.level = slices.Compact(next)
	return uint64(len(s.level)), nil
}

func (s *stepper) Open(_ int, first uint64, open []uint64) {
	for _, x := range s.level {
		if i := (x - first) / 64; x >= first && i < uint64(len(open)) {
			open[i] |= 1 << (x % 64)
		}
	}
}

func (s *stepper) Restore(level int, open []uint64) {
	s.level = nil
	for x := range s.sp.Size() {
		if open[x/64]>>(x%64)&1 == 1 && s.marks.Get(x) == uint16(bfs.Mark(level)) {
			s.level = append(s.level, x)
		}
	}
}

// randomBipartite draws an undirected graph in which every move changes the parity of the number,
// with one root.
func randomBipartite(rng *rand.Rand, n, arcs int) *toys.Graph {
	var list [][2]int
	for range arcs {
		a := rng.IntN(n)
		list = append(list, [2]int{a, 2*rng.IntN(n/2) + 1 - a%2})
	}
	return toys.NewGraph(n, list, true, []uint64{0}, []uint64{uint64(n) / 2, uint64(n) - 1})
}
