package run

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/internal/suggest"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// An Engine is a way to enumerate spaces. Each has a file of its own in this package; what it does for a
// space is in its method.
type Engine struct {
	Name  string // by which users choose it
	About string // which spaces it is for and the memory that it takes, for the help
	// fit returns the methods of the engine for a space, best first; none if the engine does not fit.
	fit func(sp statespace.Space) []*method
	// clean removes the files that a finished run of the engine, or one that was killed, has left in a
	// directory of levels. It may be nil.
	clean func(dir string) error
}

// inUse are the engines of the program.
var inUse []Engine

// Use gives a program engines. Of two that would do as well, the first is chosen. An engine replaces one of
// the same name. Package all has all engines.
func Use(engines ...Engine) {
	for _, e := range engines {
		if i := slices.IndexFunc(inUse, func(o Engine) bool { return o.Name == e.Name }); i >= 0 {
			inUse[i] = e
		} else {
			inUse = append(inUse, e)
		}
	}
}

// AllEngines lists the engines of the program.
func AllEngines() []Engine { return slices.Clone(inUse) }

// EngineNames lists the names of the engines of the program.
func EngineNames() []string {
	return lists.Map(inUse, func(e Engine) string { return e.Name })
}

// A method is how an engine enumerates a space. To look at it changes nothing. Functions may be nil where
// nothing else is said.
type method struct {
	name string
	kind kind
	// dear: it takes much even where it fits into memory. A list of few states is better.
	dear bool
	// store is the name of the store that the method makes. If it is empty, the method goes through the
	// numbers of the space, and makes all stores but those that list the states.
	store string
	// noFile is why no file can have what it makes; empty if one can.
	noFile string
	// version is that of the checkpoints which runs write, and go on from: see layers.Checkpoint. 0: they write none.
	version int
	// outgrows: a run that lacks memory writes a checkpoint, as one that is interrupted does. It may go on with more.
	outgrows bool
	// threads bounds the threads of a run; 0 is no bound.
	threads int
	// finds: it finds a path and no set, for Find alone.
	finds bool
	// kernels are those to choose from.
	kernels *statespace.SweepEngine

	// need returns about what a job takes. It is required.
	need func(j *job) need
	// open returns a run, with its memory and disk space. It is required.
	open func(ctx context.Context, j *job) (enumeration, error)
	// few reports whether the states are few, so that a list of them takes less memory than the other engines, or too
	// many for any list.
	few func(ctx context.Context, j *job) (few, many bool, err error)
	// options takes over Options.Own, or what the checkpoint has of them; nil: it has none.
	options func(j *job) error
	// predict adds to a prediction what only the engine knows.
	predict func(ctx context.Context, j *job, p *Prediction) error
	// instead says how to take less memory than the run would; if it is empty or nil, the advice is
	// another engine or store.
	instead func(j *job, allowed uint64) string
	// existing compares a file of the space and the store with what the run would find.
	existing func(j *job, f *layers.File, r *Result) error
}

// A kind of methods. The kinds are in the order in which they are chosen.
type kind int

const (
	special kind = iota // for this space or few others
	general             // for every space
	listing             // it lists the states, so it fits into any memory
	named               // it is chosen by its name only
)

// A need is about what a run takes.
type need struct {
	bytes uint64
	most  string // what most of them are for
	// unfolds: to make a store from a set, the run needs one besides what it has found.
	unfolds bool
	// asFound: the store keeps what the run has found as it is.
	asFound bool
}

// methods lists the methods of the engines of the program that enumerate a space, best first.
func methods(sp statespace.Space) []*method { return (&job{sp: sp}).methods() }

// methods lists the methods of a job, best first.
func (j *job) methods() (all []*method) {
	engines := inUse
	if j.Engines != nil {
		engines = j.Engines
	}
	for _, e := range engines {
		all = append(all, slices.DeleteFunc(e.fit(j.sp), func(m *method) bool { return m.finds && !(j.inMemory && j.Path) })...)
	}
	slices.SortStableFunc(all, func(a, b *method) int { return cmp.Compare(a.kind, b.kind) })
	return all
}

// withoutWorth returns the kind of a method that lists or numbers states, and does not find all that there is to
// find of some spaces: it is then chosen by its name only.
func withoutWorth(sp statespace.Space, k kind) kind {
	if p := sp.Parts(); p.Chance != nil || p.Values.Any() && k == listing {
		return named
	}
	return k
}

func isLayered(sp statespace.Space) bool {
	return sp.Parts().Layers != nil
}

// Engines lists the names of the engines of a space, best first.
func Engines(sp statespace.Space) []string {
	return lists.Map(methods(sp), func(m *method) string { return m.name })
}

// Kernel names the kernel that the best engine of a space uses by default, or is empty if that has
// none.
func Kernel(sp statespace.Space) string {
	if all := methods(sp); len(all) > 0 {
		return all[0].kernel()
	}
	return ""
}

// findEngine returns the method of the engine of a name.
func (j *job) findEngine(name string) (*method, error) {
	all := j.methods()
	names := lists.Map(all, func(m *method) string { return m.name })
	i := slices.Index(names, name)
	if i < 0 {
		return nil, optionError("%s has no engine %.40q: it has %s%s", j.sp.Name(), name, cmp.Or(strings.Join(names, ", "), "none"), suggest.Question(name, names))
	}
	return all[i], nil
}

// kernel names the kernel that the engine uses by default, or is empty if it has none.
func (m *method) kernel() string {
	if m.kernels == nil {
		return ""
	}
	return m.kernels.Kernel
}

// useKernel makes the engine of a job use the kernel of the options, if they name one. It returns the
// kernel in use.
func (j *job) useKernel() (string, error) {
	own := j.engine.kernels
	switch {
	case j.Kernel == "":
		return j.engine.kernel(), nil
	case own == nil || len(own.Kernels) == 0:
		return "", optionError("the engine %s of %s has no kernels to choose from", j.engine.name, j.sp.Name())
	}
	if err := own.UseKernel(j.Kernel); err != nil {
		return "", optionError("%w%s", err, suggest.Question(j.Kernel, own.Kernels))
	}
	return j.Kernel, nil
}

// makes reports whether the engine makes a store.
func (m *method) makes(store layers.Store) bool {
	if m.store != "" {
		return store.Name == m.store
	}
	return m.noFile == "" && !store.Lists
}

// bestStore names the store that the engine makes by default.
func (m *method) bestStore(sp statespace.Space) string {
	if m.store != "" {
		return m.store
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

// BestStore names the store that Start uses by default, unless it chooses the engine sparse. Every
// question is answered from it, and it takes the least space: the distances of a space without
// layers, whole if there are values besides them; else the folded set, or the set if the space has
// no blocks. A space without numbers has the sparse store only.
func BestStore(sp statespace.Space) string {
	if all := methods(sp); len(all) > 0 {
		return all[0].bestStore(sp)
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
	name := fileName(sp.Name())
	if sp.Parts().Goals.Ends {
		name += "-goal"
	}
	return name + store.Ending, nil
}

// fileName makes a name of a space that of a file: Windows has no colons in names.
func fileName(name string) string {
	return strings.NewReplacer("/", "-", ":", "-").Replace(filepath.ToSlash(name))
}
