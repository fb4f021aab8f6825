package slide

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"

	"pagoda/statespace"
)

// A Space is the positions of a puzzle, numbered by a Packing, and the moves of a metric
// between them. It implements statespace.Space.
type Space struct {
	name   string
	puzzle *Puzzle
	metric Metric
	pk     *Packing
}

// Family is the name under which spaces of sliding blocks are written down.
const Family = "slide"

// NewSpace returns the space of a puzzle. The metric is one in which a single piece moves,
// for a move has a number that tells the kind of piece and where it goes.
func NewSpace(name string, p *Puzzle, m Metric) (*Space, error) {
	if m >= Metrics || m.Super() {
		return nil, fmt.Errorf("moves of several pieces, as in the metric %v, have no numbers: expected steps, lines or moves", m)
	}
	pk, err := NewPacking(p, 0)
	if err != nil {
		return nil, err
	}
	return &Space{name, p, m, pk}, nil
}

// Name implements statespace.Space.
func (s *Space) Name() string { return s.name }

// Puzzle returns the puzzle.
func (s *Space) Puzzle() *Puzzle { return s.puzzle }

// Metric returns what counts as a move.
func (s *Space) Metric() Metric { return s.metric }

// Size implements statespace.Space: the number of placements.
func (s *Space) Size() uint64 { return s.pk.Size() }

// Roots implements statespace.Space: the start is the only root.
func (s *Space) Roots() []statespace.Index {
	return []statespace.Index{s.pk.Rank(s.puzzle.Start())}
}

// A move's number is, from the lowest bits on, six bits each for the anchors to and from
// which a piece moves, and its kind.
func moveNumber(kind int, from, to uint8) int { return kind<<12 | int(from)<<6 | int(to) }

// Successors implements statespace.Space.
func (s *Space) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.edges(dst, x, false)
}

// Predecessors implements statespace.Space: every move can be taken back.
func (s *Space) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.edges(dst, x, true)
}

func (s *Space) edges(dst []statespace.Edge, x statespace.Index, back bool) []statespace.Edge {
	pos := s.pk.Unrank(x)
	for _, next := range s.puzzle.successors(s.metric, pos) {
		i := bits.TrailingZeros64(next.pieces)
		from, to := pos[i], next.pos[i]
		if back {
			from, to = to, from
		}
		dst = append(dst, statespace.Edge{To: s.pk.Rank(next.pos), Move: moveNumber(s.puzzle.pieces[i].kind, from, to)})
	}
	return dst
}

// Parse implements statespace.Space: see Puzzle.ParsePosition.
func (s *Space) Parse(text string) (statespace.Index, error) {
	pos, err := s.puzzle.ParsePosition(text)
	if err != nil {
		return 0, err
	}
	return s.pk.Rank(pos), nil
}

// Format implements statespace.Space: see Puzzle.FormatPosition.
func (s *Space) Format(x statespace.Index) string {
	return s.puzzle.FormatPosition(s.pk.Unrank(x))
}

// A MoveText is a move by one of the pieces that are not told apart, and the row and
// column of the first cell of the piece before and after.
type MoveText struct {
	Piece string `json:"piece"`
	From  [2]int `json:"from"`
	To    [2]int `json:"to"`
}

// String tells the move as "A (0,1) to (3,1)".
func (m MoveText) String() string {
	return fmt.Sprintf("%s (%d,%d) to (%d,%d)", m.Piece, m.From[0], m.From[1], m.To[0], m.To[1])
}

// Describe implements statespace.Space: a move is a MoveText.
func (s *Space) Describe(move int) fmt.Stringer {
	cell := func(n int) [2]int { return [2]int{s.puzzle.cells[n&63].Row, s.puzzle.cells[n&63].Col} }
	piece := s.puzzle.kinds[move>>12].pieces[0]
	return MoveText{string(s.puzzle.pieces[piece].name), cell(move >> 6), cell(move)}
}

// definition is the puzzle of a Space's definition.
type definition struct {
	Text   string `json:"text"`
	Metric string `json:"metric"`
}

// Definition implements statespace.Space.
func (s *Space) Definition() statespace.Definition {
	puzzle, err := json.Marshal(definition{s.puzzle.Format(), s.metric.String()})
	if err != nil {
		panic(err) // strings always have a JSON form
	}
	return statespace.Definition{Family: Family, Name: s.name, Puzzle: puzzle, Numbering: json.RawMessage(`{"packing":1}`)}
}

