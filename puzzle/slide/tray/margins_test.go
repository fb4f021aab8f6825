package tray_test

import (
	"slices"
	"testing"

	"pagoda/puzzle/slide/slidetest"
)

// TestMargins: walls around the tray may be drawn or not, and a position drawn as in the text of the
// puzzle fits.
func TestMargins(t *testing.T) {
	for _, c := range []struct{ puzzle, want string }{
		{"tray:\n#####\n#AB.#\n#.#.#\n#####\ngoal:\n#\n#.A\n", "#/#AB./#.#."},
		{"tray:\nAB.\n.#.\n###\ngoal:\n.A\n", "AB./.#."},
		{"tray:\n  AB.\n  .#.\ngoal:\n  .A\n", "##AB./##.#."},
	} {
		p := slidetest.Parse(t, c.puzzle)
		if got := p.FormatPosition(p.Start()); got != c.want {
			t.Errorf("%q: the start is %s, want %s", c.puzzle, got, c.want)
		}
		for _, text := range []string{"AB./.#.", "#####/#AB.#/#.#.#/#####", "\n#\n  AB.\n  . .\n\n", "##AB.##/##.#.", c.want} {
			pos, err := p.ParsePosition(text)
			if err != nil || !slices.Equal(pos, p.Start()) {
				t.Errorf("%q: %q is read as %v, %v", c.puzzle, text, pos, err)
			}
			if _, err := p.ParsePattern(text); err != nil {
				t.Errorf("%q: %q: %v", c.puzzle, text, err)
			}
		}
		for _, text := range []string{"AB./...", "AB./.#", "#/AB.", "AB.#./.#."} {
			if _, err := p.ParsePosition(text); err == nil {
				t.Errorf("%q: %q fits", c.puzzle, text)
			}
		}
	}
}
