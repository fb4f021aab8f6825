package run

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"pagoda/bitset"
	"pagoda/internal/suggest"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// An Engine is a way to enumerate spaces. Each has a file of its own in this package; what it does is
// in its fitted.
type Engine struct {
	Name  string // by which users choose it; a sweep engine of a space may have another
	About string // which spaces it is for and the memory that it takes, for the help
	// special engines are made for some spaces. They come before those of every space.
	special bool
	// fit returns what enumerates a space in one job, best first; nothing if the engine does not fit.
	fit func(sp statespace.Space) []*fitted
	// clean removes the files that a finished run of the engine, or one that was killed, has left in a
	// directory of levels. It may be nil.
	clean func(dir string) error
}

// inUse are the engines of the program.
var inUse []Engine

// Use gives a program engines, the best of those that fit a space first. An engine replaces one of
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
func EngineNames() (names []string) {
	for _, e := range inUse {
		names = append(names, e.Name)
	}
	return names
}

// A fitted is an engine that fits a space, for one job. Fields that say nothing else may be nil.
type fitted struct {
	name string
	// store is the name of the store that the engine makes. If it is empty, the engine goes through the
	// numbers of the space, and makes all stores but those that list the states.
	store string
	// byName: it is chosen by its name only.
	byName bool
	// lists: it lists the states, so it fits into any memory and may take the place of another engine.
	// few then reports whether there are so few states that it should.
	lists bool
	few   func(ctx context.Context, j *job) (bool, error)
	// more: it finds more of the states than a list of them has, so no such engine takes its place.
	more bool
	// dear: it takes much even where it fits into memory. A list of few states is better.
	dear bool
	// noFile is why no file can have what it makes; empty if one can.
	noFile string
	// unsaved: its runs write no checkpoints. Others write one when they are interrupted, and, if they
	// outgrow, when they lack memory: such a run may go on with more.
	unsaved  bool
	outgrows bool
	// oneThread: it uses one thread only.
	oneThread bool
	// version is that of the checkpoints which its runs write, and go on from: see layers.Checkpoint.
	version int
	// kernels are those to choose from, or nil.
	kernels *statespace.SweepEngine

	// need returns about what the run takes.
	need func(j *job) need
	// open returns a run, with its memory and disk space.
	open func(ctx context.Context, j *job) (enumeration, error)
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

// A need is about what a run takes.
type need struct {
	bytes uint64
	most  string // what most of them are for
	// unfolds: to make a store from a set, the run needs one besides what it has found.
	unfolds bool
	// asFound: the store keeps what the run has found as it is.
	asFound bool
}

// engines lists the engines of a space, best first.
func engines(sp statespace.Space) (all []*fitted) {
	for _, special := range []bool{true, false} {
		for _, e := range inUse {
			if e.special == special {
				all = append(all, e.fit(sp)...)
			}
		}
	}
	return all
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
	if all := engines(sp); len(all) > 0 {
		return all[0].kernel()
	}
	return ""
}

// findEngine returns the engine of a name.
func findEngine(sp statespace.Space, name string) (*fitted, error) {
	all := engines(sp)
	i := slices.IndexFunc(all, func(e *fitted) bool { return e.name == name })
	if i < 0 {
		return nil, optionError("%s has no engine %.40q: it has %s%s", sp.Name(), name, cmp.Or(strings.Join(Engines(sp), ", "), "none"), suggest.Question(name, Engines(sp)))
	}
	return all[i], nil
}

// kernel names the kernel that the engine uses by default, or is empty if it has none.
func (e *fitted) kernel() string {
	if e.kernels == nil {
		return ""
	}
	return e.kernels.Kernel
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
func (e *fitted) makes(store layers.Store) bool {
	if e.store != "" {
		return store.Name == e.store
	}
	return e.noFile == "" && !store.Lists
}

// bestStore names the store that the engine makes by default.
func (e *fitted) bestStore(sp statespace.Space) string {
	if e.store != "" {
		return e.store
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
	if all := engines(sp); len(all) > 0 {
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
	name := strings.NewReplacer("/", "-", ":", "-").Replace(filepath.ToSlash(sp.Name())) // Windows has no colons in names
	if sp.Parts().Goals.Ends {
		name += "-goal"
	}
	return name + store.Ending, nil
}
