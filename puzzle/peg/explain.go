package peg

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"pagoda/internal/amount"
	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/engine"
	"pagoda/puzzle/peg/layout"
)

// An Explanation describes how a space is numbered and enumerated. Sets of cells are
// written as patterns.
type Explanation struct {
	Board      string   `json:"board"` // the start
	Lattice    string   `json:"lattice"`
	Cells      int      `json:"cells"`
	Lines      int      `json:"lines"`
	Jumps      int      `json:"jumps"`
	Invariants []string `json:"invariants"`
	Pivots     string   `json:"pivots"`
	Dimension  int      `json:"class_dimension"`
	// Bits holds, for each cell, its bit in a number, or -1.
	Bits []int `json:"bits"`
	// Sweep is null when the space cannot be swept.
	Sweep *SweepExplanation `json:"sweep"`

	space *Space
}

// A SweepExplanation describes how the sweep divides and orders the work.
type SweepExplanation struct {
	Block        string `json:"block"`
	BlockBytes   int    `json:"block_bytes"`
	Blocks       uint64 `json:"blocks"`
	BlockWeights []int  `json:"block_weights"` // by cell
	Levels       int    `json:"levels"`        // the stages: one per weight, from that of the start down to 0
	Group        string `json:"group"`
	GroupBits    int    `json:"group_bits"`
	GroupWeights []int  `json:"group_weights"` // by cell
	Closing      int    `json:"closing_steps"`

	// Slab is a set of cells outside blocks, empty unless there are very many blocks: those with the
	// same filling of the set are a slab. Slabs is how many of these are made.
	Slab  string `json:"slab,omitempty"`
	Slabs int    `json:"slabs,omitempty"`

	Symmetries      int    `json:"symmetries"`    // of the start, with the identity
	Representatives uint64 `json:"kept_blocks"`   // the blocks that a folded sweep makes; 0 if it cannot be folded
	WindowBlocks    uint64 `json:"window_blocks"` // how many of these are in memory at a time
}

// Explain is the one of its statespace.Texts.
func (s *Space) Explain() fmt.Stringer {
	b, c := s.board, s.class
	e := &Explanation{
		Board: b.FormatPosition(s.start), Lattice: b.Lattice().String(), Cells: len(b.Cells()),
		Lines: len(b.Lines()), Jumps: b.Jumps(), Dimension: c.Dim(), Bits: c.Bits(), space: s,
	}
	for _, v := range c.Invariants() {
		e.Invariants = append(e.Invariants, b.FormatPosition(v))
	}
	var pivots uint64
	for _, p := range c.Pivots() {
		pivots |= 1 << p
	}
	e.Pivots = b.FormatPosition(pivots)
	if l := s.layout(); s.sweep() != nil {
		e.Sweep = &SweepExplanation{
			Block: b.FormatPosition(l.Block), BlockBytes: 1 << (l.BlockBits - 3), Blocks: 1 << (c.Dim() - l.BlockBits),
			BlockWeights: l.BlockWeights[:e.Cells], Levels: layout.NewWeigher(l.BlockWeights).Weight(s.start) + 1,
			Group: b.FormatPosition(l.Group), GroupBits: l.GroupBits, GroupWeights: l.GroupWeights[:e.Cells],
			Closing: len(l.Closing), Symmetries: len(b.Stabilizer(s.start)),
		}
		if cells, n := s.sweep().Slabs(); n > 0 {
			e.Sweep.Slab, e.Sweep.Slabs = b.FormatPosition(cells), n
		}
		if b := s.blocks(); b != nil {
			e.Sweep.Representatives, e.Sweep.WindowBlocks = b.Representatives, b.Window
		}
	}
	return e
}

