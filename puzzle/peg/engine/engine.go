package engine

import (
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
	foldBits   func() int
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
	e.foldBits = sync.OnceValue(e.findFoldBits)
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
func (e *Engine) Kernels() []string {
	return lists.Map(e.kernels(), func(k *kernel) string { return k.name })
}

// UseKernel sets the kernel. It reports false if it is none of Kernels.
func (e *Engine) UseKernel(name string) bool {
	all := e.kernels()
	i := slices.IndexFunc(all, func(k *kernel) bool { return k.name == name })
	if i >= 0 {
		e.kernel = all[i]
	}
	return i >= 0
}

// Kernel returns the name of the kernel.
func (e *Engine) Kernel() string { return e.kernel.name }

// Fills reports whether there is an Enumeration, an Order and Feeds. There are none if the
// blocks are in slabs.
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

// FoldBits returns the bits of a number inside the blocks of a stream. It is 0 if there
// is no stream: if the symmetries do not keep the layout, or if there are too many
// representatives, or too many kinds to count them. Then Order, Stream, Feeds and Estimate
// must not be called.
func (e *Engine) FoldBits() int { return e.foldBits() }

func (e *Engine) findFoldBits() int {
	l := e.layout
	if e.slabs != nil {
		return l.BlockBits
	}
	if !l.Folds(e.start) || l.Representatives(e.start) == nil {
		return 0
	}
	// The entries of schedule.places have 32 bits, and some of them say the fold.
	via := bits.Len(uint(len(e.symmetries())))
	if e.class.Dim()-l.BlockBits+via > 32 && e.layout.RepresentativeCount(e.start) >= 1<<(32-via) {
		return 0
	}
	return l.BlockBits
}

// Representatives returns how many blocks a stream makes, and Window how many of them it needs in
// memory at a time.
func (e *Engine) Representatives() uint64 {
	if e.slabs != nil {
		return e.slabs.total()
	}
	return e.layout.RepresentativeCount(e.start)
}

// Window is described at Representatives.
func (e *Engine) Window() uint64 {
	if e.slabs != nil {
		return e.slabs.window()
	}
	return e.layout.Window(e.layout.Representatives(e.start))
}

// Slabs returns a set of cells: the blocks with the same filling of them are a slab. It is 0 if
// there are no slabs.
func (e *Engine) Slabs() (cells uint64, slabs int) {
	if e.slabs == nil {
		return 0, 0
	}
	return e.slabs.slabCells, len(e.slabs.representatives)
}

// OrderSum returns a checksum of the order of the blocks in slabs.
func (e *Engine) OrderSum() uint32 { return e.slabs.sum() }

// Order returns the representatives in the order in which a stream makes them.
func (e *Engine) Order() []uint32 { return e.folding().order }

// Planned returns how much is done of making the order, while Order or Stream does that.
func (e *Engine) Planned() (done, total int64) {
	b := e.planning.Load()
	if b == nil {
		return 0, 0
	}
	return int64(b.planned.Load()), 2 * int64(b.count())
}

// Stream returns the work of making the representatives, in memory that is all 0 and has
// room for at least the blocks of the window; see layout.Layout.Window.
func (e *Engine) Stream(memory []uint64) statespace.Stream {
	if e.slabs != nil {
		return newSlabPass(e.slabs, e.kernel, e.start, memory)
	}
	return newStream(e.folding(), e.kernel, e.root, memory)
}

// Feeds returns what it takes to make the representatives without a ring.
func (e *Engine) Feeds() statespace.Feeds {
	return newFeeds(newFoldedPass(e.folding(), e.kernel, e.root))
}
