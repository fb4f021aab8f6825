package board

import (
	"bytes"
	"strconv"
	"strings"

	"pagoda/internal/lazy"
)

// pddlFact matches a cell of a problem in PDDL, and whether a peg is in it.
var pddlFact = lazy.Regexp(`(?i)\((occupied|free)\s+pos-([0-9]{1,2})-([0-9]{1,2})\s*\)`)

// IsPDDL reports whether a text is a problem of peg solitaire in PDDL, as those of the planning competition of 2008.
func IsPDDL(text string) bool {
	return strings.Contains(strings.ToLower(text), "(define") && pddlFact().MatchString(text)
}

// ofPDDL draws the board and the pegs of a problem in PDDL, which calls the cell in column 3 of row 2 pos-3-2. Its goal
// is left out.
func ofPDDL(text string) string {
	begin, _, _ := strings.Cut(text, "(:goal")
	var rows [100][]byte
	for _, m := range pddlFact().FindAllStringSubmatch(begin, -1) {
		col, _ := strconv.Atoi(m[2]) // they have two digits
		row, _ := strconv.Atoi(m[3])
		rows[row] = append(rows[row], bytes.Repeat([]byte("#"), max(0, col+1-len(rows[row])))...)
		if rows[row][col] = '.'; strings.EqualFold(m[1], "occupied") {
			rows[row][col] = 'o'
		}
	}
	return LatticeLine + Square.String() + "\n" + string(bytes.Join(rows[:], []byte("/")))
}
