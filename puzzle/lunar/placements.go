package lunar

import (
	"encoding/json"
	"fmt"
	"math/bits"

	"pagoda/internal/amount"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
)

// Placements is the whole space of a group: its states are the placements of the pieces.
type Placements struct {
	*numbering
	name  string
	group *Group
}

// Name implements statespace.Space.
func (s *Placements) Name() string { return s.name }

// Board returns the board.
func (s *Placements) Board() *board.Board { return s.b }

// Size implements statespace.Space.
func (s *Placements) Size() uint64 { return s.size() }

// Roots implements statespace.Space: the solved problems.
func (s *Placements) Roots() []statespace.Index {
	roots := make([]statespace.Index, s.first[1])
	for i := range roots {
		roots[i] = uint64(i)
	}
	return roots
}

// moveNumber returns the number of a move: its cells, and which of the ways between them it is. Ways
// has the moves of the same piece, in the order of board.Moves.
func moveNumber(ways []board.Move, i int) int {
	m, before := ways[i], 0
	for _, w := range ways[:i] {
		if w.To == m.To {
			before++
		}
	}
	return (m.From*board.MaxCells+m.To)<<32 | before
}

// Predecessors implements statespace.Space: the moves that can be made in a problem.
func (s *Placements) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	p := s.position(x)
	if p.Solved() {
		return dst
	}
	var ways []board.Move
	for left := p.All(); left != 0; left &= left - 1 {
		ways = s.b.PieceMoves(ways[:0], p, bits.TrailingZeros64(left))
		for i, m := range ways {
			dst = append(dst, statespace.Edge{To: s.number(p.After(m)), Move: moveNumber(ways, i)})
		}
	}
	return dst
}

// Successors implements statespace.Space: the moves that are taken back.
func (s *Placements) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	p := s.position(x)
	var ways []board.Move
	from := func(before board.Position, cell, to int, leaves bool) {
		ways = s.b.PieceMoves(ways[:0], before, cell)
		for i, m := range ways {
			if m.Leaves == leaves && (leaves || m.To == to) {
				dst = append(dst, statespace.Edge{To: s.number(before), Move: moveNumber(ways, i)})
			}
		}
	}
	for empty := s.b.All() &^ p.All(); empty != 0; empty &= empty - 1 {
		cell, inner := bits.TrailingZeros64(empty), empty&-empty&s.inner
		if inner != 0 && bits.OnesCount64(p.Letters) < s.letters {
			from(board.Position{Letters: p.Letters | inner, Numbers: p.Numbers}, cell, 0, true)
		}
		if p.Solved() {
			continue // it was the last letter that left
		}
		for left := p.Letters; left != 0 && inner != 0; left &= left - 1 {
			from(board.Position{Letters: p.Letters&^(left&-left) | inner, Numbers: p.Numbers}, cell, bits.TrailingZeros64(left), false)
		}
		for left := p.Numbers; left != 0; left &= left - 1 {
			from(board.Position{Letters: p.Letters, Numbers: p.Numbers&^(left&-left) | 1<<cell}, cell, bits.TrailingZeros64(left), false)
		}
	}
	return dst
}

// Parse implements statespace.Space.
func (s *Placements) Parse(text string) (statespace.Index, error) {
	p, err := s.b.ParsePosition(text)
	if err != nil {
		return 0, err
	}
	letters, numbers := bits.OnesCount64(p.Letters), bits.OnesCount64(p.Numbers)
	if letters > s.letters || numbers != s.numbers {
		return 0, fmt.Errorf("%w: %s has problems of up to %s and exactly %s, found %d and %d", statespace.ErrOutside, s.group.name,
			amount.Of(s.letters, "letter"), amount.Of(s.numbers, "number"), letters, numbers)
	}
	return s.number(p), nil
}

// Format implements statespace.Space.
func (s *Placements) Format(x statespace.Index) string { return s.b.FormatPosition(s.position(x)) }

// FormatMove implements statespace.Space: the piece gets its name in the problem before the move.
func (s *Placements) FormatMove(from statespace.Index, move statespace.Edge) string {
	if text, ok := s.formatMove(from, move); ok { // a move of the puzzle
		return text
	}
	text, _ := s.formatMove(move.To, statespace.Edge{To: from, Move: move.Move})
	return "undo " + text
}

func (s *Placements) formatMove(from statespace.Index, move statespace.Edge) (string, bool) {
	drawing, err := s.b.NewDrawing(s.position(from))
	if err != nil {
		return "", false
	}
	_, play, ok := s.play(drawing, from, statespace.Step{Move: move.Move, State: move.To})
	return play.String(), ok
}

// play makes the move that leads from a state to the one of a step.
func (s *Placements) play(d board.Drawing, from statespace.Index, step statespace.Step) (board.Drawing, board.Play, bool) {
	i := step.In(s.Predecessors(nil, from))
	if i < 0 {
		return nil, board.Play{}, false
	}
	after, play := s.b.Make(d, s.b.Moves(nil, s.position(from))[i])
	return after, play, true
}

