package formats

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"pagoda/puzzle/slide/contest"
	"pagoda/puzzle/slide/tray"
)

// A Format is a format in which puzzles can be written.
type Format struct {
	Name string
	// Write writes a puzzle, with a line end. The error says what the format cannot express.
	Write func(p *tray.Puzzle) (string, error)
}

// All returns the formats in which puzzles are written. Parse reads all of them, and levels of GNOME
// Klotski.
func All() []Format {
	return []Format{
		{"text", func(p *tray.Puzzle) (string, error) { return p.Format(), nil }},
		{"rushhour", func(p *tray.Puzzle) (string, error) {
			text, err := FormatRushHour(p)
			return text + "\n", err
		}},
		{"knuth", FormatKnuth},
		{"jimslide", FormatJimSlide},
		{"hrd", FormatHRD},
	}
}

// Parse reads a puzzle in any of the formats, or the last one that reach design has printed. The error is a *cells.SyntaxError.
func Parse(text string) (*tray.Puzzle, error) {
	if len(text) > tray.MaxText {
		return tray.Parse(text) // returns the error
	}
	text = strings.TrimPrefix(text, "\ufeff") // a byte order mark
	trimmed := strings.TrimSpace(text)
	switch {
	case rushHourText().MatchString(trimmed):
		return ParseRushHour(trimmed)
	case hrdText().MatchString(trimmed):
		return ParseHRD(trimmed)
	case isKnuth(text):
		return ParseKnuth(text)
	case jimSize().MatchString(text):
		return ParseJimSlide(text)
	case isGNOME(text):
		return ParseGNOME(text)
	}
	if drawn, ok := contest.Drawn(text); ok { // the output of reach design
		text = drawn
	}
	p, err := tray.Parse(text)
	if err != nil && likeRushHour().MatchString(trimmed) {
		return nil, notRushHour(trimmed)
	}
	return p, err
}

// IsPuzzle reports whether a text is meant to be a puzzle in any of the formats.
func IsPuzzle(text string) bool {
	return tray.IsPuzzle(text) || jimSize().MatchString(text) || isGNOME(text)
}

// plain returns an error if a puzzle has several floors, thin walls or gates, for formats that do not
// have them.
func plain(p *tray.Puzzle) error {
	if p.Floors() > 1 {
		return fmt.Errorf("the tray has %d floors, which the format cannot express", p.Floors())
	}
	for i, name := range p.Pieces() {
		if p.Axis(i) == tray.Upright {
			return fmt.Errorf("piece %c moves from floor to floor only, which the format cannot express", name)
		}
	}
	if len(p.Walls()) > 0 {
		return errors.New("the puzzle has thin walls, which the format cannot express")
	}
	if p.HasGates() {
		return errors.New("the puzzle has gates, which the format cannot express")
	}
	return nil
}

// onlyGoal returns what the goal of a puzzle wants, for formats that have one goal.
func onlyGoal(p *tray.Puzzle) ([]tray.Want, error) {
	if p.HasGoal() && p.Goals() == 0 {
		return nil, errors.New("no position is at the goal, which the format cannot express")
	}
	if p.Goals() != 1 {
		return nil, fmt.Errorf("the puzzle has %d goals, the format has one", p.Goals())
	}
	return p.DrawnWants(0), nil
}

// A box is the smallest rectangle that holds some cells.
type box struct{ top, left, rows, cols int }

func boxOf(cells []tray.Cell) box {
	b := box{top: tray.MaxSide, left: tray.MaxSide}
	bottom, right := 0, 0
	for _, c := range cells {
		b.top, b.left, bottom, right = min(b.top, c.Row), min(b.left, c.Col), max(bottom, c.Row), max(right, c.Col)
	}
	b.rows, b.cols = bottom-b.top+1, right-b.left+1
	return b
}

// lazy compiles an expression when it is first used: most commands read none of these formats.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
