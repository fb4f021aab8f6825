package slide

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rushHourSide is the side of a Rush Hour tray.
const rushHourSide = 6

var (
	rushHourText = regexp.MustCompile(`^[A-Zox.]{36}$`)
	knuthText    = regexp.MustCompile(`^ *([0-9]+) +x +([0-9]+)(?: (.*))?$`)
)

// ParseRushHour reads a Rush Hour puzzle of 36 characters, row by row, as in M. Fogleman's
// data base: capital letters are cars, o or . an empty cell, x a wall. Car A is to
// reach the right edge. ParsePuzzle knows such a text by its form.
func ParseRushHour(text string) (*Puzzle, error) {
	text = strings.TrimSpace(text)
	if !rushHourText.MatchString(text) {
		return nil, &SyntaxError{Line: 1, Col: 1, Reason: "expected 36 characters: capital letters (cars), o or . (empty), x (walls)"}
	}
	row := strings.IndexByte(text, 'A') / rushHourSide
	length := strings.Count(text, "A")
	if length == 0 {
		return nil, &SyntaxError{Line: 1, Col: 1, Reason: "no car A: it is the one that is to reach the right edge"}
	}
	goal := slices.Repeat([]string{"......"}, rushHourSide)
	goal[row] = strings.Repeat(".", max(0, rushHourSide-length)) + strings.Repeat("A", min(length, rushHourSide))
	rows := inRows(strings.NewReplacer("o", ".", "x", "#").Replace(text), rushHourSide)
	if n := strings.LastIndexByte(text[row*rushHourSide:][:rushHourSide], 'x'); n >= max(0, rushHourSide-length) {
		return nil, &SyntaxError{Line: 1, Col: row*rushHourSide + n + 1, Reason: "a wall keeps car A from the right edge"}
	}
	p, err := ParsePuzzle("rushhour:\ntray:\n" + strings.ReplaceAll(rows, "/", "\n") + "\ngoal:\n" + strings.Join(goal, "\n") + "\n")
	if at, ok := err.(*SyntaxError); ok && at.Line > 2 {
		err = &SyntaxError{Line: 1, Col: (min(at.Line, 2+rushHourSide)-3)*rushHourSide + at.Col, Reason: at.Reason}
	}
	return p, err
}

// ParseKnuth reads the input of D. E. Knuth's program SLIDING: a line "rows x columns", a
// line "name = pattern" for each kind of piece, with 1 for its cells, rows separated by /,
// and two lines for the start and the goal, which name the kind at the first cell not
// filled yet, 0 if it is empty, x if it is a wall. Pieces of a kind are interchangeable.
// Where SLIDING wants all pieces in the goal, a goal of some is read as well, and 0 then
// stands for anything; pieces in several parts, which it allows, are not read. ParsePuzzle
// knows such a text by its first line.
func ParseKnuth(text string) (*Puzzle, error) {
	var lines []span
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if line = strings.TrimRight(line, " \t\r"); line != "" {
			lines = append(lines, span{i + 1, 1, line})
		}
	}
	if len(lines) == 0 || !knuthText.MatchString(lines[0].text) {
		return nil, &SyntaxError{Line: 1, Col: 1, Reason: "expected the size of the tray, such as 5 x 4"}
	}
	size := knuthText.FindStringSubmatch(lines[0].text)
	k := &knuthReader{patterns: make(map[byte][]Cell), names: make(map[byte][]byte)}
	k.rows, _ = strconv.Atoi(size[1]) // digits; too many of them are too large
	k.cols, _ = strconv.Atoi(size[2])
	if k.rows < 1 || k.cols < 1 || k.rows > MaxSide || k.cols > MaxSide {
		return nil, lines[0].errorf(0, "a tray has 1 to %d rows and columns", MaxSide)
	}
	if len(lines) < 3 {
		return nil, lines[len(lines)-1].errorf(0, "expected kinds of pieces, a start and a goal below")
	}
	for _, s := range lines[1 : len(lines)-2] {
		if err := k.kind(s); err != nil {
			return nil, err
		}
	}
	start, goal := lines[len(lines)-2], lines[len(lines)-1]
	tray, err := k.fill(start, func(kind byte, _ int) (byte, bool) {
		if len(k.order) == len(tileNames) {
			return 0, false
		}
		name := tileNames[len(k.order)]
		k.order = append(k.order, name)
		k.names[kind] = append(k.names[kind], name)
		return name, true
	})
	if err != nil {
		return nil, err
	}
	want, err := k.fill(goal, func(kind byte, nth int) (byte, bool) {
		if nth >= len(k.names[kind]) {
			return 0, false
		}
		return k.names[kind][nth], true
	})
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	if title := strings.TrimSpace(size[3]); title != "" {
		fmt.Fprintf(&b, "title: %s\n", title)
	}
	fmt.Fprintf(&b, "tray:\n%s\n", tray)
	goalLine := 1 + strings.Count(b.String(), "\n")
	fmt.Fprintf(&b, "goal:\n%s\n", want)
	var kinds []byte
	for kind := range k.names {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		fmt.Fprintf(&b, "alike: %s\n", spaced(k.names[kind]))
	}
	p, err := ParsePuzzle(b.String())
	if at, ok := err.(*SyntaxError); ok {
		if at.Line >= goalLine {
			start = goal
		}
		err = start.errorf(0, "%s", at.Reason)
	}
	return p, err
}

