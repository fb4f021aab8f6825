package formats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"pagoda/statespace/cells"
	"strconv"
	"strings"

	"pagoda/internal/lazy"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/boardtext"
)

// rushHourSide is the number of rows and columns of a Rush Hour tray, as it is written and sold.
const rushHourSide = 6

// A Rush Hour puzzle is a board, which may stand in a line of M. Fogleman's database: the number of
// moves, the board, and the number of positions.
var (
	rushHourText = lazy.Regexp(`^(?:([0-9]{1,9})[ \t]+)?([A-Zox.]{36}|[A-Zox.]{25}|[A-Zox.]{49})(?:[ \t]+([0-9]{1,18}))?$`)
	// likeRushHour matches what is probably a mistaken board, as no tray has such a row.
	likeRushHour = lazy.Regexp(`^(?:[0-9]+[ \t]+)?([A-Za-z.#]{24,50})(?:[ \t]+[0-9]+)?$`)
)

// ParseRushHour reads a Rush Hour puzzle of 36 characters, row by row, or of 25 or 49 for 5 or 7 rows.
// Capital letters are cars, o or . is an empty cell, and x is a wall. Car A must reach the right edge, or car X if that
// one is at the exit, at the end of the middle row (the third of six). As in the lines of M. Fogleman's database, the
// number of moves can stand before the board, where any distance is one move, and the number of positions behind it. The
// error is a *cells.SyntaxError.
func ParseRushHour(text string) (*tray.Puzzle, error) {
	l := boardtext.Span{Line: 1, Col: 1, Text: text}
	m := rushHourText().FindStringSubmatchIndex(text)
	if m == nil {
		return nil, notRushHour(text)
	}
	board := text[m[4]:m[5]]
	side := int(math.Sqrt(float64(len(board))))
	var rows []boardtext.Span
	for row := range side {
		at := l.From(m[4] + row*side)
		at.Text = board[row*side:][:side]
		rows = append(rows, at)
	}
	p, err := rushHour(rows, "AX", tray.Right)
	if p != nil && m[2] >= 0 {
		n, _ := strconv.Atoi(text[m[2]:m[3]]) // at most nine digits
		p.Lengths[tray.Lines], p.Lengths[tray.Moves] = n, n
	}
	if p != nil && m[6] >= 0 {
		p.States, _ = strconv.ParseUint(text[m[6]:m[7]], 10, 64) // at most 18 digits
	}
	return p, err
}

// rushHour returns the puzzle of some rows of equal length. Cars are those that may be the one that must reach an edge.
func rushHour(rows []boardtext.Span, cars string, side tray.Direction) (*tray.Puzzle, error) {
	drawn := newGrid(len(rows), len(rows[0].Text))
	for at := range boardtext.Places(rows) {
		drawn.set(at.Cell, map[rune]byte{'o': '.', 'x': '#'}[at.Char])
		if drawn[at.Row][at.Col] == 0 {
			drawn[at.Row][at.Col] = byte(at.Char)
		}
	}
	car, of, err := goalCar(rows, cars, side)
	if err != nil {
		return nil, err
	}
	b, goal, walled := boxOf(of), newGrid(len(rows), len(drawn[0])), ""
	way := map[tray.Direction]tray.Cell{tray.Right: {Col: len(drawn[0]) - b.left - b.cols}, tray.Left: {Col: -b.left},
		tray.Up: {Row: -b.top}, tray.Down: {Row: len(rows) - b.top - b.rows}}[side]
	for _, c := range cells.Shift(of, way) {
		if goal.set(c, byte(car)); drawn[c.Row][c.Col] == '#' {
			walled = tray.NoGoal + "\n"
		}
	}
	p, err := tray.Parse("rushhour:\ntray:\n" + drawn.String() + "goal:\n" + cmp.Or(walled, goal.String()))
	if wrong, ok := err.(*cells.SyntaxError); ok && wrong.Line-3 < len(rows) { // the rows of the tray begin at line 3
		row := rows[max(0, wrong.Line-3)]
		return nil, row.Errorf(min(wrong.Col-1, len(row.Text)), "%s", wrong.Reason)
	}
	if across := side == tray.Up || side == tray.Down; across && b.cols > 1 || !across && b.rows > 1 {
		return nil, rows[of[0].Row].Errorf(of[0].Col, "car %c does not lie along its %s, so it cannot reach the %s edge", car, map[bool]string{true: "column", false: "row"}[across], edges[side])
	}
	return p, err
}

// goalCar returns the car that must reach an edge, and its cells: that one of some which lies at the exit, in the middle
// row, or else the one that lies along a row.
func goalCar(rows []boardtext.Span, cars string, side tray.Direction) (car rune, of []tray.Cell, err error) {
	best := -1
	for _, name := range cars {
		var own []tray.Cell
		for at := range boardtext.Places(rows) {
			if at.Char == name {
				own = append(own, at.Cell)
			}
		}
		if len(own) == 0 {
			continue
		}
		score := 0
		if b := boxOf(own); b.rows == 1 && b.cols == len(own) && len(own) > 1 {
			if score = 1; b.top == (len(rows)-1)/2 {
				score = 2
			}
		}
		switch {
		case score > best:
			car, of, best, err = name, own, score, nil
		case score == best && score > 0:
			err = rows[own[0].Row].Errorf(own[0].Col, "car %c or car %c may be the one that must reach the right edge: name that one A, and the other neither A nor X", car, name)
		}
	}
	if best < 0 {
		err = rows[0].Errorf(0, "no car %s: it is the car that must reach the %s edge", strings.Join(strings.Split(cars, ""), " or "), edges[side])
	}
	return car, of, err
}

