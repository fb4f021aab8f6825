package tray

import (
	"fmt"
	"slices"

	"pagoda/internal/lists"
)

// A Puzzle is a tray with pieces in it, and goals. Parse makes one. Nothing changes it
// afterwards, so several goroutines may use it. Slices that its methods return must not be
// changed.
type Puzzle struct {
	// What is known about the puzzle. All of it may be missing.
	Title, Author, Source string
	Year                  int // in which it was first published or made, as far as the source knows
	Notes                 []string
	// Lengths are the shortest known lengths by metric, and States is the number of positions
	// that can be reached. 0 means that it is not known.
	Lengths [Metrics]int
	States  uint64

	tray
	pieces []piece
	kinds  []Kind
	looks  int    // the number of values of Kind.Look
	gates  []int  // by cell: the only piece that may enter it, or None; nil if there are none
	order  []int  // the pieces by kind
	goals  []goal // by pieces that can come to the places
	drawn  []goal // by the pieces that the text names
	// elsewhere says of each goal if it is the drawing of the goal before it at another place.
	elsewhere []bool
	// unreachable says that there is a goal, and no position is at it.
	unreachable bool

	// What the text says about pieces, for Format.
	distinct []byte
	alike    [][]byte
}

type piece struct {
	name   byte
	axis   Axis
	kind   int
	anchor uint8 // at the start
}

// A goal is a set of places. A position solves the puzzle if each place has a piece of the kind
// of its piece.
type goal []place

type place struct {
	piece  int
	anchor uint8
}

// A Position has the anchor of each piece. The pieces are in the order of their first cells at
// the start.
type Position []uint8

// PieceNames are the names that a program gives to pieces, in this order.
const PieceNames = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Start returns the position in which the puzzle starts.
func (p *Puzzle) Start() Position {
	pos := make(Position, len(p.pieces))
	for i := range p.pieces {
		pos[i] = p.pieces[i].anchor
	}
	return pos
}

// From returns the puzzle with another start. It has no known lengths and states.
func (p *Puzzle) From(start Position) *Puzzle {
	q := *p
	q.pieces = slices.Clone(p.pieces)
	for i := range q.pieces {
		q.pieces[i].anchor = start[i]
	}
	q.Lengths, q.States = [Metrics]int{}, 0
	return &q
}

// Size returns the number of rows, of all floors together, and of columns. On one floor, they go up
// to the last ones that have a cell.
func (p *Puzzle) Size() (rows, cols int) { return p.rows, p.cols }

// Cells returns the cells by number.
func (p *Puzzle) Cells() []Cell { return p.cells }

// Number returns the number of a cell. It reports false for a wall and for a place outside the
// tray.
func (p *Puzzle) Number(c Cell) (int, bool) {
	n, ok := p.number[c]
	return n, ok
}

// Walls returns the thin walls in the order of their cells.
func (p *Puzzle) Walls() []Wall { return p.walls }

// Gate returns the only piece that may enter a cell, or None if any may.
func (p *Puzzle) Gate(cell int) int {
	if p.gates == nil {
		return None
	}
	return p.gates[cell]
}

// HasGates reports whether there are cells that only one piece may enter.
func (p *Puzzle) HasGates() bool { return p.gates != nil }

// Open reports whether a cell has a neighbour in a direction and no thin wall is between them.
func (p *Puzzle) Open(c Cell, d Direction) bool {
	n, ok := p.number[c]
	return ok && d < p.Directions() && p.beside[d][n] != None
}

// Pieces returns the names of the pieces. A piece is known by its number, which is its place
// among these names.
func (p *Puzzle) Pieces() string {
	names := make([]byte, len(p.pieces))
	for i := range p.pieces {
		names[i] = p.pieces[i].name
	}
	return string(names)
}

// Axis returns the axis of a piece.
func (p *Puzzle) Axis(piece int) Axis { return p.pieces[piece].axis }

// InParts reports whether a piece is in several parts that move as one: its cells are not all
// connected by edges.
func (p *Puzzle) InParts(piece int) bool {
	cells := p.Mask(p.Start(), piece)
	return p.connected(cells) != cells
}

// Kinds returns the kinds of pieces.
func (p *Puzzle) Kinds() []Kind { return p.kinds }

// Looks returns the number of values of Kind.Look.
func (p *Puzzle) Looks() int { return p.looks }

// KindOf returns the number of the kind of a piece.
func (p *Puzzle) KindOf(piece int) int { return p.pieces[piece].kind }

