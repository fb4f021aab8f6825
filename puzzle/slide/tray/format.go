package tray

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/internal/lists"
)

// Format writes the puzzle so that Parse reads it. Walls at the ends of rows are left out.
func (p *Puzzle) Format() string { return p.format(p.draw) }

// FormatWalls is Format with all walls.
func (p *Puzzle) FormatWalls() string {
	return p.format(func(char func(cell int) byte) [][]byte {
		rows := p.draw(char)
		for r := range rows {
			rows[r] = append(rows[r], bytes.Repeat([]byte("#"), p.cols-len(rows[r]))...)
		}
		return rows
	})
}

// format writes the puzzle with a function that makes rows.
func (p *Puzzle) format(draw func(char func(cell int) byte) [][]byte) string {
	drawLines := func(char func(cell int) byte) string { return inLines(draw(char), p.FloorRows()) }
	var s strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&s, "%s: %s\n", name, value)
		}
	}
	line("title", p.Title)
	line("author", p.Author)
	if p.Year > 0 {
		line("year", strconv.Itoa(p.Year))
	}
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
	if p.Floors() > 1 {
		line("floors", strconv.Itoa(p.Floors()))
	}
	s.WriteString("tray:\n" + drawLines(p.charAt(p.Start())))
	line("walls", listWalls(p.walls))
	var inParts []byte
	if p.HasGates() {
		s.WriteString("gate:\n" + drawLines(func(cell int) byte {
			if p.gates[cell] == None {
				return '.'
			}
			return p.pieces[p.gates[cell]].name
		}))
	}
	var axes [Axes][]byte
	for i, pc := range p.pieces {
		if p.InParts(i) {
			inParts = append(inParts, pc.name)
		}
		axes[pc.axis] = append(axes[pc.axis], pc.name)
	}
	line("parts", spaced(inParts))
	line("horizontal", spaced(axes[Horizontal]))
	line("vertical", spaced(axes[Vertical]))
	line("upright", spaced(axes[Upright]))
	line("distinct", spaced(p.distinct))
	for _, g := range p.alike {
		line("alike", spaced(g))
	}
	if p.unreachable {
		line("goal", NoGoal)
	}
	for n := range p.drawn {
		s.WriteString(p.formatGoal(n, drawLines))
	}
	return s.String()
}

// Summary says in words what the puzzle is: "a tray of 5 rows and 4 columns, 10 pieces, goal A".
func (p *Puzzle) Summary() string {
	s := "a tray of " + size(p.Floors(), p.rows, p.cols)
	if walls := p.rows*p.cols - len(p.cells); walls > 0 {
		s += " with " + amount.Of(walls, "cell") + " of wall"
	}
	s += ", " + amount.Of(len(p.pieces), "piece") + ", "
	for _, group := range p.alike {
		if apart := p.apart(group); len(apart) > 0 {
			s += spaced(group) + " alike and not " + spaced(apart) + ", "
		}
	}
	switch {
	case p.unreachable:
		s += "a goal that no position is at"
	case len(p.goals) > 1:
		s += fmt.Sprintf("%d goals", len(p.goals))
	case len(p.goals) == 1 && len(p.drawn[0]) == len(p.pieces) && len(p.pieces) > 1:
		s += "goal " + inOneLine(p.draw(p.goalAt(0)))
	case len(p.goals) == 1:
		s += "goal"
		for _, want := range p.drawn[0] {
			s += " " + string(p.pieces[want.piece].name)
		}
	case !p.CanMove():
		s += "no goal, and no piece can move"
	default:
		s += "no goal"
	}
	return s
}

// apart returns the names of the pieces that have the shape of some that are alike, and are different from them.
func (p *Puzzle) apart(alike []byte) (names []byte) {
	head := slices.IndexFunc(p.pieces, func(q piece) bool { return q.name == alike[0] })
	if head < 0 {
		return nil // alike: *
	}
	for i := range p.pieces {
		if k := p.kindOf(i); k != p.kindOf(head) && slices.Equal(k.Mask, p.kindOf(head).Mask) {
			names = append(names, p.pieces[i].name)
		}
	}
	return names
}

// size writes the numbers of rows and columns, and of floors if there are several.
func size(floors, rows, cols int) string {
	s := fmt.Sprintf("%s and %s", amount.Of(rows/floors, "row"), amount.Of(cols, "column"))
	if floors > 1 {
		s += fmt.Sprintf(" on %d floors", floors)
	}
	return s
}

