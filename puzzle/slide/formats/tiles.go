package formats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/boardtext"
)

var (
	tilesText = lazy(`^[0-9\[\],\s]+$`)
	// tilesApart matches two numbers of a row: without a space or a comma digits are the names of pieces.
	tilesApart = lazy(`[0-9][, \t]+[0-9]`)
	tileNumber = lazy(`[0-9]+`)
)

func isTiles(text string) bool {
	return tilesText().MatchString(text) && tilesApart().MatchString(text)
}

// ParseTiles reads an n-puzzle as many programs write it: the numbers of the tiles, row by row, with 0 for the empty
// cell, in brackets or not. Each line or inner bracket is a row. The number of rows may stand before them. Numbers in
// one row are a square tray. The goal has the tiles in order and the empty cell last, or first if only that goal can
// be reached. The error is a *cells.SyntaxError.
func ParseTiles(text string) (*tray.Puzzle, error) {
	rows, all := tileRows(text)
	switch {
	case len(rows) > 1 && len(rows[0]) == 1 && rows[0][0].Text == strconv.Itoa(len(rows)-1):
		all, rows = all[1:], rows[1:]
	case len(rows) == 1:
		for cols := 2; cols*cols <= len(all); cols++ {
			if cols*cols == len(all) {
				rows = slices.Collect(slices.Chunk(all, cols))
			}
		}
	}
	cols := len(rows[0])
	for _, row := range rows {
		if len(row) != cols {
			return nil, row[0].Errorf(0, "a row of %s: expected %d, as in the first row", amount.Of(len(row), "number"), cols)
		}
	}
	if len(rows) < 2 || cols < 2 || len(all) > len(tray.PieceNames)+1 {
		return nil, all[0].Errorf(0, "found %s of %s: expected an n-puzzle of at least two rows and columns and at most %d tiles, such as 1 2 3 4 5 6 7 0 8, with 0 for the empty cell",
			amount.Of(len(rows), "row"), amount.Of(cols, "number"), len(tray.PieceNames))
	}
	names := "." + tray.PieceNames[:len(all)-1]
	start := ""
	for _, s := range all {
		n, err := strconv.Atoi(s.Text)
		if err != nil || n >= len(all) {
			return nil, s.Errorf(0, "unexpected %.40s: expected each number from 0 (the empty cell) to %d", s.Text, len(all)-1)
		}
		if strings.IndexByte(start, names[n]) >= 0 {
			return nil, s.Errorf(0, "a second %d: expected each number from 0 (the empty cell) to %d once", n, len(all)-1)
		}
		start += names[n : n+1]
	}
	goal := func(tiles string) (*tray.Puzzle, error) {
		return tray.Parse(fmt.Sprintf("distinct: *\ntray:\n%sgoal:\n%s", boardRows(start, cols), boardRows(tiles, cols)))
	}
	p, err := goal(names[1:] + names[:1])
	if err == nil && p.Barred() != "" {
		if q, err := goal(names); err == nil && q.Barred() == "" {
			return q, nil
		}
	}
	return p, err
}

// tileRows returns the numbers of a text, by rows and all of them.
func tileRows(text string) (rows [][]boardtext.Span, all []boardtext.Span) {
	for _, line := range boardtext.Lines(text) {
		row, end := []boardtext.Span(nil), 0
		for _, at := range tileNumber().FindAllStringIndex(line.Text, -1) {
			if strings.Contains(line.Text[end:at[0]], "]") && row != nil {
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

// boardRows writes a line for each row of some cells.
func boardRows(cells string, cols int) string {
	var b strings.Builder
	for ; cells != ""; cells = cells[cols:] {
		b.WriteString(cells[:cols] + "\n")
	}
	return b.String()
}
