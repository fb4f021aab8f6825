package render

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"
)

// A square is a Drawing of cells, side by side.
type square int

func (s square) Size(cell int) (width, height int) { return int(s) * cell, int(s) * cell }
func (s square) Draw(p *Picture, at Point, st Style) {
	w, _ := s.Size(st.Cell)
	p.Add(Rect{Box: BoxOf(at, at.Plus(float64(w), float64(w))), Class: "square"})
}
func (s square) Check() error                 { return nil }
func (s square) Rows() []string               { return nil }
func (s square) Title() string                { return "" }
func (s square) Blends(Theme) [][2]color.RGBA { return nil }

// TestCards: on each page the captions are above their drawings and both within the card, the backs are mirrored, and
// all text is there.
func TestCards(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("B-DDD ", 300))
	for columns, perPage := range map[int]int{0: 9, 1: 1, 2: 4, 5: 25} {
		var cards []Card
		for i := range perPage + 1 {
			cards = append(cards, Card{Panel{Drawing: square(3 + i%3), Caption: fmt.Sprintf("card %d", i)}, []string{fmt.Sprintf("back %d", i), long}})
		}
		pages, err := Cards("A deck", cards, columns, Style{})
		if err != nil || len(pages) != 4 {
			t.Fatalf("%d columns: %d pages, %v", columns, len(pages), err)
		}
		if columns == 0 {
			columns = CardColumns
		}
		width := (pageWidth - 2*pageSide) / columns
		cardAt := func(x, y float64) (col, row int) {
			return int(x-pageSide) / width, int(y-pageTop) / (width * 88 / 63)
		}
		for n := range 2 {
			front, back := pages[2*n], pages[2*n+1]
			captions, squares := labels(front), rects(front)
			if len(squares) != len(captions) {
				t.Fatalf("%d drawings, %d captions", len(squares), len(captions))
			}
			for i, b := range squares {
				label := captions[i]
				col, row := cardAt(b.Min.X, b.Min.Y)
				endCol, endRow := cardAt(b.Max.X, b.Max.Y)
				textCol, textRow := cardAt(label.At.X, label.At.Y)
				if i != row*columns+col || endCol != col || endRow != row || textCol != col || textRow != row || label.At.Y >= b.Min.Y || label.Text != cards[n*perPage+i].Caption {
					t.Errorf("%d columns: card %d is at %v, its caption %q at %v", columns, i, b, label.Text, label.At)
				}
			}
			var words []string
			for _, label := range labels(back) {
				box := label.bounds()
				col, row := cardAt(label.At.X, label.At.Y)
				if endCol, endRow := cardAt(box.Max.X-2-label.Size/4, label.At.Y); endCol != col || endRow != row {
					t.Errorf("%d columns: %q reaches out of its card", columns, label.Text)
				}
				if rest, ok := strings.CutPrefix(label.Text, "back "); ok && rest != fmt.Sprint(n*perPage+row*columns+columns-1-col) {
					t.Errorf("%d columns: %q is in column %d of row %d", columns, label.Text, col, row)
				}
				words = append(words, strings.Fields(label.Text)...)
			}
			if got := strings.Count(strings.Join(words, " "), "B-DDD"); got != 300*len(squares) {
				t.Errorf("%d columns: the backs have %d moves, expected %d", columns, got, 300*len(squares))
			}
		}
	}
	one := []Card{{Panel: Panel{Drawing: square(3)}}}
	for want, made := range map[string]func() ([]*Picture, error){
		"expected 1 to 10":       func() ([]*Picture, error) { return Cards("", one, 11, Style{}) },
		"a title is one line":    func() ([]*Picture, error) { return Cards("a\nb", one, 0, Style{}) },
		"choose fewer columns":   func() ([]*Picture, error) { return Cards("", []Card{{Panel: Panel{Drawing: square(100)}}}, 9, Style{}) },
		"there are 0 drawings, ": func() ([]*Picture, error) { return Cards("", nil, 0, Style{}) },
	} {
		if _, err := made(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, expected %q", err, want)
		}
	}
}

// labels returns the labels of a page without its head.
func labels(p *Picture) (all []Label) {
	for _, s := range p.shapes {
		if l, ok := s.(Label); ok {
			all = append(all, l)
		}
	}
	return slices.DeleteFunc(all, func(l Label) bool { return l.At.Y < pageTop-1 })
}

func rects(p *Picture) (all []Rect) {
	for _, s := range p.shapes {
		if r, ok := s.(Rect); ok {
			all = append(all, r)
		}
	}
	return all
}
