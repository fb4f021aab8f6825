package slide

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"pagoda/bitset"
	"pagoda/statespace"
)

// A Space is the numbered positions of a puzzle, and the moves of a metric
// between them. It implements statespace.Reversible.
type Space struct {
	name   string
	puzzle *Puzzle
	metric Metric
	toGoal bool

	numbers numbering
	// packing is the numbering, or if that is not a Packing, one made for questions with
	// patterns.
	packing func() (*Packing, error)
}

// Family is the name under which spaces of sliding blocks are written down.
const Family = "slide"

// NewSpace returns the space of a puzzle. With toGoal it has the positions that are no
// farther from the start than the nearest goal. The error is a *SizeError if its tables
// and two bits for each number take more than so many bytes of memory; 0 is no bound.
func NewSpace(name string, p *Puzzle, m Metric, toGoal bool, memory uint64) (*Space, error) {
	if m >= Metrics {
		return nil, fmt.Errorf("%v is none of the %d metrics", m, Metrics)
	}
	if toGoal && len(p.goals) == 0 {
		return nil, ErrNoGoal
	}
	numbers, err := newNumbering(p, m, memory)
	if err != nil {
		return nil, err
	}
	packing := sync.OnceValues(func() (*Packing, error) {
		if pk, ok := numbers.(*Packing); ok {
			return pk, nil
		}
		return NewPacking(p, 0)
	})
	return &Space{name, p, m, toGoal, numbers, packing}, nil
}

// Name implements statespace.Space.
func (s *Space) Name() string { return s.name }

// Puzzle returns the puzzle.
func (s *Space) Puzzle() *Puzzle { return s.puzzle }

// Metric returns what counts as a move.
func (s *Space) Metric() Metric { return s.metric }

// Size implements statespace.Space: the number of placements.
func (s *Space) Size() uint64 { return s.numbers.Size() }

// Roots implements statespace.Space: the start is the only root.
func (s *Space) Roots() []statespace.Index {
	return []statespace.Index{s.rank(s.puzzle.Start())}
}

// Successors implements statespace.Space. A move is known by its ends, and has no number.
func (s *Space) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	for _, next := range s.puzzle.successors(s.metric, s.numbers.Unrank(x)) {
		dst = append(dst, statespace.Edge{To: s.rank(next.pos)})
	}
	return dst
}

// Predecessors implements statespace.Space: every move can be taken back.
func (s *Space) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.Successors(dst, x)
}

// Goal implements statespace.Reversible.
func (s *Space) Goal(x statespace.Index) bool {
	return len(s.puzzle.goals) > 0 && s.puzzle.Solved(s.numbers.Unrank(x))
}

// HasGoal implements statespace.Reversible.
func (s *Space) HasGoal() bool { return len(s.puzzle.goals) > 0 }

// ToGoal implements statespace.Reversible.
func (s *Space) ToGoal() bool { return s.toGoal }

// Engines implements statespace.Reversible: the numbers are those of the states.
func (s *Space) Engines() []string { return []string{NumbersEngine.String()} }

// Memory implements statespace.Reversible.
func (s *Space) Memory(string) uint64 { return s.numbers.memory(runtime.GOMAXPROCS(0)) }

// Distances implements statespace.Reversible.
func (s *Space) Distances(ctx context.Context, _ string, distances *bitset.Planes, threads int, progress *statespace.Progress) (*statespace.Reached, error) {
	return s.numbers.distances(ctx, s.metric, s.Roots()[0], distances, s.toGoal, threads, progress)
}

// Neighbours implements statespace.Reversible.
func (s *Space) Neighbours() func(dst []statespace.Index, x statespace.Index) []statespace.Index {
	return s.numbers.neighbours(s.metric)
}

// rank returns the number of a position that can be reached.
func (s *Space) rank(pos Position) uint64 {
	x, _ := s.numbers.number(pos)
	return x
}

// Parse implements statespace.Space: see Puzzle.ParsePosition.
func (s *Space) Parse(text string) (statespace.Index, error) {
	pos, err := s.puzzle.ParsePosition(text)
	if err != nil {
		return 0, err
	}
	x, ok := s.numbers.number(pos)
	if !ok {
		return 0, fmt.Errorf("%w: moves never exchange two tiles and leave all others in their places", statespace.ErrClass)
	}
	return x, nil
}

