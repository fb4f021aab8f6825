package slide

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"pagoda/statespace"
)

// A SyntaxError says where a text is no puzzle, and why.
type SyntaxError = statespace.SyntaxError

// maxText bounds a puzzle's text.
const maxText = 1 << 20

// headings are the words that may stand before a colon.
const headings = "title, author, source, note, lengths, states, tray, walls, goal, anywhere, rushhour, horizontal, vertical, distinct or alike"

// A span is a part of a line of text.
type span struct {
	line, col int
	text      string
}

func (s span) errorf(offset int, format string, args ...any) error {
	return &SyntaxError{Line: s.line, Col: s.col + utf8.RuneCountInString(s.text[:offset]), Reason: fmt.Sprintf(format, args...)}
}

// A reader collects what a text says.
type reader struct {
	p          *Puzzle
	tray       []span // rows
	walls      []span
	goals      []drawing
	rushHour   *span
	axes       [3][]span
	distinct   []span
	alike      []span
	start      []uint64 // cells of each piece
	mark       []int
	cells      []origin // of each cell
	where      []origin // of each piece's first cell
	pieceNamed map[byte]int
}

// A drawing is rows below a heading.
type drawing struct {
	heading  span
	anywhere bool
	rows     []span
}

// An origin is a character of a row.
type origin struct {
	row span
	at  int
}

// ParsePuzzle reads a puzzle as the package's introduction describes it. A fault is a
// *SyntaxError. It also reads the formats of ParseRushHour and ParseKnuth.
func ParsePuzzle(text string) (*Puzzle, error) {
	if len(text) > maxText {
		return nil, &SyntaxError{Line: 1, Col: 1, Reason: fmt.Sprintf("a puzzle has at most %d bytes of text", maxText)}
	}
	text = strings.TrimPrefix(text, "\ufeff") // a byte order mark
	if trimmed := strings.TrimSpace(text); rushHourText.MatchString(trimmed) {
		return ParseRushHour(trimmed)
	}
	if first, _, _ := strings.Cut(text, "\n"); knuthText.MatchString(strings.TrimRight(first, "\r")) {
		return ParseKnuth(text)
	}
	r := &reader{p: new(Puzzle), pieceNamed: make(map[byte]int)}
	if err := r.read(text); err != nil {
		return nil, err
	}
	for _, step := range []func() error{r.makeTray, r.readWalls, r.readAxes, r.readGoals, r.readMarks} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	r.p.sortKinds(r.start, r.mark)
	return r.p, nil
}

// read sorts the lines of the text by their headings.
func (r *reader) read(text string) error {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if one := strings.TrimSpace(text); strings.Contains(one, "/") && !strings.ContainsAny(one, ":\n") {
		r.readOneLine(text)
		return nil
	}
	rows := &r.tray
	hasTray := false
	for i, line := range strings.Split(text, "\n") {
		s := span{i + 1, 1, strings.TrimRightFunc(line, unicode.IsSpace)}
		if s.text == "" {
			continue
		}
		name, rest, ok := strings.Cut(s.text, ":")
		if !ok {
			if rows == nil {
				return s.errorf(0, "unexpected row: rows belong below tray: or goal:")
			}
			*rows = append(*rows, s.rows()...)
			continue
		}
		value := span{s.line, s.col + utf8.RuneCountInString(name) + 1, rest}
		trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
		value.col += utf8.RuneCountInString(rest[:len(rest)-len(trimmed)])
		value.text = trimmed
		rows = nil
		switch name {
		case "title":
			r.p.Title = value.text
		case "author":
			r.p.Author = value.text
		case "source":
			r.p.Source = value.text
		case "note":
			r.p.Notes = append(r.p.Notes, value.text)
		case "lengths":
			if err := r.readLengths(value); err != nil {
				return err
			}
		case "states":
			n, err := strconv.ParseUint(value.text, 10, 64)
			if err != nil {
				return value.errorf(0, "unexpected %.40q: expected the number of positions that can be reached", value.text)
			}
			r.p.States = n
		case "tray":
			if hasTray || len(r.tray) > 0 {
				return s.errorf(0, "a second tray: there is one")
			}
			hasTray = true
			r.tray = value.rows()
			rows = &r.tray
		case "walls":
			r.walls = append(r.walls, value)
		case "goal", "anywhere":
			r.goals = append(r.goals, drawing{s, name == "anywhere", value.rows()})
			rows = &r.goals[len(r.goals)-1].rows
		case "rushhour":
			if value.text != "" {
				return value.errorf(0, "unexpected %.40q: nothing comes behind rushhour:", value.text)
			}
			r.rushHour = &s
		case "horizontal":
			r.axes[Horizontal] = append(r.axes[Horizontal], value)
		case "vertical":
			r.axes[Vertical] = append(r.axes[Vertical], value)
		case "distinct":
			r.distinct = append(r.distinct, value)
		case "alike":
			r.alike = append(r.alike, value)
		default:
			return s.errorf(0, "unknown heading %.40q: expected %s", name, headings)
		}
	}
	return nil
}

