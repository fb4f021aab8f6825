package peg

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/engine"
	"pagoda/puzzle/peg/layout"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/trie"
)

// A Space is the position class of a start position: its positions, numbered, and the jumps
// between them.
type Space struct {
	name       string
	board      *board.Board
	class      *board.Class
	start      board.Position
	jumps      []jump
	low        lowCells
	walks      sync.Pool   // of *walk, each with its tables
	terms      []trie.Term // what each cell holds
	symmetries func() []*board.Symmetry
	layout     func() *layout.Layout          // nil if the board has none, or another numbering
	sweep      func() *engine.Engine          // nil if the class cannot be swept
	blocks     func() *statespace.SweepBlocks // nil if the symmetries do not take blocks to blocks
	parts      statespace.Parts
}

// A jump is a board.Jump by its cells, the pegs that it takes, and how it changes the
// number of a position.
type jump struct{ cells, pegs, flip uint64 }

// FamilyName is the name of peg spaces in definitions.
const FamilyName = "peg"

// New returns the space of a start position, in the numbering of the sweep.
func New(name string, b *board.Board, start board.Position) (*Space, error) {
	l := newLayout(b, start)
	var free []int
	if l != nil {
		free = l.Free
	} else {
		free = b.FreeCells(b.ByLines(b.Full()))
	}
	return newSpace(name, b, start, free, func() *layout.Layout { return l })
}

// newLayout returns the layout for the symmetries that keep a start as it is, or, if
// there is none, one for no symmetries.
func newLayout(b *board.Board, start board.Position) *layout.Layout {
	if l := layout.New(b, b.Stabilizer(start)); l != nil {
		return l
	}
	return layout.New(b, nil)
}

func newSpace(name string, b *board.Board, start board.Position, free []int, layout func() *layout.Layout) (*Space, error) {
	if start&^b.Full() != 0 {
		return nil, fmt.Errorf("the start %#x has pegs beyond the board's %d cells", start, len(b.Cells()))
	}
	class, err := board.NewClass(b, start, free)
	if err != nil {
		return nil, err
	}
	s := &Space{name: name, board: b, class: class, start: start, layout: layout, low: newLowCells(class), terms: terms(class)}
	s.symmetries = sync.OnceValue(func() []*board.Symmetry { return class.Symmetries(start) })
	s.sweep = sync.OnceValue(func() *engine.Engine {
		if l := layout(); l != nil {
			return engine.New(class, l, start, s.symmetries)
		}
		return nil
	})
	s.blocks = sync.OnceValue(func() *statespace.SweepBlocks {
		if e := s.sweep(); e != nil {
			return e.Blocks()
		}
		return nil
	})
	s.parts = statespace.Parts{Layers: s, Steps: true, Cells: s, Finder: s, Graph: s.Graph, Sweep: s.newKernels(), StartAt: s.StartAt,
		Symmetry: statespace.Symmetric{Fixed: s.Symmetries, Words: s.words},
		Texts:    statespace.Texts{Narrate: s.Narrate, Explain: s.Explain, Features: s.Features}}
	shells := sync.OnceValue(func() shells { return newShells(newWalk(class).classTables) })
	s.walks.New = func() any {
		w := newWalk(class)
		w.shells = shells()
		return w
	}
	for k := range b.Jumps() {
		j := b.Jump(k)
		s.jumps = append(s.jumps, jump{cells: j.Mask(), pegs: 1<<j.From | 1<<j.Over, flip: class.Flip(j)})
	}
	return s, nil
}

// puzzleJSON and numbering are the two halves of a Space's definition.
type (
	puzzleJSON struct {
		Lattice string `json:"lattice"`
		Start   string `json:"start"` // in rows
	}
	numbering struct {
		Free []int `json:"free"` // the cell of each bit of a number, lowest first
	}
)

