package tray

import (
	"cmp"
	"fmt"
	"strings"

	"pagoda/internal/amount"
	"pagoda/statespace/boardtext"
)

// A Board is a tray without pieces. The rows of several floors follow each other, the lowest floor
// first.
type Board struct {
	Rows, Cols int    // Rows are those of all floors
	Floors     int    // Rows is a multiple of it; 0 is 1
	Cells      []Cell // in row-major order
	Walls      []Wall // thin walls, each between two cells
}

// ParseBoard reads a board: the text of a puzzle without pieces, goals and lines about pieces. Besides
// the tray there can be thin walls, floors, and lines that say where the board comes from. Rows, columns and
// floors of walls at the edges are left out, so that a frame of walls may be drawn around the board. The
// error is a *cells.SyntaxError.
func ParseBoard(text string) (*Board, error) {
	r, err := newReader(text)
	if err != nil {
		return nil, err
	}
	if s := r.notOfBoard(); s != nil {
		return nil, s.Errorf(0, "unexpected %.40q: a board has a tray, walls and floors, and no pieces and goals", s.Text)
	}
	names, err := r.readCells()
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if name != '.' {
			return nil, r.cells[i].Errorf("unexpected %q: a board has no pieces; expected . (a cell), # or a space (a wall)", name)
		}
	}
	if err := r.readWalls(); err != nil {
		return nil, err
	}
	t := &r.p.tray
	return (&Board{Rows: t.rows, Cols: t.cols, Floors: t.floors, Cells: t.cells, Walls: t.walls}).trim(), nil
}

// trim returns the board without the rows, columns and floors of walls at its edges. It has a cell.
func (b *Board) trim() *Board {
	rows := b.Rows / max(1, b.Floors)
	first := [3]int{b.Floors, rows, b.Cols} // the least floor, row and column of cells
	var last [3]int
	for _, c := range b.Cells {
		for i, at := range [3]int{c.Row / rows, c.Row % rows, c.Col} {
			first[i], last[i] = min(first[i], at), max(last[i], at)
		}
	}
	left := last[1] - first[1] + 1 // the rows of a floor that are left
	move := func(c Cell) Cell {
		return Cell{Row: (c.Row/rows-first[0])*left + c.Row%rows - first[1], Col: c.Col - first[2]}
	}
	t := &Board{Floors: last[0] - first[0] + 1, Cols: last[2] - first[2] + 1}
	t.Rows = t.Floors * left
	for _, c := range b.Cells {
		t.Cells = append(t.Cells, move(c))
	}
	for _, w := range b.Walls {
		t.Walls = append(t.Walls, Wall{Cell: move(w.Cell), Side: w.Side})
	}
	return t
}

// notOfBoard returns a line that says something of pieces or goals, or nil.
func (r *reader) notOfBoard() *boardtext.Span {
	for _, g := range r.goals {
		return &g.heading
	}
	if r.gates != nil {
		return &r.gates.heading
	}
	if r.rushHour != nil {
		return r.rushHour
	}
	for _, name := range []string{"horizontal", "vertical", "upright", "parts", "distinct", "alike"} {
		for _, s := range r.lists[name] {
			return &s
		}
	}
	return nil
}

// Summary says in words what the board is: "a board of 4 rows and 4 columns, 15 cells".
func (b *Board) Summary() string {
	return "a board of " + size(max(1, b.Floors), b.Rows, b.Cols) + ", " + amount.Of(len(b.Cells), "cell")
}

// Format writes the board so that ParseBoard reads it.
func (b *Board) Format() string {
	return b.FormatWith(nil)
}

// FormatWith writes the board with pieces in it, as the lines of a puzzle from floors: to walls:. The name
// of a piece is at its cells; cells without one are empty.
func (b *Board) FormatWith(names map[Cell]byte) string {
	var s strings.Builder
	if b.Floors > 1 {
		fmt.Fprintf(&s, "floors: %d\n", b.Floors)
	}
	s.WriteString("tray:\n" + b.lines(names))
	if len(b.Walls) > 0 {
		s.WriteString("walls: " + listWalls(b.Walls) + "\n")
	}
	return s.String()
}

// FormatGoal writes the lines of a goal: the cells where pieces must be, with their names.
func (b *Board) FormatGoal(names map[Cell]byte) string { return "goal:\n" + b.lines(names) }

// lines draws the board in lines.
func (b *Board) lines(names map[Cell]byte) string {
	return inLines(b.draw(names), b.Rows/max(1, b.Floors))
}

// Draw draws the rows of the board with pieces, with / between them: a # for a wall, . for an empty
// cell. Walls at the end of a row are left out, but for the first.
func (b *Board) Draw(names map[Cell]byte) string { return inOneLine(b.draw(names)) }

func (b *Board) draw(names map[Cell]byte) [][]byte {
	return draw(b.Rows, b.Cells, func(cell int) byte { return cmp.Or(names[b.Cells[cell]], '.') })
}
