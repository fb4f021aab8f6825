package run

import (
	"path/filepath"
	"slices"
	"strings"

	"pagoda/bitset"
	"pagoda/internal/suggest"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sweep"
)

// The engines of every space. A space with layers may have engines of its own, which come
// before them: see sweep.Engines.
const (
	NumbersEngine = "numbers" // breadth-first by levels, three bits for each number
	SparseEngine  = "sparse"  // breadth-first by levels, a list of the states that are found
	PlainEngine   = "search"  // breadth-first, one state at a time: to compare with
	ChanceEngine  = "chance"  // a game against chance, by layers, with what each state is worth
)

// An engine is a way to enumerate a space.
type engine struct {
	name string
	own  *statespace.SweepEngine // of the space; nil: an engine of every space
	sp   statespace.Space
}

// engines lists the engines of a space, best first. Engines that find no distances are for
// spaces with layers. A space without numbers has only one.
func engines(sp statespace.Space) (all []engine) {
	if sp.Parts().Chance != nil {
		all = append(all, engine{ChanceEngine, nil, sp})
	}
	if sp.Parts().Codes.Graph != nil {
		return append(all, engine{SparseEngine, nil, sp})
	}
	if isLayered(sp) {
		for _, e := range sweep.Engines(sp) {
			all = append(all, engine{e.Name, &e, sp})
		}
	}
	return append(all, engine{NumbersEngine, nil, sp}, engine{SparseEngine, nil, sp}, engine{PlainEngine, nil, sp})
}

func isLayered(sp statespace.Space) bool {
	return sp.Parts().Layers != nil
}

// Engines lists the names of the engines of a space, best first.
func Engines(sp statespace.Space) (names []string) {
	for _, e := range engines(sp) {
		names = append(names, e.name)
	}
	return names
}

// Kernel names the kernel that the best engine of a space uses by default, or is empty if that has
// none.
func Kernel(sp statespace.Space) string {
	kernel, _ := engines(sp)[0].useKernel("")
	return kernel
}

// findEngine returns the engine of a name.
func findEngine(sp statespace.Space, name string) (engine, error) {
	all := engines(sp)
	i := slices.IndexFunc(all, func(e engine) bool { return e.name == name })
	if i < 0 {
		return engine{}, optionError("%s has no engine %.40q: it has %s%s", sp.Name(), name, strings.Join(Engines(sp), ", "), suggest.Question(name, Engines(sp)))
	}
	return all[i], nil
}

// useKernel makes the engine use a kernel, unless the name is empty. It returns the kernel in
// use.
func (e engine) useKernel(name string) (string, error) {
	switch {
	case name == "" && e.own == nil:
		return "", nil
	case name == "":
		return e.own.Kernel, nil
	case e.own == nil || len(e.own.Kernels) == 0:
		return "", optionError("the engine %s of %s has no kernels to choose from", e.name, e.sp.Name())
	}
	if err := e.own.UseKernel(name); err != nil {
		return "", optionError("%w%s", err, suggest.Question(name, e.own.Kernels))
	}
	return name, nil
}

// blocks returns the blocks of the space if the engine makes it block by block, else nil.
func (e engine) blocks() *statespace.SweepBlocks {
	if e.own == nil || !e.own.Streams {
		return nil
	}
	return sweep.BlocksOf(e.sp)
}

// blocksOnly reports whether the engine makes too many blocks to number in a file.
func (e engine) blocksOnly() bool { return e.own != nil && e.own.Fill == nil }

// keepsCheckpoints reports whether a run of the engine can be saved. The plain search for
// distances cannot: it is there to compare with.
func (e engine) keepsCheckpoints() bool { return e.name != PlainEngine || isLayered(e.sp) }

// makes reports whether the engine makes the store, which it does if both or neither list the
// states.
func (e engine) makes(store layers.Store) bool {
	if e.blocksOnly() {
		return false
	}
	switch e.name {
	case ChanceEngine:
		return store.Name == layers.ValuesStore
	case SparseEngine:
		return store.Name == layers.SparseStore
	}
	return !store.Lists
}

// bestStore names the store that the engine makes by default.
func (e engine) bestStore() string {
	switch e.name {
	case ChanceEngine:
		return layers.ValuesStore
	case SparseEngine:
		return layers.SparseStore
	}
	return BestStore(e.sp)
}

// BestStore names the store that Start uses by default, unless it chooses the engine sparse. Every
// question is answered from it, and it takes the least space: the distances of a space without
// layers, whole if there are values besides them; else the folded set, or the set if the space has
// no blocks. A space without numbers has the sparse store only.
func BestStore(sp statespace.Space) string {
	if sp.Parts().Chance != nil {
		return layers.ValuesStore
	}
	if sp.Parts().Codes.Graph != nil {
		return layers.SparseStore
	}
	stores := []string{layers.Mod3Store, layers.DistanceStore, layers.FoldedStore}
	if isValued(sp) {
		stores = []string{layers.DistanceStore} // it keeps the values, too
	}
	for _, name := range stores {
		if _, err := findStore(sp, name); err == nil {
			return name
		}
	}
	return layers.SetStore
}

// findStore returns the store of a name, or the best one if the name is empty.
func findStore(sp statespace.Space, name string) (layers.Store, error) {
	if name == "" {
		name = BestStore(sp)
	}
	store, err := layers.FindStore(name)
	if err == nil {
		err = store.Fits(sp)
	}
	if err != nil {
		return store, optionError("%w", err)
	}
	return store, nil
}

// stateBits returns how many bits of the set, or of the marks, a number has.
func stateBits(sp statespace.Space) int {
	if isLayered(sp) {
		return 1
	}
	return bfs.MarkBits
}

// SetBytes returns the bytes of the set of all numbers of a space or, without layers, of their
// distances modulo 3.
func SetBytes(sp statespace.Space) uint64 { return 8 * bitset.PlaneWords(sp.Size(), stateBits(sp)) }

// FileSize returns about how many bytes the file takes that Start writes by default, or 0 if that
// is not known beforehand.
func FileSize(sp statespace.Space) uint64 {
	store, err := findStore(sp, "")
	if err != nil {
		return 0
	}
	return store.FileSize(sp)
}

// OutputName returns a name for the file of a space: its own name, with the ending of the store.
func OutputName(sp statespace.Space, o Options) (string, error) {
	store, err := findStore(sp, o.Store)
	if err != nil {
		return "", err
	}
	name := strings.NewReplacer("/", "-", ":", "-").Replace(filepath.ToSlash(sp.Name())) // Windows has no colons in names
	if sp.Parts().Goals.Ends {
		name += "-goal"
	}
	return name + store.Ending, nil
}
