package formats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/lazy"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/boardtext"
	"pagoda/statespace/cells"
)

// knuthKinds are the names of kinds of pieces.
const knuthKinds = "123456789abcdef"

var (
	knuthSize = lazy.Regexp(`^\s*([0-9]+)\s*x\s*([0-9]+)(.*)$`)
	knuthKind = lazy.Regexp(`(?m)^ *[0-9A-Za-z] *=`)
)

// isKnuth reports whether a text begins with a size, and kinds of pieces follow.
func isKnuth(text string) bool {
	first, rest, _ := strings.Cut(text, "\n")
	return knuthSize().MatchString(strings.TrimRight(first, "\r")) && (knuthKind().MatchString(rest) || strings.Contains(first, " x "))
}

// ParseKnuth reads the input of D. E. Knuth's program SLIDING. The first line is the size,
// "rows x columns", and a title. A line "name = pattern" for each kind of piece draws its cells
// as 1, in rows separated by /. The next two lines are the start and the goal. Each names, for
// every cell that no piece before covers, the kind of the piece whose first cell is there, 0 if
// the cell is empty, and x if it is a wall. Zeros at the end can be left out. Pieces of a kind are
// interchangeable. As in SLIDING, what follows the goal is a comment.
//
// In SLIDING the goal names all pieces. Here it may name some of them, and then 0 stands for
// anything. All errors are *cells.SyntaxError.
func ParseKnuth(text string) (*tray.Puzzle, error) {
	var lines []boardtext.Span
	for _, l := range boardtext.Lines(text) {
		if l.Text = strings.TrimRight(l.Text, " \t\r"); l.Text != "" {
			lines = append(lines, l)
		}
	}
	k, title, err := newKnuthReader(lines)
	if err != nil {
		return nil, err
	}
	lines = lines[1:]
	for ; len(lines) > 2 && strings.Contains(lines[0].Text, "="); lines = lines[1:] {
		if err := k.readKind(lines[0]); err != nil {
			return nil, err
		}
	}
	start, goal := lines[0], lines[1]
	startRows, err := k.draw(start, true)
	if err != nil {
		return nil, err
	}
	goalRows, err := k.draw(goal, false)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	if title != "" {
		fmt.Fprintf(&b, "title: %s\n", title)
	}
	fmt.Fprintf(&b, "parts: *\ntray:\n%s", startRows)
	goalLine := 1 + strings.Count(b.String(), "\n")
	fmt.Fprintf(&b, "goal:\n%s", goalRows)
	for _, kind := range knuthKinds {
		if names := k.names[byte(kind)]; len(names) > 0 {
			fmt.Fprintf(&b, "alike: %s\n", strings.Join(strings.Split(string(names), ""), " "))
		}
	}
	p, err := tray.Parse(b.String())
	if at, ok := err.(*cells.SyntaxError); ok {
		if at.Line >= goalLine {
			start = goal
		}
		err = start.Errorf(0, "%s", at.Reason)
	}
	return p, err
}

// A knuthReader draws the lines of Knuth's format.
type knuthReader struct {
	rows, cols int
	patterns   map[byte][]tray.Cell // by kind, relative to the first cell
	names      map[byte][]byte      // by kind: the names of its pieces
	pieces     int
}

// newKnuthReader reads the first line. There are at least two more.
func newKnuthReader(lines []boardtext.Span) (k *knuthReader, title string, err error) {
	if len(lines) == 0 || !knuthSize().MatchString(lines[0].Text) {
		return nil, "", &cells.SyntaxError{Line: 1, Col: 1, Reason: "expected the size of the tray, such as 5 x 4"}
	}
	size := knuthSize().FindStringSubmatch(lines[0].Text)
	k = &knuthReader{patterns: make(map[byte][]tray.Cell), names: make(map[byte][]byte)}
	k.rows, _ = strconv.Atoi(size[1]) // digits; with too many of them the number is too large
	k.cols, _ = strconv.Atoi(size[2])
	if k.rows < 1 || k.cols < 1 || k.rows > tray.MaxSide || k.cols > tray.MaxSide {
		return nil, "", lines[0].Errorf(0, "a tray has 1 to %d rows and columns", tray.MaxSide)
	}
	if len(lines) < 3 {
		return nil, "", lines[len(lines)-1].Errorf(0, "expected kinds of pieces, a start and a goal below")
	}
	return k, strings.TrimSpace(size[3]), nil
}

// readKind reads a line such as "1 = 11/01".
func (k *knuthReader) readKind(l boardtext.Span) error {
	name, pattern, ok := strings.Cut(l.Text, "=")
	name = strings.TrimSpace(name)
	if !ok || len(name) != 1 || !strings.Contains(knuthKinds, name) {
		return l.Errorf(0, "expected a kind of piece, such as 1 = 11/01, named 1 to 9 or a to f")
	}
	if k.patterns[name[0]] != nil {
		return l.Errorf(0, "a second kind %s", name)
	}
	var piece []tray.Cell
	offset := len(l.Text) - len(pattern)
	row, col := 0, 0
	for i, ch := range pattern {
		switch ch {
		case ' ':
			continue
		case '1':
			piece = append(piece, tray.Cell{Row: row, Col: col})
			col++
		case '0':
			col++
		case '/':
			row, col = row+1, 0
		default:
			return l.Errorf(offset+i, "unexpected %q in a pattern: expected 1, 0 and /", ch)
		}
	}
	if len(piece) == 0 {
		return l.Errorf(offset, "a piece without cells")
	}
	k.patterns[name[0]] = cells.Shift(piece, tray.Cell{Row: -piece[0].Row, Col: -piece[0].Col})
	return nil
}

