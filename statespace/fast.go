package statespace

import (
	"cmp"
	"context"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"

	"pagoda/bitset"
)

// A Fast space brings kernels that work on many states at once. All of them are
// held to the plain functions of this package by tests.
type Fast interface {
	Space
	// Engines lists the ways of the space to enumerate itself, best first.
	Engines() []string
	// Enumeration returns the work by which the engine fills the set, in which
	// just the roots are members.
	Enumeration(engine string, set *bitset.Set) Work
	// Memory returns about how many bytes the engine takes besides the set.
	Memory(engine string) uint64
	// Certification returns the work of Certify.
	Certification(set *bitset.Set) Certification
	// Counting returns the work of CountLayers.
	Counting(set *bitset.Set) Counting
}

// A FastFolded space has such kernels for folded sets too. Their work is that of
// VerifyFolded and of CountFolded, which stop it when a block of the set cannot be read. The
// set is best read in the given order: it may list any blocks, and the others come last.
type FastFolded interface {
	Fast
	Symmetric
	FoldedCertification(set FoldedSet, order []uint32) Certification
	FoldedCounting(set FoldedSet, order []uint32) Counting
}

// A Certification is the work of checking a set.
type Certification interface {
	Work
	// Faults returns what was found, when the work is done.
	Faults() Faults
}

// A Counting is the work of counting the members of a set by layer.
type Counting interface {
	Work
	// Layers returns the layers that have members, when the work is done.
	Layers() []Layer
}

// A Vectorized space has an engine with kernels for several kinds of processors. All of
// them make the same set.
type Vectorized interface {
	Space
	// Kernels lists the kernels that can be used for this space on this processor, best
	// first.
	Kernels() []string
	// UseKernel makes the space use one of them from now on, not the best. It must not
	// be called while the space is in use.
	UseKernel(name string) error
	// Kernel returns the kernel that an engine uses, or an empty string if it has none.
	Kernel(engine string) string
}

// PlainEngine is the name of Search among the engines.
const PlainEngine = "search"

// An engined space has engines of its own: it is Fast or Reversible.
type engined interface {
	Engines() []string
	Memory(engine string) uint64
}

// Engines lists the engines that can enumerate the space, best first. The last is
// PlainEngine.
func Engines(sp Space) []string {
	var engines []string
	if e, ok := sp.(engined); ok {
		engines = slices.Clone(e.Engines())
	}
	return append(engines, PlainEngine)
}

// CheckEngine returns an error that lists the engines of the space if it has none
// of the given name.
func CheckEngine(sp Space, engine string) error {
	if all := Engines(sp); !slices.Contains(all, engine) {
		return fmt.Errorf("%s has no engine %q: it has %s", sp.Name(), engine, strings.Join(all, ", "))
	}
	return nil
}

// Memory returns about how many bytes an engine takes besides the set, or besides the
// distances of FindDistances.
func Memory(sp Space, engine string) uint64 {
	if e, ok := sp.(engined); ok && engine != PlainEngine {
		return e.Memory(engine)
	}
	// Search lists the states of two layers, 8 bytes each, in slices that are
	// copied as they grow. On 5x7 this was 3.3 bytes for each number.
	return 4 * sp.Size()
}

// Enumerate adds to the empty set all states that can be reached from the roots,
// by the given engine, which must be one of Engines. Of a Reversible space, only the
// plain one does without distances: see FindDistances. The result does not depend on the
// engine or on the number of threads. When ctx ends, Enumerate stops soon
// and returns the cause; the set is then not to be used.
func Enumerate(ctx context.Context, sp Space, engine string, set *bitset.Set, threads int, progress *Progress) error {
	e, err := NewEnumeration(sp, engine, set)
	if err != nil {
		return err
	}
	_, err = e.Run(ctx, 0, nil, threads, progress)
	return err
}

// An Enumeration fills a set in stages, so that it can be stopped and taken up
// again.
type Enumeration struct {
	sp   Space
	set  *bitset.Set
	work Work // nil: the plain search
}

