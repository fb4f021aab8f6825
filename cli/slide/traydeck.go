package slide

import (
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

// dealTrays makes a deck of the puzzles of a list, or of the library.
func dealTrays(cmd *cobra.Command, list string, o cli.Deal) (*cli.Deck, error) {
	names, err := libraryTrays(), error(nil)
	if list != "" {
		if names, err = readTrays(cmd, list); err != nil {
			return nil, console.UsageError(err)
		}
		o.Count = min(o.Count, len(names))
	}
	made := &cli.Deck{Name: "trays", Unit: "puzzle"}
	if len(names) < o.Count || o.Count == 0 {
		return nil, console.UsageError(&dealing.FewError{Unit: made.Unit, Found: len(names), Count: o.Count})
	}
	rand.New(rand.NewPCG(o.Seed, 0)).Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	if list == "" {
		names = names[:o.Count]
	}
	trays, err := solveTrays(cmd, names, o) // all of a list, so that each wrong line is known
	if err != nil {
		return nil, err
	}
	chosen := trays[:o.Count]
	slices.SortStableFunc(chosen, func(a, b found) int { return a.solved.Length - b.solved.Length })
	for i, t := range chosen {
		level := dealing.Levels()[dealing.Level(i, o.Count)]
		card, err := newCard(t.puzzle, t.solved, make(draw.Palette), deckRecord{Number: i + 1, Level: level, Puzzle: t.text, Moves: t.solved.Length, Solutions: t.solved.Solutions,
			States: int(t.solved.States), Difficulty: float64(t.solved.Length), Solution: dashed(t.solved.Moves)})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.text, err)
		}
		card.About = strings.TrimPrefix(t.text, library.Prefix) + ", " + card.About
		made.Cards = append(made.Cards, card)
	}
	return made, nil
}

// libraryTrays returns puzzles of the library by what is known about them.
func libraryTrays() (names []string) {
	computed := library.Computed()
	return slices.DeleteFunc(library.Known(), func(name string) bool {
		of := computed[name]
		return of == nil || of[tray.Moves].Length < 4 || of[tray.Moves].Length > mostDeckMoves || of[tray.Moves].States > mostDeckStates
	})
}

// readTrays reads the names of a list of puzzles.
func readTrays(cmd *cobra.Command, list string) (names []string, err error) {
	_, text, err := puzzle.ReadText(cmd.Context(), list, cmd.InOrStdin())
	for line := range strings.Lines(text) {
		if name := strings.TrimSpace(line); name != "" {
			names = append(names, name)
		}
	}
	if len(names) > dealing.MaxCount {
		return nil, fmt.Errorf("%s has more than %d puzzles", list, dealing.MaxCount)
	}
	return names, err
}

// solveTrays solves puzzles and replays the solutions.
func solveTrays(cmd *cobra.Command, names []string, o cli.Deal) (all []found, err error) {
	defer progress.Start(cmd.Context(), "solving the puzzles", 0, "", nil)()
	for _, name := range names {
		p, _, err := openWithGoal(cmd, puzzle.NewSet(slide.Family()), name)
		if err != nil {
			return nil, err
		}
		solved, err := slide.Solve(cmd.Context(), p, tray.Moves, slide.Options{Memory: o.Memory, Threads: o.Threads})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !solved.Solved {
			return nil, console.Usagef("%s has no solution: a card needs one", name)
		}
		if _, err := replay.Solution(p, tray.Moves, solved.Moves); err != nil {
			return nil, fmt.Errorf("%s: the solution that was found is wrong: %w", name, err)
		}
		all = append(all, found{puzzle: p, text: name, solved: solved})
	}
	return all, nil
}
