package render

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"time"

	"pagoda/statespace/slide"
)

// A Tray is a position of a sliding-block puzzle. It is a Drawing. Where the puzzle's
// goals want pieces is marked in the tray, and these pieces have a colour of their own;
// the colour of the others tells their shape.
type Tray struct {
	Puzzle   *slide.Puzzle
	Position slide.Position
	// Move, if there is one, is drawn as an arrow for each piece that moves.
	Move *slide.Move
	// flight, if above 0, shows the move itself instead: 1 is its end.
	flight float64
}

// MaxPath bounds the cells of the path of a move.
const MaxPath = 4096

// Caption tells "start" or "goal" of these positions, and nothing of others.
func (d Tray) Caption() string {
	switch {
	case d.check() != nil:
	case d.Puzzle.Solved(d.Position):
		return "goal"
	case d.Puzzle.Key(d.Position) == d.Puzzle.Key(d.Puzzle.Start()):
		return "start"
	}
	return ""
}

func (d Tray) check() error {
	if d.Puzzle == nil || d.Puzzle.Cells() == 0 {
		return fmt.Errorf("a position has no puzzle")
	}
	if err := d.Puzzle.CheckPosition(d.Position); err != nil {
		return err
	}
	if d.Move == nil {
		return nil
	}
	_, err := TraySolution{d.Puzzle, d.Position, []slide.Move{*d.Move}}.positions()
	return err
}

func (d Tray) describe() string { return d.Puzzle.FormatPosition(d.Position) }

// spot is a cell as a point of a grid.
func spot(c slide.Cell) image.Point { return image.Pt(c.Col, c.Row) }

func spots(cells []slide.Cell) []image.Point {
	all := make([]image.Point, len(cells))
	for i, c := range cells {
		all[i] = spot(c)
	}
	return all
}

// span is the least rectangle that holds all cells of the tray.
func (d Tray) span() image.Rectangle {
	var r image.Rectangle
	for _, c := range spots(d.Puzzle.TrayCells()) {
		r = r.Union(image.Rectangle{c, c.Add(image.Pt(1, 1))})
	}
	return r
}

// frame is how wide the frame around the tray is.
func frame(cell int) int { return max(2, (cell*2+3)/7) + rim(cell) }

func (d Tray) size(cell int) (width, height int) {
	r := d.span()
	return r.Dx()*cell + 2*frame(cell), r.Dy()*cell + 2*frame(cell)
}

// A look is the lengths of a drawing of a tray, in pixels. Those that straight edges
// depend on are whole, so that these are sharp.
type look struct {
	Style
	at                point // the corner of the cell 0, 0
	cell              float64
	gap               float64 // between a piece and the edge of its cells
	bevel, deep, line float64 // what is seen of the upper and the lower side of a piece, and its edge
	corner            float64 // between the mark of a goal and the edge of its cells
}

func (d Tray) look(at point, s Style) look {
	r := d.span()
	cell := float64(s.Cell)
	whole := func(share float64) float64 { return math.Max(1, math.Round(share*cell)) }
	return look{s, at.plus(float64(frame(s.Cell)-r.Min.X*s.Cell), float64(frame(s.Cell)-r.Min.Y*s.Cell)),
		cell, whole(0.03), whole(0.04), whole(0.06), whole(0.02), whole(0.1)}
}

// outline returns the outline of cells, with edges moved inwards and corners rounded so
// that such outlines of the same cells are parallel.
func (l look) outline(lines [][]bend, by inset, fill color.RGBA, kind string) outline {
	least := slices.Min(by[:])
	return outlineOf(lines, l.at, l.cell, by, math.Max(0, 0.17*l.cell-least), 0.06*l.cell+least, fill, kind)
}

// A block is how the face and the sides of a piece are coloured.
type block struct{ face, light, shade, letter color.RGBA }

func (t Theme) block(n int) block {
	black, white := rgb(0), rgb(0xffffff)
	if n > 0 { // 0 is for the pieces of the goal alone
		n = 1 + (n-1)%(len(t.Blocks)-1)
	}
	b := block{face: t.Blocks[n]}
	b.light, b.shade = mix(b.face, white, 0.3), mix(b.face, black, 0.4)
	b.letter = mix(b.face, white, 0.9)
	if dark := mix(b.face, black, 0.8); contrast(dark, b.face) > contrast(b.letter, b.face) {
		b.letter = dark
	}
	return b
}

