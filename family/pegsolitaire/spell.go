package pegsolitaire

import (
	"context"
	"fmt"
	"unicode"

	"pagoda/ask"
	"pagoda/font"
	"pagoda/render"
	"pagoda/render/pegs"
	"pagoda/statespace"
	"pagoda/statespace/peg"
	"pagoda/statespace/peg/board"
	"pagoda/statespace/sparse"
)

// maxLetters bounds a word.
const maxLetters = 100

// fontStart is the start of the space that the font is for.
const fontStart = "ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo"

// hasFont reports whether the letters of the font are patterns of a space.
func hasFont(sp *peg.Space) bool {
	return sp.Board().Lattice() == board.Square && sp.Board().FormatPosition(sp.Start()) == fontStart
}

// A letter is a character of a word, and how it is played.
type letter struct {
	Letter   string         `json:"letter"` // as it was given
	Missing  bool           `json:"missing"`
	Pattern  string         `json:"pattern,omitempty"`
	Distance *int           `json:"distance,omitempty"` // from the letter as it was wished for
	Moves    []fmt.Stringer `json:"moves,omitempty"`

	char rune
	path statespace.Path
}

// spell looks up the letters of a text, and how they are played, in a file that has them.
func spell(ctx context.Context, f *ask.File, text []rune) ([]*letter, error) {
	paths, err := f.Paths(ctx, ask.PathQuestion{})
	if err != nil {
		return nil, err
	}
	defer paths.Close()
	known := make(map[rune]*letter)
	letters := []*letter{}
	for _, r := range text {
		l := known[r]
		if l == nil {
			if l, err = newLetter(f, paths, r); err != nil {
				return nil, err
			}
			known[r] = l
		}
		letters = append(letters, l)
	}
	return letters, nil
}

func newLetter(f *ask.File, paths *ask.Paths, r rune) (*letter, error) {
	l := &letter{Letter: string(r), char: r}
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

// compose puts letters into rows of at most a number of columns, and returns how many they
// have. Rows end at blanks where they can, which are then left out.
func compose(sp *peg.Space, letters []*letter, most int) (films []render.Film, columns int, err error) {
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

func wrap(letters []*letter, columns int) (rows [][]*letter) {
	for len(letters) > columns {
		end, next := columns, columns
		for i := columns; i > 0; i-- {
			if letters[i].char == ' ' {
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
func (l *letter) film(sp *peg.Space) (render.Film, error) {
	if l.Missing {
		plate := pegs.Plate{Board: sp.Board()}
		if unicode.IsPrint(l.char) {
			plate.Text = string(l.char)
		}
		return render.Still{Drawing: plate}, nil
	}
	return pegs.Drawer{}.Film(sp, l.path)
}
