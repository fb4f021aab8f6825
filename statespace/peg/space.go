package peg

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/trie"
)

// A Space is the position class of a start position: its positions, numbered, and
// the jumps between them. It implements statespace.FastFolded, statespace.Vectorized,
// statespace.Layered and statespace.Symmetric.
type Space struct {
	name       string
	board      *Board
	class      *Class
	start      Position
	layout     func() *Layout // nil when the board has none, or when it is not this numbering's
	jumps      []jump
	low        lowPart
	walks      sync.Pool // of *walk, each with its tables
	symmetries func() []*symmetry
	blockBits  func() int      // of the folding, 0 if there is none
	folding    func() *folding // nil if there is none
	terms      []trie.Term     // what each cell holds
	kernel     string          // that was asked for, or empty
}

// A jump is a Jump by its cells, the pegs that it takes, and how it changes the number
// of a position.
type jump struct{ cells, pegs, flip uint64 }

// The engines of a Space.
const (
	SweepEngine  = "sweep"  // blocks of falling weight; see Layout
	LevelsEngine = "levels" // one number of pegs after the other
)

// Family is the name under which peg spaces are written down.
const Family = "peg"

// New returns the space of a start position, numbered as suits the sweep.
func New(name string, b *Board, start Position) (*Space, error) {
	layout := newLayout(b, start)
	var free []int
	if layout != nil {
		free = layout.Free
	} else {
		free = b.freeCells(b.byLines(b.Full()))
	}
	return newSpace(name, b, start, free, func() *Layout { return layout })
}

// newLayout returns the layout for the symmetries that keep a start as it is, or, where
// there is none, one for no symmetries.
func newLayout(b *Board, start Position) *Layout {
	if l := NewLayout(b, b.stabilizer(start)); l != nil {
		return l
	}
	return NewLayout(b, nil)
}

func newSpace(name string, b *Board, start Position, free []int, layout func() *Layout) (*Space, error) {
	if start&^b.Full() != 0 {
		return nil, fmt.Errorf("the start %#x has pegs beyond the board's %d cells", start, len(b.cells))
	}
	class, err := NewClass(b, start, free)
	if err != nil {
		return nil, err
	}
	s := &Space{name: name, board: b, class: class, start: start, layout: layout, low: newLowPart(class), terms: terms(class)}
	s.symmetries = sync.OnceValue(func() []*symmetry { return newSymmetries(class, start) })
	s.blockBits = sync.OnceValue(s.findBlockBits)
	s.folding = sync.OnceValue(func() *folding {
		if s.BlockBits() == 0 {
			return nil
		}
		return newFolding(class, s.layout(), s.Roots()[0], s.symmetries())
	})
	s.walks.New = func() any { return newWalk(class) }
	for k := range b.Jumps() {
		j := b.Jump(k)
		s.jumps = append(s.jumps, jump{cells: j.mask(), pegs: 1<<j.From | 1<<j.Over, flip: class.flip(j)})
	}
	return s, nil
}

// puzzle and numbering are the two halves of a Space's definition.
type (
	puzzle struct {
		Lattice string `json:"lattice"`
		Start   string `json:"start"` // in rows
	}
	numbering struct {
		Free []int `json:"free"` // the cell of each bit of a number, lowest first
	}
)

// Definition implements statespace.Space.
func (s *Space) Definition() statespace.Definition {
	return statespace.Definition{Family: Family, Name: s.name,
		Puzzle:    encode(puzzle{s.board.lattice.String(), s.board.FormatPosition(s.start)}),
		Numbering: encode(numbering{s.class.free})}
}

// encode writes strings and numbers as JSON.
func encode(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // they always have a JSON form
	}
	return data
}

// Define makes the space of a definition, with the same numbers.
func Define(d statespace.Definition) (*Space, error) {
	var p puzzle
	var n numbering
	err := json.Unmarshal(d.Puzzle, &p)
	if err == nil {
		err = json.Unmarshal(d.Numbering, &n)
	}
	if err != nil {
		return nil, fmt.Errorf("definition of %s: %w", d.Name, err)
	}
	text := strings.ReplaceAll(p.Start, "/", "\n")
	b, start, err := ParseBoard(latticeLine + p.Lattice + "\n" + text)
	if err != nil {
		return nil, fmt.Errorf("definition of %s: %w", d.Name, err)
	}
	return newSpace(d.Name, b, start, n.Free, sync.OnceValue(func() *Layout {
		if l := newLayout(b, start); l != nil && slices.Equal(l.Free, n.Free) {
			return l
		}
		return nil
	}))
}

