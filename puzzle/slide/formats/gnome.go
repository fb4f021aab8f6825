package formats

import (
	"maps"
	"slices"
	"strings"

	"pagoda/internal/lazy"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/boardtext"
	"pagoda/statespace/cells"
)

// gnomePiece is the piece that must go to the targets.
const gnomePiece = '*'

var (
	// A level of GNOME Klotski is a drawing with that piece. No other format has such rows.
	gnomeRow = lazy.Regexp(`(?m)^[^:\n]*\*|^[ \t]*"[^"\n]*\*`)
	// In the source of GNOME Klotski, the rows are strings, below a line with the title.
	gnomeString = lazy.Regexp(`^[ \t]*"([^"]*)"`)
	gnomeTitle  = lazy.Regexp(`N_ *\("([^"]*)"\)`)
	heading     = lazy.Regexp(`(?m)^[ \t]*[A-Za-z]+:`)
)

func isGNOME(text string) bool { return gnomeRow().MatchString(text) && !heading().MatchString(text) }

// ParseGNOME reads a level of GNOME Klotski, as its source has it: a drawing in which # is a wall, a
// space is empty, . is empty and a target, - is a gate, which only piece * passes, and any other
// character is a cell of the piece of this name. Piece * must go to the targets. The rows can be
// strings of the source, with the title in a line before them. The error is a
// *cells.SyntaxError.
func ParseGNOME(text string) (*tray.Puzzle, error) {
	rows, title := gnomeRows(text)
	g := &gnomeLevel{at: make(map[tray.Cell]rune)}
	for at := range boardtext.Places(rows) {
		switch {
		case at.Row >= tray.MaxSide:
			return nil, at.Errorf("a tray has at most %d rows", tray.MaxSide)
		case at.Col >= tray.MaxSide:
			return nil, rows[at.Row].Errorf(0, "a tray has at most %d columns", tray.MaxSide)
		}
		if g.at[at.Cell] = at.Char; at.Char == gnomePiece {
			g.piece = append(g.piece, at.Cell)
		}
		g.cols = max(g.cols, at.Col+1)
	}
	if len(g.piece) == 0 {
		return nil, &cells.SyntaxError{Line: 1, Col: 1, Reason: "no piece *: it is the piece that must go to the targets"}
	}
	g.rows = len(rows)
	if !g.findCells() {
		return nil, rows[g.piece[0].Row].Errorf(0, "a tray has at most %d cells", tray.MaxCells)
	}
	drawing := "parts: *\n"
	if title != "" {
		drawing = "title: " + title + "\n" + drawing
	}
	for at := range boardtext.Places(rows) {
		edge := func(c tray.Cell) bool { _, drawn := g.at[c]; return !drawn }
		if !strings.ContainsRune("#-. ", at.Char) && slices.ContainsFunc(beside(at.Cell), edge) {
			return nil, at.Errorf("piece %c is at the edge of the drawing, and a * makes it a level of GNOME Klotski, which has walls (#) around all pieces; in a tray, pieces are letters and digits, and an empty cell is .", at.Char)
		}
	}
	const above = 1 // lines of a heading
	begin := 1 + strings.Count(drawing, "\n") + above
	names, err := g.names(rows)
	if err != nil {
		return nil, err
	}
	piece := func(here func(c tray.Cell) bool) string {
		return g.draw(func(c tray.Cell) byte { return map[bool]byte{true: names[gnomePiece]}[here(c)] })
	}
	drawing += "tray:\n" + g.draw(func(c tray.Cell) byte { return names[g.at[c]] })
	if gate := piece(func(c tray.Cell) bool { return g.at[c] == '-' }); strings.ContainsRune(gate, rune(names[gnomePiece])) {
		drawing += "gate:\n" + gate
	}
	goals, room := g.goals()
	if !room {
		return nil, rows[g.piece[0].Row].Errorf(0, "the targets, drawn as ., have no room for piece *")
	}
	if len(goals) == 0 {
		drawing += "goal: " + tray.NoGoal + "\n" // the piece cannot get there even alone
	}
	for _, goal := range goals {
		drawing += "goal:\n" + piece(func(c tray.Cell) bool { return slices.Contains(goal, c) })
	}
	p, err := tray.Parse(drawing)
	if at, ok := err.(*cells.SyntaxError); ok {
		row := rows[min(g.box.top+max(0, at.Line-begin), len(rows)-1)]
		err = row.Errorf(min(g.box.left+at.Col-1, len(row.Text)), "%s", at.Reason)
	}
	return p, err
}

// gnomeRows returns the rows of a level, and its title.
func gnomeRows(text string) (rows []boardtext.Span, title string) {
	strs := strings.Contains(text, `"`)
	for _, l := range boardtext.Lines(text) {
		if m := gnomeTitle().FindStringSubmatch(l.Text); m != nil {
			title = m[1]
		} else if m := gnomeString().FindStringSubmatch(l.Text); strs && m != nil {
			rows = append(rows, boardtext.Span{Line: l.Line, Col: 1, Text: m[1]})
		} else if !strs {
			rows = append(rows, l)
		}
	}
	for len(rows) > 0 && rows[0].Text == "" {
		rows = rows[1:]
	}
	for len(rows) > 0 && rows[len(rows)-1].Text == "" {
		rows = rows[:len(rows)-1]
	}
	return rows, title
}

