package slide

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/npuzzle"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/replay"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// A Space is the numbered positions of a puzzle, and the moves of a metric.
type Space struct {
	name   string
	puzzle *tray.Puzzle
	metric tray.Metric
	toGoal bool

	numbers numbering
	memory  uint64    // that the tables of numbers may take; 0 is no bound
	placing *placings // nil without numbers
}

// placings are the placements of a space, for patterns.
type placings struct {
	sync.Mutex
	made *packing.Packing // or nil
}

// NewSpace returns the space of a puzzle. With toGoal, it ends at the nearest goals. The error is
// a *packing.LimitError if the positions cannot be numbered, or if the tables do not fit into the memory, in
// bytes; 0 is no bound. New has a space for such a puzzle too. When ctx ends, NewSpace stops soon and
// returns the cause.
func NewSpace(ctx context.Context, name string, p *tray.Puzzle, m tray.Metric, toGoal bool, memory uint64) (*Space, error) {
	return makeSpace(ctx, name, p, m, toGoal, memory, newNumbering)
}

// makeSpace is NewSpace with numbers of a numberer.
func makeSpace(ctx context.Context, name string, p *tray.Puzzle, m tray.Metric, toGoal bool, memory uint64, number numberer) (*Space, error) {
	s, err := newSpace(name, p, m, toGoal)
	if err != nil {
		return nil, err
	}
	if s.numbers, err = number(ctx, p, m, memory); err != nil {
		return nil, err
	}
	pk, _ := s.numbers.(*packing.Packing)
	s.memory, s.placing = memory, &placings{made: pk}
	return s, nil
}

// packing returns the numbering if it is a Packing, or else makes one.
func (s *Space) packing(ctx context.Context) (*packing.Packing, error) {
	s.placing.Lock()
	defer s.placing.Unlock()
	if s.placing.made == nil {
		pk, err := packing.New(ctx, s.puzzle, s.memory)
		if err != nil {
			return nil, err
		}
		s.placing.made = pk
	}
	return s.placing.made, nil
}

// newSpace makes a space that lacks its numbers.
func newSpace(name string, p *tray.Puzzle, m tray.Metric, toGoal bool) (*Space, error) {
	if m >= tray.Metrics {
		return nil, fmt.Errorf("%v is not one of the %d metrics", m, tray.Metrics)
	}
	if toGoal && !p.HasGoal() {
		return nil, ErrNoGoal
	}
	return &Space{name: name, puzzle: p, metric: m, toGoal: toGoal}, nil
}

// Name implements statespace.Space.
func (s *Space) Name() string { return s.name }

// plain returns the space, also of those that embed it.
func (s *Space) plain() *Space { return s }

// Puzzle returns the puzzle.
func (s *Space) Puzzle() *tray.Puzzle { return s.puzzle }

// Metric returns the metric.
func (s *Space) Metric() tray.Metric { return s.metric }

// Size implements statespace.Space.
func (s *Space) Size() uint64 { return s.numbers.Size() }

// states is for the Parts: in n-puzzles, half of all orders of the tiles and the empty cell can be reached.
func (s *Space) states() *big.Int {
	cells := len(s.puzzle.Cells())
	if !npuzzle.Is(s.puzzle) || len(s.puzzle.Kinds()) != cells-1 {
		return nil
	}
	return new(big.Int).MulRange(3, int64(cells))
}

// Roots implements statespace.Space: the start is the only root.
func (s *Space) Roots() []statespace.Index {
	return []statespace.Index{rank(s.numbers, s.puzzle.Start())}
}

// Successors implements statespace.Space. Moves have no numbers: the two states say which move
// it is.
func (s *Space) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	for _, next := range s.puzzle.Successors(s.metric, s.numbers.Unrank(x)) {
		if y, ok := s.numbers.Rank(next.To); ok {
			dst = append(dst, statespace.Edge{To: y})
		}
	}
	return dst
}

// Predecessors implements statespace.Space: every move can be taken back.
func (s *Space) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.Successors(dst, x)
}

// Parts implements statespace.Space.
func (s *Space) Parts() statespace.Parts {
	p := statespace.Parts{Undirected: true, States: s.states, StartAt: s.StartAt, Cells: s, Graph: s.Graph,
		Symmetry: statespace.Symmetric{Mirrors: s.Mirrors},
		Texts:    statespace.Texts{Narrate: s.Narrate, Follow: s.follow, Explain: s.Explain, Plan: s.Plan}}
	if s.placing != nil {
		p.Finder = s
	}
	if numbers, ok := s.numbers.(interface {
		Proof(m tray.Metric) statespace.Proof
	}); ok {
		p.Proof = func() statespace.Proof { return numbers.Proof(s.metric) }
	}
	p.Bounds = s.bounds(coder{
		of:       func(pos tray.Position) []uint64 { return []uint64{rank(s.numbers, pos)} },
		position: func(code []uint64) tray.Position { return s.numbers.Unrank(code[0]) },
	})
	if p.Bounds.Walks != nil {
		p.EndAt = s.endAt
	}
	if s.puzzle.HasGoal() {
		p.Goals = statespace.Goals{Is: s.Goal, Ends: s.toGoal, Barred: s.puzzle.Barred}
	}
	return p
}

// parsePosition reads a position, of an n-puzzle also by the numbers of its tiles.
func (s *Space) parsePosition(text string) (tray.Position, error) {
	if npuzzle.Is(s.puzzle) {
		var err error
		if text, err = formats.DrawTiles(text); err != nil {
			return nil, err
		}
	}
	return s.puzzle.ParsePosition(text)
}

