package render

import (
	"io"
	"strings"
	"unicode/utf8"
)

// lineWidth is the most characters in a line if Text chooses the number of columns.
const lineWidth = 80

// Text writes panels in characters, in rows of a number of columns, at most MaxPanels; 0
// puts as many into a row as fit into 80 characters.
func Text(w io.Writer, panels []Panel, columns int, style Style) error {
	if _, err := style.fill(); err != nil {
		return err
	}
	if err := check(panels, columns); err != nil {
		return err
	}
	const gap = 4
	width := 0
	blocks := make([][]string, len(panels))
	for i, p := range panels {
		blocks[i] = p.Drawing.Rows()
		if p.Caption != "" && !style.NoCaptions {
			blocks[i] = append(blocks[i], p.Caption)
		}
		for _, row := range blocks[i] {
			width = max(width, utf8.RuneCountInString(row))
		}
	}
	if columns == 0 {
		columns = max(1, (lineWidth+gap)/(width+gap))
	}
	var s strings.Builder
	for from := 0; from < len(blocks); from += columns {
		if from > 0 {
			s.WriteByte('\n')
		}
		row := blocks[from:min(from+columns, len(blocks))]
		height := 0
		for _, b := range row {
			height = max(height, len(b))
		}
		for y := range height {
			line := ""
			for i, b := range row {
				line += strings.Repeat(" ", i*(width+gap)-utf8.RuneCountInString(line))
				if y < len(b) {
					line += b[y]
				}
			}
			s.WriteString(strings.TrimRight(line, " "))
			s.WriteByte('\n')
		}
	}
	_, err := io.WriteString(w, s.String())
	return err
}
