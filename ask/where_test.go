package ask_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/ask"
	"pagoda/internal/long"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// A featured graph knows the remainder of a state by 5, and it calls its successors branches.
type featured struct{ *graph }

func (g featured) Parts() statespace.Parts {
	p := g.graph.Parts()
	p.Texts.Features = g.features
	return p
}

func (featured) features() []statespace.Feature {
	return []statespace.Feature{{Name: "rest", About: "the remainder", New: func() func(x uint64) int64 {
		return func(x uint64) int64 { return int64(x % 5) }
	}}, {Name: "branching", About: "of another kind", New: func() func(x uint64) int64 {
		return func(x uint64) int64 { return -int64(x) }
	}}}
}

// values are the fields of a state in a plain way.
type values struct{ layer, branching, orbit, rest int }

func valuesOf(sp statespace.Space, d []int, x uint64) values {
	v := values{layerOf(sp, d, x), len(sp.Successors(nil, x)), 1, 0}
	images := map[uint64]bool{x: true}
	for _, s := range statespace.Mirrors(sp) {
		images[s.Map(x)] = true
	}
	v.orbit = len(images)
	if _, ok := sp.(featured); ok {
		v.branching, v.rest = -int(x), int(x%5)
	}
	return v
}

// A selection is an expression, and the same in Go.
type selection struct {
	where string
	is    func(v values) bool
}

// selections returns some for a space whose layers have a name.
func selections(layer string) []selection {
	return []selection{
		{"", func(values) bool { return true }},
		{layer + " % 3 == 1 && branching > 0", func(v values) bool { return v.layer%3 == 1 && v.branching > 0 }},
		{"branching == 0 || branching == 2 || orbit >= 2 && orbit <= 7", func(v values) bool {
			return v.branching == 0 || v.branching == 2 || v.orbit >= 2 && v.orbit <= 7
		}},
		{layer + " / 2 < branching", func(v values) bool { return float64(v.layer)/2 < float64(v.branching) }},
		{"false", func(values) bool { return false }},
	}
}

// Expressions pick what a plain loop picks, with patterns and layers, for any number of threads.
func TestWhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, c := range []struct {
		sp            statespace.Space
		store, layer  string
		layers        *cells.Range
		pattern       string
		more          []selection
		notComplement bool
	}{
		{newSlope(), "", "steps", &cells.Range{Least: 2, Most: 7}, "", nil, false},
		{newNet("both", true), "distance", "moves", &cells.Range{Least: 2, Most: 3}, "", nil, true},
		{newNet("both", true), "distance", "depth", nil, "", nil, true},
		{featured{newNet("featured", true)}, "distance", "moves", nil, "", []selection{{"rest == 3 && branching < -9", func(v values) bool { return v.rest == 3 && v.branching < -9 }}}, true},
		{board(t, "peg/4x4"), "", "pegs", &cells.Range{Least: 3, Most: 9}, "o??o/????/?.??/????", []selection{{"jumps == branching", func(values) bool { return true }}}, false},
		{board(t, "peg/4x4"), "trie", "pegs", nil, "o???/????/????/????", nil, false},
	} {
		f, d := file(t, c.sp, c.store), depths(c.sp, c.sp.Roots()[0])
		for k, s := range append(selections(c.layer), c.more...) {
			for i := range 8 {
				if !long.Tests && (i/2+i+k)%2 > 0 {
					continue
				}
				choice := ask.Pick{Where: s.where, Options: run.Options{Threads: 1 + 2*(i%2)}}
				if i&2 != 0 {
					choice.Pattern, choice.Layers = c.pattern, c.layers
				}
				if choice.Complement = i&4 != 0; choice.Complement && c.notComplement {
					continue
				}
				var want []uint64
				for x := range c.sp.Size() {
					v := valuesOf(c.sp, d, x)
					if (d[x] >= 0) != choice.Complement && s.is(v) && agrees(c.sp.Format(x), choice.Pattern) && (choice.Layers == nil || choice.Layers.Holds(v.layer)) {
						want = append(want, x)
					}
				}
				members(t, f, choice, want, rng)
			}
		}
	}
}

