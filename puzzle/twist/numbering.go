package twist

import (
	"context"
	"fmt"
	"slices"

	"pagoda/puzzle/twist/definition"
	"pagoda/statespace"
	"pagoda/statespace/rows"
)

// What bounds rows and columns. Numbers follow from these bounds, so files do, too.
const (
	mostRows   = 1 << 24
	mostMaps   = 1 << 16
	mostMapped = 1 << 21 // columns of all maps
	mostLinked = 1 << 22 // the numbers of a link, times the elements that act on them or 16
	mostJoined = 1 << 20 // the same of a link that has several details
	mostOrders = 16      // orders of details that are tried
	perRow     = 300     // the cost of a move of a row
	perMapped  = 100     // that of a column of a map
)

// mostColumns bounds the columns, and the numbers of each link. Tests change it.
var mostColumns = 1 << 13

// A numbering numbers the states by a chain of links. Each link numbers some of what its view sees of a state, and an
// element takes this back, so that the next link numbers a state that looks solved to all links before. The last link is
// the column, and the others together are the row. As a group moves what is left, there are as many numbers as states.
type numbering struct {
	*model
	links         []*link
	rows, columns int
	maps          [][]uint16
	inverse       []uint16
	illegal       []bool // by row; nil if nothing is illegal
}

// A link numbers the sights to which elements of a group lead from the start of a view. For each of them, it has one element
// that leads there, its representative. The group of the next link has the elements that lead back to the start; Schreier's
// lemma says that those of a representative, an element, and a representative taken back make all of it.
type link struct {
	*view
	numbers   map[string]uint32 // by sight
	represent []action          // by number
	back      []action          // their inverses
	elements  int
	next      []uint32 // by number and element: the number to which it leads
	by        []uint16 // and which element of the next link it is
	below     uint32   // numbers of the later links of the row, together
}

// link makes a link, and the elements of the next one. They leave in place what the view sees. It returns nil if there
// are too many.
func (v *view) link(ctx context.Context, elements []action) (*link, []action, error) {
	l := &link{view: v, numbers: map[string]uint32{string(v.start): 0}, represent: []action{v.identity()}, elements: len(elements)}
	sights, sight := [][]uint8{v.start}, make([]uint8, len(v.start))
	for x := 0; x < len(sights); x++ {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		for _, e := range elements {
			v.act(sight, sights[x], e)
			y, ok := l.numbers[string(sight)]
			if !ok {
				if (len(sights)+1)*max(16, len(elements)) > mostLinked {
					return nil, nil, nil
				}
				y = uint32(len(sights))
				l.numbers[string(sight)] = y
				sights, l.represent = append(sights, slices.Clone(sight)), append(l.represent, v.then(l.represent[x], e))
			}
			l.next = append(l.next, y)
		}
	}
	// The least representatives leave the most in place, so that there are few elements.
	group := v.chain(elements, func(a action) action {
		v.act(sight, v.start, a)
		return v.then(a, v.inverse(l.represent[l.numbers[string(sight)]]))
	})
	for x := range l.represent {
		l.represent[x] = group.least(l.represent[x])
		l.back = append(l.back, v.inverse(l.represent[x]))
	}
	next, ok := l.follow(elements)
	if !ok {
		return nil, nil, nil
	}
	return l, next, nil
}

// follow finds the elements of the next link. It reports whether they are few enough.
func (l *link) follow(elements []action) (next []action, ok bool) {
	var open, turning []int // places that the view does not see whole
	for place, set := range l.setOf {
		c, full := &l.sets[set], &l.full.sets[set]
		label, pieces := c.label[l.full.codeAt(l.full.start, place)], []definition.Piece(nil)
		for code, p := range full.pieces {
			if c.label[code] == label {
				pieces = append(pieces, p)
			}
		}
		if len(pieces) > 1 {
			open = append(open, place)
		}
		if len(pieces) > 1 && slices.ContainsFunc(pieces, func(p definition.Piece) bool { return p.Turn != definition.Any }) {
			turning = append(turning, place)
		}
	}
	if len(open) == 0 {
		l.by = make([]uint16, len(l.next))
		return []action{l.identity()}, true
	}
	known, n, is := make(map[string]int), len(l.setOf), []byte(l.identity().key())
	from, turn := is[:n], is[n:]
	for x := range l.represent {
		for i, e := range elements {
			to, back := l.represent[x], l.back[l.next[x*len(elements)+i]]
			for _, place := range open {
				from[place] = to.from[e.from[back.from[place]]]
			}
			for _, place := range turning {
				k := back.from[place]
				turn[place] = uint8((int(back.turn[place]) + int(e.turn[k]) + int(to.turn[e.from[k]])) % l.turns(place))
			}
			k, ok := known[string(is)]
			if !ok {
				if k = len(next); k == mostMaps {
					return nil, false
				}
				known[string(is)] = k
				own := slices.Clone(is)
				next = append(next, action{own[:n], own[n:]})
			}
			l.by = append(l.by, uint16(k))
		}
	}
	return next, true
}

