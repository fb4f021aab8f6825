package boardtext

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"pagoda/internal/lazy"
	"pagoda/statespace/cells"
)

var (
	// cellText matches a line of a drawing, which may stand behind a heading. What has other characters is none.
	cellText = lazy.Regexp(`^((tray|goal|gate|anywhere|lattice):[ a-z]*)?[-A-Za-z0-9.#*+?@_/ \t]*$`)
	// caption matches what stands below the text of a picture.
	caption     = lazy.Regexp(`^ *(start|goal|solved|(, )?[0-9]+ (peg|letter|number|move|step|jump)s?)+ *$`)
	blankBeside = lazy.Regexp(`[ \t]*/[ \t]*`)
	// blankBehind matches a slash between rows, and the blanks behind it.
	blankBehind = lazy.Regexp(`/([ \t]*)[^ \t/]`)
	// commented matches what may be a comment, alone or behind numbers.
	commented = lazy.Regexp(`(?s)^([0-9,\[\]hv \t]*)(#.*)$`)
	letter    = lazy.Regexp(`^# [A-Za-z]`)
	word      = lazy.Regexp(`[A-Za-z0-9]+`)
)

// Read reads a text with a parser, which gets it without what is no part of a drawing: the byte order mark, comments,
// the margin that all lines of a text with headings have, a caption below the drawing, and the blank behind each slash
// between rows. A comment begins with # and a blank, and has a word or a character that no drawing has; it may stand
// behind numbers. An error is at its place in the whole text. It is an error if a blank stands behind some slashes only.
func Read[T any](text string, parse func(text string) (T, error)) (found T, err error) {
	lines := Lines(text)
	strip, err := blanks(lines)
	if err != nil {
		return found, err
	}
	var kept []Span
	last, margin := 0, len(text)
	for _, l := range lines {
		whole := l.Text
		if l.Text = uncommented(l.Text); l.Text == "" && whole != "" {
			continue // a comment is no empty line
		}
		if strings.TrimSpace(l.Text) != "" {
			last, margin = len(kept), min(margin, len(l.Text)-len(strings.TrimLeft(l.Text, " ")))
		}
		kept = append(kept, l)
	}
	if last > 0 && caption().MatchString(kept[last].Text) && !alike(kept[last-1].Text, kept[last].Text) {
		kept = kept[:last]
	}
	rows := make([]string, len(kept))
	for i, l := range kept {
		if strip && cellText().MatchString(l.Text) {
			l.Text = blankBeside().ReplaceAllString(l.Text, "/")
		} else if strings.Contains(text, ":") {
			l.Text = l.Text[min(margin, len(l.Text)):]
		}
		kept[i].Text, rows[i] = l.Text, l.Text
	}
	found, err = parse(strings.Join(rows, "\n"))
	if at, ok := errors.AsType[*cells.SyntaxError](err); ok && max(1, at.Line) <= len(kept) {
		l := kept[max(1, at.Line)-1]
		return found, &cells.SyntaxError{Line: min(at.Line, 1) * l.Line, Col: column(lines[l.Line-1].Text, l.Text, at.Col), Reason: at.Reason}
	}
	return found, err
}

// alike reports whether a word may be a row as the line above it: it has the same length, and small letters stand in both.
func alike(above, line string) bool {
	return len(above) == len(line) && !strings.Contains(line, " ") && strings.ToUpper(above) != above
}

// column returns the column, from 1, in a whole line, of one in what is left of it without some blanks.
func column(whole, left string, col int) int {
	rest := []rune(left)
	for i, ch := range []rune(whole) {
		if len(rest) > 0 && ch == rest[0] {
			if rest = rest[1:]; utf8.RuneCountInString(left)-len(rest) == col {
				return i + 1
			}
		}
	}
	return col
}

// blanks reports whether a blank stands behind each slash of a text, as people write between rows. If it stands behind
// some, it may be a place without a cell or no place: that is an error. Before the first row there is none then.
func blanks(lines []Span) (strip bool, doubt error) {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l Span) bool { return !cellText().MatchString(l.Text) || strings.TrimSpace(l.Text) == "" })
	if len(lines) == 0 || lines[0].Text[0] == ' ' {
		return false, nil
	}
	var slashes [3]int // with no blank behind them, with one, and with more
	for _, l := range lines {
		for _, at := range blankBehind().FindAllStringSubmatchIndex(l.Text, -1) {
			n := min(at[3]-at[2], 2)
			if slashes[n]++; n == 1 && doubt == nil {
				doubt = l.Errorf(at[2], "a blank behind a slash may be a place without a cell, or stand between rows: write # for such a place, or no blank")
			}
		}
	}
	if slashes[2] > 0 || slashes[0] == 0 {
		doubt = nil
	}
	return slashes[1] > 0 && slashes[2] == 0, doubt
}

// IsComment reports whether a line is a comment.
func IsComment(line string) bool { return uncommented(line) == "" && strings.TrimSpace(line) != "" }

// uncommented returns a line without its comment.
func uncommented(line string) string {
	if strings.HasPrefix(line, "```") {
		return ""
	}
	m := commented().FindStringSubmatch(line)
	if m == nil || !isComment(m[2]) && (m[1] == "" || !letter().MatchString(m[2])) {
		return line
	}
	return strings.TrimRight(m[1], " \t")
}

// isComment reports whether a text that begins with # is a comment and no row with walls on the left. It is a
// comment if it has a character that no row has. It also is one if a blank follows the #, and then several words, or a
// word that has small letters and at least three different characters.
func isComment(text string) bool {
	rest := strings.TrimPrefix(text, "#")
	if strings.HasSuffix(strings.TrimSpace(rest), "#") {
		return false
	}
	if !cellText().MatchString(rest) {
		return true
	}
	words := 0
	for _, w := range word().FindAllString(rest, -1) {
		kinds := len(slices.Compact(slices.Sorted(slices.Values([]byte(w)))))
		if words += min(1, kinds-1); kinds > 2 && strings.ToUpper(w) != w {
			words = 2
		}
	}
	return words > 1 && strings.TrimLeft(rest, " \t") != rest
}
