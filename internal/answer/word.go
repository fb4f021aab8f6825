package answer

import (
	"fmt"
	"unicode"

	"pagoda/bitset"
	"pagoda/font"
	"pagoda/layers"
	"pagoda/render"
	"pagoda/statespace"
	"pagoda/statespace/peg"
)

// MaxLetters bounds a word.
const MaxLetters = 100

// fontStart is the start of the space that the font is for.
const fontStart = "ooooo/ooooo/ooooo/oo.oo/ooooo/ooooo/ooooo"

// HasFont reports whether the letters of the font are patterns of a space.
func HasFont(sp *peg.Space) bool {
	return sp.Board().Lattice() == peg.Square && sp.Board().FormatPosition(sp.Start()) == fontStart
}

// A Letter is a character of a word, and what is played for it.
type Letter struct {
	Letter   string         `json:"letter"` // as it was given
	Missing  bool           `json:"missing"`
	Pattern  string         `json:"pattern,omitempty"`
	Distance *int           `json:"distance,omitempty"` // from the letter as it was wished for
	Moves    []fmt.Stringer `json:"moves,omitempty"`

	Char rune           `json:"-"`
	Way  statespace.Way `json:"-"`
}

// Spell looks up the letters of a text and how they are played in a file that has them.
func Spell(f *layers.File, sp *peg.Space, text []rune) ([]*Letter, error) {
	known := make(map[rune]*Letter)
	letters := []*Letter{}
	for _, r := range text {
		l := known[r]
		if l == nil {
			var err error
			if l, err = newLetter(f, sp, r); err != nil {
				return nil, err
			}
			known[r] = l
		}
		letters = append(letters, l)
	}
	return letters, nil
}

func newLetter(f *layers.File, sp *peg.Space, r rune) (*Letter, error) {
	l := &Letter{Letter: string(r), Char: r}
	glyph, ok := font.Lookup(r)
	if !ok {
		l.Missing = true
		return l, nil
	}
	l.Pattern, l.Distance = glyph.Pattern, &glyph.Distance
	x, err := sp.Parse(glyph.Pattern)
	if err != nil {
		return nil, err
	}
	reached, err := bitset.Has(f.Members(), x)
	if err != nil {
		return nil, err
	}
	if !reached {
		return nil, &layers.FileError{Path: f.Path(), Err: layers.ErrDamaged,
			Detail: fmt.Sprintf("it lacks %s, which can be reached", glyph.Pattern), Advice: "reach verify tells more"}
	}
	if l.Way, err = Path(f, sp, x); err != nil {
		return nil, ExplainWay(f, err)
	}
	l.Moves, _, err = sp.Tell(l.Way)
	return l, err
}

// Compose puts letters into rows of at most a number of columns, and returns how many they
// have. Rows end at blanks where they can, which are then left out.
func Compose(sp *peg.Space, letters []*Letter, most int) (parts render.Ensemble, columns int) {
	rows := wrap(letters, most)
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	for _, row := range rows {
		for _, l := range row {
			parts = append(parts, l.part(sp))
		}
		for range columns - len(row) {
			parts = append(parts, render.Part{Still: render.Nothing{}})
		}
	}
	return parts, columns
}

func wrap(letters []*Letter, columns int) (rows [][]*Letter) {
	for len(letters) > columns {
		end, next := columns, columns
		for i := columns; i > 0; i-- {
			if letters[i].Char == ' ' {
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

// part is a letter as it is drawn.
func (l *Letter) part(sp *peg.Space) render.Part {
	if l.Missing {
		plate := render.Plate{Board: sp.Board()}
		if unicode.IsPrint(l.Char) {
			plate.Text = string(l.Char)
		}
		return render.Part{Still: plate}
	}
	return Played(sp, l.Way)
}

// Played is a way as it is drawn.
func Played(sp *peg.Space, way statespace.Way) render.Part {
	s := render.Solution{Board: sp.Board(), Start: sp.Class().Position(way.From)}
	for _, step := range way.Steps {
		s.Jumps = append(s.Jumps, step.Move)
	}
	return render.Part{Solution: s}
}