// readOneLine reads a tray and goals, separated by spaces.
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
			s := span{i + 1, col, word}
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

// rows splits a part of a line at its slashes; there are none in an empty one.
func (s span) rows() []span {
	if s.text == "" {
		return nil
	}
	var rows []span
	col := s.col
	for row := range strings.SplitSeq(s.text, "/") {
		rows = append(rows, span{s.line, col, row})
		col += utf8.RuneCountInString(row) + 1
	}
	return rows
}

// readLengths reads published lengths: "steps 116, moves 81".
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

func isName(ch rune) bool {
	return 'A' <= ch && ch <= 'Z' || 'a' <= ch && ch <= 'z' || '0' <= ch && ch <= '9'
}

// makeTray makes the cells and the pieces.
func (r *reader) makeTray() error {
	var cells []Cell
	var names []byte
	cols := 0
	for row, s := range r.tray {
		if row >= MaxSide {
			return s.errorf(0, "a tray has at most %d rows", MaxSide)
		}
		col := 0
		for at, ch := range s.text {
			if col >= MaxSide {
				return s.errorf(at, "a tray has at most %d columns", MaxSide)
			}
			switch {
			case ch == ' ' || ch == '#':
			case ch == '.' || isName(ch):
				if len(cells) == MaxCells {
					return s.errorf(at, "a tray has at most %d cells besides walls", MaxCells)
				}
				cells = append(cells, Cell{row, col})
				names = append(names, byte(ch))
				r.cells = append(r.cells, origin{s, at})
				cols = max(cols, col+1)
			default:
				return s.errorf(at, "unexpected %q: expected a letter or digit (a piece), . (empty), # or a space (a wall)", ch)
			}
			col++
		}
	}
	if len(cells) == 0 {
		return &SyntaxError{Line: 1, Col: 1, Reason: "no tray: expected rows of letters or digits (pieces), . (empty) and # (walls)"}
	}
	p := r.p
	p.tray = newTray(cells[len(cells)-1].Row+1, cols, cells)
	for i, name := range names {
		if name == '.' {
			continue
		}
		n, seen := r.pieceNamed[name]
		if !seen {
			n = len(p.pieces)
			r.pieceNamed[name] = n
			p.pieces = append(p.pieces, piece{name: name, at: uint8(i)})
			r.start = append(r.start, 0)
			r.where = append(r.where, r.cells[i])
		}
		r.start[n] |= 1 << i
	}
	for i, cells := range r.start {
		if stray := cells &^ p.connected(cells); stray != 0 {
			return r.cells[anchor(stray)].errorf("piece %c is not in one part: this cell does not hang together with its first; the cells of a piece touch by edges, and two pieces have two names", p.pieces[i].name)
		}
	}
	if len(p.pieces) == 0 {
		return r.tray[0].errorf(0, "no piece in the tray: expected letters or digits")
	}
	return nil
}

