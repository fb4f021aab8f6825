package draw

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"pagoda/puzzle/slide/tray"
	"pagoda/render"
	"pagoda/render/outline"
)

// A look has the lengths of a drawing, in pixels. They are whole where straight edges depend on
// them, so that edges are sharp.
type look struct {
	render.Style
	at           render.Point // the corner of the cell (0, 0)
	cell         float64
	gap          float64 // between a piece and the edge of its cells
	bevel, depth float64 // the widths of the upper and the lower side of a piece
	line         float64 // the width of its edge
	corner       float64 // between the mark of a goal and the edge of its cells
}

func (d Tray) look(at render.Point, s render.Style) look {
	r := d.span()
	cell := float64(s.Cell)
	whole := func(share float64) float64 { return math.Max(1, math.Round(share*cell)) }
	return look{s, at.Plus(float64(frame(s.Cell)-r.Min.X*s.Cell), float64(frame(s.Cell)+d.header(s.Cell)-r.Min.Y*s.Cell)),
		cell, whole(0.03), whole(0.04), whole(0.06), whole(0.02), whole(0.1)}
}

// outline returns the outline of lines around cells, with edges moved inwards. Corners are
// rounded so that outlines with different insets are parallel.
func (l look) outline(lines outline.Lines, by outline.Inset, fill color.RGBA, class string) render.Outline {
	least := slices.Min(by[:])
	return lines.Shape(l.at, l.cell, by, math.Max(0, 0.17*l.cell-least), 0.06*l.cell+least, fill, class)
}

// Draw implements render.Drawing.
func (d Tray) Draw(p *render.Picture, at render.Point, s render.Style) {
	l, colors := d.look(at, s), d.colors()
	d.drawTray(p, at, l)
	d.drawGoals(p, l)
	moves := func(i int) bool { return d.Move != nil && strings.IndexByte(d.Move.Pieces, d.Puzzle.Pieces()[i]) >= 0 }
	over, by := l, d.offset(l.cell)
	over.at = l.at.Plus(by.X, by.Y)
	for i := range d.Position {
		if moves(i) {
			d.drawRods(p, i, over, colors[i])
		} else {
			d.drawRods(p, i, l, colors[i])
		}
	}
	// The pieces that move come last: all pieces before them stay equal during the move.
	for i := range d.Position {
		if !moves(i) {
			d.drawPiece(p, i, l, colors[i])
		}
	}
	for i := range d.Position {
		if moves(i) {
			d.drawPiece(p, i, over, colors[i])
		}
	}
	d.drawWalls(p, l)
	d.drawBrackets(p, l)
	if d.Move != nil && d.flight == 0 {
		for i := range d.Position {
			if moves(i) {
				d.drawArrow(p, i, l)
			}
		}
	}
}

// offset returns how far the moving pieces have come, in whole pixels.
func (d Tray) offset(cell float64) render.Point {
	if d.flight == 0 {
		return render.Point{}
	}
	path := d.Move.Path
	gone := d.flight * d.flight * (3 - 2*d.flight) * float64(len(path)) // slow at both ends
	n := min(int(gone), len(path)-1)
	q := d.stations(path)
	at := q[n].Towards(q[n+1], gone-float64(n))
	return render.Pt(math.Round(at.X*cell), math.Round(at.Y*cell))
}

// stations returns the cells of a path, relative to its begin.
func (d Tray) stations(path string) []render.Point {
	floor := float64(d.floorWidth())
	all := []render.Point{{}}
	for i := range len(path) {
		step := map[byte]render.Point{'U': {Y: -1}, 'D': {Y: 1}, 'L': {X: -1}, 'R': {X: 1}, 'C': {X: floor}, 'S': {X: -floor}}[path[i]]
		all = append(all, all[i].Plus(step.X, step.Y))
	}
	return all
}

// drawTray draws the frame, and in it the floor, with its upper edges in the shade.
func (d Tray) drawTray(p *render.Picture, at render.Point, l look) {
	t := l.Theme
	w, h := d.Size(l.Cell)
	whole := render.BoxOf(at, at.Plus(float64(w), float64(h)))
	edge := float64(render.Rim(l.Cell))
	p.Add(render.Rect{Box: whole, R: 0.3*l.cell + edge, Fill: t.Edge}, render.Rect{Box: whole.Grow(-edge), R: 0.3 * l.cell, Fill: t.Board})
	d.drawCaptions(p, at, l)
	floor := outline.Around(d.drawn(d.Puzzle.Cells()))
	p.Add(l.outline(floor, outline.Inset{}, t.HoleShade, ""), l.outline(floor, outline.Inset{outline.Top: l.depth}, t.Hole, "floor"))
}

