package bfs_test

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
)

// spaces returns toys of all kinds, and n random graphs.
func spaces(n int) []statespace.Space {
	all := []statespace.Space{
		toys.NewHanoi(5), toys.NewLights(3, 3, 0b101010101), toys.Countdown{Start: 200}, toys.Pairs{N: 4},
		toys.Ring{N: 500, Add: 17, From: []uint64{3, 400}, Goals: []uint64{99, 7}}, toys.Ring{N: 1, Add: 5, From: []uint64{0}},
		toys.Line(1, true), toys.Line(64, false), toys.Line(300, true), toys.NewGraph(70, nil, false, nil, nil),
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range n {
		size := 1 + rng.IntN(300)
		all = append(all, toys.RandomGraph(rng, size, rng.IntN(3*size), rng.IntN(2) == 0))
	}
	return all
}

func TestSearch(t *testing.T) {
	for _, sp := range spaces(150) {
		for _, toGoal := range []bool{false, true} {
			k := find(sp, toGoal)
			for _, threads := range []int{0, 1, 2, 7} {
				for _, whole := range []bool{false, true} {
					v := newVisits()
					s := run(t, bfs.Of(sp), bfs.Options{ToGoal: toGoal, Threads: threads, Whole: whole, Visit: v.visit})
					k.check(t, &s.Result, s.Members())
					if v.check(t, k); !slices.Equal(s.Marks().Words(), s.Members().Marks().Words()) {
						t.Fatal("the marks of the members are others")
					}
					if depths := s.Members().Depths(); (depths == nil) != (sp.Parts().Undirected && !whole) {
						t.Fatalf("%s: the search keeps whole distances: %t", sp.Name(), depths != nil)
					}
					if err := s.Run(t.Context(), nil, nil); err != nil { // it has ended
						t.Fatal(err)
					}
					k.check(t, &s.Result, s.Members())
				}
			}
		}
	}
}

func TestStepper(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 100 {
		n := 2 * (1 + rng.IntN(100))
		sp := randomBipartite(rng, n, rng.IntN(2*n))
		for _, toGoal := range []bool{false, true} {
			k := find(sp, toGoal)
			s := run(t, stepped(sp), bfs.Options{ToGoal: toGoal, Threads: 2})
			k.check(t, &s.Result, s.Members())
			paths, err := s.Shortest(t.Context(), 0)
			if err != nil || paths.Total().Cmp(countPaths(sp, k)) != 0 {
				t.Fatalf("%v shortest paths, %v, want %v", paths.Total(), err, countPaths(sp, k))
			}
			// Whole distances take Expanders.
			s = run(t, stepped(sp), bfs.Options{ToGoal: toGoal, Threads: 2, Whole: true})
			k.check(t, &s.Result, s.Members())
		}
	}
}

// blocks makes moves by blocks, for any space. Neighbouring states whose i-th moves add the same to their numbers share
// a span.
type blocks struct {
	statespace.Expander
	sp    statespace.Space
	spans *atomic.Int64
}

// inBlocks returns the graph of a space with such expanders, and how many spans of several states they have made.
func inBlocks(sp statespace.Space) (g statespace.Graph, spans *atomic.Int64) {
	g, spans = bfs.Plain(sp), new(atomic.Int64)
	plain := g.NewExpander
	g.NewBlockExpander = func() statespace.BlockExpander { return &blocks{plain(), sp, spans} }
	return g, spans
}

func (b *blocks) Goal(x uint64) bool {
	var goals []uint64
	b.Expand(nil, x&^63, 1<<(x&63), &goals)
	return len(goals) > 0
}

func (b *blocks) ExpandBlock(dst []uint64, spans []statespace.Span, first uint64, states *statespace.Block) ([]uint64, []statespace.Span) {
	at := make(map[int]int) // the last span of the i-th move
	for x := states.Next(0); x < statespace.BlockSize; x = states.Next(x + 1) {
		for i, e := range b.sp.Successors(nil, first+uint64(x)) {
			add := int64(e.To) - int64(first) - int64(x)
			if i == 2 {
				dst = append(dst, e.To)
			} else if k, ok := at[i]; ok && spans[k].Add == add && states.Next(spans[k].To) == x {
				spans[k].To = x + 1
				b.spans.Add(1)
			} else {
				at[i] = len(spans)
				spans = append(spans, statespace.Span{From: x, To: x + 1, Add: add})
			}
		}
	}
	return dst, spans
}

// Moves that are made once for many states of a block are those of the space.
func TestBlocks(t *testing.T) {
	defer bfs.DenseBlock(2)()
	rng := rand.New(rand.NewPCG(4, 4))
	all := append(spaces(50), toys.RandomGraph(rng, 20000, 30000, true),
		toys.Ring{N: 1 << 15, Add: 77, From: []uint64{3, 5, 9, 4000, 4001, 20000}}, toys.Piles{N: 150})
	shared := int64(0)
	for _, sp := range all {
		k := find(sp, false)
		for _, threads := range []int{1, 2, 7} {
			for _, whole := range []bool{false, true} {
				g, spans := inBlocks(sp)
				v := newVisits()
				s := run(t, g, bfs.Options{Threads: threads, Whole: whole, Visit: v.visit})
				k.check(t, &s.Result, s.Members())
				v.check(t, k)
				shared += spans.Load()
			}
		}
	}
	if shared < 10000 {
		t.Errorf("only %d moves are shared", shared)
	}
}

// TestBlock compares the bits of a block with those of a plain list.
func TestBlock(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		var b statespace.Block
		var set []int
		for i := range statespace.BlockSize {
			if rng.IntN(1+rng.IntN(400)) == 0 {
				b[i/64] |= 1 << (i % 64)
				set = append(set, i)
			}
		}
		from, to := rng.IntN(statespace.BlockSize), 1+rng.IntN(statespace.BlockSize)
		at, _ := slices.BinarySearch(set, from)
		if got, want := b.Next(from), append(set, statespace.BlockSize)[at]; got != want {
			t.Fatalf("after %d comes %d, want %d", from, got, want)
		}
		var got, want []int
		for k := range b {
			for word := b.Between(k, from, to); word != 0; word &= word - 1 {
				got = append(got, k*64+bits.TrailingZeros64(word))
			}
		}
		for _, i := range set {
			if from <= i && i < to {
				want = append(want, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("between %d and %d are %v, want %v", from, to, got, want)
		}
	}
}

// Entries get more bits as the distances grow.
func TestDepths(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 7, 8, 300, 5000} {
		for _, back := range []bool{false, true} {
			sp := toys.Line(n, back)
			s := run(t, bfs.Of(sp), bfs.Options{Threads: 2, Whole: true})
			find(sp, false).check(t, &s.Result, s.Members())
			depths, width := s.Members().Depths(), len(fmt.Sprintf("%b", n)) // the last entry is n
			if depths.Width() != width || depths.Len() != uint64(n) {
				t.Errorf("%d entries of %d bits, want %d of %d", depths.Len(), depths.Width(), n, width)
			}
			for x := range uint64(n) {
				e := uint16(0)
				for bit := range depths.Width() {
					e |= uint16(depths.Plane(bit)[x/64]>>(x%64)&1) << bit
				}
				if want := depths.Entry(x); e != want || want != uint16(x)+1 {
					t.Fatalf("the planes of number %d have the entry %d, it is %d", x, e, want)
				}
			}
		}
	}
}

// The greatest distance is 2^16-2. A search that goes farther is an error, unless it keeps no
// whole distances.
func TestDepthsEnd(t *testing.T) {
	const most = 1<<bfs.MaxDepthBits - 1 // numbers
	var arcs [][2]int
	for i := range most {
		arcs = append(arcs, [2]int{i, (i + 1) % most})
	}
	circle := toys.NewGraph(most, arcs, false, []uint64{0}, nil)
	s := run(t, bfs.Of(circle), bfs.Options{})
	if e := s.Members().Depths().Entry(most - 1); len(s.Layers) != most || e != most {
		t.Errorf("%d levels, the last entry is %d", len(s.Layers), e)
	}
	_, depths, err := bfs.SearchProof(t.Context(), circle, newMarks(most, bfs.MarkBits), true, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := depths.Entry(most - 1); e != most {
		t.Errorf("the search of proofs has %d as the last entry", e)
	}
	depths.Free()
	line := toys.Line(most+1, true)
	s = newSearch(t, bfs.Of(line), bfs.Options{Whole: true})
	if err := s.Run(t.Context(), nil, nil); err == nil || !strings.Contains(err.Error(), "more than 65534 moves") {
		t.Errorf("a distance of 65535 became %v", err)
	}
	if s = run(t, bfs.Of(line), bfs.Options{}); len(s.Layers) != most+1 {
		t.Errorf("%d levels, want %d", len(s.Layers), most+1)
	}
}

// Progress counts the states, also after a stop.
func TestProgress(t *testing.T) {
	sp := toys.NewHanoi(5)
	s := newSearch(t, bfs.Of(sp), bfs.Options{})
	var progress statespace.Progress
	levels := 0
	err := s.Run(t.Context(), func() error {
		if levels++; levels == 5 {
			return errStop
		}
		return nil
	}, &progress)
	if done, total := progress.Read(); !errors.Is(err, errStop) || done != int64(s.States()) || total != 243 {
		t.Errorf("%v: %d of %d are done, %d states are found", err, done, total, s.States())
	}
	err = s.Run(t.Context(), nil, &progress)
	if done, total := progress.Read(); err != nil || done != 243 || total != 243 {
		t.Errorf("%v: %d of %d are done", err, done, total)
	}
}

// A search takes much memory outside the heap, if a context lets it.
func TestNewStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	g := bfs.Plain(toys.Line(1, true))
	g.Size = 1 << 24
	if _, err := bfs.New(ctx, g, bfs.Options{}); !errors.Is(err, errStop) {
		t.Errorf("a search began after the end of its context: %v", err)
	}
	s := newSearch(t, g, bfs.Options{Threads: 2})
	if err := s.Run(ctx, nil, nil); !errors.Is(err, errStop) {
		t.Errorf("a search ran after the end of its context: %v", err)
	}
	if n, want := bfs.MemoryOf(g), uint64(3<<24/8); n < want || n > want+want/4 {
		t.Errorf("a search of 2^24 numbers takes %d bytes, its three bits take %d", n, want)
	}
}

// newMarks returns n entries, all 0.
func newMarks(n uint64, width int) *bitset.Planes {
	marks, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(n, width)), n, width)
	if err != nil {
		panic(err)
	}
	return marks
}