// A detail is where the pieces of a kind are, or how they are turned. Those of all kinds of a set may be one detail.
type detail struct {
	set, kind int
	turns     bool
}

const allKinds = -1

// details lists in what states differ: where the pieces are that may be illegal, and then set by set, up to the last one.
// Turns come before the places of the pieces that turn, or behind them.
func (m *model) details(last int, turnsFirst bool) (all []detail) {
	add := func(d detail) {
		if !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	for _, is := range m.Illegal {
		add(detail{is.Set, is.Kind, false})
	}
	for i := range m.Sets {
		set := (last + 1 + i) % len(m.Sets)
		kinds := m.kindsOf(set)
		slices.SortStableFunc(kinds, func(a, b int) int { return len(m.placesOf(set, b)) - len(m.placesOf(set, a)) })
		turn := func(kind int) bool {
			return m.Sets[set].Turns > 1 && m.Solved[set][m.placesOf(set, kind)[0]-m.first[set]].Turn != definition.Any
		}
		for _, kind := range kinds {
			if !turnsFirst || !turn(kind) {
				add(detail{set, kind, false})
			}
		}
		for _, kind := range kinds {
			if turn(kind) {
				if turnsFirst {
					kind = allKinds
				}
				add(detail{set, kind, true})
			}
		}
		for _, kind := range kinds {
			add(detail{set, kind, false})
		}
	}
	return all
}

// seeing returns the view that sees some details.
func (m *model) seeing(details []detail) (*view, error) {
	return m.view(func(set int, p definition.Piece) definition.Piece {
		if !slices.Contains(details, detail{set, p.Kind, true}) && !slices.Contains(details, detail{set, allKinds, true}) {
			p.Turn = definition.Any
		}
		if !slices.Contains(details, detail{set, p.Kind, false}) {
			p.Kind = -1
		}
		return p
	})
}

// A plan says which details links have: those up to an end that no link before has.
type plan struct {
	details []detail
	ends    []int
	maps    int // columns of all maps
	cost    int // of a search: the columns that moves of rows map, and about as much for what each row and map takes
}

// newPlan makes the cheapest plan of details. It returns nil if they make too many numbers.
func (m *model) newPlan(ctx context.Context, details []detail) (*plan, error) {
	elements, illegal := m.actions(m.moves), 0
	made := slices.Repeat([]int{1}, len(elements)) // by element: moves of rows that make it
	// By how many details the row has: the elements, how many numbers the next detail has, and how many moves of rows map columns.
	acting, counts, mapping, states := []int{}, []int{}, []int{}, 1
	for k := 0; ; k++ {
		mapped := 0
		for i, e := range elements {
			if !e.isIdentity() {
				mapped += made[i]
			}
		}
		acting, mapping = append(acting, len(elements)), append(mapping, mapped)
		if k == len(details) {
			break
		}
		v, err := m.seeing(details[:k+1])
		if err != nil {
			return nil, err
		}
		l, next, err := v.link(ctx, elements)
		if l == nil || err != nil {
			return nil, err
		}
		before := made
		elements, made = next, make([]int, len(next))
		for i, e := range l.by {
			made[e] += before[i%l.elements]
		}
		if counts, states = append(counts, len(l.represent)), states*len(l.represent); states > mostRows*mostColumns {
			return nil, nil
		}
		if slices.ContainsFunc(m.Illegal, func(is definition.Illegal) bool { return details[k] == detail{is.Set, is.Kind, false} }) {
			illegal = k + 1
		}
	}
	var best *plan
	cut, columns := 0, 1
	for k := len(details); k >= illegal && columns <= mostColumns; k-- {
		p := &plan{details: details, maps: acting[k] * columns}
		p.cost = mapping[k]*columns + states/columns*len(m.moves)*perRow + p.maps*perMapped
		if p.maps <= mostMapped && states/columns <= mostRows && (best == nil || p.cost < best.cost) {
			best, cut = p, k
		}
		if k > 0 {
			columns *= counts[k-1]
		}
	}
	if best == nil {
		return nil, nil
	}
	for k, first, numbers := 0, 0, 1; k < cut; k++ {
		if numbers *= counts[k]; k > first && (numbers > mostColumns || numbers*acting[first] > mostJoined) {
			best.ends = append(best.ends, k)
			first, numbers = k, counts[k]
		}
	}
	if cut > 0 {
		best.ends = append(best.ends, cut)
	}
	best.ends = append(best.ends, len(details))
	return best, nil
}

// The ways in which numbers are made, as definitions name them.
const (
	byAny   = iota // the best one
	byCodes = 3    // only states that are found get some
	byLinks = 4
)

// newNumbering numbers the states of a puzzle in a way. It returns nil if they have too many rows.
func newNumbering(ctx context.Context, m *model, way int, memory uint64) (*numbering, error) {
	if way == byCodes || m.full.least() > float64(mostRows*mostColumns) {
		return nil, nil
	}
	var best *plan
	var tried [][]detail
	for i := range min(2*len(m.Sets), mostOrders) {
		details := m.details(i/2, i%2 == 0)
		if slices.ContainsFunc(tried, func(t []detail) bool { return slices.Equal(t, details) }) {
			continue
		}
		tried = append(tried, details)
		p, err := m.newPlan(ctx, details)
		if err != nil {
			return nil, err
		}
		if p != nil && (best == nil || p.cost < best.cost) {
			best = p
		}
	}
	switch {
	case best == nil:
		return nil, nil
	case memory != 0 && uint64(2*best.maps) > memory:
		return nil, &statespace.MemoryError{Name: "the table of columns of " + m.Name, Need: uint64(2 * best.maps), Allowed: memory}
	}
	return m.number(ctx, best)
}

// number numbers states by a plan.
func (m *model) number(ctx context.Context, p *plan) (*numbering, error) {
	n := &numbering{model: m, rows: 1}
	elements, own := []action(nil), m.actions(m.moves)
	for _, end := range p.ends {
		v, err := m.seeing(p.details[:end])
		if err != nil {
			return nil, err
		}
		elements = own
		var l *link
		if l, own, err = v.link(ctx, elements); l == nil || err != nil {
			return nil, err
		}
		n.links = append(n.links, l)
	}
	column := n.links[len(n.links)-1]
	n.columns = len(column.represent)
	for i := len(n.links) - 2; i >= 0; i-- {
		n.links[i].below = uint32(n.rows)
		n.rows *= len(n.links[i].represent)
	}
	numbers := make(map[string]uint16)
	for i, e := range elements {
		numbers[e.key()] = uint16(i)
		var by []uint16
		for x := range n.columns {
			by = append(by, uint16(column.next[x*len(elements)+i]))
		}
		if slices.IsSorted(by) {
			by = nil // it leaves all columns in place
		}
		n.maps = append(n.maps, by)
	}
	column.next, column.by = nil, nil // the maps have it
	for _, e := range elements {
		n.inverse = append(n.inverse, numbers[m.inverse(e).key()])
	}
	if len(m.Illegal) > 0 {
		for row := range n.rows {
			n.illegal = append(n.illegal, m.full.isIllegal(n.unrank(uint64(row)*uint64(n.columns))))
		}
	}
	if m.full.isIllegal(m.full.start) {
		return nil, fmt.Errorf("the solved state is illegal")
	}
	return n, nil
}

// Size returns how many numbers there are.
func (n *numbering) Size() uint64 { return uint64(n.rows) * uint64(n.columns) }

// rank returns the number of a state, if moves lead to it.
func (n *numbering) rank(state []uint8) (x uint64, ok bool) {
	rest, next, buffer := slices.Clone(state), make([]uint8, len(state)), make([]uint8, len(state))
	for _, l := range n.links {
		sight := buffer[:len(l.places)]
		l.of(sight, rest)
		y, ok := l.numbers[string(sight)]
		if !ok {
			return 0, false
		}
		x = x*uint64(len(l.represent)) + uint64(y)
		n.full.act(next, rest, l.back[y])
		rest, next = next, rest
	}
	return x, true
}

// unrank returns the state of a number.
func (n *numbering) unrank(x uint64) []uint8 {
	state, next := slices.Clone(n.full.start), make([]uint8, len(n.full.start))
	for _, l := range slices.Backward(n.links) {
		n.full.act(next, state, l.represent[x%uint64(len(l.represent))])
		x /= uint64(len(l.represent))
		state, next = next, state
	}
	return state
}

// after returns the row to which a move leads, and the map of its columns.
func (n *numbering) after(row uint32, move int) (to rows.Move) {
	element := move
	for _, l := range n.links[:len(n.links)-1] {
		k := int(row/l.below)*l.elements + element
		row %= l.below
		to.Row += l.next[k] * l.below
		element = int(l.by[k])
	}
	to.Map = uint16(element)
	return to
}

// graph returns the rows and columns.
func (n *numbering) graph() *rows.Graph {
	return &rows.Graph{Rows: n.rows, Columns: n.columns, Maps: n.maps, Inverse: n.inverse, Listed: true,
		Moves: func(dst []rows.Move, row int) []rows.Move {
			if n.illegal != nil && n.illegal[row] {
				return dst
			}
			for i := range n.moves {
				if m := n.after(uint32(row), i); n.illegal == nil || !n.illegal[m.Row] {
					dst = append(dst, m)
				}
			}
			return dst
		}}
}
