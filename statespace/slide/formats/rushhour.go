package formats

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pagoda/statespace"
	"pagoda/statespace/slide/tray"
)

// rushHourSide is the number of rows and columns of a Rush Hour tray.
const rushHourSide = 6

var rushHourText = regexp.MustCompile(`^[A-Zox.]{36}$`)

// ParseRushHour reads a Rush Hour puzzle of 36 characters, row by row. Capital letters are
// cars, o or . is an empty cell, and x is a wall. Car A must reach the right edge. The error is a
// *statespace.SyntaxError.
func ParseRushHour(text string) (*tray.Puzzle, error) {
	text = strings.TrimSpace(text)
	if !rushHourText.MatchString(text) {
		return nil, &statespace.SyntaxError{Line: 1, Col: 1, Reason: "expected 36 characters: capital letters (cars), o or . (empty), x (walls)"}
	}
	row := strings.IndexByte(text, 'A') / rushHourSide
	length := strings.Count(text, "A")
	if length == 0 {
		return nil, &statespace.SyntaxError{Line: 1, Col: 1, Reason: "no car A: it is the car that must reach the right edge"}
	}
	length = min(length, rushHourSide)
	if n := strings.LastIndexByte(text[row*rushHourSide:][:rushHourSide], 'x'); n >= rushHourSide-length {
		return nil, &statespace.SyntaxError{Line: 1, Col: row*rushHourSide + n + 1, Reason: "a wall keeps car A from the right edge"}
	}
	goal := slices.Repeat([]string{strings.Repeat(".", rushHourSide)}, rushHourSide)
	goal[row] = strings.Repeat(".", rushHourSide-length) + strings.Repeat("A", length)
	drawing := "rushhour:\ntray:\n"
	for row := range slices.Chunk([]byte(strings.NewReplacer("o", ".", "x", "#").Replace(text)), rushHourSide) {
		drawing += string(row) + "\n"
	}
	p, err := tray.Parse(drawing + "goal:\n" + strings.Join(goal, "\n") + "\n")
	if at, ok := err.(*statespace.SyntaxError); ok && at.Line > 2 { // the rows of the tray begin at line 3
		err = &statespace.SyntaxError{Line: 1, Col: (min(at.Line, 2+rushHourSide)-3)*rushHourSide + at.Col, Reason: at.Reason}
	}
	return p, err
}

// FormatRushHour writes the start of a puzzle as ParseRushHour reads it. The tray must have at
// most 6 rows and columns, with pieces that are bars and move lengthwise. One of them must reach the right edge. If
// it is different, the error says how. Names and other information are lost.
func FormatRushHour(p *tray.Puzzle) (string, error) {
	car, err := rushHourCar(p)
	if err != nil {
		return "", err
	}
	text := []byte(strings.Repeat("x", rushHourSide*rushHourSide))
	for _, c := range p.Cells() {
		text[c.Row*rushHourSide+c.Col] = 'o'
	}
	name := byte('A')
	for i := range len(p.Pieces()) {
		letter := byte('A')
		if i != car {
			name++
			letter = name
		}
		for _, c := range p.PieceCells(p.Start(), i) {
			text[c.Row*rushHourSide+c.Col] = letter
		}
	}
	return string(text), nil
}

// rushHourCar returns the piece that must reach the right edge, or says why the puzzle is not a
// Rush Hour puzzle.
func rushHourCar(p *tray.Puzzle) (int, error) {
	names, start := p.Pieces(), p.Start()
	if rows, cols := p.Size(); rows > rushHourSide || cols > rushHourSide {
		return 0, fmt.Errorf("the tray is %d x %d, one of the format is %d x %d", rows, cols, rushHourSide, rushHourSide)
	}
	if len(names) > 26 {
		return 0, fmt.Errorf("the puzzle has %d pieces, the format has 26 letters", len(names))
	}
	if len(p.Walls()) > 0 {
		return 0, errWalls
	}
	for i := range len(names) {
		b := boxOf(p.PieceCells(start, i))
		if lengthwise := p.Axis(i) == tray.Horizontal && b.rows == 1 && b.cols > 1 || p.Axis(i) == tray.Vertical && b.cols == 1 && b.rows > 1; !lengthwise || p.InParts(i) {
			return 0, fmt.Errorf("piece %c is no car: a straight bar of two cells or more that moves lengthwise only", names[i])
		}
	}
	g, err := onlyGoal(p)
	if err != nil {
		return 0, err
	}
	car := g[0].Piece
	last := g[0].Cells[len(g[0].Cells)-1]
	if len(g) != 1 || p.Axis(car) != tray.Horizontal || last.Col != rushHourSide-1 || last.Row != p.PieceCells(start, car)[0].Row {
		return 0, errors.New("the goal is not one horizontal car at the right edge, as it is in the format")
	}
	if len(p.Kinds()[p.KindOf(car)].Pieces) > 1 {
		return 0, fmt.Errorf("the goal is for any car that is alike with %c, which the format cannot say", names[car])
	}
	return car, nil
}
