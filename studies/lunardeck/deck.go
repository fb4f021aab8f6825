package lunardeck

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"pagoda/internal/dealing"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/replay"
	"pagoda/puzzle/lunar/solver"
)

// A FewError says that there are too few problems for a deck.
type FewError = dealing.FewError

// Options say which deck to make.
type Options = dealing.Options

// lettersAt is how many letters a card of a level has at most.
var lettersAt = [...]int{1, 2, mostLetters, mostLetters}

const expert = 3

// A Card is a problem of a deck.
type Card struct {
	Number           int    // from 1
	Level            string // beginner, intermediate, advanced or expert
	Board            *board.Board
	Start            board.Drawing
	Letters, Numbers int
	Moves, Steps     int
	Solutions        uint64
	Measure          Measure
	Difficulty       int // in tenths
	// Decoys are the insignificant number pieces, by their cells.
	Decoys board.Set
	// Solution is the first of the best ones.
	Solution []board.Play

	best []key
}

// Make makes a deck of problems on a board, from easy to hard. They have 1 to 3 letters, 2 to 5
// numbers, at most six pieces, and take two moves or more.
//
//   - The difficulty does not fall from card to card. It begins near the least one that there is, and
//     ends near the greatest.
//   - Cards of the first quarter have one letter, those of the second up to two.
//   - There are at most four best solutions. Every number piece is significant in all of them; only
//     cards of the last quarter may have one that is significant in none.
//   - No two cards share a problem: a position of a best solution of one, with two moves or more left,
//     comes up in no best solution of another, not even turned around. So no two cards are alike, and
//     none contains another.
//   - On the board 5x5, no best solution comes by a card of the deck that is sold.
//
// A solver of single problems that works the other way round confirms moves, steps, solutions and
// significant pieces of each card, and a checker that shares nothing with either replays the solution.
//
// The deck depends on the board, the seed and the count only. If there are too few such problems, the
// error is a *FewError; if memory does not suffice, it is a *statespace.MemoryError. When ctx ends, Make
// stops soon and returns the cause.
func Make(ctx context.Context, b *board.Board, name string, o Options) ([]*Card, error) {
	if err := dealing.CheckCount(o.Count); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	all, err := groups(ctx, b, name, o.Memory)
	if err != nil {
		return nil, err
	}
	var pool []*candidate
	for _, g := range all {
		found, err := findCandidates(ctx, g, o, rng)
		if err != nil {
			return nil, err
		}
		pool = append(pool, found...)
	}
	rng.Shuffle(len(pool), func(i, k int) { pool[i], pool[k] = pool[k], pool[i] })
	chosen, err := choose(pool, o.Count)
	if err != nil {
		return nil, err
	}
	var cards []*Card
	for i, c := range chosen {
		card, err := newCard(ctx, b, c, rng.IntN(len(b.Turns())+1), o)
		if err != nil {
			return nil, err
		}
		card.Number, card.Level = i+1, dealing.Levels()[dealing.Level(i, o.Count)]
		cards = append(cards, card)
	}
	return cards, nil
}

// choose picks cards from a pool in random order. Among the many that are near enough, it takes one of a
// kind that the deck has seldom.
func choose(pool []*candidate, n int) ([]*candidate, error) {
	used := make(map[key]bool)
	pieces, kinds := make(map[kind]int), make(map[kind]int)
	of := func(c *candidate) kind { return kind{letters: c.letters, numbers: c.numbers} }
	chooser := dealing.Chooser[*candidate]{
		Unit:       "problem",
		Difficulty: func(c *candidate) int { return c.card.Difficulty },
		Fits: func(c *candidate, level int) bool {
			return c.letters <= lettersAt[level] && (c.decoys == 0 || level == expert) &&
				!slices.ContainsFunc(c.card.best, func(k key) bool { return used[k] })
		},
		Rank: func(c *candidate, _, off int) [3]int { return [3]int{off, pieces[of(c)], kinds[c.kind]} },
		Take: func(c *candidate, _ int) {
			for _, k := range c.card.best {
				used[k] = true
			}
			pieces[of(c)]++
			kinds[c.kind]++
		},
	}
	return chooser.Choose(pool, n)
}

// newCard makes the card of a problem, turns it around and proves it.
func newCard(ctx context.Context, b *board.Board, c *candidate, turn int, o Options) (*Card, error) {
	start := c.start
	if turn > 0 {
		start = start.Turned(b.Turns()[turn-1])
	}
	d, err := b.NewDrawing(start)
	if err != nil {
		return nil, err
	}
	card := c.card
	card.Start = d
	return &card, card.prove(ctx, o)
}

// prove solves the problem alone, compares, and replays the solution.
func (c *Card) prove(ctx context.Context, o Options) error {
	text := c.Board.Format(c.Start)
	r, err := solver.Solve(ctx, c.Board, c.Start.Position(), o.Memory, o.Threads)
	if err != nil {
		return err
	}
	c.Decoys = c.Start.Position().Numbers &^ r.Ever
	found := [...]int{r.Moves, r.Steps, int(r.Solutions.Int64()), bits.OnesCount64(r.Always), bits.OnesCount64(c.Decoys)}
	if want := [...]int{c.Moves, c.Steps, int(c.Solutions), c.Numbers - c.Measure.Decoys, c.Measure.Decoys}; !r.Solved || found != want {
		return fmt.Errorf("%s: the solver finds moves, steps, solutions, significant and insignificant pieces %v, and its group has %v: report this", text, found, want)
	}
	for s := range r.All() {
		d, plays := c.Start, []string(nil)
		for _, m := range s.Moves {
			var play board.Play
			d, play = c.Board.Make(d, m)
			c.Solution, plays = append(c.Solution, play), append(plays, play.String())
		}
		if _, err := replay.Solution(c.Board, c.Start, strings.Join(plays, " ")); err != nil {
			return fmt.Errorf("%s: the solution that was found is wrong: %w", text, err)
		}
		break
	}
	return nil
}
