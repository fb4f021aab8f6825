package formats_test

import (
	"fmt"

	"pagoda/puzzle/slide/formats"
)

func Example() {
	puzzle, err := formats.Parse("BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.")
	if err != nil {
		panic(err)
	}
	fmt.Println(puzzle.FormatPosition(puzzle.Start()))
	for _, f := range formats.All() {
		if _, err := f.Write(puzzle); err != nil {
			fmt.Println(f.Name+":", err)
		}
	}
	// Output:
	// BCDDE./BCF.EG/B.FAAG/HHHI.G/..JIKK/LLJMM.
	// knuth: piece B moves along one axis only, which the format cannot express
	// hrd: the tray is not 5 rows of 4 cells, as it is in the format
}
