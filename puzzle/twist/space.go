package twist

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pagoda/internal/lists"
	"pagoda/puzzle/twist/definition"
	"pagoda/statespace"
	"pagoda/statespace/rows"
	"pagoda/statespace/sparse"
)

// FamilyName is the name of the family, and that of its definitions.
const FamilyName = "twist"

// A Space is the states of a permutation puzzle. It begins at the solved one, and Successors takes moves back. One with an
// end is played: it goes from a state to the end.
type Space struct {
	name string
	*model
	numbers
	rows  *rows.Graph // nil if a table numbers the states
	start []uint8
	end   []uint8 // or nil
}

// numbers are those of states.
type numbers interface {
	Size() uint64
	// rank returns the number of a state, if it has one.
	rank(state []uint8) (x uint64, ok bool)
	unrank(x uint64) []uint8
}

// New returns the space of a puzzle in a metric. If it has too many states for rows and columns, only those that are found
// get numbers. Memory bounds the bytes of its tables, unless it is 0.
func New(ctx context.Context, name string, p *definition.Puzzle, metric string, memory uint64) (*Space, error) {
	return newBy(ctx, name, p, metric, byAny, memory)
}

// newBy is New with numbers that are made in a way.
func newBy(ctx context.Context, name string, p *definition.Puzzle, metric string, way int, memory uint64) (*Space, error) {
	m, err := newModel(p, metric)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	n, err := newNumbering(ctx, m, way, memory)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case n != nil:
		return newSpace(name, n), nil
	case way == byLinks:
		return nil, fmt.Errorf("%s has at least %.3g states: %w: they have numbers only if they fit into %d rows of at most %d", name, m.full.least(), statespace.ErrMemory, mostRows, mostColumns)
	}
	return newUnnumbered(name, m, m.full.start, nil)
}

func newSpace(name string, n *numbering) *Space {
	return &Space{name: name, model: n.model, numbers: n, rows: n.graph(), start: n.full.start}
}

// Name implements statespace.Space.
func (s *Space) Name() string { return s.name }

// Metric returns what counts as a move: moves or turns.
func (s *Space) Metric() string { return s.metric }

// Roots implements statespace.Space.
func (s *Space) Roots() []statespace.Index {
	if x, ok := s.rank(s.start); ok {
		return []statespace.Index{x}
	}
	return nil
}

// Successors implements statespace.Space: without an end, the states in which a move leads to x.
func (s *Space) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.edges(dst, x, s.end == nil)
}

// Predecessors implements statespace.Space: without an end, the states to which moves lead from x.
func (s *Space) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.edges(dst, x, s.end != nil)
}

// edges appends the states to which moves lead from x, with these moves, or back with the moves that are taken back.
func (s *Space) edges(dst []statespace.Edge, x uint64, back bool) []statespace.Edge {
	state := s.unrank(x)
	next := make([]uint8, len(state))
	for i, m := range s.moves {
		if s.after(next, state, i) {
			if y, ok := s.rank(next); ok {
				if back {
					i = m.inverse
				}
				dst = append(dst, statespace.Edge{To: y, Move: i})
			}
		}
	}
	return dst
}

// after puts into dst the state after a move. It reports whether the move is allowed.
func (m *model) after(dst, state []uint8, move int) bool {
	m.full.act(dst, state, m.moves[move].action)
	return !m.full.isIllegal(state) && !m.full.isIllegal(dst)
}

// FormatMove implements statespace.Space.
func (s *Space) FormatMove(_ statespace.Index, move statespace.Edge) string {
	return s.moves[move.Move].name
}

// Parse implements statespace.Space. It reads what Format writes, and moves that are made from the solved state.
func (s *Space) Parse(text string) (statespace.Index, error) {
	state, err := s.parse(text)
	if err != nil {
		return 0, err
	}
	x, ok := s.rank(state)
	switch l, listed := s.numbers.(*listing); {
	case ok:
		return x, nil
	case !listed:
		return 0, statespace.ErrClass
	case l.of == nil:
		return 0, fmt.Errorf("%w: states of %s have no numbers until they are found", statespace.ErrOutside, s.name)
	}
	return 0, statespace.ErrUnlisted
}

