package slide

import (
	"context"
	"errors"
	"math/big"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/puzzle/slide"
	"pagoda/puzzle/slide/draw"
	"pagoda/puzzle/slide/tray"
	"pagoda/studies/rushhour/deck"
)

// rushHour is the name of Rush Hour in commands.
const rushHour = "rush-hour"

// rushHourDealing is what the family contributes to deck for Rush Hour.
func rushHourDealing() *cli.Dealing {
	return &cli.Dealing{
		Name:  rushHour,
		About: "puzzles of Rush Hour",
		Long: `Car A must reach the right edge. Each puzzle takes 4 moves or more, and can be set up with the
game that is sold: 12 cars, A among them, and 4 trucks. No vehicle can be left out without
making a puzzle easier, and no position that can be reached from it takes more moves. The
cards are about equally far apart in difficulty, which docs/studies/rush-hour.md defines.`,
		Example: `  reach deck rush-hour
  reach deck rush-hour --seed 7 --count 12 -o deck.svg
  reach deck rush-hour --count 4 --json`,
		Flags: func(*cobra.Command) cli.Dealer { return deal },
	}
}

// deal makes a deck of Rush Hour.
func deal(ctx context.Context, o cli.Deal) (*cli.Deck, error) {
	cards, err := deck.Make(ctx, o)
	if _, few := errors.AsType[*deck.FewError](err); few {
		return nil, console.Usagef("%s: %w: try another --seed", rushHour, err)
	}
	if err != nil {
		return nil, err
	}
	made := &cli.Deck{Name: rushHour, Unit: "puzzle"}
	shapes := make(draw.Palette)
	for _, c := range cards {
		card, err := newCard(c.Puzzle, c.Solution, shapes, newDeckRecord(c))
		if err != nil {
			return nil, err
		}
		made.Cards = append(made.Cards, card)
	}
	return made, nil
}

// newCard makes a card of a puzzle that is solved.
func newCard(p *tray.Puzzle, solved *slide.Result, shapes draw.Palette, r deckRecord) (cli.Card, error) {
	colours := shapes.Of(p)
	film, err := draw.NewFilm(p, nil, solved.Moves, colours)
	return cli.Card{
		Level:      r.Level,
		Drawing:    draw.Tray{Puzzle: p, Position: p.Start(), Colours: colours},
		About:      cli.Count(uint64(r.Moves), "move"),
		Film:       film,
		Difficulty: r.Difficulty,
		Solutions:  r.Solutions.String(),
		Solution:   r.Solution,
		Record:     r,
	}, err
}

// A deckRecord is a card.
type deckRecord struct {
	Number     int      `json:"number"`
	Level      string   `json:"level"`
	Puzzle     string   `json:"puzzle"` // 36 characters
	Vehicles   int      `json:"vehicles,omitempty"`
	Moves      int      `json:"moves"`
	Solutions  *big.Int `json:"solutions"`
	States     int      `json:"states"`
	Difficulty float64  `json:"difficulty"`
	Solution   []string `json:"solution"`
}

func newDeckRecord(c *deck.Card) deckRecord {
	return deckRecord{Number: c.Number, Level: c.Level, Puzzle: c.Board.String(), Vehicles: len(c.Board.Vehicles), Moves: c.Moves,
		Solutions: c.Solution.Solutions, States: c.Positions, Difficulty: float64(c.Difficulty) / 10, Solution: dashed(c.Solution.Moves)}
}
