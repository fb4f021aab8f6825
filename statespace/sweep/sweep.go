package sweep

import (
	"context"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"pagoda/bitset"
	"pagoda/statespace"
)

// A Swept space brings kernels that work on many states at once.
type Swept interface {
	statespace.Space
	// Sweep returns the kernels, the same ones each time.
	Sweep() *Sweep
}

// A Sweep is the kernels of a space. Everything in it can be nil. The functions of this package
// and of package paths then work one state at a time instead, with the same results. The
// kernels may be called by several goroutines at once.
type Sweep struct {
	// Engines lists the ways to fill a set, best first.
	Engines func() []Engine
	// Certify returns the work of statespace.Certify, and Count that of
	// statespace.CountLayers.
	Certify func(set *bitset.Set) Certification
	Count   func(set *bitset.Set) Counting
	// CertifyFolded and CountFolded do the same for folded sets. The set is read fastest in
	// the given order of blocks. It may lack blocks; these come last.
	CertifyFolded func(set FoldedSet, order []uint32) Certification
	CountFolded   func(set FoldedSet, order []uint32) Counting
	// Blocks says how the space is cut into blocks that are made one after another. It
	// returns nil if that is not possible.
	Blocks func() *Blocks
	// Between does the same as paths.Between. The symmetries are given by their numbers.
	Between func(ctx context.Context, symmetries []int, members bitset.Reader, to statespace.Index, set *bitset.Set, threads int, progress *statespace.Progress) error
	// Ways counts paths from the roots: see paths.CountWays. The answer is nil if the space
	// cannot do that by these kernels.
	Ways func(ctx context.Context, q WaysQuestion) (*Ways, error)
	// Places returns the places, below 64, from which and to which a move takes its piece.
	// With them, moves of the same piece in a row can count as one.
	Places func(move int) (from, to int)
	// PlaceImage returns the place to which symmetry i of the space takes a place. It may be
	// nil.
	PlaceImage func(i, place int) int
	// Pointers are what a file can keep of the move that led to a state. Patterns are what
	// it can number instead of states.
	Pointers *Pointers
	Patterns *Patterns
	// BitOrder returns an order of the bits of numbers in which bits that belong together
	// are side by side. It makes tries small, and words compress well.
	BitOrder func() bitset.Order
}

// An Engine is a way to fill a set.
type Engine struct {
	// Name is the name of the engine. Those of a space are different.
	Name string
	// Memory is about how many bytes it takes besides the set.
	Memory uint64
	// Fill returns the work that fills a set. Only the roots are members before. It is nil if
	// the engine makes Blocks only.
	Fill func(set *bitset.Set) statespace.Work
	// Streams says that this engine makes Blocks.
	Streams bool
	// Kernels lists the kinds of processor instructions that the engine can use on this
	// machine, best first. Kernel is the one in use. All of them make the same set.
	Kernels []string
	Kernel  string
	// UseKernel makes the space use one of Kernels from now on. It must not be called while
	// the space is in use.
	UseKernel func(name string) error
}

// Blocks say how a set is cut into blocks that are made one after another.
type Blocks struct {
	// Bits is the size of a block: 2^Bits numbers.
	Bits int
	// Representatives is how many blocks the Order of the Folding has. Window is how many of
	// them a Stream needs in memory at a time.
	Representatives, Window uint64
	// Folding returns the order. Making it can take long, and much memory. It is nil if the
	// numbers of blocks have more than 32 bits. Then no file can have them, and OrderSum is a checksum
	// of the order.
	Folding  func() *Folding
	OrderSum func() uint32
	// Planned returns how much of that is done, while Folding or Stream makes it; the total is 0
	// before that. It may be nil.
	Planned func() (done, total int64)
	// Stream returns the work. The memory holds at least Window blocks and is all 0.
	Stream func(memory []uint64) Stream
	// Feeds returns what it takes to make blocks without a ring. It may be nil. Making it
	// takes as long as making the Folding and a Stream.
	Feeds func() Feeds
	// Ratio is how many times smaller the blocks of a space with blocks of this size were when a
	// PackedRun had packed them, and RatioOf is the name of that space. Ratio is 0 if it is not known.
	Ratio   float64
	RatioOf string
	// Estimate predicts how long a run takes. It may be nil.
	Estimate func(ctx context.Context, threads int) (time.Duration, error)
}

// A Certification is the work of checking a set.
type Certification interface {
	statespace.Work
	// Faults returns what is wrong with the set, after the work is done.
	Faults() statespace.Faults
}

// A Counting is the work of counting the members of a set by layer.
type Counting interface {
	statespace.Work
	// Layers returns the layers that have members, after the work is done.
	Layers() []statespace.Layer
}

// Of returns the kernels of a space. A space that is not Swept has none.
func Of(sp statespace.Space) *Sweep {
	if s, ok := sp.(Swept); ok {
		return s.Sweep()
	}
	return new(Sweep)
}

// Engines lists the engines of a space that fill a set, best first.
func Engines(sp statespace.Space) []Engine {
	if s := Of(sp); s.Engines != nil {
		return s.Engines()
	}
	return nil
}

