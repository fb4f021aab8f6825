package peg

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// An Explanation tells how a space is numbered and enumerated. Cells are given as
// [row, column], sets of cells as patterns.
type Explanation struct {
	Board      string   `json:"board"` // the start
	Lattice    string   `json:"lattice"`
	Cells      int      `json:"cells"`
	Lines      int      `json:"lines"`
	Jumps      int      `json:"jumps"`
	Invariants []string `json:"invariants"`
	Pivots     string   `json:"pivots"`
	Dimension  int      `json:"class_dimension"`
	// Bits holds, for each cell, the bit of the number that it is, or -1.
	Bits []int `json:"bits"`
	// Sweep is null when the space cannot be swept.
	Sweep *SweepPlan `json:"sweep"`

	space *Space
}

// A SweepPlan tells how the sweep orders the work.
type SweepPlan struct {
	Block        string `json:"block"`
	BlockBytes   int    `json:"block_bytes"`
	Blocks       uint64 `json:"blocks"`
	BlockWeights []int  `json:"block_weights"` // by cell
	Levels       int    `json:"levels"`        // weights from the start's down to 0
	Group        string `json:"group"`
	GroupBits    int    `json:"group_bits"`
	GroupWeights []int  `json:"group_weights"` // by cell
	Closing      int    `json:"closing_steps"`

	Symmetries   int    `json:"symmetries"`    // of the start, with the identity
	KeptBlocks   uint64 `json:"kept_blocks"`   // those that are made; 0 if it cannot be folded
	WindowBlocks uint64 `json:"window_blocks"` // of these, how many have to be in memory at a time
}

// Explain implements statespace.Explainer.
func (s *Space) Explain() fmt.Stringer {
	b, c := s.board, s.class
	e := &Explanation{
		Board: b.FormatPosition(s.start), Lattice: b.lattice.String(), Cells: len(b.cells),
		Lines: len(b.lines), Jumps: b.Jumps(), Dimension: c.Dim(), Bits: c.bit, space: s,
	}
	for _, v := range c.rows {
		e.Invariants = append(e.Invariants, b.FormatPosition(v))
	}
	var pivots uint64
	for _, p := range c.pivots {
		pivots |= 1 << p
	}
	e.Pivots = b.FormatPosition(pivots)
	if l := s.layout(); s.canSweep() {
		e.Sweep = &SweepPlan{
			Block: b.FormatPosition(l.Block), BlockBytes: 1 << (l.blockBits - 3), Blocks: 1 << (c.Dim() - l.blockBits),
			BlockWeights: l.BlockWeights[:len(b.cells)], Levels: newWeigher(l.BlockWeights).weight(s.start) + 1,
			Group: b.FormatPosition(l.Group), GroupBits: l.groupBits, GroupWeights: l.GroupWeights[:len(b.cells)],
			Closing: len(l.Closing), Symmetries: len(b.stabilizer(s.start)),
		}
		if s.BlockBits() != 0 {
			e.Sweep.KeptBlocks, e.Sweep.WindowBlocks = s.KeptBlocks(), s.Slots()
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
	s.WriteString(b.draw(set(e.space.start)))
	if len(e.space.class.rows) == 0 {
		s.WriteString("invariants  none\n")
	} else {
		fmt.Fprintf(&s, "invariants  %d: no jump changes whether the number of pegs on the marked cells is odd\n", len(e.Invariants))
		var pictures []func(int) string
		for _, v := range e.space.class.rows {
			pictures = append(pictures, set(v))
		}
		s.WriteString(b.draw(pictures...))
	}
	fmt.Fprintf(&s, "numbering   %d cells are free and make 2^%d numbers; each is a bit. The others, *, are pivots: they follow\n", e.Dimension, e.Dimension)
	s.WriteString(b.draw(func(cell int) string {
		if e.Bits[cell] < 0 {
			return "*"
		}
		return strconv.Itoa(e.Bits[cell])
	}))
	l := e.space.layout()
	if l == nil {
		s.WriteString("sweep       not possible: no set of six free cells or more was found for which there are weights\n")
		return s.String()
	}
	if e.Sweep == nil {
		kept := l.KeptBlocks(e.space.start)
		fmt.Fprintf(&s, "sweep       not possible: there would be 2^%d blocks of %d bytes; it goes through at most 2^%d.\n"+
			"            Folded, it would make %d of them, and have %d in memory at a time\n",
			e.Dimension-l.blockBits, 1<<(l.blockBits-3), maxOuterBits, e.space.KeptBlocks(), l.Window(kept))
		return s.String()
	}
	fmt.Fprintf(&s, "blocks      %d, of the %d numbers that fill the cells shown as a dot (%d bytes); the weights of the others\n"+
		"            order them: each jump that changes the block loses weight. %d levels from the start's weight down\n",
		e.Sweep.Blocks, uint64(1)<<l.blockBits, e.Sweep.BlockBytes, e.Sweep.Levels)
	s.WriteString(b.draw(numbers(l.BlockWeights, l.Block)))
	s.WriteString(e.fold(l))
	fmt.Fprintf(&s, "groups      in a block, of the %d numbers that fill the cells shown as a dot; the weights order them in the\n"+
		"            same way, and a sequence of %d jumps closes each\n", 1<<l.groupBits, e.Sweep.Closing)
	inBlock := numbers(l.GroupWeights, l.Group)
	s.WriteString(b.draw(func(cell int) string {
		if l.Block>>cell&1 == 0 {
			return " "
		}
		return inBlock(cell)
	}))
	return s.String()
}

// fold tells how the sweep is folded and runs in a ring.
func (e *Explanation) fold(l *Layout) string {
	p := e.Sweep
	if p.KeptBlocks == 0 {
		return "fold        not possible: no weights were found that the symmetries of the start leave as they are\n"
	}
	text := fmt.Sprintf("fold        the start has no symmetry: all blocks that weigh no more than its own are made, %d\n", p.KeptBlocks)
	if p.Symmetries > 1 {
		text = fmt.Sprintf("fold        %d symmetries of the start, with the identity, take blocks to blocks: one of those that are\n"+
			"            images of each other is made, and of these all that weigh no more than the start's, %d\n", p.Symmetries, p.KeptBlocks)
	}
	return text + fmt.Sprintf("ring        in memory at a time are %d of them, %.0f %%: a jump loses at most %d of the weight\n",
		p.WindowBlocks, 100*float64(p.WindowBlocks)/float64(p.KeptBlocks), l.Drop)
}

// draw draws pictures of the board side by side, from a short text for each cell.
func (b *Board) draw(pictures ...func(cell int) string) string {
	width := 1
	cols := 0
	for _, text := range pictures {
		for cell, c := range b.cells {
			width = max(width, len(text(cell)))
			cols = max(cols, c.Col+1)
		}
	}
	var s strings.Builder
	for r := range b.rows {
		line := strings.Repeat(" ", 11)
		for i, text := range pictures {
			if i > 0 {
				line += "   "
			}
			for c := range cols {
				cellText := ""
				if cell, ok := b.number[Cell{r, c}]; ok {
					cellText = text(cell)
				}
				line += fmt.Sprintf(" %*s", width, cellText)
			}
		}
		s.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return s.String()
}
