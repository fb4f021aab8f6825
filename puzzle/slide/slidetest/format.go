package slidetest

import (
	"fmt"
	"slices"
	"strings"

	"pagoda/puzzle/slide/contest"
	"pagoda/puzzle/slide/tray"
)

// FormatProblem writes a problem so that contest.ParseProblem reads it.
func FormatProblem(p *contest.Problem) string {
	var s strings.Builder
	writeGrid(&s, len(p.Box), len(p.Box[0]), func(c tray.Cell) bool { return !p.Box[c.Row][c.Col] })
	fmt.Fprintf(&s, "-\n%d\n", len(p.Free))
	for i := range len(p.Free) + 1 {
		if i == len(p.Free) {
			s.WriteString("-\n")
		}
		rows, cols := 0, 0
		for _, c := range p.Shape(i) {
			rows, cols = max(rows, c.Row+1), max(cols, c.Col+1)
		}
		writeGrid(&s, rows, cols, func(c tray.Cell) bool { return slices.Contains(p.Shape(i), c) })
	}
	fmt.Fprintf(&s, "-\n%d %d\n", p.X, p.Y)
	return s.String()
}

// writeGrid writes a width, a height and rows of 0 and 1.
func writeGrid(to *strings.Builder, rows, cols int, is func(tray.Cell) bool) {
	fmt.Fprintf(to, "%d %d\n", cols, rows)
	for row := range rows {
		words := slices.Repeat([]string{"0"}, cols)
		for col := range words {
			if is(tray.Cell{Row: row, Col: col}) {
				words[col] = "1"
			}
		}
		to.WriteString(strings.Join(words, " ") + "\n")
	}
}