// edges are the names of the edges of a board.
var edges = map[tray.Direction]string{tray.Right: "right", tray.Left: "left", tray.Up: "upper", tray.Down: "lower"}

// notRushHour says why a text is no Rush Hour puzzle.
func notRushHour(text string) error {
	l := boardtext.Span{Line: 1, Col: 1, Text: text}
	const expected = "capital letters (cars), o or . (empty) and x (walls)"
	m := likeRushHour().FindStringSubmatchIndex(l.Text)
	if m == nil {
		return l.Errorf(0, "expected a Rush Hour board of 36 characters (or 25 or 49): %s", expected)
	}
	if n := m[3] - m[2]; n != 25 && n != 36 && n != 49 {
		return l.Errorf(m[2], "a row of %d characters looks like a Rush Hour board, which has 36, six for each of its six rows (or 25 or 49): %s; a tray has its rows separated by /", n, expected)
	}
	for at, ch := range l.Text[m[2]:m[3]] {
		if !strings.ContainsRune("ox.", ch) && (ch < 'A' || ch > 'Z') {
			return l.Errorf(m[2]+at, "unexpected %q in a Rush Hour board: expected %s", ch, expected)
		}
	}
	return l.Errorf(0, "expected a Rush Hour board, which may stand between the number of moves and that of positions")
}

// FormatRushHour writes the start of a puzzle as ParseRushHour reads it. The tray must have at
// most 6 rows and columns, with pieces that are bars and move lengthwise. One of them must reach the right edge. If
// it is different, the error says how. Names and other information are lost.
func FormatRushHour(p *tray.Puzzle) (string, error) {
	car, err := rushHourCar(p)
	if err != nil {
		return "", err
	}
	text := []byte(strings.Repeat("x", rushHourSide*rushHourSide))
	for _, c := range p.Cells() {
		text[c.Row*rushHourSide+c.Col] = 'o'
	}
	name := byte('A')
	for i := range len(p.Pieces()) {
		letter := byte('A')
		if i != car {
			if name++; name == 'X' {
				name++ // it might be the car at the exit
			}
			letter = name
		}
		for _, c := range p.PieceCells(p.Start(), i) {
			text[c.Row*rushHourSide+c.Col] = letter
		}
	}
	return string(text), nil
}

// rushHourCar returns the piece that must reach the right edge, or says why the puzzle is not a
// Rush Hour puzzle.
func rushHourCar(p *tray.Puzzle) (int, error) {
	names, start := p.Pieces(), p.Start()
	if rows, cols := p.Size(); rows > rushHourSide || cols > rushHourSide {
		return 0, fmt.Errorf("the tray is %d x %d, one of the format is %d x %d", rows, cols, rushHourSide, rushHourSide)
	}
	if len(names) > 26 {
		return 0, fmt.Errorf("the puzzle has %d pieces, the format has 26 letters", len(names))
	}
	if err := plain(p); err != nil {
		return 0, err
	}
	for i := range len(names) {
		b := boxOf(p.PieceCells(start, i))
		if lengthwise := p.Axis(i) == tray.Horizontal && b.rows == 1 && b.cols > 1 || p.Axis(i) == tray.Vertical && b.cols == 1 && b.rows > 1; !lengthwise || p.InParts(i) {
			return 0, fmt.Errorf("piece %c is no car: a straight bar of two cells or more that moves lengthwise only", names[i])
		}
	}
	if car := strings.IndexByte(names, 'A'); p.HasGoal() && p.Goals() == 0 && car >= 0 && behindWall(p, car) {
		return car, nil
	}
	g, err := onlyGoal(p)
	if err != nil {
		return 0, err
	}
	car := g[0].Piece
	last := g[0].Cells[len(g[0].Cells)-1]
	if len(g) != 1 || p.Axis(car) != tray.Horizontal || last.Col != rushHourSide-1 || last.Row != p.PieceCells(start, car)[0].Row {
		return 0, errors.New("the goal is not one horizontal car at the right edge, as it is in the format")
	}
	if len(p.Kinds()[p.KindOf(car)].Pieces) > 1 {
		return 0, fmt.Errorf("the goal is for any car that is alike with %c, which the format cannot express", names[car])
	}
	return car, nil
}

// behindWall reports whether a car along a row has a wall where it would reach the right edge.
func behindWall(p *tray.Puzzle, car int) bool {
	cells := p.PieceCells(p.Start(), car)
	for i := range cells {
		if _, open := p.Number(tray.Cell{Row: cells[0].Row, Col: rushHourSide - 1 - i}); !open {
			return p.Axis(car) == tray.Horizontal
		}
	}
	return false
}

// otherRushHour says which car was chosen where another one could be meant, or that a board in lines without its size
// might be a tray without a goal.
func otherRushHour(text string, p *tray.Puzzle) string {
	drawn := strings.Contains(strings.TrimSpace(text), "\n") && !rushHourSize().MatchString(text)
	switch {
	case p.Goals() > 0 && p.Pieces()[p.DrawnWants(0)[0].Piece] == 'X' && strings.Contains(p.Pieces(), "A"):
		return ", which is at the exit, and not A"
	case drawn:
		return ", and no tray without a goal"
	}
	return ""
}
