package boardtext

import (
	"errors"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"pagoda/statespace/cells"
)

var (
	// cellText matches a line of a drawing, which may stand behind a heading. What has other characters is none.
	cellText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^((tray|goal|gate|anywhere|lattice):[ a-z]*)?[-A-Za-z0-9.#*+?@_/ \t]*$`)
	})
	// caption matches what stands below the text of a picture.
	caption = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^ *(start|goal|solved|(, )?[0-9]+ (peg|letter|number|move|step|jump)s?)+ *$`)
	})
	blankBeside = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[ \t]*/[ \t]*`) })
	letter      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^# [A-Za-z]`) })
	word        = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9]+`) })
)

// Read reads a text with a parser, which gets it without what is no part of a drawing: the byte order mark, comments,
// the margin that all lines of a text with headings have, a caption below the drawing, and the blank behind each slash between rows. A comment
// begins with # and a blank, and has a word or a character that no drawing has; it may stand behind numbers. An error
// is at its place in the whole text. It is an error if a blank stands behind some of the slashes only.
func Read[T any](text string, parse func(text string) (T, error)) (found T, err error) {
	lines := Lines(text)
	kept, doubt := clean(lines)
	if doubt != nil {
		return found, doubt
	}
	if kept == nil {
		return parse(strings.TrimPrefix(text, "\ufeff"))
	}
	var b strings.Builder
	for i, l := range kept {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.text)
	}
	found, err = parse(b.String())
	var at *cells.SyntaxError
	if errors.As(err, &at) && max(1, at.Line) <= len(kept) {
		l := kept[max(1, at.Line)-1]
		return found, &cells.SyntaxError{Line: min(at.Line, 1) * l.line, Col: l.column(at.Col), Reason: at.Reason}
	}
	return found, err
}

// A keptLine is what is left of a line.
type keptLine struct {
	text string
	line int
	cols []int // of its characters, where some were left out
	left int   // characters that were left out at the beginning, if there are no cols
}

// column returns where a column, from 1, was in the whole line.
func (l keptLine) column(col int) int {
	if n := len(l.cols); n > 0 {
		return l.cols[min(col, n)-1] + max(0, col-n)
	}
	return col + l.left
}

// clean returns what is left of the lines of a text, or nil if that is all.
func clean(lines []Span) (kept []keptLine, doubt error) {
	strip, doubt := blanks(lines)
	margin, all, last, headed := -1, true, -1, false
	for _, l := range lines {
		if own := uncommented(l.Text); strings.TrimSpace(own) != "" {
			indent := len(own) - len(strings.TrimLeft(own, " "))
			if margin < 0 || indent < margin {
				margin = indent
			}
			last, headed = len(kept), headed || strings.Contains(own, ":")
		} else if own != l.Text {
			all = false
			continue // a comment is no empty line
		}
		kept = append(kept, keptLine{text: uncommented(l.Text), line: l.Line})
		all = all && kept[len(kept)-1].text == l.Text
	}
	if last > 0 && caption().MatchString(kept[last].text) {
		kept, all = kept[:last], false
	}
	if !headed { // then it makes no difference
		margin = 0
	}
	if all && !strip && margin <= 0 {
		return nil, doubt
	}
	for i := range kept {
		l := &kept[i]
		if strip && cellText().MatchString(l.text) {
			l.strip()
		} else if margin > 0 {
			l.text, l.left = l.text[min(margin, len(l.text)):], margin
		}
	}
	return kept, doubt
}

// strip leaves out the blanks beside slashes.
func (l *keptLine) strip() {
	var b strings.Builder
	end := 0
	add := func(to int) {
		for i, ch := range l.text[end:to] {
			b.WriteRune(ch)
			l.cols = append(l.cols, end+i+1)
		}
	}
	for _, at := range blankBeside().FindAllStringIndex(l.text, -1) {
		add(at[0])
		end = at[0] + strings.IndexByte(l.text[at[0]:], '/')
		add(end + 1)
		end = at[1]
	}
	add(len(l.text))
	l.text = b.String()
}

// blanks reports whether a blank stands behind each slash of a text, as people write between rows. If it stands behind
// some, it may be a place without a cell or no place: that is an error. Before the first row there is none then.
func blanks(lines []Span) (strip bool, doubt error) {
	var where []Span
	with, without, first := 0, 0, true
	for _, l := range lines {
		if !cellText().MatchString(l.Text) || strings.TrimSpace(l.Text) == "" {
			continue
		}
		if first && l.Text[0] == ' ' {
			return false, nil
		}
		first = false
		for i, row := range l.Rows()[1:] {
			switch n := len(row.Text) - len(strings.TrimLeft(row.Text, " \t")); {
			case n == 0 && row.Text == "" && i == strings.Count(l.Text, "/")-1: // the end of the line
			case n == 0:
				without++
			case n == 1:
				with++
				where = append(where, row)
			default:
				return false, nil
			}
		}
	}
	if with > 0 && without > 0 {
		return false, where[0].Errorf(0, "a blank behind a slash may be a place without a cell, or stand between rows: write # for such a place, or no blank")
	}
	return with > 0, nil
}

// IsComment reports whether a line is a comment.
func IsComment(line string) bool { return uncommented(line) == "" && strings.TrimSpace(line) != "" }

// uncommented returns a line without its comment.
func uncommented(line string) string {
	if strings.HasPrefix(line, "```") || isComment(strings.TrimLeft(line, " \t")) {
		return ""
	}
	for i := range line {
		if line[i] == '#' && strings.Trim(line[:i], "0123456789,[]hv \t") == "" && (isComment(line[i:]) || i > 0 && letter().MatchString(line[i:])) {
			return strings.TrimRightFunc(line[:i], unicode.IsSpace)
		}
	}
	return line
}

// isComment reports whether a text that begins with # is a comment and no row with a wall on the left. A comment has
// a word of several characters.
func isComment(text string) bool {
	rest, begins := strings.CutPrefix(text, "#")
	if !begins || strings.HasSuffix(strings.TrimSpace(rest), "#") {
		return false
	}
	if !cellText().MatchString(rest) {
		return true
	}
	if rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return false
	}
	for _, w := range word().FindAllString(rest, -1) {
		if strings.Trim(w, w[:1]) != "" {
			return true
		}
	}
	return false
}