// Name implements statespace.Space.
func (s *Space) Name() string { return s.name }

// Board returns the board.
func (s *Space) Board() *Board { return s.board }

// Start returns the start position.
func (s *Space) Start() Position { return s.start }

// Class returns the numbering.
func (s *Space) Class() *Class { return s.class }

// Size implements statespace.Space.
func (s *Space) Size() uint64 { return 1 << s.class.Dim() }

// Dimensions returns the number of cells of the board, and of those that are free.
func (s *Space) Dimensions() (cells, class int) { return len(s.board.cells), s.class.Dim() }

// Roots implements statespace.Space: the start is the only root.
func (s *Space) Roots() []statespace.Index {
	x, _ := s.class.Number(s.start)
	return []statespace.Index{x}
}

// Successors implements statespace.Space. A move is the number of a jump.
func (s *Space) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.edges(dst, x, s.class.Position(x))
}

// Predecessors implements statespace.Space. What leads to a position leads on from
// its complement: a jump seen backwards, with pegs and holes exchanged, is the same.
func (s *Space) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.edges(dst, x, ^s.class.Position(x))
}

// edges appends the jumps that can be made in p, with the numbers that x becomes.
func (s *Space) edges(dst []statespace.Edge, x statespace.Index, p Position) []statespace.Edge {
	n := len(dst)
	dst = slices.Grow(dst, len(s.jumps)+1)[:n+len(s.jumps)+1]
	// Whether a jump can be made is hard to foretell: all are written, and those that
	// cannot are written over.
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

// Parse implements statespace.Space: see Board.ParsePosition. A position of
// another class is a *ClassError.
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
// cannot be reached. It is statespace.ErrOutside.
type ClassError struct {
	Board    *Board
	Position Position
	// Broken is a set of cells on which the position has an odd number of pegs and
	// the start an even one, or the other way round; no jump changes that.
	Broken uint64
}

func (e *ClassError) Error() string {
	parity := [2]string{"even", "odd"}
	is := bits.OnesCount64(e.Broken&e.Position) & 1
	return fmt.Sprintf("of another class than the start: on the %d marked cells of %s it has an %s number of pegs, the start an %s one, and no jump changes that",
		bits.OnesCount64(e.Broken), e.Board.FormatPosition(e.Broken), parity[is], parity[1-is])
}

// Is makes a ClassError a statespace.ErrOutside.
func (e *ClassError) Is(target error) bool { return target == statespace.ErrOutside }

// Format implements statespace.Space: see Board.FormatPosition.
func (s *Space) Format(x statespace.Index) string {
	return s.board.FormatPosition(s.class.Position(x))
}

// A JumpText is a jump by the row and column of its cells.
type JumpText struct {
	From [2]int `json:"from"`
	Over [2]int `json:"over"`
	To   [2]int `json:"to"`
}

// String tells the jump as "(1,2) over (2,2) to (3,2)".
func (j JumpText) String() string {
	return fmt.Sprintf("(%d,%d) over (%d,%d) to (%d,%d)", j.From[0], j.From[1], j.Over[0], j.Over[1], j.To[0], j.To[1])
}

// Tell implements statespace.Space: a move is a JumpText.
func (s *Space) Tell(way statespace.Way) (moves []fmt.Stringer, states []string, err error) {
	at := func(cell int) [2]int { return [2]int{s.board.cells[cell].Row, s.board.cells[cell].Col} }
	states = append(states, s.Format(way.From))
	for _, step := range way.Steps {
		j := s.board.Jump(step.Move)
		moves = append(moves, JumpText{at(j.From), at(j.Over), at(j.To)})
		states = append(states, s.Format(step.State))
	}
	return moves, states, nil
}

// LayerName implements statespace.Layered.
func (s *Space) LayerName() string { return "pegs" }

// Layer implements statespace.Layered: the number of pegs.
func (s *Space) Layer(x statespace.Index) int { return bits.OnesCount64(s.class.Position(x)) }

// LayersFall implements statespace.Layered: a jump takes a peg away.
func (s *Space) LayersFall() bool { return true }

// Engines implements statespace.Fast.
func (s *Space) Engines() []string {
	if s.canSweep() {
		return []string{SweepEngine, LevelsEngine}
	}
	return []string{LevelsEngine}
}

func (s *Space) canSweep() bool {
	l := s.layout()
	return l != nil && s.class.Dim()-l.blockBits <= maxOuterBits
}

// Enumeration implements statespace.Fast.
func (s *Space) Enumeration(engine string, set *bitset.Set) statespace.Work {
	return s.enumeration(engine, s.Roots(), set)
}

// enumeration returns the work of filling the set from any roots.
func (s *Space) enumeration(engine string, roots []uint64, set *bitset.Set) statespace.Work {
	if engine == SweepEngine {
		return newSweep(s.class, s.layout(), s.sweepKernel(), roots, set.Words())
	}
	return newLevels(s.class, roots, set.Words())
}

// Memory implements statespace.Fast.
func (s *Space) Memory(engine string) uint64 {
	if engine == SweepEngine {
		return sweepMemory(s.class.Dim(), s.layout())
	}
	return 1 << 20
}

// The words that are worked on at once: the certificate reads the same ones many times,
// and they should stay in a first-level cache.
const (
	certificateChunk = 1 << 10
	countingChunk    = 1 << 14
)

// Certification implements statespace.Fast.
func (s *Space) Certification(set *bitset.Set) statespace.Certification {
	return newCertificate(s.class, s.Roots()[0], s.allOf(set, certificateChunk))
}

// Folding implements statespace.Foldable.
func (s *Space) Folding() *statespace.Folding {
	if f := s.folding(); f != nil {
		return &statespace.Folding{Bits: f.bits, Order: f.order}
	}
	return nil
}

// BlockBits implements statespace.Streamer.
func (s *Space) BlockBits() int { return s.blockBits() }

func (s *Space) findBlockBits() int {
	if !s.canSweep() || !s.layout().folds(s.start) {
		return 0
	}
	// The places in a plan have 32 bits, of which some tell the fold.
	if folds := bits.Len(uint(len(s.symmetries()))); s.class.Dim()-s.layout().blockBits+folds > 32 && s.KeptBlocks() >= 1<<(32-folds) {
		return 0
	}
	return s.layout().blockBits
}

// KeptBlocks implements statespace.Streamer.
func (s *Space) KeptBlocks() (n uint64) {
	for _, blocks := range s.layout().KeptBlocks(s.start) {
		n += blocks
	}
	return n
}

// Slots implements statespace.Streamer.
func (s *Space) Slots() uint64 { return s.layout().Window(s.layout().KeptBlocks(s.start)) }

// Stream implements statespace.Streamer.
func (s *Space) Stream(memory []uint64) statespace.Stream {
	return newStream(s.folding(), s.sweepKernel(), s.Roots()[0], memory)
}

// Counting implements statespace.Fast.
func (s *Space) Counting(set *bitset.Set) statespace.Counting {
	return newCounting(s.class, s.allOf(set, countingChunk), false)
}

// FoldedCertification implements statespace.FastFolded.
func (s *Space) FoldedCertification(set statespace.FoldedSet, order []uint32) statespace.Certification {
	return newCertificate(s.class, s.Roots()[0], newKeptBlocks(s.class.Dim(), set, s.Symmetries(), order, certificateChunk))
}

// FoldedCounting implements statespace.FastFolded.
func (s *Space) FoldedCounting(set statespace.FoldedSet, order []uint32) statespace.Counting {
	return newCounting(s.class, newKeptBlocks(s.class.Dim(), set, s.Symmetries(), order, countingChunk), true)
}

// Places implements statespace.Mover.
func (s *Space) Places(move int) (from, to int) {
	j := s.board.Jump(move)
	return j.From, j.To
}
