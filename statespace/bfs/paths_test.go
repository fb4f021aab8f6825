package bfs_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
)

// neighbours returns the states to which moves lead, each once.
func neighbours(sp statespace.Space, x uint64) (next []uint64) {
	for _, e := range sp.Successors(nil, x) {
		next = append(next, e.To)
	}
	slices.Sort(next)
	return slices.Compact(next)
}

// allPaths returns all shortest paths to a state, as lists of states.
func allPaths(sp statespace.Space, k *known, to uint64) (all [][]uint64) {
	var walk func(path []uint64)
	walk = func(path []uint64) {
		x := path[len(path)-1]
		if k.at[x] == k.at[to] {
			if x == to {
				all = append(all, slices.Clone(path))
			}
			return
		}
		for _, y := range neighbours(sp, x) {
			if k.at[y] == k.at[x]+1 {
				walk(append(path, y))
			}
		}
	}
	for _, root := range slices.Compact(slices.Sorted(slices.Values(sp.Roots()))) {
		walk([]uint64{root})
	}
	return all
}

// countPaths returns how many shortest paths lead to the nearest goals.
func countPaths(sp statespace.Space, k *known) *big.Int {
	n := 0
	for _, goal := range k.goals {
		n += len(allPaths(sp, k, goal))
	}
	return big.NewInt(int64(n))
}

// states returns the states of a path.
func states(path statespace.Path) []uint64 {
	all := []uint64{path.From}
	for _, step := range path.Steps {
		all = append(all, step.State)
	}
	return all
}

// distancesOf returns the distances of a space, whole and, if it is undirected, modulo 3.
func distancesOf(t *testing.T, sp statespace.Space) (all []bfs.Distances) {
	t.Helper()
	s := run(t, bfs.Of(sp), bfs.Options{Whole: true})
	all = append(all, s.Distances())
	if sp.Parts().Undirected {
		all = append(all, bfs.Marked(s.Marks()))
	}
	return all
}

func TestPaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 150 {
		n := 1 + rng.IntN(60)
		sp := toys.RandomGraph(rng, n, rng.IntN(3*n), rng.IntN(2) == 0)
		k := find(sp, false)
		for _, distances := range distancesOf(t, sp) {
			for to := range sp.Size() {
				length, reached := k.at[to]
				path, err := bfs.ShortestPath(sp, distances, to, n)
				if !reached {
					if !errors.Is(err, statespace.ErrNoPath) {
						t.Fatalf("a path leads to number %d, which is not reached: %v", to, err)
					}
					continue
				}
				all := allPaths(sp, k, to)
				if err != nil || !slices.ContainsFunc(all, func(p []uint64) bool { return slices.Equal(p, states(path)) }) {
					t.Fatalf("to number %d: %v, %v, which is none of %v", to, path, err, all)
				}
				if _, err := bfs.ShortestPath(sp, distances, to, length-1); length > 0 && !errors.Is(err, statespace.ErrNoPath) {
					t.Fatalf("a path of %d moves is found with fewer: %v", length, err)
				}
				found, err := bfs.FindShortest(t.Context(), sp, distances, []uint64{to, to}, length, 0)
				if err != nil {
					t.Fatal(err)
				}
				checkPaths(t, rng, found, all)
				if _, err := bfs.FindShortest(t.Context(), sp, distances, []uint64{to}, length+1, 0); !errors.Is(err, statespace.ErrNoPath) {
					t.Fatalf("paths of %d moves are found, the shortest have %d: %v", length+1, length, err)
				}
				for y := range sp.Size() {
					if at, ok := k.at[y]; distances.Before(y, to) != (ok && at+1 == length) && (distances.Whole || slices.Contains(neighbours(sp, to), y)) {
						t.Fatalf("number %d is before number %d: %t", y, to, distances.Before(y, to))
					}
				}
			}
		}
	}
}

