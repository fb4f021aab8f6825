package formats

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/internal/lazy"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace/boardtext"
)

// The tray of the codes, and where the square must go: the place in the middle of the bottom.
const (
	hrdRows, hrdCols = 5, 4
	hrdDigits        = 9
	hrdGoal          = 13
)

var (
	// hrdText matches a code. One of fewer than six digits would be nearly empty, and might be a row or a short code.
	hrdText = lazy.Regexp(`^[0-9A-Fa-f]{6,9}$`)
	// shortCode matches the short code of those programs: the number of a position, to the base 32. It takes a
	// list of all positions to read it.
	shortCode = lazy.Regexp(`^[1-9A-HJKMNP-Za-hjkmnp-z]{5}$`)
)

// hrdSizes are the rows and columns of what two bits of a code stand for; an empty cell is 1 x 1 too.
var hrdSizes = [4][2]int{{1, 1}, {1, 2}, {2, 1}, {1, 1}}

// ParseHRD reads a code of Klotski (Huarong Dao) as dnomd343's programs write it: nine hexadecimal
// digits; zeros at the end can be left out. The first is the number of the cell of the
// tray, 5 rows of 4, where the square of 2 x 2 has its upper left cell. Two bits each follow for
// what comes next in the cells that are left, in row-major order: 0 an empty cell, 1 a horizontal
// bar of two cells, 2 a vertical one, 3 a single cell. The square must go to the middle of the
// bottom. The error is a *cells.SyntaxError.
func ParseHRD(text string) (*tray.Puzzle, error) {
	wrong := func(format string, args ...any) (*tray.Puzzle, error) {
		return nil, boardtext.Span{Line: 1, Col: 1, Text: text}.Errorf(0, "%.20q is no code of Klotski, such as 1A9BF0C00: %s", text, fmt.Sprintf(format, args...))
	}
	if !hrdText().MatchString(text) {
		return wrong("expected 6 to 9 hexadecimal digits")
	}
	if digits := slices.Sorted(slices.Values([]byte(text))); string(digits) == "012345678" {
		return nil, boardtext.Span{Line: 1, Col: 1, Text: text}.Errorf(0, "%s may be a code of Klotski, or the tiles of an n-puzzle: write spaces between the tiles, or draw the tray of the code", text)
	}
	code, err := strconv.ParseUint(text+strings.Repeat("0", hrdDigits-len(text)), 16, 64)
	if err != nil {
		return wrong("%v", err)
	}
	drawn, goal := newGrid(hrdRows, hrdCols), newGrid(hrdRows, hrdCols)
	names := tray.PieceNames[strings.IndexByte(tray.PieceNames, 'A'):]
	goal.put(rectangle(hrdCell(hrdGoal), 2, 2), names[0])
	at := int(code >> 32)
	if _, ok := drawn.put(rectangle(hrdCell(at), 2, 2), names[0]); !ok {
		return wrong("the square of 2 x 2 cannot be at cell %d", at)
	}
	empty, pieces, rest := 0, 1, uint32(code)
	for at := range hrdRows * hrdCols {
		if !drawn.free(hrdCell(at)) {
			continue
		}
		what := rest >> 30
		if rest <<= 2; what == 0 {
			empty++
			continue
		}
		size := hrdSizes[what]
		if _, ok := drawn.put(rectangle(hrdCell(at), size[0], size[1]), names[pieces]); !ok {
			return wrong("a bar of %d x %d does not fit at cell %d", size[0], size[1], at)
		}
		pieces++
	}
	if rest != 0 {
		return wrong("it has more pieces than the tray has room for")
	}
	if empty < 2 {
		return wrong("the tray has fewer than two empty cells")
	}
	return tray.Parse("tray:\n" + drawn.String() + "goal:\n" + goal.String())
}

// hrdCell returns the cell of a number.
func hrdCell(at int) tray.Cell { return tray.Cell{Row: at / hrdCols, Col: at % hrdCols} }

// FormatHRD writes the start of a puzzle as ParseHRD reads it. The puzzle must be one of 5 rows of 4
// cells, with one square of 2 x 2 that must go to the middle of the bottom, bars of two cells, single
// cells and at least two empty cells, where only shapes matter. If it is different, the error says
// how. Names and other information are lost.
func FormatHRD(p *tray.Puzzle) (string, error) {
	square, err := hrdSquare(p)
	if err != nil {
		return "", err
	}
	code, rest := uint64(0), 32
	digits := make(map[tray.Cell]uint64) // of the first cell of a piece
	taken := make(map[tray.Cell]bool)
	seen := make(map[[2]int]int) // the kind of a size
	pos := p.Start()
	for i, name := range p.Pieces() {
		cells := p.PieceCells(pos, i)
		for _, c := range cells {
			taken[c] = true
		}
		b := boxOf(cells)
		if i == square {
			code |= uint64(b.top*hrdCols+b.left) << 32
			continue
		}
		size := [2]int{b.rows, b.cols}
		if len(cells) != b.rows*b.cols || b.rows*b.cols > 2 {
			return "", fmt.Errorf("piece %c is no bar of two cells and no single cell", name)
		}
		if kind, ok := seen[size]; ok && kind != p.KindOf(i) {
			return "", fmt.Errorf("piece %c is different from others of its shape; in the format only shapes matter", name)
		}
		seen[size] = p.KindOf(i)
		digits[cells[0]] = map[[2]int]uint64{{1, 2}: 1, {2, 1}: 2, {1, 1}: 3}[size]
	}
	empty := 0
	for _, c := range p.Cells() {
		if digit, first := digits[c]; first || !taken[c] {
			rest -= 2
			code |= digit << rest
		}
		if !taken[c] {
			empty++
		}
	}
	if empty < 2 {
		return "", fmt.Errorf("the tray has %s; the format needs at least two", amount.Of(empty, "empty cell"))
	}
	return fmt.Sprintf("%0*X\n", hrdDigits, code), nil
}

// hrdSquare returns the square that must go to the middle of the bottom, or says why there is none.
func hrdSquare(p *tray.Puzzle) (int, error) {
	if rows, cols := p.Size(); rows != hrdRows || cols != hrdCols || len(p.Cells()) != hrdRows*hrdCols {
		return 0, fmt.Errorf("the tray is not 5 rows of 4 cells, as it is in the format")
	}
	g, err := freeGoal(p)
	if err != nil {
		return 0, err
	}
	b := boxOf(g[0].Cells)
	if len(g) != 1 || len(g[0].Cells) != 4 || b != (box{hrdGoal / hrdCols, hrdGoal % hrdCols, 2, 2}) {
		return 0, errors.New("the goal is not a square of 2 x 2 in the middle of the bottom, as it is in the format")
	}
	return g[0].Piece, nil
}
