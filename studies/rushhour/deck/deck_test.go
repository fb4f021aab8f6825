package deck

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pagoda/internal/long"
	_ "pagoda/layers/all"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/tray"
	_ "pagoda/run/all"
	"pagoda/statespace"
	"pagoda/studies/rushhour"
)

// short is an effort for tests.
var short = effort{climbs: 5, changes: 60}

func texts(cards []*Card) (all []string) {
	for _, c := range cards {
		all = append(all, c.Board.String())
	}
	return all
}

// A deck keeps its promises. The engine for all sliding-block puzzles checks that no vehicle can be left
// out, which Make does not ask it.
func TestMake(t *testing.T) {
	cards, err := makeDeck(t.Context(), Options{Seed: 3, Count: 6, Threads: 2}, short)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for i, c := range cards {
		if c.Number != i+1 || i > 0 && c.Difficulty < cards[i-1].Difficulty || c.Moves < leastMoves || c.Positions > mostPositions {
			t.Errorf("card %d: %+v", i+1, c)
		}
		cars, trucks := 0, 0
		for k, v := range c.Board.Vehicles {
			if v.Length == 2 {
				cars++
			} else {
				trucks++
			}
			if k > 0 && !v.Vertical && v.Row == exit {
				t.Errorf("%v: a vehicle is in the row of the goal car", c.Board)
			}
			if k == 0 {
				continue
			}
			p, err := c.Board.Without(k).Puzzle()
			if err != nil {
				t.Fatal(err)
			}
			r, err := slide.Solve(t.Context(), p, tray.Lines, slide.Options{ToGoal: true})
			if err != nil || !r.Solved || r.Length >= c.Moves {
				t.Errorf("%v takes %d moves without vehicle %d, %v, and %d with it", c.Board, r.Length, k, err, c.Moves)
			}
		}
		if cars > mostCars || trucks > mostTrucks {
			t.Errorf("%v has %d cars and %d trucks", c.Board, cars, trucks)
		}
		var s rushhour.Searcher
		component, err := s.Explore(c.Board)
		if err != nil {
			t.Fatal(err)
		}
		if least := component.Least().String(); seen[least] {
			t.Errorf("%v can be reached from a card before it", c.Board)
		} else {
			seen[least] = true
		}
	}
	if first, last := cards[0].Level, cards[5].Level; first != "beginner" || last != "expert" {
		t.Errorf("levels from %s to %s", first, last)
	}
}

// Decks depend on the seed, and not on the number of threads.
func TestSeed(t *testing.T) {
	if !long.Tests {
		t.Skip("it takes seconds with the race detector")
	}
	make := func(o Options) []string {
		cards, err := makeDeck(t.Context(), o, short)
		if err != nil {
			t.Fatal(err)
		}
		return texts(cards)
	}
	one := make(Options{Seed: 1, Count: 2, Threads: 1})
	if again := make(Options{Seed: 1, Count: 2, Threads: 3}); !slices.Equal(one, again) {
		t.Errorf("three threads make %v, want %v", again, one)
	}
	if other := make(Options{Seed: 2, Count: 2, Threads: 2}); slices.Equal(one, other) {
		t.Errorf("another seed makes %v again", other)
	}
}

func TestErrors(t *testing.T) {
	if _, err := Make(t.Context(), Options{}); err == nil {
		t.Error("a deck of no cards")
	}
	if _, err := makeDeck(t.Context(), Options{Count: 2, Memory: 1}, short); !errors.Is(err, statespace.ErrMemory) {
		t.Errorf("with 1 byte: %v", err)
	}
	var few *FewError
	if _, err := choose([]*candidate{{difficulty: 1}}, 2); !errors.As(err, &few) || few.Found != 1 || few.Count != 2 {
		t.Errorf("one puzzle for two cards: %v", err)
	}
	if one, err := choose([]*candidate{{difficulty: 1}, {difficulty: 3}, {difficulty: 2}}, 1); err != nil || one[0].difficulty != 3 {
		t.Errorf("a single card is not the hardest: %v", err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := Make(ctx, Options{Count: 4}); !errors.Is(err, stop) {
		t.Errorf("after the end of the context: %v", err)
	}
}
