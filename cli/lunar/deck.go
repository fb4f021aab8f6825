package lunar

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pagoda/cli"
	"pagoda/internal/console"
	space "pagoda/puzzle/lunar"
	"pagoda/puzzle/lunar/board"
	"pagoda/puzzle/lunar/draw"
	"pagoda/puzzle/lunar/problem"
	"pagoda/studies/lunardeck"
)

// dealing is what the family contributes to deck.
func dealing() *cli.Dealing {
	return &cli.Dealing{
		Name:  space.FamilyName,
		About: "problems of Lunar Lockout",
		Long: fmt.Sprintf(`They have 1 to 3 letters and 2 to 5 numbers, at most six pieces. The cards are about equally
far apart in difficulty, from the least that there is on the board to the greatest. No two
cards share a problem. docs/guides/lunar.md defines the difficulty.

A board is %s, or another size.`, strings.Join(board.Names(), ", ")),
		Example: `  reach deck lunar
  reach deck lunar -o deck.svg
  reach deck lunar --board cross --seed 7 --count 12 --json`,
		Flags: func(cmd *cobra.Command) cli.Dealer {
			name := cmd.Flags().String("board", "5x5", "the board")
			var metric string
			console.OneOf(cmd, &metric, "metric", board.MovesMetric, []string{board.MovesMetric, board.SlidesMetric}, "what counts as a move: moves of one piece with any turns, or slides")
			return func(ctx context.Context, o cli.Deal) (*cli.Deck, error) { return deal(ctx, *name, metric, o) }
		},
	}
}

// deal makes a deck on the board of a name.
func deal(ctx context.Context, on, metric string, o cli.Deal) (*cli.Deck, error) {
	p, err := problem.ParseLine(on)
	if err == nil && !p.Empty() {
		err = errors.New("expected a board without pieces")
	}
	if err != nil {
		return nil, console.Usagef("--board: %w", err)
	}
	b, name, err := space.InMetric(p.Board, space.FamilyName+"/"+on, metric, "")
	if err != nil {
		return nil, err
	}
	cards, err := lunardeck.Make(ctx, b, name, o)
	var few *lunardeck.FewError
	switch {
	case errors.As(err, &few) && few.Found > 0:
		return nil, console.Usagef("%s: %w: try a smaller --count, or another board", name, err)
	case few != nil:
		return nil, console.Usagef("%s: %w: try another board", name, err)
	case err != nil:
		return nil, err
	}
	made := &cli.Deck{Name: name, Unit: "problem"}
	for _, c := range cards {
		film, err := draw.NewFilm(c.Board, c.Start, c.Solution, draw.Looks{})
		if err != nil {
			return nil, err
		}
		r := newDeckRecord(name, c)
		made.Cards = append(made.Cards, cli.Card{
			Level:      c.Level,
			Drawing:    draw.Position{Board: c.Board, Pieces: c.Start},
			About:      lengthOf(metric, c.Moves, c.Steps),
			Film:       film,
			Difficulty: r.Difficulty,
			Solutions:  strconv.FormatUint(r.Solutions, 10),
			Solution:   r.Solution,
			Record:     r,
		})
	}
	return made, nil
}

// A deckRecord is a card.
type deckRecord struct {
	Number        int      `json:"number"`
	Level         string   `json:"level"`
	Puzzle        string   `json:"puzzle"`
	Metric        string   `json:"metric"` // of moves
	Letters       int      `json:"letters"`
	Numbers       int      `json:"numbers"`
	Moves         int      `json:"moves"`
	Steps         int      `json:"steps"`
	Solutions     uint64   `json:"solutions"`
	Insignificant []string `json:"insignificant"`
	Difficulty    float64  `json:"difficulty"`
	Search        float64  `json:"search"` // these are its parts
	Turns         int      `json:"turns"`
	Decoys        int      `json:"decoys"`
	FalseLeads    float64  `json:"false_leads"` // of a position of a best solution, on average
	DeadEnds      float64  `json:"dead_ends"`
	Solution      []string `json:"solution"`
}

func newDeckRecord(name string, c *lunardeck.Card) deckRecord {
	tenths := func(x float64) float64 { return math.Round(10*x) / 10 }
	base, _, _ := strings.Cut(name, "@")
	r := deckRecord{Number: c.Number, Level: c.Level, Puzzle: base + ":" + c.Board.Format(c.Start) + name[len(base):], Metric: c.Board.Metric(), Letters: c.Letters, Numbers: c.Numbers,
		Moves: c.Moves, Steps: c.Steps, Solutions: c.Solutions, Insignificant: pieceNames(c.Start, c.Decoys), Difficulty: float64(c.Difficulty) / 10,
		Search: tenths(c.Measure.Search), Turns: c.Measure.Turns, Decoys: c.Measure.Decoys, FalseLeads: tenths(c.Measure.FalseLeads), DeadEnds: tenths(c.Measure.DeadEnds)}
	for _, play := range c.Solution {
		r.Solution = append(r.Solution, play.String())
	}
	return r
}
