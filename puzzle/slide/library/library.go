package library

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/lazy"
	"pagoda/internal/lists"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

//go:embed *.txt
var texts embed.FS

// Prefix is the beginning of all names.
const Prefix = "slide/"

// Names returns the names of the published puzzles.
func Names() []string {
	files, err := texts.ReadDir(".")
	if err != nil {
		panic(err) // it is part of the program
	}
	names := lists.Map(files, func(f fs.DirEntry) string { return Prefix + strings.TrimSuffix(f.Name(), ".txt") })
	slices.Sort(names)
	return names
}

// Known returns the names of the puzzles that Computed has: the published ones, and a few n-puzzles.
func Known() []string {
	return append(Names(), Prefix+"n3x3")
}

// nPuzzleName matches the name of an n-puzzle without the prefix.
var nPuzzleName = lazy.Regexp(`^n([1-9][0-9]?)x([1-9][0-9]?)$`)

// Lookup returns the puzzle of a name: one of Names, or slide/nRxC for the n-puzzle of R rows and
// C columns. For other names, the error is statespace.ErrUnknown.
func Lookup(name string) (*tray.Puzzle, error) {
	base, ok := strings.CutPrefix(name, Prefix)
	if m := nPuzzleName().FindStringSubmatch(base); ok && m != nil {
		rows, _ := strconv.Atoi(m[1])
		cols, _ := strconv.Atoi(m[2])
		return NPuzzle(rows, cols)
	}
	if !ok || !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("%.60s: %w", name, statespace.ErrUnknown)
	}
	text, err := texts.ReadFile(base + ".txt")
	if err != nil {
		return nil, err
	}
	return tray.Parse(string(text))
}

// Title returns the title of the puzzle of a name, or nothing. It is faster than Lookup.
func Title(name string) string {
	text, err := texts.ReadFile(strings.TrimPrefix(name, Prefix) + ".txt")
	if err != nil {
		p, err := Lookup(name)
		if err != nil {
			return ""
		}
		return p.Title
	}
	for line := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(line, "title:"); ok {
			return strings.TrimSpace(title)
		}
	}
	return ""
}

// NPuzzle returns the puzzle of rows x cols - 1 tiles that are in order, with the empty cell at
// the end. In the goal the empty cell is at the beginning and the tiles are in order again. If
// both rows and cols are even, that cannot be reached, and the last two tiles of the goal are
// exchanged.
func NPuzzle(rows, cols int) (*tray.Puzzle, error) {
	n := rows*cols - 1
	if rows < 2 || cols < 2 || n > len(tray.PieceNames) {
		return nil, fmt.Errorf("an n-puzzle has at least two rows and columns and at most %d tiles, found %dx%d", len(tray.PieceNames), rows, cols)
	}
	tiles := tray.PieceNames[:n]
	goal := []byte("." + tiles)
	// When the empty cell moves along its column, a tile passes cols-1 others.
	if cols%2 == 0 && rows%2 == 0 {
		goal[n], goal[n-1] = goal[n-1], goal[n]
	}
	text := fmt.Sprintf("title: the %d-puzzle, %d x %d\ndistinct: *\ntray: %s\ngoal: %s\n", n, rows, cols,
		tray.InRows([]byte(tiles+"."), cols), tray.InRows(goal, cols))
	return tray.Parse(text)
}
