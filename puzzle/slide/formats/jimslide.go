package formats

import (
	"fmt"
	"maps"
	"pagoda/statespace/cells"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/lazy"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/boardtext"
)

var (
	jimSize    = lazy.Regexp(`(?im)^[ \t]*xsize[ \t]*:`)
	jimCommand = lazy.Regexp(`^[ \t]*([A-Za-z]+)[ \t]*:`)
	jimNumber  = lazy.Regexp(`^[ \t]*(-?[0-9]{1,6})`)
	jimPair    = lazy.Regexp(`^[ \t]*\([ \t]*(-?[0-9]{1,6})[ \t]*,[ \t]*(-?[0-9]{1,6})[ \t]*\)`)
	jimLabel   = lazy.Regexp(`^[ \t]*'(.)'`)
)

// jimOptions are the commands that say how JimSlide searches and prints, and nothing of the puzzle.
const jimOptions = " useletters hexprint winonly bigmem smallmem numthreads diskthreads cachepercent nograph noconcurrent cutoff directed checkfulltree "

// ParseJimSlide reads the configuration file of J. Leonard's programs JimSlide and js2: a command on
// each line, with numbers and pairs (x,y), which count columns and rows from 0.
//
//	xsize: 4, ysize: 5             the size of the tray
//	wall: (x,y)                    a cell of wall
//	hwall: y (x1,x2)               a row of them; vwall: x (y1,y2) is a column of them
//	piece: 1 (0,0) (1,0) (0,1)     the shape of pieces of type 1
//	lockx: 1, locky: 1             they do not move along rows, or columns
//	put: 1 (x,y) 'c'               places one, with a character to print it
//	win: 1 (x,y)                   such a piece must be there in the end; all wins count
//
// Lines that begin with ! or #, and what stands behind a command, are comments. How the program
// searches and prints is passed over. Steps of more than one cell (xstep, ystep) and wins of empty
// cells (win: 0) cannot be expressed here, and are errors. All errors are *cells.SyntaxError.
func ParseJimSlide(text string) (*tray.Puzzle, error) {
	j := &jimReader{types: make(map[int]*jimType), walls: make(map[tray.Cell]bool), names: make(map[byte]bool)}
	for _, l := range boardtext.Lines(text) {
		if trimmed := strings.TrimSpace(l.Text); trimmed == "" || trimmed[0] == '!' || trimmed[0] == '#' {
			continue
		}
		m := jimCommand().FindStringSubmatch(l.Text)
		if m == nil {
			return nil, l.Errorf(0, "expected a command such as piece: 1 (0,0), or ! and a comment")
		}
		if err := j.read(l, strings.ToLower(m[1]), len(m[0])); err != nil {
			return nil, err
		}
	}
	return j.puzzle()
}

// A jimType is what the pieces of a type have in common.
type jimType struct {
	cells  []tray.Cell // relative to where it is put
	axis   string      // the heading of those that move along it only, or empty
	pieces string      // their names
	wins   int         // how many of them have a place to come to
}

// jimAxes are the headings of pieces that do not move along rows, or columns.
var jimAxes = map[string]string{"lockx": "vertical", "locky": "horizontal"}

// A jimPlace is a command that places a piece, or says where one must come.
type jimPlace struct {
	line boardtext.Span
	kind int
	at   tray.Cell
	name byte
}

type jimReader struct {
	rows, cols int
	types      map[int]*jimType
	walls      map[tray.Cell]bool
	puts, wins []jimPlace
	names      map[byte]bool
}

// Arguments are what stands behind a command. After an error there are no more, and the error stays.
type arguments struct {
	rest boardtext.Span
	err  error
}

// wrong sets the error, at a part of the line.
func (a *arguments) wrong(at boardtext.Span, format string, args ...any) {
	if a.err == nil {
		a.err = at.Errorf(0, format, args...)
	}
}

// number reads a number.
func (a *arguments) number() (n int) {
	m := jimNumber().FindStringSubmatch(a.rest.Text)
	if m == nil {
		a.wrong(a.rest, "expected a number")
		return 0
	}
	n, _ = strconv.Atoi(m[1]) // at most six digits
	a.rest = a.rest.From(len(m[0]))
	return n
}

// pair reads a pair (x,y). It reports false if there is none.
func (a *arguments) pair() (c tray.Cell, ok bool) {
	m := jimPair().FindStringSubmatch(a.rest.Text)
	if m == nil {
		return c, false
	}
	c.Col, _ = strconv.Atoi(m[1])
	c.Row, _ = strconv.Atoi(m[2])
	a.rest = a.rest.From(len(m[0]))
	return c, true
}

// cell is pair where one must be.
func (a *arguments) cell() tray.Cell {
	c, ok := a.pair()
	if !ok {
		a.wrong(a.rest, "expected a column and a row, such as (2,0)")
	}
	return c
}

