package bfs_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
)

// valuedToys are spaces with values.
var valuedToys = []statespace.Space{
	toys.Tolls{Ring: toys.Ring{N: 1000, Add: 7, From: []statespace.Index{3, 50}}},
	toys.FastTolls{Tolls: toys.Tolls{Ring: toys.Ring{N: 777, Add: 30, From: []statespace.Index{1}}}},
	toys.Tolls{Ring: toys.Ring{N: 500, Add: 9, From: []statespace.Index{1}, Goals: []statespace.Index{77, 400}, ToGoal: true}},
	toys.Circle{N: 300, Steps: []uint64{3, 21, 150}},
	toys.HalfCircle{Circle: toys.Circle{N: 400, Steps: []uint64{2, 14, 50}}},
}

// findValues searches a space, and finds the values of its states.
func findValues(t testing.TB, sp statespace.Space, threads int) (*bfs.Search, *bfs.Values) {
	t.Helper()
	s := run(t, bfs.Of(sp), bfs.Options{Threads: threads, Whole: true, ToGoal: sp.Parts().Goals.Ends})
	v, err := bfs.FindValues(t.Context(), sp, s.Members(), threads, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Free)
	return s, v
}

// valuedGraph returns a space with its distances and values.
func valuedGraph(sp statespace.Space, s *bfs.Search, v *bfs.Values) *bfs.ValuedGraph {
	return &bfs.ValuedGraph{Space: sp, Distances: s.Distances(), Get: func(dst []uint64, x uint64) error {
		v.Get(dst, x)
		return nil
	}}
}

// Values are the same in every way that finds them.
func TestFindValues(t *testing.T) {
	for _, sp := range valuedToys {
		s, first := findValues(t, sp, 1)
		most, values := make([]uint64, len(sp.Parts().Values.Columns)), make([]uint64, len(sp.Parts().Values.Columns))
		for _, threads := range []int{0, 1, 2, 7} {
			progress := new(statespace.Progress)
			v, err := bfs.FindValues(t.Context(), sp, s.Members(), threads, progress)
			if err != nil {
				t.Fatal(err)
			}
			plain, err := bfs.FindValuesPlain(t.Context(), sp, s.Members(), threads)
			if err != nil {
				t.Fatal(err)
			}
			if done, total := progress.Read(); uint64(done) != s.States() || done != total {
				t.Errorf("%s: %d of %d states are done; there are %d", sp.Name(), done, total, s.States())
			}
			for x := range sp.Size() {
				if e, _ := s.Distances().At(x); v.Entry(x) != e || plain.Entry(x) != e {
					t.Fatalf("%s: number %d has the entries %d and %d, want %d", sp.Name(), x, v.Entry(x), plain.Entry(x), e)
				}
				if !slices.Equal(v.Record(x), first.Record(x)) || !slices.Equal(plain.Record(x), first.Record(x)) {
					t.Fatalf("%s: number %d has the records %v and, plain, %v on %d threads, and %v on one", sp.Name(), x, v.Record(x), plain.Record(x), threads, first.Record(x))
				}
				v.Get(values, x)
				for i := range values {
					most[i] = max(most[i], values[i])
				}
			}
			if found := v.Max(); !slices.Equal(found, most) || v.Len() != sp.Size() {
				t.Errorf("%s: the greatest of %d values are %d, want %d", sp.Name(), v.Len(), found, most)
			}
			v.Free()
			plain.Free()
		}
	}
}

