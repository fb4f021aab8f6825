package cells

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/lazy"
)

// A Cell is a cell by its row and column, counted from 0 at the top left.
type Cell struct{ Row, Col int }

// Compare orders cells row by row.
func (c Cell) Compare(d Cell) int {
	return cmp.Or(cmp.Compare(c.Row, d.Row), cmp.Compare(c.Col, d.Col))
}

// String returns the cell as (row,column).
func (c Cell) String() string { return RowColumn.Cell(c) }

// MarshalJSON writes the cell as [row,column].
func (c Cell) MarshalJSON() ([]byte, error) { return json.Marshal([2]int{c.Row, c.Col}) }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Cell) UnmarshalJSON(text []byte) error {
	var at [2]int
	err := json.Unmarshal(text, &at)
	c.Row, c.Col = at[0], at[1]
	return err
}

// Corner returns the upper left corner of the smallest rectangle that holds some cells, at least one.
func Corner(all []Cell) Cell {
	c := all[0]
	for _, d := range all {
		c = Cell{min(c.Row, d.Row), min(c.Col, d.Col)}
	}
	return c
}

// Shift returns cells moved down and to the right.
func Shift(all []Cell, by Cell) []Cell {
	moved := slices.Clone(all)
	for i := range moved {
		moved[i].Row += by.Row
		moved[i].Col += by.Col
	}
	return moved
}

// A Notation is a way to write a cell. ParseCell reads all of them.
type Notation int

// The notations of a cell. Both begin at the top left.
const (
	// RowColumn is (row,column), counted from 0: the top left is (0,0).
	RowColumn Notation = iota
	// LetterNumber is the letter of the column and the number of the row, counted from 1: the top
	// left is a1. Column aa comes after column z. It is the notation of the books on peg solitaire.
	LetterNumber
)

// Notations are the names of the notations, by notation.
var Notations = []string{"row,column", "d4"}

// Cell writes a cell.
func (n Notation) Cell(c Cell) string {
	if n == LetterNumber {
		return columnLetters(c.Col) + strconv.Itoa(c.Row+1)
	}
	return fmt.Sprintf("(%d,%d)", c.Row, c.Col)
}

// Move writes a move: as it says itself if its text names cells, or else by its String.
func (n Notation) Move(m fmt.Stringer) string {
	if m, ok := m.(Noted); ok {
		return m.In(n)
	}
	return m.String()
}

// A Noted move names cells.
type Noted interface {
	fmt.Stringer
	// In writes the move with its cells in a notation.
	In(n Notation) string
}

// columnLetters returns a to z for the columns 0 to 25, then aa, ab and so on.
func columnLetters(col int) string {
	text := string(rune('a' + col%26))
	if col >= 26 {
		return columnLetters(col/26-1) + text
	}
	return text
}

// AboutCell says how cells are written, for messages.
const AboutCell = "row,column, counted from 0 at the top left, such as 3,2, or the letter of the column and the number of the row from 1, such as c4"

// cellText matches a cell in one of the notations, at the beginning of a text.
var cellText = lazy.Regexp(`^(?:\( *([0-9]{1,5}) *, *([0-9]{1,5}) *\)|([0-9]{1,5}) *, *([0-9]{1,5})|([A-Za-z]{1,3})([1-9][0-9]{0,4}))`)

// ParseCell reads a cell in any notation: 3,2 or (3,2) or c4, which are the same one. Capital letters
// mean the same as small ones.
func ParseCell(text string) (Cell, error) {
	c, n := CutCell(text)
	if n == 0 || n < len(text) {
		return Cell{}, fmt.Errorf("%.40q is not a cell: expected %s", text, AboutCell)
	}
	return c, nil
}

// CutCell reads a cell at the beginning of a text. It returns the number of its bytes, 0 if there is
// no cell.
func CutCell(text string) (c Cell, length int) {
	m := cellText().FindStringSubmatch(text)
	if m == nil {
		return c, 0
	}
	row, col := m[1]+m[3], m[2]+m[4] // one of each is empty
	if letters := strings.ToLower(m[5]); letters != "" {
		for _, letter := range letters {
			c.Col = 26*c.Col + int(letter-'a') + 1
		}
		c.Col--
		c.Row, _ = strconv.Atoi(m[6]) // at most five digits
		c.Row--
		return c, len(m[0])
	}
	c.Row, _ = strconv.Atoi(row)
	c.Col, _ = strconv.Atoi(col)
	return c, len(m[0])
}