// Alike reports whether two pieces are interchangeable.
func (p *Puzzle) Alike(a, b int) bool { return p.pieces[a].kind == p.pieces[b].kind }

func (p *Puzzle) kindOf(piece int) *Kind { return &p.kinds[p.pieces[piece].kind] }

// Mask returns the set of the cells of a piece.
func (p *Puzzle) Mask(pos Position, piece int) Set { return p.kindOf(piece).Mask[pos[piece]] }

// PieceCells returns the cells of a piece.
func (p *Puzzle) PieceCells(pos Position, piece int) []Cell { return p.cellsOf(p.Mask(pos, piece)) }

// To returns the puzzle with a position as its only goal. It has no known lengths and states.
func (p *Puzzle) To(end Position) *Puzzle {
	q := *p
	g := make(goal, len(end))
	for i, anchor := range end {
		g[i] = place{i, anchor}
	}
	q.goals, q.drawn, q.elsewhere, q.unreachable = []goal{g}, []goal{g}, []bool{false}, false
	q.Lengths, q.States = [Metrics]int{}, 0
	return &q
}

// A Want is a place that a goal wants a piece to take. Any interchangeable piece can take it.
type Want struct {
	Piece  int
	Anchor uint8
	Cells  []Cell
}

// HasGoal reports whether the puzzle has a goal. It may be one that no position is at.
func (p *Puzzle) HasGoal() bool { return len(p.goals) > 0 || p.unreachable }

// Goals returns the number of goals that a position could be at.
func (p *Puzzle) Goals() int { return len(p.goals) }

// Wants returns what a goal wants. If the piece that the text names cannot come to a place, but
// a piece that is alike can, Want.Piece is such a piece.
func (p *Puzzle) Wants(goal int) []Want { return p.wants(p.goals[goal]) }

// DrawnWants returns what a goal wants, with the pieces that the text names.
func (p *Puzzle) DrawnWants(goal int) []Want { return p.wants(p.drawn[goal]) }

// Named reports for each piece whether a goal wants it or one of its kind somewhere.
func (p *Puzzle) Named() []bool {
	named := make([]bool, len(p.pieces))
	for _, g := range p.goals {
		for _, want := range g {
			for _, i := range p.kindOf(want.piece).Pieces {
				named[i] = true
			}
		}
	}
	return named
}

func (p *Puzzle) wants(g goal) []Want {
	return lists.Map(g, func(want place) Want { return Want{want.piece, want.anchor, p.cellsOf(p.placed(want))} })
}

// Solved reports whether a position is at a goal.
func (p *Puzzle) Solved(pos Position) bool {
	return slices.ContainsFunc(p.goals, func(g goal) bool {
		for _, want := range g {
			if !slices.ContainsFunc(p.kindOf(want.piece).Pieces, func(i int) bool { return pos[i] == want.anchor }) {
				return false
			}
		}
		return true
	})
}

// Key returns a text that two positions share exactly if they differ only in interchangeable
// pieces: the anchors by kind, in increasing order within a kind.
func (p *Puzzle) Key(pos Position) string {
	key := make([]byte, 0, len(PieceNames)+1)
	for _, i := range p.order {
		key = append(key, pos[i])
	}
	rest := key
	for i := range p.kinds {
		n := len(p.kinds[i].Pieces)
		slices.Sort(rest[:n])
		rest = rest[n:]
	}
	return string(key)
}

// PositionOf returns a position that has a key.
func (p *Puzzle) PositionOf(key string) Position {
	pos := make(Position, len(p.order))
	for i, piece := range p.order {
		pos[piece] = key[i]
	}
	return pos
}

// CheckPosition returns an error if a position is not one of the puzzle: each piece must be at
// a place that it can have, and no two in one cell.
func (p *Puzzle) CheckPosition(pos Position) error {
	if len(pos) != len(p.pieces) {
		return fmt.Errorf("a position has %d places for the puzzle's %d pieces", len(pos), len(p.pieces))
	}
	var taken Set
	for i, at := range pos {
		if int(at) >= len(p.cells) || p.kindOf(i).Mask[at].IsEmpty() {
			return fmt.Errorf("piece %c cannot come to cell %d", p.pieces[i].name, at)
		}
		mask := p.Mask(pos, i)
		if taken.Meets(&mask) {
			return fmt.Errorf("piece %c and one before it are in the same cell", p.pieces[i].name)
		}
		taken = taken.Union(mask)
	}
	return nil
}