// NewEnumeration returns the enumeration of a space by one of Engines. The set is
// empty, or has what an enumeration that was stopped has put into it.
func NewEnumeration(sp Space, engine string, set *bitset.Set) (*Enumeration, error) {
	if err := CheckEngine(sp, engine); err != nil {
		return nil, err
	}
	if set.Len() != sp.Size() {
		return nil, fmt.Errorf("%s has %d numbers, the set holds %d", sp.Name(), sp.Size(), set.Len())
	}
	e := &Enumeration{sp: sp, set: set}
	if f, ok := sp.(Fast); ok && engine != PlainEngine {
		e.work = f.Enumeration(engine, set)
	} else if engine != PlainEngine {
		return nil, fmt.Errorf("the engine %s of %s makes distances, not just a set", engine, sp.Name())
	}
	return e, nil
}

// Plan tells different ways apart to divide the work into stages: what one has left
// cannot be taken up by another.
func (e *Enumeration) Plan() uint32 {
	sum := crc32.NewIEEE()
	if e.work != nil {
		for s := range e.work.Stages() {
			fmt.Fprintln(sum, e.work.Tasks(s))
		}
	}
	return sum.Sum32()
}

// Run fills the set, of which so many stages are done. Between, if not nil, is called
// between stages with the number of those that are done; where it returns an error,
// Run stops and returns it. When ctx ends, Run stops soon and returns the cause. With
// an error it also returns the number of stages done, from which another Run can go
// on, with any number of threads.
func (e *Enumeration) Run(ctx context.Context, from int, between func(done int) error, threads int, progress *Progress) (done int, err error) {
	if e.work == nil {
		return 0, search(ctx, e.sp, e.set, between)
	}
	if n := e.work.Stages(); from < 0 || from > n {
		return 0, fmt.Errorf("%d stages should be done, and there are %d", from, n)
	}
	for _, r := range e.sp.Roots() {
		e.set.Add(r)
	}
	return DoFrom(ctx, e.work, from, between, threads, progress)
}

// Verify is Certify on any number of threads, by the fast way if there is one. It
// takes a space whose layers tell that it has no cycles, where it is a proof.
func Verify(ctx context.Context, sp Layered, set *bitset.Set, threads int, progress *Progress) (Faults, error) {
	f, ok := sp.(Fast)
	if !ok {
		return Certify(sp, set), context.Cause(ctx)
	}
	work := f.Certification(set)
	err := Do(ctx, work, threads, progress)
	return work.Faults(), err
}

// VerifyFolded is Verify of a folded set, which is not unfolded. It finds faults just
// where CertifyFolded does, and the same ones when all blocks look the same from the
// sides that take them to themselves.
func VerifyFolded(ctx context.Context, sp Layered, set FoldedSet, threads int, progress *Progress) (Faults, error) {
	if err := checkFolded(sp, set); err != nil {
		return Faults{}, err
	}
	f, ok := sp.(FastFolded)
	if !ok {
		faults, err := CertifyFolded(sp, set)
		return faults, cmp.Or(err, context.Cause(ctx))
	}
	order, err := orderOf(set)
	if err != nil {
		return Faults{}, err
	}
	ctx, set, stop := stopping(ctx, set)
	defer stop()
	work := f.FoldedCertification(set, order)
	err = Do(ctx, work, threads, progress)
	return work.Faults(), err
}

// CountFolded counts the members of a folded set by layer, and their orbits, by the fast
// way if there is one; see CountFoldedPlain.
func CountFolded(ctx context.Context, sp Space, set FoldedSet, threads int) ([]Layer, error) {
	if err := checkFolded(sp, set); err != nil {
		return nil, err
	}
	f, ok := sp.(FastFolded)
	if !ok {
		layers, err := CountFoldedPlain(sp, set)
		return layers, cmp.Or(err, context.Cause(ctx))
	}
	order, err := orderOf(set)
	if err != nil {
		return nil, err
	}
	ctx, set, stop := stopping(ctx, set)
	defer stop()
	work := f.FoldedCounting(set, order)
	err = Do(ctx, work, threads, nil)
	return work.Layers(), err
}

