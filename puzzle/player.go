package puzzle

import (
	"context"
	"time"

	"pagoda/ask"
	"pagoda/render"
	"pagoda/run"
	"pagoda/statespace"
)

// A Page is how the page shows the puzzles of a family. The scripts of the page know no family: the answer of api/space has
// the Page as JSON, and they load what it names.
type Page struct {
	// View is the section of the page in which people play. The script web/static/view/VIEW.js fills it, and VIEW.html there
	// has it as HTML, with the other sections of the family.
	View string `json:"view"`
	// Title stands above a puzzle that has none of its own.
	Title string `json:"title"`
	// Unit is what people call a move; empty is move.
	Unit string `json:"unit,omitempty"`
	// Texts says which texts people can paste to play them.
	Texts string `json:"-"`
	// Edit is the section in which people change a puzzle, Draw that in which they draw patterns. They may be empty.
	Edit string `json:"edit,omitempty"`
	Draw string `json:"draw,omitempty"`
	// Play returns what the page needs to let people play a puzzle: that of a file, or of a space without a file.
	// Without a file it is quick, the Board says what is known before anything is enumerated, and Hint is a
	// *NoHintsError. It returns nil for a puzzle that the page cannot show, or not without a file.
	Play func(sp statespace.Space, f *ask.File, o run.Options) (Player, error) `json:"-"`
}

// A Player is what the page needs to let people play a puzzle. The page reads the JSON of its
// answers; docs/reference/api.md describes it. Errors that are due to the texts are ask.ErrQuestion.
type Player interface {
	// Board describes the puzzle, to draw it and to know its moves.
	Board() any
	// Hint says which moves can be made in a state, and after which of them a target can
	// still be reached. When ctx ends, it gives up and returns the cause. It is a
	// *NoHintsError where there are no hints.
	Hint(ctx context.Context, pattern, target string) (any, error)
	// Close gives back what the hints keep.
	Close()
}

// ServerMemory is the memory that serving takes besides hints. It counts within the memory of the options.
const ServerMemory = 32 << 20

// A NoHintsError says why a Player has no hints, as the end of a sentence.
type NoHintsError struct{ Reason string }

// ErrNoFile is the error of a Player without a file that is asked for what only a file knows.
var ErrNoFile error = &NoHintsError{"nothing has been computed yet"}

func (e *NoHintsError) Error() string { return "there are no hints here: " + e.Reason }

// A Prover is a Player that may give hints without a file, by a search that lists no states.
type Prover interface {
	Player
	// Proves reports whether it does.
	Proves() bool
}

// A Speller is a Player whose states are letters, among others.
type Speller interface {
	Player
	// Spell returns a text in letters, in rows of at most the given number of columns.
	Spell(ctx context.Context, text string, columns int) (*Word, error)
}

// A Prompter is a Speller that can spell without a file, once it has the solutions of the letters.
type Prompter interface {
	Speller
	// Prompt takes the letters, as Spell returns them, in a JSON object whose keys are their names.
	Prompt(letters []byte) error
}

// A Word is a text in letters that are played.
type Word struct {
	Letters any           // for JSON
	Films   []render.Film // row by row; rows are filled up with nothing
	Columns int           // letters in a row
}

// A Measurer is a Player that measures puzzles of its family, which people draw.
type Measurer interface {
	Player
	// Measure reads the text of a puzzle, and says how long its shortest solutions are: in the way of counting
	// moves that is named, or in all ways if none is. It takes about as long as most says, or a second if that is 0.
	// What cannot be found in that time is part of the answer. When ctx ends, it gives up and returns the cause.
	Measure(ctx context.Context, text, metric string, most time.Duration) (any, error)
}