// FindEngine returns the engine of a name.
func FindEngine(sp statespace.Space, name string) (Engine, error) {
	var names []string
	for _, e := range Engines(sp) {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	if len(names) == 0 {
		names = append(names, "none")
	}
	return Engine{}, fmt.Errorf("%s has no engine %q: it has %s", sp.Name(), name, strings.Join(names, ", "))
}

// checkLen returns an error unless a set holds numbers of the space.
func checkLen(sp statespace.Space, set interface{ Len() uint64 }) error {
	if n := set.Len(); n != sp.Size() {
		return fmt.Errorf("%s has %d numbers, the set holds %d", sp.Name(), sp.Size(), n)
	}
	return nil
}

// BlocksOf returns the blocks of a space, or nil if it has none.
func BlocksOf(sp statespace.Space) *Blocks {
	if s := Of(sp); s.Blocks != nil {
		return s.Blocks()
	}
	return nil
}

// A Run fills a set in stages. It can be stopped, and another Run can continue.
type Run struct {
	sp   statespace.Space
	set  *bitset.Set
	work statespace.Work
}

// NewRun returns the run of an engine. The set is empty, or it has what a run has added that
// was stopped.
func NewRun(sp statespace.Space, engine string, set *bitset.Set) (*Run, error) {
	e, err := FindEngine(sp, engine)
	if err == nil {
		err = checkLen(sp, set)
	}
	if err != nil {
		return nil, err
	}
	if e.Fill == nil {
		return nil, fmt.Errorf("the engine %s fills no set of %s: it makes blocks only", engine, sp.Name())
	}
	return &Run{sp, set, e.Fill(set)}, nil
}

// Plan returns a checksum of the stages of the work. A run can only continue another one with
// the same plan.
func (r *Run) Plan() uint32 {
	sum := crc32.NewIEEE()
	for s := range r.work.Stages() {
		fmt.Fprintln(sum, r.work.Tasks(s))
	}
	return sum.Sum32()
}

// Do fills the set by all stages from the given one on. The stages before it are done already.
// It calls between, if that is not nil, between stages with the number of stages that are done.
// If between returns an error, Do stops and returns it. When ctx ends, Do stops soon and returns
// the cause. Do always returns how many stages are done. Another Do can continue from there,
// with any number of threads.
func (r *Run) Do(ctx context.Context, from int, between func(done int) error, threads int, progress *statespace.Progress) (done int, err error) {
	if n := r.work.Stages(); from < 0 || from > n {
		return 0, fmt.Errorf("a run of %d stages cannot continue after stage %d", n, from)
	}
	for _, root := range r.sp.Roots() {
		r.set.Add(root)
	}
	return statespace.DoFrom(ctx, r.work, from, between, threads, progress)
}

// Enumerate adds to an empty set all states that can be reached from the roots: by the best
// engine that fills sets, or one state at a time if the space has none. The result does not depend on the
// number of threads. When ctx ends, Enumerate stops soon and returns the cause. The set must
// not be used then.
func Enumerate(ctx context.Context, sp statespace.Space, set *bitset.Set, threads int, progress *statespace.Progress) error {
	engines := Engines(sp)
	best := slices.IndexFunc(engines, func(e Engine) bool { return e.Fill != nil })
	if best < 0 {
		if err := checkLen(sp, set); err != nil {
			return err
		}
		return statespace.Search(ctx, sp, set, nil)
	}
	r, err := NewRun(sp, engines[best].Name, set)
	if err == nil {
		_, err = r.Do(ctx, 0, nil, threads, progress)
	}
	return err
}

// CountLayers counts the members of a set by layer.
func CountLayers(ctx context.Context, sp statespace.Space, set *bitset.Set, threads int) ([]statespace.Layer, error) {
	if err := checkLen(sp, set); err != nil {
		return nil, err
	}
	s := Of(sp)
	if s.Count == nil {
		return statespace.CountLayers(sp, set), context.Cause(ctx)
	}
	work := s.Count(set)
	err := statespace.Do(ctx, work, threads, nil)
	return work.Layers(), err
}

// Verify is statespace.Certify on any number of threads. It is a proof because the layers show
// that the space has no cycles.
func Verify(ctx context.Context, sp statespace.Layered, set *bitset.Set, threads int, progress *statespace.Progress) (statespace.Faults, error) {
	if err := checkLen(sp, set); err != nil {
		return statespace.Faults{}, err
	}
	s := Of(sp)
	if s.Certify == nil {
		if good, err := provenByMembers(ctx, sp, set); good || err != nil {
			return statespace.Faults{}, err
		}
		return statespace.Certify(sp, set), context.Cause(ctx)
	}
	work := s.Certify(set)
	err := statespace.Do(ctx, work, threads, progress)
	return work.Faults(), err
}

// provenByMembers reports whether statespace.Certify finds no faults. It looks at the members
// only, which may be far fewer than the numbers.
func provenByMembers(ctx context.Context, sp statespace.Layered, set *bitset.Set) (bool, error) {
	roots := sp.Roots()
	for _, r := range roots {
		if !set.Has(r) {
			return false, nil
		}
	}
	member := func(e statespace.Edge) bool { return set.Has(e.To) }
	other := func(e statespace.Edge) bool { return !set.Has(e.To) }
	var edges []statespace.Edge
	n := 0
	for x := range set.All() {
		if n++; n%(1<<16) == 0 && ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if x >= sp.Size() {
			return false, nil
		}
		if edges = sp.Successors(edges[:0], x); slices.ContainsFunc(edges, other) {
			return false, nil
		}
		if edges = sp.Predecessors(edges[:0], x); !slices.ContainsFunc(edges, member) && !slices.Contains(roots, x) {
			return false, nil
		}
	}
	return true, nil
}
