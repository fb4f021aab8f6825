// Package slidetest has what the tests of sliding-block puzzles share: random puzzles, and
// answers that are found in the simplest way.
package slidetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
)

// Parse reads a puzzle.
func Parse(t testing.TB, text string) *tray.Puzzle {
	t.Helper()
	p, err := tray.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// Lookup returns the puzzle of a name.
func Lookup(t testing.TB, name string) *tray.Puzzle {
	t.Helper()
	p, err := library.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Random draws a small puzzle. The tray has at most four rows and columns, or two or three floors of up to six cells. It may
// have walls, thick and thin, and a gate. Pieces have up to four cells; some are in several parts, move
// along one axis, are distinct or alike. Goals are where pieces can come.
func Random(rng *rand.Rand) *tray.Puzzle {
	for {
		text := randomTray(rng)
		p, err := tray.Parse(text)
		if err != nil {
			continue // no piece, or no cell
		}
		if rng.IntN(4) == 0 {
			text += randomGate(rng, p)
			if p, err = tray.Parse(text); err != nil {
				panic(fmt.Sprintf("%v\n%s", err, text))
			}
		}
		text += randomGoals(rng, p)
		some := func() string { return p.Pieces()[rng.IntN(len(p.Pieces())):][:1] }
		switch rng.IntN(7) {
		case 0:
			text += "distinct: " + some() + "\n"
		case 1:
			text += "alike: *\n"
		case 2:
			text += "horizontal: " + some() + "\n"
		case 3:
			text += "vertical: " + some() + "\n"
		case 4:
			text += "distinct: *\n"
		case 5:
			if p.Floors() > 1 {
				text += "upright: " + some() + "\n"
			}
		}
		if p, err = tray.Parse(text); err != nil {
			panic(fmt.Sprintf("%v\n%s", err, text))
		}
		return p
	}
}

// randomGate draws a gate in one of the empty cells.
func randomGate(rng *rand.Rand, p *tray.Puzzle) string {
	drawing := []byte(p.FormatPosition(p.Start()))
	var empty []int
	for i, ch := range drawing {
		if ch == '.' {
			empty = append(empty, i)
		} else if ch != '/' && ch != '#' {
			drawing[i] = '.'
		}
	}
	if len(empty) == 0 {
		return ""
	}
	drawing[empty[rng.IntN(len(empty))]] = p.Pieces()[rng.IntN(len(p.Pieces()))]
	return "gate: " + string(drawing) + "\n"
}

// randomTray draws a tray with pieces and walls.
func randomTray(rng *rand.Rand) string {
	floors, rows, cols := 1, 1+rng.IntN(4), 1+rng.IntN(4)
	if rng.IntN(4) == 0 {
		size := [][3]int{{2, 2, 2}, {2, 2, 3}, {2, 3, 2}, {3, 2, 2}, {3, 1, 3}, {2, 1, 4}}[rng.IntN(6)]
		floors, rows, cols = size[0], size[1], size[2]
	}
	grid := make([][]byte, floors*rows)
	for r := range grid {
		grid[r] = []byte(strings.Repeat(".", cols))
		for c := range grid[r] {
			if rng.IntN(10) == 0 {
				grid[r][c] = '#'
			}
		}
	}
	walls := randomWalls(rng, grid, rows)
	divided := func(cells []tray.Cell) bool {
		return slices.ContainsFunc(walls, func(w tray.Wall) bool {
			return slices.Contains(cells, w.Cell) && slices.Contains(cells, w.Beyond(rows))
		})
	}
	names := []byte("ABCdef123ghiJKLM")
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:1+rng.IntN(8)]
	voids := 1 + rng.IntN(5)
	inParts := rng.IntN(3) == 0
	for _, name := range names {
		var free []tray.Cell
		for r := range grid {
			for c := range grid[r] {
				if grid[r][c] == '.' {
					free = append(free, tray.Cell{Row: r, Col: c})
				}
			}
		}
		if len(free) <= voids {
			break
		}
		cells := []tray.Cell{free[rng.IntN(len(free))]}
		for range rng.IntN(4) {
			from := cells[rng.IntN(len(cells))]
			next, on := tray.Direction(rng.IntN(tray.Directions)).Beside(from, rows)
			if inParts && rng.IntN(3) == 0 {
				next, on = free[rng.IntN(len(free))], true
			}
			if on && slices.Contains(free, next) && !slices.Contains(cells, next) && len(free)-len(cells) > voids && !divided(append(cells, next)) {
				cells = append(cells, next)
			}
		}
		for _, c := range cells {
			grid[c.Row][c.Col] = name
		}
	}
	text := fmt.Sprintf("floors: %d\ntray:\n", floors)
	for r, row := range grid {
		if r > 0 {
			text += "\n"
		}
		text += string(row)
	}
	text += "\n"
	if inParts {
		text += "parts: *\n"
	}
	for _, w := range walls {
		text += "walls: " + w.String() + "\n"
	}
	return text
}

// Enlarge returns a puzzle with the same answers in a tray of more than 64 cells: each row goes on, behind
// a wall, with empty cells where no piece can come. So the cells of a piece can be in several words of
// a tray.Set.
func Enlarge(t testing.TB, rng *rand.Rand, p *tray.Puzzle) *tray.Puzzle {
	t.Helper()
	rows, cols := p.Size()
	before, after, _ := strings.Cut(p.Format(), "tray:\n")
	lines := slices.DeleteFunc(strings.SplitAfter(after, "\n"), func(line string) bool { return line == "\n" }) // between floors
	least, most := 64/rows+1, (tray.MaxCells-len(p.Cells()))/rows
	more := strings.Repeat(".", least+rng.IntN(most-least+1))
	for r, row := range lines[:rows] {
		row = strings.TrimSuffix(row, "\n")
		lines[r] = row + strings.Repeat("#", cols+1-len(row)) + more + "\n"
	}
	return Parse(t, before+"tray:\n"+strings.Join(lines, ""))
}

// randomWalls draws thin walls for a tray whose floors have some rows, or none.
func randomWalls(rng *rand.Rand, grid [][]byte, rows int) (walls []tray.Wall) {
	if rng.IntN(2) != 0 {
		return nil
	}
	for r := range grid {
		for c := range grid[r] {
			for _, side := range []tray.Direction{tray.Right, tray.Down, tray.Climb} {
				w := tray.Wall{Cell: tray.Cell{Row: r, Col: c}, Side: side}
				to, on := side.Beside(w.Cell, rows)
				if on && to.Row < len(grid) && to.Col < len(grid[r]) && grid[r][c] == '.' && grid[to.Row][to.Col] == '.' && rng.IntN(6) == 0 {
					walls = append(walls, w)
				}
			}
		}
	}
	return walls
}

// randomGoals draws one or two goals: parts of positions that a random walk leads to.
func randomGoals(rng *rand.Rand, p *tray.Puzzle) (text string) {
	for range 1 + rng.IntN(2) {
		drawing := p.FormatPosition(Walk(p, rng, 40))
		keep := p.Pieces()[rng.IntN(len(p.Pieces()))]
		all := rng.IntN(4) == 0
		heading := "goal: "
		if rng.IntN(8) == 0 {
			heading = "anywhere: "
		}
		text += heading + strings.Map(func(ch rune) rune {
			if ch == '/' || ch == '#' || all || byte(ch) == keep {
				return ch
			}
			return '.'
		}, drawing) + "\n"
	}
	return text
}

// Walk returns where a random walk of fewer than n steps leads from the start.
func Walk(p *tray.Puzzle, rng *rand.Rand, n int) tray.Position {
	at := p.Start()
	for range rng.IntN(n) {
		if next := p.Successors(tray.Steps, at); len(next) > 0 {
			at = next[rng.IntN(len(next))].To
		}
	}
	return at
}

// RandomTiles draws an n-puzzle with a random start, and none, one or two goals that name some
// of the tiles or all. It may not be possible to reach the goals.
func RandomTiles(t testing.TB, rng *rand.Rand, rows, cols int) *tray.Puzzle {
	t.Helper()
	var text strings.Builder
	text.WriteString("distinct: *\n")
	margin := strings.Repeat(" ", rng.IntN(3))
	draw := func(heading string, open int) {
		cells := []byte(tray.PieceNames[:rows*cols-1] + ".")
		rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		for i := range open {
			cells[i] = '.'
		}
		if open > 0 { // the tiles that are left can be at any place
			rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		}
		text.WriteString(heading + ":\n")
		for row := range slices.Chunk(cells, cols) {
			text.WriteString(margin + string(row) + "\n")
		}
	}
	draw("tray", 0)
	for range rng.IntN(3) {
		draw("goal", rng.IntN(rows*cols-1))
	}
	return Parse(t, text.String())
}

// Placements lists the keys of all placements of the pieces: each piece is where it can come,
// and no two are in one cell.
func Placements(p *tray.Puzzle) []string {
	var order []int // the pieces by kind
	for _, k := range p.Kinds() {
		order = append(order, k.Pieces...)
	}
	var keys []string
	pos := make(tray.Position, len(order))
	var place func(n int, taken tray.Set)
	place = func(n int, taken tray.Set) {
		if n == len(order) {
			keys = append(keys, p.Key(pos))
			return
		}
		i := order[n]
		from := 0
		if n > 0 && p.Alike(order[n-1], i) {
			from = int(pos[order[n-1]]) + 1
		}
		for at := from; at < len(p.Cells()); at++ {
			if mask := p.Kinds()[p.KindOf(i)].Mask[at]; !mask.IsEmpty() && !mask.Meets(&taken) {
				pos[i] = uint8(at)
				place(n+1, taken.Union(mask))
			}
		}
	}
	place(0, tray.Set{})
	return keys
}

// CheckFormat checks that the text of a puzzle is read as the same puzzle.
func CheckFormat(t testing.TB, p *tray.Puzzle) {
	t.Helper()
	text := p.Format()
	q := Parse(t, text)
	if got := q.Format(); got != text {
		t.Fatalf("the text is read as\n%sexpected\n%s", got, text)
	}
	if len(p.Kinds()) != len(q.Kinds()) || p.Key(p.Start()) != q.Key(q.Start()) || p.Goals() != q.Goals() || p.HasGoal() != q.HasGoal() || p.States != q.States || p.Lengths != q.Lengths {
		t.Fatalf("the text is read as another puzzle:\n%s", text)
	}
}
