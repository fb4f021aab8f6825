package draw

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
	pegs "pagoda/puzzle/peg/draw"
	"pagoda/render"
	"pagoda/studies/weighted"
)

// A Position is a Drawing of a position of a weighted game: each peg has its weight on it.
type Position struct {
	Game *weighted.Game
	// Pegs has the peg in each cell, by its cell at the start, or -1 for a hole.
	Pegs []int
	// Move, if there is one, is jumps of a peg that come next. They are drawn as an arrow.
	Move []board.Jump
	// flight, if above 0, is how many jumps of the move are made: the pegs are drawn on the way.
	flight float64
}

// Check implements render.Drawing.
func (d Position) Check() error {
	if d.Game == nil || d.Game.Shape == nil {
		return fmt.Errorf("a position has no game")
	}
	if err := d.Game.Check(); err != nil {
		return err
	}
	n := len(d.Game.Pegs)
	if len(d.Pegs) != n {
		return fmt.Errorf("a position has %d cells, the board %d", len(d.Pegs), n)
	}
	for cell, peg := range d.Pegs {
		if peg < -1 || peg >= n || peg >= 0 && !d.Game.Pegs[peg] {
			return fmt.Errorf("cell %d has the peg %d, which is none at the start", cell, peg)
		}
	}
	for i, j := range d.Move {
		for _, cell := range []int{j.From, j.Over, j.To} {
			if cell < 0 || cell >= n {
				return fmt.Errorf("a jump has the cell %d of a board that has 0 to %d", cell, n-1)
			}
		}
		if i > 0 && j.From != d.Move[i-1].To || j.From == j.To {
			return fmt.Errorf("a move has the jump %v after %v, which are not jumps of one peg", j, d.Move[:i])
		}
	}
	return nil
}

// Title implements render.Drawing: the position without the weights.
func (d Position) Title() string {
	return d.Game.Shape.FormatPegs(lists.Map(d.Pegs, func(peg int) bool { return peg >= 0 }))
}

// Size implements render.Drawing.
func (d Position) Size(cell int) (width, height int) { return pegs.Size(d.Game.Shape, cell) }

// pegScale is how much larger pegs with weights are than others.
const pegScale = 1.1

// Draw implements render.Drawing.
func (d Position) Draw(p *render.Picture, at render.Point, s render.Style) {
	where := pegs.Places(d.Game.Shape, at, s)
	pegs.DrawBoard(p, d.Game.Shape, where, s)
	w := pen{d, p, where, s, math.Max(labelSize(d.widest()), minShared)}
	// The cells of a move come last: all shapes before them stay equal during the move.
	moving := make(map[int]bool)
	for _, j := range d.Move {
		moving[j.From], moving[j.Over], moving[j.To] = true, true, true
	}
	for i, peg := range d.Pegs {
		switch {
		case moving[i]:
		case peg >= 0:
			w.peg(where(i), 1, i, s.Theme.Piece)
		default:
			w.hole(i)
		}
	}
	switch {
	case len(d.Move) == 0:
	case d.flight > 0:
		w.underWay()
	default:
		w.move()
	}
}

// A pen draws the cells of a position.
type pen struct {
	Position
	p      *render.Picture
	where  func(cell int) render.Point
	s      render.Style
	shared float64 // the size of labels that is small enough for most, in the unit of place
}

func (w pen) hole(i int) { pegs.DrawHole(w.p, w.where(i), float64(w.s.Cell), w.s.Theme) }

// peg draws the peg of cell i, somewhere.
func (w pen) peg(at render.Point, scale float64, i int, fill color.RGBA) {
	cell := scale * pegScale * float64(w.s.Cell)
	w.p.Add(pegs.BluntPeg(at, cell, w.s.Theme, fill))
	if peg := w.Pegs[i]; peg >= 0 {
		text := label(w.Game.Weights[peg])
		size := cell * math.Min(labelSize(labelWidth(text)), w.shared)
		w.p.Letter(at.Plus(0, -0.02*cell), size, text, render.BlockOf(fill).Letter, w.s)
	}
}

// taken draws the pegs that the jumps from number first on take.
func (w pen) taken(first int) {
	for _, j := range w.Move[first:] {
		w.peg(w.where(j.Over), 1, j.Over, w.s.Theme.Taken)
	}
}

// path returns the holes that the peg comes to, after the one from which it jumps.
func (w pen) path() []render.Point {
	path := []render.Point{w.where(w.Move[0].From)}
	for _, j := range w.Move {
		path = append(path, w.where(j.To))
	}
	return path
}

// move draws a move that comes next. Its arrow goes from hole to hole, under the pegs.
func (w pen) move() {
	from := w.Move[0].From
	for _, cell := range unique(w.Move, func(_ int, j board.Jump) []int { return []int{j.To} }) {
		if cell != from {
			w.hole(cell)
		}
	}
	path := w.path()
	w.p.PathArrow(path, 0.8*float64(w.s.Cell), w.s.Theme)
	w.taken(0)
	w.peg(path[0], 1, from, w.s.Theme.Piece)
}

