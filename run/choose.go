package run

import (
	"context"
	"errors"

	"pagoda/statespace"
	"pagoda/statespace/sparse"
	"pagoda/statespace/sweep"
)

// newJob chooses the engine and the store.
func newJob(ctx context.Context, sp statespace.Space, o Options) (*job, error) {
	j := &job{Options: o.fill(), sp: sp}
	if j.Output == "" && o.Store != "" {
		return nil, optionError("the store %s is for a file, and the run writes none: name a file, or choose no store", o.Store)
	}
	var err error
	if j.store, err = findStore(sp, o.Store); err != nil {
		return nil, err
	}
	if o.Engine == "" {
		err = j.chooseEngine(ctx)
	} else if j.engine, err = findEngine(sp, o.Engine); err == nil {
		err = j.setStore()
		if err == nil && j.Output != "" && j.engine.blocksOnly() {
			err = j.noFile()
		}
	}
	if err != nil {
		return nil, err
	}
	j.oneThread()
	return j, j.takeObjectives()
}

// noFile is the error that no file can have what the engine makes.
func (j *job) noFile() error {
	blocks := sweep.BlocksOf(j.sp)
	return optionError("the engine sweep makes %s in %s blocks of %s numbers, and a file can number 2^32 blocks: run it without a file, or choose another engine",
		j.sp.Name(), comma(j.sp.Size()>>blocks.Bits), comma(1<<blocks.Bits))
}

// setStore sets the store that the engine makes, unless one was chosen.
func (j *job) setStore() (err error) {
	if j.Store == "" {
		j.store, err = findStore(j.sp, j.engine.bestStore())
	} else if !j.engine.makes(j.store) {
		err = optionError("the engine %s of %s does not make the store %s: use the store %s, and convert it", j.engine.name, j.sp.Name(), j.store.Name, j.engine.bestStore())
	}
	return err
}

// chooseEngine chooses the first engine that fits into memory. The engine sparse always fits, as its
// list may lie on the disk. So it is chosen when it was asked for by its store, when few of very many
// numbers are states, and when the numbers fit into no memory of this machine. If more memory
// would do, it is left to the caller to allow it.
func (j *job) chooseEngine(ctx context.Context) error {
	var usable []engine
	for _, e := range engines(j.sp) {
		if e.name != PlainEngine && (j.Store == "" || e.makes(j.store)) && (j.Output == "" || !e.blocksOnly()) {
			usable = append(usable, e)
		}
	}
	set := func(e engine) error {
		j.engine = e
		return j.setStore()
	}
	limit := MemoryLimit(j.Memory)
	fits := false
	for i, e := range usable {
		if err := set(e); err != nil {
			return err
		}
		if e.name == ChanceEngine {
			return nil
		}
		if e.name == SparseEngine {
			j.bounded = j.Store == ""
			if i == 0 {
				return nil
			}
			break
		}
		if need, _ := j.need(); need <= limit {
			if j.Store != "" || e.name == NumbersEngine && SetBytes(j.sp) < probeBytes || e.name != NumbersEngine && !e.blocksOnly() {
				return nil
			}
			fits = true
			break
		}
	}
	// Either the numbers, or the blocks, fit and are very many, or they do not.
	first := usable[0]
	if j.Store != "" || isValued(j.sp) { // a list of states has no values
		j.bounded = false
		return set(first)
	}
	few, err := j.fewStates(ctx)
	switch {
	case err != nil || fits && !few:
		return err
	case few:
		j.insteadOf, j.bounded = &first, true
		return set(engine{SparseEngine, nil, j.sp})
	}
	if err := set(first); err != nil {
		return err
	}
	if j.Output != "" && engines(j.sp)[0].blocksOnly() {
		return j.noFile()
	}
	if need, _ := j.need(); need <= MemoryLimit(0) || limit < sparseMemory {
		return nil // it is refused
	}
	j.insteadOf, j.bounded, j.warns = &first, true, true
	return set(engine{SparseEngine, nil, j.sp})
}

// When the marks of all numbers take at least probeBytes, and there are at most probeStates
// states, the engine sparse is the better one.
const (
	probeBytes  = 1 << 30
	probeStates = 1 << 20
	// sparseMemory is what the engine sparse should have when nobody has asked for it.
	sparseMemory = 80 << 20
	probeLevels  = 1 << 12 // a deep search takes long, and has a file for each level
)

// errDeep ends a look at a space whose search has many levels.
var errDeep = errors.New("the search has many levels")

// fewStates reports whether there are at most probeStates states, in at most probeLevels levels.
// That takes about a second.
func (j *job) fewStates(ctx context.Context) (bool, error) {
	s, err := sparse.New(sparse.Of(j.sp).Graph(), sparse.Options{Memory: sparseShare(MemoryLimit(j.Memory)), Threads: j.Threads,
		MaxStates: probeStates, ToGoal: j.sp.Parts().Goals.Ends && !isLayered(j.sp)})
	if errors.Is(err, sparse.ErrMemory) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer s.Close()
	levels := 1
	err = s.Run(ctx, func() error {
		if levels++; levels > probeLevels {
			return errDeep
		}
		return nil
	}, nil)
	if errors.Is(err, sparse.ErrStates) || errors.Is(err, sparse.ErrMemory) || errors.Is(err, errDeep) {
		return false, nil
	}
	return err == nil, err
}

// oneThread sets the number of threads for the engine that uses one only.
func (j *job) oneThread() {
	if j.engine.name == PlainEngine && isLayered(j.sp) {
		j.Threads = 1
	}
}
