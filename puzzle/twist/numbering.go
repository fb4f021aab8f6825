package twist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"pagoda/puzzle/twist/definition"
	"pagoda/statespace/rows"
)

// What bounds rows and columns. Numbers follow from these bounds, so files do, too.
const (
	mostRows      = 1 << 24
	mostMapped    = 1 << 20 // columns of all maps
	mostMaps      = 1 << 15
	mostOfFactors = 1 << 14 // the product of the orbits of the factors in a column
)

// mostColumns bounds the columns. Tests change it.
var mostColumns = 1 << 13

// A numbering numbers the states in rows and columns. A row is the sight of a view, and a column one of the ways in
// which the rest can be: as many for each row, as moves lead from every row to every other one. So there are as many
// numbers as states.
type numbering struct {
	*model
	way     int
	rows    *orbit
	columns int
	split
	maps    [][]uint16
	inverse []uint16
	next    []uint32 // by row and move
	class   []uint16 // by row: those of a class have the same maps, one for each move after another
	by      []uint16 // without classes: the map, by row and move
	illegal []bool   // by row
}

// A split is how columns are numbered.
type split interface {
	// column returns the column of a state of a row, if the row has it.
	column(row int, state []uint8) (column int, ok bool)
	// put puts into a state what the row does not say of it.
	put(state []uint8, row, column int)
}

// The ways in which numbers are made, as definitions name them.
const (
	byAny   = iota // the best one
	byRows         // factors or pieces in rows
	byOrder        // the order of pieces in columns
	byCodes        // only states that are found get some
)

// newNumbering numbers the states of a puzzle in a way. It returns nil if they have too many rows.
func newNumbering(ctx context.Context, m *model, way int, memory uint64) (*numbering, error) {
	if way == byCodes || m.full.least() > float64(mostRows*mostColumns) {
		return nil, nil
	}
	for _, by := range []struct {
		way    int
		number func(ctx context.Context, memory uint64) (*numbering, error)
	}{{byRows, m.byFactors}, {byOrder, m.byOrder}, {byRows, m.byPieces}} {
		if way != by.way && (way != byAny || by.way == byOrder && !m.alike()) {
			continue
		}
		if n, err := by.number(ctx, memory); n != nil || err != nil {
			if err == nil {
				n.way, err = by.way, n.finish()
			}
			return n, err
		}
	}
	return nil, nil
}

// finish finds the maps that leave columns in place, and the rows that are illegal.
func (n *numbering) finish() error {
	n.rows.next, n.rows.parent, n.rows.by = nil, nil, nil // they are made
	for i, by := range n.maps {
		if slices.IsSortedFunc(by, func(a, b uint16) int { return int(a) - int(b) }) {
			n.maps[i] = nil // it leaves all columns in place
		}
	}
	n.illegal = make([]bool, n.rows.count)
	for row := range n.illegal {
		n.illegal[row] = n.rows.isIllegal(n.rows.sight(row))
	}
	if n.illegal[0] {
		return fmt.Errorf("the solved state is illegal")
	}
	return nil
}

// Size returns how many numbers there are.
func (n *numbering) Size() uint64 { return uint64(n.rows.count) * uint64(n.columns) }

// rank returns the number of a state, if moves lead to it.
func (n *numbering) rank(state []uint8) (x uint64, ok bool) {
	sight := make([]uint8, len(n.rows.places))
	n.rows.of(sight, state)
	row, ok := n.rows.find(sight, false)
	if !ok {
		return 0, false
	}
	column, ok := n.column(row, state)
	return uint64(row)*uint64(n.columns) + uint64(column), ok
}

// unrank returns the state of a number.
func (n *numbering) unrank(x uint64) []uint8 {
	state := make([]uint8, len(n.full.places))
	n.put(state, int(x/uint64(n.columns)), int(x%uint64(n.columns)))
	return state
}

// graph returns the rows and columns.
func (n *numbering) graph() *rows.Graph {
	moves := len(n.moves)
	return &rows.Graph{Rows: n.rows.count, Columns: n.columns, Maps: n.maps, Inverse: n.inverse, Listed: true,
		Moves: func(dst []rows.Move, row int) []rows.Move {
			if n.illegal[row] {
				return dst
			}
			for i, to := range n.next[row*moves:][:moves] {
				if !n.illegal[to] {
					dst = append(dst, rows.Move{Row: to, Map: n.mapOf(row, i)})
				}
			}
			return dst
		}}
}