// blocks returns the number of the colour of each piece: 0 for those that a goal names,
// unless goals name all, and for the others one for each shape.
func (d Tray) blocks() []int {
	start, named := d.Puzzle.Start(), d.named()
	apart := slices.Contains(named, false)
	number := make([]int, len(start))
	shapes := make(map[string]int)
	for i := range number {
		if apart && named[i] {
			continue
		}
		shape := ""
		cells := d.Puzzle.PieceCells(start, i)
		for _, c := range cells {
			shape += fmt.Sprint(c.Row-cells[0].Row, c.Col-cells[0].Col, " ")
		}
		if shapes[shape] == 0 {
			shapes[shape] = len(shapes) + 1
		}
		number[i] = shapes[shape]
	}
	return number
}

// named tells of each piece whether a goal names it, or one that is not told apart.
func (d Tray) named() []bool {
	named := make([]bool, len(d.Puzzle.Pieces()))
	for g := range d.Puzzle.Goals() {
		for _, want := range d.Puzzle.Wants(g) {
			for i := range named {
				named[i] = named[i] || d.Puzzle.Alike(i, want.Piece)
			}
		}
	}
	return named
}

func (d Tray) draw(p *Picture, at point, s Style) {
	l, blocks := d.look(at, s), d.blocks()
	d.drawTray(p, at, l)
	d.drawGoals(p, l)
	moves := func(i int) bool { return d.Move != nil && strings.IndexByte(d.Move.Pieces, d.Puzzle.Pieces()[i]) >= 0 }
	// The pieces that move come last: while they do, nothing before them changes.
	for i := range d.Position {
		if !moves(i) {
			d.drawPiece(p, i, l, blocks[i])
		}
	}
	by := d.offset(l.cell)
	for i := range d.Position {
		if moves(i) {
			over := l
			over.at = l.at.plus(by.x, by.y)
			d.drawPiece(p, i, over, blocks[i])
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

// offset is how far the pieces that move have come, in whole pixels.
func (d Tray) offset(cell float64) point {
	if d.flight == 0 {
		return point{}
	}
	path := d.Move.Path
	gone := d.flight * d.flight * (3 - 2*d.flight) * float64(len(path)) // slow at both ends
	n := min(int(gone), len(path)-1)
	q := stations(path)
	at := q[n].towards(q[n+1], gone-float64(n))
	return point{math.Round(at.x * cell), math.Round(at.y * cell)}
}

// stations returns where a path leads, in cells from its begin.
func stations(path string) []point {
	all := []point{{}}
	for i := range len(path) {
		step := map[byte]point{'U': {0, -1}, 'D': {0, 1}, 'L': {-1, 0}, 'R': {1, 0}}[path[i]]
		all = append(all, all[i].plus(step.x, step.y))
	}
	return all
}

// drawTray draws the frame, and in it the floor, with its upper edges in the shade.
func (d Tray) drawTray(p *Picture, at point, l look) {
	t := l.Theme
	w, h := d.size(l.Cell)
	whole := box{at, at.plus(float64(w), float64(h))}
	edge := float64(rim(l.Cell))
	p.add(rect{whole, 0.3*l.cell + edge, t.Edge, ""}, rect{whole.grow(-edge), 0.3 * l.cell, t.Board, ""})
	floor := around(spots(d.Puzzle.TrayCells()))
	p.add(l.outline(floor, inset{}, t.HoleShade, ""), l.outline(floor, inset{toRight: l.deep}, t.Hole, "floor"))
}

// drawWalls draws the walls between cells that are next to each other.
func (d Tray) drawWalls(p *Picture, l look) {
	in := make(map[slide.Cell]bool)
	for _, c := range d.Puzzle.TrayCells() {
		in[c] = true
	}
	thick := 2 * math.Max(1, math.Round(0.07*l.cell))
	// end is where a wall ends that comes from so many rows and columns away: at a corner
	// of cells, but if the frame is there, not in it.
	end := func(corner slide.Cell, rows, cols float64) point {
		at := l.at.plus(float64(corner.Col)*l.cell, float64(corner.Row)*l.cell)
		for _, c := range []slide.Cell{{}, {Row: -1}, {Col: -1}, {Row: -1, Col: -1}} {
			if !in[slide.Cell{Row: corner.Row + c.Row, Col: corner.Col + c.Col}] {
				return at.plus(cols*thick/2, rows*thick/2)
			}
		}
		return at
	}
	var walls []segment
	for _, c := range d.Puzzle.TrayCells() {
		corner := slide.Cell{Row: c.Row + 1, Col: c.Col + 1}
		if right := c.Next(slide.Right); in[right] && !d.Puzzle.Open(c, slide.Right) {
			walls = append(walls, segment{end(right, 1, 0), end(corner, -1, 0)})
		}
		if below := c.Next(slide.Down); in[below] && !d.Puzzle.Open(c, slide.Down) {
			walls = append(walls, segment{end(below, 0, 1), end(corner, 0, -1)})
		}
	}
	if len(walls) > 0 {
		p.add(lines{walls, thick, l.Theme.Edge}, lines{walls, thick / 2, l.Theme.Board})
	}
}

// maxGoals is how many goals are marked: one that has more of them is nearly anywhere.
const maxGoals = 4

// targets returns the places where goals want pieces. There is nothing to mark if a goal
// names all pieces, for it is a position of its own, or if there are too many.
func (d Tray) targets() []slide.Want {
	if d.Puzzle.Goals() > maxGoals || !slices.Contains(d.named(), false) {
		return nil
	}
	var all []slide.Want
	for g := range d.Puzzle.Goals() {
		for _, want := range d.Puzzle.Wants(g) {
			if !slices.ContainsFunc(all, func(t slide.Want) bool { return t.Piece == want.Piece && slices.Equal(t.Cells, want.Cells) }) {
				all = append(all, want)
			}
		}
	}
	return all
}

// drawGoals colours the floor where goals want pieces.
func (d Tray) drawGoals(p *Picture, l look) {
	for _, want := range d.targets() {
		p.add(l.outline(around(spots(want.Cells)), even(l.corner), l.Theme.target(), "target"))
	}
}

// drawBrackets draws the corners of these places, in front of the pieces that are there.
// Where several pieces are wanted, each has its name in a corner.
func (d Tray) drawBrackets(p *Picture, l look) {
	size := math.Round(0.24 * l.cell)
	for _, want := range d.targets() {
		b := lines{stroke: 2 * l.line, color: l.Theme.Goal}
		for _, loop := range l.outline(around(spots(want.Cells)), even(l.corner), b.color, "").loops {
			for i, c := range loop {
				for _, next := range []point{loop[(i+1)%len(loop)].at, loop[(i+len(loop)-1)%len(loop)].at} {
					long := math.Hypot(next.x-c.at.x, next.y-c.at.y)
					b.lines = append(b.lines, segment{c.at, c.at.towards(next, 0.2*l.cell/long)})
				}
			}
		}
		p.add(b)
		if first := want.Cells[0]; d.several() && !l.NoLetters && size >= minLetter {
			at := l.at.plus((float64(first.Col)+0.24)*l.cell, (float64(first.Row)+0.2)*l.cell+0.36*size)
			p.add(label{at, size, d.Puzzle.Pieces()[want.Piece : want.Piece+1], middle, b.color})
		}
	}
}

// several reports whether goals name pieces that are told apart.
func (d Tray) several() bool {
	all := d.targets()
	return slices.ContainsFunc(all, func(t slide.Want) bool { return !d.Puzzle.Alike(t.Piece, all[0].Piece) })
}

// target is the colour of the floor where a goal wants a piece.
func (t Theme) target() color.RGBA { return mix(t.Hole, t.Blocks[0], 0.2) }

func (d Tray) drawPiece(p *Picture, i int, l look, number int) {
	b := l.Theme.block(number)
	cells := d.Puzzle.PieceCells(d.Position, i)
	lines := around(spots(cells))
	g, in := l.gap, l.gap+l.line
	kind := "piece"
	if number == 0 {
		kind = "piece goal"
	}
	p.add(l.outline(lines, inset{toRight: g, toBottom: g, toTop: g}, l.Theme.Shadow, ""),
		l.outline(lines, even(g), b.shade, kind),
		l.outline(lines, inset{toRight: in, toBottom: in, toTop: in, toLeft: g + l.deep}, b.light, ""),
		l.outline(lines, inset{toRight: g + l.line + l.bevel, toBottom: in, toTop: in, toLeft: g + l.deep}, b.face, ""))
	l.letter(p, cells, d.Puzzle.Pieces()[i], b.letter)
}

// minLetter is the least size of letters that can be read.
const minLetter = 7

// letter writes the name of a piece in the middle of cells.
func (l look) letter(p *Picture, cells []slide.Cell, name byte, fill color.RGBA) {
	size := math.Round(0.44 * l.cell)
	if l.NoLetters || size < minLetter {
		return
	}
	m := heart(cells)
	p.add(label{l.at.plus(m.x*l.cell, m.y*l.cell+0.36*size), size, string(name), middle, fill})
}

// heart returns a place well inside of a piece: of the middles of its cells, of two that
// touch and of four in a square the one nearest to the mean.
func heart(cells []slide.Cell) point {
	in := make(map[slide.Cell]bool)
	var mean point
	for _, c := range cells {
		in[c] = true
		mean = mean.plus((float64(c.Col)+0.5)/float64(len(cells)), (float64(c.Row)+0.5)/float64(len(cells)))
	}
	best, least := point{}, math.Inf(1)
	for _, c := range cells {
		for _, more := range []slide.Cell{{}, {Col: 1}, {Row: 1}, {Row: 1, Col: 1}} {
			right, down := slide.Cell{Row: c.Row, Col: c.Col + more.Col}, slide.Cell{Row: c.Row + more.Row, Col: c.Col}
			if !in[right] || !in[down] || !in[slide.Cell{Row: down.Row, Col: right.Col}] {
				continue
			}
			at := point{float64(c.Col+right.Col+1) / 2, float64(c.Row+down.Row+1) / 2}
			if off := math.Hypot(at.x-mean.x, at.y-mean.y); off < least-1e-9 {
				best, least = at, off
			}
		}
	}
	return best
}

// drawArrow draws the path of a piece from beside its name on.
func (d Tray) drawArrow(p *Picture, i int, l look) {
	m := heart(d.Puzzle.PieceCells(d.Position, i))
	way := stations(d.Move.Path)
	for i, q := range way {
		way[i] = l.at.plus((m.x+q.x)*l.cell, (m.y+q.y)*l.cell)
	}
	if !l.NoLetters {
		way[0] = way[0].towards(way[1], 0.42)
	}
	p.pathArrow(way, l.cell, l.Theme.Mark, l.Theme.MarkRim)
}

func (d Tray) blends(t Theme) [][2]color.RGBA {
	all := [][2]color.RGBA{{t.Background, t.Edge}, {t.Edge, t.Board}, {t.Board, t.HoleShade}, {t.HoleShade, t.Hole},
		{t.Hole, t.target()}, {t.target(), t.Goal}}
	used := d.blocks()
	slices.Sort(used)
	for _, n := range slices.Compact(used) {
		b := t.block(n)
		all = append(all, [][2]color.RGBA{{t.Hole, b.shade}, {t.Shadow, b.shade}, {b.shade, b.face}, {b.light, b.face}, {b.shade, b.light}, {b.face, b.letter}}...)
	}
	if d.Move != nil && d.flight == 0 {
		all = append(all, [][2]color.RGBA{{t.Hole, t.MarkRim}, {t.MarkRim, t.Mark}}...)
	}
	return all
}

// text draws the rows of the tray: names of pieces, . for an empty cell, # and spaces
// for walls.
func (d Tray) text() []string {
	rows := strings.Split(d.Puzzle.FormatPosition(d.Position), "/")
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	for i, row := range rows {
		rows[i] = row + strings.Repeat(" ", width-len(row))
	}
	return rows
}

// A TraySolution is moves that are made from a start on.
type TraySolution struct {
	Puzzle *slide.Puzzle
	Start  slide.Position // nil is the start of the puzzle
	Moves  []slide.Move
}

// positions returns the positions before each move, and the one after the last.
func (s TraySolution) positions() ([]slide.Position, error) {
	if s.Start == nil && s.Puzzle != nil {
		s.Start = s.Puzzle.Start()
	}
	if err := (Tray{Puzzle: s.Puzzle, Position: s.Start}).check(); err != nil {
		return nil, err
	}
	if len(s.Moves) >= MaxPanels {
		return nil, fmt.Errorf("the solution has %d moves, expected %d at most", len(s.Moves), MaxPanels-1)
	}
	for i, m := range s.Moves {
		if len(m.Path) > MaxPath {
			return nil, fmt.Errorf("move %d of the solution has a path of %d cells, expected %d at most", i+1, len(m.Path), MaxPath)
		}
	}
	// In this metric every move is one.
	drawings, err := s.Puzzle.From(s.Start).Replay(slide.Supermoves, s.Moves)
	if err != nil {
		return nil, fmt.Errorf("the solution cannot be drawn: %w", err)
	}
	all := make([]slide.Position, len(drawings))
	for i, text := range drawings {
		if all[i], err = s.Puzzle.ParsePosition(text); err != nil {
			return nil, fmt.Errorf("the solution cannot be drawn: after move %d: %w", i, err)
		}
	}
	return all, nil
}

// maxNames is how many letters of a move a caption has; a sheet would become too wide.
const maxNames = 16

// caption is that of a move: "3. A RRD".
func (s TraySolution) caption(i int) string {
	short := func(text string, most int) string {
		if len(text) > most {
			return text[:most-3] + "..."
		}
		return text
	}
	m := s.Moves[i]
	return fmt.Sprintf("%d. %s %s", i+1, short(m.Pieces, maxNames), short(m.Path, maxNames))
}

// end is the caption of the last position.
func (s TraySolution) end() string {
	switch len(s.Moves) {
	case 0:
		return "start"
	case 1:
		return "end, 1 move"
	}
	return fmt.Sprintf("end, %d moves", len(s.Moves))
}

// Panels returns a film strip: each position with the move that is made in it, and the
// last one.
func (s TraySolution) Panels() ([]Panel, error) {
	positions, err := s.positions()
	if err != nil {
		return nil, err
	}
	var panels []Panel
	for i, pos := range positions {
		d, caption := Tray{Puzzle: s.Puzzle, Position: pos}, s.end()
		if i < len(s.Moves) {
			d.Move, caption = &s.Moves[i], s.caption(i)
		}
		panels = append(panels, Panel{d, caption})
	}
	return panels, nil
}

// Frames returns the frames of an animation, in which the pieces glide.
func (s TraySolution) Frames(t Timing) ([]Frame, error) {
	t, err := t.fill()
	if err != nil {
		return nil, err
	}
	positions, err := s.positions()
	if err != nil {
		return nil, err
	}
	frames := []Frame{{Panel{Tray{Puzzle: s.Puzzle, Position: positions[0]}, "start"}, t.Hold}}
	// However many moves there are, their frames are not too many.
	most := (MaxPanels-1)/max(1, len(s.Moves)) - 1
	for i := range s.Moves {
		m := &s.Moves[i]
		whole := moveTime(t.Jump, len(m.Path))
		// Three fifths of the time the piece glides.
		glide := whole * 3 / 5
		n := min(most, max(1, min(8*len(m.Path), int(glide/(50*time.Millisecond)))))
		rest := whole
		for f := range n {
			each := (glide / time.Duration(n)).Truncate(tick)
			d := Tray{s.Puzzle, positions[i], m, float64(f+1) / float64(n+1)}
			frames = append(frames, Frame{Panel{d, s.caption(i)}, each})
			rest -= each
		}
		caption := s.caption(i)
		if i == len(s.Moves)-1 {
			rest, caption = t.Hold, s.end()
		}
		frames = append(frames, Frame{Panel{Tray{Puzzle: s.Puzzle, Position: positions[i+1]}, caption}, rest})
	}
	return frames, nil
}

// moveTime is the time of a move along a path, if one by a single cell takes step: up to
// three times as much.
func moveTime(step time.Duration, cells int) time.Duration {
	return (step + step*time.Duration(min(cells, 7)-1)/3).Truncate(tick)
}
