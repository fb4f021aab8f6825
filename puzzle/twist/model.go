package twist

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/puzzle/twist/definition"
)

// What bounds a puzzle: a place, a piece with its turn and the number of a move take a byte or two.
const (
	mostPlaces = 250
	mostCodes  = 250
	mostMoves  = 1000
)

// The metrics.
const (
	movesMetric = "moves" // a move with any of its multiples is one
	turnsMetric = "turns" // a move as it is written, or taken back, is one
)

// A model is a puzzle whose places are in a row, those of one set after another.
type model struct {
	*definition.Puzzle
	metric string
	setOf  []uint8 // by place
	first  []int   // by set: its first place
	// written are the moves of the puzzle that do something, and moves all that count as one.
	written []move
	moves   []move
	names   map[string]int // of moves
	full    *view          // which sees all of a state
}

// A move is an action with a name.
type move struct {
	action
	name    string
	written int // it is a power of this written move
	power   int
	inverse int // the move that takes it back
	number  int // of a written move: the move that does the same
}

// An action permutes and turns pieces: for each place, where its piece comes from, and how much it turns on its way.
type action struct{ from, turn []uint8 }

// newModel returns the model of a puzzle. An error says what is wrong with the puzzle.
func newModel(p *definition.Puzzle, metric string) (*model, error) {
	m := &model{Puzzle: p, metric: metric, names: make(map[string]int)}
	for i, set := range p.Sets {
		m.first = append(m.first, len(m.setOf))
		if set.Places < 1 || set.Turns < 1 || set.Places > mostPlaces-len(m.setOf) || set.Turns > mostCodes {
			return nil, fmt.Errorf("a puzzle has at most %d places, and pieces that turn at most %d times; the set %s has %d places and %d turns", mostPlaces, mostCodes, set.Name, set.Places, set.Turns)
		}
		m.setOf = append(m.setOf, slices.Repeat([]uint8{uint8(i)}, set.Places)...)
	}
	if err := m.checkArrangement(p.Solved); err != nil {
		return nil, fmt.Errorf("the solved state: %w", err)
	}
	for _, written := range p.Moves {
		a, err := m.action(written)
		if err != nil {
			return nil, fmt.Errorf("the move %s: %w", written.Name, err)
		}
		if a.isIdentity() {
			continue
		}
		if err := m.addMoves(move{action: a, name: written.Name, written: len(m.written), power: 1}); err != nil {
			return nil, err
		}
	}
	if len(m.moves) == 0 {
		return nil, fmt.Errorf("the puzzle has no move that does something")
	}
	keys := make(map[string]int)
	for i, move := range m.moves {
		keys[move.key()] = i
		m.names[move.name] = i
	}
	for i := range m.moves {
		m.moves[i].inverse = keys[m.inverse(m.moves[i].action).key()]
	}
	for i := range m.written {
		m.written[i].number = keys[m.written[i].key()]
	}
	var err error
	m.full, err = m.view(func(_ int, p definition.Piece) definition.Piece { return p })
	return m, err
}

// checkArrangement returns an error if an arrangement is none of the puzzle.
func (m *model) checkArrangement(a definition.Arrangement) error {
	if len(a) != len(m.Sets) {
		return fmt.Errorf("expected %s, found %d", amount.Of(len(m.Sets), "set"), len(a))
	}
	for i, set := range m.Sets {
		if len(a[i]) != set.Places {
			return fmt.Errorf("the set %s has %s, found %d", set.Name, amount.Of(set.Places, "piece"), len(a[i]))
		}
		for _, p := range a[i] {
			if slices.ContainsFunc(a[i], func(q definition.Piece) bool {
				return q.Kind == p.Kind && (q.Turn == definition.Any) != (p.Turn == definition.Any)
			}) {
				return fmt.Errorf("a turn of some pieces of the kind %d of %s is seen, and of others it is not; expected kinds of their own", p.Kind+1, set.Name)
			}
			if p.Kind < 0 || p.Turn < definition.Any || p.Turn >= set.Turns {
				return fmt.Errorf("the pieces of %s have kinds from 0 on and turns from 0 to %d, found kind %d and turn %d", set.Name, set.Turns-1, p.Kind, p.Turn)
			}
		}
	}
	return nil
}

// kindsOf lists the kinds of a set, in the order of their places in the solved state.
func (m *model) kindsOf(set int) (kinds []int) {
	for _, p := range m.Solved[set] {
		if !slices.Contains(kinds, p.Kind) {
			kinds = append(kinds, p.Kind)
		}
	}
	return kinds
}

// alike reports whether pieces look alike, or a piece looks alike however it is turned.
func (m *model) alike() bool {
	for set := range m.Sets {
		if len(m.kindsOf(set)) < m.Sets[set].Places || m.Sets[set].Turns > 1 && slices.ContainsFunc(m.Solved[set], func(p definition.Piece) bool { return p.Turn == definition.Any }) {
			return true
		}
	}
	return false
}

