package twist

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"pagoda/internal/lists"
	"pagoda/puzzle/twist/definition"
)

// order returns how many actions some make, the order of their group, by the random method of Schreier and Sims: it is
// at least a divisor of the order, and the order itself but for a chance of 2^-40.
func (m *model) order(actions []action) *big.Int {
	order := big.NewInt(1)
	for _, l := range m.group(actions).levels {
		order.Mul(order, big.NewInt(int64(len(l.to))))
	}
	return order
}

// group returns the chain of the group that actions make.
func (m *model) group(actions []action) *chain {
	return m.chain(actions, func(a action) action { return a })
}

// chain returns the chain of a part of the group that actions make: take makes a random element of the group one of the part.
// Random elements are products of each other.
func (m *model) chain(actions []action, take func(a action) action) *chain {
	c := &chain{m: m}
	for place := range m.setOf {
		point := [2]int{place, 0}
		c.levels = append(c.levels, level{point: point, orbit: [][2]int{point}, to: map[[2]int]action{point: m.identity()}})
	}
	rng := rand.New(rand.NewPCG(3, 4))
	random := slices.Repeat([]action{m.identity()}, 10)
	next := func() action {
		a := &random[rng.IntN(len(random))]
		*a = m.then(m.then(*a, random[rng.IntN(len(random))]), actions[rng.IntN(len(actions))])
		return *a
	}
	for range 100 {
		next()
	}
	for idle := 0; idle < 40; idle++ {
		if c.add(take(next())) {
			idle = -1
		}
	}
	return c
}

// actions returns those of moves.
func (m *model) actions(moves []move) []action {
	return lists.Map(moves, func(one move) action { return one.action })
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
	return !m.group(m.actions(m.written)).add(a)
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

// A chain is a chain of Schreier and Sims, with a level for each place: it has the actions that keep the points of those before.
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
	for i := range c.levels {
		l := &c.levels[i]
		to := c.goes(a, l.point)
		if to == l.point {
			continue
		}
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

// least returns an action that does one of the group, and then another one. Of all that do, it takes the first places to the
// least ones.
func (c *chain) least(a action) action {
	for _, l := range c.levels {
		if len(l.orbit) == 1 {
			continue
		}
		back := c.m.inverse(a)
		goes := func(p [2]int) []int {
			to := int(back.from[p[0]])
			return []int{to, (p[1] + int(a.turn[to])) % c.m.turns(to)}
		}
		a = c.m.then(l.to[slices.MinFunc(l.orbit, func(p, q [2]int) int { return slices.Compare(goes(p), goes(q)) })], a)
	}
	return a
}
