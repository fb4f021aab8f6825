package twist

import (
	"context"
	"slices"

	"pagoda/puzzle/twist/definition"
)

// pieces is a split in which a row says where some kinds of pieces are, and a column how the others are in the places
// that are left. A row has an action that leads to it from the start: the column is the state before that action. So a
// move from a row to another one is an element of the subgroup that keeps the row of the start: there are no more maps
// than elements, and no more columns.
type pieces struct {
	rows *orbit
	home []int // places whose pieces are in no row
	// to and turned are by row and piece at home: where the action of the row takes the piece, and how it turns it.
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
		s := &pieces{}
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
		if n := s.number(); n != nil {
			return n, nil
		}
	}
	return nil, nil
}

// number makes the columns and maps. It returns nil if there are too many.
func (s *pieces) number() *numbering {
	m, home := s.rows.model, len(s.home)
	s.to, s.turned = make([]uint8, s.rows.count*home), make([]uint8, s.rows.count*home)
	places := make([][]uint8, len(m.moves)) // by move and place: where its piece goes
	for i, move := range m.moves {
		places[i] = make([]uint8, len(m.setOf))
		for to, from := range move.from {
			places[i][from] = uint8(to)
		}
	}
	seen := make([]bool, len(m.Sets)) // turns of pieces at home
	for k, place := range s.home {
		s.to[k] = uint8(place)
		set := m.setOf[place]
		seen[set] = seen[set] || m.Solved[set][place-m.first[set]].Turn != definition.Any
	}
	for row := 1; row < s.rows.count; row++ {
		before, move := int(s.rows.parent[row]), m.written[s.rows.by[row]].number
		for k, place := range s.home {
			to := places[move][s.to[before*home+k]]
			s.to[row*home+k] = to
			s.turned[row*home+k] = uint8((int(s.turned[before*home+k]) + int(m.moves[move].turn[to])) % m.turns(place))
		}
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
				now := places[i][s.to[row*home+k]]
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
	s.columns, s.find = nil, make(map[string]uint16)
	for _, place := range s.home {
		s.columns = append(s.columns, s.rows.full.codeAt(s.rows.full.start, place))
	}
	s.find[string(s.columns)] = 0
	after := make([]uint8, home)
	for x := 0; x < len(s.find); x++ {
		for _, e := range elements {
			s.act(after, s.columns[x*home:][:home], e)
			if _, ok := s.find[string(after)]; ok {
				continue
			}
			if len(s.find) == mostColumns || (len(s.find)+1)*len(elements) > mostMapped {
				return false
			}
			s.find[string(after)] = uint16(len(s.find))
			s.columns = append(s.columns, after...)
		}
	}
	return true
}

// column implements split.
func (s *pieces) column(row int, state []uint8) (int, bool) {
	m, home := s.rows.model, len(s.home)
	before := make([]uint8, home)
	for k, place := range s.home {
		turns := m.turns(place)
		turn := (turns - int(s.turned[row*home+k])) % turns
		before[k] = m.full.sets[m.setOf[place]].turned[turn][m.full.codeAt(state, int(s.to[row*home+k]))]
	}
	x, ok := s.find[string(before)]
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
