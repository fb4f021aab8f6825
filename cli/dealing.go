package cli

import (
	"context"

	"github.com/spf13/cobra"

	"pagoda/internal/dealing"
	"pagoda/render"
)

// Dealing is what a family contributes to the command deck, which makes decks of puzzles from easy to
// hard.
type Dealing struct {
	// Name is the argument of the command that stands for these decks, in one word. About says what
	// they are decks of: "problems of Lunar Lockout".
	Name, About string
	// Long says how the cards are chosen and what the flags of the family mean, for the help of the
	// command. Example has lines with commands.
	Long, Example string
	// Flags adds the flags that only this family has, and returns what makes decks with them.
	Flags func(cmd *cobra.Command) Dealer
}

// A Dealer makes a deck. It depends on the flags of the command, the seed and the count, and on nothing else.
// Errors that are due to the flags are those of console.UsageError or statespace.ErrMemory.
type Dealer func(ctx context.Context, o Deal) (*Deck, error)

// A Deal says which deck to make, and what that may take.
type Deal = dealing.Options

// A Deck is cards with puzzles, from easy to hard.
type Deck struct {
	// Name says what the deck is made from, such as lunar/5x5. Unit is what a card has, in one
	// word: "problem".
	Name, Unit string
	Cards      []Card
}

// A Card is a card of a deck.
type Card struct {
	// Level is how hard the card is, in one word. Cards of one level follow each other.
	Level string
	// Drawing is the puzzle, and About what is written under it besides number and level.
	Drawing render.Drawing
	About   string
	// Film plays the solution.
	Film render.Film
	// Difficulty, Solutions and Solution are the line of the card in the table of solutions: how hard it is, how many
	// best solutions it has, and one of them.
	Difficulty float64
	Solutions  string
	Solution   []string
	// Record is the card in the output of --json.
	Record any
}