// Definition implements statespace.Space.
func (s *Space) Definition() statespace.Definition {
	return statespace.Definition{Family: FamilyName, Name: s.name,
		Puzzle:    statespace.Encode(puzzleJSON{s.board.Lattice().String(), s.board.FormatPosition(s.start)}),
		Numbering: statespace.Encode(numbering{s.class.Free()})}
}

// Define makes the space of a definition, with the same numbers.
func Define(d statespace.Definition) (*Space, error) {
	var p puzzleJSON
	var n numbering
	err := cmp.Or(json.Unmarshal(d.Puzzle, &p), json.Unmarshal(d.Numbering, &n))
	var s *Space
	if err == nil {
		s, err = define(d.Name, p, n)
	}
	if err != nil {
		return nil, fmt.Errorf("definition of %s: %w", d.Name, err)
	}
	return s, nil
}

func define(name string, p puzzleJSON, n numbering) (*Space, error) {
	text := strings.ReplaceAll(p.Start, "/", "\n")
	b, start, err := board.ParseBoard(board.LatticeLine + p.Lattice + "\n" + text)
	if err != nil {
		return nil, err
	}
	return newSpace(name, b, start, n.Free, sync.OnceValue(func() *layout.Layout {
		if l := newLayout(b, start); l != nil && slices.Equal(l.Free, n.Free) {
			return l
		}
		return nil
	}))
}

// Name implements statespace.Space.
func (s *Space) Name() string { return s.name }

// Board returns the board.
func (s *Space) Board() *board.Board { return s.board }

// Start returns the start position.
func (s *Space) Start() board.Position { return s.start }

// Class returns the numbering.
func (s *Space) Class() *board.Class { return s.class }

// Size implements statespace.Space.
func (s *Space) Size() uint64 { return 1 << s.class.Dim() }

// Roots implements statespace.Space: the start is the only root.
func (s *Space) Roots() []statespace.Index {
	x, _ := s.class.Number(s.start)
	return []statespace.Index{x}
}

// Successors implements statespace.Space. A move is the number of a jump.
func (s *Space) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.edges(dst, x, s.class.Position(x))
}

// Predecessors implements statespace.Space. A jump seen backwards, with pegs and holes
// exchanged, is the same jump. So the jumps to a position are those that its complement
// allows.
func (s *Space) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.edges(dst, x, ^s.class.Position(x))
}

// edges appends the jumps that p allows, with the numbers that x becomes.
func (s *Space) edges(dst []statespace.Edge, x statespace.Index, p board.Position) []statespace.Edge {
	n := len(dst)
	dst = slices.Grow(dst, len(s.jumps)+1)[:n+len(s.jumps)+1]
	// Processors predict badly which jumps are possible. So write every jump, and let the
	// next one overwrite a jump that is not possible.
	for k := range s.jumps {
		j := &s.jumps[k]
		dst[n] = statespace.Edge{To: x ^ j.flip, Move: k}
		can := 0
		if p&j.cells == j.pegs {
			can = 1
		}
		n += can
	}
	return dst[:n]
}

// Parse implements statespace.Space; Board.ParsePosition describes the text. The error
// for a position of another class is a *ClassError.
func (s *Space) Parse(text string) (statespace.Index, error) {
	p, err := s.board.ParsePosition(text)
	if err != nil {
		return 0, err
	}
	x, ok := s.class.Number(p)
	if !ok {
		return 0, &ClassError{Board: s.board, Position: p, Broken: s.class.Broken(p)}
	}
	return x, nil
}

// A ClassError says that a position is not in the class of the start, so that it
// cannot be reached. It is a statespace.ErrOutside.
type ClassError struct {
	Board    *board.Board
	Position board.Position
	// Broken is a set of cells on which the position has an odd number of pegs and
	// the start an even one, or vice versa. No jump changes that.
	Broken uint64
}

