package grid

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/lists"
	"pagoda/render"
	"pagoda/statespace/cells"
)

// A State is a Drawing of a state of a space with cells, or of a pattern. Content 0 is an empty
// cell. Other contents have the colours of the theme's Blocks in turn, and if there are more than
// two contents, their number.
type State struct {
	Cells   cells.Celled
	Pattern cells.Pattern
}

// MaxSide bounds the rows and columns of cells.
const MaxSide = 4096

// Check implements render.Drawing.
func (d State) Check() error {
	if d.Cells == nil || len(d.Cells.Cells()) == 0 {
		return fmt.Errorf("a state has no cells")
	}
	all := d.Cells.Cells()
	if len(d.Pattern) != len(all) {
		return fmt.Errorf("a state has %d cells, expected %d", len(d.Pattern), len(all))
	}
	for i, c := range all {
		if min(c.Row, c.Col) < 0 || max(c.Row, c.Col) >= MaxSide {
			return fmt.Errorf("cell %v is out of range: rows and columns are 0 to %d", c, MaxSide-1)
		}
		if content := int(d.Pattern[i]); content != cells.Any && (content < 0 || content >= d.Cells.Contents()) {
			return fmt.Errorf("cell %v has content %d, expected 0 to %d", c, content, d.Cells.Contents()-1)
		}
	}
	return nil
}

// Title implements render.Drawing.
func (d State) Title() string { return d.Cells.FormatPattern(d.Pattern) }

// span returns the smallest rectangle that holds all cells.
func (d State) span() image.Rectangle {
	var r image.Rectangle
	for _, c := range d.Cells.Cells() {
		r = r.Union(image.Rect(c.Col, c.Row, c.Col+1, c.Row+1))
	}
	return r
}

// Size implements render.Drawing.
func (d State) Size(cell int) (width, height int) {
	size, edge := d.span().Size(), 2*render.Rim(cell)
	return size.X*cell + edge, size.Y*cell + edge
}

// labelled reports whether contents have their numbers on them.
func (d State) labelled() bool { return d.Cells.Contents() > 2 }

// block returns the colours of a content above 0.
func block(t render.Theme, content int8) render.Block {
	return t.Block((int(content) - 1) % len(t.Blocks))
}

// Draw implements render.Drawing.
func (d State) Draw(p *render.Picture, at render.Point, s render.Style) {
	cell, rim, first := float64(s.Cell), float64(render.Rim(s.Cell)), d.span().Min
	boxes := make([]render.Box, len(d.Pattern))
	for i, c := range d.Cells.Cells() {
		corner := at.Plus(float64((c.Col-first.X)*s.Cell)+rim, float64((c.Row-first.Y)*s.Cell)+rim)
		boxes[i] = render.BoxOf(corner, corner.Plus(cell, cell))
		p.Add(render.Rect{Box: boxes[i].Grow(rim), Fill: s.Theme.Edge})
	}
	line := math.Max(1, math.Round(0.02*cell))
	space := line + math.Max(1, math.Round(0.06*cell)) // between a piece and the edge of its cell
	for i, content := range d.Pattern {
		p.Add(render.Rect{Box: boxes[i].Grow(-line), Fill: s.Theme.Hole, Class: "cell"})
		middle := boxes[i].Min.Plus(cell/2, cell/2)
		piece := render.Rect{Box: boxes[i].Grow(-space), R: 0.15 * cell}
		switch content {
		case 0:
		case cells.Any:
			piece.Fill, piece.Class = s.Theme.Any, "any"
			p.Add(piece, render.Dashed{At: middle, R: 0.25 * cell, Stroke: math.Max(1, 0.05*cell), Dashes: 7, Color: s.Theme.Piece})
		default:
			b := block(s.Theme, content)
			piece.Fill, piece.Class = b.Face, "piece"
			p.Add(piece)
			if d.labelled() {
				p.Letter(middle, math.Round(0.44*cell), strconv.Itoa(int(content)), b.Letter, s)
			}
		}
	}
}

// Blends implements render.Drawing.
func (d State) Blends(t render.Theme) [][2]color.RGBA {
	all := [][2]color.RGBA{{t.Background, t.Edge}, {t.Edge, t.Hole}, {t.Hole, t.Any}, {t.Any, t.Piece}}
	for _, content := range d.Pattern {
		if content > 0 {
			b := block(t, content)
			all = append(all, [2]color.RGBA{t.Hole, b.Face}, [2]color.RGBA{b.Face, b.Letter})
		}
	}
	return all
}

// Rows implements render.Drawing, with a character for each cell: that of the pattern, if the puzzle
// writes a character for each. Otherwise . is an empty cell and ? an open one. A single content is o.
// Several are 1 to 9, a to z, A to Z and then U+00C0 and the next ones.
func (d State) Rows() []string {
	r := d.span()
	written := d.written()
	rows := make([][]rune, r.Dy())
	for i := range rows {
		rows[i] = []rune(strings.Repeat(" ", r.Dx()))
	}
	for i, c := range d.Cells.Cells() {
		ch := d.character(d.Pattern[i])
		if written != nil {
			ch = written[i]
		}
		rows[c.Row-r.Min.Y][c.Col-r.Min.X] = ch
	}
	return lists.Map(rows, func(row []rune) string { return string(row) })
}

// written returns the characters of the pattern as the puzzle writes it, or nil unless there is one for
// each cell. Rows have / between them; # and a space may stand for no cell.
func (d State) written() []rune {
	for _, between := range []string{"/", "/# "} {
		all := slices.DeleteFunc([]rune(d.Title()), func(ch rune) bool { return strings.ContainsRune(between, ch) })
		if len(all) == len(d.Pattern) {
			return all
		}
	}
	return nil
}

// characters are those of contents.
const characters = ".123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func (d State) character(content int8) rune {
	switch n := int(content); {
	case n == cells.Any:
		return '?'
	case n == 1 && !d.labelled():
		return 'o'
	case n < len(characters):
		return rune(characters[n])
	default:
		return rune(0xc0 + n - len(characters))
	}
}
