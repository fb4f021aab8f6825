package formats_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/statespace/slide/formats"
	"pagoda/statespace/slide/tray"
)

// readLevel returns the text of a file of testdata, whose README says where it comes from.
func readLevel(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRushHourDatabase: the numbers of moves and of positions are those of the database.
func TestRushHourDatabase(t *testing.T) {
	for text := range strings.Lines(readLevel(t, "rush.txt")) {
		p, err := formats.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r := solve(t, p, tray.Lines)
		if p.States == 0 || r.Length != p.Lengths[tray.Lines] || r.States != p.States {
			t.Errorf("%s%d moves, %d positions", text, r.Length, r.States)
		}
	}
}

// TestWalledIn: a car that a wall keeps from the right edge has positions, and no solution.
func TestWalledIn(t *testing.T) {
	for _, text := range []string{
		"oooooooooooooAAoxooooooooBBooooooooo", // the wall is where the car must go
		"oooooooooooooAAxoooooooooBBooooooooo", // the wall is on the way
	} {
		p, err := formats.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if r := solve(t, p, tray.Lines); r.Solved || !r.Whole || r.States < 10 {
			t.Errorf("%s: solved %v, %d positions", text, r.Solved, r.States)
		}
	}
}

// TestMistakes: the error names the likely mistake.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.A":       "column 1: a row of 37 characters looks like a Rush Hour board, which has 36",
		"51 BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM 4780": "column 4: a row of 35 characters looks like a Rush Hour board, which has 36",
		"BCDDE.BCF.EGB.FaaGHHHI.G..JIKKLLJMM.":        "column 16: unexpected 'a' in a Rush Hour board",
		"oooooAoooooAoooooooooooooooooooooooo":        "column 6: car A does not lie along its row",
	} {
		if _, err := formats.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
