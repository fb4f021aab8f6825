package sparse_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/sparse"
)

// A coding makes codes of numbers, in their order.
type coding struct {
	words int
	code  func(x uint64) []uint64
	of    func(code []uint64) uint64
}

// codings are the numbers themselves, codes beside which there is no room in a word, and codes of two words.
var codings = []coding{
	{1, func(x uint64) []uint64 { return []uint64{x} }, func(code []uint64) uint64 { return code[0] }},
	{1, func(x uint64) []uint64 { return []uint64{x<<50 | 5} }, func(code []uint64) uint64 { return code[0] >> 50 }},
	{2, func(x uint64) []uint64 { return []uint64{x / 8, x} }, func(code []uint64) uint64 { return code[1] }},
}

// graph returns a graph with other codes.
func (c coding) graph(g statespace.CodeGraph) statespace.CodeGraph {
	return statespace.CodeGraph{Words: c.words, NewExpander: func() statespace.CodeExpander { return recoded{g.NewExpander(), c} }}
}

type recoded struct {
	statespace.CodeExpander
	coding
}

func (r recoded) Expand(dst []uint64, code []uint64) []uint64 {
	for _, y := range r.CodeExpander.Expand(nil, []uint64{r.of(code)}) {
		dst = append(dst, r.code(y)...)
	}
	return dst
}

// listOf returns the list of some numbers.
func listOf(t *testing.T, numbers []uint64) *sorted.List { return codings[0].listOf(t, numbers) }

// listOf returns the list of the codes of some numbers.
func (c coding) listOf(t *testing.T, numbers []uint64) *sorted.List {
	t.Helper()
	var b bytes.Buffer
	w, err := sorted.NewWriter(&b, c.words)
	for _, x := range numbers {
		if err == nil {
			err = w.Append(c.code(x))
		}
	}
	if err == nil {
		_, err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	list, err := sorted.Over(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A claim is a list of numbers with the entries of their distances.
type claim struct {
	numbers []uint64
	entries []uint16
}

// proved reports whether a claim is proved on 1, 2 and 7 threads alike, with all codings.
func (c claim) proved(t *testing.T, g statespace.CodeGraph, roots []uint64, last int, layered bool) bool {
	t.Helper()
	p := func(by coding) *sparse.Proof {
		p := &sparse.Proof{Graph: by.graph(g), List: by.listOf(t, c.numbers), Last: last}
		if !layered {
			p.Entry = func(x uint64) (uint16, error) { return c.entries[x], nil }
		}
		for _, root := range roots {
			if x, ok := slices.BinarySearch(c.numbers, root); ok {
				p.Roots = append(p.Roots, uint64(x))
			}
		}
		return p
	}
	var all []bool
	for i, threads := range []int{1, 2, 7, 1, 2} {
		fault, err := p(codings[i%len(codings)]).Run(t.Context(), threads, new(statespace.Progress))
		if err != nil {
			t.Fatal(err)
		}
		if fault != nil && fault.State >= uint64(len(c.numbers)) {
			t.Fatalf("the fault is %+v, of %d numbers", fault, len(c.numbers))
		}
		all = append(all, fault == nil)
	}
	if slices.Contains(all, !all[0]) {
		t.Fatalf("on 1, 2 and 7 threads and with all codings it is proved: %t", all)
	}
	return all[0]
}

// The proof of a list accepts what can be reached, and refuses a state too many or one too few, and a distance that is
// off by one or more. So does the plain certificate, where a list lacks no state.
func TestProof(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 52))
	for i := range 80 {
		n := 2 + rng.IntN(60)
		if i%20 == 0 {
			n = 3000 // several chunks
		}
		sp := toys.RandomGraph(rng, n, rng.IntN(3*n), i%2 == 0)
		s, err := bfs.New(t.Context(), bfs.Of(sp), bfs.Options{Whole: true, ToGoal: i%3 == 0})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		last := -1
		if i%3 == 0 && len(s.Goals) > 0 {
			last = s.Length
		}
		var good claim
		for x := range sp.Size() {
			if e, _ := s.Distances().At(x); e > 0 {
				good.numbers, good.entries = append(good.numbers, x), append(good.entries, e)
			}
		}
		s.Close()
		graph := sparse.Of(sp).Graph()
		if !good.proved(t, graph, sp.Roots(), last, false) {
			t.Fatalf("graph %d is refused", i)
		}
		for range 40 {
			bad := claim{slices.Clone(good.numbers), slices.Clone(good.entries)}
			at := rng.IntN(len(bad.numbers))
			switch what := rng.IntN(3); {
			case what == 0 && len(bad.numbers) > 1: // one too few
				if slices.Contains(sp.Roots(), bad.numbers[at]) {
					continue // that is no space
				}
				bad.numbers, bad.entries = slices.Delete(bad.numbers, at, at+1), slices.Delete(bad.entries, at, at+1)
			case what == 1: // one too many
				x := rng.Uint64N(sp.Size())
				k, is := slices.BinarySearch(bad.numbers, x)
				if is {
					continue
				}
				bad.numbers, bad.entries = slices.Insert(bad.numbers, k, x), slices.Insert(bad.entries, k, 1+uint16(rng.IntN(5)))
			default:
				bad.entries[at] += []uint16{1, 3, ^uint16(0), ^uint16(2)}[rng.IntN(4)]
			}
			if bad.proved(t, graph, sp.Roots(), last, false) {
				t.Fatalf("graph %d, which reaches %v at %v, is taken for %v", i, good.numbers, good.entries, bad)
			}
		}
	}
}

// Where moves make no cycle, the proof needs no distances.
func TestProofOfLayers(t *testing.T) {
	sp := toys.Countdown{Start: 4000}
	var good claim
	list := find(t, sp)
	for i := range list.Chunks() {
		var err error
		if good.numbers, err = list.Chunk(good.numbers, i); err != nil {
			t.Fatal(err)
		}
	}
	graph := sparse.Of(sp).Graph()
	if !good.proved(t, graph, sp.Roots(), -1, true) {
		t.Fatal("it is refused")
	}
	for at := 0; at < len(good.numbers)-1; at += 97 {
		less := claim{numbers: slices.Delete(slices.Clone(good.numbers), at, at+1)}
		if less.proved(t, graph, sp.Roots(), -1, true) {
			t.Errorf("it is proved without %d", good.numbers[at])
		}
	}
	for x := range sp.Start {
		if k, is := slices.BinarySearch(good.numbers, x); !is && x%50 < 3 {
			if (claim{numbers: slices.Insert(slices.Clone(good.numbers), k, x)}).proved(t, graph, sp.Roots(), -1, true) {
				t.Errorf("it is proved with %d", x)
			}
		}
	}
}

// The proof stops when its context ends.
func TestProofStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	sp := toys.Line(1<<14, true)
	numbers, entries := make([]uint64, sp.Size()), make([]uint16, sp.Size())
	for x := range numbers {
		numbers[x], entries[x] = uint64(x), uint16(x+1)
	}
	p := sparse.Proof{Graph: sparse.Of(sp).Graph(), List: listOf(t, numbers), Roots: []uint64{0}, Last: -1, Entry: func(x uint64) (uint16, error) { return entries[x], nil }}
	if _, err := p.Run(ctx, 2, nil); !errors.Is(err, stop) {
		t.Errorf("it goes on: %v", err)
	}
}
