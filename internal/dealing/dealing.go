// Package dealing chooses the cards of decks: puzzles from easy to hard.
package dealing

import (
	"fmt"
	"math"
	"slices"
)

// MaxCount bounds the cards of a deck.
const MaxCount = 200

// Options say which deck to make, and what that may take.
type Options struct {
	Seed    uint64
	Count   int    // of cards, 1 to MaxCount
	Threads int    // 0 is 1
	Memory  uint64 // in bytes, for the work on one card or one group of problems; 0 is no bound
}

// CheckCount returns an error if no deck has this number of cards.
func CheckCount(n int) error {
	if n < 1 || n > MaxCount {
		return fmt.Errorf("a deck has 1 to %d cards, found %d", MaxCount, n)
	}
	return nil
}

// Levels are the levels of cards, from easy to hard. Each has a quarter of the deck.
func Levels() []string { return []string{"beginner", "intermediate", "advanced", "expert"} }

// Level returns the level of card i of n, as an index of Levels.
func Level(i, n int) int { return i * len(Levels()) / n }

// A FewError says that there are too few puzzles for a deck.
type FewError struct {
	Unit         string // what a card has, in one word: "problem"
	Found, Count int
}

func (e *FewError) Error() string {
	if e.Found == 0 {
		return fmt.Sprintf("no %s is fit for a deck", e.Unit)
	}
	return fmt.Sprintf("only %d %ss go together in a deck, expected %d", e.Found, e.Unit, e.Count)
}

// A Chooser says which puzzles of a pool become cards.
type Chooser[P any] struct {
	// Unit is what a card has, in one word: "problem".
	Unit string
	// Difficulty is at least 0.
	Difficulty func(p P) int
	// Fits reports whether a puzzle can be a card of a level, together with the cards that were taken.
	Fits func(p P, level int) bool
	// Rank says how well a puzzle fits as a card of a level: less is better. off is how far its difficulty
	// is from the place of the card; 0 is near enough.
	Rank func(p P, level, off int) [3]int
	// Take is called with each card when it is chosen, the hardest first.
	Take func(p P, level int)
}

// Choose chooses n puzzles of a pool and returns them from easy to hard. Each card has a place between the
// least and the greatest difficulty of the pool; the places are equally far apart, and puzzles within half
// that distance are equally near. A single card has no place. The hardest card is chosen first. For each card,
// Choose takes the first puzzle with the least rank among those that fit and are not harder than the card
// before. If there is none, the error is a *FewError.
func (c *Chooser[P]) Choose(pool []P, n int) ([]P, error) {
	least, greatest := math.MaxInt, 0
	for _, p := range pool {
		least, greatest = min(least, c.Difficulty(p)), max(greatest, c.Difficulty(p))
	}
	chosen, last := make([]P, n), greatest
	for i := n - 1; i >= 0; i-- {
		level := Level(i, n)
		at, near := greatest, greatest
		if n > 1 {
			at, near = least+(greatest-least)*i/(n-1), (greatest-least)/(n-1)/2
		}
		best, bestRank := -1, [3]int{}
		for k, p := range pool {
			d := c.Difficulty(p)
			if d > last || !c.Fits(p, level) {
				continue
			}
			rank := c.Rank(p, level, max(0, max(d-at, at-d)-near))
			if best < 0 || slices.Compare(rank[:], bestRank[:]) < 0 {
				best, bestRank = k, rank
			}
		}
		if best < 0 {
			return nil, &FewError{c.Unit, n - 1 - i, n}
		}
		chosen[i], last = pool[best], c.Difficulty(pool[best])
		c.Take(chosen[i], level)
	}
	return chosen, nil
}

// Chance returns the chance that a player who picks each choice at random solves a puzzle in the fewest moves. Moves
// returns the fewest moves of a state, and choices the states to which its choices lead. Known keeps the chances of
// states.
func Chance[S comparable](known map[S]float64, x S, moves func(x S) int, choices func(x S) []S) float64 {
	if moves(x) == 0 {
		return 1
	}
	if c, ok := known[x]; ok {
		return c
	}
	to, sum := choices(x), 0.0
	for _, y := range to {
		if moves(y) == moves(x)-1 {
			sum += Chance(known, y, moves, choices)
		}
	}
	known[x] = sum / float64(len(to))
	return known[x]
}
