package slide

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rushHourSide is the side of a Rush Hour tray.
const rushHourSide = 6

var (
	rushHourText = regexp.MustCompile(`^[A-Zox.]{36}$`)
	knuthText    = regexp.MustCompile(`^ *([0-9]+) +x +([0-9]+)(?: .*)?$`)
)

// ParseRushHour reads a Rush Hour puzzle of 36 characters, row by row, as in M. Fogleman's
// data base: capital letters are cars, o or . an empty cell, x a wall. Car A is to
// reach the right edge. ParsePuzzle knows such a text by its form.
func ParseRushHour(text string) (*Puzzle, error) {
	text = strings.TrimSpace(text)
	if !rushHourText.MatchString(text) {
		return nil, &SyntaxError{1, 1, "expected 36 characters: capital letters (cars), o or . (empty), x (walls)"}
	}
	row := strings.IndexByte(text, 'A') / rushHourSide
	length := strings.Count(text, "A")
	if length == 0 {
		return nil, &SyntaxError{1, 1, "no car A: it is the one that is to reach the right edge"}
	}
	goal := slices.Repeat([]string{"......"}, rushHourSide)
	goal[row] = strings.Repeat(".", max(0, rushHourSide-length)) + strings.Repeat("A", min(length, rushHourSide))
	rows := inRows(strings.NewReplacer("o", ".", "x", "#").Replace(text), rushHourSide)
	if n := strings.LastIndexByte(text[row*rushHourSide:][:rushHourSide], 'x'); n >= max(0, rushHourSide-length) {
		return nil, &SyntaxError{1, row*rushHourSide + n + 1, "a wall keeps car A from the right edge"}
	}
	p, err := ParsePuzzle("rushhour:\ntray:\n" + strings.ReplaceAll(rows, "/", "\n") + "\ngoal:\n" + strings.Join(goal, "\n") + "\n")
	if at, ok := err.(*SyntaxError); ok && at.Line > 2 {
		err = &SyntaxError{1, (min(at.Line, 2+rushHourSide)-3)*rushHourSide + at.Col, at.Reason}
	}
	return p, err
}

// RushHour writes the start as ParseRushHour reads it. It fails if the puzzle is no Rush
// Hour of 6 x 6 whose goal is one car at the right edge.
func (p *Puzzle) RushHour() (string, error) {
	if p.rows > rushHourSide || p.cols > rushHourSide || len(p.pieces) > 26 {
		return "", fmt.Errorf("a Rush Hour has %d rows and columns and 26 cars at most", rushHourSide)
	}
	if len(p.goals) != 1 || len(p.goals[0]) != 1 {
		return "", fmt.Errorf("a Rush Hour has one goal, of one car")
	}
	want := p.goals[0][0]
	if last := p.cells[63-bits.LeadingZeros64(p.placed(want))]; last.Col != rushHourSide-1 || p.pieces[want.piece].axis != Horizontal {
		return "", fmt.Errorf("the goal of a Rush Hour is a horizontal car at the right edge")
	}
	text := []byte(strings.Repeat("x", rushHourSide*rushHourSide))
	for _, c := range p.cells {
		text[c.Row*rushHourSide+c.Col] = 'o'
	}
	name := byte('A')
	for i, pc := range p.pieces {
		letter := byte('A')
		if i != want.piece {
			name++
			letter = name
		}
		rows, cols := make(map[int]bool), make(map[int]bool)
		for m := p.mask(p.Start(), i); m != 0; m &= m - 1 {
			c := p.cells[bits.TrailingZeros64(m)]
			text[c.Row*rushHourSide+c.Col] = letter
			rows[c.Row], cols[c.Col] = true, true
		}
		if pc.axis == Free || pc.axis == Horizontal && (len(rows) > 1 || len(cols) == 1) || pc.axis == Vertical && (len(cols) > 1 || len(rows) == 1) {
			return "", fmt.Errorf("piece %c is no car: a bar of two cells or more that moves lengthwise", pc.name)
		}
	}
	return string(text), nil
}

