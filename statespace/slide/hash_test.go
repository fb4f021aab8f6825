package slide

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestHashGrows: a table that begins with hardly any room, and grows on the way, finds the
// same, with keys of one word and of several.
func TestHashGrows(t *testing.T) {
	for _, name := range []string{"slide/dads", "slide/record4x4", "slide/rushhour"} {
		p, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []Metric{Lines, Supersteps} {
			want, err := Solve(t.Context(), p, m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, entries := range []uint64{8, 24, 1 << 16} {
				got, err := solveHashFrom(t.Context(), p, m, Options{}, entries)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Layers, want.Layers) || got.Solutions.Cmp(want.Solutions) != 0 {
					t.Errorf("%s, %v, %d entries: layers %v, want %v; %v ways, want %v", name, m, entries, got.Layers, want.Layers, got.Solutions, want.Solutions)
				}
			}
		}
	}
}

// TestHashWide: with pieces that cannot move beside them, random puzzles have keys of several
// words, and the same answers.
func TestHashWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for n := 0; n < 100; {
		p := randomPuzzle(rng)
		pk, err := NewPacking(p, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.pieces) < 4 || pk.Size() > 5000 {
			continue
		}
		before, after, _ := strings.Cut(p.Format(), "tray:\n")
		row, rest, _ := strings.Cut(after, "\n")
		row += strings.Repeat("#", 5-len(row)) + "n#o#p#q#r#s#t#" + strings.Repeat("u", 28)
		wide, err := ParsePuzzle(before + "tray:\n" + row + "\n" + rest)
		if err != nil {
			t.Fatalf("%v\n%s", err, p.Format())
		}
		m := Metric(n % Metrics)
		want, err := SolvePlain(t.Context(), p, m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if want.States < 10 {
			continue
		}
		n++
		if words := newCoder(wide).words; words < 2 {
			t.Fatalf("%d words", words)
		}
		got, err := Solve(t.Context(), wide, m, Options{Engine: HashEngine})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Layers, want.Layers) || got.Length != want.Length || got.Solutions.Cmp(want.Solutions) != 0 {
			t.Fatalf("%s%v: %+v, plainly %+v", wide.Format(), m, got, want)
		}
		if _, err := wide.CheckSolution(m, got.Moves); got.Solved && err != nil {
			t.Fatalf("%s%v: %v", wide.Format(), m, err)
		}
	}
}

// TestTable holds a table against a map, with keys of all lengths and with tags of few bits
// and of many.
func TestTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for words := 1; words <= 7; words++ {
		table, ok := newTable(words, 8, indexMost)
		if !ok {
			t.Fatal("no room")
		}
		known := make(map[string]uint64)
		text := func(key []uint64) string {
			var s strings.Builder
			for _, w := range key {
				s.WriteByte(byte(w >> 7))
			}
			return s.String()
		}
		for range 300 {
			var keys []uint64
			for range 100 {
				keys = append(keys, slices.Repeat([]uint64{0}, words)...)
				for range 2 { // only few differ in more than one word
					keys[len(keys)-1-rng.IntN(words)] = uint64(rng.IntN(200)) << 7
				}
			}
			if !table.add(keys) {
				t.Fatal("full")
			}
			for key := range slices.Chunk(keys, words) {
				if _, ok := known[text(key)]; !ok {
					known[text(key)] = uint64(len(known))
				}
			}
		}
		if table.n != uint64(len(known)) {
			t.Fatalf("%d words: %d keys, want %d", words, table.n, len(known))
		}
		for x := range table.n {
			key := table.key(x)
			if y, _, ok := table.find(key, hash(key)); !ok || y != x || known[text(key)] != x {
				t.Fatalf("%d words: key %d is found as %d (%t), want %d", words, x, y, ok, known[text(key)])
			}
		}
		missing := slices.Repeat([]uint64{1}, words)
		if x, _, ok := table.find(missing, hash(missing)); ok {
			t.Fatalf("%d words: a key that was not added is found as %d", words, x)
		}
	}
}

// TestHashMemory: what fits is what HashBytes says, and when it is full, the error tells how
// far the search has come.
func TestHashMemory(t *testing.T) {
	p, err := Lookup("slide/n2x5")
	if err != nil {
		t.Fatal(err)
	}
	for _, memory := range []uint64{3 << 20, 5 << 20} {
		each, fit := HashBytes(p, memory)
		if fit*each > memory || fit < memory/30 {
			t.Errorf("%d positions of %d bytes in %d", fit, each, memory)
		}
		_, err = Solve(t.Context(), p, Steps, Options{Engine: HashEngine, Memory: memory})
		var size *SizeError
		if !errors.As(err, &size) || size.Numbers != fit || size.Depth == 0 || size.Memory != memory {
			t.Errorf("in %d bytes: %v, want an end at %d positions", memory, err, fit)
		}
	}
	for _, memory := range []uint64{1, 1 << 20, 1<<20 + 1<<17} {
		if _, fit := HashBytes(p, memory); fit > 0 {
			t.Errorf("%d positions fit into %d bytes", fit, memory)
		}
		var size *SizeError
		if _, err := Solve(t.Context(), p, Steps, Options{Engine: HashEngine, Memory: memory}); !errors.As(err, &size) {
			t.Errorf("in %d bytes: %v", memory, err)
		}
	}
	// A search that ends in time is not refused.
	d, err := Lookup("slide/dads")
	if err != nil {
		t.Fatal(err)
	}
	memory := uint64(hashBase + 8*chunkKeys + 1600*13)
	if _, fit := HashBytes(d, memory); fit < 1398 || fit > 1800 {
		t.Fatalf("%d positions fit", fit)
	}
	r, err := Solve(t.Context(), d, Steps, Options{Engine: HashEngine, Memory: memory})
	if err != nil || r.States != 1398 {
		t.Errorf("in memory for few more than there are: %+v, %v", r, err)
	}
}

