package twist

import (
	"cmp"
	"fmt"
	"slices"

	"pagoda/puzzle/twist/definition"
)

// A view sees some of each piece: its kind without its turn, its turn without its kind, or only whether it is one of
// some kinds. What it sees of a state follows from what it sees of the state before a move. So moves lead from one
// sight to another, and a state is known by the sights of several views.
//
// A code is what is seen of a piece, a byte. The codes of a piece that turns follow one another.
type view struct {
	*model
	sets   []coding
	places []int // that have several codes; a sight has the codes of these only
	at     []int // by place: where it is in places
	start  []uint8
}

// A coding has the codes of a set.
type coding struct {
	pieces []definition.Piece // by code; as the view sees them
	label  []uint8            // by code of the full view
	turned [][]uint8          // by turn and code
}

// view returns a view that sees a piece as another one, which has the same or any turn.
func (m *model) view(sees func(set int, p definition.Piece) definition.Piece) (*view, error) {
	v := &view{model: m, at: make([]int, len(m.setOf))}
	for i, set := range m.Sets {
		var c coding
		for _, p := range m.Solved[i] {
			if p = sees(i, p); p.Turn != definition.Any {
				p.Turn = 0
			}
			c.pieces = append(c.pieces, p)
		}
		slices.SortFunc(c.pieces, func(a, b definition.Piece) int { return cmp.Or(a.Kind-b.Kind, a.Turn-b.Turn) })
		kinds := slices.Compact(c.pieces)
		c.pieces = nil
		for _, p := range kinds {
			c.pieces = append(c.pieces, p)
			for turn := 1; p.Turn != definition.Any && turn < set.Turns; turn++ {
				c.pieces = append(c.pieces, definition.Piece{Kind: p.Kind, Turn: turn})
			}
		}
		if len(c.pieces) > mostCodes {
			return nil, fmt.Errorf("the set %s has %d kinds of pieces with their turns, expected at most %d", set.Name, len(c.pieces), mostCodes)
		}
		for turn := range set.Turns {
			turned := make([]uint8, len(c.pieces))
			for code, p := range c.pieces {
				if p.Turn != definition.Any {
					p.Turn = (p.Turn + turn) % set.Turns
				}
				turned[code] = c.code(p)
			}
			c.turned = append(c.turned, turned)
		}
		full := &c
		if m.full != nil {
			full = &m.full.sets[i]
		}
		for _, p := range full.pieces {
			c.label = append(c.label, c.code(sees(i, p)))
		}
		v.sets = append(v.sets, c)
		for k := range set.Places {
			place := m.first[i] + k
			v.at[place] = len(v.places)
			if len(c.pieces) > 1 {
				v.places = append(v.places, place)
				v.start = append(v.start, c.code(sees(i, m.Solved[i][k])))
			}
		}
	}
	return v, nil
}

// code returns the code of a piece that the view sees, which it must have.
func (c *coding) code(p definition.Piece) uint8 { return uint8(slices.Index(c.pieces, p)) }

// act puts into dst the sight after an action.
func (v *view) act(dst, sight []uint8, a action) {
	for k, place := range v.places {
		dst[k] = v.sets[v.setOf[place]].turned[a.turn[place]][sight[v.at[a.from[place]]]]
	}
}

// of puts into dst what the view sees of a state, as the full view sees it.
func (v *view) of(dst, state []uint8) {
	for k, place := range v.places {
		dst[k] = v.sets[v.setOf[place]].label[v.full.codeAt(state, place)]
	}
}

// codeAt returns the code at a place, also if it is always the same and no part of the sight.
func (v *view) codeAt(sight []uint8, place int) uint8 {
	if len(v.sets[v.setOf[place]].pieces) == 1 {
		return 0
	}
	return sight[v.at[place]]
}

// isIllegal reports whether a sight has a piece where it must not be. The view sees the kinds of such pieces.
func (v *view) isIllegal(sight []uint8) bool {
	return slices.ContainsFunc(v.Illegal, func(is definition.Illegal) bool {
		return v.sets[is.Set].pieces[v.codeAt(sight, v.first[is.Set]+is.Place)].Kind == is.Kind
	})
}

// identity returns the action that changes nothing.
func (m *model) identity() action {
	a := action{make([]uint8, len(m.setOf)), make([]uint8, len(m.setOf))}
	for i := range a.from {
		a.from[i] = uint8(i)
	}
	return a
}