// checkPaths compares shortest paths with all that there are.
func checkPaths(t *testing.T, rng *rand.Rand, found *bfs.ShortestPaths, want [][]uint64) {
	t.Helper()
	if found.Total().Cmp(big.NewInt(int64(len(want)))) != 0 {
		t.Fatalf("%v paths, want %d", found.Total(), len(want))
	}
	i := 0
	for path := range found.All() {
		if i >= len(want) || !slices.Equal(states(path), want[i]) {
			t.Fatalf("path %d is %v, the paths are %v", i, states(path), want)
		}
		i++
	}
	if i != len(want) {
		t.Fatalf("%d paths are listed of %d", i, len(want))
	}
	for range found.All() { // the loop may end early
		break
	}
	if len(want) == 0 {
		return
	}
	if path := states(found.Random(rng)); !slices.ContainsFunc(want, func(p []uint64) bool { return slices.Equal(p, path) }) {
		t.Fatalf("the random path %v is none of %v", path, want)
	}
	for level := range want[0] {
		for x := range uint64(100) {
			on := slices.ContainsFunc(want, func(p []uint64) bool { return p[level] == x })
			if found.Has(x, level) != on {
				t.Fatalf("number %d is on a path at distance %d: %t, want %t", x, level, !on, on)
			}
		}
	}
	if found.Has(want[0][0], len(want[0])) {
		t.Fatal("a state lies on a path beyond its end")
	}
}

// The paths to several states at the same distance come together.
func TestPathsToSeveral(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	sp := toys.Ring{N: 200, Add: 3, From: []uint64{1, 8}}
	k := find(sp, false)
	distances := distancesOf(t, sp)[0]
	for level := range len(k.layers) {
		var to []uint64
		for x, n := range k.at {
			if n == level {
				to = append(to, x)
			}
		}
		want := make(map[string]bool)
		for _, x := range to {
			for _, path := range allPaths(sp, k, x) {
				want[fmt.Sprint(path)] = true
			}
		}
		found, err := bfs.FindShortest(t.Context(), sp, distances, to, level, 0)
		if err != nil || found.Total().Cmp(big.NewInt(int64(len(want)))) != 0 {
			t.Fatalf("level %d: %v paths, %v, want %d", level, found.Total(), err, len(want))
		}
		if path := found.Random(rng); !want[fmt.Sprint(states(path))] {
			t.Errorf("level %d: the random path %v is none of them", level, path)
		}
	}
}

// Each path is drawn as often as any other.
func TestRandomPath(t *testing.T) {
	sp := toys.NewLights(2, 3, 0)
	distances := distancesOf(t, sp)[0]
	to, far := find(sp, false).farthest()
	found, err := bfs.FindShortest(t.Context(), sp, distances, []uint64{to}, far, 0)
	if err != nil {
		t.Fatal(err)
	}
	const each = 400
	total := int(found.Total().Int64())
	drawn := make(map[string]int)
	rng := rand.New(rand.NewPCG(6, 6))
	for range each * total {
		drawn[fmt.Sprint(found.Random(rng))]++
	}
	if total < 6 || len(drawn) != total {
		t.Errorf("%d paths are drawn of %d, and there should be some", len(drawn), total)
	}
	for path, n := range drawn {
		if n < each-120 || n > each+120 { // 6 standard deviations
			t.Errorf("%s is drawn %d times, expected about %d", path, n, each)
		}
	}
}