// endAt is for the Parts.
func (s *Space) endAt(text string) (statespace.Space, error) {
	end, err := s.parsePosition(text)
	if err != nil {
		return nil, err
	}
	name, p := s.name+" to "+s.puzzle.FormatPosition(end), s.puzzle.To(end)
	if s.Size() == 0 {
		return asSpace(NewUnnumbered(name, p, s.metric, true))
	}
	return asSpace(NewSpace(context.Background(), name, p, s.metric, true, s.memory))
}

// Goal reports whether a position is a goal.
func (s *Space) Goal(x statespace.Index) bool { return s.puzzle.Solved(s.numbers.Unrank(x)) }

// Graph is for the Parts.
func (s *Space) Graph() statespace.Graph {
	g := s.numbers.Graph(s.metric)
	g.Roots = slices.Values(s.Roots())
	return g
}

// is reports whether a position has a number.
func (s *Space) is(pos tray.Position, x statespace.Index) bool {
	y, ok := s.numbers.Rank(pos)
	return ok && x == y
}

// Parse implements statespace.Space; tray.Puzzle.ParsePosition describes the text.
func (s *Space) Parse(text string) (statespace.Index, error) {
	pos, err := s.parsePosition(text)
	if err != nil {
		return 0, err
	}
	x, ok := s.numbers.Rank(pos)
	if _, listed := s.numbers.(*ranks); listed && !ok {
		return 0, statespace.ErrUnlisted
	}
	if !ok {
		return 0, fmt.Errorf("%w: moves never exchange two tiles and leave all others in their places", statespace.ErrClass)
	}
	return x, nil
}

// StartAt returns the space of the same puzzle with another start, in the same metric. Its
// numbers may be others; their tables take no more memory than was allowed for those of the space.
// tray.Puzzle.ParsePosition describes the text.
func (s *Space) StartAt(ctx context.Context, text string) (statespace.Space, error) {
	start, err := s.parsePosition(text)
	if err != nil {
		return nil, err
	}
	p := s.puzzle.From(start)
	name := s.name + " from " + p.FormatPosition(start)
	if _, listed := s.numbers.(*ranks); listed {
		return asSpace(NewUnnumbered(name, p, s.metric, s.toGoal))
	}
	return asSpace(NewSpace(ctx, name, p, s.metric, s.toGoal, s.memory))
}

// Format implements statespace.Space.
func (s *Space) Format(x statespace.Index) string {
	return s.puzzle.FormatPosition(s.numbers.Unrank(x))
}

// FormatMove implements statespace.Space.
func (s *Space) FormatMove(from statespace.Index, move statespace.Edge) string {
	moves, _, err := s.Moves(statespace.Path{From: from, Steps: []statespace.Step{{State: move.To}}})
	if err != nil {
		return err.Error()
	}
	return moves[0].String()
}

// follow is for statespace.Texts: pieces keep their names, which decide the order of moves.
func (s *Space) follow(length int, on func(x statespace.Index, moves int) bool) (path statespace.Path, moves []fmt.Stringer, states []string, err error) {
	pos := s.puzzle.Start()
	path.From = rank(s.numbers, pos)
	var made []tray.Move
	for len(made) < length {
		next := s.puzzle.Successors(s.metric, pos)
		i := slices.IndexFunc(next, func(n tray.Successor) bool {
			x, ok := s.numbers.Rank(n.To)
			return ok && on(x, len(made)+1)
		})
		if i < 0 {
			return path, nil, nil, statespace.ErrNoPath
		}
		made, pos = append(made, s.puzzle.Move(next[i])), next[i].To
		path.Steps = append(path.Steps, statespace.Step{Move: statespace.AnyMove, State: rank(s.numbers, pos)})
	}
	if states, err = replay.Moves(s.puzzle, s.metric, made); err != nil {
		return path, nil, nil, err
	}
	if end := s.puzzle.FormatPosition(pos); states[length] != end {
		return path, nil, nil, fmt.Errorf("the moves lead to %s, not to %s", states[length], end)
	}
	for _, mv := range made {
		moves = append(moves, mv)
	}
	return path, moves, states, nil
}

// Moves returns the moves of a path, and the position before the first of them. On the path each
// piece keeps its name, though interchangeable pieces count as the same.
func (s *Space) Moves(path statespace.Path) ([]tray.Move, tray.Position, error) {
	from := s.numbers.Unrank(path.From)
	if start := s.puzzle.Start(); s.is(start, path.From) {
		from = start
	}
	var moves []tray.Move
	pos := from
	for _, step := range path.Steps {
		next := s.puzzle.Successors(s.metric, pos)
		i := slices.IndexFunc(next, func(n tray.Successor) bool { return s.is(n.To, step.State) })
		if i < 0 {
			return nil, nil, fmt.Errorf("no move leads from %s to %s", s.puzzle.FormatPosition(pos), s.Format(step.State))
		}
		moves, pos = append(moves, s.puzzle.Move(next[i])), next[i].To
	}
	return moves, from, nil
}

// Narrate is for statespace.Texts. The moves are of the type tray.Move. They are checked
// by package replay, which also draws the states.
func (s *Space) Narrate(path statespace.Path) (moves []fmt.Stringer, states []string, err error) {
	made, from, err := s.Moves(path)
	if err != nil {
		return nil, nil, err
	}
	if states, err = replay.Moves(s.puzzle.From(from), s.metric, made); err != nil {
		return nil, nil, err
	}
	for i, mv := range made {
		moves = append(moves, mv)
		if x, err := s.Parse(states[i+1]); err != nil || x != path.Steps[i].State {
			return nil, nil, fmt.Errorf("move %d, %v, leads to %s, not to %s", i+1, mv, states[i+1], s.Format(path.Steps[i].State))
		}
	}
	return moves, states, nil
}
