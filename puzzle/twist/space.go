package twist

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pagoda/puzzle/twist/definition"
	"pagoda/statespace"
	"pagoda/statespace/rows"
)

// FamilyName is the name of the family, and that of its definitions.
const FamilyName = "twist"

// A Space is the states of a permutation puzzle. It begins at the solved one, and Successors takes moves back.
type Space struct {
	name string
	*numbering
	rows *rows.Graph
	root uint64
}

// errLarge is the error of a puzzle with too many states.
var errLarge = fmt.Errorf("%w: its states have numbers only if they fit into %d rows of at most %d", statespace.ErrMemory, mostRows, mostColumns)

// New returns the space of a puzzle in a metric. Memory bounds the bytes of its tables, unless it is 0.
func New(ctx context.Context, name string, p *definition.Puzzle, metric string, memory uint64) (*Space, error) {
	m, err := newModel(p, metric)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	n, err := newNumbering(ctx, m, memory)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if n == nil {
		return nil, fmt.Errorf("%s has at least %.3g states: %w", name, m.full.least(), errLarge)
	}
	return newSpace(name, n), nil
}

func newSpace(name string, n *numbering) *Space {
	s := &Space{name: name, numbering: n, rows: n.graph()}
	s.root, _ = n.rank(n.full.start)
	return s
}

// Name implements statespace.Space.
func (s *Space) Name() string { return s.name }

// Metric returns what counts as a move: moves or turns.
func (s *Space) Metric() string { return s.metric }

// Size implements statespace.Space.
func (s *Space) Size() uint64 { return s.rows.Size() }

// Roots implements statespace.Space.
func (s *Space) Roots() []statespace.Index { return []statespace.Index{s.root} }

// Successors implements statespace.Space: the states in which a move leads to x.
func (s *Space) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.edges(dst, x, func(i int) int { return s.moves[i].inverse })
}

// Predecessors implements statespace.Space: the states to which moves lead from x.
func (s *Space) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.edges(dst, x, func(i int) int { return i })
}

// edges appends the states to which moves lead from x. An edge has the move that a function returns.
func (s *Space) edges(dst []statespace.Edge, x uint64, as func(move int) int) []statespace.Edge {
	columns, moves := uint64(s.columns), len(s.moves)
	row, column := int(x/columns), x%columns
	if s.illegal[row] {
		return dst
	}
	for i, to := range s.next[row*moves:][:moves] {
		if s.illegal[to] {
			continue
		}
		y := column
		if by := s.maps[s.mapOf(row, i)]; by != nil {
			y = uint64(by[column])
		}
		dst = append(dst, statespace.Edge{To: uint64(to)*columns + y, Move: as(i)})
	}
	return dst
}

// FormatMove implements statespace.Space.
func (s *Space) FormatMove(_ statespace.Index, move statespace.Edge) string {
	return s.moves[move.Move].name
}

// Parse implements statespace.Space. It reads what Format writes, and moves that are made from the solved state.
func (s *Space) Parse(text string) (statespace.Index, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, fmt.Errorf("expected the pieces of a state, or moves from the solved state, such as %s", s.moves[0].name)
	}
	words := strings.Fields(text)
	isMove := func(word string) bool { _, _, ok := s.parsePower(word); return ok }
	if !isMove(words[0]) && text[0] >= '0' && text[0] <= '9' {
		return s.parseState(text)
	}
	x := s.root
	for _, word := range words {
		written, power, ok := s.parsePower(word)
		if !ok {
			return 0, fmt.Errorf("there is no move %.40q: the moves are %s", word, s.moveNames())
		}
		for range power % s.orderOf(written) {
			edges := s.Predecessors(nil, x)
			k := slices.IndexFunc(edges, func(e statespace.Edge) bool { return e.Move == s.written[written].number })
			if k < 0 {
				return 0, fmt.Errorf("the move %s is not allowed there", word)
			}
			x = edges[k].To
		}
	}
	return x, nil
}

// moveNames lists the moves as they are written.
func (s *Space) moveNames() string {
	var names []string
	for _, w := range s.written {
		names = append(names, w.name)
	}
	return strings.Join(names, ", ") + ", with multiples such as " + s.moves[len(s.moves)-1].name
}

// puzzleDefinition is the part Puzzle of definitions.
type puzzleDefinition struct {
	*definition.Puzzle
	Metric string
}

// numberingDefinition is the part Numbering of definitions.
const numberingDefinition = `{"rows":1}`

// Definition implements statespace.Space.
func (s *Space) Definition() statespace.Definition {
	return statespace.Definition{Family: FamilyName, Name: s.name, Puzzle: statespace.Encode(puzzleDefinition{s.Puzzle, s.metric}), Numbering: json.RawMessage(numberingDefinition)}
}

// Define makes the space of a definition.
func Define(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
	if string(d.Numbering) != numberingDefinition {
		return nil, fmt.Errorf("%w: %s is numbered by %.100s, expected %s", statespace.ErrUnknown, d.Name, d.Numbering, numberingDefinition)
	}
	p := puzzleDefinition{Puzzle: new(definition.Puzzle)}
	if err := json.Unmarshal(d.Puzzle, &p); err != nil {
		return nil, fmt.Errorf("%s: its definition is no permutation puzzle: %w", d.Name, err)
	}
	if p.Metric != movesMetric && p.Metric != turnsMetric {
		return nil, fmt.Errorf("%s: there is no metric %.40q: expected %s or %s", d.Name, p.Metric, movesMetric, turnsMetric)
	}
	sp, err := New(ctx, d.Name, p.Puzzle, p.Metric, memory)
	if err != nil {
		return nil, err
	}
	return sp, nil
}

// Parts implements statespace.Space.
func (s *Space) Parts() statespace.Parts {
	p := statespace.Parts{Undirected: true, Reversed: true, Symmetry: statespace.Symmetric{Mirrors: s.symmetries}, Proof: s.rows.Proof, Graph: func() statespace.Graph { return s.rows.Graph(len(s.moves), s.Roots()) }}
	if s.Contents() <= mostContents {
		p.Cells = s
	}
	if len(s.Illegal) == 0 {
		p.States = func() *big.Int { return new(big.Int).SetUint64(s.Size()) }
	}
	return p
}
