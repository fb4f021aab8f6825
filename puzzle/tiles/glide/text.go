package glide

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tile returns the tile that shows a number. The error says what was expected and found.
func (t *Tiles) Tile(number uint64) (uint8, error) {
	tile := slices.Index(t.Numbers[1:], number) + 1
	if tile == 0 {
		return 0, fmt.Errorf("expected a tile, %s, found %d", t.About, number)
	}
	return uint8(tile), nil
}

// ReadTile reads the tile that shows a number.
func (t *Tiles) ReadTile(text string) (int, error) {
	number, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("expected a tile, %s, found %.20q", t.About, text)
	}
	tile, err := t.Tile(number)
	return int(tile), err
}

// Format writes a board on one line: rows separated by slashes, cells by commas, a dot for an empty cell.
func (g *Grid) Format(b Board) string {
	var s strings.Builder
	for cell := range g.cells {
		switch {
		case cell == 0:
		case cell%g.columns == 0:
			s.WriteByte('/')
		default:
			s.WriteByte(',')
		}
		if t := b.At(cell); t == 0 {
			s.WriteByte('.')
		} else {
			s.WriteString(strconv.FormatUint(g.Numbers[t], 10))
		}
	}
	return s.String()
}

// Texts returns the texts of all cells, equally wide: numbers, and a dot for an empty cell.
func (g *Grid) Texts(b Board) []string {
	all := make([]string, g.cells)
	wide := 1
	for cell := range all {
		all[cell] = "."
		if tile := b.At(cell); tile > 0 {
			all[cell] = strconv.FormatUint(g.Numbers[tile], 10)
		}
		wide = max(wide, len(all[cell]))
	}
	for cell := range all {
		all[cell] = fmt.Sprintf("%*s", wide, all[cell])
	}
	return all
}

// Rows returns the rows of a board that is written as for Parse.
func Rows(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == '\n' || r == '\r' })
}

// Cells returns the cells of a row.
func Cells(row string) []string {
	return strings.FieldsFunc(row, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}

// Parse reads a board as Format writes it. Rows may also be lines, cells may be separated by blanks, and 0 or _
// is an empty cell, too.
func (g *Grid) Parse(text string) (b Board, err error) {
	rows := Rows(text)
	if len(rows) != g.rows {
		return 0, fmt.Errorf("a board of %dx%d has %d rows, separated by slashes: found %d in %.80q", g.rows, g.columns, g.rows, len(rows), text)
	}
	for r, row := range rows {
		cells := Cells(row)
		if len(cells) != g.columns {
			return 0, fmt.Errorf("row %d should have %d cells, separated by commas: found %d in %.80q", r+1, g.columns, len(cells), row)
		}
		for c, cell := range cells {
			if cell == "." || cell == "0" || cell == "_" {
				continue
			}
			number, err := strconv.ParseUint(cell, 10, 64)
			if err != nil {
				return 0, fmt.Errorf("row %d, column %d: expected a number, or a dot for an empty cell, found %.20q", r+1, c+1, cell)
			}
			tile, err := g.Tile(number)
			if err != nil {
				return 0, fmt.Errorf("row %d, column %d: %w", r+1, c+1, err)
			}
			b = b.With(r*g.columns+c, tile)
		}
	}
	return b, nil
}
