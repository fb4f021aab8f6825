package chance

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// A Space is the space of a game. States are known by codes of two words, the layer and the state. Until
// a table numbers it, it has no numbers.
type Space struct{ game statespace.Game }

// NewSpace returns the space of a game. A move of the space is a move of the player and the answer of
// chance together.
func NewSpace(g statespace.Game) *Space { return &Space{g} }

// Game returns the game of the space.
func (s *Space) Game() statespace.Game { return s.game }

// Define returns the space of a definition whose puzzle is the options O of a game, by the function that makes it.
func Define[O any, G statespace.Game](d statespace.Definition, newGame func(name string, o O) (G, error)) (statespace.Space, error) {
	var o O
	if err := json.Unmarshal(d.Puzzle, &o); err != nil {
		return nil, fmt.Errorf("the definition of %s: %w", d.Name, err)
	}
	g, err := newGame(d.Name, o)
	if err != nil {
		return nil, err
	}
	return NewSpace(g), nil
}

// Name implements statespace.Space.
func (s *Space) Name() string { return s.game.Name() }

// Size implements statespace.Space: there are no numbers.
func (s *Space) Size() uint64 { return 0 }

// Roots implements statespace.Space.
func (s *Space) Roots() []statespace.Index { return nil }

// Successors implements statespace.Space.
func (s *Space) Successors(dst []statespace.Edge, _ statespace.Index) []statespace.Edge { return dst }

// Predecessors implements statespace.Space.
func (s *Space) Predecessors(dst []statespace.Edge, _ statespace.Index) []statespace.Edge { return dst }

// Parse implements statespace.Space.
func (s *Space) Parse(text string) (statespace.Index, error) {
	if _, _, err := s.game.Parse(text); err != nil {
		return 0, err
	}
	return 0, statespace.ErrOutside
}

// Format implements statespace.Space.
func (s *Space) Format(statespace.Index) string { return "" }

// FormatMove implements statespace.Space.
func (s *Space) FormatMove(statespace.Index, statespace.Edge) string { return "" }

// Definition implements statespace.Space.
func (s *Space) Definition() statespace.Definition { return s.game.Definition() }

// LayerName implements statespace.Layers.
func (s *Space) LayerName() string { return s.game.LayerName() }

// Layer implements statespace.Layers.
func (s *Space) Layer(statespace.Index) int { return 0 }

// LayersFall implements statespace.Layers.
func (s *Space) LayersFall() bool { return false }

// Parts implements statespace.Space.
func (s *Space) Parts() statespace.Parts {
	return statespace.Parts{Stacked: true, Layers: s, Chance: s.game, Codes: statespace.Codes{Graph: s.codes, Numbered: s.numbered}}
}

// codes returns the graph of the codes. A state may be at several distances from the start.
func (s *Space) codes() statespace.CodeGraph {
	valid := func(code []uint64) bool {
		return code[0] <= math.MaxInt32 && s.game.Check(int(code[0]), code[1]) == nil
	}
	g := statespace.CodeGraph{Words: 2, Back: -1, Valid: valid, NewExpander: func() statespace.CodeExpander { return &expander{rules: s.game.NewRules()} }}
	for _, d := range s.game.Start() {
		g.Roots = append(g.Roots, []uint64{uint64(d.Step), d.To})
	}
	return g
}

// An expander makes moves on codes.
type expander struct {
	rules statespace.GameRules
	moves []statespace.GameMove
	draws []statespace.GameDraw
}

// Expand implements statespace.CodeExpander.
func (e *expander) Expand(dst []uint64, code []uint64) []uint64 {
	layer, state := code[0], code[1]
	e.moves = e.rules.Moves(e.moves[:0], state)
	for _, m := range e.moves {
		if m.Won {
			continue
		}
		e.draws = e.rules.Draws(e.draws[:0], m.After)
		for _, d := range e.draws {
			dst = append(dst, layer+uint64(d.Step), d.To)
		}
	}
	return dst
}

// Goal implements statespace.CodeExpander: there are none.
func (e *expander) Goal([]uint64) bool { return false }

