package definition

import (
	"embed"
	"slices"
	"strings"
)

//go:embed puzzles
var puzzles embed.FS

// Names returns the names of the puzzles whose definitions come with this package, in order.
func Names() (names []string) {
	files, _ := puzzles.ReadDir("puzzles") // it is there
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".txt"))
	}
	slices.Sort(names)
	return names
}

// Named returns the definition of a puzzle that has a name.
func Named(name string) (text string, ok bool) {
	data, err := puzzles.ReadFile("puzzles/" + name + ".txt")
	return string(data), err == nil
}
