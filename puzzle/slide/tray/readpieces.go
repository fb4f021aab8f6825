package tray

import (
	"fmt"
	"slices"
	"unicode"

	"pagoda/statespace/boardtext"
)

// eachNamed calls do once for each piece that a list names. A * names all pieces.
func (r *reader) eachNamed(s boardtext.Span, do func(at, piece int) error) error {
	if s.Text == "" {
		return s.Errorf(0, "no pieces: expected names of pieces, or * for all")
	}
	done := make([]bool, len(r.p.pieces))
	once := func(at, piece int) error {
		if done[piece] {
			return nil
		}
		done[piece] = true
		return do(at, piece)
	}
	for at, ch := range s.Text {
		if ch == '*' {
			for i := range r.p.pieces {
				if err := once(at, i); err != nil {
					return err
				}
			}
			continue
		}
		if unicode.IsSpace(ch) || ch == ',' {
			continue
		}
		n, ok := 0, false
		if isName(ch) {
			n, ok = r.pieceNamed[byte(ch)]
		}
		if !ok {
			return s.Errorf(at, "unexpected %q: the tray has no such piece", ch)
		}
		if err := once(at, n); err != nil {
			return err
		}
	}
	return nil
}

// readParts checks that the cells of each piece are connected, unless a line says that it can be in
// several parts.
func (r *reader) readParts() error {
	p := r.p
	inParts := make([]bool, len(p.pieces))
	for _, s := range r.lists["parts"] {
		if err := r.eachNamed(s, func(_, i int) error {
			inParts[i] = true
			return nil
		}); err != nil {
			return err
		}
	}
	for i, cells := range r.start {
		if stray := cells.Without(p.connected(cells)); !stray.IsEmpty() && !inParts[i] {
			name := p.pieces[i].name
			advice := fmt.Sprintf("; if its parts move as one, add a line parts: %c", name)
			if r.rushHour != nil { // it takes bars only
				advice = ""
			}
			return r.cells[stray.First()].Errorf("piece %c is not in one part: no edge connects this cell with its first one; if it is another piece, give it another name%s", name, advice)
		}
	}
	return nil
}

// readAxes sets the axes of the pieces.
func (r *reader) readAxes() error {
	p := r.p
	if r.rushHour != nil {
		for i := range p.pieces {
			if p.pieces[i].axis = r.bar(i); p.pieces[i].axis == Free {
				return r.where[i].Errorf("piece %c is no straight bar of two cells or more, as the cars of Rush Hour are", p.pieces[i].name)
			}
		}
	}
	for axis := Horizontal; axis < Axes; axis++ {
		for _, s := range r.lists[axis.String()] {
			err := r.eachNamed(s, func(at, i int) error {
				if had := p.pieces[i].axis; had != Free && had != axis {
					return s.Errorf(at, "piece %c is %v already", p.pieces[i].name, had)
				}
				p.pieces[i].axis = axis
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// bar returns the axis along which a piece lies, or Free if it is not a bar of two cells or
// more in one part.
func (r *reader) bar(piece int) Axis {
	if r.p.connected(r.start[piece]) != r.start[piece] {
		return Free
	}
	cells := r.p.cellsOf(r.start[piece])
	var differ [3]bool // in floors, rows and columns
	first := r.p.point(cells[0])
	for _, c := range cells {
		for i, way := range r.p.point(c).minus(first) {
			differ[i] = differ[i] || way != 0
		}
	}
	switch differ {
	case [3]bool{2: true}:
		return Horizontal
	case [3]bool{1: true}:
		return Vertical
	case [3]bool{0: true}:
		return Upright
	}
	return Free
}

// readDistinct gives marks of their own to the pieces that are distinct or that a goal names.
func (r *reader) readDistinct() error {
	p := r.p
	r.mark = make([]int, len(p.pieces))
	for _, g := range p.drawn {
		for _, want := range g {
			r.mark[want.piece] = want.piece + 1
		}
	}
	r.markGates()
	for _, s := range r.lists["distinct"] {
		if err := r.eachNamed(s, func(_, i int) error {
			if !slices.Contains(p.distinct, p.pieces[i].name) {
				p.distinct = append(p.distinct, p.pieces[i].name)
			}
			r.mark[i] = i + 1
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// markGates gives marks of their own to pieces that have a gate.
func (r *reader) markGates() {
	for _, i := range r.p.gates {
		if i != None {
			r.mark[i] = i + 1
		}
	}
}

// readAlike gives the same mark to pieces that are alike.
func (r *reader) readAlike() error {
	p := r.p
	for n, s := range r.lists["alike"] {
		if s.Text == "*" { // as if no goal named any piece
			if len(p.distinct) > 0 || len(r.lists["alike"]) > 1 {
				return s.Errorf(0, "all pieces of a shape cannot be alike where other lines say distinct or alike")
			}
			clear(r.mark)
			r.markGates()
			p.alike = append(p.alike, []byte("*"))
			break
		}
		group, err := r.readGroup(s)
		if err != nil {
			return err
		}
		p.alike = append(p.alike, group)
		// If a goal names one of them, the group is different from the other pieces.
		named := slices.ContainsFunc(group, func(name byte) bool { return r.mark[r.pieceNamed[name]] != 0 })
		for _, name := range group {
			if named {
				r.mark[r.pieceNamed[name]] = len(p.pieces) + 1 + n
			}
		}
	}
	return nil
}

// readGroup returns the names in a line of pieces that are alike. They have the same shape and
// axis.
func (r *reader) readGroup(s boardtext.Span) (group []byte, err error) {
	p := r.p
	head := -1
	err = r.eachNamed(s, func(at, i int) error {
		name := p.pieces[i].name
		if head < 0 {
			head = i
		}
		if slices.Contains(p.distinct, name) || slices.ContainsFunc(p.alike, func(g []byte) bool { return slices.Contains(g, name) }) {
			return s.Errorf(at, "piece %c is in another line of distinct or alike pieces already", name)
		}
		if slices.Contains(p.gates, i) {
			return s.Errorf(at, "piece %c has a gate, so it is different from all others", name)
		}
		if p.pieces[i].axis != p.pieces[head].axis || !p.sameShape(r.start[i], r.start[head]) {
			return s.Errorf(at, "piece %c is of another shape or axis than piece %c", name, p.pieces[head].name)
		}
		if !slices.Contains(group, name) {
			group = append(group, name)
		}
		return nil
	})
	return group, err
}
