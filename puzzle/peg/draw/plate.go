package draw

import (
	"fmt"
	"image/color"
	"strings"
	"unicode/utf8"

	"pagoda/puzzle/peg/board"
	"pagoda/render"
)

// A Plate is a Drawing of a board with a word in place of cells, for a character that a font
// lacks for example.
type Plate struct {
	Board *board.Board
	Text  string // one line of at most render.MaxCaption characters
}

// Check implements render.Drawing.
func (d Plate) Check() error {
	if n := utf8.RuneCountInString(d.Text); n > render.MaxCaption || strings.ContainsAny(d.Text, "\r\n") {
		return fmt.Errorf("the text on a board is one line of at most %d characters, found %d in %.40q", render.MaxCaption, n, d.Text)
	}
	return Position{Board: d.Board}.Check()
}

// Title implements render.Drawing.
func (d Plate) Title() string { return d.Text }

// Size implements render.Drawing.
func (d Plate) Size(cell int) (width, height int) { return Position{Board: d.Board}.Size(cell) }

// Draw implements render.Drawing.
func (d Plate) Draw(p *render.Picture, at render.Point, s render.Style) {
	width, height := d.Size(s.Cell)
	b := render.BoxOf(at, at.Plus(float64(width), float64(height)))
	edge := float64(render.Rim(s.Cell))
	radius := 0.8 * (float64(s.Cell)/2 + float64(pad(s.Cell)))
	size := 3 * float64(s.Cell)
	if w := render.TextWidth(d.Text, size); w > float64(width-s.Cell) {
		size *= float64(width-s.Cell) / w
	}
	p.Add(render.Rect{Box: b, R: radius, Fill: s.Theme.Edge}, render.Rect{Box: b.Grow(-edge), R: radius - edge, Fill: s.Theme.Background},
		render.Label{At: at.Plus(float64(width)/2, float64(height)/2+0.35*size), Size: size, Text: d.Text, Fill: s.Theme.Text})
}

// Blends implements render.Drawing.
func (d Plate) Blends(t render.Theme) [][2]color.RGBA {
	return [][2]color.RGBA{{t.Background, t.Edge}, {t.Background, t.Text}}
}

// Rows implements render.Drawing: a frame around as much of the text as fits in.
func (d Plate) Rows() []string {
	rows := Position{Board: d.Board}.Rows()
	width, inner := len(rows[0]), max(0, len(rows[0])-2)
	text := []rune(d.Text)
	text = text[:min(len(text), inner)]
	left := (inner - len(text)) / 2
	for i := range rows {
		switch i {
		case 0, len(rows) - 1:
			rows[i] = strings.Repeat("#", width)
		case len(rows) / 2:
			rows[i] = "#" + strings.Repeat(" ", left) + string(text) + strings.Repeat(" ", inner-left-len(text)) + "#"
		default:
			rows[i] = "#" + strings.Repeat(" ", inner) + "#"
		}
	}
	return rows
}