// numbered is the Numbered of the Codes.
func (s *Space) numbered(t statespace.Table) (statespace.Space, error) {
	d, err := sparse.Renumber(s.Definition())
	if err != nil {
		return nil, err
	}
	n := &numbered{s, t, d, nil}
	for _, start := range s.game.Start() {
		if x, ok := n.rank(start.Step, start.To); ok {
			n.roots = append(n.roots, x)
		}
	}
	if n.roots == nil {
		first := s.game.Start()[0]
		return nil, fmt.Errorf("the table of codes should have starts such as %s, and lacks all", s.game.Format(first.Step, first.To))
	}
	return n, nil
}

// numbered is a Space whose numbers are ranks in a table of its codes.
type numbered struct {
	*Space
	table      statespace.Table
	definition statespace.Definition
	roots      []statespace.Index
}

func (n *numbered) rank(layer int, state uint64) (statespace.Index, bool) {
	x, ok, err := n.table.Rank([]uint64{uint64(layer), state})
	if err != nil {
		mapped.Throw(err)
	}
	return x, ok
}

// code returns the layer and the state of a number.
func (n *numbered) code(x statespace.Index) (layer int, state uint64) {
	var room [2]uint64
	code, err := n.table.At(room[:0], x)
	if err != nil {
		mapped.Throw(err)
	}
	return int(code[0]), code[1]
}

// Parts implements statespace.Space. It has the game, and layers and features by rank.
func (n *numbered) Parts() statespace.Parts {
	p := n.Space.Parts()
	p.Layers, p.Texts.Features, p.Texts.Narrate = n, n.features, n.narrate
	p.Codes = statespace.Codes{Of: n.Space}
	return p
}

// Size implements statespace.Space.
func (n *numbered) Size() uint64 { return n.table.Len() }

// Roots implements statespace.Space.
func (n *numbered) Roots() []statespace.Index { return slices.Clone(n.roots) }

// Definition implements statespace.Space.
func (n *numbered) Definition() statespace.Definition { return n.definition }

// Layer implements statespace.Layers.
func (n *numbered) Layer(x statespace.Index) int {
	layer, _ := n.code(x)
	return layer
}

// firstIn returns the least number of a state in a layer or a higher one, or Size if there is none.
func (n *numbered) firstIn(layer int) statespace.Index {
	x, _ := n.rank(layer, 0)
	return x
}

// Successors implements statespace.Space. The number of a move is that of the player's move, times
// Game.MostDraws, and that of the answer.
func (n *numbered) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	layer, state := n.code(x)
	rules := n.game.NewRules()
	for i, m := range rules.Moves(nil, state) {
		if m.Won {
			continue
		}
		for j, d := range rules.Draws(nil, m.After) {
			if y, ok := n.rank(layer+d.Step, d.To); ok {
				dst = append(dst, statespace.Edge{To: y, Move: i*n.game.MostDraws() + j})
			}
		}
	}
	return dst
}

// Predecessors implements statespace.Space. If the game does not go back by itself, it looks through the layers from which a
// move can lead to x: it takes as long as there are states in them.
func (n *numbered) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	layer, state := n.code(x)
	var edges []statespace.Edge
	from := func(y statespace.Index) {
		edges = n.Successors(edges[:0], y)
		for _, e := range edges {
			if e.To == x {
				dst = append(dst, statespace.Edge{To: y, Move: e.Move})
			}
		}
	}
	for _, step := range n.game.Steps() {
		if step > layer {
			continue
		}
		if before, ok := n.game.Before(nil, state, step); ok {
			slices.Sort(before)
			for _, b := range slices.Compact(before) {
				if y, ok := n.rank(layer-step, b); ok {
					from(y)
				}
			}
			continue
		}
		for y, high := n.firstIn(layer-step), n.firstIn(layer-step+1); y < high; y++ {
			from(y)
		}
	}
	return dst
}