// wallText is a cell and a side of it, as in the text of a puzzle.
var wallText = regexp.MustCompile(`^\( *([0-9]{1,3}) *, *([0-9]{1,3}) *\) *(right|left|above|below)\b`)

var sideNames = map[string]Direction{"right": Right, "left": Left, "above": Up, "below": Down}

// readWalls reads thin walls: "(0,1) right, (2,3) below".
func (r *reader) readWalls() error {
	p := r.p
	for _, s := range r.walls {
		if s.text == "" {
			return s.errorf(0, "no walls: expected cells (row,column) and sides, such as (0,1) right, (2,3) below")
		}
		for at := 0; at < len(s.text); {
			if ch := s.text[at]; ch == ' ' || ch == '\t' || ch == ',' {
				at++
				continue
			}
			m := wallText.FindStringSubmatch(s.text[at:])
			if m == nil {
				return s.errorf(at, "unexpected %.40q: expected a cell (row,column), counted from 0, and one of its sides right, left, above and below, such as (0,1) right", s.text[at:])
			}
			row, _ := strconv.Atoi(m[1]) // three digits at most
			col, _ := strconv.Atoi(m[2])
			from, side := Cell{row, col}, sideNames[m[3]]
			for _, c := range []Cell{from, from.step(side)} {
				if _, ok := p.number[c]; !ok {
					return s.errorf(at, "a wall lies between two cells, and the tray has no cell in row %d, column %d (counted from 0)", c.Row, c.Col)
				}
			}
			if side == Left || side == Up {
				from, side = from.step(side), side^1
			}
			p.addWall(wall{from, side})
			both := uint64(1)<<p.number[from] | uint64(1)<<p.number[from.step(side)]
			for i, cells := range r.start {
				if cells&both == both {
					return s.errorf(at, "piece %c lies across this wall", p.pieces[i].name)
				}
			}
			at += len(m[0])
		}
	}
	return nil
}

// names calls do for each piece that a list names; * names all.
func (r *reader) names(s span, do func(at, piece int) error) error {
	if s.text == "" {
		return s.errorf(0, "no pieces: expected names of pieces, or * for all")
	}
	for at, ch := range s.text {
		if ch == '*' {
			for i := range r.p.pieces {
				if err := do(at, i); err != nil {
					return err
				}
			}
			continue
		}
		if unicode.IsSpace(ch) || ch == ',' {
			continue
		}
		n, ok := 0, false
		if isName(ch) {
			n, ok = r.pieceNamed[byte(ch)]
		}
		if !ok {
			return s.errorf(at, "unexpected %q: the tray has no such piece", ch)
		}
		if err := do(at, n); err != nil {
			return err
		}
	}
	return nil
}

// bar tells along which axis a piece lies, Free if it is no bar of two cells or more.
func (r *reader) bar(piece int) Axis {
	rows, cols := make(map[int]bool), make(map[int]bool)
	for i, c := range r.p.cells {
		if r.start[piece]>>i&1 == 1 {
			rows[c.Row] = true
			cols[c.Col] = true
		}
	}
	switch {
	case len(rows) == 1 && len(cols) > 1:
		return Horizontal
	case len(cols) == 1 && len(rows) > 1:
		return Vertical
	}
	return Free
}

