package draw

import (
	"image/color"
	"math"

	"pagoda/internal/lists"
	"pagoda/puzzle/lunar/board"
	"pagoda/render"
	"pagoda/render/outline"
)

// frame returns the width of the frame around the cells.
func frame(cell int) int { return pad(cell) + render.Rim(cell) }

// pad returns the width of the frame without its rim.
func pad(cell int) int { return max(2, (cell+3)/7) }

// A look has the lengths of a drawing, in pixels. They are whole where straight edges depend on
// them, so that edges are sharp.
type look struct {
	render.Style
	at   render.Point // the corner of the cell (0, 0)
	cell float64
	gap  float64 // between the floor of a cell and its edge
	line float64 // the width of thin lines
}

func newLook(at render.Point, s render.Style) look {
	cell, edge := float64(s.Cell), float64(frame(s.Cell))
	return look{s, at.Plus(edge, edge), cell, math.Max(1, math.Round(0.04*cell)), math.Max(1, math.Round(0.03*cell))}
}

// box returns the rectangle of a cell.
func (l look) box(b *board.Board, i int) render.Box {
	c := b.Cells()[i]
	corner := l.at.Plus(float64(c.Col)*l.cell, float64(c.Row)*l.cell)
	return render.BoxOf(corner, corner.Plus(l.cell, l.cell))
}

// middle returns the middle of a cell.
func (l look) middle(b *board.Board, i int) render.Point {
	return l.box(b, i).Min.Plus(l.cell/2, l.cell/2)
}

// Draw implements render.Drawing.
func (d Position) Draw(p *render.Picture, at render.Point, s render.Style) {
	l := newLook(at, s)
	d.drawBoard(p, l)
	// The piece that moves comes last: all pieces before it stay equal during the move.
	for i, ch := range d.Pieces {
		switch {
		case d.Open>>i&1 != 0:
			q := l.middle(d.Board, i)
			p.Add(render.Circle{At: q, R: 0.34 * l.cell, Fill: s.Theme.Any, Class: "any"},
				render.Dashed{At: q, R: 0.32 * l.cell, Stroke: math.Max(1, 0.05*l.cell), Dashes: 7, Color: s.Theme.Piece})
		case ch != 0 && (d.Move == nil || i != d.Move.From):
			l.drawPiece(p, l.middle(d.Board, i), ch, d.Looks.block(ch, s.Theme))
		}
	}
	if d.Move == nil {
		return
	}
	cells, err := way(d.Board, d.Pieces, *d.Move)
	if err != nil {
		return // Check has reported it
	}
	points := lists.Map(cells, func(c int) render.Point { return l.middle(d.Board, c) })
	ch := d.Pieces[d.Move.From]
	b := d.Looks.block(ch, s.Theme)
	if d.flight == 0 {
		l.drawPiece(p, points[0], ch, b)
		points[0] = points[0].Towards(points[1], 0.42*l.cell/far(points[0], points[1]))
		p.PathArrow(points, l.cell, s.Theme)
		return
	}
	l.drawFlight(p, points, d.Move.Leaves, d.flight, ch, b)
}

// drawBoard draws the board and its exits.
func (d Position) drawBoard(p *render.Picture, l look) {
	t, wide, rim := l.Theme, float64(pad(l.Cell)), float64(render.Rim(l.Cell))
	around := outline.Around(d.Board.Cells())
	p.Add(around.Shape(l.at, l.cell, outline.Even(-wide-rim), 0.2*l.cell+wide+rim, 0.06*l.cell, t.Edge, ""),
		around.Shape(l.at, l.cell, outline.Even(-wide), 0.2*l.cell+wide, 0.06*l.cell+rim, t.Board, "board"))
	for i := range d.Board.Cells() {
		floor := l.box(d.Board, i).Grow(-l.gap)
		exit, fill, class := d.Board.Exits()>>i&1 != 0, t.Hole, "cell"
		if exit {
			fill, class = t.Target(), "exit"
		}
		size := render.Pt(floor.Max.X-floor.Min.X, floor.Max.Y-floor.Min.Y)
		p.Add(render.Stamp{At: floor.Min, Class: class, Rects: []render.Rect{
			{Box: render.BoxOf(render.Point{}, size), R: 0.16 * l.cell, Fill: t.HoleShade},
			{Box: render.BoxOf(render.Pt(0, l.line), size), R: 0.16 * l.cell, Fill: fill},
		}})
		floor.Min.Y += l.line
		if exit {
			l.drawPad(p, floor, fill)
		}
	}
}