// A sort with a limit has the first states of a full sort, and that is the sort of a plain list.
func TestSort(t *testing.T) {
	type order struct {
		keys string
		of   func(v values) []float64
	}
	for _, c := range []struct {
		sp    statespace.Space
		store string
	}{{board(t, "peg/4x4"), ""}, {newSlope(), ""}, {newNet("both", true), "distance"}} {
		layer := "pegs"
		switch c.sp.(type) {
		case slope:
			layer = "steps"
		case *graph:
			layer = "moves"
		}
		f, d := file(t, c.sp, c.store), depths(c.sp, c.sp.Roots()[0])
		for _, o := range []order{
			{"branching", func(v values) []float64 { return []float64{float64(v.branching)} }},
			{"-" + layer + ", branching", func(v values) []float64 { return []float64{-float64(v.layer), float64(v.branching)} }},
			{" - branching+" + layer + ",max(orbit,2) ", func(v values) []float64 { return []float64{-float64(v.branching + v.layer), float64(max(v.orbit, 2))} }},
			{"(-branching)+" + layer, func(v values) []float64 { return []float64{float64(v.layer - v.branching)} }},
			{"-branching/(" + layer + "+1)", func(v values) []float64 { return []float64{-float64(v.branching) / float64(v.layer+1)} }},
			{"0", func(v values) []float64 { return []float64{0} }},
		} {
			var want []uint64
			for x := range c.sp.Size() {
				if d[x] >= 0 && layerOf(c.sp, d, x) != 5 {
					want = append(want, x)
				}
			}
			slices.SortFunc(want, func(x, y uint64) int {
				return cmp.Or(slices.Compare(o.of(valuesOf(c.sp, d, x)), o.of(valuesOf(c.sp, d, y))), cmp.Compare(x, y))
			})
			for i, limit := range []int{0, 1, 3, 40, len(want), len(want) + 1} {
				var got []uint64
				choice := ask.Pick{Where: layer + " != 5", Sort: o.keys, Limit: uint64(limit), Options: run.Options{Threads: 1 + i%3}}
				for x, err := range f.List(t.Context(), choice) {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, x)
				}
				first := want
				if limit > 0 {
					first = want[:min(limit, len(want))]
				}
				if !slices.Equal(got, first) {
					t.Errorf("%s by %s, limit %d: %d, want %d", c.sp.Name(), o.keys, limit, got, first)
				}
			}
		}
	}
}

// What is drawn is sorted.
func TestSampleSorted(t *testing.T) {
	sp := board(t, "peg/4x4")
	f := file(t, sp, "")
	drawn, err := f.Sample(t.Context(), ask.Pick{Sort: "-pegs"}, 50, rand.New(rand.NewPCG(1, 2)))
	if err != nil || len(drawn) != 50 || !slices.IsSortedFunc(drawn, func(x, y uint64) int { return sp.Layer(y) - sp.Layer(x) }) {
		t.Errorf("%d, %v", drawn, err)
	}
}