// narrate is the Narrate of the Texts. It describes the path as it is played, from the problem to the
// solved one, and keeps the names of the pieces.
func (s *Placements) narrate(path statespace.Path) (moves []fmt.Stringer, states []string, err error) {
	path = path.Reversed()
	at := path.From
	d, err := s.b.NewDrawing(s.position(at))
	if err != nil {
		return nil, nil, err
	}
	states = append(states, s.b.Format(d))
	for i, step := range path.Steps {
		after, play, ok := s.play(d, at, step)
		if !ok {
			return nil, nil, fmt.Errorf("move %d: no move leads from %s to %s", i+1, s.Format(at), s.Format(step.State))
		}
		d, at = after, step.State
		moves, states = append(moves, play), append(states, s.b.Format(d))
	}
	return moves, states, nil
}

// Definition implements statespace.Space.
func (s *Placements) Definition() statespace.Definition {
	d := s.group.Definition()
	d.Name, d.Numbering = s.name, json.RawMessage(placementsNumbering)
	return d
}

// Parts implements statespace.Space.
func (s *Placements) Parts() statespace.Parts {
	return statespace.Parts{Reversed: true, Cells: s, Symmetry: statespace.Symmetric{Mirrors: s.mirrors},
		Values: statespace.Values{Value: s.value, Best: s.best, DistanceName: s.b.Metric(), Columns: columns},
		Texts:  statespace.Texts{Narrate: s.narrate, WhyNot: func(x statespace.Index) string { return s.whyNot(s.position(x)) }}}
}

// value is the Value of the Values.
func (s *Placements) value(dst []uint64, x statespace.Index, near statespace.Near) {
	s.valueOf(dst, s.position(x), func(p board.Position) ([]uint64, board.Set, []int) {
		return near(s.number(p)), p.Numbers, s.group.turns[0]
	})
}

// best is the Best of the Values.
func (s *Placements) best(dst []statespace.Edge, x statespace.Index, near statespace.Near) []statespace.Edge {
	p := s.position(x)
	if p.Solved() {
		return dst
	}
	first, least := len(dst), ^uint64(0)
	edges := s.Predecessors(nil, x)
	for i, m := range s.b.Moves(nil, p) {
		values := near(edges[i].To)
		if values == nil {
			continue
		}
		steps := values[StepsColumn] + uint64(len(m.Steps))
		if steps < least {
			dst, least = dst[:first], steps
		}
		if steps == least {
			dst = append(dst, edges[i])
		}
	}
	return dst
}

// valueOf finds the values of a problem by the rules, cell by cell. Next returns those of a problem one
// move nearer to its solution, with its number pieces in the order of these values after a turn; nil if it is not nearer.
func (n *numbering) valueOf(dst []uint64, p board.Position, next func(p board.Position) (values []uint64, numbers board.Set, turn []int)) {
	clear(dst)
	if p.Solved() {
		dst[SolutionsColumn] = 1
		return
	}
	dst[StepsColumn] = ^uint64(0)
	var room [128]route
	for left := p.All(); left != 0; left &= left - 1 {
		piece := left & -left
		from, others, letter := bits.TrailingZeros64(piece), p.All()&^piece, p.Letters&piece != 0
		routes, reached := append(room[:0], route{from, piece}), piece
		for steps, first := 1, 0; first < len(routes) && (steps == 1 || n.b.Metric() != board.SlidesMetric); steps++ {
			end, fresh := len(routes), board.Set(0)
			for _, r := range routes[first:end] {
				if letter && n.b.Exits()>>r.cell&1 != 0 {
					continue // it has left
				}
				for d := range board.Directions {
					to, stop, ok := n.b.Slide(others, r.cell, d)
					if !ok || reached>>to&1 != 0 {
						continue
					}
					fresh |= 1 << to
					routes = append(routes, route{to, r.used | 1<<stop})
				}
			}
			for _, r := range routes[end:] {
				after := p.After(board.Move{From: from, To: r.cell, Leaves: letter && n.b.Exits()>>r.cell&1 != 0})
				if values, numbers, turn := next(after); values != nil {
					n.addRoute(dst, p, from, r, uint64(steps), values, numbers, turn)
				}
			}
			reached |= fresh
			first = end
		}
	}
}

// A route is a shortest way of a piece to a cell, with the cells of the pieces that it uses.
type route struct {
	cell int
	used board.Set
}

// addRoute takes a route into account, which leads to a problem with values.
func (n *numbering) addRoute(dst []uint64, p board.Position, from int, r route, steps uint64, values []uint64, numbers board.Set, turn []int) {
	if steps += values[StepsColumn]; steps > dst[StepsColumn] {
		return
	}
	var always, some uint64
	for i, left := 0, p.Numbers; left != 0; i, left = i+1, left&(left-1) {
		cell := bits.TrailingZeros64(left)
		use := r.used >> cell & 1
		if cell == from {
			cell = r.cell
		}
		b := bits.OnesCount64(numbers & (1<<turn[cell] - 1))
		always |= (use | values[AlwaysColumn]>>b&1) << i
		some |= (use | values[SomeColumn]>>b&1) << i
	}
	if steps < dst[StepsColumn] {
		dst[StepsColumn], dst[SolutionsColumn], dst[AlwaysColumn], dst[SomeColumn] = steps, values[SolutionsColumn], always, some
		return
	}
	dst[SolutionsColumn] = min(mostSolutions, dst[SolutionsColumn]+values[SolutionsColumn])
	dst[AlwaysColumn] &= always
	dst[SomeColumn] |= some
}
