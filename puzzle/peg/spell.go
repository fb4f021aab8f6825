package peg

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	return spell(text, func(l *Letter, glyph font.Glyph) error {
		s, err := paths.To(glyph.Pattern)
		if err != nil {
			return err
		}
		if !s.Reachable {
			return f.Damaged(fmt.Sprintf("it lacks %s, which can be reached", glyph.Pattern))
		}
		_, l.path = sparse.Original(f.Space(), s.Path)
		l.Pattern, l.Moves = glyph.Pattern, s.Moves
		return nil
	})
}

// spell is Spell with a function that says how a letter of the font is played.
func spell(text string, play func(l *Letter, glyph font.Glyph) error) ([]*Letter, error) {
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
				l = &Letter{Letter: string(w), Rune: w}
				if glyph, ok := font.Lookup(w); ok {
					l.Distance = &glyph.Distance
					if err := play(l, glyph); err != nil {
						return nil, err
					}
				} else {
					l.Missing = w != '\n'
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

// A script is the letters of the font and how they are played, by their runes.
type script map[rune]*Letter

// readScript reads letters as the API writes them, by the letter, as JSON.
func readScript(sp *Space, data []byte) (script, error) {
	var all map[string]struct {
		Pattern string
		Moves   []JumpText
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	letters := make(script)
	for name, played := range all {
		r, _ := utf8.DecodeRuneInString(name)
		l := &Letter{Pattern: played.Pattern, path: statespace.Path{From: sp.Roots()[0]}}
		at := l.path.From
		for _, jump := range played.Moves {
			edges := sp.Successors(nil, at)
			i := slices.IndexFunc(edges, func(e statespace.Edge) bool { return sp.Jump(e.Move) == jump })
			if i < 0 {
				return nil, fmt.Errorf("%s cannot be played: there is no jump %s", name, jump)
			}
			at = edges[i].To
			l.path.Steps = append(l.path.Steps, statespace.Step{Move: edges[i].Move, State: at})
			l.Moves = append(l.Moves, jump)
		}
		if got := sp.Format(at); got != l.Pattern {
			return nil, fmt.Errorf("%s is played to %s, expected %s", name, got, l.Pattern)
		}
		letters[r] = l
	}
	return letters, nil
}

// play says how a letter is played, for spell.
func (s script) play(l *Letter, glyph font.Glyph) error {
	if known := s[glyph.Rune]; known != nil {
		l.Pattern, l.Moves, l.path = known.Pattern, known.Moves, known.path
	} else {
		l.Missing, l.Distance = true, nil
	}
	return nil
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
			films = append(films, render.Still(render.Panel{Drawing: render.Nothing{}}))
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
		return render.Still(render.Panel{Drawing: plate}), nil
	}
	return draw.Drawer{}.Film(sp, l.path)
}
