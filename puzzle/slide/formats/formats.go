package formats

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pagoda/internal/lazy"
	"pagoda/puzzle/slide/contest"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/boardtext"
	"pagoda/statespace/cells"
)

// first is where a text begins.
var first = boardtext.Span{Line: 1, Col: 1}

// A Format is a format in which puzzles can be written.
type Format struct {
	Name string
	// Write writes a puzzle, with a line end. The error says what the format cannot express.
	Write func(p *tray.Puzzle) (string, error)
}

// All returns the formats in which puzzles are written. Parse reads all of them, and some more.
func All() []Format {
	return []Format{
		{"text", func(p *tray.Puzzle) (string, error) { return p.FormatWalls(), nil }},
		{"rushhour", func(p *tray.Puzzle) (string, error) {
			text, err := FormatRushHour(p)
			return text + "\n", err
		}},
		{"knuth", FormatKnuth},
		{"jimslide", FormatJimSlide},
		{"hrd", FormatHRD},
	}
}

// Parse reads a puzzle in any of the formats, or the last one that reach design has printed. The error is a
// *cells.SyntaxError. If a text is ambiguous, the error says how to write each meaning.
func Parse(text string) (*tray.Puzzle, error) {
	return boardtext.Read(text, func(text string) (*tray.Puzzle, error) { return formatOf(text).parse(text) })
}

// ReadAs says how Parse reads a text: as "a tray of 5 rows and 4 columns, 10 pieces, goal A". Chosen reports whether the
// text leaves room for another reading.
func ReadAs(text string) (as string, chosen bool) {
	as, _ = boardtext.Read(text, func(text string) (string, error) {
		f := formatOf(text)
		p, err := f.parse(text)
		if err != nil {
			return "", err
		}
		other := ""
		if f.other != nil {
			other = f.other(text, p)
		}
		chosen = other != ""
		return f.what + p.Summary() + other, nil
	})
	return as, chosen
}

// A reading is a format in which puzzles are read.
type reading struct {
	what  string // the format in words, before the summary of the tray
	is    func(text string) bool
	parse func(text string) (*tray.Puzzle, error)
	// other says what else a text could mean, or is empty or nil.
	other func(text string, p *tray.Puzzle) string
}

// formatOf returns the format of a text.
func formatOf(text string) reading {
	if len(text) > tray.MaxText {
		return reading{parse: tray.Parse} // it returns the error
	}
	line := func(is func() *regexp.Regexp) func(string) bool {
		return func(text string) bool { return is().MatchString(strings.TrimSpace(text)) }
	}
	trimmed := func(parse func(string) (*tray.Puzzle, error)) func(string) (*tray.Puzzle, error) {
		return func(text string) (*tray.Puzzle, error) { return parse(strings.TrimSpace(text)) }
	}
	for _, f := range []reading{
		{"a Rush Hour board, ", line(rushHourText), trimmed(ParseRushHour), otherRushHour},
		{"a Rush Hour board, ", isDrawnRushHour, ParseDrawnRushHour, otherRushHour},
		{"a code of Klotski, ", line(hrdText), trimmed(ParseHRD), nil},
		{"an n-puzzle, ", isTiles, ParseTiles, otherGoal},
		{"the input of SLIDING, ", isKnuth, ParseKnuth, nil},
		{"a configuration of JimSlide, ", func(text string) bool { return jimSize().MatchString(text) }, ParseJimSlide, nil},
		{"a level of klotski for JavaScript, ", isJSON, ParseJSON, nil},
		{"a list of pieces, ", isList, ParseList, otherFirst},
		{"a level of GNOME Klotski, ", isGNOME, ParseGNOME, nil},
		{"the output of reach design, ", isDesign, parseDesign, nil},
	} {
		if f.is(text) {
			return f
		}
	}
	return reading{parse: parseTray}
}

func isDesign(text string) bool {
	_, is := contest.Drawn(text)
	return is
}

func parseDesign(text string) (*tray.Puzzle, error) {
	drawn, _ := contest.Drawn(text)
	return tray.Parse(drawn)
}

