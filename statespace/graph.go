package statespace

import (
	"context"
	"iter"
	"math/bits"
)

// A Graph is what a breadth-first search goes through: states with numbers below Size, and their moves.
type Graph struct {
	Size  uint64
	Roots iter.Seq[uint64]
	// Undirected says that every move can be taken back.
	Undirected bool
	// HasGoals says that there can be goals, so that Expanders and Steppers look for them.
	HasGoals bool
	// NewExpander returns an Expander for one goroutine. It may be nil if there is NewStepper.
	NewExpander func() Expander
	// NewBlockExpander, if not nil, returns an Expander that can make a move once for many states of a
	// block. A search uses it instead of NewExpander.
	NewBlockExpander func() BlockExpander
	// NewStepper, if not nil, returns a Stepper, and the search uses that instead of
	// Expanders. The marks are those of all numbers, and are 0. They are nil if the search
	// keeps none.
	NewStepper func(marks []uint64, threads int) Stepper
	// LevelWords, if not 0, says that the Steppers also work without marks. It is the number of words
	// of Stepper.Levels.
	LevelWords uint64
	// Memory is about how many bytes the Expanders take, or the Stepper besides the marks. LevelMemory is that without marks.
	Memory, LevelMemory uint64
}

// An Expander makes the moves of states.
type Expander interface {
	// Expand appends to dst the states to which moves lead from the states of a word: bit i
	// of word is number first+i. A state may come several times, in any order. Expand
	// appends the states of the word that are goals to *goals, unless goals is nil.
	Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64
}

// BlockSize is how many numbers a block has. The first one is a multiple of it.
const BlockSize = 1 << 12

// A Block has a bit for each number of a block: bit i of word k is that of the first number plus 64*k+i.
type Block [BlockSize / 64]uint64

// Next returns the first bit that is set from one on, or BlockSize if there is none.
func (b *Block) Next(from int) int {
	for k := from >> 6; k < len(b); k++ {
		word := b[k]
		if k == from>>6 {
			word &= ^uint64(0) << (from & 63)
		}
		if word != 0 {
			return k<<6 + bits.TrailingZeros64(word)
		}
	}
	return BlockSize
}

// Between returns the bits of word k that are from one on and before another, of the block.
func (b *Block) Between(k, from, to int) uint64 {
	word := b[k]
	if begin := from - k<<6; begin > 0 {
		word &= ^uint64(0) << begin
	}
	if end := max(0, to-k<<6); end < 64 {
		word &= 1<<end - 1
	}
	return word
}

// A Span is a move that adds the same to the numbers of many states: those of a block from bit From on and
// before bit To.
type Span struct {
	From, To int
	Add      int64
}

// A BlockExpander is an Expander that can make a move once for many states of a block. A search uses it so
// where a block has many states of a level.
type BlockExpander interface {
	Expander
	// Goal reports whether a state is a goal.
	Goal(x uint64) bool
	// ExpandBlock is Expand for the states of a block. It appends moves of many states to spans, and to dst
	// where the other moves lead.
	ExpandBlock(dst []uint64, spans []Span, first uint64, states *Block) ([]uint64, []Span)
}

// A Proof makes the moves of a space in a second way, to prove what was found by its Graph: it shares nothing with that but
// the numbers.
type Proof struct {
	NewExpander func() Expander
	// NewLeveler, if not nil, returns a Leveler, and a proof uses that instead of Expanders. The marks are those of
	// all numbers, and are 0.
	NewLeveler func(marks []uint64, threads int) Leveler
	// Memory is about how many bytes the Leveler takes besides the marks.
	Memory uint64
}

// A Leveler makes levels in a way of its own. Every move can be taken back.
type Leveler interface {
	// Start enters a root as level 0.
	Start(root uint64)
	// Goals returns the goals of the last level, in order.
	Goals(level int) []uint64
	// Step makes the level after the given one, which is the last. It enters the marks of
	// the new states and returns how many there are. When ctx ends, Step returns the cause.
	// Some marks of the new level may be there then.
	Step(ctx context.Context, level int) (count uint64, err error)
}

// A Stepper is a Leveler whose search can be saved. When ctx ends in a Step, Open still has the level before.
type Stepper interface {
	Leveler
	// Open sets the bits of the states of the last level: those from number first on, which is
	// a multiple of 64, for which open has a bit.
	Open(level int, first uint64, open []uint64)
	// Restore makes this the last level. Its states have its mark, and a bit in open.
	Restore(level int, open []uint64)

	// If Graph.LevelWords is not 0, a Stepper also works without marks: the last two levels are all
	// that it needs, as a move from the last level leads to the next one or to the one before. Without
	// marks, both are lost if ctx ends in a Step.

	// Levels returns the last two levels in words that only the Stepper understands. They share
	// its memory until the next Step.
	Levels(level int) [][]uint64
	// RestoreLevels makes this the last level, and returns how many states it has. The words are
	// those of Levels in a row. The error says why Levels cannot have returned them.
	RestoreLevels(level int, words []uint64) (states uint64, err error)
}
