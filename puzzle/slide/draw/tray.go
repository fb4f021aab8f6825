package draw

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"pagoda/puzzle/slide/tray"
	"pagoda/render"
)

// A Tray is a Drawing of a position of a sliding-block puzzle. The places where goals want
// pieces are marked, and these pieces have a colour of their own. The other pieces have a
// colour for each shape.
type Tray struct {
	Puzzle   *tray.Puzzle
	Position tray.Position
	// Colours are those of the pieces, as a Palette gives them. If nil, the puzzle has a palette of its own.
	Colours []int
	// Move, if there is one, is drawn as an arrow for each piece that moves.
	Move *tray.Move
	// flight, if above 0, is how much of the move is made: its pieces are drawn on the way.
	flight float64
}

// Caption returns "goal" or "start" for such a position, or else "".
func (d Tray) Caption() string {
	switch {
	case d.Check() != nil:
	case d.Puzzle.Solved(d.Position):
		return "goal"
	case d.Puzzle.Key(d.Position) == d.Puzzle.Key(d.Puzzle.Start()):
		return "start"
	}
	return ""
}

// Check implements render.Drawing.
func (d Tray) Check() error {
	if d.Puzzle == nil || len(d.Puzzle.Cells()) == 0 {
		return fmt.Errorf("a position has no puzzle")
	}
	if err := d.Puzzle.CheckPosition(d.Position); err != nil {
		return err
	}
	if n := len(d.Puzzle.Pieces()); d.Colours != nil && len(d.Colours) != n {
		return fmt.Errorf("there are %d colours, expected one for each of %d pieces", len(d.Colours), n)
	}
	if d.Move == nil {
		return nil
	}
	_, err := NewFilm(d.Puzzle, d.Position, []tray.Move{*d.Move}, nil)
	return err
}

// Title implements render.Drawing.
func (d Tray) Title() string { return d.Puzzle.FormatPosition(d.Position) }

// numbers are the names of the tiles of an n-puzzle: in a text each has one character, so that 10 is A.
const numbers = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// numbered reports whether the puzzle is an n-puzzle, whose tiles have numbers.
func (d Tray) numbered() bool {
	names := d.Puzzle.Pieces()
	return d.Puzzle.Tiles() && len(names) <= len(numbers) && strings.Trim(names, numbers[:len(names)]) == ""
}

// label returns what is written on a piece: its name or its number.
func (d Tray) label(i int) string {
	if name := d.Puzzle.Pieces()[i]; d.numbered() {
		return strconv.Itoa(1 + strings.IndexByte(numbers, name))
	}
	return d.Puzzle.Pieces()[i : i+1]
}

// span returns the smallest rectangle that holds all cells of the tray, where they are drawn.
func (d Tray) span() image.Rectangle {
	var r image.Rectangle
	for _, c := range d.drawn(d.Puzzle.Cells()) {
		r = r.Union(image.Rect(c.Col, c.Row, c.Col+1, c.Row+1))
	}
	return r
}

// frame returns the width of the frame around the tray.
func frame(cell int) int { return max(2, (cell*2+3)/7) + render.Rim(cell) }

// Size implements render.Drawing.
func (d Tray) Size(cell int) (width, height int) {
	r := d.span()
	return r.Dx()*cell + 2*frame(cell), r.Dy()*cell + 2*frame(cell) + d.header(cell)
}

// colors returns which of the theme's Blocks each piece is.
func (d Tray) colors() []int {
	if d.Colours != nil {
		return d.Colours
	}
	return make(Palette).Of(d.Puzzle)
}

// A Palette has the colours of shapes, by how their cells lie. Puzzles that share one have equal shapes in one colour.
type Palette map[string]int

// Of returns which of the theme's Blocks each piece of a puzzle is: 0 if a goal names the piece, unless goals name all
// pieces, or else a number for its shape. Shapes that are new get the next colours.
func (shapes Palette) Of(p *tray.Puzzle) []int {
	start, named := p.Start(), p.Named()
	apart := slices.Contains(named, false)
	number := make([]int, len(start))
	for i := range number {
		if apart && named[i] {
			continue
		}
		shape := ""
		cells, rows := p.PieceCells(start, i), p.FloorRows()
		first := cells[0]
		for _, c := range cells {
			shape += fmt.Sprint(c.Row/rows-first.Row/rows, c.Row%rows-first.Row%rows, c.Col-first.Col, " ")
		}
		if shapes[shape] == 0 {
			shapes[shape] = len(shapes) + 1
		}
		number[i] = shapes[shape]
	}
	return number
}

// maxGoals bounds the goals that are marked: with more of them, their places are nearly
// everywhere.
const maxGoals = 4

// targets returns the places where goals want pieces. It returns none if there are too many
// goals, or if they name all pieces: such a goal is a whole position.
func (d Tray) targets() []tray.Want {
	if d.Puzzle.Goals() > maxGoals || !slices.Contains(d.Puzzle.Named(), false) {
		return nil
	}
	var all []tray.Want
	for g := range d.Puzzle.Goals() {
		for _, want := range d.Puzzle.Wants(g) {
			if !slices.ContainsFunc(all, func(t tray.Want) bool { return t.Piece == want.Piece && slices.Equal(t.Cells, want.Cells) }) {
				all = append(all, want)
			}
		}
	}
	return all
}

// Blends implements render.Drawing.
func (d Tray) Blends(t render.Theme) [][2]color.RGBA {
	all := [][2]color.RGBA{{t.Background, t.Edge}, {t.Edge, t.Board}, {t.Board, t.HoleShade}, {t.HoleShade, t.Hole},
		{t.Hole, t.Target()}, {t.Target(), t.Goal}}
	used := d.colors()
	slices.Sort(used)
	for _, n := range slices.Compact(used) {
		b := t.Block(n)
		all = append(all, [][2]color.RGBA{{t.Hole, b.Shade}, {t.Shadow, b.Shade}, {b.Shade, b.Face}, {b.Light, b.Face}, {b.Shade, b.Light}, {b.Face, b.Letter}}...)
	}
	if d.Puzzle.Floors() > 1 {
		all = append(all, [2]color.RGBA{t.Board, render.BlockOf(t.Board).Letter})
	}
	if d.Move != nil && d.flight == 0 {
		all = append(all, [][2]color.RGBA{{t.Hole, t.MarkRim}, {t.MarkRim, t.Mark}}...)
	}
	return all
}

// Rows implements render.Drawing: names of pieces, . for an empty cell, # and spaces for walls. Between
// two floors there is an empty row.
func (d Tray) Rows() []string {
	rows := strings.Split(d.Puzzle.FormatPosition(d.Position), "/")
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	for i, row := range rows {
		rows[i] = row + strings.Repeat(" ", width-len(row))
	}
	for floor := d.Puzzle.Floors() - 1; floor > 0; floor-- {
		rows = slices.Insert(rows, floor*d.Puzzle.FloorRows(), strings.Repeat(" ", width))
	}
	return rows
}
