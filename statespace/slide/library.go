package slide

import (
	"embed"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed library/*.txt
var library embed.FS

// ErrUnknown says that the library has no puzzle of a name.
var ErrUnknown = errors.New("no such puzzle")

// Prefix starts the names of the library's puzzles.
const Prefix = "slide/"

// Library lists the names of published puzzles, such as slide/klotski. Besides these,
// slide/nRxC is the n-puzzle of R rows and C columns.
func Library() []string {
	files, err := library.ReadDir("library")
	if err != nil {
		panic(err) // it is part of the program
	}
	var names []string
	for _, f := range files {
		names = append(names, Prefix+strings.TrimSuffix(f.Name(), ".txt"))
	}
	slices.Sort(names)
	return names
}

var sides = regexp.MustCompile(`^n([1-9][0-9]?)x([1-9][0-9]?)$`)

// Lookup returns the puzzle of a name: one of Library, or slide/nRxC. Another name is
// ErrUnknown.
func Lookup(name string) (*Puzzle, error) {
	base, ok := strings.CutPrefix(name, Prefix)
	if m := sides.FindStringSubmatch(base); ok && m != nil {
		rows, _ := strconv.Atoi(m[1])
		cols, _ := strconv.Atoi(m[2])
		return NPuzzle(rows, cols)
	}
	if !ok || !slices.Contains(Library(), name) {
		return nil, fmt.Errorf("%w: %.60q is not in the library", ErrUnknown, name)
	}
	text, err := library.ReadFile(path.Join("library", base+".txt"))
	if err != nil {
		return nil, err
	}
	return ParsePuzzle(string(text))
}

// tileNames are the names of an n-puzzle's tiles, in order.
const tileNames = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// NPuzzle returns the puzzle of rows x cols - 1 tiles in order, the empty cell last. The
// goal has it first, with the tiles in order again, but for the last two, which change
// places where order cannot be reached: if both the rows and the columns are even.
func NPuzzle(rows, cols int) (*Puzzle, error) {
	n := rows*cols - 1
	if rows < 2 || cols < 2 || n > len(tileNames) {
		return nil, fmt.Errorf("an n-puzzle has two rows and columns at least and %d tiles at most; %dx%d is none", len(tileNames), rows, cols)
	}
	tiles := tileNames[:n]
	goal := []byte("." + tiles)
	// A tile that the empty cell passes in its column jumps over cols-1 others.
	if cols%2 == 0 && rows%2 == 0 {
		goal[n], goal[n-1] = goal[n-1], goal[n]
	}
	text := fmt.Sprintf("title: the %d-puzzle, %d x %d\ndistinct: *\ntray: %s\ngoal: %s\n", n, rows, cols,
		inRows(tiles+".", cols), inRows(string(goal), cols))
	return ParsePuzzle(text)
}

func inRows(cells string, cols int) string {
	var rows []string
	for row := range slices.Chunk([]byte(cells), cols) {
		rows = append(rows, string(row))
	}
	return strings.Join(rows, "/")
}
