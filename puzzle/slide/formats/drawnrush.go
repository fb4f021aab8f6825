package formats

import (
	"strconv"
	"strings"

	"pagoda/internal/lazy"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/boardtext"
)

// In a drawn Rush Hour board, the numbers of rows and columns may stand in lines above the rows, and then that of cars.
// With them, P is the car that must leave, and K, outside of the rows, is the exit.
var (
	rushHourSize = lazy.Regexp(`^(?i)\s*(?:rows?\W*)?([0-9]{1,2})\s+(?:col(?:umn)?s?\W*)?([0-9]{1,2})[ \t\r]*\n(?:[ \t]*(?:[a-z]+\W*)?[0-9]{1,2}[ \t\r]*\n)?`)
	rushHourRows = lazy.Regexp(`^[-A-Z.oxK \t\r\n]*[A-Z][-A-Z.ox \t\r\n]*$`)
	// rushHourDrawn matches a board of 6 x 6 in six lines, with car A, X or P in the third.
	rushHourDrawn = lazy.Regexp(`^\s*[-A-Z.ox]{6}[ \r]*\n[-A-Z.ox]{6}[ \r]*\n[-A-Z.ox]*(AA|XX|PP)[-A-Z.ox]*[ \r]*\n([-A-Z.ox]{6}[ \r]*\n){2}[-A-Z.ox]{6}\s*$`)
)

const rushHourExit = "K"

func isDrawnRushHour(text string) bool {
	if m := rushHourSize().FindString(text); m != "" {
		return rushHourRows().MatchString(text[len(m):])
	}
	_, err := ParseDrawnRushHour(text)
	return rushHourDrawn().MatchString(text) && err == nil
}

// ParseDrawnRushHour reads a Rush Hour board in lines: see rushHourSize. The error is a *cells.SyntaxError.
func ParseDrawnRushHour(text string) (*tray.Puzzle, error) {
	rows, cols := rushHourSide, rushHourSide
	lines := boardtext.Lines(text)
	if size := rushHourSize().FindStringSubmatch(text); size != nil {
		rows, _ = strconv.Atoi(size[1]) // they have two digits
		cols, _ = strconv.Atoi(size[2])
		lines = lines[strings.Count(size[0], "\n"):]
	}
	var drawn []boardtext.Span
	side, exit := tray.Right, -1 // of the exit, its row or its column
	for _, line := range lines {
		row := line.Trim()
		switch {
		case row.Text == "":
			continue
		case row.Text == rushHourExit && len(drawn) == 0:
			side, exit = tray.Up, row.Col
			continue
		case row.Text == rushHourExit:
			side, exit = tray.Down, row.Col
			continue
		case len(row.Text) == cols+1 && strings.HasPrefix(row.Text, rushHourExit):
			side, exit, row = tray.Left, len(drawn), row.From(1)
		case len(row.Text) == cols+1 && strings.HasSuffix(row.Text, rushHourExit):
			exit, row.Text = len(drawn), row.Text[:cols]
		}
		if row.Text = strings.ReplaceAll(row.Text, "-", "."); len(row.Text) != cols {
			return nil, row.Errorf(0, "a row of %d characters: expected %d", len(row.Text), cols)
		}
		drawn = append(drawn, row)
	}
	if len(drawn) != rows || rows == 0 || cols == 0 {
		return nil, lines[0].Errorf(0, "a Rush Hour board of %d rows and %d columns: found %d rows", rows, cols, len(drawn))
	}
	cars := "AX"
	if exit >= 0 || !strings.ContainsAny(drawn[(rows-1)/2].Text, cars) {
		cars = "P"
	}
	p, err := rushHour(drawn, cars, side)
	if err != nil || exit < 0 {
		return p, err
	}
	at := p.PieceCells(p.Start(), strings.IndexByte(p.Pieces(), 'P'))[0]
	if side == tray.Up || side == tray.Down {
		exit -= drawn[0].Col
		at.Row = at.Col
	}
	if at.Row != exit {
		return nil, drawn[0].Errorf(0, "the exit %s is not in line with car P", rushHourExit)
	}
	return p, nil
}