// placesOf lists the places of a kind in the solved state.
func (m *model) placesOf(set, kind int) (places []int) {
	for k, p := range m.Solved[set] {
		if p.Kind == kind {
			places = append(places, m.first[set]+k)
		}
	}
	return places
}

// action returns the action of a move as it is written.
func (m *model) action(written definition.Move) (a action, err error) {
	if len(written.Sets) != len(m.Sets) {
		return a, fmt.Errorf("expected %s, found %d", amount.Of(len(m.Sets), "set"), len(written.Sets))
	}
	for i, set := range m.Sets {
		if len(written.Sets[i]) != set.Places {
			return a, fmt.Errorf("the set %s has %s, found %d", set.Name, amount.Of(set.Places, "place"), len(written.Sets[i]))
		}
		used := make([]bool, set.Places)
		for _, f := range written.Sets[i] {
			if f.Place < 0 || f.Place >= set.Places || f.Turn < 0 || f.Turn >= set.Turns || used[f.Place] {
				return a, fmt.Errorf("the pieces of %s come from %s, each from another one, with turns from 0 to %d; found place %d and turn %d", set.Name, amount.Of(set.Places, "place"), set.Turns-1, f.Place+1, f.Turn)
			}
			used[f.Place] = true
			a.from, a.turn = append(a.from, uint8(m.first[i]+f.Place)), append(a.turn, uint8(f.Turn))
		}
	}
	return a, nil
}

// addMoves adds a written move, and what counts as one move with it.
func (m *model) addMoves(one move) error {
	powers := []action{one.action}
	for {
		next := m.then(powers[len(powers)-1], one.action)
		if next.isIdentity() {
			break
		}
		if powers = append(powers, next); len(powers) > mostMoves {
			return fmt.Errorf("the move %s has more than %d multiples", one.name, mostMoves)
		}
	}
	m.written = append(m.written, one)
	for i, a := range powers {
		power := i + 1
		if m.metric == turnsMetric && power > 1 && power < len(powers) || slices.ContainsFunc(m.moves, func(other move) bool { return other.key() == a.key() }) {
			continue
		}
		m.moves = append(m.moves, move{action: a, name: multiple(one.name, power, len(powers)+1), written: one.written, power: power})
	}
	if len(m.moves) > mostMoves {
		return fmt.Errorf("a puzzle has at most %d moves, with their multiples", mostMoves)
	}
	return nil
}

// multiple returns the name of a power of a move of some order: R, R2 and R' for the powers 1, 2 and 3 of R.
func multiple(name string, power, order int) string {
	number := func(n int) string {
		if n == 1 {
			return ""
		}
		if strings.Trim(name[len(name)-1:], "0123456789") == "" {
			return "^" + strconv.Itoa(n)
		}
		return strconv.Itoa(n)
	}
	if 2*power > order {
		return name + number(order-power) + "'"
	}
	return name + number(power)
}

// parsePower reads the name of any multiple of a written move. It returns how often the move is made.
func (m *model) parsePower(word string) (written, power int, ok bool) {
	if i, ok := m.names[word]; ok {
		return m.moves[i].written, m.moves[i].power, true
	}
	bare, back := strings.CutSuffix(word, "'")
	for i, w := range m.written {
		rest, found := strings.CutPrefix(bare, w.name)
		if !found {
			continue
		}
		n := 1
		if rest = strings.TrimPrefix(rest, "^"); rest != "" {
			var err error
			if n, err = strconv.Atoi(rest); err != nil || n < 0 || n > mostMoves {
				continue
			}
		}
		if back {
			n = m.orderOf(i)*n - n
		}
		return i, n, true
	}
	return 0, 0, false
}

// orderOf returns how often a written move is made until nothing has changed.
func (m *model) orderOf(written int) int {
	n, one := 1, m.written[written].action
	for a := one; !a.isIdentity(); n++ {
		a = m.then(a, one)
	}
	return n
}

// key is the same for the same actions.
func (a action) key() string { return string(a.from) + string(a.turn) }

func (a action) isIdentity() bool {
	for i, from := range a.from {
		if int(from) != i || a.turn[i] != 0 {
			return false
		}
	}
	return true
}

// turns returns how many turns the pieces at a place have.
func (m *model) turns(place int) int { return m.Sets[m.setOf[place]].Turns }

// then returns what two actions do, one after the other.
func (m *model) then(a, b action) action {
	c := action{make([]uint8, len(a.from)), make([]uint8, len(a.from))}
	for i, from := range b.from {
		c.from[i] = a.from[from]
		c.turn[i] = uint8((int(a.turn[from]) + int(b.turn[i])) % m.turns(i))
	}
	return c
}

// inverse returns the action that takes one back.
func (m *model) inverse(a action) action {
	b := action{make([]uint8, len(a.from)), make([]uint8, len(a.from))}
	for i, from := range a.from {
		b.from[from] = uint8(i)
		b.turn[from] = uint8((m.turns(i) - int(a.turn[i])) % m.turns(i))
	}
	return b
}
