package render

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"strings"
	"unicode/utf8"
)

// A Style says how pictures look. Its zero value is the default.
type Style struct {
	// Cell is the distance of neighbouring cells in pixels, MinCell to MaxCell;
	// 0 is DefaultCell.
	Cell int
	// Theme has the colours; one without a name is the first of Themes.
	Theme Theme
	// NoCaptions leaves captions out.
	NoCaptions bool
	// NoLetters leaves out the names on pieces. Names that are too small to read, as in
	// cells of less than 15 pixels, are always left out.
	NoLetters bool
}

// The sizes of cells, in pixels.
const (
	MinCell     = 8
	MaxCell     = 400
	DefaultCell = 40
)

// fill fills in the defaults and checks the limits.
func (s Style) fill() (Style, error) {
	s.Cell = cmp.Or(s.Cell, DefaultCell)
	if s.Cell < MinCell || s.Cell > MaxCell {
		return s, fmt.Errorf("the size of a cell is %d pixels, expected %d to %d", s.Cell, MinCell, MaxCell)
	}
	var err error
	s.Theme, err = s.Theme.fill()
	return s, err
}

// fontSize returns the size of captions.
func (s Style) fontSize() float64 { return math.Max(11, math.Round(0.36*float64(s.Cell))) }

// margin returns the width of the free space around the picture and between panels.
func (s Style) margin() int { return max(8, (s.Cell*3+2)/5) }

// A Panel is a drawing with a caption under it: one line of at most MaxCaption characters,
// or "".
type Panel struct {
	Drawing Drawing
	Caption string
}

// MaxPanels bounds the panels of a sheet.
const MaxPanels = 4096

// MaxCaption bounds the characters of a caption.
const MaxCaption = 200

func check(panels []Panel, columns int) error {
	if len(panels) == 0 || len(panels) > MaxPanels {
		return fmt.Errorf("there are %d drawings, expected 1 to %d", len(panels), MaxPanels)
	}
	if columns < 0 || columns > MaxPanels {
		return fmt.Errorf("the number of columns is %d, expected 1 to %d, or 0 to have it chosen", columns, MaxPanels)
	}
	for _, p := range panels {
		if p.Drawing == nil {
			return fmt.Errorf("a panel has no drawing")
		}
		if err := p.Drawing.Check(); err != nil {
			return err
		}
		if n := utf8.RuneCountInString(p.Caption); n > MaxCaption || strings.ContainsAny(p.Caption, "\r\n") {
			return fmt.Errorf("a caption is one line of at most %d characters, found %d in %.40q", MaxCaption, n, p.Caption)
		}
	}
	return nil
}

// Sheet puts panels into rows of a number of columns, at most MaxPanels; 0 chooses a number
// that makes the picture somewhat wider than high.
func Sheet(panels []Panel, columns int, style Style) (*Picture, error) {
	s, err := style.fill()
	if err == nil {
		err = check(panels, columns)
	}
	if err != nil {
		return nil, err
	}
	g := newGrid(layout(panels, s), len(panels), columns)
	p := g.picture(panels)
	p.title = panels[0].Drawing.Title()
	if len(panels) > 1 {
		p.title = fmt.Sprintf("%d positions", len(panels))
	}
	return p, nil
}

// A grid is slots in rows.
type grid struct {
	slots
	columns, rows int
}

// newGrid puts n slots into rows of a number of columns; 0 chooses the number.
func newGrid(l slots, n, columns int) grid {
	if columns == 0 {
		columns = pleasant(n, l.width+l.gap, l.height+l.gap)
	}
	columns = min(columns, n)
	return grid{l, columns, (n + columns - 1) / columns}
}

func (g grid) size() (width, height int) {
	return g.columns*(g.width+g.gap) + g.gap, g.rows*(g.height+g.gap) + g.gap
}

// picture draws panels, each in its slot.
func (g grid) picture(panels []Panel) *Picture {
	width, height := g.size()
	p := NewPicture(width, height, g.Theme.Background)
	for i, panel := range panels {
		p.Add(g.one(i, panel).shapes...)
	}
	return p
}

// one draws a panel alone, in slot i.
func (g grid) one(i int, panel Panel) *Picture {
	width, height := g.size()
	p := NewPicture(width, height, g.Theme.Background)
	corner := g.slot(i).Min
	g.draw(p, panel, corner.X, corner.Y)
	return p
}

// slot returns the rectangle of slot i. Panels reach beyond it by less than half the gap.
func (g grid) slot(i int) image.Rectangle {
	x, y := i%g.columns*(g.width+g.gap)+g.gap, i/g.columns*(g.height+g.gap)+g.gap
	return image.Rect(x, y, x+g.width, y+g.height)
}

// slots says how much room each of some panels gets.
type slots struct {
	Style
	width, height, gap int
	drawing            int // the height of the drawings
}

func layout(panels []Panel, s Style) slots {
	l := slots{Style: s, gap: s.margin()}
	captions := false
	for _, p := range panels {
		w, h := p.Drawing.Size(s.Cell)
		l.width, l.drawing = max(l.width, w), max(l.drawing, h)
		if p.Caption != "" && !s.NoCaptions {
			captions = true
			l.width = max(l.width, int(math.Ceil(TextWidth(p.Caption, s.fontSize()))))
		}
	}
	l.height = l.drawing
	if captions {
		l.height += int(math.Round(1.5 * s.fontSize()))
	}
	return l
}

// draw draws a panel in the middle of a slot.
func (l slots) draw(p *Picture, panel Panel, x, y int) {
	w, h := panel.Drawing.Size(l.Cell)
	panel.Drawing.Draw(p, Point{float64(x + (l.width-w)/2), float64(y + (l.drawing-h)/2)}, l.Style)
	if panel.Caption != "" && !l.NoCaptions {
		at := Point{float64(x) + float64(l.width)/2, float64(y+l.drawing) + 1.3*l.fontSize()}
		p.Add(Label{At: at, Size: l.fontSize(), Text: panel.Caption, Fill: l.Theme.Text})
	}
}

// pleasant chooses the number of columns for n panels: the picture should be about
// 8 to 5, and its last row should not be much shorter than the others.
func pleasant(n, width, height int) int {
	best, least := 1, math.Inf(1)
	for rows := 1; rows <= n; rows++ {
		columns := (n + rows - 1) / rows
		shape := float64(columns*width) / float64(rows*height)
		free := float64(rows*columns-n) / float64(rows*columns)
		if cost := math.Abs(math.Log(shape/1.6)) + 0.8*free; cost < least {
			best, least = columns, cost
		}
	}
	return best
}