// Format implements statespace.Space: see Puzzle.FormatPosition.
func (s *Space) Format(x statespace.Index) string {
	return s.puzzle.FormatPosition(s.numbers.Unrank(x))
}

// Tell implements statespace.Space: moves are of the type Move, and the states are drawn
// by Replay, which checks them. The pieces keep their names along the way.
func (s *Space) Tell(way statespace.Way) (moves []fmt.Stringer, states []string, err error) {
	made, from, err := s.Moves(way)
	if err != nil {
		return nil, nil, err
	}
	if states, err = s.puzzle.From(from).Replay(s.metric, made); err != nil {
		return nil, nil, err
	}
	for i, mv := range made {
		moves = append(moves, mv)
		if x, err := s.Parse(states[i+1]); err != nil || x != way.Steps[i].State {
			return nil, nil, fmt.Errorf("move %d, %v, leads to %s, not to %s", i+1, mv, states[i+1], s.Format(way.Steps[i].State))
		}
	}
	return moves, states, nil
}

// Moves returns the moves of a way, and the position from which they start.
func (s *Space) Moves(way statespace.Way) ([]Move, Position, error) {
	from := s.numbers.Unrank(way.From)
	if start := s.puzzle.Start(); s.rank(start) == way.From {
		from = start
	}
	var moves []Move
	pos := from
	for _, step := range way.Steps {
		next := s.puzzle.successors(s.metric, pos)
		i := slices.IndexFunc(next, func(n successor) bool { return s.rank(n.pos) == step.State })
		if i < 0 {
			return nil, nil, fmt.Errorf("no move leads from %s to %s", s.puzzle.FormatPosition(pos), s.Format(step.State))
		}
		moves, pos = append(moves, s.puzzle.move(next[i])), next[i].pos
	}
	return moves, from, nil
}

// definition is the puzzle of a Space's definition.
type definition struct {
	Text   string `json:"text"`
	Metric string `json:"metric"`
	ToGoal bool   `json:"to_goal,omitempty"`
}

// Definition implements statespace.Space.
func (s *Space) Definition() statespace.Definition {
	puzzle, err := json.Marshal(definition{s.puzzle.Format(), s.metric.String(), s.toGoal})
	if err != nil {
		panic(err) // strings always have a JSON form
	}
	return statespace.Definition{Family: Family, Name: s.name, Puzzle: puzzle, Numbering: json.RawMessage(`{"` + s.numbers.name() + `":1}`)}
}

// ErrNumbering says that a definition numbers positions in a way that is not known here.
var ErrNumbering = errors.New("unknown numbering")

// Define makes the space of a definition, with the same numbers.
func Define(d statespace.Definition) (*Space, error) {
	var def definition
	var numbering map[string]int
	err := json.Unmarshal(d.Puzzle, &def)
	if err == nil {
		err = json.Unmarshal(d.Numbering, &numbering)
	}
	var p *Puzzle
	if err == nil {
		p, err = ParsePuzzle(def.Text)
	}
	var m Metric
	if err == nil {
		m, err = ParseMetric(def.Metric)
	}
	if err != nil {
		return nil, fmt.Errorf("definition of %s: %w", d.Name, err)
	}
	sp, err := NewSpace(d.Name, p, m, def.ToGoal, 0)
	if err == nil && !maps.Equal(numbering, map[string]int{sp.numbers.name(): 1}) {
		err = fmt.Errorf("%w: %s is numbered by %s, expected %s", ErrNumbering, d.Name, d.Numbering, sp.Definition().Numbering)
	}
	return sp, err
}

// ParsePosition reads a position of the puzzle as FormatPosition writes it, in rows
// separated by / or by line ends. Walls at the end of a row may be left out. A text that
// is no drawing of the tray is a *SyntaxError; it is statespace.ErrOutside if a piece is
// where it cannot come.
func (p *Puzzle) ParsePosition(text string) (Position, error) {
	names := p.Pieces()
	cells := make([]uint64, len(p.pieces))
	where := make([]origin, len(p.pieces))
	err := p.readCells(text, func(cell int, ch rune, at origin) error {
		if ch == '.' {
			return nil
		}
		i := strings.IndexRune(names, ch)
		if i < 0 {
			return at.errorf("unexpected %q: the tray has no such piece", ch)
		}
		if cells[i] == 0 {
			where[i] = at
		}
		cells[i] |= 1 << cell
		return nil
	})
	if err != nil {
		return nil, err
	}
	pos := make(Position, len(p.pieces))
	start := p.Start()
	for i, set := range cells {
		if set == 0 {
			return nil, &SyntaxError{Line: 1, Col: 1, Reason: fmt.Sprintf("piece %c is missing", names[i])}
		}
		if !p.sameShape(p.mask(start, i), set) {
			return nil, where[i].errorf("%s", otherShape(names[i], p.mask(start, i), set))
		}
		pos[i] = uint8(anchor(set))
		if p.kindOf(i).mask[pos[i]] != set {
			return nil, fmt.Errorf("%w: piece %c cannot come there, even in an empty tray", statespace.ErrOutside, names[i])
		}
	}
	return pos, nil
}

