package packages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"pagoda/puzzle/peg"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
)

// A Space is a package as a space: its states are the positions of the package in the order of All, its
// moves the jumps among them, by their numbers on the board. The roots are the usable starts. It
// has layers and goals.
type Space struct {
	p         *Package
	name      string
	positions []board.Position
}

// SpaceFamily is the family of the definition of a Space. No files are made of it.
const SpaceFamily = "peg-package"

// NewSpace returns the space of a package, with a list of all its states: 8 bytes each.
func NewSpace(name string, p *Package) *Space {
	return &Space{p: p, name: name, positions: slices.Collect(p.All())}
}

// Board returns the board of the block.
func (s *Space) Board() *board.Board { return s.p.Board }

// Position returns the position of a state.
func (s *Space) Position(x statespace.Index) board.Position { return s.positions[x] }

// number returns the state of a position of the package.
func (s *Space) number(p board.Position) (statespace.Index, bool) {
	x, ok := slices.BinarySearchFunc(s.positions, p, inOrder)
	return statespace.Index(x), ok
}

// numbers returns the states of positions of the package.
func (s *Space) numbers(all iter.Seq[board.Position]) (states []statespace.Index) {
	for p := range all {
		x, _ := s.number(p)
		states = append(states, x)
	}
	return states
}

// inOrder compares positions in the order of All.
func inOrder(p, q board.Position) int {
	return cmp.Or(bits.OnesCount64(q)-bits.OnesCount64(p), cmp.Compare(p, q))
}

// Name implements statespace.Space.
func (s *Space) Name() string { return s.name }

// Size implements statespace.Space.
func (s *Space) Size() uint64 { return uint64(len(s.positions)) }

// Roots implements statespace.Space.
func (s *Space) Roots() []statespace.Index { return s.numbers(s.p.UsableStarts()) }

// Goals returns the goals.
func (s *Space) Goals() []statespace.Index { return s.numbers(s.p.UsableGoals()) }

// Goal reports whether a state is a goal.
func (s *Space) Goal(x statespace.Index) bool { return s.p.isGoal(s.positions[x]) }

// Successors implements statespace.Space. A move is the number of a jump.
func (s *Space) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.edges(dst, s.positions[x], s.positions[x])
}

// Predecessors implements statespace.Space. A jump seen backwards, with pegs and holes exchanged, is the
// same jump.
func (s *Space) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	return s.edges(dst, s.positions[x], ^s.positions[x])
}

// edges appends the jumps that pegs allow, from or to a position, if the other end is in the package.
func (s *Space) edges(dst []statespace.Edge, p, pegs board.Position) []statespace.Edge {
	for k := range s.p.Board.Jumps() {
		j := s.p.Board.Jump(k)
		if !canJump(j, pegs) {
			continue
		}
		if y, ok := s.number(p ^ j.Mask()); ok {
			dst = append(dst, statespace.Edge{To: y, Move: k})
		}
	}
	return dst
}

// Parse implements statespace.Space; board.Board.ParsePosition describes the text.
func (s *Space) Parse(text string) (statespace.Index, error) {
	p, err := s.p.Board.ParsePosition(text)
	if err != nil {
		return 0, err
	}
	x, ok := s.number(p)
	if !ok {
		return 0, fmt.Errorf("%w: the package does not have the position %s", statespace.ErrOutside, s.p.Board.FormatPosition(p))
	}
	return x, nil
}

// Format implements statespace.Space.
func (s *Space) Format(x statespace.Index) string { return s.p.Board.FormatPosition(s.positions[x]) }

// FormatMove implements statespace.Space.
func (s *Space) FormatMove(_ statespace.Index, move statespace.Edge) string {
	return peg.JumpTextOf(s.p.Board, move.Move).String()
}

// Definition implements statespace.Space.
func (s *Space) Definition() statespace.Definition {
	puzzle := statespace.Encode(struct {
		Lattice string `json:"lattice"`
		Block   string `json:"block"`
		Goal    string `json:"goal"`
	}{s.p.Board.Lattice().String(), s.p.Board.FormatPattern(s.p.Start), s.p.Board.FormatPattern(s.p.Goal)})
	return statespace.Definition{Family: SpaceFamily, Name: s.name, Puzzle: puzzle, Numbering: json.RawMessage(`"by pegs"`)}
}

// Parts implements statespace.Space.
func (s *Space) Parts() statespace.Parts {
	return statespace.Parts{Layers: s, Goals: statespace.Goals{Is: s.Goal, All: s.Goals}}
}

// LayerName implements statespace.Layers.
func (s *Space) LayerName() string { return "pegs" }

// Layer implements statespace.Layers: the number of pegs.
func (s *Space) Layer(x statespace.Index) int { return bits.OnesCount64(s.positions[x]) }

// LayersFall implements statespace.Layers: a jump takes a peg away.
func (s *Space) LayersFall() bool { return true }
