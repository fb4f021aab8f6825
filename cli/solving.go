package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/internal/exactjson"
	"pagoda/puzzle"
	"pagoda/render"
	"pagoda/run"
)

// Solving is what a family contributes to the command solve besides its spaces.
type Solving struct {
	// About says what is found, for the help of the command. Example has lines with commands.
	About, Example string
	// Problem returns what solves a problem of the family that is no space, by a solver of its own: the problem of
	// a name, which begins with the name of the family and a slash, or that a text draws if the name is empty. The
	// error is statespace.ErrUnknown if there is none of this name. It may be nil.
	Problem func(name, text string) (Solve, error)
}

// A Solve solves a puzzle, which has a name for people.
type Solve func(ctx context.Context, name string, o SolveOptions) (*Answer, error)

// SolveOptions say how a puzzle is solved.
type SolveOptions struct {
	run.Options
	// All lists shortest solutions, at most List of them; 0 lists all.
	All  bool
	List int
	Draw bool // the solution will be drawn
	// Choice is what was chosen of a problem that is no space.
	Choice puzzle.Choice
}

// An Answer is what was found of a puzzle.
type Answer struct {
	Puzzle     string   `json:"puzzle"`
	Metric     string   `json:"metric"` // what counts as a move: "steps"
	Solved     bool     `json:"solved"`
	Length     *int     `json:"length"`    // null if it cannot be solved
	Solutions  *big.Int `json:"solutions"` // null if they were not counted
	States     uint64   `json:"states"`
	Whole      bool     `json:"whole"`                // the states are all that can be reached
	Nodes      uint64   `json:"nodes,omitempty"`      // of a search with bounds, which counts no states
	AtLeast    *int     `json:"at_least,omitempty"`   // what was proved of the length, if it is not that
	Checkpoint string   `json:"checkpoint,omitempty"` // from which the search goes on
	Reason     string   `json:"reason,omitempty"`     // why it cannot be solved, if that is known
	Published  int      `json:"published,omitempty"`  // the length that the text of the puzzle says
	// PublishedStates are the states that the text of the puzzle says, if another number was found.
	PublishedStates uint64 `json:"published_states,omitempty"`

	Seconds float64 `json:"seconds"`
	Start   string  `json:"start"`
	Moves   []Move  `json:"moves"`
	All     []any   `json:"all,omitempty"` // solutions, if they were asked for: a Listed or more for each
	// Own is what only one family has to say, or nil.
	Own Own `json:"-"`
	// Film is the solution as it is drawn, if that was asked for.
	Film render.Film `json:"-"`
}

// Own is what only one family has to say of a solution: more fields of the object, and its own text.
type Own interface {
	// Title returns what people call a puzzle of this name.
	Title(puzzle string) string
	// WriteText writes the answer, which is a solution, for people.
	WriteText(w io.Writer, a *Answer)
}

// A Move is one of a solution.
type Move struct {
	fmt.Stringer
	Position string // after it; may be empty
}

// A Listed is one of several solutions.
type Listed struct {
	Moves []string `json:"moves"`
}

// MarshalJSON adds the position to the fields of the move, or to its text.
func (m Move) MarshalJSON() ([]byte, error) {
	var move any = m.Stringer
	text, err := exactjson.Marshal(move)
	if err == nil && text[0] != '{' {
		move = map[string]json.RawMessage{"move": text}
	}
	return exactjson.Object{move, struct {
		Position string `json:"position,omitempty"`
	}{m.Position}}.MarshalJSON()
}

// MarshalJSON adds the fields of one family to the others.
func (a *Answer) MarshalJSON() ([]byte, error) {
	type general Answer
	object := exactjson.Object{(*general)(a)}
	if a.Own != nil {
		object = append(object, a.Own)
	}
	return object.MarshalJSON()
}