// parseTray reads a text in the format of package tray. It refuses one without headings that probably means something else.
func parseTray(text string) (*tray.Puzzle, error) {
	p, err := tray.Parse(text)
	at, wrong := err.(*cells.SyntaxError)
	trimmed := strings.TrimSpace(text)
	switch {
	case strings.Contains(text, ":"):
		return p, err
	case wrong && strings.Contains(trimmed, "\n\n") && strings.HasSuffix(at.Reason, "the tray has no such piece"):
		at.Reason += ", and below an empty line begins a goal; if floors begin there, write the number of them as floors: 2 above the line tray:"
		return nil, at
	case wrong && likeRushHour().MatchString(trimmed):
		return nil, notRushHour(trimmed)
	case wrong && kinds(text) <= 2:
		at.Reason, _, _ = strings.Cut(at.Reason, ":")
	case !wrong && strings.Trim(text, "o.# /\t\r\n") == "":
		at = &cells.SyntaxError{Line: 1, Col: 1, Reason: "all pieces are o"}
	case !wrong && !p.HasGoal() && (!p.CanMove() || strings.Trim(text, "Xx1O0. #/\t\r\n") == "" || scattered(p)):
		at = &cells.SyntaxError{Line: 1, Col: 1, Reason: "there is no goal"}
		if !p.CanMove() {
			at.Reason = "no piece can move, and " + at.Reason
		}
	default:
		return p, err
	}
	at.Reason = "as a tray: " + at.Reason + "; expected a tray below the line tray:, with . for an empty cell; or a board of pegs, with o for a peg and . for a hole"
	if shortCode().MatchString(trimmed) {
		at.Reason += "; or the nine digits of a code of Klotski (its codes of five characters are not read)"
	}
	return nil, at
}

// scattered reports whether at most half of a square tray without walls are pieces of one cell, as in games where pieces
// stand on a board.
func scattered(p *tray.Puzzle) bool {
	n := len(p.Pieces())
	rows, cols := p.Size()
	return n > 1 && rows == cols && rows*cols == len(p.Cells()) && 2*n <= len(p.Cells()) && !slices.ContainsFunc(p.Kinds(), func(k tray.Kind) bool { return k.Cells > 1 })
}

// kinds returns how many different characters a text has for cells, or its length if a character is none of a tray.
func kinds(text string) int {
	seen := make(map[rune]bool)
	for _, ch := range text {
		switch {
		case strings.ContainsRune(tray.PieceNames+".0", ch):
			seen[ch] = true
		case !strings.ContainsRune("# /\t\r\n", ch):
			return len(text)
		}
	}
	return len(seen)
}

// IsLine reports whether a text is a puzzle in one line that can be an argument: a Rush Hour board, a line of its
// database, all nine digits of a code of Klotski, the numbers of an n-puzzle, or a tray and a goal.
func IsLine(text string) bool {
	return rushHourText().MatchString(text) || hrdText().MatchString(text) && len(text) == hrdDigits || trayLine().MatchString(text) ||
		isTiles(text) && !strings.Contains(text, "\n")
}

// trayLine matches a tray and goals in one line.
var trayLine = lazy.Regexp(`^[0-9A-Za-z.#]+(?:/[0-9A-Za-z.#]*)+(?: +[0-9A-Za-z.#/]+)+$`)

// IsPuzzle reports whether a text is meant to be a puzzle in any of the formats.
func IsPuzzle(text string) bool {
	is, _ := boardtext.Read(text, func(text string) (bool, error) { return tray.IsPuzzle(text) || formatOf(text).is != nil, nil })
	return is
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

// freeGoal is onlyGoal for formats whose pieces move in all directions, without what plain refuses.
func freeGoal(p *tray.Puzzle) ([]tray.Want, error) {
	if err := plain(p); err != nil {
		return nil, err
	}
	for i, name := range p.Pieces() {
		if p.Axis(i) != tray.Free {
			return nil, fmt.Errorf("piece %c moves along one axis only, which the format cannot express", name)
		}
	}
	return onlyGoal(p)
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