// ParseKnuth reads the input of D. E. Knuth's program SLIDING: a line "rows x columns", a
// line "name = pattern" for each kind of piece, with 1 for its cells, rows separated by /,
// and two lines for the start and the goal, which name the kind at the first cell not
// filled yet, 0 if it is empty or in the goal anything, x if it is a wall. Pieces of
// a kind are interchangeable. ParsePuzzle knows such a text by its first line.
func ParseKnuth(text string) (*Puzzle, error) {
	var lines []span
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if line = strings.TrimRight(line, " \t\r"); line != "" {
			lines = append(lines, span{i + 1, 1, line})
		}
	}
	if len(lines) == 0 || !knuthText.MatchString(lines[0].text) {
		return nil, &SyntaxError{1, 1, "expected the size of the tray, such as 5 x 4"}
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
	if title := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(lines[0].text), size[1]+" x "+size[2])); title != "" {
		fmt.Fprintf(&b, "title: %s\n", title)
	}
	fmt.Fprintf(&b, "tray:\n%s\ngoal:\n%s\n", tray, want)
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
	first := cells[0]
	for i := range cells {
		cells[i].Row -= first.Row
		cells[i].Col -= first.Col
	}
	k.patterns[name[0]] = cells
	return nil
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

// Knuth writes the puzzle as ParseKnuth reads it. It fails if there are more than 15
// kinds, not just one goal, or pieces that move along one axis only.
func (p *Puzzle) Knuth() (string, error) {
	const names = "123456789abcdef"
	if len(p.kinds) > len(names) {
		return "", fmt.Errorf("the puzzle has %d kinds of pieces, the format %d names", len(p.kinds), len(names))
	}
	if len(p.goals) != 1 {
		return "", fmt.Errorf("the puzzle has %d goals, the format one", len(p.goals))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d x %d %s\n", p.rows, p.cols, p.Title)
	for i := range p.kinds {
		first := p.kinds[i].pieces[0]
		if p.pieces[first].axis != Free {
			return "", fmt.Errorf("piece %c moves along one axis only, which the format cannot say", p.pieces[first].name)
		}
		mask := p.mask(p.Start(), first)
		top, left, bottom, right := p.rows, p.cols, 0, 0
		for m := mask; m != 0; m &= m - 1 {
			c := p.cells[bits.TrailingZeros64(m)]
			top, bottom, left, right = min(top, c.Row), max(bottom, c.Row), min(left, c.Col), max(right, c.Col)
		}
		var rows []string
		for r := top; r <= bottom; r++ {
			row := ""
			for col := left; col <= right; col++ {
				if n, ok := p.number[Cell{r, col}]; ok && mask>>n&1 == 1 {
					row += "1"
				} else {
					row += "0"
				}
			}
			rows = append(rows, strings.TrimRight(row, "0"))
		}
		fmt.Fprintf(&b, "%c = %s\n", names[i], strings.Join(rows, "/"))
	}
	write := func(places []place) {
		kindAt, taken := make(map[int]byte), uint64(0)
		for _, pl := range places {
			cells := p.placed(pl)
			kindAt[anchor(cells)] = names[p.pieces[pl.piece].kind]
			taken |= cells &^ (cells & -cells)
		}
		for r := range p.rows {
			for c := range p.cols {
				n, ok := p.number[Cell{r, c}]
				switch {
				case !ok:
					b.WriteByte('x')
				case kindAt[n] != 0:
					b.WriteByte(kindAt[n])
				case taken>>n&1 == 0:
					b.WriteByte('0')
				}
			}
		}
		b.WriteByte('\n')
	}
	var start []place
	for i, pc := range p.pieces {
		start = append(start, place{i, pc.at})
	}
	write(start)
	write(p.goals[0])
	return b.String(), nil
}