// mapOf returns the map of a move of a row.
func (n *numbering) mapOf(row, move int) uint16 {
	if n.class != nil {
		return n.class[row]*uint16(len(n.moves)) + uint16(move)
	}
	return n.by[row*len(n.moves)+move]
}

// A factor is what one view sees of one set: which kinds of pieces are where, or how the pieces at each place are
// turned.
type factor struct{ set, turns, size int }

// sees is what the view of some factors sees.
func sees(factors []factor) func(set int, p definition.Piece) definition.Piece {
	return func(set int, p definition.Piece) definition.Piece {
		seen := definition.Piece{Turn: definition.Any}
		if slices.ContainsFunc(factors, func(f factor) bool { return f.set == set && f.turns == 0 }) {
			seen.Kind = p.Kind
		}
		if slices.ContainsFunc(factors, func(f factor) bool { return f.set == set && f.turns == 1 }) {
			seen.Turn = p.Turn
		}
		return seen
	}
}

// factors returns the factors of all sets. The size of one with more than mostColumns sights is 0.
func (m *model) factors(ctx context.Context) (all []factor, err error) {
	for set := range m.Sets {
		for turns := range 2 {
			f := factor{set: set, turns: turns}
			v, err := m.view(sees([]factor{f}))
			if err != nil {
				return nil, err
			}
			if len(v.places) == 0 {
				continue
			}
			o, err := v.orbit(ctx, mostColumns, 0)
			if err != nil {
				return nil, err
			}
			if o != nil {
				f.size = o.count
			}
			all = append(all, f)
		}
	}
	return all, nil
}

// byFactors takes some factors as the row, and the others as the column. It returns nil if there is no such split,
// as if there is one factor with many sights.
func (m *model) byFactors(ctx context.Context, memory uint64) (*numbering, error) {
	all, err := m.factors(ctx)
	if err != nil {
		return nil, err
	}
	type choice struct {
		columns []factor
		product int
	}
	choices := []choice{{product: 1}}
	for _, f := range all {
		if f.size == 0 || f.turns == 0 && slices.ContainsFunc(m.Illegal, func(is definition.Illegal) bool { return is.Set == f.set }) {
			continue
		}
		for _, c := range choices {
			if c.product*f.size <= mostOfFactors {
				choices = append(choices, choice{append(slices.Clone(c.columns), f), c.product * f.size})
			}
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return b.product - a.product })
	for _, c := range choices {
		if c.product < mostColumns/128 && len(c.columns) < len(all) { // so few columns are no words of bits
			break
		}
		n, err := m.byColumns(ctx, all, c.columns, memory)
		if errors.Is(err, errRows) {
			return nil, nil
		}
		if n != nil || err != nil {
			return n, err
		}
	}
	return nil, nil
}

// errRows is the error of too many rows. Fewer columns would make more of them.
var errRows = errors.New("too many rows")

// classes is a split by factors. Which columns a row has depends on its class only: the class of the start has the
// sights that go with its own row.
type classes struct {
	rows, columns *orbit
	members       [][]uint32 // by class: the sights of its columns
	at            [][]uint16 // by class: the column of a sight plus 1, or 0
	next          []uint16   // by class and written move
	of            []uint16   // by row
	join          [][][]uint8
}

