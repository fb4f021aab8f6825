package render

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"pagoda/internal/lists"
)

// A Card is a card to print: a drawing with its caption above it, and on the back lines of text.
type Card struct {
	Panel
	Back []string
}

// CardColumns is the default number of cards in a row of a page: then they are as large as playing cards, 63 by 88
// mm. MaxCardColumns bounds it.
const (
	CardColumns    = 3
	MaxCardColumns = 10
)

// Tenths of a millimetre, on A4: the pixels of the pages of Cards. CardUnit is their size in points.
const (
	pageWidth, pageHeight = 2100, 2970
	pageSide, pageTop     = 100, 160 // of the cards
	CardUnit              = 72 / 254.0
)

// Cards lays out cards on pages to print on both sides of the paper: a page of fronts, with marks where to cut, and a
// page of their backs, by turns. The paper is turned about its long edge. A page has as many rows of cards as columns;
// 0 is CardColumns. Each page has a title. All cards have cells of one size.
func Cards(title string, cards []Card, columns int, style Style) ([]*Picture, error) {
	columns = cmp.Or(columns, CardColumns)
	if columns < 0 || columns > MaxCardColumns {
		return nil, fmt.Errorf("there are %d columns of cards, expected 1 to %d", columns, MaxCardColumns)
	}
	style.Cell = MaxCell
	s, err := style.fill()
	if err != nil {
		return nil, err
	}
	if n := utf8.RuneCountInString(title); n > MaxCaption || strings.ContainsAny(title, "\r\n") {
		return nil, fmt.Errorf("a title is one line of at most %d characters, found %d in %.40q", MaxCaption, n, title)
	}
	if err := check(lists.Map(cards, func(c Card) Panel { return c.Panel }), 0); err != nil {
		return nil, err
	}
	l := cardLayout{Style: s, columns: columns, width: (pageWidth - 2*pageSide) / columns}
	l.height = l.width * 88 / 63
	l.text = float64(l.width) / 16
	if l.Cell = l.fit(cards); l.Cell < MinCell {
		return nil, fmt.Errorf("the drawings do not fit on cards with %d in a row: choose fewer columns", columns)
	}
	var pages []*Picture
	each := columns * columns
	for first := 0; first < len(cards); first += each {
		some, number := cards[first:min(first+each, len(cards))], first/each+1
		front, back := l.page(title, fmt.Sprintf("page %d", number)), l.page(title, fmt.Sprintf("back of page %d", number))
		l.cutMarks(front)
		for i, c := range some {
			row, col := i/columns, i%columns
			l.front(front, c.Panel, pageSide+col*l.width, pageTop+row*l.height)
			l.back(back, c.Back, pageSide+(columns-1-col)*l.width, pageTop+row*l.height)
		}
		pages = append(pages, front, back)
	}
	return pages, nil
}

// A cardLayout says how large cards are.
type cardLayout struct {
	Style
	columns       int // and rows of a page
	width, height int // of a card
	text          float64
}

// room returns the size of the place for a drawing.
func (l *cardLayout) room() (width, height int) {
	return l.width - 2*int(l.text), l.height - 4*int(l.text)
}

// fit returns the greatest size of cells for which all drawings fit, or less than MinCell.
func (l *cardLayout) fit(cards []Card) int {
	width, height := l.room()
	cell := MaxCell
	for _, c := range cards {
		for ; cell >= MinCell; cell-- {
			if w, h := c.Drawing.Size(cell); w <= width && h <= height {
				break
			}
		}
	}
	return cell
}

// page returns a page without cards.
func (l *cardLayout) page(title, number string) *Picture {
	p := NewPicture(pageWidth, pageHeight, l.Theme.Background)
	p.SetTitle(title)
	const size, y = 40, 80
	room := pageWidth - 2*pageSide - TextWidth(number, size) - size
	p.Add(Label{Point{pageSide, y}, narrow(title, size, room), title, l.Theme.Text, left},
		Label{Point{pageWidth - pageSide, y}, size, number, l.Theme.Text, right})
	return p
}

// narrow returns the size, but at most the given one, at which a text fits into a width.
func narrow(text string, size, width float64) float64 {
	return size * min(1, width/max(1, TextWidth(text, size)))
}

// cutMarks draws short lines around the cards, where to cut.
func (l *cardLayout) cutMarks(p *Picture) {
	marks := Lines{Stroke: 2, Color: l.Theme.Text}
	const near, far = 10, 50
	bottom, right := float64(pageTop+l.columns*l.height), float64(pageSide+l.columns*l.width)
	for i := range l.columns + 1 {
		x, y := float64(pageSide+i*l.width), float64(pageTop+i*l.height)
		marks.Segments = append(marks.Segments, Segment{Point{x, pageTop - far}, Point{x, pageTop - near}}, Segment{Point{x, bottom + near}, Point{x, bottom + far}},
			Segment{Point{pageSide - far, y}, Point{pageSide - near, y}}, Segment{Point{right + near, y}, Point{right + far, y}})
	}
	p.Add(marks)
}

// front draws the front of a card: its caption, and below it the drawing in the middle.
func (l *cardLayout) front(p *Picture, c Panel, x, y int) {
	w, h := c.Drawing.Size(l.Cell)
	width, height := l.room()
	size := narrow(c.Caption, l.text, float64(width))
	p.Add(Label{At: Point{float64(x) + float64(l.width)/2, float64(y) + 2*l.text}, Size: size, Text: c.Caption, Fill: l.Theme.Text})
	c.Drawing.Draw(p, Point{float64(x + (l.width-w)/2), float64(y) + 3*l.text + float64((height-h)/2)}, l.Style)
}

// back writes the lines of the back of a card, broken where they are too long, and small enough that all fit.
func (l *cardLayout) back(p *Picture, texts []string, x, y int) {
	size := 0.8 * l.text
	width, height := float64(l.width)-2*l.text, float64(l.height)-2*l.text
	lines := wrap(texts, size, width)
	for ; float64(len(lines))*1.4*size > height || widest(lines, size) > width; lines = wrap(texts, size, width) {
		size *= 0.95
	}
	for i, line := range lines {
		p.Add(Label{Point{float64(x) + l.text, float64(y) + l.text + (1.4*float64(i)+1)*size}, size, line, l.Theme.Text, left})
	}
}

// wrap breaks texts at spaces into lines that fit into a width. A longer word is a line of its own.
func wrap(texts []string, size, width float64) (lines []string) {
	for _, text := range texts {
		line := ""
		for _, word := range strings.Fields(text) {
			if longer := strings.TrimSpace(line + " " + word); line == "" || TextWidth(longer, size) <= width {
				line = longer
				continue
			}
			lines = append(lines, line)
			line = word
		}
		lines = append(lines, line)
	}
	return lines
}

// widest returns the width of the longest line.
func widest(lines []string, size float64) (width float64) {
	for _, line := range lines {
		width = max(width, TextWidth(line, size))
	}
	return width
}