// String draws the explanation.
func (e *Explanation) String() string {
	b := e.space.board
	set := func(in uint64) func(int) string {
		return func(cell int) string { return string(".o"[in>>cell&1]) }
	}
	numbers := func(of []int, skip uint64) func(int) string {
		return func(cell int) string {
			if skip>>cell&1 == 1 {
				return "."
			}
			return strconv.Itoa(of[cell])
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "board       %d cells, %d lines of three, %d jumps, %s lattice; the start has %d pegs\n",
		e.Cells, e.Lines, e.Jumps, e.Lattice, bits.OnesCount64(e.space.start))
	s.WriteString(sideBySide(b, set(e.space.start)))
	if len(e.Invariants) == 0 {
		s.WriteString("invariants  none\n")
	} else {
		fmt.Fprintf(&s, "invariants  %d: no jump changes whether the number of pegs on the marked cells is odd\n", len(e.Invariants))
		pictures := lists.Map(e.space.class.Invariants(), set)
		s.WriteString(sideBySide(b, pictures...))
	}
	fmt.Fprintf(&s, "numbering   %d free cells are the bits of 2^%d numbers. The other cells, *, are pivots: they follow from the free ones\n", e.Dimension, e.Dimension)
	s.WriteString(sideBySide(b, func(cell int) string {
		if e.Bits[cell] < 0 {
			return "*"
		}
		return strconv.Itoa(e.Bits[cell])
	}))
	l := e.space.layout()
	if l == nil {
		s.WriteString("sweep       not possible: no set with six free cells or more has weights\n")
		return s.String()
	}
	if e.Sweep == nil {
		fmt.Fprintf(&s, "sweep       not possible: there would be 2^%d blocks of %d bytes. It goes through at most 2^%d;\n"+
			"            more need symmetries that keep the weights, and tables for parts of a block's number\n",
			e.Dimension-l.BlockBits, 1<<(l.BlockBits-3), engine.MaxOuterBits)
		if blocks := l.Representatives(e.space.start); blocks != nil {
			fmt.Fprintf(&s, "            Folded, it would make %d of them, and have %d in memory at a time\n",
				lists.Sum(blocks), l.Window(blocks))
		}
		return s.String()
	}
	fmt.Fprintf(&s, "blocks      %s of %d numbers (%d bytes): the fillings of the cells shown as a dot. The other cells have\n"+
		"            weights. Every jump from one block to another loses weight. The sweep has %s, one per weight\n",
		amount.Of(e.Sweep.Blocks, "block"), uint64(1)<<l.BlockBits, e.Sweep.BlockBytes, amount.Of(e.Sweep.Levels, "stage"))
	s.WriteString(sideBySide(b, numbers(l.BlockWeights, l.Block)))
	s.WriteString(e.fold(l))
	fmt.Fprintf(&s, "groups      a block is divided into groups of %d numbers: the fillings of the cells shown as a dot. Weights\n"+
		"            order the groups in the same way. A sequence of %d jumps closes each group\n", 1<<l.GroupBits, e.Sweep.Closing)
	inBlock := numbers(l.GroupWeights, l.Group)
	s.WriteString(sideBySide(b, func(cell int) string {
		if l.Block>>cell&1 == 0 {
			return " "
		}
		return inBlock(cell)
	}))
	return s.String()
}

// fold describes how the sweep is folded and runs in a ring.
func (e *Explanation) fold(l *layout.Layout) string {
	p := e.Sweep
	if p.Representatives == 0 {
		return "fold        not possible: the symmetries of the start keep no weights as they are, or the blocks\n" +
			"            depend on each other in too many ways to count\n"
	}
	slabs := ""
	if p.Slabs > 0 {
		cells, _ := e.space.sweep().Slabs()
		slabs = fmt.Sprintf("slabs       the blocks with the same filling of the cells shown as o: %d are made. The place of a block is\n"+
			"            computed from its slab and its other cells, so that no table has an entry for each block\n", p.Slabs) +
			sideBySide(e.space.board, func(cell int) string { return string(".o"[cells>>cell&1]) })
	}
	text := fmt.Sprintf("fold        the start has no symmetry: the sweep makes all %d blocks that weigh no more than that of the start\n", p.Representatives)
	if p.Symmetries > 1 {
		text = fmt.Sprintf("fold        %d symmetries of the start, with the identity, take blocks to blocks. The sweep makes one block per\n"+
			"            orbit, and none that weighs more than that of the start: %d\n", p.Symmetries, p.Representatives)
	}
	if p.Slabs > 0 {
		text = fmt.Sprintf("fold        %d symmetries of the start, with the identity, take slabs to slabs. The sweep makes one slab per\n"+
			"            orbit, and no block that weighs more than that of the start: %d\n", p.Symmetries, p.Representatives)
	}
	return slabs + text + fmt.Sprintf("ring        %d of these blocks, %.0f %%, are in memory at a time: a jump loses at most %d of the weight\n",
		p.WindowBlocks, 100*float64(p.WindowBlocks)/float64(p.Representatives), l.Drop)
}

// sideBySide draws pictures of the board side by side, from a short text for each cell.
func sideBySide(b *board.Board, pictures ...func(cell int) string) string {
	width := 1
	cols := 0
	for _, text := range pictures {
		for cell, c := range b.Cells() {
			width = max(width, len(text(cell)))
			cols = max(cols, c.Col+1)
		}
	}
	var s strings.Builder
	for r := range b.Rows() {
		line := strings.Repeat(" ", 11)
		for i, text := range pictures {
			if i > 0 {
				line += "   "
			}
			for c := range cols {
				cellText := ""
				if cell, ok := b.Number(board.Cell{Row: r, Col: c}); ok {
					cellText = text(cell)
				}
				line += fmt.Sprintf(" %*s", width, cellText)
			}
		}
		s.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return s.String()
}
