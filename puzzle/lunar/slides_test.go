package lunar

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
	"pagoda/statespace/spacetest"
)

// slidesPlain finds the fewest slides and the number of such solutions in the words of the rules: by a search through
// drawings of the board with named pieces, cell by cell. It returns -1 if there is no solution.
func slidesPlain(b *board.Board, d board.Drawing) (slides, solutions int) {
	at := make(map[[2]int]int)
	for i, c := range b.Cells() {
		at[[2]int{c.Row, c.Col}] = i
	}
	level := map[string]int{string(d): 1} // ways by drawing
	seen := map[string]bool{string(d): true}
	for ; len(level) > 0; slides++ {
		next := make(map[string]int)
		for here, ways := range level {
			letters := 0
			for _, ch := range []byte(here) {
				if ch != 0 && isLetter(ch) {
					letters++
				}
			}
			if letters == 0 {
				solutions += ways
				continue
			}
			for i, c := range b.Cells() {
				for _, by := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
					if here[i] == 0 {
						break
					}
					to := i
					for n := 1; ; n++ {
						on, inside := at[[2]int{c.Row + n*by[0], c.Col + n*by[1]}]
						if !inside {
							to = i // nothing stops it
							break
						}
						if here[on] != 0 {
							break
						}
						to = on
					}
					if to == i {
						continue
					}
					after := []byte(here)
					after[i] = 0
					if !isLetter(here[i]) || b.Exits()>>to&1 == 0 {
						after[to] = here[i]
					}
					if !seen[string(after)] {
						next[string(after)] += ways
					}
				}
			}
		}
		if solutions > 0 {
			return slides, solutions
		}
		for text := range next {
			seen[text] = true
		}
		level = next
	}
	return -1, 0
}

// By slides, the solver finds what a plain search finds: on the cards of our deck, and on random problems.
func TestSlides(t *testing.T) {
	type problem struct {
		b *board.Board
		d board.Drawing
	}
	var all []problem
	b := boardOf(t, "5x5")
	cards, err := cardsFor(b)
	if err != nil || len(cards) != 40 {
		t.Fatalf("%d cards, %v", len(cards), err)
	}
	patterns := []string{".1.2./...../..+../3.X4./....."}
	for _, c := range cards {
		patterns = append(patterns, c.Pattern)
	}
	for _, text := range patterns {
		d, err := b.ParseDrawing(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, problem{b, d})
	}
	rng := rand.New(rand.NewPCG(48, 1))
	for range 1000 {
		b := randomBoard(t, rng)
		all = append(all, problem{b, drawingOf(t, b, randomPosition(rng, b, 1+rng.IntN(2), 3+rng.IntN(2)))})
	}
	fewer, solved := 0, 0
	for i, p := range all {
		want, count := slidesPlain(p.b, p.d)
		r := solveBy(t, p.b.BySlides(), p.d.Position(), 1)
		if r.Solved != (want >= 0) || r.Solved && (r.Moves != want || r.Steps != want || r.Solutions.Int64() != int64(count)) {
			t.Errorf("%s: %t, %d slides (%d), %v solutions; want %d, %d", p.b.Format(p.d), r.Solved, r.Moves, r.Steps, r.Solutions, want, count)
		}
		if i == 0 && (want != 4 || count != 2) {
			t.Errorf("the first has %d slides, %d solutions; want 4, 2", want, count)
		}
		if want >= 0 {
			solved++
			if solveBy(t, p.b, p.d.Position(), 1).Steps > want {
				fewer++
			}
		}
	}
	if fewer < 8 || solved < 70 {
		t.Errorf("%d are solved, only %d of them in fewer slides than steps", solved, fewer)
	}
}

// A group by slides keeps the laws, and has the lengths and counts of the plain search.
func TestSlidesGroup(t *testing.T) {
	for _, c := range []struct {
		name             string
		letters, numbers int
	}{{"3x5", 1, 3}, {"5x5", 2, 2}, {"3x3", 2, 3}} {
		base := boardOf(t, c.name)
		g, err := New(t.Context(), fmt.Sprintf("lunar/%s:%d-%d@slides", c.name, c.letters, c.numbers), base.BySlides(), c.letters, c.numbers, 0)
		if err != nil {
			t.Fatal(err)
		}
		if g.Size() < 1<<13 || long.Tests {
			spacetest.Test(t, g, 100)
			spacetest.Test(t, g.Whole(), 100)
		}
		again, err := Define(t.Context(), g.Definition(), 0)
		if err != nil || again.Parts().Values.DistanceName != "slides" {
			t.Fatalf("%s: %v, %v", g.Name(), again, err)
		}
		_, v := solve(t, g, 2)
		solved := 0
		for x := range statespace.Index(g.Size()) {
			p, ok := g.Position(x)
			if !ok || bits.OnesCount64(p.Letters) < c.letters || !long.Tests && x%5 > 0 {
				continue
			}
			want, count := slidesPlain(base, drawingOf(t, base, p))
			if v.Entry(x) != uint16(want+1) {
				t.Fatalf("%s: %s takes %d slides, want %d", g.Name(), g.Format(x), int(v.Entry(x))-1, want)
			}
			if want < 0 {
				continue
			}
			solved++
			var values [Columns]uint64
			v.Get(values[:], x)
			if values[StepsColumn] != uint64(want) || values[SolutionsColumn] != uint64(count) {
				t.Fatalf("%s: %s has the values %v, want %d slides, %d solutions", g.Name(), g.Format(x), values, want, count)
			}
		}
		if solved < 5 {
			t.Errorf("%s: only %d problems are solved", g.Name(), solved)
		}
	}
}
