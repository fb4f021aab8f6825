package draw

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"pagoda/puzzle/tiles/glide"
	"pagoda/render"
)

// A Position is a Drawing of a board.
type Position struct {
	Grid    *glide.Grid
	Board   glide.Board
	Palette Palette
	// Move, if there is one, is the slide to show: arrows on the frame, at each line that moves.
	Move *glide.Direction
	// after is the board after a move under way: flight, if above 0, is how much of it is made.
	after  glide.Board
	flight float64
}

// Check implements render.Drawing.
func (d Position) Check() error {
	switch {
	case d.Grid == nil:
		return errors.New("a board has no grid")
	case d.Grid.Cells() < glide.MostCells && d.Board>>(4*d.Grid.Cells()) != 0:
		return fmt.Errorf("the board %#x has tiles outside its %d cells", uint64(d.Board), d.Grid.Cells())
	}
	return nil
}

// Title implements render.Drawing.
func (d Position) Title() string { return d.Grid.Format(d.Board) }

// pad returns the width of the frame around the cells.
func pad(cell int) int { return max(4, cell/5) }

// Size implements render.Drawing.
func (d Position) Size(cell int) (width, height int) {
	return d.Grid.Columns()*cell + 2*pad(cell), d.Grid.Rows()*cell + 2*pad(cell)
}

// Rows implements render.Drawing: numbers in columns, and a dot for an empty cell.
func (d Position) Rows() []string {
	var rows []string
	for row := range slices.Chunk(d.Grid.Texts(d.Board), d.Grid.Columns()) {
		rows = append(rows, strings.Join(row, " "))
	}
	return rows
}

// A lens has the lengths of a drawing.
type lens struct {
	render.Style
	p    *render.Picture
	at   render.Point // the corner of the first cell
	cell float64
	gap  float64 // between a tile and the edge of its cell
}

// Draw implements render.Drawing.
func (d Position) Draw(p *render.Picture, at render.Point, s render.Style) {
	cell, frame := float64(s.Cell), float64(pad(s.Cell))
	l := lens{s, p, at.Plus(frame, frame), cell, math.Max(1, math.Round(0.05*cell))}
	end := l.at.Plus(cell*float64(d.Grid.Columns()), cell*float64(d.Grid.Rows()))
	p.Add(render.Rect{Box: render.BoxOf(l.at, end).Grow(frame), R: 0.2 * cell, Fill: s.Theme.Edge, Class: "board"})
	for c := range d.Grid.Cells() {
		p.Add(render.Rect{Box: l.box(d.corner(c, cell)), R: 0.1 * cell, Fill: s.Theme.Hole, Class: "cell"})
	}
	if d.flight > 0 {
		d.drawFlight(l)
		return
	}
	for c := range d.Grid.Cells() {
		if tile := d.Board.At(c); tile > 0 {
			d.drawTile(l, d.corner(c, cell), tile, 1)
		}
	}
	if d.Move != nil {
		d.drawArrows(l, frame)
	}
}

// corner returns the upper left corner of a cell, from that of the first.
func (d Position) corner(c int, cell float64) render.Point {
	return render.Pt(float64(c%d.Grid.Columns())*cell, float64(c/d.Grid.Columns())*cell)
}

// box returns the place of a tile in a cell.
func (l lens) box(corner render.Point) render.Box {
	from := l.at.Plus(corner.X, corner.Y)
	return render.BoxOf(from, from.Plus(l.cell, l.cell)).Grow(-l.gap)
}

// drawTile draws a tile in a size, 1 if it rests.
func (d Position) drawTile(l lens, corner render.Point, tile uint8, size float64) {
	box := l.box(corner)
	wide := (box.Max.X - box.Min.X) * size
	face, text := d.Palette.face(l.Theme, tile), strconv.FormatUint(d.Grid.Numbers[tile], 10)
	l.p.Add(render.Rect{Box: box.Grow((wide - (box.Max.X - box.Min.X)) / 2), R: 0.1 * l.cell * size, Fill: face, Class: "tile"})
	letters := 0.46 * l.cell * size
	if most := 0.88 * wide; render.TextWidth(text, letters) > most {
		letters *= most / render.TextWidth(text, letters)
	}
	l.p.Letter(box.Min.Towards(box.Max, 0.5), math.Floor(10*letters)/10, text, number(face), l.Style)
}

// drawArrows draws an arrow on the frame at the end of each line that moves.
func (d Position) drawArrows(l lens, frame float64) {
	rows, columns := float64(d.Grid.Rows()), float64(d.Grid.Columns())
	after, _ := d.Grid.Slide(d.Board, *d.Move)
	moved := d.Grid.MovedLines(d.Board, after, *d.Move)
	for line := range glide.MostCells {
		if moved>>line&1 == 0 {
			continue
		}
		along := (float64(line) + 0.5) * l.cell
		at, x, y := render.Point{}, 0.0, 0.0 // the middle of the arrow, and where it points
		switch *d.Move {
		case glide.Up:
			at, y = render.Pt(along, -frame/2), -1
		case glide.Down:
			at, y = render.Pt(along, rows*l.cell+frame/2), 1
		case glide.Left:
			at, x = render.Pt(-frame/2, along), -1
		case glide.Right:
			at, x = render.Pt(columns*l.cell+frame/2, along), 1
		}
		at = l.at.Plus(at.X, at.Y)
		long, half := 0.28*frame, 0.5*frame
		points := []render.Point{at.Plus(x*long, y*long), at.Plus(-x*long-y*half, -y*long+x*half), at.Plus(-x*long+y*half, -y*long-x*half)}
		l.p.Add(render.Polygon{Points: points, Stroke: 0.3 * frame, Fill: l.Theme.MarkRim},
			render.Polygon{Points: points, Fill: l.Theme.Mark})
	}
}

// Blends implements render.Drawing.
func (d Position) Blends(t render.Theme) [][2]color.RGBA {
	all := [][2]color.RGBA{{t.Background, t.Edge}, {t.Edge, t.Hole}}
	var seen [greatest + 1]bool
	tile := func(tile uint8) {
		if tile > 0 && !seen[tile] {
			seen[tile] = true
			face := d.Palette.face(t, tile)
			all = append(all, [2]color.RGBA{t.Edge, face}, [2]color.RGBA{t.Hole, face}, [2]color.RGBA{face, number(face)})
		}
	}
	for c := range d.Grid.Cells() {
		tile(d.Board.At(c))
		tile(d.after.At(c))
	}
	if d.Move != nil && d.flight == 0 {
		all = append(all, [2]color.RGBA{t.Edge, t.MarkRim}, [2]color.RGBA{t.MarkRim, t.Mark}, [2]color.RGBA{t.Background, t.MarkRim})
	}
	if d.flight == 0 || d.Move == nil {
		return all
	}
	// A tile that joins another glides over it.
	glides := d.Grid.Glides(nil, d.Board, *d.Move)
	for i := 1; i < len(glides); i++ {
		if a, b := glides[i-1], glides[i]; a.Joins && b.Joins && a.To == b.To && a.Tile != b.Tile {
			over, under := d.Palette.face(t, b.Tile), d.Palette.face(t, a.Tile)
			all = append(all, [2]color.RGBA{under, over}, [2]color.RGBA{number(under), over})
		}
	}
	return all
}