// errorf makes a *SyntaxError of the character.
func (o origin) errorf(format string, args ...any) error { return o.row.errorf(o.at, format, args...) }

// readCells reads a drawing of the tray, in rows separated by / or by line ends, and hands
// on the character in each cell. A fault of the rows is a *SyntaxError.
func (p *Puzzle) readCells(text string, put func(cell int, ch rune, at origin) error) error {
	var rows []span
	for i, line := range strings.Split(strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n") {
		s := span{i + 1, 1, strings.TrimRight(line, " \t")}
		if s.text == "" {
			s.text = "#"
		}
		rows = append(rows, s.rows()...)
	}
	if len(rows) != p.rows {
		return &SyntaxError{Line: 1, Col: 1, Reason: fmt.Sprintf("the tray has %d rows, the position has %d", p.rows, len(rows))}
	}
	for r, s := range rows {
		col := 0
		for at, ch := range s.text {
			n, ok := p.number[Cell{r, col}]
			col++
			switch {
			case ch == '#' || ch == ' ':
				if ok {
					return s.errorf(at, "unexpected %q: the tray has no wall here", ch)
				}
				continue
			case !ok:
				return s.errorf(at, "unexpected %q: the tray has no cell in row %d, column %d (counted from 0)", ch, r, col-1)
			}
			if err := put(n, ch, origin{s, at}); err != nil {
				return err
			}
		}
		for ; col < p.cols; col++ {
			if _, ok := p.number[Cell{r, col}]; ok {
				return s.errorf(len(s.text), "the row ends, and the tray has a cell in row %d, column %d (counted from 0)", r, col)
			}
		}
	}
	return nil
}

// An Explanation tells how a Space is numbered.
type Explanation struct {
	Metric    string `json:"metric"`
	Cells     int    `json:"cells"`
	Pieces    int    `json:"pieces"`
	Kinds     int    `json:"kinds"`
	Numbering string `json:"numbering"`
	Numbers   uint64 `json:"numbers"`
	// Nodes and TableBytes are of a Packing.
	Nodes      int    `json:"nodes,omitempty"`
	TableBytes uint64 `json:"table_bytes,omitempty"`
}

// Explain implements statespace.Explainer.
func (s *Space) Explain() fmt.Stringer {
	p := s.puzzle
	e := Explanation{Metric: s.metric.String(), Cells: len(p.cells), Pieces: len(p.pieces), Kinds: len(p.kinds), Numbering: s.numbers.name(), Numbers: s.Size()}
	if pk, ok := s.numbers.(*Packing); ok {
		e.Nodes, e.TableBytes = pk.Nodes(), pk.Bytes()
	}
	return e
}

// String tells it in lines.
func (e Explanation) String() string {
	how := fmt.Sprintf("tiles in the order of reading: %d positions, all of which can be reached", e.Numbers)
	if e.Numbering == packingName {
		how = fmt.Sprintf("packing rank: %d placements, %d nodes, %d bytes of tables", e.Numbers, e.Nodes, e.TableBytes)
	}
	return fmt.Sprintf("tray        %d cells, %d pieces of %d kinds; moves are %s\nnumbering   %s\n", e.Cells, e.Pieces, e.Kinds, e.Metric, how)
}

// notPeg is what no drawing of a peg board has: a heading, or capitals and digits.
var notPeg = regexp.MustCompile(`(?m)^(title|author|source|note|lengths|states|tray|walls|goal|anywhere|rushhour|horizontal|vertical|distinct|alike):|^[^:]*[0-9A-Z][^:]*$`)

// IsPuzzle reports whether a text is meant to be a puzzle, not a peg board.
func IsPuzzle(text string) bool { return notPeg.MatchString(text) }