// underWay draws a move under way: the peg rises over the others, which shrink away.
func (w pen) underWay() {
	cell, made := float64(w.s.Cell), min(int(w.flight), len(w.Move)-1)
	for _, cell := range unique(w.Move, func(i int, j board.Jump) []int {
		if i > made {
			return []int{j.From, j.To}
		}
		return []int{j.From, j.Over, j.To}
	}) {
		w.hole(cell)
	}
	w.taken(made + 1)
	part := w.flight - float64(made)
	over := w.Move[made].Over
	if rest := math.Min(1, 1.8*(1-part)); rest > 0.15 {
		w.peg(w.where(over), rest, over, w.s.Theme.Taken)
	}
	path := w.path()
	height := math.Sin(math.Pi * part)
	ground := path[made].Towards(path[made+1], part*part*(3-2*part)) // slow at both ends
	w.p.Add(render.Circle{At: ground.Plus(0, 0.05*cell), R: (pegScale*pegs.PegRadius - 0.06*height) * cell, Fill: w.s.Theme.Shadow})
	w.peg(ground.Plus(0, -0.32*height*cell), 1+0.14*height, w.Move[0].From, w.s.Theme.Piece)
}

// unique returns the cells of jumps that a function picks, each once, in their order.
func unique(move []board.Jump, pick func(i int, j board.Jump) []int) (cells []int) {
	seen := make(map[int]bool)
	for i, j := range move {
		for _, cell := range pick(i, j) {
			if !seen[cell] {
				seen[cell], cells = true, append(cells, cell)
			}
		}
	}
	return cells
}

// minShared is the least size that all labels of a game share, in the unit of place: if its widest
// label needs a smaller one, narrow labels stay at this.
const minShared = 0.25

// labelSize returns the size in which a label fits on a peg, in the unit of place. The width is
// in ems.
func labelSize(width float64) float64 { return math.Min(0.42, 0.8*2*pegs.PegRadius/width) }

// widest returns the width of the widest label of the game, in ems.
func (d Position) widest() (width float64) {
	for cell, peg := range d.Game.Pegs {
		if peg {
			width = math.Max(width, labelWidth(label(d.Game.Weights[cell])))
		}
	}
	return width
}

// label writes a weight, with a minus sign as long as a digit is wide.
func label(weight int64) string {
	return strings.Replace(strconv.FormatInt(weight, 10), "-", "\u2212", 1)
}

// labelWidth returns the width of a label in ems. All digits are equally wide.
func labelWidth(text string) float64 {
	widths := signWidths()
	return float64(utf8.RuneCountInString(text)-1)*widths[0] + widths[strings.Count(text, "\u2212")]
}

// signWidths returns the widths of a digit and of the minus sign.
var signWidths = sync.OnceValue(func() [2]float64 {
	return [2]float64{render.TextWidth("0", 1000) / 1000, render.TextWidth("\u2212", 1000) / 1000}
})

// Blends implements render.Drawing.
func (d Position) Blends(t render.Theme) [][2]color.RGBA {
	return [][2]color.RGBA{
		{t.Background, t.Edge}, {t.Edge, t.Board}, {t.Board, t.HoleShade}, {t.HoleShade, t.Hole}, {t.Board, t.Shadow}, {t.Shadow, t.Hole},
		{t.Board, t.PieceShade}, {t.Board, t.Piece}, {t.Piece, t.PieceShade}, {t.Shadow, t.PieceShade}, {t.Shadow, t.Piece},
		{t.Hole, t.Taken}, {t.HoleShade, t.Taken}, {t.Shadow, t.Taken}, {t.Taken, t.Piece}, {t.Taken, t.PieceShade}, {t.Background, t.Piece},
		{t.Board, t.MarkRim}, {t.MarkRim, t.Mark},
		{t.Piece, render.BlockOf(t.Piece).Letter}, {t.Taken, render.BlockOf(t.Taken).Letter},
	}
}

// Rows implements render.Drawing: the weights of pegs, and . for a hole. In a move, > stands
// before the peg that jumps, and x before those that are taken.
func (d Position) Rows() []string {
	widest := 1
	for cell, peg := range d.Game.Pegs {
		if peg {
			widest = max(widest, len(strconv.FormatInt(d.Game.Weights[cell], 10)))
		}
	}
	mark := make(map[int]string)
	for _, j := range d.Move {
		mark[j.Over] = "x"
	}
	if len(d.Move) > 0 {
		mark[d.Move[0].From] = ">"
	}
	step := widest + 2
	if d.Game.Shape.Lattice() == board.Triangular {
		step += step % 2
	}
	return pegs.TextRows(d.Game.Shape, step, widest+1, func(i int) string {
		if d.Pegs[i] < 0 {
			return "."
		}
		return mark[i] + strconv.FormatInt(d.Game.Weights[d.Pegs[i]], 10)
	})
}