// draw draws the tray of a line. The start gives the pieces their names.
func (k *knuthReader) draw(l boardtext.Span, start bool) (string, error) {
	drawn := newGrid(k.rows, k.cols)
	where := func(cell int) tray.Cell { return tray.Cell{Row: cell / k.cols, Col: cell % k.cols} }
	cell := 0
	seen := make(map[byte]int)
	for at, ch := range l.Text {
		if ch == ' ' {
			continue
		}
		for cell < k.rows*k.cols && !drawn.free(where(cell)) {
			cell++
		}
		switch {
		case cell == k.rows*k.cols:
			return "", l.Errorf(at, "unexpected %q: the tray is full", ch)
		case ch == '0':
			drawn.set(where(cell), ' ') // it is empty, and no piece can come here
			continue
		case ch == 'x':
			drawn.set(where(cell), '#')
			continue
		case ch > 'f' || k.patterns[byte(ch)] == nil:
			return "", l.Errorf(at, "unexpected %q: expected the name of a kind of piece, 0 (empty) or x (a wall)", ch)
		}
		kind := byte(ch)
		if start && k.pieces < len(tray.PieceNames) {
			k.names[kind] = append(k.names[kind], tray.PieceNames[k.pieces])
			k.pieces++
		}
		if seen[kind] == len(k.names[kind]) {
			return "", l.Errorf(at, "too many pieces of kind %c", ch)
		}
		name := k.names[kind][seen[kind]]
		seen[kind]++
		switch to, ok := drawn.put(cells.Shift(k.patterns[kind], where(cell)), name); {
		case ok:
		case min(to.Row, to.Col) < 0 || to.Row >= k.rows || to.Col >= k.cols:
			return "", l.Errorf(at, "piece %c leaves the tray", ch)
		default:
			return "", l.Errorf(at, "piece %c overlaps another or a wall", ch)
		}
	}
	return strings.ReplaceAll(drawn.String(), " ", "."), nil
}

// FormatKnuth writes a puzzle as ParseKnuth reads it. The puzzle must have at most 15 kinds of
// pieces, no thin walls, pieces that move in all directions, and one goal that names all pieces.
// If it is different, the error says how. What is known about the puzzle is lost, except the
// title.
func FormatKnuth(p *tray.Puzzle) (string, error) {
	names := p.Pieces()
	if len(p.Kinds()) > len(knuthKinds) {
		return "", fmt.Errorf("the puzzle has %d kinds of pieces, the format has %d names", len(p.Kinds()), len(knuthKinds))
	}
	goal, err := freeGoal(p)
	if err != nil {
		return "", err
	}
	if len(goal) < len(names) {
		return "", fmt.Errorf("the goal names %d of %d pieces, one of the format names all", len(goal), len(names))
	}
	var start []tray.Want
	for i := range len(names) {
		start = append(start, tray.Want{Piece: i, Cells: p.PieceCells(p.Start(), i)})
	}
	var b strings.Builder
	rows, cols := p.Size()
	fmt.Fprintf(&b, "%s\n", strings.TrimSpace(fmt.Sprintf("%d x %d %s", rows, cols, p.Title)))
	for i, k := range p.Kinds() {
		fmt.Fprintf(&b, "%c = %s\n", knuthKinds[i], knuthPattern(p.PieceCells(p.Start(), k.Pieces[0])))
	}
	fmt.Fprintf(&b, "%s\n%s\n", knuthLine(p, start), knuthLine(p, goal))
	return b.String(), nil
}

// knuthLine writes where the pieces are.
func knuthLine(p *tray.Puzzle, pieces []tray.Want) string {
	kind, covered := make(map[tray.Cell]byte), make(map[tray.Cell]bool)
	for _, piece := range pieces {
		kind[piece.Cells[0]] = knuthKinds[p.KindOf(piece.Piece)]
		for _, c := range piece.Cells[1:] {
			covered[c] = true
		}
	}
	var text []byte
	rows, cols := p.Size()
	for r := range rows {
		for c := range cols {
			cell := tray.Cell{Row: r, Col: c}
			_, ok := p.Number(cell)
			switch {
			case !ok:
				text = append(text, 'x')
			case kind[cell] != 0:
				text = append(text, kind[cell])
			case !covered[cell]:
				text = append(text, '0')
			}
		}
	}
	return string(text)
}

// knuthPattern draws the cells of a piece with 1, 0 and /.
func knuthPattern(cells []tray.Cell) string {
	b := boxOf(cells)
	rows := slices.Repeat([]string{""}, b.rows)
	for _, c := range cells {
		row := &rows[c.Row-b.top]
		*row += strings.Repeat("0", c.Col-b.left-len(*row)) + "1"
	}
	return strings.Join(rows, "/")
}
