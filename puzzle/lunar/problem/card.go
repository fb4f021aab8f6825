package problem

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"pagoda/internal/lazy"
	"pagoda/puzzle/lunar/board"
)

var (
	// cardText matches a card in which empty cells are blanks and pieces digits, or are - and letters.
	cardText = lazy.Regexp(`^(?:[1-9 \r\n]+|[-A-Z\r\n/]+)$`)
	// leaves matches the line that names the pieces that must leave.
	leaves = lazy.Regexp(`^\s*(?:lunar:\s*)?leaves:[ \t]*([0-9A-Za-z](?:[ ,]*[0-9A-Za-z])*)[ \t\r]*\n`)
)

// leastSide is the number of rows and columns of a card.
const leastSide = 5

// drawing returns the rows of a text and the names of its pieces. Single reports that no name stands there twice.
func drawing(text string) (rows []string, names string, single bool) {
	text = strings.NewReplacer("\r", "", "/", "\n").Replace(strings.TrimRight(text, "\r\n"))
	names = strings.NewReplacer("-", "", ".", "", " ", "", "+", "", "\n", "").Replace(text)
	for i, ch := range names {
		if strings.IndexByte(names, byte(ch)) != i {
			return nil, names, false
		}
	}
	return strings.Split(text, "\n"), names, true
}

// isCard reports whether a text is a card, which does not show which piece must leave.
func isCard(text string) bool {
	rows, names, single := drawing(text)
	return single && cardText().MatchString(text) && strings.ContainsAny(text, " -") && len(rows) > 2 && len(rows) <= board.MaxSide && len(names) > 1 &&
		!slices.ContainsFunc(rows, func(r string) bool {
			return len(r) > leastSide+2 || len(r) > 0 && strings.Contains(text, "-") && len(r) != len(rows)
		})
}

// withoutExit reports whether a text draws a problem without an exit, on a square board with a centre that is at most half
// full. It may be something else.
func withoutExit(text string) bool {
	rows, names, single := drawing(strings.TrimSpace(text))
	side := len(rows)
	return single && side >= 3 && side%2 == 1 && len(rows[side/2]) == side && !board.IsLetter(rows[side/2][side/2]) && len(names) > 1 && 2*len(names) <= side*side &&
		!slices.ContainsFunc(rows, func(r string) bool { return len(r) != side }) && !strings.ContainsFunc(strings.Join(rows, ""), func(ch rune) bool { return !isCell(ch) }) &&
		!strings.ContainsAny(text, "+o")
}

// drawCard draws a card as Parse reads it: pieces that must leave are capital letters, and all others o.
func drawCard(text, leaving string) string {
	rows, _, _ := drawing(text)
	side, letters := max(leastSide, len(rows)), 0
	for _, r := range rows {
		side = max(side, len(r))
	}
	out := ""
	for _, row := range append(rows, slices.Repeat([]string{""}, side-len(rows))...) {
		out += fmt.Sprintf("%-*s\n", side, row)
	}
	return firstLine + "\n" + strings.Map(func(ch rune) rune {
		switch {
		case strings.ContainsRune("- ", ch):
			return board.EmptyChar
		case strings.ContainsRune(leaving, ch):
			letters++
			return rune(board.LetterNames[(letters-1)%len(board.LetterNames)])
		case unicode.IsLetter(ch) || unicode.IsDigit(ch):
			return 'o'
		}
		return ch
	}, out)
}