// CanMove reports whether there is a move at the start, of one piece or of several together.
func (p *Puzzle) CanMove() bool {
	start := p.Start()
	for i := range start {
		for d := range p.Directions() {
			if _, ok := p.pushed(start, i, d); ok {
				return true
			}
		}
	}
	return false
}

// formatGoal writes a goal, unless it is another one at another place.
func (p *Puzzle) formatGoal(n int, drawLines func(char func(cell int) byte) string) string {
	if p.elsewhere[n] {
		return ""
	}
	heading := "goal:\n"
	if n+1 < len(p.drawn) && p.elsewhere[n+1] {
		heading = "anywhere:\n"
	}
	return heading + drawLines(p.goalAt(n))
}

// DrawnGoals draws the goals as positions, if there are some and each says where every piece is; else it returns nil.
func (p *Puzzle) DrawnGoals() []string {
	for g := range p.Goals() {
		if len(p.Wants(g)) != len(p.Pieces()) {
			return nil
		}
	}
	return p.FormatGoals()
}

// FormatGoals draws each goal as FormatPosition draws a position.
func (p *Puzzle) FormatGoals() (all []string) {
	for n := range p.drawn {
		all = append(all, inOneLine(p.draw(p.goalAt(n))))
	}
	return all
}

// goalAt returns the character in each cell of a goal.
func (p *Puzzle) goalAt(n int) func(cell int) byte {
	cells := bytes.Repeat([]byte("."), len(p.cells))
	for _, want := range p.drawn[n] {
		for cell := range p.placed(want).All() {
			cells[cell] = p.pieces[want.piece].name
		}
	}
	return func(cell int) byte { return cells[cell] }
}

// inLines writes the rows of a drawing in lines, with an empty line between two floors of some rows.
func inLines(rows [][]byte, floorRows int) string {
	var floors []string
	for floor := range slices.Chunk(rows, floorRows) {
		floors = append(floors, string(bytes.Join(floor, []byte("\n")))+"\n")
	}
	return strings.Join(floors, "\n")
}

// spaced writes a list of names of pieces.
func spaced(names []byte) string {
	return string(bytes.Join(bytes.Split(names, nil), []byte(" ")))
}

// FormatPosition draws a position in rows separated by /. Each cell has the name of its piece,
// or . if it is empty. A wall is #, and is left out at the end of a row.
func (p *Puzzle) FormatPosition(pos Position) string { return inOneLine(p.draw(p.charAt(pos))) }

// charAt returns the character in each cell of a position.
func (p *Puzzle) charAt(pos Position) func(cell int) byte {
	names := bytes.Repeat([]byte("."), len(p.cells))
	for i := range pos {
		for cell := range p.Mask(pos, i).All() {
			names[cell] = p.pieces[i].name
		}
	}
	return func(cell int) byte { return names[cell] }
}

// draw makes the rows of the tray, with a character for each cell.
func (p *Puzzle) draw(char func(cell int) byte) [][]byte { return draw(p.rows, p.cells, char) }

// draw makes rows with a character for each cell. A wall is #, and is left out at the end of a row, but for the first.
func draw(rows int, cells []Cell, char func(cell int) byte) [][]byte {
	drawn := make([][]byte, rows)
	for i, c := range cells {
		for len(drawn[c.Row]) < c.Col {
			drawn[c.Row] = append(drawn[c.Row], '#')
		}
		drawn[c.Row] = append(drawn[c.Row], char(i))
	}
	for r := range drawn {
		if len(drawn[r]) == 0 { // an empty row would be passed over
			drawn[r] = []byte("#")
		}
	}
	return drawn
}

// inOneLine writes the rows of a drawing with / between them.
func inOneLine(rows [][]byte) string { return string(bytes.Join(rows, []byte("/"))) }

// InRows writes the characters of a rectangle row by row, with / between the rows.
func InRows(chars []byte, cols int) string {
	return inOneLine(slices.Collect(slices.Chunk(chars, cols)))
}

// listWalls writes thin walls as the text of a puzzle has them.
func listWalls(walls []Wall) string {
	all := lists.Map(walls, Wall.String)
	return strings.Join(all, ", ")
}
