// Package table writes tables as text.
package table

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Write writes the rows of a table, with two spaces between its columns, and none at the end of a line. Texts
// begin at the left in the columns of left, from 0, and end at the right in the others.
func Write(w io.Writer, rows [][]string, left ...int) {
	var widths []int
	for _, row := range rows {
		widths = append(widths, make([]int, max(0, len(row)-len(widths)))...)
		for i, text := range row {
			widths[i] = max(widths[i], len(text))
		}
	}
	for _, row := range rows {
		line := ""
		for i, text := range row {
			width := widths[i]
			if slices.Contains(left, i) {
				width = -width
			}
			line += fmt.Sprintf("%*s  ", width, text)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// List lists names for a help, two spaces from the margin, and what each is about.
func List[T any](all []T, of func(T) (name, about string)) string {
	var s strings.Builder
	var rows [][]string
	for _, one := range all {
		name, about := of(one)
		rows = append(rows, []string{"  " + name, about})
	}
	Write(&s, rows, 0, 1)
	return s.String()
}
