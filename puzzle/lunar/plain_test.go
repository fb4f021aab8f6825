package lunar

import (
	"bytes"
	"slices"

	"pagoda/puzzle/lunar/board"
)

// A plainSolution is one that the plain search finds.
type plainSolution struct {
	Moves string // such as "1-LU X-R"
	Steps int
	used  string // the names of the pieces that move or stop a piece
}

// A plainAnswer is what the plain search finds.
type plainAnswer struct {
	Moves, Steps int
	Solutions    []plainSolution // the best ones
	// Always and Some are the number pieces that are significant in all of the solutions, and in any,
	// by the cells where they stand at the start.
	Always, Some board.Set
}

// plain is the plain search, which knows the words of the rules only: it uses nothing of the solver or of the
// moves of package board. For it, a piece is a character in a drawing of the board,
// with a wall around it.
type plain struct {
	width   int
	squares []byte // a wall, an empty cell, or the name of a piece
	exits   []bool
	found   []plainSolution
	dead    map[string]int // drawings from which no solution has at most this many moves
}

const (
	wall  = '#'
	empty = '.'
)

func newPlain(b *board.Board, d board.Drawing) *plain {
	rows, cols := b.Size()
	q := &plain{width: cols + 2, dead: make(map[string]int)}
	q.squares = bytes.Repeat([]byte{wall}, (rows+2)*q.width)
	q.exits = make([]bool, len(q.squares))
	for i, c := range b.Cells() {
		at := (c.Row+1)*q.width + c.Col + 1
		q.exits[at] = b.Exits()>>i&1 != 0
		if q.squares[at] = d[i]; d[i] == 0 {
			q.squares[at] = empty
		}
	}
	return q
}

func isLetter(name byte) bool { return 'A' <= name && name <= 'Z' }

func isPiece(name byte) bool { return name != wall && name != empty }

// letters counts the letters on the board.
func (q *plain) letters() (n int) {
	for _, name := range q.squares {
		if isLetter(name) {
			n++
		}
	}
	return n
}

// drawn is the drawing in which pieces of the same kind are alike.
func (q *plain) drawn() string {
	s := slices.Clone(q.squares)
	for i, name := range s {
		switch {
		case isLetter(name):
			s[i] = 'X'
		case isPiece(name):
			s[i] = 'o'
		}
	}
	return string(s)
}

// solvePlain finds the best solutions in the words of the rules: it makes all moves, and all after each,
// depth first, with 0 moves, then 1, and so on up to most. It is false if there is no solution in as
// few.
func solvePlain(b *board.Board, d board.Drawing, most int) (plainAnswer, bool) {
	q := newPlain(b, d)
	for moves := range most + 1 {
		if q.search(moves, plainSolution{}) {
			return q.best(b, d, moves), true
		}
	}
	return plainAnswer{}, false
}

// search looks for solutions with exactly left more moves. There are none with fewer.
func (q *plain) search(left int, so plainSolution) bool {
	letters := q.letters()
	if letters == 0 {
		q.found = append(q.found, so)
		return true
	}
	if left < letters { // one leaves in a move
		return false
	}
	drawn := q.drawn()
	if n, ok := q.dead[drawn]; ok && n >= left {
		return false
	}
	any := q.moves(so, func(so plainSolution) bool { return q.search(left-1, so) })
	if !any {
		q.dead[drawn] = left
	}
	return any
}

// moves makes each move, and does something after it. It returns whether that was ever true.
func (q *plain) moves(so plainSolution, then func(plainSolution) bool) (any bool) {
	if so.Moves != "" {
		so.Moves += " "
	}
	for from := range q.squares {
		if name := q.squares[from]; isPiece(name) {
			any = q.steps(from, []int{from}, plainSolution{so.Moves + string(name) + "-", so.Steps, so.used}, then) || any
		}
	}
	return any
}

// steps makes each step of a piece, and each that can follow it in the same move. A piece that comes
// where it was in this move has made steps for nothing.
func (q *plain) steps(at int, been []int, so plainSolution, then func(plainSolution) bool) (any bool) {
	name := q.squares[at]
	for i, by := range []int{-q.width, q.width, -1, 1} {
		to := at
		for q.squares[to+by] == empty {
			to += by
		}
		stopper := q.squares[to+by]
		if stopper == wall || slices.Contains(been, to) {
			continue
		}
		next := plainSolution{so.Moves + "UDLR"[i:i+1], so.Steps + 1, so.used + string(name) + string(stopper)}
		q.squares[at] = empty
		if isLetter(name) && q.exits[to] {
			any = then(next) || any
		} else {
			q.squares[to] = name
			any = then(next) || any
			any = q.steps(to, append(slices.Clone(been), to), next, then) || any
			q.squares[to] = empty
		}
		q.squares[at] = name
	}
	return any
}

// best keeps the solutions with the fewest steps.
func (q *plain) best(b *board.Board, d board.Drawing, moves int) plainAnswer {
	a := plainAnswer{Moves: moves, Steps: q.found[0].Steps, Always: d.Position().Numbers}
	for _, so := range q.found {
		a.Steps = min(a.Steps, so.Steps)
	}
	for _, so := range q.found {
		if so.Steps == a.Steps {
			a.Solutions = append(a.Solutions, so)
			a.Always &= so.Significant(d)
			a.Some |= so.Significant(d)
		}
	}
	return a
}

// Significant returns the number pieces that move or stop a piece, by the cells where they stand in
// the drawing of the start.
func (so plainSolution) Significant(start board.Drawing) (set board.Set) {
	for i, name := range start {
		if isPiece(name) && !isLetter(name) && slices.Contains([]byte(so.used), name) {
			set |= 1 << i
		}
	}
	return set
}

// reachPlain goes through the drawings that can be reached, depth first, until there are more than most. It
// returns whether one is solved, and whether these are all.
func reachPlain(b *board.Board, d board.Drawing, most int) (solved, all bool) {
	q := newPlain(b, d)
	seen := make(map[string]bool)
	var visit func(plainSolution) bool
	visit = func(plainSolution) bool {
		drawn := q.drawn()
		solved = solved || q.letters() == 0
		if !seen[drawn] && len(seen) <= most {
			seen[drawn] = true
			q.moves(plainSolution{}, visit)
		}
		return false
	}
	visit(plainSolution{})
	return solved, len(seen) <= most
}
