package sparse

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/internal/long"
	"pagoda/sorted"
	"pagoda/statespace"
)

// A toy is a small random graph. Its states are spread over codes that share words or are far
// apart.
type toy struct {
	words int
	back  int
	next  [][]int
	roots []int
	goals map[int]bool
	codes [][]uint64
	known map[string]int
}

// The kinds of toys.
const (
	directed = iota
	undirected
	layered
	kinds
)

// text makes a code the key of a map.
func text(code []uint64) string {
	b := make([]byte, 0, 8*len(code))
	for _, x := range code {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return string(b)
}

func newToy(rng *rand.Rand, kind, words, states int) *toy {
	g := &toy{words: words, back: [kinds]int{-1, 1, 0}[kind], next: make([][]int, states), goals: make(map[int]bool), known: make(map[string]int)}
	for x := range states {
		code := make([]uint64, words) // code 0 is one of them
		for _, again := g.known[text(code)]; again; _, again = g.known[text(code)] {
			for i := range code {
				code[i] = [3]uint64{rng.Uint64(), uint64(rng.IntN(4*states)) - 2, 7}[rng.IntN(3)]
			}
		}
		g.codes = append(g.codes, code)
		g.known[text(code)] = x
	}
	rng.Shuffle(states, func(i, j int) {
		g.codes[i], g.codes[j] = g.codes[j], g.codes[i]
		g.known[text(g.codes[i])], g.known[text(g.codes[j])] = i, j
	})
	width := max(1, states/10) // of a layer
	for x := range states {
		for range rng.IntN(6) {
			y := rng.IntN(states)
			if kind == layered {
				y = (x/width+1)*width + rng.IntN(width)
			} else if rng.IntN(8) > 0 { // near by, so that there are many levels
				y = min(states-1, max(0, x+rng.IntN(width)-width/2))
			}
			if y >= states {
				continue
			}
			g.next[x] = append(g.next[x], y)
			if kind == undirected {
				g.next[y] = append(g.next[y], x)
			}
		}
	}
	for range 1 + rng.IntN(3) {
		g.roots = append(g.roots, rng.IntN(width))
	}
	for range rng.IntN(2 + states/25) {
		g.goals[rng.IntN(states)] = true
	}
	return g
}

func (g *toy) graph() statespace.CodeGraph {
	s := statespace.CodeGraph{Words: g.words, Back: g.back, NewExpander: func() statespace.CodeExpander { return g }}
	for _, root := range g.roots {
		s.Roots = append(s.Roots, g.codes[root])
	}
	return s
}

func (g *toy) Expand(dst []uint64, code []uint64) []uint64 {
	for _, y := range g.next[g.known[text(code)]] {
		dst = append(dst, g.codes[y]...)
	}
	return dst
}

func (g *toy) Goal(code []uint64) bool { return g.goals[g.known[text(code)]] }

// A plainResult is what the plain search finds.
type plainResult struct {
	Result
	level map[string]int
}

// plain is the search that the engine is held against: it has a map, and takes one state at a
// time.
func plain(g statespace.CodeGraph, toGoal bool) plainResult {
	r := plainResult{Result{GoalLevel: -1}, make(map[string]int)}
	e := g.NewExpander()
	var level [][]uint64
	for _, root := range g.Roots {
		if _, ok := r.level[text(root)]; !ok {
			r.level[text(root)] = 0
			level = append(level, root)
		}
	}
	for len(level) > 0 {
		at := len(r.Levels)
		r.Levels = append(r.Levels, uint64(len(level)))
		r.States += uint64(len(level))
		for _, code := range level {
			if e.Goal(code) && (r.GoalLevel < 0 || r.GoalLevel == at) {
				r.GoalLevel = at
				r.Goals = append(r.Goals, code)
			}
		}
		if r.GoalLevel >= 0 && toGoal {
			break
		}
		var next [][]uint64
		for _, code := range level {
			for succ := range slices.Chunk(e.Expand(nil, code), g.Words) {
				if _, ok := r.level[text(succ)]; !ok {
					r.level[text(succ)] = at + 1
					next = append(next, succ)
				}
			}
		}
		level = next
	}
	r.Whole = len(level) == 0
	slices.SortFunc(r.Goals, slices.Compare)
	return r
}

// each calls visit with all states that a search has found, in the order of their codes.
func each(t *testing.T, s *Search, visit func(code []uint64, level int)) {
	t.Helper()
	var levels []int
	table, err := s.Table(t.Context(), func(_ uint64, level int) { levels = append(levels, level) })
	if err != nil {
		t.Fatal(err)
	}
	for i, level := range levels {
		code, err := table.At(nil, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		visit(code, level)
	}
}

// hold holds what a search has found against the plain search.
func (want plainResult) hold(t *testing.T, s *Search, codes [][]uint64) {
	t.Helper()
	got := s.Result()
	if !slices.Equal(got.Levels, want.Levels) || got.States != want.States || got.Whole != want.Whole || got.GoalLevel != want.GoalLevel ||
		!slices.EqualFunc(got.Goals, want.Goals, slices.Equal) {
		t.Fatalf("found %+v, plainly %+v", got, want.Result)
	}
	found := make(map[string]int)
	var last []uint64
	each(t, s, func(code []uint64, level int) {
		if last != nil && !sorted.Less(last, code) {
			t.Fatalf("%x comes after %x", code, last)
		}
		last = slices.Clone(code)
		found[text(code)] = level
	})
	if !maps.Equal(found, want.level) {
		t.Fatalf("%d states are listed, plainly %d, or their levels differ", len(found), len(want.level))
	}
	for _, code := range codes[:min(200, len(codes))] {
		level, ok, err := levelOf(s, code)
		if wantLevel, want := want.level[text(code)]; err != nil || ok != want || ok && level != wantLevel {
			t.Fatalf("%x is at %d (%t), plainly at %d (%t): %v", code, level, ok, wantLevel, want, err)
		}
	}
}

// ways are places for the levels, with much memory or hardly any: room for some hundred
// successors.
var ways = map[string]struct {
	disk, tiny bool
}{"memory": {}, "disk": {disk: true}, "tiny memory": {tiny: true}, "tiny": {true, true}}

// start begins a search in one of the ways.
func start(t *testing.T, g statespace.CodeGraph, o Options, way string) *Search {
	t.Helper()
	if ways[way].disk && o.Dir == "" {
		o.Dir = t.TempDir()
	}
	s, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	if ways[way].tiny {
		s.share.buffer, s.share.fanIn, s.share.span, s.share.worth = 300*g.Words, 3, 512, 16
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestToys(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for kind := range kinds {
		for words := 1; words <= 3; words++ {
			for _, states := range []int{1, 30, 3000} {
				if !long.Tests {
					states = min(states, 1500)
				}
				g := newToy(rng, kind, words, states)
				for _, toGoal := range []bool{false, true} {
					want := plain(g.graph(), toGoal)
					for _, threads := range long.Or([]int{1, 2, 7}, []int{2}) {
						if toGoal && states > 1000 && threads != 2 {
							continue
						}
						for way := range ways {
							t.Run(fmt.Sprintf("kind%d/%d/%d/%t/%d/%s", kind, words, states, toGoal, threads, way), func(t *testing.T) {
								s := start(t, g.graph(), Options{Threads: threads, ToGoal: toGoal}, way)
								if err := s.Run(t.Context(), nil, nil); err != nil {
									t.Fatal(err)
								}
								want.hold(t, s, g.codes)
							})
						}
					}
				}
			}
		}
	}
}

// levelOf returns the distance of a state, if it is found.
func levelOf(s *Search, code []uint64) (level int, found bool, err error) {
	for i := range s.Result().Levels {
		if found, err := s.Has(code, i); found || err != nil {
			return i, found, err
		}
	}
	return 0, false, nil
}
