package ask_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/ask"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// ranges returns ranges of layers: their first and last ones in turn.
func ranges(ends ...int) (all []cells.Range) {
	for i := 0; i < len(ends); i += 2 {
		all = append(all, cells.Range{Least: ends[i], Most: ends[i+1]})
	}
	return all
}

// layerOf returns the layer of a state, or its distance in a space without layers.
func layerOf(sp statespace.Space, d []int, x uint64) int {
	if l := sp.Parts().Layers; l != nil {
		return l.Layer(x)
	}
	return d[x]
}

// Has is right for every number, and says why a text is no member.
func TestHas(t *testing.T) {
	peg44 := board(t, "peg/4x4")
	for _, sp := range []statespace.Space{newSlope(), newNet("both", true), newNet("directed", false), peg44} {
		f, d := file(t, sp, ""), depths(sp, sp.Roots()[0])
		reached := 0
		for x := range sp.Size() {
			r, err := f.Has(sp.Format(x))
			if err != nil {
				t.Fatal(err)
			}
			if r.Reachable != (d[x] >= 0) || r.State != x || r.Reachable == (r.Reason == ask.Unreached) {
				t.Fatalf("%s: state %d at distance %d: %+v", sp.Name(), x, d[x], r)
			}
			if r.Reachable {
				reached++
			}
		}
		if reached == 0 || reached == int(sp.Size()) {
			t.Errorf("%s: %d of %d states are reached: nothing is compared", sp.Name(), reached, sp.Size())
		}
		_, err := f.Has("nonsense")
		question(t, err, `pattern "nonsense": `)
	}
	if r, err := file(t, newSlope(), "").Has("48"); err != nil || r.Reachable || r.Reason != ask.Outside {
		t.Errorf("a state without a number: %+v, %v", r, err)
	}
	if r, err := file(t, peg44, "").Has("oooo/oooo/oooo/oooo"); err != nil || r.Reachable || r.Reason != ask.Class {
		t.Errorf("a state of another class: %+v, %v", r, err)
	}
	if r, err := file(t, peg44, "").Has("......oo.....oo."); err != nil || r.Detail != "of the class of the start, but not reached from it" {
		t.Errorf("a state of the class: %+v, %v", r, err)
	}
	var text strings.Builder
	for _, state := range []string{"0", "47", "48"} {
		r, err := file(t, newSlope(), "").Has(state)
		if err != nil {
			t.Fatal(err)
		}
		r.WriteText(&text)
	}
	if got := text.String(); !contains(got, "yes  0\n") || !contains(got, "no   48  (") {
		t.Error(got)
	}
}

// agrees reports whether a state agrees with a pattern, by their texts alone.
func agrees(state, pattern string) bool {
	for i, c := range pattern {
		if c != '?' && byte(c) != state[i] {
			return false
		}
	}
	return true
}

// Counts, lists, samples and ranks are those of a list made by a plain loop.
func TestMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		sp       statespace.Space
		store    string
		layers   []cells.Range
		patterns []string
	}{
		{newSlope(), "", ranges(2, 5, 11, 11, 9, 99), nil},
		{newSlope(), "roaring", ranges(0, 3), nil},
		{newNet("both", true), "", nil, nil},
		{newNet("both", true), "distance", ranges(0, 0, 2, 3), nil},
		{newNet("both", true), "mod3", ranges(0, 0, 2, 3, 1, 99), nil},
		{newNet("directed", false), "set", ranges(1, 4), nil},
		{newNet("directed", false), "", ranges(1, 4), nil},
		{board(t, "peg/4x4"), "", ranges(3, 6, 15, 15), []string{"o??o/????/?.??/????", "????/????/????/???o", "oooo/oooo/oooo/oooo"}},
		{board(t, "peg/4x4"), "trie", ranges(3, 6), []string{"o??o/????/?.??/????"}},
	} {
		f, d := file(t, c.sp, c.store), depths(c.sp, c.sp.Roots()[0])
		choices := []ask.Pick{{}}
		for i := range c.layers {
			choices = append(choices, ask.Pick{Layers: &c.layers[i]})
		}
		for _, p := range c.patterns {
			choices = append(choices, ask.Pick{Pattern: p}, ask.Pick{Pattern: p, Layers: &c.layers[0]})
		}
		for _, choice := range choices {
			var want []uint64
			for x := range c.sp.Size() {
				if d[x] >= 0 && agrees(c.sp.Format(x), choice.Pattern) &&
					(choice.Layers == nil || choice.Layers.Least <= layerOf(c.sp, d, x) && layerOf(c.sp, d, x) <= choice.Layers.Most) {
					want = append(want, x)
				}
			}
			members(t, f, choice, want, rng)
		}
	}
}

