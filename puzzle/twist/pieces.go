package twist

import (
	"context"
	"math/rand/v2"
	"slices"

	"pagoda/puzzle/twist/definition"
)

// pieces is a split in which a row says where some kinds of pieces are, and a column how the others are in the places
// that are left. For each row, the pieces at home, those of the start that are in no row, go to these places somehow: the
// column is the state before they went. So a move from a row to another one permutes and turns the pieces at home.
type pieces struct {
	rows *orbit
	home []int // places whose pieces are in no row
	most int   // columns of all maps
	// to and turned are by row and piece at home: where the piece goes, and how it turns.
	to, turned []uint8
	columns    []uint8 // the codes at home of each
	find       map[string]uint16
	known      [][]uint8 // by set and code of a row: the code of the full view
}

// byPieces takes more and more kinds of pieces into the row, until there are few enough columns and maps. It returns
// nil if there are too many rows then.
func (m *model) byPieces(ctx context.Context, memory uint64) (*numbering, error) {
	type kind struct{ set, kind int }
	var kinds []kind
	for _, is := range m.Illegal {
		kinds = append(kinds, kind{is.Set, is.Kind})
	}
	least := len(kinds)
	for set := range m.Sets {
		for _, p := range m.Solved[set] {
			if k := (kind{set, p.Kind}); !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	states := m.full.least()
	for taken := least; taken <= len(kinds); taken++ {
		blank := func(set int, p definition.Piece) bool { return !slices.Contains(kinds[:taken], kind{set, p.Kind}) }
		v, err := m.view(func(set int, p definition.Piece) definition.Piece {
			if blank(set, p) {
				return definition.Piece{Kind: -1, Turn: definition.Any}
			}
			return p
		})
		if err != nil {
			return nil, err
		}
		s := &pieces{most: mostMapped}
		if s.rows, err = v.orbit(ctx, mostRows, memory); s.rows == nil || err != nil {
			return nil, err
		}
		if states/float64(s.rows.count) > float64(mostColumns) {
			continue
		}
		for place, set := range m.setOf {
			if blank(int(set), m.Solved[set][place-m.first[set]]) {
				s.home = append(s.home, place)
			}
		}
		s.follow()
		if n := s.number(); n != nil {
			return n, nil
		}
	}
	return nil, nil
}

// follow takes the pieces at home as the first moves that lead to a row do. So a move from a row to another one is an
// element of the subgroup that keeps the row of the start: there are no more maps than elements, and no more columns.
func (s *pieces) follow() {
	m, home := s.rows.model, len(s.home)
	s.to, s.turned = make([]uint8, s.rows.count*home), make([]uint8, s.rows.count*home)
	for k, place := range s.home {
		s.to[k] = uint8(place)
	}
	goes := m.goes()
	for row := 1; row < s.rows.count; row++ {
		before, move := int(s.rows.parent[row]), m.written[s.rows.by[row]].number
		for k, place := range s.home {
			to := goes[move][s.to[before*home+k]]
			s.to[row*home+k] = to
			s.turned[row*home+k] = uint8((int(s.turned[before*home+k]) + int(m.moves[move].turn[to])) % m.turns(place))
		}
	}
}

// goes returns, by move and place, where its piece goes.
func (m *model) goes() (all [][]uint8) {
	for _, move := range m.moves {
		all = append(all, m.inverse(move.action).from)
	}
	return all
}

// mostMappedOrders bounds the columns of all maps that are orders.
const mostMappedOrders = 1 << 23

// byOrder takes some kinds of a set. The column is their order, and the row is all else: the places that they take, too,
// and their turns. So it does with many pieces that are alike. It returns nil if moves do not lead to all orders in each
// row, or if there are too many rows.
func (m *model) byOrder(ctx context.Context, memory uint64) (*numbering, error) {
	s, set, most := &pieces{most: mostMappedOrders}, 0, 1
	for i := range m.Sets {
		home, orders, kinds := []int(nil), 1, m.kindsOf(i)
		slices.SortStableFunc(kinds, func(a, b int) int { return len(m.placesOf(i, a)) - len(m.placesOf(i, b)) })
		for _, kind := range kinds {
			places, more := m.placesOf(i, kind), orders
			for n := range places {
				more = min(more*(len(home)+n+1)/(n+1), mostColumns+1)
			}
			if more <= mostColumns && !slices.ContainsFunc(m.Illegal, func(is definition.Illegal) bool { return is.Set == i && is.Kind == kind }) {
				home, orders = append(home, places...), more
			}
		}
		if orders > most {
			s.home, set, most = home, i, orders
		}
	}
	if most == 1 {
		return nil, nil
	}
	slices.Sort(s.home)
	const ordered = -1 // the kind of these pieces in a row
	v, err := m.view(func(in int, p definition.Piece) definition.Piece {
		if in == set && slices.Contains(s.home, m.placesOf(set, p.Kind)[0]) {
			p.Kind = ordered
		}
		return p
	})
	if err != nil || v.least() > mostRows {
		return nil, err
	}
	if s.rows, err = v.orbit(ctx, mostRows, memory); s.rows == nil || err != nil {
		return nil, err
	}
	for row := range s.rows.count {
		sight := s.rows.sight(row)
		for place := m.first[set]; place < m.first[set]+m.Sets[set].Places; place++ {
			if p := s.rows.sets[set].pieces[s.rows.codeAt(sight, place)]; p.Kind == ordered {
				s.to, s.turned = append(s.to, uint8(place)), append(s.turned, uint8(max(0, p.Turn)))
			}
		}
	}
	n := s.number()
	if n == nil || len(s.rows.back(rand.New(rand.NewPCG(1, 3)), 16, n.columns, func(x int, a action) int {
		after := make([]uint8, len(m.full.places))
		m.full.act(after, n.unrank(uint64(x)), a)
		x, _ = s.column(0, after)
		return x
	})) < n.columns {
		return nil, nil
	}
	return n, nil
}

// number makes the columns and maps. It returns nil if there are too many.
func (s *pieces) number() *numbering {
	m, home, goes := s.rows.model, len(s.home), s.rows.goes()
	seen := make([]bool, len(m.Sets)) // turns of pieces at home
	for _, place := range s.home {
		set := m.setOf[place]
		seen[set] = seen[set] || m.Solved[set][place-m.first[set]].Turn != definition.Any
	}
	n := &numbering{model: m, rows: s.rows, split: s}
	n.next, n.by = make([]uint32, s.rows.count*len(m.moves)), make([]uint16, s.rows.count*len(m.moves))
	// An element of the subgroup is, for each piece at home, the place in home to which it goes and its turn.
	var elements [][]uint8
	tried := 64 // elements; more are tried when they have doubled
	numbers := make(map[string]uint16)
	element, at := make([]uint8, 2*home), make([]uint8, len(m.setOf))
	for row := range s.rows.count {
		for i := range m.moves {
			move := &m.moves[i]
			to := s.rows.after(row, move)
			for k, place := range s.to[to*home:][:home] {
				at[place] = uint8(k)
			}
			for k, place := range s.home {
				now := goes[i][s.to[row*home+k]]
				slot := at[now]
				element[k] = slot
				if seen[m.setOf[place]] {
					turns := m.turns(place)
					element[home+k] = uint8((int(s.turned[row*home+k]) + int(move.turn[now]) + turns - int(s.turned[to*home+int(slot)])) % turns)
				}
			}
			k, ok := numbers[string(element)]
			if !ok {
				if len(elements) == mostMaps {
					return nil
				}
				k = uint16(len(elements))
				numbers[string(element)] = k
				elements = append(elements, slices.Clone(element))
			}
			n.next[row*len(m.moves)+i], n.by[row*len(m.moves)+i] = uint32(to), k
		}
		if len(elements) >= 2*tried {
			if tried = len(elements); !s.closed(elements) {
				return nil
			}
		}
	}
	if !s.closed(elements) {
		return nil
	}
	n.columns = len(s.find)
	after := make([]uint8, home)
	for _, e := range elements {
		by := make([]uint16, n.columns)
		for x := range by {
			s.act(after, s.columns[x*home:][:home], e)
			by[x] = s.find[string(after)]
		}
		n.maps = append(n.maps, by)
		back := make([]uint8, 2*home)
		for k := range home {
			to, turns := int(e[k]), m.turns(s.home[k])
			back[to], back[home+to] = uint8(k), uint8((turns-int(e[home+k]))%turns)
		}
		n.inverse = append(n.inverse, numbers[string(back)])
	}
	s.known = make([][]uint8, len(m.Sets))
	for set := range m.Sets {
		s.known[set] = make([]uint8, len(s.rows.sets[set].pieces))
		for code, label := range s.rows.sets[set].label {
			s.known[set][label] = uint8(code)
		}
	}
	return n
}

// act puts into dst the column after an element.
func (s *pieces) act(dst, column, element []uint8) {
	home := len(s.home)
	for k, place := range s.home {
		dst[element[k]] = s.rows.full.sets[s.rows.setOf[place]].turned[element[home+k]][column[k]]
	}
}

// closed finds the columns to which elements lead. It returns false if there are too many of them, or of maps.
func (s *pieces) closed(elements [][]uint8) bool {
	home := len(s.home)
	s.columns, s.find = s.before(0, s.rows.full.start), make(map[string]uint16)
	s.find[string(s.columns)] = 0
	after := make([]uint8, home)
	for x := 0; x < len(s.find); x++ {
		for _, e := range elements {
			s.act(after, s.columns[x*home:][:home], e)
			if _, ok := s.find[string(after)]; ok {
				continue
			}
			if len(s.find) == mostColumns || (len(s.find)+1)*len(elements) > s.most {
				return false
			}
			s.find[string(after)] = uint16(len(s.find))
			s.columns = append(s.columns, after...)
		}
	}
	return true
}

// before returns the codes at home before the pieces went to the places of a state of a row.
func (s *pieces) before(row int, state []uint8) (codes []uint8) {
	m, home := s.rows.model, len(s.home)
	for k, place := range s.home {
		turns := m.turns(place)
		turn := (turns - int(s.turned[row*home+k])) % turns
		codes = append(codes, m.full.sets[m.setOf[place]].turned[turn][m.full.codeAt(state, int(s.to[row*home+k]))])
	}
	return codes
}

// column implements split.
func (s *pieces) column(row int, state []uint8) (int, bool) {
	x, ok := s.find[string(s.before(row, state))]
	return int(x), ok
}

// put implements split.
func (s *pieces) put(state []uint8, row, column int) {
	m, home, sight := s.rows.model, len(s.home), s.rows.sight(row)
	for i, place := range m.full.places {
		set := m.setOf[place]
		state[i] = s.known[set][s.rows.codeAt(sight, place)]
	}
	for k, place := range s.home {
		to, set := int(s.to[row*home+k]), m.setOf[place]
		if len(m.full.sets[set].pieces) > 1 {
			state[m.full.at[to]] = m.full.sets[set].turned[s.turned[row*home+k]][s.columns[column*home+k]]
		}
	}
}
