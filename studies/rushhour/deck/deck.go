package deck

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"pagoda/internal/dealing"
	"pagoda/internal/mapped"
	"pagoda/internal/progress"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/tray"
	"pagoda/studies/rushhour"
)

// A FewError says that there are too few puzzles for a deck.
type FewError = dealing.FewError

// Options say which deck to make.
type Options = dealing.Options

// A Card is a puzzle of a deck.
type Card struct {
	Number     int    // from 1
	Level      string // beginner, intermediate, advanced or expert
	Board      rushhour.Board
	Puzzle     *tray.Puzzle
	Moves      int // the fewest
	Positions  int // that can be reached
	Difficulty int // in tenths
	// Solution is the shortest solutions, and one of them.
	Solution *slide.Result
}

// An effort is how long puzzles are looked for: the number of climbs, and that of changes in each.
type effort struct{ climbs, changes int }

// Make makes a deck of puzzles, from easy to hard. See the package for what a card is. The deck depends
// on the seed and the count only. If there are too few puzzles, the error is a *FewError. When ctx ends,
// Make stops soon and returns the cause.
func Make(ctx context.Context, o Options) ([]*Card, error) {
	if err := dealing.CheckCount(o.Count); err != nil {
		return nil, err
	}
	return makeDeck(ctx, o, effort{climbs: 8 + 2*o.Count/5, changes: 300})
}

func makeDeck(ctx context.Context, o Options, e effort) ([]*Card, error) {
	pool, err := findCandidates(ctx, o, e)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	rng.Shuffle(len(pool), func(i, k int) { pool[i], pool[k] = pool[k], pool[i] })
	chosen, err := choose(pool, o.Count)
	if err != nil {
		return nil, err
	}
	defer progress.Start(ctx, "proving the cards", 0, "", nil)()
	cards := make([]*Card, o.Count)
	for i, c := range chosen {
		cards[i] = &Card{Number: i + 1, Level: dealing.Levels()[dealing.Level(i, o.Count)], Board: c.board, Moves: c.moves, Positions: c.positions, Difficulty: c.difficulty}
		if err := cards[i].prove(ctx, o); err != nil {
			return nil, err
		}
	}
	return cards, nil
}

// choose picks cards from a pool in random order. The puzzles of a climb are alike, so a level has as few of a
// climb as possible. Among those that are near enough, it takes one with a number of moves that the deck
// has seldom. A single card is the hardest.
func choose(pool []*candidate, n int) ([]*candidate, error) {
	type place struct {
		climb uint64
		level int
	}
	used, ofClimb, withMoves := make(map[string]bool), make(map[place]int), make(map[int]int)
	chooser := dealing.Chooser[*candidate]{
		Unit:       "puzzle",
		Difficulty: func(c *candidate) int { return c.difficulty },
		Fits:       func(c *candidate, _ int) bool { return !used[c.component] },
		Rank: func(c *candidate, level, off int) [3]int {
			if n == 1 {
				off = -c.difficulty
			}
			return [3]int{ofClimb[place{c.climb, level}], off, withMoves[c.moves]}
		},
		Take: func(c *candidate, level int) {
			used[c.component] = true
			ofClimb[place{c.climb, level}]++
			withMoves[c.moves]++
		},
	}
	return chooser.Choose(pool, n)
}

// prove solves the puzzle by the engine for all sliding-block puzzles, compares, and replays the solution.
func (c *Card) prove(ctx context.Context, o Options) (err error) {
	if c.Puzzle, err = c.Board.Puzzle(); err != nil {
		return err
	}
	h, err := slide.FindHardest(ctx, c.Puzzle, tray.Moves, slide.Options{Memory: o.Memory, Threads: o.Threads})
	if err != nil {
		return err
	}
	if c.Solution, err = slide.Solve(ctx, c.Puzzle, tray.Moves, slide.Options{Memory: o.Memory, Threads: o.Threads}); err != nil {
		return err
	}
	found := [...]int{c.Solution.Length, h.Length, int(h.States)}
	if want := [...]int{c.Moves, c.Moves, c.Positions}; !c.Solution.Solved || found != want {
		return fmt.Errorf("%v: the engine finds moves, moves of the hardest position and positions %v, and the search for cards has %v: report this", c.Board, found, want)
	}
	if _, err := replay.Solution(c.Puzzle, tray.Moves, c.Solution.Moves); err != nil {
		return fmt.Errorf("%v: the solution that was found is wrong: %w", c.Board, err)
	}
	return nil
}

// findCandidates makes all climbs, by several threads, and returns what they have found.
func findCandidates(ctx context.Context, o Options, e effort) ([]*candidate, error) {
	var done atomic.Int64
	defer progress.Start(ctx, "looking for puzzles", uint64(e.climbs), "climbs", func() (int64, int64) { return done.Load(), int64(e.climbs) })()
	found := make([][]*candidate, e.climbs)
	if err := mapped.Each(ctx, o.Threads, uint64(e.climbs), func(i uint64) error {
		found[i] = newClimber(o.Seed, i).climb(ctx, e.changes)
		done.Add(1)
		return nil
	}); err != nil {
		return nil, err
	}
	if ctx.Err() != nil { // the last climbs may have ended early
		return nil, context.Cause(ctx)
	}
	seen := make(map[string]bool)
	all := slices.DeleteFunc(slices.Concat(found...), func(c *candidate) bool {
		again := seen[c.board.String()]
		seen[c.board.String()] = true
		return again
	})
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(a.difficulty, b.difficulty) })
	return all, nil
}
