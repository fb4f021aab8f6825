package board

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"pagoda/statespace/cells"
)

var (
	pddlProblem = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\(define\s+\(problem\b`) })
	pddlFact    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\((occupied|free)\s+pos-([0-9]{1,2})-([0-9]{1,2})\s*\)`)
	})
)

// IsPDDL reports whether a text is a problem of peg solitaire in PDDL, as those of the planning competition of 2008.
func IsPDDL(text string) bool {
	return pddlProblem().MatchString(text) && pddlFact().MatchString(text)
}

// ofPDDL draws the board and the pegs of a problem in PDDL, which calls the cell in column 3 of row 2 pos-3-2. Its goal
// is left out.
func ofPDDL(text string) string {
	begin, _, _ := strings.Cut(text, "(:goal")
	at, rows := make(map[cells.Cell]byte), [100]int{}
	for _, m := range pddlFact().FindAllStringSubmatch(begin, -1) {
		col, _ := strconv.Atoi(m[2]) // they have two digits
		row, _ := strconv.Atoi(m[3])
		at[cells.Cell{Row: row, Col: col}] = map[bool]byte{true: 'o', false: '.'}[strings.EqualFold(m[1], "occupied")]
		rows[row] = max(rows[row], col+1)
	}
	text = LatticeLine + Square.String() + "\n"
	for row, n := range rows {
		for col := range n {
			if ch, ok := at[cells.Cell{Row: row, Col: col}]; ok {
				text += string(ch)
			} else {
				text += "#"
			}
		}
		text += "/"
	}
	return text
}