// WriteText writes the answer for people.
func (a *Answer) WriteText(w io.Writer) {
	switch {
	case a.AtLeast != nil && !a.Solved:
		fmt.Fprintf(w, "%s: the search has ended without a solution, which takes at least %s\n", a.Puzzle, amount.Of(*a.AtLeast, strings.TrimSuffix(a.Metric, "s")))
	case !a.Solved:
		name := a.Puzzle
		if a.Own != nil {
			name = a.Own.Title(name)
		}
		WriteUnsolvable(w, name, a.Reason, a.States)
	case a.Own != nil:
		a.Own.WriteText(w, a)
	default:
		fmt.Fprintf(w, "%s: ", a.Puzzle)
		if a.AtLeast != nil {
			fmt.Fprintf(w, "between %d and ", *a.AtLeast)
		}
		fmt.Fprint(w, amount.Of(*a.Length, strings.TrimSuffix(a.Metric, "s")))
		if a.Solutions != nil {
			fmt.Fprintf(w, ", %s", amount.Of(a.Solutions, "solution"))
		}
		switch {
		case a.Nodes > 0 || a.States == 0: // of a search with bounds
			fmt.Fprintf(w, ", %s", Count(a.Nodes, "node"))
		default:
			fmt.Fprintf(w, ", %s", Count(a.States, "position"))
			if !a.Whole {
				io.WriteString(w, " up to the goal")
			}
		}
		fmt.Fprintln(w)
		if a.All == nil {
			a.WriteMoves(w)
		}
		for _, one := range a.All {
			fmt.Fprintln(w, strings.Join(one.(Listed).Moves, ", "))
		}
		a.WriteMore(w)
	}
	a.writePublished(w)
	if a.Checkpoint != "" {
		fmt.Fprintf(w, "%s has what is done: the same command goes on from there\n", a.Checkpoint)
	}
}

// WriteMoves writes a line for each move.
func (a *Answer) WriteMoves(w io.Writer) {
	width := len("start")
	for _, m := range a.Moves {
		width = max(width, len(m.String()))
	}
	fmt.Fprintf(w, "%4d  %-*s  %s\n", 0, width, "start", a.Start)
	for i, m := range a.Moves {
		fmt.Fprintf(w, "%4d  %-*s  %s\n", i+1, width, m.String(), m.Position)
	}
}

// WriteMore says that there are more solutions than are listed.
func (a *Answer) WriteMore(w io.Writer) {
	if a.All != nil && a.Solutions != nil && a.Solutions.Cmp(big.NewInt(int64(len(a.All)))) > 0 {
		fmt.Fprintln(w, "more solutions exist: --limit 0 lists all")
	}
}

// length is the length of the shortest solutions, for people.
func (a *Answer) length() string {
	if !a.Solved {
		return "none"
	}
	return strconv.Itoa(*a.Length)
}

// writePublished says that another length was published than was found.
func (a *Answer) writePublished(w io.Writer) {
	if found := a.length(); a.Published > 0 && a.AtLeast == nil && found != strconv.Itoa(a.Published) {
		fmt.Fprintf(w, "%s: published %d, found %s\n", a.Metric, a.Published, found)
	}
	if a.PublishedStates > 0 {
		fmt.Fprintf(w, "positions: published %s, found %s\n", amount.Comma(a.PublishedStates), amount.Comma(a.States))
	}
}

// writeMetrics writes a line for each metric.
func writeMetrics(w io.Writer, all []*Answer) {
	// Pieces that move together can reach more positions.
	same := !slices.ContainsFunc(all, func(a *Answer) bool { return a.States != all[0].States })
	switch {
	case !all[0].Whole:
		fmt.Fprintf(w, "%s\n%-10s %6s  solutions\n", all[0].Puzzle, "metric", "length")
	case same:
		fmt.Fprintf(w, "%s: %s\n%-10s %6s  solutions\n", all[0].Puzzle, Count(all[0].States, "position"), "metric", "length")
	default:
		fmt.Fprintf(w, "%s\n%-10s %6s  %-14s  solutions\n", all[0].Puzzle, "metric", "length", "positions")
	}
	for _, a := range all {
		fmt.Fprintf(w, "%-10s %6s  ", a.Metric, a.length())
		if a.Whole && !same {
			fmt.Fprintf(w, "%14s  ", amount.Comma(a.States))
		}
		fmt.Fprintln(w, a.Solutions)
	}
	for _, a := range all {
		a.writePublished(w)
	}
}

// WriteUnsolvable says that no goal of a puzzle can be reached, for a reason that was known before the search
// or else because the search found none.
func WriteUnsolvable(w io.Writer, name, reason string, states uint64) error {
	if reason == "" {
		reason = fmt.Sprintf("no goal is among the %s positions that can be reached", amount.Comma(states))
	}
	_, err := fmt.Fprintf(w, "%s cannot be solved: %s\n", name, reason)
	return err
}