// drawWalls draws the walls between neighbouring cells.
func (d Tray) drawWalls(p *render.Picture, l look) {
	in := make(map[tray.Cell]bool)
	for _, c := range d.drawn(d.Puzzle.Cells()) {
		in[c] = true
	}
	thick := 2 * math.Max(1, math.Round(0.07*l.cell))
	// end returns where a wall that comes from the direction (rows, cols) ends: at a corner of
	// cells, or at the edge of the frame.
	end := func(corner tray.Cell, rows, cols float64) render.Point {
		at := l.at.Plus(float64(corner.Col)*l.cell, float64(corner.Row)*l.cell)
		for _, c := range []tray.Cell{{}, {Row: -1}, {Col: -1}, {Row: -1, Col: -1}} {
			if !in[tray.Cell{Row: corner.Row + c.Row, Col: corner.Col + c.Col}] {
				return at.Plus(cols*thick/2, rows*thick/2)
			}
		}
		return at
	}
	var walls []render.Segment
	for _, cell := range d.Puzzle.Cells() {
		c := d.place(cell)
		corner := tray.Cell{Row: c.Row + 1, Col: c.Col + 1}
		if right := (tray.Cell{Row: c.Row, Col: c.Col + 1}); in[right] && !d.Puzzle.Open(cell, tray.Right) {
			walls = append(walls, render.Segment{From: end(right, 1, 0), To: end(corner, -1, 0)})
		}
		if below := (tray.Cell{Row: c.Row + 1, Col: c.Col}); in[below] && !d.Puzzle.Open(cell, tray.Down) {
			walls = append(walls, render.Segment{From: end(below, 0, 1), To: end(corner, 0, -1)})
		}
	}
	walls = append(walls, d.ceilings(l)...)
	if len(walls) > 0 {
		p.Add(render.Lines{Segments: walls, Stroke: thick, Color: l.Theme.Edge}, render.Lines{Segments: walls, Stroke: thick / 2, Color: l.Theme.Board})
	}
}

// drawGoals colours the floor where goals want pieces.
func (d Tray) drawGoals(p *render.Picture, l look) {
	for _, want := range d.targets() {
		p.Add(l.outline(outline.Around(d.drawn(want.Cells)), outline.Even(l.corner), l.Theme.Target(), "target"))
	}
}

// drawBrackets draws the corners of these places, in front of pieces. If goals want different
// pieces, each place has the name of its piece in a corner.
func (d Tray) drawBrackets(p *render.Picture, l look) {
	targets := d.targets()
	several := slices.ContainsFunc(targets, func(t tray.Want) bool { return !d.Puzzle.Alike(t.Piece, targets[0].Piece) })
	for _, want := range targets {
		b := render.Lines{Stroke: 2 * l.line, Color: l.Theme.Goal}
		for _, loop := range l.outline(outline.Around(d.drawn(want.Cells)), outline.Even(l.corner), b.Color, "").Loops {
			for i, c := range loop {
				for _, next := range []render.Point{loop[(i+1)%len(loop)].At, loop[(i+len(loop)-1)%len(loop)].At} {
					long := math.Hypot(next.X-c.At.X, next.Y-c.At.Y)
					b.Segments = append(b.Segments, render.Segment{From: c.At, To: c.At.Towards(next, 0.2*l.cell/long)})
				}
			}
		}
		p.Add(b)
		if first := d.place(want.Cells[0]); several {
			at := l.at.Plus((float64(first.Col)+0.24)*l.cell, (float64(first.Row)+0.2)*l.cell)
			p.Letter(at, math.Round(0.24*l.cell), d.label(want.Piece), b.Color, l.Style)
		}
	}
}

func (d Tray) drawPiece(p *render.Picture, i int, l look, number int) {
	b := l.Theme.Block(number)
	cells := d.drawn(d.Puzzle.PieceCells(d.Position, i))
	lines := outline.Around(cells)
	g, in := l.gap, l.gap+l.line
	class := "piece"
	if number == 0 {
		class = "piece goal"
	}
	p.Add(l.outline(lines, outline.Inset{outline.Top: g, outline.Right: g, outline.Left: g}, l.Theme.Shadow, ""),
		l.outline(lines, outline.Even(g), b.Shade, class),
		l.outline(lines, outline.Inset{outline.Top: in, outline.Right: in, outline.Left: in, outline.Bottom: g + l.depth}, b.Light, ""),
		l.outline(lines, outline.Inset{outline.Top: g + l.line + l.bevel, outline.Right: in, outline.Left: in, outline.Bottom: g + l.depth}, b.Face, ""))
	d.drawStairs(p, i, l, b)
	for _, part := range partsOf(cells) {
		m := heart(part)
		p.Letter(l.at.Plus(m.X*l.cell, m.Y*l.cell), math.Round(0.44*l.cell), d.label(i), b.Letter, l.Style)
	}
}