// Values need whole distances, and stop with their context.
func TestFindValuesFails(t *testing.T) {
	sp := toys.Circle{N: 300, Steps: []uint64{3}}
	s := run(t, bfs.Of(sp), bfs.Options{Threads: 1})
	if _, err := bfs.FindValues(t.Context(), sp, s.Members(), 1, nil); err == nil {
		t.Error("values are found without whole distances")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	tolls := toys.Tolls{Ring: toys.Ring{N: 1 << 16, Add: 7, From: []statespace.Index{1}}, OnValue: func() { cancel(errStop) }}
	s = run(t, bfs.Of(tolls), bfs.Options{Threads: 2, Whole: true})
	if _, err := bfs.FindValues(ctx, tolls, s.Members(), 2, nil); !errors.Is(err, errStop) {
		t.Errorf("after the end of the context: %v", err)
	}
	var none *bfs.Values
	none.Free()
	if n := bfs.ValueBytes(toys.NewHanoi(2)); n != 0 {
		t.Errorf("a space without values takes %d bytes for them", n)
	}
	if n := bfs.ValueBytes(tolls); n != tolls.N*(2+4+1) {
		t.Errorf("values take %d bytes", n)
	}
}

// allBest lists the best paths to a state: those of the shortest ones that cost least.
func allBest(sp statespace.Space, k *known, to uint64, cost func(from uint64, move int) uint64) map[string]bool {
	best, least := make(map[string]bool), ^uint64(0)
	var walk func(x uint64, cost uint64, back []statespace.Step)
	walk = func(x uint64, paid uint64, back []statespace.Step) {
		if k.at[x] == 0 {
			if paid < least {
				best, least = make(map[string]bool), paid
			}
			if paid == least {
				steps := slices.Clone(back)
				slices.Reverse(steps)
				best[fmt.Sprint(statespace.Path{From: x, Steps: steps})] = true
			}
			return
		}
		for _, e := range sp.Predecessors(nil, x) {
			if n, ok := k.at[e.To]; ok && n == k.at[x]-1 {
				walk(e.To, paid+cost(e.To, e.Move), append(slices.Clone(back), statespace.Step{Move: e.Move, State: x}))
			}
		}
	}
	walk(to, 0, nil)
	return best
}

// Best paths are those of a search through all paths.
func TestBestPaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	several := 0
	for _, sp := range valuedToys {
		cost := func(uint64, int) uint64 { return 1 }
		if tolls, ok := sp.(interface {
			Toll(from uint64, move int) uint64
		}); ok {
			cost = tolls.Toll
		}
		s, v := findValues(t, sp, 2)
		g := valuedGraph(sp, s, v)
		k := find(sp, sp.Parts().Goals.Ends)
		for _, x := range slices.Sorted(maps.Keys(k.at)) {
			want := allBest(sp, k, x, cost)
			if len(want) > 1 {
				several++
			}
			if len(want) > 200 {
				continue
			}
			all, err := bfs.FindBest(t.Context(), g, x, 0)
			if err != nil {
				t.Fatal(err)
			}
			if all.Total().Int64() != int64(len(want)) {
				t.Fatalf("%s: %v best paths to %d are counted, there are %d", sp.Name(), all.Total(), x, len(want))
			}
			listed := make(map[string]bool)
			for path, err := range all.All() {
				if text := fmt.Sprint(path); err != nil || !want[text] || listed[text] {
					t.Fatalf("%s: a best path to %d is %s, %v; there are %v", sp.Name(), x, text, err, want)
				}
				listed[fmt.Sprint(path)] = true
			}
			if len(listed) != len(want) {
				t.Fatalf("%s: %d best paths to %d are listed, there are %d", sp.Name(), len(listed), x, len(want))
			}
			first, err := g.BestPath(x)
			if err != nil || !want[fmt.Sprint(first)] {
				t.Fatalf("%s: the best path to %d is %v, %v", sp.Name(), x, first, err)
			}
			drawn := make(map[string]bool)
			for range 3 {
				path, err := all.Random(rng)
				if err != nil || !want[fmt.Sprint(path)] {
					t.Fatalf("%s: a random best path to %d is %v, %v", sp.Name(), x, path, err)
				}
				drawn[fmt.Sprint(path)] = true
			}
			for range 1000 {
				if len(drawn) == len(want) || len(want) > 10 {
					break
				}
				path, _ := all.Random(rng)
				drawn[fmt.Sprint(path)] = true
			}
			if len(want) <= 10 && len(drawn) != len(want) {
				t.Fatalf("%s: only %d of %d paths to %d are drawn", sp.Name(), len(drawn), len(want), x)
			}
		}
	}
	if several < 100 {
		t.Errorf("only %d states have several best paths", several)
	}
}

