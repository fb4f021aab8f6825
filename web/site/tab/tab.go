// Package tab says what a tab of a browser can compute, and describes puzzles before anything is computed.
package tab

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"

	"github.com/dustin/go-humanize"

	"pagoda/ask"
	"pagoda/puzzle"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

const (
	// Memory bounds what a run and hints may take, in bytes: a tab has 4 GiB at most.
	Memory = 3 << 29
	// MaxListed bounds the states of a run that lists them. They take up to half a minute.
	MaxListed = 12 << 20

	maxKnown    = 1 << 32 // states that are known beforehand; sets have a bit for each number
	maxAnywhere = 1 << 46 // states that a large machine lists
	maxSize     = 1 << 33 // numbers of a space with layers: hints keep sets of all of them
	maxAll      = 1 << 30 // bytes of a run and its file
)

// Many is the reason for puzzles whose positions were not counted.
const Many = "it has too many positions for a browser"

// A RefusedError says why no tab can hold a space, in sentences for the people at a page.
type RefusedError struct {
	Reason string // begins with a small letter and has no point at its end, for a sentence that goes on
}

func (e *RefusedError) Error() string { return "No tab can compute this puzzle: " + e.Reason + "." }

// states returns how many states a space has, if that is known.
func states(f *puzzle.Family, sp statespace.Space) *big.Int {
	if count := sp.Parts().States; count != nil {
		if n := count(); n != nil {
			return n
		}
	}
	for _, e := range f.List() {
		if e.Name == sp.Name() && e.Facts != nil { // by moves, if the family counts them in several ways
			return e.Facts().Numbers["states"]
		}
	}
	return nil
}

// Check returns a *RefusedError if no tab can hold a space of a family. It enumerates nothing.
func Check(ctx context.Context, f *puzzle.Family, sp statespace.Space) error {
	known := states(f, sp)
	switch {
	case known != nil && known.Cmp(big.NewInt(maxAnywhere)) > 0:
		return &RefusedError{"it has " + humanize.BigComma(known) + " positions, too many for any computer"}
	case known != nil && known.Cmp(big.NewInt(maxKnown)) > 0:
		return &RefusedError{"it has " + humanize.BigComma(known) + " positions, too many for a browser"}
	case f.Layers != "" && sp.Size() > maxSize:
		return &RefusedError{Many}
	}
	p, err := run.Predict(ctx, sp, run.Options{Memory: Memory, Threads: 1})
	switch {
	case errors.Is(err, statespace.ErrMemory):
		return &RefusedError{Many}
	case err != nil:
		return err
	case p.Estimate > maxAnywhere:
		return &RefusedError{"it has more positions than any computer can hold"}
	case !p.Fits && !p.Sparsely || p.Memory+p.FileBytes > maxAll && !p.Sparsely:
		return &RefusedError{Many}
	}
	return nil
}

// Ended returns a *RefusedError if a run has ended as no tab can hold the space, and else the error.
func Ended(err error) error {
	switch {
	case errors.Is(err, sparse.ErrStates):
		return &RefusedError{"it has more than " + humanize.Comma(MaxListed) + " positions, too many for a browser"}
	case errors.Is(err, statespace.ErrMemory):
		return &RefusedError{Many}
	}
	return err
}

// An Early is what the page knows of a puzzle before it is enumerated: the beginning of the answer of api/space.
type Early struct {
	Space string          `json:"space"`
	Title string          `json:"title,omitempty"`
	Start string          `json:"start"`
	Board json.RawMessage `json:"board"`
	Page  *puzzle.Page    `json:"page"` // that plays it; nil if none does
	// Refused says why no tab can compute the puzzle, if none can: then the board has no hints, and can be played by hand.
	Refused string `json:"refused,omitempty"`
	// Proves says that hints come from the engine all the same, which enumerates nothing: see puzzle.Prover.
	Proves bool `json:"proves,omitempty"`
}

// Look describes a space of a family. The board is nil if the page cannot show it before it is enumerated: in families
// whose puzzles are measured one by one it can, and by hand. Elsewhere a file knows what there is to play for.
func Look(ctx context.Context, f *puzzle.Family, sp statespace.Space) (*Early, error) {
	e := &Early{Space: sp.Name(), Start: ask.StartOf(sp)}
	no := new(RefusedError)
	if err := Check(ctx, f, sp); errors.As(err, &no) {
		e.Refused = no.Error()
	} else if err != nil {
		return nil, err
	}
	if f.Page == nil {
		return e, nil
	}
	p, err := f.Page.Play(sp, nil, run.Options{Memory: Memory, Threads: 1})
	if err != nil || p == nil {
		return e, err
	}
	defer p.Close()
	e.Page = f.Page
	if _, measured := p.(puzzle.Measurer); !measured && e.Refused == "" {
		return e, nil
	}
	if prover, ok := p.(puzzle.Prover); ok && e.Refused != "" && prover.Proves() {
		e.Proves, no.Reason = true, ""
	}
	e.Board, err = Board(p.Board(), no.Reason)
	return e, err
}

// Board writes a board as JSON, with why there are no hints if that is not empty.
func Board(board any, noHints string) (json.RawMessage, error) {
	data, err := json.Marshal(board)
	if err != nil || noHints == "" {
		return data, err
	}
	reason, err := json.Marshal(noHints)
	if err != nil {
		return nil, err
	}
	fields := make(map[string]json.RawMessage)
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	fields["no_hints"] = reason
	return json.Marshal(fields)
}
