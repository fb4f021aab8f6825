package font

import (
	"fmt"
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

// Any two glyphs differ in three cells at least, and those that are easily taken for each
// other in more.
func TestApart(t *testing.T) {
	alike := []string{"O0", "OQ", "OD", "0D", "I1", "I!", "S5", "B8", "Z2", "G6", "UV", "CG", "MW", "17", "EF", ".,", ",'"}
	for i, g := range Glyphs() {
		for _, h := range Glyphs()[:i] {
			least := 3
			for _, pair := range alike {
				if strings.ContainsRune(pair, g.Rune) && strings.ContainsRune(pair, h.Rune) {
					least = 5
				}
			}
			if n := bits.OnesCount64(cells(t, g.Pattern) ^ cells(t, h.Pattern)); n < least {
				t.Errorf("%q and %q differ in %d cells, expected %d at least", h.Rune, g.Rune, n, least)
			}
		}
	}
}

// play makes a jump on a board drawn in rows, by what it finds there.
func play(board [Height][Width]bool, from, over, to [2]int) ([Height][Width]bool, error) {
	for axis := range 2 {
		if from[axis]+to[axis] != 2*over[axis] {
			return board, fmt.Errorf("%v over %v to %v is not straight", from, over, to)
		}
	}
	if d := abs(from[0]-to[0]) + abs(from[1]-to[1]); d != 2 || from[0] != to[0] && from[1] != to[1] {
		return board, fmt.Errorf("%v to %v is not along a row or column", from, to)
	}
	if !board[from[0]][from[1]] || !board[over[0]][over[1]] || board[to[0]][to[1]] {
		return board, fmt.Errorf("%v over %v to %v cannot be made", from, over, to)
	}
	board[from[0]][from[1]], board[over[0]][over[1]], board[to[0]][to[1]] = false, false, true
	return board, nil
}

func abs(x int) int { return max(x, -x) }

// Each glyph can be reached, and its solution is played here jump by jump.
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
