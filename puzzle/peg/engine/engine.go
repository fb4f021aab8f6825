package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
	"pagoda/puzzle/peg/layout"
	"pagoda/statespace"
)

// MaxOuterBits bounds the bits that number a block, where the blocks have tables.
const MaxOuterBits = 31

// An Engine enumerates the position class of a start by a layout. It fills a whole set,
// or streams the representatives of its blocks.
type Engine struct {
	class      *board.Class
	layout     *layout.Layout
	start      board.Position
	root       uint64 // the number of the start
	kernel     *kernel
	symmetries func() []*board.Symmetry
	kept       func() []uint64 // the representatives of a stream by weight; nil if it is not folded, or they cannot be counted
	folding    func() *folding
	planning   atomic.Pointer[blocks] // of folding, when that has begun
	slabs      *slabs                 // nil if there are tables with an entry for each block
}

// New returns the engine for a class that is numbered as the layout says. The symmetries
// are those of the class that leave the start as it is and that the layout was made for; the
// function is called when they are needed. If there are more than 2^MaxOuterBits blocks, New
// divides them into slabs. It returns nil if it finds none.
func New(c *board.Class, l *layout.Layout, start board.Position, symmetries func() []*board.Symmetry) *Engine {
	e := &Engine{class: c, layout: l, start: start, symmetries: symmetries}
	e.root, _ = c.Number(start)
	if c.Dim()-l.BlockBits > MaxOuterBits {
		if !l.Folds(start) {
			return nil
		}
		if e.slabs = newSlabs(newBlocks(c, l.BlockBits, l.Block), l, start, symmetries()); e.slabs == nil {
			return nil
		}
	}
	e.kernel = e.kernels()[0]
	e.kept = sync.OnceValue(func() []uint64 {
		if !l.Folds(start) {
			return nil
		}
		return l.Representatives(start)
	})
	e.folding = sync.OnceValue(func() *folding {
		f := newFolding(c, l, symmetries())
		e.planning.Store(f.blocks)
		f.schedule = newSchedule(f.blocks, l, []uint64{e.root}, true, f.folds)
		return f
	})
	return e
}

// kernels returns the kernels that can make the blocks, best first. Those with vectors
// need blocks of a vector at least, or blocks in slabs.
func (e *Engine) kernels() []*kernel {
	if e.slabs == nil && e.layout.BlockBits < 6+vectorBits {
		return []*kernel{&genericKernel}
	}
	return kernels()
}

// Kernels returns the names of the kernels that can make the blocks, best first. The best
// is the default.
func (e *Engine) Kernels() []string { return namesOf(e.kernels()) }

// UseKernel sets the kernel. The error says why it is none of Kernels.
func (e *Engine) UseKernel(name string) error {
	if err := checkKernel(name); err != nil {
		return err
	}
	all := e.kernels()
	i := slices.IndexFunc(all, func(k *kernel) bool { return k.name == name })
	if i < 0 {
		return fmt.Errorf("the kernel %s cannot run here: the blocks are smaller than a vector of %d bytes", name, 8*vectorWords)
	}
	e.kernel = all[i]
	return nil
}

// Kernel returns the name of the kernel.
func (e *Engine) Kernel() string { return e.kernel.name }

// Fills reports whether there is an Enumeration. There is none if the blocks are in slabs.
func (e *Engine) Fills() bool { return e.slabs == nil }

// Enumeration returns the work of filling a set of the class, in which just the roots are
// members, with all that can be reached from them.
func (e *Engine) Enumeration(roots []uint64, set []uint64) statespace.Work {
	b := newBlocks(e.class, e.layout.BlockBits, e.layout.Block)
	s := newSchedule(b, e.layout, roots, false, nil)
	p := newPass(b, e.layout, e.kernel)
	p.schedule, p.memory = s, set
	return p
}

// Memory returns about how many bytes the work takes besides the set or the ring.
func (e *Engine) Memory() uint64 {
	if e.slabs != nil {
		return uint64(e.layout.ProgramMemory()) + e.slabs.memory()
	}
	// The tables of newSchedule have at most 4, 4, 2 and 1 bytes for a block.
	return uint64(e.layout.ProgramMemory()) + 11<<(e.class.Dim()-e.layout.BlockBits)
}

// Blocks says how a stream makes the class. It is nil if there is no stream: if the symmetries do not keep the
// layout, or if there are too many representatives, or too many kinds to count them.
func (e *Engine) Blocks() *statespace.SweepBlocks {
	b := &statespace.SweepBlocks{Bits: e.layout.BlockBits, Planned: e.planned, Estimate: e.estimate}
	ratio := packedRatios[slices.IndexFunc(packedRatios, func(r packedRatio) bool { return r.bits <= b.Bits })]
	b.Ratio, b.RatioOf = ratio.ratio, ratio.board
	if s := e.slabs; s != nil {
		b.Representatives, b.Window, b.OrderSum = s.total(), s.window(), s.sum
		b.Stream = func(memory []uint64) statespace.Stream { return newSlabPass(s, e.kernel, e.start, memory) }
		return b
	}
	kept := e.kept()
	if kept == nil {
		return nil
	}
	b.Representatives, b.Window = lists.Sum(kept), e.layout.Window(kept)
	// The entries of schedule.places have 32 bits, and some of them say the fold.
	via := bits.Len(uint(len(e.symmetries())))
	if e.class.Dim()-b.Bits+via > 32 && b.Representatives >= 1<<(32-via) {
		return nil
	}
	b.Folding = func() *statespace.Folding { return &statespace.Folding{Bits: b.Bits, Order: e.folding().order} }
	b.Stream = func(memory []uint64) statespace.Stream { return newStream(e.folding(), e.kernel, e.root, memory) }
	b.Feeds = func() statespace.Feeds { return newFeeds(newFoldedPass(e.folding(), e.kernel, e.root)) }
	return b
}

// A packedRatio says how many times smaller blocks of 2^bits numbers, or more, were packed, and on which board.
type packedRatio struct {
	bits  int
	ratio float64
	board string
}

// packedRatios begin with the largest blocks. These have more jumps inside, and so fewer seeds: see
// statespace.Maker. All blocks of 7x7 were packed to 1/35, but those needed at the same time to 1/27 when they were
// most, which is more than is allowed for.
var packedRatios = []packedRatio{
	{21, 32, "peg/7x7"}, {18, 21, "peg/5x8"}, {16, 12, "peg/6x6"}, {14, 9, "peg/5x6"}, {12, 2, "peg/european"}, {0, 2, "peg/english"},
}

// Slabs returns a set of cells: the blocks with the same filling of them are a slab. It is 0 if
// there are no slabs.
func (e *Engine) Slabs() (cells uint64, slabs int) {
	if e.slabs == nil {
		return 0, 0
	}
	return e.slabs.slabCells, len(e.slabs.representatives)
}

// planned is SweepBlocks.Planned.
func (e *Engine) planned() (done, total int64) {
	b := e.planning.Load()
	if b == nil {
		return 0, 0
	}
	return int64(b.planned.Load()), 2 * int64(b.count())
}
