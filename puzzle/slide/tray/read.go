package tray

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"pagoda/statespace/cells"
)

// MaxText is the greatest length of the text of a puzzle, in bytes.
const MaxText = 1 << 20

// headings are the words that can stand before a colon.
const headings = "title, author, year, source, note, lengths, states, floors, tray, walls, gate, goal, anywhere, parts, rushhour, horizontal, vertical, upright, distinct or alike"

// hasTray matches what a text with a tray has: a heading, or a line with a capital letter or a
// digit, which is the name of a piece.
var hasTray = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(title|author|year|source|note|lengths|states|floors|tray|walls|gate|goal|anywhere|parts|rushhour|horizontal|vertical|upright|distinct|alike):|^[^:]*[0-9A-Z][^:]*$`)
})

// IsPuzzle reports whether a text is meant to be a puzzle: it has one of the headings, or a row
// with a capital letter or a digit, which names a piece. A text without any of these draws
// something else. So a tray whose pieces all have small letters needs a heading.
func IsPuzzle(text string) bool { return hasTray().MatchString(text) }

// A span is a part of a line of text.
type span struct {
	line, col int // from 1
	text      string
	apart     bool // a row below an empty line
}

// errorf returns a *cells.SyntaxError at a byte of the span.
func (s span) errorf(offset int, format string, args ...any) error {
	return &cells.SyntaxError{Line: s.line, Col: s.col + utf8.RuneCountInString(s.text[:offset]), Reason: fmt.Sprintf(format, args...)}
}

// rows splits the span at its slashes. An empty span has no rows.
func (s span) rows() []span {
	if s.text == "" {
		return nil
	}
	var rows []span
	col := s.col
	for row := range strings.SplitSeq(s.text, "/") {
		rows = append(rows, span{line: s.line, col: col, text: row})
		col += utf8.RuneCountInString(row) + 1
	}
	return rows
}

// An origin is where a character stands in the text.
type origin struct {
	row    span
	offset int // in bytes
}

func (o origin) errorf(format string, args ...any) error {
	return o.row.errorf(o.offset, format, args...)
}

// A reader makes a puzzle of a text. First it sorts the lines by their headings, then it reads
// what is under each heading.
type reader struct {
	p *Puzzle

	floors   *span
	tray     []span // the rows
	walls    []span
	parts    []span
	gates    *drawing
	goals    []drawing
	rushHour *span
	axes     [Axes][]span // by Axis
	distinct []span
	alike    []span

	places     int // of pieces in the goals so far
	pieceNamed map[byte]int
	start      []Set    // the cells of each piece
	cells      []origin // of each cell
	where      []origin // of the first cell of each piece
	mark       []int    // of each piece; pieces of a shape with different marks are different
}

// A drawing is the rows under a heading.
type drawing struct {
	heading  span
	anywhere bool
	rows     []span
}

// Parse reads a puzzle in the format that the introduction of the package describes. The error
// is a *cells.SyntaxError.
func Parse(text string) (*Puzzle, error) {
	r, err := newReader(text)
	if err != nil {
		return nil, err
	}
	for _, read := range []func() error{r.readTray, r.readParts, r.readWalls, r.readGates, r.readAxes, r.readGoals, r.readDistinct, r.readAlike} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	r.p.makeKinds(r.start, r.mark)
	r.p.makeGoals(r.start, r.mark)
	return r.p, nil
}

// newReader returns the reader of a text, with its lines sorted by their headings.
func newReader(text string) (*reader, error) {
	if len(text) > MaxText {
		return nil, &cells.SyntaxError{Line: 1, Col: 1, Reason: fmt.Sprintf("a puzzle has at most %d bytes of text", MaxText)}
	}
	text = strings.TrimPrefix(text, "\ufeff") // a byte order mark
	r := &reader{p: new(Puzzle), pieceNamed: make(map[byte]int)}
	return r, r.readLines(text)
}

// readLines sorts the lines by their headings.
func (r *reader) readLines(text string) error {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if one := strings.TrimSpace(text); strings.Contains(one, "/") && !strings.ContainsAny(one, ":\n") {
		r.readOneLine(text)
		return nil
	}
	rows := &r.tray // where rows without a heading belong, or nil
	headed, apart := false, false
	for i, line := range strings.Split(text, "\n") {
		s := span{line: i + 1, col: 1, text: strings.TrimRightFunc(line, unicode.IsSpace)}
		if s.text == "" {
			apart = rows != nil && len(*rows) > 0
			continue
		}
		name, rest, ok := strings.Cut(s.text, ":")
		if !ok {
			if rows == nil {
				return s.errorf(0, "unexpected row: rows belong below tray: or goal:")
			}
			if apart && headed && r.floors == nil {
				return s.errorf(0, "unexpected row below an empty line: write goal: above a goal, and # in a row of walls")
			}
			if apart && !headed { // without headings, an empty line ends the tray and each goal
				r.goals = append(r.goals, drawing{heading: s})
				rows, apart = &r.goals[len(r.goals)-1].rows, false
			}
			at := len(*rows)
			*rows = append(*rows, s.rows()...)
			(*rows)[at].apart = apart
			apart = false
			continue
		}
		value := span{line: s.line, col: s.col + utf8.RuneCountInString(name) + 1, text: rest}
		trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
		value.col += utf8.RuneCountInString(rest[:len(rest)-len(trimmed)])
		value.text = trimmed
		var err error
		headed, apart = true, false
		if rows, err = r.readHeading(name, s, value); err != nil {
			return err
		}
	}
	return nil
}

// readHeading takes a line with a heading and what stands behind it. It returns where the rows
// below the line belong, or nil.
func (r *reader) readHeading(name string, line, value span) (rows *[]span, err error) {
	switch name {
	case "title":
		r.p.Title = value.text
	case "author":
		r.p.Author = value.text
	case "year":
		if r.p.Year, err = strconv.Atoi(value.text); err != nil || r.p.Year < 1 || r.p.Year > 9999 {
			return nil, value.errorf(0, "unexpected %.40q: expected a year, such as 1909", value.text)
		}
	case "source":
		r.p.Source = value.text
	case "note":
		r.p.Notes = append(r.p.Notes, value.text)
	case "lengths":
		return nil, r.readLengths(value)
	case "states":
		r.p.States, err = strconv.ParseUint(value.text, 10, 64)
		if err != nil {
			return nil, value.errorf(0, "unexpected %.40q: expected the number of positions that can be reached", value.text)
		}
	case "floors":
		if r.floors != nil {
			return nil, line.errorf(0, "a second number of floors: a puzzle has one")
		}
		r.floors = &value
	case "tray":
		if r.tray != nil {
			return nil, line.errorf(0, "a second tray: a puzzle has one")
		}
		r.tray = append([]span{}, value.rows()...)
		return &r.tray, nil
	case "walls":
		r.walls = append(r.walls, value)
	case "parts":
		r.parts = append(r.parts, value)
	case "goal", "anywhere":
		r.goals = append(r.goals, drawing{line, name == "anywhere", value.rows()})
		return &r.goals[len(r.goals)-1].rows, nil
	case "gate":
		if r.gates != nil {
			return nil, line.errorf(0, "a second gate: a drawing can have several")
		}
		r.gates = &drawing{line, false, value.rows()}
		return &r.gates.rows, nil
	case "rushhour":
		if value.text != "" {
			return nil, value.errorf(0, "unexpected %.40q: nothing comes behind rushhour:", value.text)
		}
		r.rushHour = &line
	case "horizontal":
		r.axes[Horizontal] = append(r.axes[Horizontal], value)
	case "vertical":
		r.axes[Vertical] = append(r.axes[Vertical], value)
	case "upright":
		r.axes[Upright] = append(r.axes[Upright], value)
	case "distinct":
		r.distinct = append(r.distinct, value)
	case "alike":
		r.alike = append(r.alike, value)
	default:
		return nil, line.errorf(0, "unknown heading %.40q: expected %s", name, headings)
	}
	return nil, nil
}

// readOneLine takes a tray and goals that are separated by spaces.
func (r *reader) readOneLine(text string) {
	for i, line := range strings.Split(text, "\n") {
		col := 1
		for len(line) > 0 {
			word := line
			if n := strings.IndexFunc(line, unicode.IsSpace); n == 0 {
				_, size := utf8.DecodeRuneInString(line)
				line = line[size:]
				col++
				continue
			} else if n > 0 {
				word = line[:n]
			}
			s := span{line: i + 1, col: col, text: word}
			if r.tray == nil {
				r.tray = s.rows()
			} else {
				r.goals = append(r.goals, drawing{s, false, s.rows()})
			}
			col += utf8.RuneCountInString(word)
			line = line[len(word):]
		}
	}
}

// readLengths reads known lengths, such as "steps 116, moves 81".
func (r *reader) readLengths(s span) error {
	for start := 0; start <= len(s.text); {
		part, _, _ := strings.Cut(s.text[start:], ",")
		fields := strings.Fields(part)
		end := start + len(part) + 1
		start += len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
		if len(fields) != 2 {
			return s.errorf(start, "expected a metric and a length, such as moves 81")
		}
		m, err := ParseMetric(fields[0])
		if err != nil {
			return s.errorf(start, "%v", err)
		}
		n, err := strconv.ParseUint(fields[1], 10, 31)
		if err != nil {
			return s.errorf(start, "unexpected %.40q: expected a length", fields[1])
		}
		r.p.Lengths[m] = int(n)
		start = end
	}
	return nil
}