// Distances that are wrong, or cannot be read, are errors.
func TestPathErrors(t *testing.T) {
	unread := errors.New("cannot be read")
	for _, sp := range []statespace.Space{toys.NewHanoi(4), toys.Ring{N: 81, Add: 5, From: []uint64{0}}} {
		k := find(sp, false)
		to, far := k.farthest()
		for _, good := range distancesOf(t, sp) {
			with := func(at func(x uint64) (uint16, error)) bfs.Distances { return bfs.Distances{Whole: good.Whole, At: at} }
			for name, tt := range map[string]struct {
				distances bfs.Distances
				want      error
			}{
				"nothing is reached": {with(func(uint64) (uint16, error) { return 0, nil }), statespace.ErrNoPath},
				"all are roots":      {with(func(uint64) (uint16, error) { return 1, nil }), statespace.ErrNoPath},
				"only the state":     {with(func(x uint64) (uint16, error) { e, err := good.At(x); return e * uint16(b2i(x == to)), err }), statespace.ErrNoPath},
				"unread state":       {with(func(uint64) (uint16, error) { return 0, unread }), unread},
				"unread root": {with(func(x uint64) (uint16, error) {
					if x == 0 {
						return 0, unread
					}
					return good.At(x)
				}), unread},
				"root at another distance": {with(func(x uint64) (uint16, error) {
					e, err := good.At(x)
					return e + uint16(b2i(x == 0)), err
				}), statespace.ErrNoPath},
			} {
				if path, err := bfs.ShortestPath(sp, tt.distances, to, far); !errors.Is(err, tt.want) {
					t.Errorf("%s: %s: %v, %v", sp.Name(), name, path, err)
				}
				if _, err := bfs.FindShortest(t.Context(), sp, tt.distances, []uint64{to}, far, 0); !errors.Is(err, tt.want) {
					t.Errorf("%s: %s: %v", sp.Name(), name, err)
				}
			}
			other := with(func(x uint64) (uint16, error) { return 2, nil })
			if path, err := bfs.ShortestPath(sp, other, 0, far); !errors.Is(err, statespace.ErrNoPath) {
				t.Errorf("%s: the root is one move from the roots: %v, %v", sp.Name(), path, err)
			}
			for _, length := range []int{-1, far + 3, far + 1<<16, 1 << 40} {
				if _, err := bfs.FindShortest(t.Context(), sp, good, []uint64{to}, length, 0); !errors.Is(err, statespace.ErrNoPath) {
					t.Errorf("%s: paths of %d moves: %v", sp.Name(), length, err)
				}
			}
			if _, err := bfs.FindShortest(t.Context(), sp, good, nil, 0, 0); !errors.Is(err, statespace.ErrNoPath) {
				t.Errorf("paths to no state: %v", err)
			}
			if _, err := bfs.FindShortest(t.Context(), sp, good, []uint64{to}, far, 1); !errors.Is(err, statespace.ErrMemory) {
				t.Errorf("paths in one byte: %v", err)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(errStop)
			if _, err := bfs.FindShortest(ctx, sp, good, []uint64{to}, far, 0); !errors.Is(err, errStop) {
				t.Errorf("it goes on after the end of its context: %v", err)
			}
			if bad := with(func(uint64) (uint16, error) { return 1, unread }); bad.Before(0, to) {
				t.Error("a state that cannot be read is before another one")
			}
		}
	}
	if _, err := run(t, bfs.Of(toys.Ring{N: 9, Add: 2, From: []uint64{0}}), bfs.Options{}).Shortest(t.Context(), 0); err == nil {
		t.Error("a directed graph was followed back")
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Trace follows distances of any kind, and finds nothing if they lead nowhere.
func TestTrace(t *testing.T) {
	sp := toys.NewHanoi(3)
	k := find(sp, false)
	list := func(dst []uint64, x uint64) []uint64 { return append(dst, neighbours(sp, x)...) }
	isAt := func(x uint64, distance int) (bool, error) { return k.at[x] == distance, nil }
	goal := sp.Size() - 1
	found, err := bfs.Trace(t.Context(), list, list, isAt, []uint64{goal}, 7, 0)
	if err != nil {
		t.Fatal(err)
	}
	checkPaths(t, rand.New(rand.NewPCG(7, 7)), found, allPaths(sp, k, goal))
	nowhere := func(uint64, int) (bool, error) { return false, nil }
	if found, err = bfs.Trace(t.Context(), list, list, nowhere, []uint64{goal}, 7, 0); err != nil || found.Total().Sign() != 0 || found.Has(goal, 7) {
		t.Errorf("%v paths lead nowhere, %v", found.Total(), err)
	}
	checkPaths(t, nil, found, nil)
	if _, err := bfs.Trace(t.Context(), list, list, func(uint64, int) (bool, error) { return false, errStop }, []uint64{goal}, 7, 0); !errors.Is(err, errStop) {
		t.Errorf("a distance that cannot be read became %v", err)
	}
}
