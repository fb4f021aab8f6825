package peg

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"pagoda/ask"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/draw"
	"pagoda/puzzle/peg/font"
	"pagoda/render"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// MaxLetters bounds a word.
const MaxLetters = 100

// fontStart is the start of the space that the font is for.
const fontStart = "ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo"

// HasFont reports whether the letters of the font are patterns of a space.
func HasFont(sp *Space) bool {
	return sp.Board().Lattice() == board.Square && sp.Board().FormatPosition(sp.Start()) == fontStart
}

// A Letter is a character of a word, and how it is played. A line break is one that is not played.
type Letter struct {
	Letter   string         `json:"letter"`        // as it was given, or what is written for it
	For      string         `json:"for,omitempty"` // as it was given, if the font writes something else
	Missing  bool           `json:"missing"`
	Pattern  string         `json:"pattern,omitempty"`
	Distance *int           `json:"distance,omitempty"` // from the letter as it was wished for
	Moves    []fmt.Stringer `json:"moves,omitempty"`

	Rune    rune   `json:"-"`
	Instead string `json:"-"` // all that is written for For

	path statespace.Path
}

// Spell looks up the letters of a text, and how they are played, in a file that has them. What the font
// lacks is written as font.Plain says, and accents that are characters of their own are left out.
func Spell(ctx context.Context, f *ask.File, text string) ([]*Letter, error) {
	paths, err := f.Paths(ctx, ask.PathQuestion{})
	if err != nil {
		return nil, err
	}
	defer paths.Close()
	known := make(map[rune]*Letter)
	letters := []*Letter{}
	instead := func(l *Letter, given, written string) *Letter {
		other := *l
		other.For, other.Instead = given, written
		return &other
	}
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		if n := len(letters); n > 0 && unicode.Is(unicode.Mn, r) && !letters[n-1].Missing && letters[n-1].Rune != '\n' {
			last := letters[n-1]
			letters[n-1] = instead(last, cmp.Or(last.For, last.Letter)+string(r), cmp.Or(last.Instead, strings.ToUpper(last.Letter)))
			continue
		}
		written := font.Plain(r)
		for _, w := range cmp.Or(written, string(r)) {
			l := known[w]
			if l == nil {
				if l, err = newLetter(f, paths, w); err != nil {
					return nil, err
				}
				known[w] = l
			}
			if written != "" {
				l = instead(l, string(r), written)
			}
			letters = append(letters, l)
		}
	}
	return letters, nil
}

func newLetter(f *ask.File, paths *ask.Paths, r rune) (*Letter, error) {
	l := &Letter{Letter: string(r), Rune: r}
	if r == '\n' {
		return l, nil
	}
	glyph, ok := font.Lookup(r)
	if !ok {
		l.Missing = true
		return l, nil
	}
	l.Pattern, l.Distance = glyph.Pattern, &glyph.Distance
	s, err := paths.To(glyph.Pattern)
	if err != nil {
		return nil, err
	}
	if !s.Reachable {
		return nil, f.Damaged(fmt.Sprintf("it lacks %s, which can be reached", glyph.Pattern))
	}
	_, l.path = sparse.Original(f.Space(), s.Path)
	l.Moves = s.Moves
	return l, nil
}

// Compose puts letters into rows of at most a number of columns, and returns how many they
// have. Rows end at line breaks, and at blanks where they can, which are then left out.
func Compose(sp *Space, letters []*Letter, most int) (films []render.Film, columns int, err error) {
	rows := wrap(letters, most)
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	for _, row := range rows {
		for _, l := range row {
			film, err := l.film(sp)
			if err != nil {
				return nil, 0, err
			}
			films = append(films, film)
		}
		for range columns - len(row) {
			films = append(films, render.Still{Drawing: render.Nothing{}})
		}
	}
	return films, columns, nil
}

func wrap(letters []*Letter, columns int) (rows [][]*Letter) {
	if i := slices.IndexFunc(letters, func(l *Letter) bool { return l.Rune == '\n' }); i == 0 {
		return append([][]*Letter{nil}, wrap(letters[1:], columns)...)
	} else if i > 0 {
		return append(wrap(letters[:i], columns), wrap(letters[i+1:], columns)...)
	}
	for len(letters) > columns {
		end, next := columns, columns
		for i := columns; i > 0; i-- {
			if letters[i].Rune == ' ' {
				end, next = i, i+1
				break
			}
		}
		rows = append(rows, letters[:end])
		letters = letters[next:]
	}
	if len(letters) > 0 {
		rows = append(rows, letters)
	}
	return rows
}

// film is a letter as it is drawn.
func (l *Letter) film(sp *Space) (render.Film, error) {
	if l.Missing {
		plate := draw.Plate{Board: sp.Board()}
		if unicode.IsPrint(l.Rune) {
			plate.Text = string(l.Rune)
		}
		return render.Still{Drawing: plate}, nil
	}
	return draw.Drawer{}.Film(sp, l.path)
}
