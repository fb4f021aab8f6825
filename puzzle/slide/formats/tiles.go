package formats

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/internal/lazy"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/boardtext"
)

var (
	// tilesText matches numbers, and perhaps a goal, with what may be one.
	tilesText = lazy.Regexp(`^([0-9\[\],\s/]+?)(?:\bgoal:\s*(last|first|spiral))?\s*$`)
	// tilesApart matches two numbers of a row: without a space or a comma digits are the names of pieces.
	tilesApart = lazy.Regexp(`[0-9][, \t]+[0-9]`)
	tileNumber = lazy.Regexp(`[0-9]+`)
)

func isTiles(text string) bool {
	return tilesText().MatchString(text) && tilesApart().MatchString(text)
}

// ParseTiles reads an n-puzzle as many programs write it: the numbers of the tiles, row by row, with 0 for the empty
// cell, in brackets or not. Each line, inner bracket or part between slashes is a row. The number of rows may stand
// before them, with that of columns or not. Numbers in one row are a square tray. The goal has the tiles in order and the
// empty cell last, unless another one stands behind "goal:": first is the one with the empty cell first, spiral the one
// whose numbers go around to the middle. The error is a *cells.SyntaxError.
func ParseTiles(text string) (*tray.Puzzle, error) {
	m := tilesText().FindStringSubmatchIndex(text)
	tiles, cols, err := readTiles(text[:m[3]])
	if err != nil {
		return nil, err
	}
	names := "." + tray.PieceNames[:len(tiles)-1]
	goal := names[1:] + names[:1]
	switch text[max(0, m[4]):max(0, m[5])] {
	case "first":
		goal = names
	case "spiral":
		goal = spiral(goal, cols)
	}
	return tray.Parse(fmt.Sprintf("distinct: *\ntray: %s\ngoal: %s\n", tray.InRows([]byte(tiles), cols), tray.InRows([]byte(goal), cols)))
}

// DrawTiles draws the position of an n-puzzle in one line if a text gives it by the numbers of its tiles; else it returns
// the text. The error is a *cells.SyntaxError.
func DrawTiles(text string) (string, error) {
	if m := tilesText().FindStringSubmatchIndex(text); !isTiles(text) || m[4] >= 0 {
		return text, nil
	}
	tiles, cols, err := readTiles(text)
	if err != nil {
		return "", err
	}
	return tray.InRows([]byte(tiles), cols), nil
}

// otherGoal says of a puzzle whose usual goal is out of reach which goal is not.
func otherGoal(text string, p *tray.Puzzle) string {
	if p.Barred() == "" || strings.Contains(text, "goal:") {
		return ""
	}
	if q, err := ParseTiles(strings.TrimSpace(text) + " goal: first"); err != nil || q.Barred() != "" {
		return ", which cannot be reached"
	}
	return ", which cannot be reached; the one with the empty cell first can be: write goal: first behind the numbers"
}

// spiral arranges cells, which are in order, from the upper left corner around to the middle.
func spiral(ordered string, cols int) string {
	drawn := newGrid(len(ordered)/cols, cols)
	at, way := tray.Cell{}, tray.Cell{Col: 1}
	for i := range ordered {
		drawn.set(at, ordered[i])
		for range 2 { // on, or to the right
			if next := (tray.Cell{Row: at.Row + way.Row, Col: at.Col + way.Col}); drawn.free(next) {
				at = next
				break
			}
			way = tray.Cell{Row: way.Col, Col: -way.Row}
		}
	}
	return strings.ReplaceAll(drawn.String(), "\n", "")
}

// readTiles returns the cells of an n-puzzle, row by row, and the number of columns.
func readTiles(text string) (tiles string, cols int, err error) {
	rows, all := tileRows(text)
	switch size := rows[0]; {
	case len(rows) > 1 && size[0].Text == strconv.Itoa(len(rows)-1) && (len(size) == 1 || len(size) == 2 && size[1].Text == strconv.Itoa(len(rows[1])) && len(all)-2 == (len(rows)-1)*len(rows[1])):
		all, rows = all[len(size):], rows[1:]
	case len(rows) == 1:
		if side := int(math.Sqrt(float64(len(all)))); side > 1 && side*side == len(all) {
			rows = slices.Collect(slices.Chunk(all, side))
		}
	}
	cols = len(rows[0])
	for _, row := range rows {
		if len(row) != cols {
			return "", 0, row[0].Errorf(0, "a row of %s: expected %d, as in the first row", amount.Of(len(row), "number"), cols)
		}
	}
	if len(rows) < 2 || cols < 2 || len(all) > len(tray.PieceNames)+1 {
		return "", 0, all[0].Errorf(0, "found %s of %s: expected an n-puzzle of at least two rows and columns and at most %d tiles, such as 1 2 3 4 5 6 7 0 8, with 0 for the empty cell",
			amount.Of(len(rows), "row"), amount.Of(cols, "number"), len(tray.PieceNames))
	}
	names := "." + tray.PieceNames[:len(all)-1]
	for _, s := range all {
		n, err := strconv.Atoi(s.Text)
		if err != nil || n >= len(all) {
			return "", 0, s.Errorf(0, "unexpected %.40s: expected each number from 0 (the empty cell) to %d", s.Text, len(all)-1)
		}
		if strings.IndexByte(tiles, names[n]) >= 0 {
			return "", 0, s.Errorf(0, "a second %d: expected each number from 0 (the empty cell) to %d once", n, len(all)-1)
		}
		tiles += names[n : n+1]
	}
	return tiles, cols, nil
}

// tileRows returns the numbers of a text, by rows and all of them.
func tileRows(text string) (rows [][]boardtext.Span, all []boardtext.Span) {
	for _, line := range boardtext.Lines(text) {
		row, end := []boardtext.Span(nil), 0
		for _, at := range tileNumber().FindAllStringIndex(line.Text, -1) {
			if strings.ContainsAny(line.Text[end:at[0]], "]/") && row != nil {
				rows, row = append(rows, row), nil
			}
			s := line.From(at[0])
			s.Text, end = line.Text[at[0]:at[1]], at[1]
			row, all = append(row, s), append(all, s)
		}
		if row != nil {
			rows = append(rows, row)
		}
	}
	return rows, all
}