// TestHashUnnumbered: 35 pieces, all told apart, have far more placements than can be
// numbered, but few that can be reached: singles go along their row, dominoes not at all.
func TestHashUnnumbered(t *testing.T) {
	p, err := ParsePuzzle("distinct: *\ntray: AABBCCDD/EEFFGGHH/IIJJKKLL/MMNNOOPP/QQRRSSTT/UUVVWWXX/YYZZaabb/1234567.\n" +
		"goal: ......../......../......../......../......../......../......../.1234567")
	if err != nil {
		t.Fatal(err)
	}
	var size *SizeError
	if _, err := Solve(t.Context(), p, Steps, Options{Memory: 64 << 20}); !errors.As(err, &size) {
		t.Fatalf("numbered: %v", err)
	}
	for m := range Metric(Metrics) {
		want, err := SolvePlain(t.Context(), p, m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Solve(t.Context(), p, m, Options{Engine: HashEngine, Memory: 64 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if got.States != 8 || got.Length != want.Length || !slices.Equal(got.Layers, want.Layers) || got.Solutions.Cmp(want.Solutions) != 0 {
			t.Errorf("%v: %+v, plainly %+v", m, got, want)
		}
		if _, err := p.CheckSolution(m, got.Moves); err != nil {
			t.Errorf("%v: %v", m, err)
		}
	}
}

// TestHashFacts: what is known of the puzzles of the library, and one larger than the first
// table.
func TestHashFacts(t *testing.T) {
	for _, name := range []string{"slide/dads", "slide/klotski", "slide/record4x4", "slide/rushhour", "slide/n3x3"} {
		p, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for m := range Metric(Metrics) {
			if name == "slide/n3x3" && m > Moves {
				continue
			}
			want, err := Solve(t.Context(), p, m, Options{ToGoal: name == "slide/n3x3"})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Solve(t.Context(), p, m, Options{Engine: HashEngine, ToGoal: name == "slide/n3x3"})
			if err != nil {
				t.Fatal(err)
			}
			if p.Lengths[m] != 0 && got.Length != p.Lengths[m] || p.States != 0 && got.States != p.States ||
				!slices.Equal(got.Layers, want.Layers) || got.Whole != want.Whole || got.Solutions.Cmp(want.Solutions) != 0 {
				t.Errorf("%s, %v: %+v, by numbers %+v", name, m, got, want)
			}
			if _, err := p.CheckSolution(m, got.Moves); err != nil || len(got.Moves) != got.Length {
				t.Errorf("%s, %v: %v", name, m, err)
			}
		}
	}
}

// TestEngineNames: engines are read as they are written.
func TestEngineNames(t *testing.T) {
	for e := range Engine(Engines) {
		if got, err := ParseEngine(e.String()); err != nil || got != e {
			t.Errorf("%v: %v, %v", e, got, err)
		}
	}
	if _, err := ParseEngine("plain"); err == nil || !strings.Contains(err.Error(), "numbers, hash, search") {
		t.Errorf("an engine that there is not: %v", err)
	}
	p, err := Lookup("slide/dads")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Solve(t.Context(), p, Steps, Options{Engine: Engines}); err == nil {
		t.Error("solved by an engine that there is not")
	}
}

// BenchmarkEngines times whole solutions.
func BenchmarkEngines(b *testing.B) {
	for _, name := range []string{"klotski", "century", "distinct"} {
		p, err := ParsePuzzle("distinct: *\ntray: 1AA2/BAAC/BD.C/3D.4/EEFF\ngoal: ..../..../..../.AA./.AA.")
		if name != "distinct" {
			p, err = Lookup(Prefix + name)
		}
		if err != nil {
			b.Fatal(err)
		}
		for _, m := range []Metric{Steps, Moves} {
			for e := range Engine(Engines) {
				b.Run(name+"/"+m.String()+"/"+e.String(), func(b *testing.B) {
					states := uint64(0)
					for b.Loop() {
						r, err := Solve(b.Context(), p, m, Options{Engine: e})
						if err != nil {
							b.Fatal(err)
						}
						states += r.States
					}
					b.ReportMetric(float64(states)/b.Elapsed().Seconds()/1e6, "Mstates/s")
				})
			}
		}
	}
}