// drawRods joins the parts of a piece by thin rods on the floor: each part, but for the first, with the
// nearest of those before it. Parts on different floors are not joined.
func (d Tray) drawRods(p *render.Picture, i int, l look, number int) {
	if !d.Puzzle.InParts(i) {
		return
	}
	parts := partsOf(d.drawn(d.Puzzle.PieceCells(d.Position, i)))
	var rods []render.Segment
	for n, part := range parts {
		var from, to tray.Cell
		least := math.Inf(1)
		for _, a := range part {
			for _, b := range slices.Concat(parts[:n]...) {
				if long := math.Hypot(float64(a.Row-b.Row), float64(a.Col-b.Col)); long < least && a.Col/d.floorWidth() == b.Col/d.floorWidth() {
					from, to, least = a, b, long
				}
			}
		}
		if !math.IsInf(least, 1) {
			centre := func(c tray.Cell) render.Point {
				return l.at.Plus((float64(c.Col)+0.5)*l.cell, (float64(c.Row)+0.5)*l.cell)
			}
			rods = append(rods, render.Segment{From: centre(from), To: centre(to)})
		}
	}
	if len(rods) > 0 {
		b := l.Theme.Block(number)
		p.Add(render.Lines{Segments: rods, Stroke: 4*l.line + 2*l.gap, Color: b.Shade}, render.Lines{Segments: rods, Stroke: 4 * l.line, Color: b.Light})
	}
}

// partsOf divides cells into those that edges connect. The first cells of the parts are in order.
func partsOf(cells []tray.Cell) [][]tray.Cell {
	left := slices.Clone(cells)
	var parts [][]tray.Cell
	for len(left) > 0 {
		part := []tray.Cell{left[0]}
		left = left[1:]
		for i := 0; i < len(part); i++ {
			c := part[i]
			for _, next := range []tray.Cell{{Row: c.Row - 1, Col: c.Col}, {Row: c.Row + 1, Col: c.Col}, {Row: c.Row, Col: c.Col - 1}, {Row: c.Row, Col: c.Col + 1}} {
				if at := slices.Index(left, next); at >= 0 {
					part = append(part, left[at])
					left = slices.Delete(left, at, at+1)
				}
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// heart returns a point well inside a piece. It is the point nearest to the mean of the cells
// among the centres of single cells, of two neighbours and of four cells in a square.
func heart(cells []tray.Cell) render.Point {
	in := make(map[tray.Cell]bool)
	var mean render.Point
	for _, c := range cells {
		in[c] = true
		mean = mean.Plus((float64(c.Col)+0.5)/float64(len(cells)), (float64(c.Row)+0.5)/float64(len(cells)))
	}
	best, least := render.Point{}, math.Inf(1)
	for _, c := range cells {
		for _, more := range []tray.Cell{{}, {Col: 1}, {Row: 1}, {Row: 1, Col: 1}} {
			right, down := tray.Cell{Row: c.Row, Col: c.Col + more.Col}, tray.Cell{Row: c.Row + more.Row, Col: c.Col}
			if !in[right] || !in[down] || !in[tray.Cell{Row: down.Row, Col: right.Col}] {
				continue
			}
			at := render.Pt(float64(c.Col+right.Col+1)/2, float64(c.Row+down.Row+1)/2)
			if off := math.Hypot(at.X-mean.X, at.Y-mean.Y); off < least-1e-9 {
				best, least = at, off
			}
		}
	}
	return best
}

// drawArrow draws the path of a piece, beginning beside its name.
func (d Tray) drawArrow(p *render.Picture, i int, l look) {
	m := heart(partsOf(d.drawn(d.Puzzle.PieceCells(d.Position, i)))[0])
	way := d.stations(d.Move.Path)
	for i, q := range way {
		way[i] = l.at.Plus((m.X+q.X)*l.cell, (m.Y+q.Y)*l.cell)
	}
	if !l.NoLetters {
		way[0] = way[0].Towards(way[1], 0.42)
	}
	p.PathArrow(way, l.cell, l.Theme)
}