// read reads a command. Its arguments begin at a byte of the line.
func (j *jimReader) read(l boardtext.Span, command string, at int) error {
	a := &arguments{rest: l.From(at)}
	switch command {
	case "xsize":
		j.cols = a.number()
	case "ysize":
		j.rows = a.number()
	case "wall":
		j.walls[a.cell()] = true
	case "hwall", "vwall":
		j.readWalls(a, command == "hwall")
	case "piece":
		j.readPiece(a)
	case "lockx", "locky", "xstep", "ystep":
		j.limit(a, command)
	case "put", "win":
		j.place(a, l, command)
	default:
		if !strings.Contains(jimOptions, " "+command+" ") {
			a.wrong(l, "unknown command %.20q: expected xsize, ysize, wall, hwall, vwall, piece, lockx, locky, put or win", command)
		}
	}
	return a.err
}

// readWalls reads a row or a column of walls.
func (j *jimReader) readWalls(a *arguments, row bool) {
	n, ends := a.number(), a.cell()
	if a.err != nil || n < 0 || n >= tray.MaxSide { // beyond every tray
		return
	}
	for i := max(0, min(ends.Col, ends.Row)); i <= min(max(ends.Col, ends.Row), tray.MaxSide-1); i++ {
		if row {
			j.walls[tray.Cell{Row: n, Col: i}] = true
		} else {
			j.walls[tray.Cell{Row: i, Col: n}] = true
		}
	}
}

// readPiece reads the shape of a type of pieces.
func (j *jimReader) readPiece(a *arguments) {
	at := a.rest
	kind := a.number()
	if kind == 0 || j.types[kind] != nil {
		a.wrong(at, "type %d: expected a new type of pieces; 0 is an empty cell", kind)
	}
	t := &jimType{cells: []tray.Cell{a.cell()}}
	for c, ok := a.pair(); ok; c, ok = a.pair() { // what follows is a comment
		t.cells = append(t.cells, c)
	}
	if a.err == nil {
		j.types[kind] = t
	}
}

// typeAt reads the number of a type that is defined.
func (j *jimReader) typeAt(a *arguments) (kind int, t *jimType) {
	at := a.rest
	kind = a.number()
	if t = j.types[kind]; t == nil {
		a.wrong(at, "no piece: above this line defines type %d", kind)
		t = new(jimType)
	}
	return kind, t
}

// limit reads how a type of pieces cannot move.
func (j *jimReader) limit(a *arguments, command string) {
	at := a.rest
	kind, t := j.typeAt(a)
	axis, locks := jimAxes[command]
	other := t.axis
	if !locks {
		if n := a.number(); n != 1 {
			a.wrong(at, "steps of %d cells cannot be expressed: here a piece can stop in each cell", n)
		}
	} else if t.axis = axis; other != "" && other != axis {
		a.wrong(at, "pieces of type %d can never move: write wall: instead of them", kind)
	}
}

// place reads where a piece is at the start, or in the end.
func (j *jimReader) place(a *arguments, l boardtext.Span, command string) {
	if command == "win" {
		if m := jimNumber().FindStringSubmatch(a.rest.Text); m != nil && strings.Trim(m[1], "-0") == "" {
			a.wrong(a.rest, "a goal cannot say that a cell is empty: name the pieces that must be around it")
		}
	}
	kind, _ := j.typeAt(a)
	p := jimPlace{l, kind, a.cell(), 0}
	if command == "win" {
		j.wins = append(j.wins, p)
		return
	}
	if m := jimLabel().FindStringSubmatch(a.rest.Text); m != nil && len(m[1]) == 1 && strings.Contains(tray.PieceNames, m[1]) && !j.names[m[1][0]] {
		p.name = m[1][0]
		j.names[p.name] = true
	}
	j.puts = append(j.puts, p)
}

// puzzle makes the puzzle when all commands are read.
func (j *jimReader) puzzle() (*tray.Puzzle, error) {
	if j.rows < 1 || j.cols < 1 || j.rows > tray.MaxSide || j.cols > tray.MaxSide {
		return nil, first.Errorf(0, "expected xsize: and ysize: with the columns and rows of the tray, at most %d", tray.MaxSide)
	}
	start, goal := newGrid(j.rows, j.cols), newGrid(j.rows, j.cols)
	for c := range j.walls {
		start.set(c, '#')
	}
	for _, p := range j.puts {
		if p.name == 0 {
			i := strings.IndexFunc(tray.PieceNames, func(name rune) bool { return !j.names[byte(name)] })
			if i < 0 {
				return nil, p.line.Errorf(0, "a tray has at most %d pieces", len(tray.PieceNames))
			}
			p.name = tray.PieceNames[i]
			j.names[p.name] = true
		}
		t := j.types[p.kind]
		t.pieces += string(p.name)
		if err := j.put(start, p); err != nil {
			return nil, err
		}
	}
	for _, p := range j.wins {
		t := j.types[p.kind]
		if t.wins == len(t.pieces) {
			return nil, p.line.Errorf(0, "there are only %d pieces of type %d", t.wins, p.kind)
		}
		p.name = t.pieces[t.wins]
		t.wins++
		if err := j.put(goal, p); err != nil {
			return nil, err
		}
	}
	text := "parts: *\n" + j.lines() + "tray:\n" + start.String()
	if len(j.wins) > 0 {
		text += "goal:\n" + goal.String()
	}
	p, err := tray.Parse(text)
	if at, ok := err.(*cells.SyntaxError); ok {
		err = first.Errorf(0, "%s", at.Reason)
	}
	return p, err
}