func members(t *testing.T, f *ask.File, c ask.Pick, want []uint64, rng *rand.Rand) {
	t.Helper()
	what := fmt.Sprintf("%s in the store %s, %+v %v", f.Space().Name(), f.Meta().Store, c, c.Layers)
	var got []uint64
	for x, err := range f.List(t.Context(), c) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, x)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: the list is %d, want %d", what, got, want)
	}
	if n, err := f.Count(t.Context(), c); err != nil || n != uint64(len(want)) {
		t.Errorf("%s: the count is %d, %v; want %d", what, n, err, len(want))
	}
	for x := range f.List(t.Context(), c) {
		if x != want[0] {
			t.Errorf("%s: the first member is %d, want %d", what, x, want[0])
		}
		break
	}
	seen := make(map[uint64]bool)
	for _, n := range []int{0, 1, 3, len(want), len(want) + 5} {
		drawn, err := f.Sample(t.Context(), c, n, rng)
		if err != nil {
			t.Fatal(err)
		}
		different := slices.Compact(slices.Sorted(slices.Values(drawn)))
		if len(drawn) != min(n, len(want)) || len(different) != len(drawn) {
			t.Errorf("%s: %d of %d drawn: %d", what, n, len(want), drawn)
		}
		for _, x := range drawn {
			if seen[x] = true; !slices.Contains(want, x) {
				t.Errorf("%s: %d was drawn", what, x)
			}
		}
	}
	if len(seen) != len(want) {
		t.Errorf("%s: %d of %d were drawn in all", what, len(seen), len(want))
	}
	if c.Pattern != "" || c.Layers != nil || c.Where != "" || c.Complement {
		return
	}
	for i, x := range want {
		if y, err := f.Nth(t.Context(), uint64(i)); err != nil || y != x {
			t.Fatalf("%s: member %d is %d, %v; want %d", what, i, y, err, x)
		}
		if j, err := f.Rank(t.Context(), x); err != nil || j != uint64(i) {
			t.Fatalf("%s: the rank of %d is %d, %v; want %d", what, x, j, err, i)
		}
	}
	_, err := f.Nth(t.Context(), uint64(len(want)))
	question(t, err, fmt.Sprintf("expected 0 to %d, found %d", len(want)-1, len(want)))
}

// Every member is as likely as any other to be drawn: in 4,000 draws of one out of 40, the
// number of each stays within six standard deviations.
func TestSampleIsFair(t *testing.T) {
	f := file(t, newNet("both", true), "")
	n, err := f.Count(t.Context(), ask.Pick{})
	if err != nil {
		t.Fatal(err)
	}
	rng, times := rand.New(rand.NewPCG(9, 10)), make(map[uint64]int)
	for range 100 * n {
		drawn, err := f.Sample(t.Context(), ask.Pick{}, 1, rng)
		if err != nil {
			t.Fatal(err)
		}
		times[drawn[0]]++
	}
	for x, k := range times {
		if k < 40 || k > 160 {
			t.Errorf("%d was drawn %d times of %d, expected about 100", x, k, 100*n)
		}
	}
	if len(times) != int(n) {
		t.Errorf("%d of %d members were drawn", len(times), n)
	}
}

func TestWrongChoices(t *testing.T) {
	slope, net, pegs := file(t, newSlope(), ""), file(t, newNet("both", true), "mod3"), file(t, board(t, "peg/4x4"), "")
	_, err := slope.Count(t.Context(), ask.Pick{Pattern: "1?"})
	question(t, err, "graphs/slope")
	for _, err := range net.List(t.Context(), ask.Pick{Layers: &cells.Range{Least: 1, Most: 2}, Options: run.Options{Memory: 1}}) {
		var memory *statespace.MemoryError
		if !errors.As(err, &memory) || !contains(err.Error(), "convert the file to the store distance") {
			t.Errorf("without memory for another search, the error is %v", err)
		}
	}
	_, err = pegs.Count(t.Context(), ask.Pick{Pattern: "oo/oo"})
	question(t, err, `pattern "oo/oo": `)
	_, err = pegs.Sample(t.Context(), ask.Pick{}, -1, rand.New(rand.NewPCG(1, 1)))
	question(t, err, "-1, expected 0 or more")
	for _, err := range slope.List(t.Context(), ask.Pick{Pattern: "1?"}) {
		question(t, err, "graphs/slope")
	}
}

// The layers of a file are those of a count.
func TestLayers(t *testing.T) {
	for _, sp := range []statespace.Space{newSlope(), newNet("both", true), newNet("directed", false), board(t, "peg/4x4")} {
		d, want := depths(sp, sp.Roots()[0]), make(map[int]uint64)
		for x := range sp.Size() {
			if d[x] >= 0 {
				want[layerOf(sp, d, x)]++
			}
		}
		got := make(map[int]uint64)
		layers := file(t, sp, "").Layers()
		for _, l := range layers.Counts {
			got[l.Layer] = l.States
		}
		name := "depth"
		if l := sp.Parts().Layers; l != nil {
			name = l.LayerName()
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || layers.Name != name {
			t.Errorf("%s: the layers by %s are %v, want %v", sp.Name(), layers.Name, got, want)
		}
	}
	data, err := file(t, board(t, "peg/1x3@0,0"), "set").Layers().MarshalJSON()
	if want := `[{"pegs":2,"states":1},{"pegs":1,"states":1}]`; err != nil || string(data) != want {
		t.Errorf("%s, %v; want %s", data, err, want)
	}
	var text strings.Builder
	if err := ask.NewLayers("crossings", []statespace.Layer{{Layer: 4, States: 1}}, nil).WriteText(&text); err != nil || text.String() != "crossings  states\n        4       1\n    total       1\n" {
		t.Errorf("a long name of layers: %q, %v", text.String(), err)
	}
}

// Layers beyond all that can be are a mistake; below them, a layer may be empty.
func TestLayersBeyond(t *testing.T) {
	for _, c := range []struct {
		sp              statespace.Space
		store           string
		beyond, allowed int
		want            string
	}{
		{newSlope(), "", 12, 11, "is in layer 12: its layers are"},
		{newNet("both", true), "distance", 99, 0, "is in layer 99"},
		{board(t, "peg/4x4"), "", 17, 16, "is in layer 17: its layers are 2 to 15 (pegs)"}, // no member has a peg in each of the 16 cells
	} {
		f := file(t, c.sp, c.store)
		for _, least := range []int{c.allowed, c.beyond} {
			_, err := f.Count(t.Context(), ask.Pick{Layers: &cells.Range{Least: least, Most: least}})
			if least == c.beyond {
				question(t, err, c.want)
			} else if err != nil {
				t.Errorf("%s: layer %d: %v", c.sp.Name(), least, err)
			}
		}
	}
}
