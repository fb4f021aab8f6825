package lunardeck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/dealing"
	"pagoda/internal/long"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/replay"
	"pagoda/puzzle/lunar/solver"
	"pagoda/statespace"
)

func named(t *testing.T, name string) *board.Board {
	t.Helper()
	b, ok := board.Named(name)
	if !ok {
		t.Fatalf("there is no board %s", name)
	}
	return b
}

func makeDeck(t *testing.T, name string, o Options) []*Card {
	t.Helper()
	cards, err := Make(t.Context(), named(t, name), "lunar/"+name, o)
	if err != nil {
		t.Fatal(err)
	}
	return cards
}

// least returns the least image of a position.
func least(b *board.Board, p board.Position) board.Position {
	all := []board.Position{p}
	for _, turn := range b.Turns() {
		all = append(all, p.Turned(turn))
	}
	return slices.MinFunc(all, func(p, q board.Position) int {
		return slices.Compare([]uint64{p.Letters, p.Numbers}, []uint64{q.Letters, q.Numbers})
	})
}

// A plain knows of each position that can be reached from one how many moves it needs; a position
// without an entry needs more than any number.
type plain struct {
	*board.Board
	moves map[board.Position]int
}

// search looks at all positions that can be reached, and then improves the numbers of moves until
// they do not change.
func search(b *board.Board, start board.Position) plain {
	s := plain{b, make(map[board.Position]int)}
	all, seen := []board.Position{start}, map[board.Position]bool{start: true}
	for i := 0; i < len(all); i++ {
		for _, m := range b.Moves(nil, all[i]) {
			if q := all[i].After(m); !seen[q] {
				seen[q] = true
				all = append(all, q)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range all {
			n := math.MaxInt
			if p.Solved() {
				n = 0
			}
			for _, m := range b.Moves(nil, p) {
				if next, ok := s.moves[p.After(m)]; ok {
					n = min(n, next+1)
				}
			}
			if old, ok := s.moves[p]; n < math.MaxInt && (!ok || n < old) {
				s.moves[p], changed = n, true
			}
		}
	}
	return s
}

// choices returns the positions after the choices in one.
func (s plain) choices(p board.Position) (after []board.Position) {
	ends := make(map[[2]int]board.Position)
	for _, m := range s.Moves(nil, p) {
		ends[[2]int{m.From, m.To}] = p.After(m)
	}
	for _, q := range ends {
		after = append(after, q)
	}
	return after
}

// nearer reports whether a move leads nearer to the end.
func (s plain) nearer(p, q board.Position) bool {
	n, ok := s.moves[q]
	return ok && n < s.moves[p]
}

func (s plain) chance(p board.Position) (c float64) {
	if p.Solved() {
		return 1
	}
	for _, q := range s.choices(p) {
		if s.nearer(p, q) {
			c += s.chance(q) / float64(len(s.choices(p)))
		}
	}
	return c
}

// measure measures in the plain way: by a search of its own, and by the list of all best solutions.
func measure(t *testing.T, b *board.Board, start board.Position) (m Measure, problems map[board.Position]bool) {
	t.Helper()
	s := search(b, start)
	r, err := solver.Solve(t.Context(), b, start, 0, 1)
	if err != nil || !r.Solved || r.Moves != s.moves[start] {
		t.Fatalf("%s takes %d moves, %v, want %d", b.FormatPosition(start), r.Moves, err, s.moves[start])
	}
	m = Measure{Search: -math.Log2(s.chance(start)), Turns: r.Steps - r.Moves, Decoys: bits.OnesCount64(start.Numbers &^ r.Ever)}
	seen := make(map[board.Position]bool)
	problems = make(map[board.Position]bool)
	for so := range r.All() {
		p := start
		for i, move := range so.Moves {
			if image := least(b, p); !seen[image] {
				seen[image] = true
				for _, q := range s.choices(p) {
					if !s.nearer(p, q) {
						m.FalseLeads++
					}
					if _, ok := s.moves[q]; !ok {
						m.DeadEnds++
					}
				}
				if len(so.Moves)-i >= 2 {
					problems[image] = true
				}
			}
			p = p.After(move)
		}
	}
	m.FalseLeads /= float64(len(seen))
	m.DeadEnds /= float64(len(seen))
	return m, problems
}

func near(a, b Measure) bool {
	return math.Abs(a.Search-b.Search) < 1e-9 && a.Turns == b.Turns && a.Decoys == b.Decoys &&
		math.Abs(a.FalseLeads-b.FalseLeads) < 1e-9 && math.Abs(a.DeadEnds-b.DeadEnds) < 1e-9
}

// Small problems, measured by hand.
func TestMeasure(t *testing.T) {
	b := named(t, "5x5")
	for drawing, want := range map[string]string{
		// 1-D or 2-U, after which no piece can move; then X-D or 1-U.
		"..X../..1../..+../...../..2..": "2.0 0 0 1.0 0.5",
		// X-R, or 1-L, after which no piece can move.
		"...../...../X..1./...../.....": "1.0 0 0 1.0 1.0",
	} {
		p, err := b.ParsePosition(drawing)
		if err != nil {
			t.Fatal(err)
		}
		m, _ := measure(t, b, p)
		if found := fmt.Sprintf("%.1f %d %d %.1f %.1f", m.Search, m.Turns, m.Decoys, m.FalseLeads, m.DeadEnds); found != want {
			t.Errorf("%s: the measure is %s, want %s", drawing, found, want)
		}
	}
	m := Measure{Search: 3.26, Turns: 3, Decoys: 1}
	if m.Difficulty() != 33+15+10 {
		t.Errorf("the difficulty is %d", m.Difficulty())
	}
}

// The laws of decks. Each card is measured in the plain way; its solution is the best, and is replayed.
func TestMake(t *testing.T) {
	for i, c := range []struct {
		board string
		o     Options
	}{{"5x5", Options{Seed: 1, Count: 40, Threads: 2}}, {"5x5", Options{Seed: 5, Count: 1}}, {"3x5", Options{Seed: 2, Count: 30, Threads: 2}}, {"3x3", Options{Seed: 3, Count: 6}}} {
		if !long.Tests && i < 2 {
			continue
		}
		b, cards := named(t, c.board), makeDeck(t, c.board, c.o)
		if len(cards) != c.o.Count {
			t.Errorf("%s: %d cards, want %d", c.board, len(cards), c.o.Count)
		}
		owner := make(map[board.Position]int) // of a problem
		for i, card := range cards {
			text, p := b.Format(card.Start), card.Start.Position()
			level := slices.Index(dealing.Levels(), card.Level)
			if card.Number != i+1 || level != i*4/len(cards) || bits.OnesCount64(p.Letters) != card.Letters || bits.OnesCount64(p.Numbers) != card.Numbers {
				t.Errorf("%s %s: number %d, level %s, %d letters, %d numbers", c.board, text, card.Number, card.Level, card.Letters, card.Numbers)
			}
			if card.Letters > []int{1, 2, 3, 3}[level] || card.Letters+card.Numbers > 6 || card.Moves < 2 || card.Solutions > 4 {
				t.Errorf("%s %s: a card of level %s with %d moves, %d solutions", c.board, text, card.Level, card.Moves, card.Solutions)
			}
			if i > 0 && card.Difficulty < cards[i-1].Difficulty {
				t.Errorf("%s: card %d has the difficulty %d after %d", c.board, card.Number, card.Difficulty, cards[i-1].Difficulty)
			}
			m, problems := measure(t, b, p)
			if !near(m, card.Measure) || card.Difficulty != m.Difficulty() {
				t.Errorf("%s %s: the measure is %v, want %v", c.board, text, card.Measure, m)
			}
			if m.Decoys != bits.OnesCount64(card.Decoys) || m.Decoys > 1 || m.Decoys > 0 && level < 3 {
				t.Errorf("%s %s: decoys %x on level %s", c.board, text, card.Decoys, card.Level)
			}
			for q := range problems {
				if other := owner[q]; other != 0 {
					t.Errorf("%s: the cards %d and %d share %s", c.board, other, card.Number, b.FormatPosition(q))
				}
				if owner[q] = card.Number; isPublished(b, q) {
					t.Errorf("%s: card %d has %s, a card of a deck that is sold", c.board, card.Number, b.FormatPosition(q))
				}
			}
			checkSolution(t, b, card)
		}
	}
}

func checkSolution(t *testing.T, b *board.Board, card *Card) {
	t.Helper()
	steps, plays := 0, []string(nil)
	for _, play := range card.Solution {
		steps += len(play.Steps)
		plays = append(plays, play.String())
	}
	if _, err := replay.Solution(b, card.Start, strings.Join(plays, " ")); err != nil || len(plays) != card.Moves || steps != card.Steps {
		t.Errorf("%s: the solution %v has %d steps, %v, want %d moves of %d steps", b.Format(card.Start), plays, steps, err, card.Moves, card.Steps)
	}
	r, err := solver.Solve(t.Context(), b, card.Start.Position(), 0, 1)
	if err != nil || r.Moves != card.Moves || r.Steps != card.Steps || r.Solutions.Uint64() != card.Solutions {
		t.Errorf("%s: the solver finds %d moves, %d steps, %v solutions, %v, want %d, %d and %d", b.Format(card.Start), r.Moves, r.Steps, r.Solutions, err,
			card.Moves, card.Steps, card.Solutions)
	}
}

// texts returns the problems of a deck.
func texts(cards []*Card) (all []string) {
	for _, c := range cards {
		all = append(all, c.Board.Format(c.Start))
	}
	return all
}

// Decks depend on the seed, and not on the number of threads.
func TestSeed(t *testing.T) {
	one := texts(makeDeck(t, "3x5", Options{Seed: 1, Count: 20, Threads: 1}))
	if again := texts(makeDeck(t, "3x5", Options{Seed: 1, Count: 20, Threads: 4})); !slices.Equal(one, again) {
		t.Errorf("four threads make %v, want %v", again, one)
	}
	if other := texts(makeDeck(t, "3x5", Options{Seed: 2, Count: 20, Threads: 1})); slices.Equal(one, other) {
		t.Errorf("another seed makes %v again", other)
	}
}

// A problem that is published does not come up again.
func TestPublished(t *testing.T) {
	if !long.Tests {
		t.Skip("two decks of 5x5")
	}
	if n := len(published); n != 41 {
		t.Errorf("%d problems are published, want 40 and another list's card 39", n)
	}
	o := Options{Seed: 4, Count: 3, Threads: 2}
	cards := makeDeck(t, "5x5", o)
	b := cards[1].Board
	p := cards[1].Start.Position()
	if turned := p.Turned(b.Turns()[2]); isPublished(b, p) || isPublished(b, turned) || fingerprint(b, p) != fingerprint(b, turned) {
		t.Fatalf("%v is published, or has another fingerprint when it is turned", texts(cards))
	}
	published[fingerprint(b, p)] = true
	defer delete(published, fingerprint(b, p))
	for _, card := range makeDeck(t, "5x5", o) {
		if least(b, card.Start.Position()) == least(b, p) {
			t.Errorf("card %d, %s, is published", card.Number, b.Format(card.Start))
		}
	}
}

func TestErrors(t *testing.T) {
	b := named(t, "3x3")
	var few *FewError
	if _, err := Make(t.Context(), b, "lunar/3x3", Options{Count: 40}); !errors.As(err, &few) || few.Count != 40 || few.Found < 6 || few.Found > 39 {
		t.Errorf("3x3 has 40 problems: %v", err)
	}
	if _, err := Make(t.Context(), b, "lunar/3x3", Options{}); err == nil {
		t.Error("a deck of no cards")
	}
	if _, err := Make(t.Context(), named(t, "5x5"), "lunar/5x5", Options{Count: 4, Memory: 1 << 20}); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("with 1 MiB: %v", err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := Make(ctx, b, "lunar/3x3", Options{Count: 4}); !errors.Is(err, stop) {
		t.Errorf("after the end of the context: %v", err)
	}
	if cards, err := Make(t.Context(), named(t, "1x1"), "lunar/1x1", Options{Count: 1}); !errors.As(err, &few) || few.Found != 0 {
		t.Errorf("1x1 has %v, %v", texts(cards), err)
	}
}
