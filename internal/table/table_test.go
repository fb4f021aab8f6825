package table_test

import (
	"fmt"
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

func ExampleList() {
	about := map[string]string{"a": "short", "a-longer-name": "long"}
	fmt.Print(table.List([]string{"a", "a-longer-name"}, func(name string) (string, string) { return name, about[name] }))
	// Output:
	//   a              short
	//   a-longer-name  long
}
