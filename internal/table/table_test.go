package table_test

import (
	"os"

	"pagoda/internal/table"
)

func ExampleWrite() {
	table.Write(os.Stdout, [][]string{{"pegs", "states", "about"}, {"1", "1,024", "first"}, {"12", "5", ""}}, 2)
	// Output:
	// pegs  states  about
	//    1   1,024  first
	//   12       5
}
