package tray

import (
	"fmt"
	"pagoda/statespace/cells"
	"strconv"
	"strings"
	"unicode"

	"pagoda/internal/lazy"
	"pagoda/statespace/boardtext"
)

// MaxText is the greatest length of the text of a puzzle, in bytes.
const MaxText = 1 << 20

// headings are the words that can stand before a colon.
const headings = "title, author, year, source, note, lengths, states, floors, tray, walls, gate, goal, anywhere, parts, rushhour, horizontal, vertical, upright, distinct or alike"

// hasTray matches what a text with a tray has: a heading, or a line with a capital letter or a
// digit, which is the name of a piece.
var hasTray = lazy.Regexp(`(?m)^(title|author|year|source|note|lengths|states|floors|tray|walls|gate|goal|anywhere|parts|rushhour|horizontal|vertical|upright|distinct|alike):|^[^:]*[0-9A-Z][^:]*$`)

// IsPuzzle reports whether a text is meant to be a puzzle: it has one of the headings, or a row
// with a capital letter or a digit, which names a piece. A text without any of these draws
// something else. So a tray whose pieces all have small letters needs a heading.
func IsPuzzle(text string) bool { return hasTray().MatchString(text) }

// A reader makes a puzzle of a text. First it sorts the lines by their headings, then it reads
// what is under each heading.
type reader struct {
	p *Puzzle

	apart    map[int]bool // lines below an empty line
	floors   *boardtext.Span
	tray     []boardtext.Span            // the rows
	lists    map[string][]boardtext.Span // by heading: walls, or names of pieces
	gates    *drawing
	goals    []drawing
	rushHour *boardtext.Span

	places     int // of pieces in the goals so far
	pieceNamed map[byte]int
	start      []Set             // the cells of each piece
	cells      []boardtext.Place // of each cell
	where      []boardtext.Place // of the first cell of each piece
	mark       []int             // of each piece; pieces of a shape with different marks are different
}

// A drawing is the rows under a heading.
type drawing struct {
	heading  boardtext.Span
	anywhere bool
	rows     []boardtext.Span
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
	r := &reader{p: new(Puzzle), apart: make(map[int]bool), lists: make(map[string][]boardtext.Span), pieceNamed: make(map[byte]int)}
	return r, r.readLines(text)
}

// readLines sorts the lines by their headings.
func (r *reader) readLines(text string) error {
	lines := boardtext.Lines(text)
	if one := strings.TrimSpace(text); strings.Contains(one, "/") && !strings.ContainsAny(one, ":\n") {
		r.readOneLine(lines)
		return nil
	}
	rows := &r.tray // where rows without a heading belong, or nil
	headed, apart := false, false
	for _, s := range lines {
		s.Text = strings.TrimRightFunc(s.Text, unicode.IsSpace)
		if s.Text == "" {
			apart = rows != nil && len(*rows) > 0
			continue
		}
		at := strings.IndexByte(s.Text, ':')
		if at < 0 {
			if rows == nil {
				return s.Errorf(0, "unexpected row: rows belong below tray: or goal:")
			}
			if apart && headed && r.floors == nil {
				return s.Errorf(0, "unexpected row below an empty line: write goal: above a goal, and # in a row of walls")
			}
			if apart && !headed { // without headings, an empty line ends the tray and each goal
				r.goals = append(r.goals, drawing{heading: s})
				rows, apart = &r.goals[len(r.goals)-1].rows, false
			}
			*rows = append(*rows, s.Rows()...)
			r.apart[s.Line] = apart
			apart = false
			continue
		}
		var err error
		headed, apart = true, false
		if rows, err = r.readHeading(s.Text[:at], s, s.From(at+1).Trim()); err != nil {
			return err
		}
	}
	return nil
}

// rowsOf returns the rows behind a heading, which may be none.
func rowsOf(value boardtext.Span) []boardtext.Span {
	if value.Text == "" {
		return []boardtext.Span{}
	}
	return value.Rows()
}

// readHeading takes a line with a heading and what stands behind it. It returns where the rows
// below the line belong, or nil.
func (r *reader) readHeading(name string, line, value boardtext.Span) (rows *[]boardtext.Span, err error) {
	switch name {
	case "title":
		r.p.Title = value.Text
	case "author":
		r.p.Author = value.Text
	case "year":
		if r.p.Year, err = strconv.Atoi(value.Text); err != nil || r.p.Year < 1 || r.p.Year > 9999 {
			return nil, value.Errorf(0, "unexpected %.40q: expected a year, such as 1909", value.Text)
		}
	case "source":
		r.p.Source = value.Text
	case "note":
		r.p.Notes = append(r.p.Notes, value.Text)
	case "lengths":
		return nil, r.readLengths(value)
	case "states":
		r.p.States, err = strconv.ParseUint(value.Text, 10, 64)
		if err != nil {
			return nil, value.Errorf(0, "unexpected %.40q: expected the number of positions that can be reached", value.Text)
		}
	case "floors":
		if r.floors != nil {
			return nil, line.Errorf(0, "a second number of floors: a puzzle has one")
		}
		r.floors = &value
	case "tray":
		if r.tray != nil {
			return nil, line.Errorf(0, "a second tray: a puzzle has one")
		}
		r.tray = rowsOf(value)
		return &r.tray, nil
	case "walls", "parts", "distinct", "alike", "horizontal", "vertical", "upright":
		r.lists[name] = append(r.lists[name], value)
	case "goal", "anywhere":
		r.goals = append(r.goals, drawing{line, name == "anywhere", rowsOf(value)})
		return &r.goals[len(r.goals)-1].rows, nil
	case "gate":
		if r.gates != nil {
			return nil, line.Errorf(0, "a second gate: a drawing can have several")
		}
		r.gates = &drawing{line, false, rowsOf(value)}
		return &r.gates.rows, nil
	case "rushhour":
		if value.Text != "" {
			return nil, value.Errorf(0, "unexpected %.40q: nothing comes behind rushhour:", value.Text)
		}
		r.rushHour = &line
	default:
		return nil, line.Errorf(0, "unknown heading %.40q: expected %s", name, headings)
	}
	return nil, nil
}

// readOneLine takes a tray and goals that are separated by spaces.
func (r *reader) readOneLine(lines []boardtext.Span) {
	for _, line := range lines {
		for _, s := range line.Words() {
			if r.tray == nil {
				r.tray = s.Rows()
			} else {
				r.goals = append(r.goals, drawing{s, false, s.Rows()})
			}
		}
	}
}

// readLengths reads known lengths, such as "steps 116, moves 81".
func (r *reader) readLengths(s boardtext.Span) error {
	for start := 0; start <= len(s.Text); {
		part, _, _ := strings.Cut(s.Text[start:], ",")
		fields := strings.Fields(part)
		end := start + len(part) + 1
		start += len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
		if len(fields) != 2 {
			return s.Errorf(start, "expected a metric and a length, such as moves 81")
		}
		m, err := ParseMetric(fields[0])
		if err != nil {
			return s.Errorf(start, "%v", err)
		}
		n, err := strconv.ParseUint(fields[1], 10, 31)
		if err != nil {
			return s.Errorf(start, "unexpected %.40q: expected a length", fields[1])
		}
		r.p.Lengths[m] = int(n)
		start = end
	}
	return nil
}
