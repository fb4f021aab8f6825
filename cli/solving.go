package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"pagoda/puzzle"
	"pagoda/render"
	"pagoda/run"
)

// Solving is what a family contributes to the command solve, which solves single puzzles.
type Solving struct {
	// About says what is found, and what the flags of the family mean, for the help of the
	// command. Example has lines with commands.
	About, Example string
	// Entries lists puzzles that have names. It may be nil.
	Entries func() []puzzle.Entry
	// Flags adds the flags that only this family has, and returns what solves with them.
	Flags func(cmd *cobra.Command) Solver
}

// A Solver solves puzzles of a family as the flags of the command say. Errors that are due to the
// flags or to the puzzle are those of cli.UsageError or statespace.ErrMemory.
type Solver interface {
	// Check says what is wrong with the flags. It comes first. Drawn says that the solution will be drawn.
	Check(drawn bool) error
	// Named returns what solves the puzzle of a name, which begins with the name of the family and
	// a slash. The error is statespace.ErrUnknown if there is none of this name.
	Named(ctx context.Context, name string) (Solve, error)
	// Text returns what solves the puzzle that a text draws. A fault of the text is a
	// *cells.SyntaxError.
	Text(ctx context.Context, text string) (Solve, error)
}

// A Solve solves a puzzle, which has a name for people, with the memory and the threads of the options.
type Solve func(ctx context.Context, name string, o run.Options) (Answer, error)

// An Answer is what was found of a puzzle.
type Answer interface {
	// Solved reports whether there is a solution.
	Solved() bool
	// Film is the solution as it is drawn, if there is one.
	Film() (render.Film, error)
	// WriteText writes the answer for people.
	WriteText(w io.Writer) error
	// JSON is the answer as one value.
	JSON() any
	// Lines are the answer as one object for each line of --batch. They come without positions
	// between the moves.
	Lines() []any
}
