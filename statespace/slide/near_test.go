package slide

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
)

// nearPlain is Near by looking at all members.
func nearPlain(s *Space, set *bitset.Set, q NearQuery) (matches []statespace.Match, complete bool) {
	for x := range set.All() {
		m := statespace.Match{State: x, Distance: ^uint64(0)}
		for i, t := range q.Targets {
			if d := s.puzzle.Distance(t, s.numbers.Unrank(x)); d < m.Distance {
				m.Distance, m.Target = d, i
			}
		}
		if q.Within == statespace.Nearest || m.Distance <= q.Within {
			matches = append(matches, m)
		}
	}
	slices.SortFunc(matches, statespace.Match.Compare)
	if q.Within == statespace.Nearest && len(matches) > 0 {
		matches = slices.DeleteFunc(matches, func(m statespace.Match) bool { return m.Distance > matches[0].Distance })
	}
	if q.Limit > 0 && len(matches) > q.Limit {
		return matches[:q.Limit], false
	}
	return matches, true
}

func randomPattern(rng *rand.Rand, p *Puzzle) Pattern {
	w := make(Pattern, p.Cells())
	open := rng.IntN(4)
	for i := range w {
		w[i] = int8(rng.IntN(1 + len(p.kinds)))
		if rng.IntN(4) < open {
			w[i] = anything
		}
	}
	return w
}

// What is found near is what looking at all members finds.
func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	puzzles := []*Puzzle{}
	for _, name := range []string{"slide/dads", "slide/rushhour"} {
		p, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		puzzles = append(puzzles, p)
	}
	for _, size := range [][2]int{{2, 2}, {2, 3}, {4, 2}} {
		p, err := NPuzzle(size[0], size[1])
		if err != nil {
			t.Fatal(err)
		}
		puzzles = append(puzzles, p)
	}
	for range 60 {
		puzzles = append(puzzles, randomPuzzle(rng))
	}
	for _, p := range puzzles {
		s, err := NewSpace("test", p, Steps, false, 0)
		if err != nil {
			t.Fatal(err)
		}
		if s.Size() > 1<<15 {
			continue
		}
		set := bitset.New(s.Size())
		if err := statespace.Search(t.Context(), s, set); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			var q NearQuery
			for range 1 + rng.IntN(2) {
				var weights []uint64
				if rng.IntN(2) == 0 {
					for range p.Cells() {
						weights = append(weights, rng.Uint64N(4)*uint64(1+rng.IntN(1000)))
					}
				}
				patterns := []Pattern{randomPattern(rng, p)}
				if rng.IntN(3) == 0 {
					patterns = append(patterns, randomPattern(rng, p))
				}
				target, err := p.NewTarget(weights, patterns...)
				if err != nil {
					t.Fatal(err)
				}
				q.Targets = append(q.Targets, target)
			}
			q.Within, q.Limit = statespace.Nearest, rng.IntN(30)
			if rng.IntN(2) == 0 {
				q.Within = rng.Uint64N(q.Targets[0].Farthest() + 1)
			}
			got, complete, err := s.Near(t.Context(), set, q)
			if err != nil {
				t.Fatal(err)
			}
			want, wantComplete := nearPlain(s, set, q)
			if !slices.Equal(got, want) || complete != wantComplete {
				t.Fatalf("within %d, limit %d: %v (%t), one by one %v (%t)\n%s", q.Within, q.Limit, got, complete, want, wantComplete, p.Format())
			}
		}
		pattern := randomPattern(rng, p)
		if rng.IntN(8) == 0 {
			pattern = p.OpenPattern()
		}
		target, err := p.NewTarget(nil, pattern)
		if err != nil {
			t.Fatal(err)
		}
		var got, want []uint64
		if err := s.Visit(t.Context(), set, pattern, func(first, members uint64) bool {
			for ; members != 0; members &= members - 1 {
				got = append(got, first+uint64(bits.TrailingZeros64(members)))
			}
			return len(got) < 100
		}); err != nil {
			t.Fatal(err)
		}
		for x := range set.All() {
			if p.Distance(target, s.numbers.Unrank(x)) == 0 && len(want) < 100 {
				want = append(want, x)
			}
		}
		if n, err := s.Count(t.Context(), set, pattern); err != nil || len(want) < 100 && n != uint64(len(want)) || n < uint64(len(want)) {
			t.Fatalf("%d members agree with a pattern, one by one %d: %v", n, len(want), err)
		}
		if got = got[:min(100, len(got))]; !slices.Equal(got, want) {
			t.Fatalf("the members that agree are %v, one by one %v", got, want)
		}
	}
}

func TestParsePattern(t *testing.T) {
	p, err := ParsePuzzle("tray:\nAB.#\n.CCD\n")
	if err != nil {
		t.Fatal(err)
	}
	one := int8(1 + p.pieces[0].kind)
	if w, err := p.ParsePattern("A?.\n.A.B"); err != nil || !slices.Equal(w, Pattern{one, anything, nothing, nothing, one, nothing, one}) {
		t.Errorf("%v, %v", w, err)
	}
	for _, text := range []string{"", "A?.#", "A?.#/.CCE", "A?.?/.CCD", "A?.#/.C"} {
		var syntax *SyntaxError
		if _, err := p.ParsePattern(text); !errors.As(err, &syntax) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := p.NewTarget(make([]uint64, 3)); err == nil {
		t.Error("3 weights for 7 cells")
	}
	if _, err := p.NewTarget(slices.Repeat([]uint64{1 << 55}, 7), make(Pattern, 7)); err == nil {
		t.Error("weights beyond the bound")
	}
}