// A gnomeLevel is a level as it is drawn.
type gnomeLevel struct {
	rows, cols int
	at         map[tray.Cell]rune
	piece      []tray.Cell        // the cells of piece *
	cells      map[tray.Cell]bool // the cells that pieces can come to
	box        box                // around the cells
}

// open reports whether a piece may come to a cell. Only piece * may pass a gate.
func (g *gnomeLevel) open(c tray.Cell, gate bool) bool {
	ch, ok := g.at[c]
	return ok && ch != '#' && (ch != '-' || gate)
}

// beside returns the places beside a cell.
func beside(c tray.Cell) []tray.Cell {
	return []tray.Cell{{Row: c.Row - 1, Col: c.Col}, {Row: c.Row + 1, Col: c.Col}, {Row: c.Row, Col: c.Col - 1}, {Row: c.Row, Col: c.Col + 1}}
}

// findCells finds the cells that piece * can come to, if it is alone, and those that others may
// come to. All others are as good as walls. It reports false if these are more cells than a tray can have.
func (g *gnomeLevel) findCells() bool {
	g.cells = make(map[tray.Cell]bool)
	var others []tray.Cell
	for c, ch := range g.at {
		if !strings.ContainsRune("#-. *", ch) {
			others = append(others, c)
		}
	}
	moved := func(by tray.Cell) []tray.Cell { return cells.Shift(g.piece, by) }
	itself := func(c tray.Cell) []tray.Cell { return []tray.Cell{c} }
	if !g.flood([]tray.Cell{{}}, moved, true) || !g.flood(others, itself, false) {
		return false
	}
	g.box = boxOf(slices.Collect(maps.Keys(g.cells)))
	return true
}

// flood adds the cells that are covered at some places, and at all places beside these, as long as they are open. It
// reports false if the cells are too many.
func (g *gnomeLevel) flood(todo []tray.Cell, covered func(at tray.Cell) []tray.Cell, gate bool) bool {
	seen := make(map[tray.Cell]bool)
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		to := covered(at)
		if seen[at] || slices.ContainsFunc(to, func(c tray.Cell) bool { return !g.open(c, gate) }) {
			continue
		}
		seen[at] = true
		for _, c := range to {
			g.cells[c] = true
		}
		if len(g.cells) > tray.MaxCells {
			return false
		}
		todo = append(todo, beside(at)...)
	}
	return true
}

// names gives the pieces names that the text of a tray can have: their own where that is possible.
func (g *gnomeLevel) names(rows []boardtext.Span) (map[rune]byte, error) {
	names := make(map[rune]byte)
	var others []rune
	for at := range boardtext.Places(rows) {
		switch ch := at.Char; {
		case strings.ContainsRune("#-. ", ch):
		case strings.ContainsRune(tray.PieceNames, ch):
			names[ch] = byte(ch)
		case !slices.Contains(others, ch):
			others = append(others, ch)
		}
	}
	free := slices.DeleteFunc([]byte(tray.PieceNames), func(name byte) bool { return names[rune(name)] != 0 })
	for _, ch := range others {
		if len(free) == 0 {
			return nil, rows[0].Errorf(0, "more than %d pieces", len(tray.PieceNames))
		}
		names[ch], free = free[len(free)-1], free[:len(free)-1]
	}
	return names, nil
}

// goals lists the places of piece * on targets within the cells. Room says that it fits on targets
// anywhere.
func (g *gnomeLevel) goals() (all [][]tray.Cell, room bool) {
	for rows := -g.rows; rows <= g.rows; rows++ {
		for cols := -g.cols; cols <= g.cols; cols++ {
			to := cells.Shift(g.piece, tray.Cell{Row: rows, Col: cols})
			if !slices.ContainsFunc(to, func(c tray.Cell) bool { return g.at[c] != '.' }) {
				if room = true; !slices.ContainsFunc(to, func(c tray.Cell) bool { return !g.cells[c] }) {
					all = append(all, to)
				}
			}
		}
	}
	return all, room
}

// draw draws the rows of the box, with a character for each cell; 0 is an empty one.
func (g *gnomeLevel) draw(char func(c tray.Cell) byte) string {
	drawn := newGrid(g.box.rows, g.box.cols)
	for _, c := range rectangle(tray.Cell{}, g.box.rows, g.box.cols) {
		at := tray.Cell{Row: g.box.top + c.Row, Col: g.box.left + c.Col}
		if !g.cells[at] {
			drawn.set(c, '#')
		} else if ch := char(at); ch != 0 {
			drawn.set(c, ch)
		}
	}
	return drawn.String()
}