// byColumns numbers states with some factors as the column. It returns nil if there are too many maps.
func (m *model) byColumns(ctx context.Context, all, columns []factor, memory uint64) (*numbering, error) {
	inRow := slices.DeleteFunc(slices.Clone(all), func(f factor) bool { return slices.Contains(columns, f) })
	v, err := m.view(sees(columns))
	if err != nil {
		return nil, err
	}
	c := new(classes)
	if c.columns, err = v.orbit(ctx, mostColumns, 0); c.columns == nil || err != nil {
		return nil, err
	}
	if v, err = m.view(sees(inRow)); err != nil {
		return nil, err
	}
	if v.least() > mostRows {
		return nil, errRows
	}
	if c.rows, err = v.orbit(ctx, mostRows, memory); c.rows == nil || err != nil {
		return nil, cmp.Or(err, errRows)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for tries := 16; ; tries *= 2 {
		if !c.classify(rng, tries) {
			return nil, nil
		}
		if c.agree() {
			break
		}
	}
	c.join = make([][][]uint8, len(m.Sets))
	for set := range m.Sets {
		a, b, full := &c.rows.sets[set], &c.columns.sets[set], &m.full.sets[set]
		c.join[set] = make([][]uint8, len(a.pieces))
		for i := range a.pieces {
			c.join[set][i] = make([]uint8, len(b.pieces))
		}
		for code := range full.pieces {
			c.join[set][a.label[code]][b.label[code]] = uint8(code)
		}
	}
	n := &numbering{model: m, rows: c.rows, columns: len(c.members[0]), split: c}
	c.makeMaps(n)
	return n, nil
}

// classify finds the columns of the start, by random moves that lead back to its row, and the classes. It returns false
// if there are too many.
func (c *classes) classify(rng *rand.Rand, tries int) bool {
	o := c.columns
	var start []uint32
	for _, x := range c.rows.back(rng, tries, o.count, func(x int, a action) int {
		sight := make([]uint8, len(o.places))
		o.act(sight, o.sight(x), a)
		y, _ := o.find(sight, false)
		return y
	}) {
		start = append(start, uint32(x))
	}
	c.members, c.at = nil, nil
	numbers := make(map[string]uint16)
	class := func(members []uint32) uint16 {
		at := make([]uint16, o.count)
		key := make([]byte, o.count)
		for i, x := range members {
			at[x], key[x] = uint16(i+1), 1
		}
		k, ok := numbers[string(key)]
		if !ok {
			k = uint16(len(c.members))
			numbers[string(key)] = k
			c.members, c.at = append(c.members, members), append(c.at, at)
		}
		return k
	}
	class(start)
	moves := len(o.written)
	c.next = nil
	for k := 0; k < len(c.members); k++ {
		for w := range moves {
			var to []uint32
			for _, x := range c.members[k] {
				to = append(to, o.next[int(x)*moves+w])
			}
			slices.Sort(to)
			c.next = append(c.next, class(to))
		}
		if maps := len(c.members) * len(o.moves); maps > mostMaps || maps*len(start) > mostMapped {
			return false
		}
	}
	c.of = make([]uint16, c.rows.count)
	for row := 1; row < c.rows.count; row++ {
		c.of[row] = c.next[int(c.of[c.rows.parent[row]])*moves+int(c.rows.by[row])]
	}
	return true
}

// agree reports whether every move takes the columns of a row to those of another one. If not, the start has more.
func (c *classes) agree() bool {
	moves := len(c.rows.written)
	for row, class := range c.of {
		for w, to := range c.rows.next[row*moves:][:moves] {
			if c.of[to] != c.next[int(class)*moves+w] {
				return false
			}
		}
	}
	return true
}

// makeMaps makes the moves of rows, and a map for each class and move.
func (c *classes) makeMaps(n *numbering) {
	moves := len(n.moves)
	n.maps, n.inverse = make([][]uint16, len(c.members)*moves), make([]uint16, len(c.members)*moves)
	n.next, n.class = make([]uint32, c.rows.count*moves), c.of
	for row, class := range c.of {
		for i := range n.moves {
			to, k := c.rows.after(row, &n.moves[i]), int(class)*moves+i
			n.next[row*moves+i] = uint32(to)
			if n.maps[k] != nil {
				continue
			}
			n.maps[k] = make([]uint16, n.columns)
			n.inverse[k] = c.of[to]*uint16(moves) + uint16(n.moves[i].inverse)
			for column, x := range c.members[class] {
				n.maps[k][column] = c.at[c.of[to]][c.columns.after(int(x), &n.moves[i])] - 1
			}
		}
	}
}

// column implements split.
func (c *classes) column(row int, state []uint8) (int, bool) {
	sight := make([]uint8, len(c.columns.places))
	c.columns.of(sight, state)
	x, ok := c.columns.find(sight, false)
	if !ok {
		return 0, false
	}
	at := c.at[c.of[row]][x]
	return int(at) - 1, at > 0
}

// put implements split.
func (c *classes) put(state []uint8, row, column int) {
	a, b := c.rows.sight(row), c.columns.sight(int(c.members[c.of[row]][column]))
	for i, place := range c.rows.full.places {
		state[i] = c.join[c.rows.setOf[place]][c.rows.codeAt(a, place)][c.columns.codeAt(b, place)]
	}
}
