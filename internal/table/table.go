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
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
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