// The search of proofs finds whole distances, too, of any space.
func TestSearchPlain(t *testing.T) {
	for _, sp := range spaces(50) {
		for _, threads := range []int{0, 2} {
			if g, ok := sp.(*toys.Graph); ok && threads == 2 {
				sp = g.EndAtGoal()
			}
			marks := newMarks(sp.Size(), bfs.MarkBits)
			r, depths, err := bfs.SearchPlain(t.Context(), sp, marks, threads, nil)
			if err != nil {
				t.Fatal(err)
			}
			find(sp, sp.Parts().Goals.Ends).check(t, r, bfs.NewMembers(marks, depths))
			depths.Free()
			marks = newMarks(sp.Size(), bfs.MarkBits)
			if r, depths, err = bfs.SearchProof(t.Context(), sp, marks, true, threads, nil); err != nil {
				t.Fatal(err)
			}
			find(sp, sp.Parts().Goals.Ends).check(t, r, bfs.NewMembers(marks, depths))
			depths.Free()
		}
	}
	sp := toys.Line(1<<16, false)
	if _, _, err := bfs.SearchPlain(t.Context(), sp, newMarks(sp.Size(), 2), 1, nil); err == nil {
		t.Error("a distance of 65535 is no error")
	}
	for _, marks := range []*bitset.Planes{newMarks(sp.Size()-1, 2), newMarks(sp.Size(), 3)} {
		if _, _, err := bfs.SearchPlain(t.Context(), sp, marks, 1, nil); err == nil || !strings.Contains(err.Error(), "needs marks") {
			t.Errorf("%d marks of %d bits became %v", marks.Len(), marks.Width(), err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	if _, _, err := bfs.SearchPlain(ctx, sp, newMarks(sp.Size(), 2), 2, nil); !errors.Is(err, errStop) {
		t.Errorf("it goes on after the end of its context: %v", err)
	}
}

// What a search finds does not depend on the number of threads, bit by bit.
func TestThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, back := range []bool{false, true} {
		sp := toys.RandomGraph(rng, 30000, 60000, back)
		var first bfs.Saved
		for _, threads := range []int{1, 2, 7} {
			s := newSearch(t, bfs.Of(sp), bfs.Options{Threads: threads})
			levels := 0
			if err := s.Run(t.Context(), func() error {
				if levels++; levels == 8 {
					return errStop
				}
				return nil
			}, nil); !errors.Is(err, errStop) {
				t.Fatal(err)
			}
			if threads == 1 {
				first = clone(s.Save())
			} else if !reflect.DeepEqual(s.Save(), first) {
				t.Errorf("%d threads save something else than one", threads)
			}
		}
	}
}