// put draws a piece.
func (j *jimReader) put(on grid, p jimPlace) error {
	if c, ok := on.put(cells.Shift(j.types[p.kind].cells, p.at), p.name); !ok {
		return p.line.Errorf(0, "a piece of type %d does not fit here: cell (%d,%d) is taken, or not in the tray", p.kind, c.Col, c.Row)
	}
	return nil
}

// lines says how pieces move and which of them are alike: those of a type.
func (j *jimReader) lines() string {
	var b strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(j.types)) {
		t := j.types[kind]
		headings := []string{t.axis, "distinct"}
		if len(t.pieces) > 1 {
			headings[1] = "alike"
		}
		for _, heading := range headings {
			if heading != "" && t.pieces != "" {
				fmt.Fprintf(&b, "%s: %s\n", heading, strings.Join(strings.Split(t.pieces, ""), " "))
			}
		}
	}
	return b.String()
}

// A grid is the drawing of a tray.
type grid [][]byte

func newGrid(rows, cols int) grid {
	g := make(grid, rows)
	for r := range g {
		g[r] = slices.Repeat([]byte("."), cols)
	}
	return g
}

// free reports whether a place is an empty cell.
func (g grid) free(c tray.Cell) bool {
	return c.Row >= 0 && c.Row < len(g) && c.Col >= 0 && c.Col < len(g[0]) && g[c.Row][c.Col] == '.'
}

// set sets the character of a cell, if it is one.
func (g grid) set(c tray.Cell, ch byte) bool {
	if !g.free(c) {
		return false
	}
	g[c.Row][c.Col] = ch
	return true
}

// put draws a piece. If a cell of it is not free, it returns that cell, and false.
func (g grid) put(piece []tray.Cell, ch byte) (wrong tray.Cell, ok bool) {
	for _, c := range piece {
		if !g.set(c, ch) {
			return c, false
		}
	}
	return tray.Cell{}, true
}

// rectangle returns the cells of a rectangle.
func rectangle(at tray.Cell, rows, cols int) (all []tray.Cell) {
	for n := range rows * cols {
		all = append(all, tray.Cell{Row: at.Row + n/cols, Col: at.Col + n%cols})
	}
	return all
}

// String writes the rows.
func (g grid) String() string {
	var b strings.Builder
	for _, row := range g {
		fmt.Fprintf(&b, "%s\n", row)
	}
	return b.String()
}

// FormatJimSlide writes a puzzle as ParseJimSlide reads it. The puzzle must have one goal, no thin
// walls and no gates. If it is different, the error says how. What is known about the puzzle is lost,
// except the title.
func FormatJimSlide(p *tray.Puzzle) (string, error) {
	if err := plain(p); err != nil {
		return "", err
	}
	goal, err := onlyGoal(p)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if p.Title != "" {
		fmt.Fprintf(&b, "! %s\n", p.Title)
	}
	rows, cols := p.Size()
	fmt.Fprintf(&b, "xsize: %d\nysize: %d\n", cols, rows)
	for r := range rows {
		for c := range cols {
			if _, ok := p.Number(tray.Cell{Row: r, Col: c}); !ok {
				fmt.Fprintf(&b, "wall: (%d,%d)\n", c, r)
			}
		}
	}
	start := p.Start()
	for i, k := range p.Kinds() {
		cells := p.PieceCells(start, k.Pieces[0])
		fmt.Fprintf(&b, "piece: %d", i+1)
		for _, c := range cells {
			fmt.Fprintf(&b, " (%d,%d)", c.Col-cells[0].Col, c.Row-cells[0].Row)
		}
		b.WriteByte('\n')
		if axis := p.Axis(k.Pieces[0]); axis != tray.Free {
			fmt.Fprintf(&b, "lock%c: %d\n", map[tray.Axis]byte{tray.Horizontal: 'y', tray.Vertical: 'x'}[axis], i+1)
		}
	}
	for i, name := range p.Pieces() {
		c := p.PieceCells(start, i)[0]
		fmt.Fprintf(&b, "put: %d (%d,%d) '%c'\n", p.KindOf(i)+1, c.Col, c.Row, name)
	}
	for _, w := range goal {
		fmt.Fprintf(&b, "win: %d (%d,%d)\n", p.KindOf(w.Piece)+1, w.Cells[0].Col, w.Cells[0].Row)
	}
	return b.String(), nil
}
