package twist

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"pagoda/puzzle/twist/definition"
)

// order returns how many actions some make, the order of their group, by the random method of Schreier and Sims: it is
// at least a divisor of the order, and the order itself but for a chance of 2^-40.
func (m *model) order(actions []action) *big.Int {
	order := big.NewInt(1)
	for _, l := range m.chain(actions).levels {
		order.Mul(order, big.NewInt(int64(len(l.to))))
	}
	return order
}

// chain returns the chain of the group that actions make.
func (m *model) chain(actions []action) *chain {
	c := &chain{m: m}
	rng := rand.New(rand.NewPCG(3, 4))
	random := m.identity()
	for idle := 0; idle < 40; {
		for range 1 + rng.IntN(30) {
			random = m.then(random, actions[rng.IntN(len(actions))])
		}
		if c.add(random) {
			idle = 0
		} else {
			idle++
		}
	}
	return c
}

// actions returns those of the moves.
func (m *model) actions() (all []action) {
	for _, w := range m.written {
		all = append(all, w.action)
	}
	return all
}

// leads reports whether moves lead from the solved state to another one. If pieces are alike, it is true.
func (m *model) leads(state []uint8) bool {
	if m.alike() {
		return true
	}
	a := m.identity()
	for place, set := range m.setOf {
		p := m.full.sets[set].pieces[m.full.codeAt(state, place)]
		from := m.placesOf(int(set), p.Kind)[0]
		a.from[place] = uint8(from)
		a.turn[place] = uint8((p.Turn - m.Solved[set][from-m.first[set]].Turn + m.turns(place)) % m.turns(place))
	}
	return !m.chain(m.actions()).add(a)
}

// least returns a number that is at most that of the sights of a view: the order of what the moves do that it sees,
// without what permutes and turns pieces that look alike.
func (v *view) least() float64 {
	var actions []action
	for _, w := range v.written {
		a := v.identity()
		for _, place := range v.places {
			a.from[place] = w.from[place]
			if v.seesTurns(place) {
				a.turn[place] = w.turn[place]
			}
		}
		actions = append(actions, a)
	}
	n, _ := v.order(actions).Float64()
	alike := make(map[[2]int]int)
	for k, place := range v.places {
		set := int(v.setOf[place])
		piece := v.sets[set].pieces[v.start[k]]
		if piece.Turn == definition.Any && v.seesTurns(place) {
			n /= float64(v.turns(place))
		}
		kind := [2]int{set, piece.Kind}
		alike[kind]++
		n /= float64(alike[kind])
	}
	return math.Max(1, n)
}

// seesTurns reports whether a view sees turns of some pieces of the set of a place.
func (v *view) seesTurns(place int) bool {
	return slices.ContainsFunc(v.sets[v.setOf[place]].pieces, func(p definition.Piece) bool { return p.Turn > 0 })
}

// A chain is a chain of Schreier and Sims: each level has the actions that keep the points of those before.
type chain struct {
	m      *model
	levels []level
}

// A level has an action of its group for each point to which they take its own. A point is a place and a turn.
type level struct {
	point  [2]int
	to     map[[2]int]action
	orbit  [][2]int
	strong []action
}

// goes returns where an action takes a point.
func (c *chain) goes(a action, point [2]int) [2]int {
	for to, from := range a.from {
		if int(from) == point[0] {
			return [2]int{to, (point[1] + int(a.turn[to])) % c.m.turns(to)}
		}
	}
	return point
}

// add reports whether an action makes the groups of the chain larger.
func (c *chain) add(a action) bool {
	for i := 0; !a.isIdentity(); i++ {
		if i == len(c.levels) {
			point := [2]int{}
			for c.goes(a, point) == point {
				point[0]++
			}
			c.levels = append(c.levels, level{point: point, orbit: [][2]int{point}, to: map[[2]int]action{point: c.m.identity()}})
		}
		l := &c.levels[i]
		to := c.goes(a, l.point)
		if known, ok := l.to[to]; ok {
			a = c.m.then(a, c.m.inverse(known))
			continue
		}
		l.strong = append(l.strong, a)
		for k := 0; k < len(l.orbit); k++ {
			for _, s := range l.strong {
				next := c.goes(s, l.orbit[k])
				if _, ok := l.to[next]; !ok {
					l.to[next] = c.m.then(l.to[l.orbit[k]], s)
					l.orbit = append(l.orbit, next)
				}
			}
		}
		return true
	}
	return false
}
