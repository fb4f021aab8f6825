package cells_test

import (
	"errors"
	"strings"
	"testing"

	"pagoda/statespace/cells"
	"pagoda/statespace/internal/toys"
)

// cross returns the 33 cells of the English board.
func cross() (all []cells.Cell) {
	for row := range 7 {
		for col := range 7 {
			if row/2 == 1 || row == 4 || col/2 == 1 || col == 4 {
				all = append(all, cells.Cell{Row: row, Col: col})
			}
		}
	}
	return all
}

func TestParseWeights(t *testing.T) {
	three, seven := "1 1 1\n", "1 2 3 4.5 3 2 1\n"
	good := three + "\n" + "##0.25, 1,\t2.50##\r\n" + strings.Repeat(seven, 3) + three + "# # 1000000000 0 .5 # #"
	w, err := cells.ParseWeights(good, cross())
	if err != nil {
		t.Fatal(err)
	}
	if w.Decimals != 2 || w.Cells[3] != 25 || w.Cells[5] != 250 || w.Cells[30] != 1e11 || w.Cells[32] != 50 {
		t.Errorf("%+v", w)
	}
	for distance, want := range map[uint64]string{0: "0", 5: "0.05", 50: "0.5", 1200: "12", 1234: "12.34"} {
		if got := w.Format(distance); got != want {
			t.Errorf("%d is written %q, want %q", distance, got, want)
		}
		if back, err := w.Parse(want); back != distance || err != nil {
			t.Errorf("%q is read as %d, %v", want, back, err)
		}
	}
	if x, err := w.Parse("2.999"); x != 299 || err != nil {
		t.Errorf("%d, %v", x, err)
	}
	whole := new(cells.Weights)
	if x, err := whole.Parse(".5"); x != 0 || err != nil || whole.Format(12) != "12" {
		t.Errorf("%d, %v", x, err)
	}
	for _, text := range []string{"", ".", "-1", "1e3", "1.x", "99999999999999999999"} {
		if x, err := w.Parse(text); err == nil || !strings.Contains(err.Error(), "is not a distance") {
			t.Errorf("%q is read as %d, %v", text, x, err)
		}
	}
	for text, want := range map[string]string{
		"":                                    "line 1, column 1: the board has 33 cells, there are 0 weights",
		three + "1 1\n":                       "line 2, column 1: row 1 of the board has 3 cells, here are 2 weights",
		strings.Replace(good, "4.5", "-1", 1): `line 4, column 1: the weight "-1" is not a number`,
		strings.Replace(good, "4.5", "x", 1):  `line 4, column 1: the weight "x" is not a number`,
		strings.Replace(good, "4.5", ".", 1):  `the weight "." is not a number`,
		strings.Replace(good, "4.5", "1.1234567", 1):             "at most 6 digits behind the point",
		strings.Replace(good, "4.5", "1000000001", 1):            "larger than 10^9",
		strings.Replace(good, "4.5", strings.Repeat("9", 99), 1): "line 4, column 1: the weight",
		good + "\n1 1 1": "more rows of weights than the board has",
		three:            "the board has 33 cells, there are 3 weights",
	} {
		_, err := cells.ParseWeights(text, cross())
		if syntax := new(cells.SyntaxError); !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
	// A row of the board may have no cells.
	gap := []cells.Cell{{Row: 0, Col: 0}, {Row: 2, Col: 0}}
	if w, err := cells.ParseWeights("\ufeff1\n2", gap); err != nil || w.Cells[1] != 2 {
		t.Errorf("%+v, %v", w, err)
	}
}

// What ParseWeights takes has a number for each cell.
func FuzzParseWeights(f *testing.F) {
	f.Add("1 2 3\n4 5 6\n7 8 9\n")
	f.Add("#1,2,3.5\n\n0 0 .25\n1e5 x -")
	board := toys.NewLights(3, 3, 0)
	f.Fuzz(func(t *testing.T, text string) {
		w, err := cells.ParseWeights(text, board.Cells())
		if err != nil {
			return
		}
		if len(w.Cells) != 9 || w.Decimals < 0 || w.Decimals > 6 {
			t.Errorf("%q: %+v", text, w)
		}
		if _, err := cells.NewTarget(board, w.Cells, cells.Open(9)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}