// Wrong distances, too little memory and the end of a context are errors.
func TestBestPathFails(t *testing.T) {
	sp := valuedToys[0]
	s, v := findValues(t, sp, 1)
	k := find(sp, false)
	far, distance := k.farthest()
	right := s.Distances()
	with := func(change func(x uint64, e uint16) uint16) *bfs.ValuedGraph {
		g := valuedGraph(sp, s, v)
		g.Distances.At = func(x uint64) (uint16, error) {
			e, err := right.At(x)
			return change(x, e), err
		}
		return g
	}
	for name, g := range map[string]*bfs.ValuedGraph{
		"not reached": with(func(x uint64, e uint16) uint16 { return 0 }),
		"nothing nearer": with(func(x uint64, e uint16) uint16 {
			if x == far {
				return e
			}
			return 0
		}),
		"another root": with(func(x uint64, e uint16) uint16 {
			if x == far {
				return 1
			}
			return e
		}),
		"too near": with(func(x uint64, e uint16) uint16 { return max(1, e) - 1 }),
	} {
		if path, err := g.BestPath(far); !errors.Is(err, statespace.ErrNoPath) {
			t.Errorf("%s: the path is %v, %v", name, path, err)
		}
		if _, err := bfs.FindBest(t.Context(), g, far, 0); !errors.Is(err, statespace.ErrNoPath) {
			t.Errorf("%s: all paths: %v", name, err)
		}
	}
	g := valuedGraph(sp, s, v)
	if path, err := g.BestPath(far); err != nil || len(path.Steps) != distance {
		t.Errorf("the path to %d has %d moves, want %d: %v", far, len(path.Steps), distance, err)
	}
	if _, err := bfs.FindBest(t.Context(), g, far, 200); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("paths are found in 200 bytes: %v", err)
	}
	if _, err := bfs.FindBest(t.Context(), g, far, 1<<20); err != nil {
		t.Errorf("paths are not found in a MiB: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	if _, err := bfs.FindBest(ctx, g, far, 0); !errors.Is(err, errStop) {
		t.Errorf("after the end of the context: %v", err)
	}
	unread := errors.New("values cannot be read")
	g.Get = func([]uint64, uint64) error { return unread }
	if _, err := g.BestPath(far); !errors.Is(err, unread) {
		t.Errorf("a path without values: %v", err)
	}
}

// The certificate accepts right distances and values, and nothing else.
func TestCertifyValues(t *testing.T) {
	for _, sp := range []statespace.Space{
		toys.Tolls{Ring: toys.Ring{N: 70, Add: 7, From: []statespace.Index{3, 50}}},
		toys.Tolls{Ring: toys.Ring{N: 64, Add: 64, From: []statespace.Index{1, 7}}},
		toys.Tolls{Ring: toys.Ring{N: 100, Add: 9, From: []statespace.Index{1}, Goals: []statespace.Index{77}, ToGoal: true}},
		toys.Circle{N: 60, Steps: []uint64{3, 10}},
		toys.HalfCircle{Circle: toys.Circle{N: 61, Steps: []uint64{2, 14}}},
	} {
		s, v := findValues(t, sp, 1)
		last, most := -1, uint16(len(s.Layers))
		if sp.Parts().Goals.Ends {
			last = s.Length
		}
		at, get := s.Distances().At, func(dst []uint64, x uint64) error { v.Get(dst, x); return nil }
		if x, wrong, err := bfs.CertifyValues(t.Context(), sp, at, get, last, 2, nil); wrong || err != nil {
			t.Fatalf("%s: number %d is refused: %v", sp.Name(), x, err)
		}
		for x := range sp.Size() {
			entry, _ := at(x)
			for other := range most + 2 {
				if other == entry {
					continue
				}
				if _, wrong, err := bfs.CertifyValues(t.Context(), sp, func(y uint64) (uint16, error) {
					if y == x {
						return other, nil
					}
					return at(y)
				}, get, last, 1, nil); !wrong || err != nil {
					t.Fatalf("%s: the entry of number %d may be %d or %d: %v", sp.Name(), x, entry, other, err)
				}
			}
			if entry == 0 {
				continue // it has no values
			}
			for i, c := range sp.Parts().Values.Columns {
				for bit := range 8 * c.Bytes {
					if found, wrong, err := bfs.CertifyValues(t.Context(), sp, at, func(dst []uint64, y uint64) error {
						v.Get(dst, y)
						if y == x {
							dst[i] ^= 1 << bit
						}
						return nil
					}, last, 1, nil); !wrong || err != nil {
						t.Fatalf("%s: bit %d of %s of number %d may change: %d, %v", sp.Name(), bit, c.Name, x, found, err)
					}
				}
			}
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errStop)
		if _, _, err := bfs.CertifyValues(ctx, sp, at, get, last, 2, nil); !errors.Is(err, errStop) {
			t.Errorf("%s: after the end of the context: %v", sp.Name(), err)
		}
		unread := errors.New("it cannot be read")
		if _, _, err := bfs.CertifyValues(t.Context(), sp, at, func([]uint64, uint64) error { return unread }, last, 2, nil); !errors.Is(err, unread) {
			t.Errorf("%s: values that cannot be read: %v", sp.Name(), err)
		}
	}
}
