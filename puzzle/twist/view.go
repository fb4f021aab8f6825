package twist

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"slices"

	"pagoda/puzzle/twist/definition"
	"pagoda/statespace"
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

// An orbit is the sights to which moves lead from the start of a view. They have numbers: the start is 0.
type orbit struct {
	*view
	seed   maphash.Seed
	sights []uint8
	count  int
	slots  []uint32 // a table of numbers plus 1, by hash
	next   []uint32 // by number and written move
	// parent has the first number from which a move leads to each, and by the move, but for the start.
	parent []uint32
	by     []uint16
}

// orbit finds the sights. It returns nil if there are more than most; memory bounds its bytes unless it is 0.
func (v *view) orbit(ctx context.Context, most int, memory uint64) (*orbit, error) {
	o := &orbit{view: v, seed: maphash.MakeSeed(), slots: make([]uint32, 64)}
	o.find(v.start, true)
	o.parent, o.by = append(o.parent, 0), append(o.by, 0)
	sight := make([]uint8, len(v.places))
	for x := 0; x < o.count; x++ {
		if x%(1<<12) == 0 {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if need := uint64(o.count * (len(v.places) + 12 + 4*len(v.written))); memory != 0 && need > memory {
				return nil, &statespace.MemoryError{Name: "the table of rows of " + v.Name, Need: need, Allowed: memory}
			}
		}
		for i, w := range v.written {
			v.act(sight, o.sight(x), w.action)
			known := o.count
			y, _ := o.find(sight, true)
			if o.next = append(o.next, uint32(y)); o.count > known {
				if o.count > most {
					return nil, nil
				}
				o.parent, o.by = append(o.parent, uint32(x)), append(o.by, uint16(i))
			}
		}
	}
	return o, nil
}

// sight returns the sight of a number.
func (o *orbit) sight(x int) []uint8 { return o.sights[x*len(o.places):][:len(o.places)] }

// find returns the number of a sight. If it has none, it may get one.
func (o *orbit) find(sight []uint8, add bool) (x int, ok bool) {
	mask := uint64(len(o.slots) - 1)
	at := maphash.Bytes(o.seed, sight) & mask
	for ; o.slots[at] != 0; at = (at + 1) & mask {
		if x = int(o.slots[at] - 1); bytes.Equal(o.sight(x), sight) {
			return x, true
		}
	}
	if !add {
		return 0, false
	}
	o.sights = append(o.sights, sight...)
	o.count++
	o.slots[at] = uint32(o.count)
	if 2*o.count > len(o.slots) {
		o.slots = make([]uint32, 2*len(o.slots))
		mask = uint64(len(o.slots) - 1)
		for x := range o.count {
			at := maphash.Bytes(o.seed, o.sight(x)) & mask
			for o.slots[at] != 0 {
				at = (at + 1) & mask
			}
			o.slots[at] = uint32(x + 1)
		}
	}
	return o.count - 1, true
}

// after returns the number to which a move leads.
func (o *orbit) after(x int, m *move) int {
	for range m.power {
		x = int(o.next[x*len(o.written)+m.written])
	}
	return x
}

// representative returns an action that leads from the start to a number.
func (o *orbit) representative(x int) action {
	a := o.identity()
	for ; x != 0; x = int(o.parent[x]) {
		a = o.then(o.written[o.by[x]].action, a)
	}
	return a
}

// back makes random actions that lead back to the start, and returns the numbers that they reach from 0, in order. With enough
// tries these are very likely all. After says where an action leads from a number.
func (o *orbit) back(rng *rand.Rand, tries, count int, after func(x int, a action) int) []int {
	actions := make([]action, tries)
	for i := range actions {
		x, a := 0, o.identity()
		for range 24 + rng.IntN(24) {
			w := rng.IntN(len(o.written))
			x, a = int(o.next[x*len(o.written)+w]), o.then(a, o.written[w].action)
		}
		actions[i] = o.then(a, o.inverse(o.representative(x)))
	}
	all, seen := []int{0}, make([]bool, count)
	seen[0] = true
	for i := 0; i < len(all); i++ {
		for _, a := range actions {
			if y := after(all[i], a); !seen[y] {
				seen[y] = true
				all = append(all, y)
			}
		}
	}
	slices.Sort(all)
	return all
}

// identity returns the action that changes nothing.
func (m *model) identity() action {
	a := action{make([]uint8, len(m.setOf)), make([]uint8, len(m.setOf))}
	for i := range a.from {
		a.from[i] = uint8(i)
	}
	return a
}
