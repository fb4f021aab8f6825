package tray

import (
	"fmt"
	"maps"
	"slices"

	"pagoda/statespace/boardtext"
)

// NoGoal stands below goal: for a goal that no position is at.
const NoGoal = "-"

// maxPlaces bounds the pieces in all goals of a text: a drawing of some bytes can be at many places.
const maxPlaces = 1 << 20

// readGoals makes the goals.
func (r *reader) readGoals() error {
	p := r.p
	for _, g := range r.goals {
		if !g.anywhere && len(g.rows) == 1 && g.rows[0].Text == NoGoal {
			if len(r.goals) > 1 {
				return g.heading.Errorf(0, "goal: %s says that no position is a goal, and there are other goals", NoGoal)
			}
			p.unreachable = true
			return nil
		}
		cells, first, err := r.readDrawing(g)
		if err != nil {
			return err
		}
		var places goal
		for i := range p.pieces {
			set, drawn := cells[i]
			if !drawn {
				continue
			}
			if !p.sameShape(r.start[i], set) {
				return first[i].Errorf("%s", otherShape(p.pieces[i].name, r.start[i], set))
			}
			if w, split := p.split(set); split {
				return first[i].Errorf("piece %c does not fit here: it would lie across the wall %v", p.pieces[i].name, w)
			}
			places = append(places, place{i, uint8(set.First())})
		}
		p.drawn = append(p.drawn, places)
		p.elsewhere = append(p.elsewhere, false)
		r.places += len(places)
		if g.anywhere {
			r.shiftGoal(cells)
		}
		if r.places > maxPlaces {
			return g.heading.Errorf(0, "the goals up to here have more than %d pieces, counted at every place where anywhere: looks for them", maxPlaces)
		}
	}
	return nil
}

// readGates makes the cells that only one piece may enter.
func (r *reader) readGates() error {
	if r.gates == nil {
		return nil
	}
	p := r.p
	gates, _, err := r.readDrawing(*r.gates)
	if err != nil {
		return err
	}
	p.gates = slices.Repeat([]int{None}, len(p.cells))
	for piece, cells := range gates {
		for cell := range cells.All() {
			p.gates[cell] = piece
		}
	}
	for piece, cells := range r.start {
		if !p.mayEnter(piece, cells) {
			return r.where[piece].Errorf("piece %c stands in the gate of another piece", p.pieces[piece].name)
		}
	}
	return nil
}

// readDrawing returns the cells of each piece in a drawing of a goal or of gates, at least one, and
// where in the text its first cell is.
func (r *reader) readDrawing(g drawing) (cells map[int]Set, first map[int]boardtext.Place, err error) {
	cells, first = make(map[int]Set), make(map[int]boardtext.Place)
	places := slices.Collect(boardtext.Places(g.rows))
	if g.anywhere {
		places = r.fit(places, g.rows)
	} else if err := r.checkGaps(g.rows, r.p.FloorRows()); err != nil {
		return nil, nil, err
	}
	for _, at := range places {
		cell, ok := r.p.number[at.Cell]
		switch {
		case at.Char == '.' || at.Char == ' ':
			continue
		case at.Char == '#':
			if ok && !g.anywhere {
				return nil, nil, at.Errorf("unexpected '#': the tray has no wall here; . stands for anything")
			}
			continue
		case !isName(at.Char):
			return nil, nil, at.Errorf("unexpected %q: expected the name of a piece, . (anything) or # (a wall)", at.Char)
		}
		i, known := r.pieceNamed[byte(at.Char)]
		if !known {
			return nil, nil, at.Errorf("unexpected %q: the tray has no such piece", at.Char)
		}
		if !ok {
			return nil, nil, at.Errorf("piece %c does not fit here: the tray has no cell in row %d, column %d (counted from 0)", at.Char, at.Row, at.Col)
		}
		set, seen := cells[i]
		if !seen {
			first[i] = at
		}
		set.Add(cell)
		cells[i] = set
	}
	if len(cells) == 0 {
		return nil, nil, g.heading.Errorf(0, "the drawing names no piece: draw the tray with the names of pieces where they must be, and . elsewhere")
	}
	return cells, first, nil
}

// fit moves the drawing of "anywhere:" to a place where the tray has all of its cells. It stays as it is drawn if it
// fits there, or if it fits nowhere.
func (r *reader) fit(places []boardtext.Place, rows []boardtext.Span) []boardtext.Place {
	p, at := r.p, r.pointsOf(rows)
	first := slices.IndexFunc(places, func(c boardtext.Place) bool { return isName(c.Char) })
	if first < 0 {
		return places
	}
	ways := []point{{}}
	for _, c := range p.cells {
		ways = append(ways, p.point(c).minus(at(places[first])))
	}
	for _, way := range ways {
		fitted, pieces, fits := slices.Clone(places), make(map[rune]Set), true
		for i, c := range places {
			if !isName(c.Char) {
				continue
			}
			n, ok := p.numberAt(at(c).plus(way))
			if fits = ok; !fits {
				break
			}
			piece := pieces[c.Char]
			piece.Add(n)
			pieces[c.Char], fitted[i].Cell = piece, p.cells[n]
		}
		for _, piece := range pieces {
			_, split := p.split(piece)
			fits = fits && !split
		}
		if fits {
			return fitted
		}
	}
	return places
}

// pointsOf returns the points of the places in a drawing of "anywhere:". An empty line between its rows leads to the
// next floor; without one, floors have as many rows as in the tray.
func (r *reader) pointsOf(rows []boardtext.Span) func(at boardtext.Place) point {
	points := make([]point, len(rows)) // of the first place of each row
	left := r.p.FloorRows()
	if r.p.Floors() == 1 {
		left = len(rows)
	}
	for i := 1; i < len(rows); i++ {
		points[i] = points[i-1].plus(point{0, 1, 0})
		if points[i][1] == left || rows[i].Col == 1 && r.apart[rows[i].Line] {
			points[i] = point{points[i-1][0] + 1, 0, 0}
		}
	}
	return func(at boardtext.Place) point { return points[at.Row].plus(point{0, 0, at.Col}) }
}

// shiftGoal adds a goal for each other place of a drawing where the tray has all of its cells.
func (r *reader) shiftGoal(cells map[int]Set) {
	p := r.p
	first := slices.Min(slices.Collect(maps.Keys(cells)))
	set := cells[first]
	from := p.point(p.cells[set.First()])
	for _, c := range p.cells {
		if to := p.point(c); to != from && r.places <= maxPlaces {
			r.shiftGoalBy(cells, to.minus(from))
		}
	}
}

// shiftGoalBy adds a goal a way off from a drawing, if the tray has all of its cells.
func (r *reader) shiftGoalBy(cells map[int]Set, way point) {
	p := r.p
	var places goal
	for i := range p.pieces {
		set, named := cells[i]
		if !named {
			continue
		}
		to, ok := p.shifted(set, way)
		if r.places++; !ok {
			return
		}
		places = append(places, place{i, uint8(to.First())})
	}
	p.drawn = append(p.drawn, places)
	p.elsewhere = append(p.elsewhere, true)
}

// otherShape says that the cells of a piece do not have its shape.
func otherShape(name byte, want, cells Set) string {
	reason := fmt.Sprintf("piece %c has another shape here than in the tray", name)
	if n, m := cells.Len(), want.Len(); n != m {
		reason += fmt.Sprintf(" (number of cells here %d, there %d)", n, m)
	}
	return reason
}