// drawPad draws the landing pad of an exit: rings, and corners that can be seen around a piece.
func (l look) drawPad(p *render.Picture, floor render.Box, fill color.RGBA) {
	middle := floor.Min.Towards(floor.Max, 0.5)
	for i, share := range []float64{0.31, 0.23, 0.11} {
		p.Add(render.Circle{At: middle, R: share * l.cell, Fill: []color.RGBA{l.Theme.Blocks[0], fill}[i%2]})
	}
	corners := render.Lines{Stroke: math.Max(1, 0.055*l.cell), Color: l.Theme.Blocks[0]}
	in, long := 0.09*l.cell, 0.13*l.cell
	for _, x := range []float64{-1, 1} {
		for _, y := range []float64{-1, 1} {
			corner := middle.Plus(x*((floor.Max.X-floor.Min.X)/2-in), y*((floor.Max.Y-floor.Min.Y)/2-in))
			corners.Segments = append(corners.Segments, render.Segment{From: corner, To: corner.Plus(-x*long, 0)},
				render.Segment{From: corner, To: corner.Plus(0, -y*long)})
		}
	}
	p.Add(corners)
}

// drawPiece draws a piece for cells of a size.
func (l look) drawPiece(p *render.Picture, at render.Point, ch byte, b render.Block) {
	if board.IsLetter(ch) {
		l.drawSaucer(p, at, b)
	} else {
		l.drawRobot(p, at, b)
	}
	p.Letter(at, math.Round(0.46*l.cell), string(ch), b.Letter, l.Style)
}

// drawSaucer draws a saucer from above: a rim with lights, and its dome.
func (l look) drawSaucer(p *render.Picture, at render.Point, b render.Block) {
	const r = 0.41
	saucer := render.Stamp{At: at, Class: "letter", Circles: []render.Circle{
		{R: r * l.cell, Fill: b.Shade},
		{At: render.Pt(0, -0.02*l.cell), R: (r - 0.03) * l.cell, Fill: b.Light},
		{At: render.Pt(0, -0.005*l.cell), R: (r - 0.045) * l.cell, Fill: b.Face},
	}}
	const lights = 10
	for i := range lights {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / lights)
		saucer.Circles = append(saucer.Circles, render.Circle{At: render.Pt(0.32*sin*l.cell, (0.32*cos-0.005)*l.cell), R: 0.03 * l.cell, Fill: b.Light})
	}
	p.Add(saucer)
}

// drawRobot draws a robot from above: a square head with ears.
func (l look) drawRobot(p *render.Picture, at render.Point, b render.Block) {
	box := func(x, y, up float64) render.Box {
		return render.BoxOf(render.Pt(-x*l.cell, (-y-up)*l.cell), render.Pt(x*l.cell, (y-up)*l.cell))
	}
	p.Add(render.Stamp{At: at, Class: "number", Rects: []render.Rect{
		{Box: box(0.41, 0.13, 0), R: 0.05 * l.cell, Fill: b.Shade},
		{Box: box(0.34, 0.34, 0), R: 0.1 * l.cell, Fill: b.Shade},
		{Box: box(0.31, 0.305, 0.015), R: 0.08 * l.cell, Fill: b.Light},
		{Box: box(0.31, 0.295, 0), R: 0.08 * l.cell, Fill: b.Face},
	}})
}

// far returns the distance of two points.
func far(p, q render.Point) float64 { return math.Hypot(q.X-p.X, q.Y-p.Y) }

// fade is the time in which a piece leaves, in that of a slide by a cell.
const fade = 2

// drawFlight draws a piece on its way. It is slow where a step begins and ends. If it leaves, it then
// sinks into the exit.
func (l look) drawFlight(p *render.Picture, points []render.Point, leaves bool, share float64, ch byte, b render.Block) {
	const turn = 0.5 // the time for the begin and the end of a step
	whole := 0.0
	for i := range points[1:] {
		whole += far(points[i], points[i+1])/l.cell + turn
	}
	if leaves {
		whole += fade
	}
	gone := share * whole
	for i := range points[1:] {
		time := far(points[i], points[i+1])/l.cell + turn
		if gone < time {
			part := gone / time
			at := points[i].Towards(points[i+1], part*part*(3-2*part))
			l.drawPiece(p, render.Pt(math.Round(at.X), math.Round(at.Y)), ch, b)
			return
		}
		gone -= time
	}
	gone = math.Min(1, gone/fade)
	pad := l.Theme.Target()
	for _, c := range []*color.RGBA{&b.Face, &b.Light, &b.Shade, &b.Letter} {
		*c = render.Mix(*c, pad, gone*gone)
	}
	l.cell *= 1 - 0.75*gone
	l.drawPiece(p, points[len(points)-1], ch, b)
}