// Define makes the space of a definition, with the same numbers.
func Define(d statespace.Definition) (*Space, error) {
	var def definition
	var numbering struct {
		Packing int `json:"packing"`
	}
	err := json.Unmarshal(d.Puzzle, &def)
	if err == nil {
		err = json.Unmarshal(d.Numbering, &numbering)
	}
	if err == nil && numbering.Packing != 1 {
		err = fmt.Errorf("unknown numbering %s", d.Numbering)
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
	return NewSpace(d.Name, p, m)
}

// ParsePosition reads a position of the puzzle as FormatPosition writes it, in rows
// separated by / or by line ends. Walls at the end of a row may be left out. A text that
// is no drawing of the tray is a *SyntaxError; it is statespace.ErrOutside if a piece is
// where it cannot come.
func (p *Puzzle) ParsePosition(text string) (Position, error) {
	var rows []span
	for i, line := range strings.Split(strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n") {
		s := span{i + 1, 1, strings.TrimRight(line, " \t")}
		if s.text == "" {
			s.text = "#"
		}
		rows = append(rows, s.rows()...)
	}
	if len(rows) != p.rows {
		return nil, &SyntaxError{1, 1, fmt.Sprintf("the tray has %d rows, the position has %d", p.rows, len(rows))}
	}
	names := p.Pieces()
	cells := make([]uint64, len(p.pieces))
	where := make([]origin, len(p.pieces))
	for r, s := range rows {
		col := 0
		for at, ch := range s.text {
			n, ok := p.number[Cell{r, col}]
			col++
			switch {
			case ch == '#' || ch == ' ':
				if ok {
					return nil, s.errorf(at, "unexpected %q: the tray has no wall here", ch)
				}
				continue
			case !ok:
				return nil, s.errorf(at, "unexpected %q: the tray has no cell in row %d, column %d (counted from 0)", ch, r, col-1)
			case ch == '.':
				continue
			}
			i := strings.IndexRune(names, ch)
			if i < 0 {
				return nil, s.errorf(at, "unexpected %q: the tray has no such piece", ch)
			}
			if cells[i] == 0 {
				where[i] = origin{s, at}
			}
			cells[i] |= 1 << n
		}
		for ; col < p.cols; col++ {
			if _, ok := p.number[Cell{r, col}]; ok {
				return nil, s.errorf(len(s.text), "the row ends, and the tray has a cell in row %d, column %d (counted from 0)", r, col)
			}
		}
	}
	pos := make(Position, len(p.pieces))
	start := p.Start()
	for i, set := range cells {
		if set == 0 {
			return nil, &SyntaxError{1, 1, fmt.Sprintf("piece %c is missing", names[i])}
		}
		if !p.sameShape(p.mask(start, i), set) {
			return nil, where[i].row.errorf(where[i].at, "piece %c has another shape here than in the tray", names[i])
		}
		pos[i] = uint8(anchor(set))
		if p.kindOf(i).mask[pos[i]] != set {
			return nil, fmt.Errorf("%w: piece %c cannot come there, even in an empty tray", statespace.ErrOutside, names[i])
		}
	}
	return pos, nil
}

// An Explanation tells how a Space is numbered.
type Explanation struct {
	Metric     string `json:"metric"`
	Cells      int    `json:"cells"`
	Pieces     int    `json:"pieces"`
	Kinds      int    `json:"kinds"`
	Placements uint64 `json:"placements"`
	Nodes      int    `json:"nodes"`
	TableBytes uint64 `json:"table_bytes"`
	// SearchBytes is about what Solve takes for the whole component.
	SearchBytes uint64 `json:"search_bytes"`
}

// Explain implements statespace.Explainer.
func (s *Space) Explain() fmt.Stringer {
	p, pk := s.puzzle, s.pk
	return Explanation{s.metric.String(), len(p.cells), len(p.pieces), len(p.kinds), pk.Size(), pk.Nodes(), pk.Bytes(), pk.Bytes() + searchBytes(pk.Size())}
}

// String tells it in lines.
func (e Explanation) String() string {
	return fmt.Sprintf(`tray        %d cells, %d pieces of %d kinds; moves are %s
numbering   packing rank: %d placements, %d nodes, %d bytes of tables
solve       %d bytes, three bits for each placement
`, e.Cells, e.Pieces, e.Kinds, e.Metric, e.Placements, e.Nodes, e.TableBytes, e.SearchBytes)
}