// parse reads a state.
func (s *Space) parse(text string) ([]uint8, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, fmt.Errorf("expected the pieces of a state, or moves from the solved state, such as %s", s.moves[0].name)
	}
	words := strings.Fields(text)
	isMove := func(word string) bool { _, _, ok := s.parsePower(word); return ok }
	if !isMove(words[0]) && text[0] >= '0' && text[0] <= '9' {
		return s.parseState(text)
	}
	state, next := slices.Clone(s.full.start), make([]uint8, len(s.full.start))
	for _, word := range words {
		written, power, ok := s.parsePower(word)
		if !ok {
			return nil, fmt.Errorf("there is no move %.40q: the moves are %s", word, s.moveNames())
		}
		power %= s.orderOf(written)
		number, times := s.written[written].number, power
		if i := slices.IndexFunc(s.moves, func(m move) bool { return m.written == written && m.power == power }); i >= 0 {
			number, times = i, 1 // what is between may be illegal
		}
		for range times {
			if !s.after(next, state, number) {
				return nil, fmt.Errorf("the move %s is not allowed there", word)
			}
			state, next = next, state
		}
	}
	return state, nil
}

// moveNames lists the moves as they are written.
func (s *Space) moveNames() string {
	names := lists.Map(s.written, func(w move) string { return w.name })
	return strings.Join(names, ", ") + ", with multiples such as " + s.moves[len(s.moves)-1].name
}

// puzzleDefinition is the part Puzzle of definitions.
type puzzleDefinition struct {
	*definition.Puzzle
	Metric     string
	Start, End []uint8 `json:",omitempty"` // of a space without numbers that is played
}

// numberingDefinition is the part Numbering of definitions.
type numberingDefinition struct {
	Rows int `json:"rows"` // the way in which numbers are made
}

// Definition implements statespace.Space.
func (s *Space) Definition() statespace.Definition {
	p, way := puzzleDefinition{Puzzle: s.Puzzle, Metric: s.metric}, byCodes
	if s.end != nil {
		p.Start, p.End = s.start, s.end
	}
	if s.rows != nil {
		way = byLinks
	}
	d := statespace.Definition{Family: FamilyName, Name: s.name, Puzzle: statespace.Encode(p), Numbering: statespace.Encode(numberingDefinition{way})}
	if l, listed := s.numbers.(*listing); listed && l.of != nil {
		d, _ = sparse.Renumber(d) // it is JSON
	}
	return d
}

// Define makes the space of a definition.
func Define(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
	var n numberingDefinition
	if err := json.Unmarshal(d.Numbering, &n); err != nil || n.Rows != byLinks && n.Rows != byCodes {
		return nil, fmt.Errorf("%w: %s is numbered by %.100s, expected %s", statespace.ErrUnknown, d.Name, d.Numbering, `{"rows":4}`)
	}
	p := puzzleDefinition{Puzzle: new(definition.Puzzle)}
	if err := json.Unmarshal(d.Puzzle, &p); err != nil {
		return nil, fmt.Errorf("%s: its definition is no permutation puzzle: %w", d.Name, err)
	}
	if p.Metric != movesMetric && p.Metric != turnsMetric {
		return nil, fmt.Errorf("%s: there is no metric %.40q: expected %s or %s", d.Name, p.Metric, movesMetric, turnsMetric)
	}
	s, err := newBy(ctx, d.Name, p.Puzzle, p.Metric, n.Rows, memory)
	if err != nil {
		return nil, err
	}
	if p.Start != nil || p.End != nil {
		if s.rows != nil || !s.is(p.Start) || !s.is(p.End) {
			return nil, fmt.Errorf("%s: its definition has a start or an end that is no state", d.Name)
		}
		s.start, s.end = p.Start, p.End
	}
	return s, nil
}

// Parts implements statespace.Space.
func (s *Space) Parts() statespace.Parts {
	p := statespace.Parts{Undirected: true, Reversed: s.end == nil}
	if s.Contents() <= mostContents {
		p.Cells = s
	}
	if len(s.Illegal) == 0 && !s.alike() {
		p.States = func() *big.Int { return s.order(s.actions(s.written)) }
	}
	if s.end != nil {
		p.Goals = statespace.Goals{Is: func(x statespace.Index) bool { return slices.Equal(s.unrank(x), s.end) }, Ends: true}
	}
	switch l, listed := s.numbers.(*listing); {
	case !listed:
		p.Symmetry.Mirrors = s.symmetries
		p.Proof, p.Graph = s.rows.Proof, func() statespace.Graph { return s.rows.Graph(len(s.moves), s.Roots()) }
		if len(s.Illegal) == 0 {
			p.States = func() *big.Int { return new(big.Int).SetUint64(s.Size()) }
		}
	case l.of != nil:
		p.Codes = statespace.Codes{Of: l.of}
	default:
		p.Codes = statespace.Codes{Graph: s.codes, Numbered: s.numbered}
		p.StartAt, p.EndAt = s.startAt, s.endAt
		if s.end != nil {
			p.Bounds = statespace.Bounds{Walks: s.walks, Goals: func() [][]uint64 { return [][]uint64{s.code(nil, s.end)} }}
		}
	}
	return p
}
