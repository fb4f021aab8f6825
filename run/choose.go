package run

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"pagoda/statespace"
)

// newJob chooses the engine and the store.
func newJob(ctx context.Context, sp statespace.Space, o Options) (*job, error) {
	j := &job{Options: o.fill(), sp: sp}
	d := sp.Definition()
	for i, text := range []json.RawMessage{d.Puzzle, d.Numbering} {
		if text != nil && !json.Valid(text) {
			return nil, fmt.Errorf("%s: the %s of its Definition is no JSON, which a file must have: %.100q", sp.Name(), []string{"Puzzle", "Numbering"}[i], text)
		}
	}
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
		err = j.setEngine(j.engine)
		if err == nil && j.Output != "" && j.engine.noFile != "" {
			err = optionError("%s", j.engine.noFile)
		}
	}
	if err != nil {
		return nil, err
	}
	return j, j.takeOptions()
}

// takeOptions takes over what the options say to the engine.
func (j *job) takeOptions() error {
	if j.engine.oneThread {
		j.Threads = 1
	}
	switch {
	case j.engine.options != nil:
		return j.engine.options(j)
	case j.Own != nil:
		return j.Own.refused(j.sp, j.engine.name)
	}
	return nil
}

// setEngine sets the engine, and the store that it makes unless one was chosen.
func (j *job) setEngine(e *fitted) (err error) {
	j.engine = e
	if j.Store == "" {
		j.store, err = findStore(j.sp, e.bestStore(j.sp))
	} else if !e.makes(j.store) {
		err = optionError("the engine %s of %s does not make the store %s: use the store %s, and convert it", e.name, j.sp.Name(), j.store.Name, e.bestStore(j.sp))
	}
	return err
}

// chooseEngine chooses the first engine that fits into memory. One that lists the states always fits, as its
// list may lie on the disk. So it is chosen when it was asked for by its store, when few of very many
// numbers are states, and when the numbers fit into no memory of this machine. If more memory
// would do, it is left to the caller to allow it.
func (j *job) chooseEngine(ctx context.Context) error {
	all := engines(j.sp)
	usable := slices.DeleteFunc(slices.Clone(all), func(e *fitted) bool {
		return e.byName || j.Store != "" && !e.makes(j.store) || j.Output != "" && e.noFile != ""
	})
	if len(usable) == 0 {
		return optionError("this program has no engine for %s", j.sp.Name())
	}
	first, list := usable[0], slices.IndexFunc(usable, func(e *fitted) bool { return e.lists })
	if j.bounded = list == 0 && j.Store == ""; list == 0 || first.more {
		return j.setEngine(first)
	}
	limit, fits := MemoryLimit(j.Memory), false
	for _, e := range usable {
		if e.lists {
			break
		}
		if err := j.setEngine(e); err != nil {
			return err
		}
		if need, _ := j.need(); need <= limit {
			if j.Store != "" || !e.dear {
				return nil
			}
			fits = true
			break
		}
	}
	// Either the numbers, or the blocks, fit and are very many, or they do not.
	if list < 0 || j.Store != "" {
		return j.setEngine(first)
	}
	few, err := usable[list].few(ctx, j)
	switch {
	case err != nil || fits && !few:
		return err
	case few:
		j.insteadOf, j.bounded = first, true
		return j.setEngine(usable[list])
	}
	if err := j.setEngine(first); err != nil {
		return err
	}
	if j.Output != "" && all[0].noFile != "" {
		return optionError("%s", all[0].noFile)
	}
	if need, _ := j.need(); need <= MemoryLimit(0) || limit < listMemory {
		return nil // it is refused
	}
	j.insteadOf, j.bounded, j.warns = first, true, true
	return j.setEngine(usable[list])
}

// listMemory is what an engine that lists the states should have when nobody has asked for it.
const listMemory = 80 << 20
