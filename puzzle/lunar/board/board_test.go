package board

import (
	"fmt"
	"testing"
)

func named(t *testing.T, name string) *Board {
	t.Helper()
	b, ok := Named(name)
	if !ok {
		t.Fatalf("there is no board %s", name)
	}
	return b
}

func TestNamed(t *testing.T) {
	for name, want := range map[string]string{"5x5": "25 [12] 7", "cross": "33 [16] 7", "octagon": "37 [18] 7", "7x7": "49 [24] 7", "3x5": "15 [7] 3"} {
		b := named(t, name)
		var exits []int
		for i := range b.Cells() {
			if b.Exits()>>i&1 != 0 {
				exits = append(exits, i)
			}
		}
		if found := fmt.Sprint(len(b.Cells()), exits, len(b.Turns())); found != want {
			t.Errorf("%s has %s, want %s", name, found, want)
		}
	}
	for _, name := range []string{"", "5x", "4x5", "05x5", "9x9", "5x5x5", "0x5", "round"} {
		if _, ok := Named(name); ok {
			t.Errorf("%q is a board", name)
		}
	}
}

// X passes over the exit when it goes left, and leaves when it goes up from there; 1 stops on it.
func TestMoves(t *testing.T) {
	b := named(t, "5x5")
	for drawing, want := range map[string]string{
		"...../...../1.+.X/...../.....":   "1-R X-L",
		"...../..1../..+../...../..X..":   "1-D X-U!",
		".1.../...../2.+.X/...../.3...":   "1-D 2-R X-L X-LU X-LD 3-U",
		"1..../...../..+../...../....X":   "",
		"...../..1../.X+.2/...../.....":   "X-R 2-L",
		"...../...../1.2.../...../..":     "error",
		"...../...../..X../...../.....":   "error",
		"+..../...../...../...../....1":   "error",
		"...../...../...../...../.....":   "",
		"12.../...../..+../...../.....":   "",
		"X1.../...../..+../...../2....":   "X-D 2-U",
		"....../...../..+../...../.....":  "error",
		"...../...../..+../...../...../.": "error",
	} {
		p, err := b.ParsePosition(drawing)
		if err != nil {
			if want != "error" {
				t.Errorf("%s: %v", drawing, err)
			}
			continue
		}
		drawn, _ := b.Drawn(drawing, false)
		found := ""
		for i, m := range b.Moves(nil, p) {
			if i > 0 {
				found += " "
			}
			found += fmt.Sprintf("%c-%s", drawn[m.From], m.Way())
			if m.Leaves {
				found += "!"
			}
		}
		if found != want {
			t.Errorf("%s has the moves %s, want %s", drawing, found, want)
		}
	}
}
