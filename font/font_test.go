package font

import (
	"math/bits"
	"strings"
	"testing"
)

// cells returns the pegs of a pattern as a number, the first cell the lowest bit.
func cells(t *testing.T, pattern string) uint64 {
	t.Helper()
	rows := strings.Split(pattern, "/")
	if len(rows) != Height {
		t.Fatalf("%s has %d rows", pattern, len(rows))
	}
	var pegs uint64
	for r, row := range rows {
		if len(row) != Width || strings.Trim(row, "o.") != "" {
			t.Fatalf("%s: row %d is %q", pattern, r, row)
		}
		for c, ch := range row {
			if ch == 'o' {
				pegs |= 1 << (r*Width + c)
			}
		}
	}
	return pegs
}

func TestGlyphs(t *testing.T) {
	const expected = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,!?-' "
	found := ""
	for _, g := range Glyphs() {
		found += string(g.Rune)
		if d := bits.OnesCount64(cells(t, g.Wish) ^ cells(t, g.Pattern)); d != g.Distance {
			t.Errorf("%q: the distance is %d, the data says %d", g.Rune, d, g.Distance)
		}
	}
	if found != expected {
		t.Errorf("there are %q, expected %q", found, expected)
	}
	if Format(Glyphs()) != data {
		t.Error("glyphs.txt is not as Format writes it")
	}
}

func TestLookup(t *testing.T) {
	for _, test := range []struct {
		r     rune
		found rune // 0: none
	}{{'A', 'A'}, {'z', 'Z'}, {'0', '0'}, {' ', ' '}, {'\'', '\''}, {'ä', 0}, {'@', 0}, {'ſ', 0}, {'\n', 0}, {-1, 0}} {
		g, ok := Lookup(test.r)
		if ok != (test.found != 0) || ok && g.Rune != test.found {
			t.Errorf("%q: found %q, %v", test.r, g.Rune, ok)
		}
	}
}

func TestParseFaults(t *testing.T) {
	for _, text := range []string{"A 1", "'A', distance 1\no....  o....\n"} {
		if all, err := parse(text); err == nil {
			t.Errorf("%q: read as %v", text, all)
		}
	}
}
