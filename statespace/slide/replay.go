package slide

import (
	"errors"
	"fmt"
	"strings"
)

// A ReplayError says which move of a solution is wrong, and why.
type ReplayError struct {
	Move   int // counted from 1; one more than there are: the end is no goal
	Reason string
}

func (e *ReplayError) Error() string { return fmt.Sprintf("move %d: %s", e.Move, e.Reason) }

// ErrNotSolved is the ReplayError of moves that are right and do not lead to a goal.
var ErrNotSolved = errors.New("the moves do not lead to a goal")

func (e *ReplayError) Is(target error) bool {
	return target == ErrNotSolved && e.Reason == ErrNotSolved.Error()
}

// Replay makes moves one cell at a time, on the drawing of the tray, and checks that
// each is one of the metric. It returns the drawings from the start to the end. It has
// nothing in common with the searches: pieces are the letters of the drawing, and what
// it knows besides is their axes and the thin walls. A fault is a *ReplayError, and the
// drawings are then those before it.
func (p *Puzzle) Replay(m Metric, moves []Move) ([]string, error) {
	walls := make(map[[2]Cell]bool) // between two cells, in both orders
	for _, w := range p.walls {
		beyond := w.cell.step(w.side)
		walls[[2]Cell{w.cell, beyond}], walls[[2]Cell{beyond, w.cell}] = true, true
	}
	grid := make(map[Cell]byte) // the cells of the tray and what they hold
	for r, row := range strings.Split(p.FormatPosition(p.Start()), "/") {
		for c := range len(row) {
			if row[c] != '#' {
				grid[Cell{r, c}] = row[c]
			}
		}
	}
	drawings := []string{drawGrid(p, grid)}
	for i, mv := range moves {
		if err := p.replayMove(m, mv, grid, walls); err != nil {
			return drawings, &ReplayError{i + 1, err.Error()}
		}
		drawings = append(drawings, drawGrid(p, grid))
	}
	return drawings, nil
}

// CheckSolution is Replay of moves that must end at a goal.
func (p *Puzzle) CheckSolution(m Metric, moves []Move) ([]string, error) {
	drawings, err := p.Replay(m, moves)
	if err != nil {
		return drawings, err
	}
	end := drawings[len(drawings)-1]
	for _, g := range p.goals {
		reached := true
		for _, want := range g {
			reached = reached && p.holds(end, want)
		}
		if reached {
			return drawings, nil
		}
	}
	return drawings, &ReplayError{len(moves) + 1, ErrNotSolved.Error()}
}

// holds reports whether in a drawing the cells of a place are the cells of a piece that
// is not told apart from the one that is to be there.
func (p *Puzzle) holds(drawing string, want place) bool {
	rows := strings.Split(drawing, "/")
	cells := p.placed(want)
	at := p.cells[want.at]
	name := rows[at.Row][at.Col]
	for i, c := range p.cells {
		if (rows[c.Row][c.Col] == name) != (cells>>i&1 == 1) {
			return false
		}
	}
	i := strings.IndexByte(p.Pieces(), name)
	return i >= 0 && p.pieces[i].kind == p.pieces[want.piece].kind
}

func (p *Puzzle) replayMove(m Metric, mv Move, grid map[Cell]byte, walls map[[2]Cell]bool) error {
	names := p.Pieces()
	if mv.Pieces == "" || mv.Path == "" {
		return errors.New("expected the names of pieces and a path of U, D, L and R")
	}
	if len(mv.Pieces) > 1 && !m.Super() {
		return fmt.Errorf("%s are several pieces; in the metric %v one moves at a time", mv.Pieces, m)
	}
	for i := range len(mv.Pieces) {
		if strings.IndexByte(names, mv.Pieces[i]) < 0 {
			return fmt.Errorf("there is no piece %q", mv.Pieces[i])
		}
		if strings.IndexByte(mv.Pieces[:i], mv.Pieces[i]) >= 0 {
			return fmt.Errorf("piece %c is named twice", mv.Pieces[i])
		}
	}
	switch m {
	case Steps, Supersteps:
		if len(mv.Path) > 1 {
			return fmt.Errorf("%s is more than one step", mv.Path)
		}
	case Lines, Superlines:
		if strings.Trim(mv.Path, mv.Path[:1]) != "" {
			return fmt.Errorf("%s is no straight line", mv.Path)
		}
	}
	for _, letter := range mv.Path {
		d := strings.IndexRune(directionLetters, letter)
		if d < 0 {
			return fmt.Errorf("unexpected %q in a path: expected U, D, L and R", letter)
		}
		moved := make(map[Cell]byte)
		for c, name := range grid {
			if name != '.' && strings.IndexByte(mv.Pieces, name) >= 0 {
				moved[c.step(Direction(d))] = name
			}
		}
		for i := range len(mv.Pieces) {
			axis := p.pieces[strings.IndexByte(names, mv.Pieces[i])].axis
			if !axis.allows(Direction(d)) {
				return fmt.Errorf("piece %c is %v, it cannot go %c", mv.Pieces[i], axis, letter)
			}
		}
		for c, name := range moved {
			had, ok := grid[c]
			if from := c.step(Direction(d) ^ 1); !ok || walls[[2]Cell{from, c}] {
				return fmt.Errorf("piece %c cannot go %c: there is a wall", name, letter)
			}
			if had != '.' && strings.IndexByte(mv.Pieces, had) < 0 {
				return fmt.Errorf("piece %c cannot go %c: piece %c is in the way", name, letter, had)
			}
			for _, next := range []Cell{c.step(Right), c.step(Down)} {
				if moved[next] == name && walls[[2]Cell{c, next}] {
					return fmt.Errorf("piece %c cannot go %c: it would lie across a wall", name, letter)
				}
			}
		}
		for c, name := range grid {
			if name != '.' && strings.IndexByte(mv.Pieces, name) >= 0 {
				grid[c] = '.'
			}
		}
		for c, name := range moved {
			grid[c] = name
		}
	}
	return nil
}

func drawGrid(p *Puzzle, grid map[Cell]byte) string {
	rows := make([]string, p.rows)
	for r := range rows {
		var row []byte
		for c := range p.cols {
			name, ok := grid[Cell{r, c}]
			if !ok {
				name = '#'
			}
			row = append(row, name)
		}
		if rows[r] = strings.TrimRight(string(row), "#"); rows[r] == "" {
			rows[r] = "#"
		}
	}
	return strings.Join(rows, "/")
}