type knuthReader struct {
	rows, cols int
	patterns   map[byte][]Cell // from the first cell on
	names      map[byte][]byte // of the pieces of a kind
	order      []byte
}

// kind reads a line such as "1 = 11/01".
func (k *knuthReader) kind(s span) error {
	name, pattern, ok := strings.Cut(s.text, "=")
	name = strings.TrimSpace(name)
	if !ok || len(name) != 1 || !strings.Contains("123456789abcdef", name) {
		return s.errorf(0, "expected a kind of piece, such as 1 = 11/01, named 1 to 9 or a to f")
	}
	if k.patterns[name[0]] != nil {
		return s.errorf(0, "a second kind %s", name)
	}
	var cells []Cell
	offset := len(s.text) - len(pattern)
	row, col := 0, 0
	for i, ch := range pattern {
		switch ch {
		case ' ':
			continue
		case '1':
			cells = append(cells, Cell{row, col})
			col++
		case '0':
			col++
		case '/':
			row, col = row+1, 0
		default:
			return s.errorf(offset+i, "unexpected %q in a pattern: expected 1, 0 and /", ch)
		}
	}
	if len(cells) == 0 {
		return s.errorf(offset, "a piece without cells")
	}
	if !inOnePart(cells) {
		return s.errorf(offset, "a piece that is not in one part: its cells must touch by edges")
	}
	first := cells[0]
	for i := range cells {
		cells[i].Row -= first.Row
		cells[i].Col -= first.Col
	}
	k.patterns[name[0]] = cells
	return nil
}

// inOnePart reports whether cells hang together by edges.
func inOnePart(cells []Cell) bool {
	reached := []Cell{cells[0]}
	for i := 0; i < len(reached); i++ {
		for d := range Direction(directions) {
			if c := reached[i].step(d); slices.Contains(cells, c) && !slices.Contains(reached, c) {
				reached = append(reached, c)
			}
		}
	}
	return len(reached) == len(cells)
}

// fill draws the tray of a line. Name gives a piece its name, by its kind and how many of
// the kind there are before it.
func (k *knuthReader) fill(s span, name func(kind byte, nth int) (byte, bool)) (string, error) {
	grid := make([][]byte, k.rows)
	for r := range grid {
		grid[r] = make([]byte, k.cols)
	}
	cell := 0
	seen := make(map[byte]int)
	for at, ch := range s.text {
		if ch == ' ' {
			continue
		}
		for cell < k.rows*k.cols && grid[cell/k.cols][cell%k.cols] != 0 {
			cell++
		}
		if cell == k.rows*k.cols {
			return "", s.errorf(at, "unexpected %q: the tray is full", ch)
		}
		switch ch {
		case '0':
			grid[cell/k.cols][cell%k.cols] = '.'
			continue
		case 'x':
			grid[cell/k.cols][cell%k.cols] = '#'
			continue
		}
		if ch > 'f' || k.patterns[byte(ch)] == nil {
			return "", s.errorf(at, "unexpected %q: expected the name of a kind of piece, 0 (empty) or x (a wall)", ch)
		}
		letter, ok := name(byte(ch), seen[byte(ch)])
		seen[byte(ch)]++
		if !ok {
			return "", s.errorf(at, "too many pieces of kind %c", ch)
		}
		for _, c := range k.patterns[byte(ch)] {
			r, col := cell/k.cols+c.Row, cell%k.cols+c.Col
			if r < 0 || r >= k.rows || col < 0 || col >= k.cols {
				return "", s.errorf(at, "piece %c leaves the tray", ch)
			}
			if grid[r][col] != 0 {
				return "", s.errorf(at, "piece %c overlaps another or a wall", ch)
			}
			grid[r][col] = letter
		}
	}
	var rows []string
	for _, row := range grid {
		for c := range row {
			if row[c] == 0 {
				row[c] = '.'
			}
		}
		rows = append(rows, string(row))
	}
	return strings.Join(rows, "\n"), nil
}