// checkFolded returns an error if a set cannot be one of the space, folded.
func checkFolded(sp Space, set FoldedSet) error {
	if set.Len() != sp.Size() {
		return fmt.Errorf("%s has %d numbers, the folded set holds %d", sp.Name(), sp.Size(), set.Len())
	}
	if err := CheckFolding(sp, set.Bits()); err != nil {
		return err
	}
	if n := sp.Size() >> set.Bits(); n > 1<<32 {
		return fmt.Errorf("%s has %d blocks of 2^%d numbers; a folded set has at most 2^32", sp.Name(), n, set.Bits())
	}
	return nil
}

// An OrderedSet is a FoldedSet that lies on a disk, say, and is best read in an order.
type OrderedSet interface {
	FoldedSet
	// Order lists blocks in this order. Others may be read after them.
	Order() ([]uint32, error)
}

// orderOf returns the order of an OrderedSet, and none of another set.
func orderOf(set FoldedSet) ([]uint32, error) {
	if o, ok := set.(OrderedSet); ok {
		return o.Order()
	}
	return nil, nil
}

// stopping returns a context that ends when a block of the set cannot be read, with the
// error as the cause, when it is read as the set that is returned.
func stopping(ctx context.Context, set FoldedSet) (context.Context, FoldedSet, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, stoppingSet{set, cancel}, func() { cancel(nil) }
}

type stoppingSet struct {
	FoldedSet
	cancel context.CancelCauseFunc
}

// Kept implements FoldedSet.
func (s stoppingSet) Kept(block uint64) ([]uint64, error) {
	words, err := s.FoldedSet.Kept(block)
	if err != nil {
		s.cancel(err)
	}
	return words, err
}

// CountLayers counts the members of a set by layer, by the fast way if there is
// one; see CountLayersPlain.
func CountLayers(ctx context.Context, sp Space, set *bitset.Set, threads int) ([]Layer, error) {
	f, ok := sp.(Fast)
	if !ok {
		return CountLayersPlain(sp, set), context.Cause(ctx)
	}
	work := f.Counting(set)
	err := Do(ctx, work, threads, nil)
	return work.Layers(), err
}

// CountLayersPlain counts the members of a set by layer, one at a time. Layers
// without members are left out; those of a space whose moves lead to lower layers
// come in falling order. A space without layers has one, of number 0.
func CountLayersPlain(sp Space, set *bitset.Set) []Layer {
	counts := make(layerCounts)
	for x := range set.All() {
		counts.of(sp, x).States++
	}
	return counts.layers(sp)
}

// CountFoldedPlain is CountLayersPlain of the set that a folded one stands for. It also
// counts orbits, by the members of which no image is below them.
func CountFoldedPlain(sp Space, set FoldedSet) ([]Layer, error) {
	u := Unfolded{set, Symmetries(sp)}
	counts := make(layerCounts)
	for x := range sp.Size() {
		has, err := u.Has(x)
		if err != nil {
			return nil, err
		}
		if !has {
			continue
		}
		layer := counts.of(sp, x)
		layer.States++
		if !slices.ContainsFunc(u.Symmetries, func(s Symmetry) bool { return s.Map(x) < x }) {
			layer.Orbits++
		}
	}
	return counts.layers(sp), nil
}

// layerCounts are layers by number.
type layerCounts map[int]*Layer

// of returns the layer of a state.
func (c layerCounts) of(sp Space, x Index) *Layer {
	n := 0
	if l, ok := sp.(Layered); ok {
		n = l.Layer(x)
	}
	if c[n] == nil {
		c[n] = &Layer{Layer: n}
	}
	return c[n]
}

// layers lists the layers in the order of CountLayersPlain.
func (c layerCounts) layers(sp Space) (layers []Layer) {
	for _, n := range slices.Sorted(maps.Keys(c)) {
		layers = append(layers, *c[n])
	}
	if l, ok := sp.(Layered); ok && l.LayersFall() {
		slices.Reverse(layers)
	}
	return layers
}
