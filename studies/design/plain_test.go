package design_test

import (
	"fmt"
	"slices"
	"strings"

	"pagoda/puzzle/slide/contest"
	"pagoda/puzzle/slide/tray"
)

// A plainDesigner is the simplest exact designer: it lists all placements of all pieces, keeps them
// in a map, and searches from all that have the goal piece at its goal.
type plainDesigner struct {
	problem    *contest.Problem
	placements map[string]int // by text: the number of moves to the goal, or -1
}

// A plainResult is what is found of the puzzles with some number of pieces.
type plainResult struct {
	placements, reached uint64
	length              int
}

// designPlain finds the hardest puzzles of a problem, by the number of pieces.
func designPlain(p *contest.Problem) map[int]plainResult {
	d := &plainDesigner{p, make(map[string]int)}
	d.place(nil, 0)
	var level []string
	for text, pieces := range d.all() {
		if slices.ContainsFunc(pieces, func(c contest.Piece) bool { return c.Shape == len(p.Free) && c.X == p.X && c.Y == p.Y }) {
			level = append(level, text)
			d.placements[text] = 0
		}
	}
	for length := 1; len(level) > 0; length++ {
		var next []string
		for _, text := range level {
			pieces := parsePlain(text)
			for i := range pieces {
				for _, to := range d.motions(pieces, i) {
					if had, ok := d.placements[to]; ok && had < 0 {
						d.placements[to] = length
						next = append(next, to)
					}
				}
			}
		}
		level = next
	}
	results := make(map[int]plainResult)
	for text, length := range d.placements {
		n := strings.Count(text, ";")
		r := results[n]
		r.placements++
		if length >= 0 {
			r.reached++
			r.length = max(r.length, length)
		}
		results[n] = r
	}
	return results
}

// all returns the pieces of all placements.
func (d *plainDesigner) all() map[string][]contest.Piece {
	all := make(map[string][]contest.Piece)
	for text := range d.placements {
		all[text] = parsePlain(text)
	}
	return all
}

// formatPlain writes a placement. Pieces of equal shape are the same.
func formatPlain(p *contest.Problem, pieces []contest.Piece) string {
	var words []string
	for _, c := range pieces {
		first := slices.IndexFunc(p.Free, func(f contest.Shape) bool { return slices.Equal(f, p.Shape(c.Shape)) })
		if first < 0 {
			first = c.Shape
		}
		words = append(words, fmt.Sprintf("%d %d %d;", first, c.X, c.Y))
	}
	slices.Sort(words)
	return strings.Join(words, "")
}

func parsePlain(text string) (pieces []contest.Piece) {
	for word := range strings.SplitSeq(strings.TrimSuffix(text, ";"), ";") {
		var c contest.Piece
		if _, err := fmt.Sscan(word, &c.Shape, &c.X, &c.Y); err != nil {
			panic(err)
		}
		pieces = append(pieces, c)
	}
	return pieces
}

// fits reports whether a piece fits between others.
func (d *plainDesigner) fits(pieces []contest.Piece, but int, c contest.Piece) bool {
	taken := make(map[tray.Cell]bool)
	for i, other := range pieces {
		for _, s := range d.problem.Shape(other.Shape) {
			taken[tray.Cell{Row: other.Y + s.Row, Col: other.X + s.Col}] = i != but
		}
	}
	for _, s := range d.problem.Shape(c.Shape) {
		row, col := c.Y+s.Row, c.X+s.Col
		if row < 0 || row >= len(d.problem.Box) || col < 0 || col >= len(d.problem.Box[0]) || !d.problem.Box[row][col] || taken[tray.Cell{Row: row, Col: col}] {
			return false
		}
	}
	return true
}

// place enters all placements that have these pieces, and others from a place on.
func (d *plainDesigner) place(pieces []contest.Piece, from int) {
	goals := 0
	for _, c := range pieces {
		if c.Shape == len(d.problem.Free) {
			goals++
		}
	}
	if goals == 1 {
		d.placements[formatPlain(d.problem, pieces)] = -1
	}
	shapes := len(d.problem.Free) + 1
	width := len(d.problem.Box[0])
	for at := from; at < shapes*width*len(d.problem.Box); at++ {
		place := at / shapes
		c := contest.Piece{Shape: at % shapes, X: place % width, Y: place / width}
		if c.Shape == shapes-1 && goals > 0 || !d.fits(pieces, -1, c) {
			continue
		}
		d.place(append(slices.Clone(pieces), c), at+1)
	}
}

// motions returns the placements that a motion of a piece leads to.
func (d *plainDesigner) motions(pieces []contest.Piece, i int) (all []string) {
	seen := map[contest.Piece]bool{pieces[i]: true}
	for todo := []contest.Piece{pieces[i]}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		for _, to := range []contest.Piece{{Shape: at.Shape, X: at.X + 1, Y: at.Y}, {Shape: at.Shape, X: at.X - 1, Y: at.Y}, {Shape: at.Shape, X: at.X, Y: at.Y + 1}, {Shape: at.Shape, X: at.X, Y: at.Y - 1}} {
			if seen[to] || !d.fits(pieces, i, to) {
				continue
			}
			seen[to] = true
			todo = append(todo, to)
			moved := slices.Clone(pieces)
			moved[i] = to
			all = append(all, formatPlain(d.problem, moved))
		}
	}
	return all
}
