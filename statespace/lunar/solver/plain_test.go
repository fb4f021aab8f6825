package solver_test

import (
	"maps"
	"slices"
	"strings"

	"pagoda/statespace/cells"
	"pagoda/statespace/lunar/board"
)

// A plainProblem is a drawing by the words of the rules: pieces on cells.
type plainProblem struct {
	cells   map[cells.Cell]bool
	exits   map[cells.Cell]bool
	pieces  map[cells.Cell]byte // capital letters and digits
	deepest int
	found   []plainSolution
	dead    map[string]int // positions from which no solution has at most this many moves
	looked  int
}

type plainSolution struct {
	text  string // such as 1-LU(0,3)
	steps int
	used  string
}

func newPlain(b *board.Board, p board.Position) *plainProblem {
	q := &plainProblem{make(map[cells.Cell]bool), make(map[cells.Cell]bool), make(map[cells.Cell]byte), 0, nil, make(map[string]int), 0}
	letter, number := byte('A'), byte('1')
	for i, c := range b.Cells() {
		q.cells[c] = true
		q.exits[c] = b.Exits()>>i&1 != 0
		switch {
		case p.Letters>>i&1 != 0:
			q.pieces[c] = letter
			letter++
		case p.Numbers>>i&1 != 0:
			q.pieces[c] = number
			number++
		}
	}
	return q
}

func isLetter(name byte) bool { return name >= 'A' }

// key writes the position with names of the kinds only.
func (q *plainProblem) key() string {
	var s strings.Builder
	for r := range 12 {
		for c := range 12 {
			switch name := q.pieces[cells.Cell{Row: r, Col: c}]; {
			case name == 0:
				s.WriteByte('.')
			case isLetter(name):
				s.WriteByte('X')
			default:
				s.WriteByte('o')
			}
		}
	}
	return s.String()
}

func (q *plainProblem) solved() bool {
	return !slices.ContainsFunc(slices.Collect(maps.Values(q.pieces)), isLetter)
}

// solve finds all solutions with the fewest moves, up to a number of moves. It gives up after it has
// looked at very many positions.
func (q *plainProblem) solve(most int) (moves int, ok bool) {
	for q.deepest = 0; q.deepest <= most; q.deepest++ {
		if q.search(q.deepest, plainSolution{}) {
			return q.deepest, true
		}
		if q.looked > 20_000 {
			return q.deepest, false
		}
	}
	return most, false
}

// search makes all moves, and all after them.
func (q *plainProblem) search(left int, so plainSolution) bool {
	if q.solved() {
		q.found = append(q.found, so)
		return true
	}
	key := q.key()
	if n, ok := q.dead[key]; left == 0 || ok && n >= left {
		return false
	}
	q.looked++
	any := false
	for _, from := range slices.SortedFunc(maps.Keys(q.pieces), func(a, b cells.Cell) int { return 100*(a.Row-b.Row) + a.Col - b.Col }) {
		name := q.pieces[from]
		if q.steps(name, from, []cells.Cell{from}, left, plainSolution{so.text + " " + string(name) + "-", so.steps, so.used}) {
			any = true
		}
	}
	if !any {
		q.dead[key] = left
	}
	return any
}

// steps makes all steps of a piece, and all that can be made after each. A piece that comes where it
// was in this move has made steps for nothing.
func (q *plainProblem) steps(name byte, at cells.Cell, been []cells.Cell, left int, so plainSolution) bool {
	any := false
	for letter, by := range map[byte]cells.Cell{'U': {Row: -1}, 'D': {Row: 1}, 'L': {Col: -1}, 'R': {Col: 1}} {
		to := at
		for {
			next := cells.Cell{Row: to.Row + by.Row, Col: to.Col + by.Col}
			if !q.cells[next] {
				to = at // nothing stops it
				break
			}
			if q.pieces[next] != 0 {
				break
			}
			to = next
		}
		if slices.Contains(been, to) {
			continue
		}
		stopper := q.pieces[cells.Cell{Row: to.Row + by.Row, Col: to.Col + by.Col}]
		delete(q.pieces, at)
		leaves := isLetter(name) && q.exits[to]
		if !leaves {
			q.pieces[to] = name
		}
		then := plainSolution{so.text + string(letter), so.steps + 1, so.used + string(name) + string(stopper)}
		if q.search(left-1, then) {
			any = true
		}
		if !leaves && q.steps(name, to, append(slices.Clone(been), to), left, then) {
			any = true
		}
		delete(q.pieces, to)
		q.pieces[at] = name
	}
	return any
}

// best keeps the solutions with the fewest steps.
func (q *plainProblem) best() (steps int, all []plainSolution) {
	steps = 1 << 30
	for _, so := range q.found {
		steps = min(steps, so.steps)
	}
	for _, so := range q.found {
		if so.steps == steps {
			all = append(all, so)
		}
	}
	return steps, all
}