// Parse implements statespace.Space.
func (n *numbered) Parse(text string) (statespace.Index, error) {
	layer, state, err := n.game.Parse(text)
	if err != nil {
		return 0, err
	}
	if x, ok := n.rank(layer, state); ok {
		return x, nil
	}
	return 0, statespace.ErrUnlisted
}

// Format implements statespace.Space.
func (n *numbered) Format(x statespace.Index) string {
	layer, state := n.code(x)
	return n.game.Format(layer, state)
}

// FormatMove implements statespace.Space.
func (n *numbered) FormatMove(from statespace.Index, e statespace.Edge) string {
	layer, state := n.code(from)
	rules := n.game.NewRules()
	moves := rules.Moves(nil, state)
	i, j := e.Move/n.game.MostDraws(), e.Move%n.game.MostDraws()
	if i < 0 || i >= len(moves) || moves[i].Won {
		return "no move"
	}
	draws := rules.Draws(nil, moves[i].After)
	if j < 0 || j >= len(draws) {
		return "no move"
	}
	return n.game.FormatMove(layer, state, moves[i], draws[j])
}

// narrate describes a path as it is played: on images that follow one another.
func (n *numbered) narrate(path statespace.Path) (moves []fmt.Stringer, states []string, err error) {
	rules := n.game.NewRules()
	layer, state := n.code(path.From)
	image := state
	states = append(states, n.game.Format(layer, image))
	for i, step := range path.Steps {
		next, to := n.code(step.State)
		move, draw, ok := n.turn(rules, state, step.Move, statespace.GameDraw{To: to, Step: next - layer})
		if !ok {
			return nil, nil, fmt.Errorf("move %d: no move leads from %s to %s", i+1, n.game.Format(layer, state), n.game.Format(next, to))
		}
		var after uint64
		move, after = n.game.Follow(image, move, draw)
		moves = append(moves, statespace.MoveText(n.game.FormatMove(layer, image, move, draw)))
		layer, state, image = next, to, after
		states = append(states, n.game.Format(layer, image))
	}
	return moves, states, nil
}

// turn finds the move and the answer of chance that lead from a state to another.
func (n *numbered) turn(rules statespace.GameRules, state uint64, number int, to statespace.GameDraw) (statespace.GameMove, statespace.GameDraw, bool) {
	for i, m := range rules.Moves(nil, state) {
		if m.Won {
			continue
		}
		for j, d := range rules.Draws(nil, m.After) {
			if d.To == to.To && d.Step == to.Step && (number == statespace.AnyMove || number == i*n.game.MostDraws()+j) {
				return m, d, true
			}
		}
	}
	return statespace.GameMove{}, statespace.GameDraw{}, false
}

// features are those of the Texts: the greatest mark of a state, its moves without the answers of chance, and
// the images for which it stands.
func (n *numbered) features() []statespace.Feature {
	return []statespace.Feature{{Name: "branching", About: "possible moves of the player", New: func() func(x statespace.Index) int64 {
		rules := n.game.NewRules()
		var moves []statespace.GameMove
		return func(x statespace.Index) int64 {
			_, state := n.code(x)
			moves = rules.Moves(moves[:0], state)
			all := int64(0)
			for _, m := range moves { // those of all cases have the same numbers
				if m.Case == moves[0].Case {
					all++
				}
			}
			return all
		}
	}}, {Name: "orbit", About: "how many different states the symmetries make of it, itself included", New: func() func(x statespace.Index) int64 {
		rules := n.game.NewRules()
		return func(x statespace.Index) int64 {
			_, state := n.code(x)
			return int64(rules.Images(state))
		}
	}}, {Name: n.game.MarkName(), About: "the greatest " + n.game.MarkName(), New: func() func(x statespace.Index) int64 {
		rules := n.game.NewRules()
		return func(x statespace.Index) int64 {
			_, state := n.code(x)
			mark := rules.Mark(state)
			if mark == 0 {
				return 0
			}
			number, err := strconv.ParseInt(n.game.FormatMark(mark), 10, 64)
			if err != nil {
				return int64(mark)
			}
			return number
		}
	}}}
}