// Sorting stays within the memory, and with a limit it needs little.
func TestSortMemory(t *testing.T) {
	f := file(t, board(t, "peg/4x5"), "")
	var failed error
	for _, err := range f.List(t.Context(), ask.Pick{Sort: "pegs", Options: run.Options{Memory: 100_000}}) {
		failed = err
	}
	if !errors.Is(failed, statespace.ErrMemory) || !contains(failed.Error(), "to sort more than") {
		t.Errorf("the error is %v", failed)
	}
	n := 0
	for _, err := range f.List(t.Context(), ask.Pick{Sort: "pegs", Limit: 10, Options: run.Options{Memory: 100_000}}) {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n != 10 {
		t.Errorf("%d members", n)
	}
}

func TestWrongExpressions(t *testing.T) {
	pegs, net := file(t, board(t, "peg/4x4"), ""), file(t, newNet("both", true), "distance")
	for _, c := range []struct {
		f      *ask.File
		choice ask.Pick
		want   string
	}{
		{pegs, ask.Pick{Where: "pges > 3"}, `where "pges > 3": character 1: there is no field "pges"; did you mean pegs?`},
		{pegs, ask.Pick{Where: "moves > 3"}, "convert it to the store distance, or use pegs, jumps,"},
		{pegs, ask.Pick{Where: "pegs"}, "it is a whole number, expected true or false"},
		{pegs, ask.Pick{Where: "pegs >"}, "character 7: expected a number"},
		{pegs, ask.Pick{Where: "pegs % (jumps - jumps) == 0"}, "% divides by zero for o.../.o../..../...."},
		{pegs, ask.Pick{Where: strings.Repeat("1+", 600) + "1 > 0"}, "the expression has 1205 bytes, expected at most 1000"},
		{pegs, ask.Pick{Sort: "pegs, jmps"}, `there is no field "jmps"; did you mean jumps?`},
		{pegs, ask.Pick{Sort: "pegs > 3"}, "key 1 is true or false, expected a number"},
		{pegs, ask.Pick{Sort: "pegs,,jumps"}, "key 2 is empty"},
		{pegs, ask.Pick{Sort: "-"}, "key 1 is empty"},
		{pegs, ask.Pick{Sort: "1,2,3,4,5"}, "there are 5 keys, expected at most 4"},
		{pegs, ask.Pick{Sort: "pegs % 0"}, "% divides by zero"},
		{net, ask.Pick{Where: "moves > 1", Complement: true}, "states that are not in " + net.Path() + " have no moves"},
		{net, ask.Pick{Layers: &cells.Range{Least: 1, Most: 2}, Complement: true}, "have no distances"},
	} {
		var failed error
		for _, err := range c.f.List(t.Context(), c.choice) {
			failed = err
		}
		question(t, failed, c.want)
	}
	if _, err := pegs.Describer(ask.Pick{}, []string{"jmps"}); err == nil || !contains(err.Error(), "did you mean jumps?") {
		t.Errorf("%v", err)
	}
	if _, err := net.Describer(ask.Pick{Complement: true}, []string{"moves"}); err == nil || !contains(err.Error(), "have no moves") {
		t.Errorf("%v", err)
	}
	_, err := file(t, newNet("both", true), "sparse").Count(t.Context(), ask.Pick{Complement: true})
	question(t, err, "numbers its members only")
}

// A file lists its fields, those of the space before the general ones, and each name once.
func TestFields(t *testing.T) {
	for _, c := range []struct {
		sp          statespace.Space
		store, want string
	}{
		{board(t, "peg/4x4"), "", "pegs jumps branching loose orbit"},
		{newSlope(), "", "steps branching orbit"},
		{newNet("both", true), "distance", "moves/depth branching orbit"},
		{newNet("both", true), "mod3", "branching orbit"},
		{featured{newNet("featured", true)}, "sparse", "moves/depth rest branching orbit"},
	} {
		var names []string
		for _, f := range file(t, c.sp, c.store).Fields() {
			name := f.Name
			if f.Alias != "" {
				name += "/" + f.Alias
			}
			if names = append(names, name); f.About == "" {
				t.Errorf("%s: %s has no description", c.sp.Name(), name)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.sp.Name(), got, c.want)
		}
	}
}

// Fields are shown behind the pattern, in JSON, and in tables.
func TestShow(t *testing.T) {
	sp := board(t, "peg/4x4")
	f := file(t, sp, "")
	start := sp.Roots()[0]
	describe, err := f.Describer(ask.Pick{}, []string{"jumps", "pegs", "jumps"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := describe(start)
	if want := "oooo/o.oo/oooo/oooo  jumps=2  pegs=15"; err != nil || m.String() != want {
		t.Errorf("%s, %v; want %s", m, err, want)
	}
	data, err := m.MarshalJSON()
	if want := `{"pattern":"oooo/o.oo/oooo/oooo","pegs":15,"jumps":2}`; err != nil || string(data) != want {
		t.Errorf("%s, %v; want %s", data, err, want)
	}
	choice := ask.Pick{Where: "pegs > 13", Sort: "-jumps"}
	for format, want := range map[string]string{
		"csv":   "number,pattern,pegs,jumps\n%d,oooo/..oo/oooo/oooo,14,4\n",
		"jsonl": `{"number":%d,"pattern":"`,
	} {
		got := string(exported(t, f, format, choice, 1, "jumps", "pegs"))
		if n := strings.Count(got, "jumps"); n != 1 {
			t.Errorf("%s: %s, want something like %s", format, got, want)
		}
	}
	if npy := exported(t, f, "npy", choice, 2, "jumps"); !contains(string(npy), "('jumps', '<i8')], 'fortran_order': False, 'shape': (2,)") {
		t.Errorf("%q", npy)
	}
}

// An evaluation ends with its context, and when nobody takes what it yields.
func TestWhereEnds(t *testing.T) {
	f := file(t, board(t, "peg/4x5"), "")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	enough := errors.New("enough")
	n, failed := 0, error(nil)
	for _, err := range f.List(ctx, ask.Pick{Where: "pegs > 1"}) {
		if n++; n == 3 {
			cancel(enough)
		}
		failed = err
	}
	if !errors.Is(failed, enough) {
		t.Errorf("%v after %d, want %v", failed, n, enough)
	}
	for range f.List(t.Context(), ask.Pick{Where: "pegs > 1", Sort: "jumps"}) {
		break
	}
	if _, err := f.Count(ctx, ask.Pick{Where: "pegs > 1"}); !errors.Is(err, enough) {
		t.Errorf("%v, want %v", err, enough)
	}
}

// The time for a member: of an expression on one thread and on two, and of a closure.
func BenchmarkWhere(b *testing.B) {
	f := file(b, board(b, "peg/5x5@0,0"), "")
	sp, of := f.Space(), f.Space().Parts().Layers
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("expression/%d", threads), func(b *testing.B) {
			for b.Loop() {
				if _, err := f.Count(b.Context(), ask.Pick{Where: "pegs > 5 && jumps <= 2", Options: run.Options{Threads: threads}}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*float64(f.Meta().States)/b.Elapsed().Seconds(), "members/s")
		})
	}
	b.Run("closure", func(b *testing.B) {
		for b.Loop() {
			n := 0
			var edges []statespace.Edge
			for x, err := range f.List(b.Context(), ask.Pick{}) {
				if err != nil {
					b.Fatal(err)
				}
				if of.Layer(x) > 5 {
					if edges = sp.Successors(edges[:0], x); len(edges) <= 2 {
						n++
					}
				}
			}
		}
		b.ReportMetric(float64(b.N)*float64(f.Meta().States)/b.Elapsed().Seconds(), "members/s")
	})
}
