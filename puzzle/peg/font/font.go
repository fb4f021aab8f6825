// Package font is letters, digits and a few signs that a game of peg solitaire can be
// played to: from the full board of five by seven cells, where only the central one
// is vacant.
//
// For each there is a wish, a plain letter of dots, and a pattern near to it that can be
// reached. They are data, in glyphs.txt. The wishes were drawn by hand; where a letter has
// several plain forms, it is that to which the reachable patterns come nearest. TestDesign chose the
// patterns. None looks blank, as every game leaves two pegs at
// least: those of the blank are as far apart as they can be without being crooked.
package font

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The size of a glyph in cells.
const (
	Width  = 5
	Height = 7
)

// Space is the name of the space whose states the glyphs are.
const Space = "peg/5x7"

// A Glyph is a character and what stands for it on the board.
type Glyph struct {
	Rune rune
	// Wish is what it should look like, and Pattern what can be reached: rows of o for
	// a peg and . for a hole, with / between them.
	Wish, Pattern string
	// Distance is the number of cells in which they differ.
	Distance int
}

//go:generate go test -run TestDesign -update
//go:embed glyphs.txt
var data string

var glyphs = sync.OnceValue(func() []Glyph {
	all, err := parse(data)
	if err != nil {
		panic(err) // it is part of the program
	}
	return all
})

// Glyphs returns all glyphs: A to Z, 0 to 9, signs and the blank.
func Glyphs() []Glyph { return slices.Clone(glyphs()) }

// Lookup returns the glyph of a character; that of a small letter is its capital.
func Lookup(r rune) (Glyph, bool) {
	if 'a' <= r && r <= 'z' {
		r = unicode.ToUpper(r)
	}
	for _, g := range glyphs() {
		if g.Rune == r {
			return g, true
		}
	}
	return Glyph{}, false
}

// parse reads glyphs as Format writes them.
func parse(text string) ([]Glyph, error) {
	var all []Glyph
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if lines[i] == "" || lines[i][0] == '#' {
			continue
		}
		var g Glyph
		letter, distance, ok := strings.Cut(lines[i], "', distance ")
		n, err := strconv.Atoi(distance)
		if g.Rune, _ = utf8.DecodeRuneInString(strings.TrimPrefix(letter, "'")); !ok || err != nil {
			return nil, fmt.Errorf("line %d: found %q, expected the heading of a glyph", i+1, lines[i])
		}
		if i+Height >= len(lines) {
			return nil, fmt.Errorf("line %d: the glyph %q has less than %d rows", i+1, g.Rune, Height)
		}
		var wish, pattern []string
		for _, line := range lines[i+1 : i+1+Height] {
			left, right, _ := strings.Cut(line, "  ")
			wish, pattern = append(wish, left), append(pattern, right)
		}
		i += Height
		g.Distance = n
		g.Wish, g.Pattern = strings.Join(wish, "/"), strings.Join(pattern, "/")
		all = append(all, g)
	}
	return all, nil
}