func (e *ClassError) Error() string {
	parity := [2]string{"even", "odd"}
	is := bits.OnesCount64(e.Broken&e.Position) & 1
	return fmt.Sprintf("of another class than the start: on the %d marked cells of %s it has an %s number of pegs, the start an %s one, and no jump changes that",
		bits.OnesCount64(e.Broken), e.Board.FormatPosition(e.Broken), parity[is], parity[1-is])
}

// Is makes a ClassError a statespace.ErrOutside.
func (e *ClassError) Is(target error) bool {
	return target == statespace.ErrOutside || target == statespace.ErrClass
}

// Format implements statespace.Space; see Board.FormatPosition.
func (s *Space) Format(x statespace.Index) string {
	return s.board.FormatPosition(s.class.Position(x))
}

// A JumpText is a jump by the row and column of its cells.
type JumpText struct {
	From board.Cell `json:"from"`
	Over board.Cell `json:"over"`
	To   board.Cell `json:"to"`
}

// String describes the jump as "(1,2) over (2,2) to (3,2)".
func (j JumpText) String() string {
	return fmt.Sprintf("%v over %v to %v", j.From, j.Over, j.To)
}

// In implements cells.Noted. Letters and numbers have the form of the books on peg solitaire, such as
// c2-c4.
func (j JumpText) In(n cells.Notation) string {
	if n == cells.RowColumn {
		return j.String()
	}
	return n.Cell(j.From) + "-" + n.Cell(j.To)
}

// FormatMove implements statespace.Space.
func (s *Space) FormatMove(_ statespace.Index, move statespace.Edge) string {
	return s.Jump(move.Move).String()
}

// Jump returns a jump by the row and column of its cells; the number is that of an Edge.
func (s *Space) Jump(move int) JumpText { return JumpTextOf(s.board, move) }

// JumpTextOf returns a jump of a board by the row and column of its cells.
func JumpTextOf(b *board.Board, jump int) JumpText {
	c, j := b.Cells(), b.Jump(jump)
	return JumpText{c[j.From], c[j.Over], c[j.To]}
}

// Parts implements statespace.Space.
func (s *Space) Parts() statespace.Parts { return s.parts }

// Narrate is the one of its statespace.Texts: a move is a JumpText.
func (s *Space) Narrate(path statespace.Path) (moves []fmt.Stringer, states []string, err error) {
	jumps, err := s.JumpsOf(path)
	if err != nil {
		return nil, nil, err
	}
	states = append(states, s.Format(path.From))
	for i, k := range jumps {
		moves, states = append(moves, s.Jump(k)), append(states, s.Format(path.Steps[i].State))
	}
	return moves, states, nil
}

// JumpsOf returns the numbers of the jumps of a path. The error says which step is no jump.
func (s *Space) JumpsOf(path statespace.Path) (jumps []int, err error) {
	at := path.From
	var edges []statespace.Edge
	for i, step := range path.Steps {
		edges = s.Successors(edges[:0], at)
		k := step.In(edges)
		if k < 0 {
			return nil, fmt.Errorf("jump %d of the path: no jump leads from %s to %s", i+1, s.Format(at), s.Format(step.State))
		}
		jumps, at = append(jumps, edges[k].Move), step.State
	}
	return jumps, nil
}

// LayerName implements statespace.Layers.
func (s *Space) LayerName() string { return "pegs" }

// Layer implements statespace.Layers: the number of pegs.
func (s *Space) Layer(x statespace.Index) int { return bits.OnesCount64(s.class.Position(x)) }

// LayersFall implements statespace.Layers: a jump takes a peg away.
func (s *Space) LayersFall() bool { return true }

// Symmetries returns the symmetries of the board that leave the start as it is.
func (s *Space) Symmetries() []statespace.Symmetry {
	return lists.Map(s.symmetries(), func(sy *board.Symmetry) statespace.Symmetry { return sy.Affine })
}

// words returns the Symmetries with kernels for words.
func (s *Space) words() []statespace.WordSymmetry {
	return lists.Map(s.symmetries(), func(sy *board.Symmetry) statespace.WordSymmetry { return sy.Affine })
}
