package statespace

import (
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
	l, layered := sp.(Layered)
	counts := make(map[int]uint64)
	for x := range set.All() {
		if layered {
			counts[l.Layer(x)]++
		} else {
			counts[0]++
		}
	}
	order := slices.Sorted(maps.Keys(counts))
	if layered && l.LayersFall() {
		slices.Reverse(order)
	}
	var layers []Layer
	for _, n := range order {
		layers = append(layers, Layer{Layer: n, States: counts[n]})
	}
	return layers
}
