package slide

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/dealing"
	"pagoda/internal/progress"
	"pagoda/puzzle"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/draw"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/tray"
)

// What the library gives to a deck: puzzles that are solved soon, by people and by the engine.
const mostDeckMoves, mostDeckStates = 60, 200_000

// trayDealing is what the family contributes to deck besides Rush Hour.
func trayDealing() *cli.Dealing {
	return &cli.Dealing{
		Name:  "trays",
		About: "sliding blocks",
		Long: fmt.Sprintf(`The puzzles are drawn by --seed from a list, or else from the library, with 4 to %d moves. The
difficulty is the number of moves. --puzzles names the list: a puzzle on each line, as a name
of the library, a board in one line, or a file that draws a tray, such as reach find --save
writes. A list may be shorter than --count.`, mostDeckMoves),
		Example: `  reach deck trays --count 12 -o trays.pdf
  ls found/*.txt | reach deck trays --puzzles - -o found.pdf`,
		Flags: func(cmd *cobra.Command) cli.Dealer {
			list := cmd.Flags().String("puzzles", "", "a list of puzzles, one on each line of this `FILE`, or - for stdin")
			console.NotEmpty(cmd, "puzzles")
			return func(ctx context.Context, o cli.Deal) (*cli.Deck, error) { return dealTrays(cmd, *list, o) }
		},
	}
}

// A listedTray is a puzzle that may come into a deck.
type listedTray struct {
	name   string
	puzzle *tray.Puzzle
	moves  int // the fewest
	solved *slide.Result
}

// dealTrays makes a deck of the puzzles of a list, or of the library.
func dealTrays(cmd *cobra.Command, list string, o cli.Deal) (*cli.Deck, error) {
	made, pool, err := &cli.Deck{Name: "trays", Unit: "puzzle"}, libraryTrays(), error(nil)
	if list != "" {
		if pool, err = readTrays(cmd, list, o); err != nil {
			return nil, console.UsageError(err)
		}
		o.Count = min(o.Count, len(pool))
	}
	if len(pool) < o.Count || o.Count == 0 {
		return nil, console.UsageError(&dealing.FewError{Unit: made.Unit, Found: len(pool), Count: o.Count})
	}
	rand.New(rand.NewPCG(o.Seed, 0)).Shuffle(len(pool), func(i, k int) { pool[i], pool[k] = pool[k], pool[i] })
	chosen := pool[:o.Count]
	slices.SortStableFunc(chosen, func(a, b *listedTray) int { return a.moves - b.moves })
	for i, t := range chosen {
		if err := t.solve(cmd, o); err != nil {
			return nil, err
		}
		level := dealing.Levels()[dealing.Level(i, o.Count)]
		card, err := newCard(t.puzzle, t.solved, make(draw.Palette), deckRecord{Number: i + 1, Level: level, Puzzle: t.name, Moves: t.moves, Solutions: t.solved.Solutions,
			States: int(t.solved.States), Difficulty: float64(t.moves), Solution: dashed(t.solved.Moves)})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		card.About = strings.TrimPrefix(t.name, library.Prefix) + ", " + card.About
		made.Cards = append(made.Cards, card)
	}
	return made, nil
}

// libraryTrays returns puzzles of the library by what is known about them.
func libraryTrays() (all []*listedTray) {
	computed := library.Computed()
	for _, name := range library.Known() {
		if of := computed[name]; of == nil {
			continue
		} else if c := of[tray.Moves]; c.Length >= 4 && c.Length <= mostDeckMoves && c.States <= mostDeckStates {
			all = append(all, &listedTray{name: name, moves: c.Length})
		}
	}
	return all
}

// readTrays reads a list of puzzles and solves them.
func readTrays(cmd *cobra.Command, list string, o cli.Deal) (all []*listedTray, err error) {
	_, text, err := puzzle.ReadText(cmd.Context(), list, cmd.InOrStdin())
	if err != nil {
		return nil, err
	}
	defer progress.Start(cmd.Context(), "solving the list", 0, "", nil)()
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		t := &listedTray{name: strings.TrimSpace(lines.Text())}
		if t.name == "" {
			continue
		}
		if err := t.solve(cmd, o); err != nil {
			return nil, err
		}
		if all = append(all, t); len(all) > dealing.MaxCount {
			return nil, fmt.Errorf("%s has more than %d puzzles", list, dealing.MaxCount)
		}
	}
	return all, nil
}

// solve solves the puzzle, once, and replays the solution.
func (t *listedTray) solve(cmd *cobra.Command, o cli.Deal) (err error) {
	if t.solved != nil {
		return nil
	}
	if t.puzzle, _, err = openWithGoal(cmd, puzzle.NewSet(slide.Family()), t.name); err != nil {
		return err
	}
	if t.solved, err = slide.Solve(cmd.Context(), t.puzzle, tray.Moves, slide.Options{Memory: o.Memory, Threads: o.Threads}); err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	if !t.solved.Solved {
		return console.Usagef("%s has no solution: a card needs one", t.name)
	}
	t.moves = t.solved.Length
	if _, err := replay.Solution(t.puzzle, tray.Moves, t.solved.Moves); err != nil {
		return fmt.Errorf("%s: the solution that was found is wrong: %w", t.name, err)
	}
	return nil
}
