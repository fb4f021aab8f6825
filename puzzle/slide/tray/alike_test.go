package tray_test

import (
	"errors"
	"slices"
	"testing"

	"pagoda/puzzle/slide/slidetest"
	"pagoda/statespace"
)

// TestAlikeApart: pieces that look alike can be drawn at each other's places, though none of them
// can come to those of the other.
func TestAlikeApart(t *testing.T) {
	for _, c := range []struct{ puzzle, text, want string }{
		{"tray: a.#b.\nalike: *", "b.#.a", "a.#.b"},
		{"tray: a.#b.\ngoal: b.#.a\nalike: *", "b.#a.", "a.#b."},
		{"tray: a.#b.", "b.#a.", "a.#b."},
		{"tray: ab.#c.\nalike: a b c", "cb.#a.", "ab.#c."},
		{"tray: ab.#c.\nalike: a b c", "ca.#.b", "ba.#.c"},
		{"tray: a.#b.\nalike: a b\ngoal: .b#a.", ".b#.a", ".a#.b"},
		{"tray: a.#b.\ngoal: .a", "b.#a.", ""},      // the goal names a, so b is different
		{"tray: a.#b.\ndistinct: b", "b.#a.", ""},   // as is one that is distinct
		{"tray: ab.#c.\nalike: *", "a..#bc", ""},    // only one of them can be at the right
		{"tray: a.#b.\nhorizontal: a", "b.#a.", ""}, // another axis
	} {
		p := slidetest.Parse(t, c.puzzle)
		pos, err := p.ParsePosition(c.text)
		if c.want == "" {
			if !errors.Is(err, statespace.ErrOutside) {
				t.Errorf("%q: %s: %v", c.puzzle, c.text, err)
			}
			continue
		}
		if err != nil || p.FormatPosition(pos) != c.want {
			t.Errorf("%q: %s is read as %s, %v, want %s", c.puzzle, c.text, p.FormatPosition(pos), err, c.want)
			continue
		}
		pattern, err := p.ParsePattern(c.text)
		drawn := slices.Clone(pattern)
		p.Fill(drawn, pos)
		if err != nil || !slices.Equal(pattern, drawn) {
			t.Errorf("%q: the pattern %s has the contents %v, the position %v", c.puzzle, c.text, pattern, drawn)
		}
	}
}