func (r *reader) readAxes() error {
	p := r.p
	if r.rushHour != nil {
		for i := range p.pieces {
			if p.pieces[i].axis = r.bar(i); p.pieces[i].axis == Free {
				return r.where[i].errorf("piece %c is no straight bar of two cells or more, as rushhour: takes", p.pieces[i].name)
			}
		}
	}
	for axis, lists := range r.axes {
		for _, s := range lists {
			err := r.names(s, func(at, i int) error {
				if had := p.pieces[i].axis; had != Free && had != Axis(axis) {
					return s.errorf(at, "piece %c is %v already", p.pieces[i].name, had)
				}
				p.pieces[i].axis = Axis(axis)
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reader) readGoals() error {
	p := r.p
	for _, g := range r.goals {
		cells := make(map[int]uint64)
		first := make(map[int]origin)
		for row, s := range g.rows {
			col := 0
			for at, ch := range s.text {
				cell, ok := p.number[Cell{row, col}]
				col++
				switch {
				case ch == '.' || ch == ' ':
					continue
				case ch == '#':
					if ok {
						return s.errorf(at, "unexpected '#': the tray has no wall here; . stands for anything")
					}
					continue
				case !isName(ch):
					return s.errorf(at, "unexpected %q: expected the name of a piece, . (anything) or # (a wall)", ch)
				}
				i, known := r.pieceNamed[byte(ch)]
				if !known {
					return s.errorf(at, "unexpected %q: the tray has no such piece", ch)
				}
				if !ok {
					return s.errorf(at, "piece %c does not fit here: the tray has no cell in row %d, column %d (counted from 0)", ch, row, col-1)
				}
				if cells[i] == 0 {
					first[i] = origin{s, at}
				}
				cells[i] |= 1 << cell
			}
		}
		if len(cells) == 0 {
			return g.heading.errorf(0, "the goal names no piece: draw the tray with the names of pieces where they shall be, . elsewhere")
		}
		var places goal
		for i := range p.pieces {
			if cells[i] == 0 {
				continue
			}
			if !p.sameShape(r.start[i], cells[i]) {
				return first[i].errorf("%s", otherShape(p.pieces[i].name, r.start[i], cells[i]))
			}
			if w, split := p.split(cells[i]); split {
				return first[i].errorf("piece %c does not fit here: it would lie across the wall %v", p.pieces[i].name, w)
			}
			places = append(places, place{i, uint8(anchor(cells[i]))})
		}
		p.goals = append(p.goals, places)
		p.elsewhere = append(p.elsewhere, false)
		if g.anywhere {
			r.shiftGoal(cells)
		}
	}
	return nil
}

// shiftGoal adds a goal for each other place of a drawing where the tray has all cells
// that it names.
func (r *reader) shiftGoal(cells map[int]uint64) {
	p := r.p
	for rows := 1 - p.rows; rows < p.rows; rows++ {
		for cols := 1 - p.cols; cols < p.cols; cols++ {
			if rows == 0 && cols == 0 {
				continue
			}
			var places goal
			for i := range p.pieces {
				if to, ok := p.moved(cells[i], rows, cols); ok && to != 0 {
					places = append(places, place{i, uint8(anchor(to))})
				}
			}
			if len(places) == len(cells) {
				p.goals = append(p.goals, places)
				p.elsewhere = append(p.elsewhere, true)
			}
		}
	}
}

// otherShape says that a piece does not have the cells of its shape.
func otherShape(name byte, want, cells uint64) string {
	reason := fmt.Sprintf("piece %c has another shape here than in the tray", name)
	if n, m := bits.OnesCount64(cells), bits.OnesCount64(want); n != m {
		reason += fmt.Sprintf(" (number of cells here %d, there %d)", n, m)
	}
	return reason
}

// readMarks finds out which pieces are told apart from others of their shape: those
// that are distinct or have a goal, but not from those that they are alike with.
func (r *reader) readMarks() error {
	p := r.p
	r.mark = make([]int, len(p.pieces))
	for _, g := range p.goals {
		for _, pl := range g {
			r.mark[pl.piece] = pl.piece + 1
		}
	}
	for _, s := range r.distinct {
		if err := r.names(s, func(_, i int) error {
			if !slices.Contains(p.distinct, p.pieces[i].name) {
				p.distinct = append(p.distinct, p.pieces[i].name)
			}
			r.mark[i] = i + 1
			return nil
		}); err != nil {
			return err
		}
	}
	for n, s := range r.alike {
		if s.text == "*" { // as if no goal named any
			if len(p.distinct) > 0 || len(r.alike) > 1 {
				return s.errorf(0, "all pieces of a shape cannot be alike where other lines say distinct or alike")
			}
			clear(r.mark)
			p.alike = append(p.alike, []byte("*"))
			break
		}
		var group []byte
		head := -1
		if err := r.names(s, func(at, i int) error {
			name := p.pieces[i].name
			if head < 0 {
				head = i
			}
			if slices.Contains(p.distinct, name) || slices.ContainsFunc(p.alike, func(g []byte) bool { return slices.Contains(g, name) }) {
				return s.errorf(at, "piece %c is in another line of distinct or alike pieces already", name)
			}
			if p.pieces[i].axis != p.pieces[head].axis || !p.sameShape(r.start[i], r.start[head]) {
				return s.errorf(at, "piece %c is of another shape or axis than piece %c", name, p.pieces[head].name)
			}
			if !slices.Contains(group, name) {
				group = append(group, name)
			}
			return nil
		}); err != nil {
			return err
		}
		p.alike = append(p.alike, group)
		// If a goal names one of them, they are told apart from the others together.
		named := slices.ContainsFunc(group, func(name byte) bool { return r.mark[r.pieceNamed[name]] != 0 })
		for _, name := range group {
			if named {
				r.mark[r.pieceNamed[name]] = len(p.pieces) + 1 + n
			}
		}
	}
	return nil
}

// Format writes the puzzle so that ParsePuzzle reads it.
func (p *Puzzle) Format() string {
	var s strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&s, "%s: %s\n", name, value)
		}
	}
	line("title", p.Title)
	line("author", p.Author)
	line("source", p.Source)
	for _, n := range p.Notes {
		line("note", n)
	}
	var lengths []string
	for m, n := range p.Lengths {
		if n > 0 {
			lengths = append(lengths, fmt.Sprintf("%v %d", Metric(m), n))
		}
	}
	line("lengths", strings.Join(lengths, ", "))
	if p.States > 0 {
		line("states", strconv.FormatUint(p.States, 10))
	}
	s.WriteString("tray:\n" + strings.ReplaceAll(p.FormatPosition(p.Start()), "/", "\n") + "\n")
	var walls []string
	for _, w := range p.walls {
		walls = append(walls, w.String())
	}
	line("walls", strings.Join(walls, ", "))
	var axes [3][]byte
	for _, pc := range p.pieces {
		axes[pc.axis] = append(axes[pc.axis], pc.name)
	}
	line("horizontal", spaced(axes[Horizontal]))
	line("vertical", spaced(axes[Vertical]))
	line("distinct", spaced(p.distinct))
	for _, g := range p.alike {
		line("alike", spaced(g))
	}
	for n, g := range p.drawn {
		if p.elsewhere[n] {
			continue
		}
		cells := make([]byte, len(p.cells))
		for i := range cells {
			cells[i] = '.'
		}
		for _, pl := range g {
			for m := p.placed(pl); m != 0; m &= m - 1 {
				cells[bits.TrailingZeros64(m)] = p.pieces[pl.piece].name
			}
		}
		if n+1 < len(p.goals) && p.elsewhere[n+1] {
			s.WriteString("anywhere:\n")
		} else {
			s.WriteString("goal:\n")
		}
		for _, row := range p.draw(func(cell int) byte { return cells[cell] }) {
			s.Write(append(row, '\n'))
		}
	}
	return s.String()
}

// placed returns the cells of a place of a goal, which the piece may not be able to
// move to.
func (p *Puzzle) placed(pl place) uint64 {
	from, to := p.cells[p.pieces[pl.piece].at], p.cells[pl.at]
	var cells uint64
	start := p.kindOf(pl.piece).mask[p.pieces[pl.piece].at]
	for i, c := range p.cells {
		if start>>i&1 == 1 {
			cells |= 1 << p.number[Cell{c.Row - from.Row + to.Row, c.Col - from.Col + to.Col}]
		}
	}
	return cells
}

func spaced(names []byte) string {
	var s []string
	for _, n := range names {
		s = append(s, string(n))
	}
	return strings.Join(s, " ")
}
