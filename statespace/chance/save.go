package chance

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"pagoda/internal/disk"
	"pagoda/internal/failpoint"
)

// A State is what Restore needs to go on from what Save has made durable.
type State struct {
	Layers []Layer `json:"layers"`
	// Listed says that these are all layers.
	Listed bool `json:"listed,omitempty"`
	// Columns is the number of values of a state.
	Columns int `json:"columns"`
}

// Save makes all layers durable that are done, and returns what Restore needs to take them back from the
// directory. It may be called from between, or after Run has returned, whatever its error.
func (s *Solver) Save(ctx context.Context) (*State, error) {
	if s.o.Dir == "" {
		return nil, errors.New("the layers are in memory: to save them, a run needs a directory")
	}
	state := &State{Listed: s.listed, Columns: len(s.columns)}
	var fresh []*stored
	for _, l := range s.layers {
		state.Layers = append(state.Layers, l.Layer)
	}
	for f := range s.files {
		if f.saved {
			continue
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := f.sync(); err != nil {
			return nil, err
		}
		failpoint.Hit("layer")
		fresh = append(fresh, f)
	}
	if len(fresh) > 0 {
		if err := disk.SyncDir(s.o.Dir); err != nil {
			return nil, err
		}
	}
	for _, f := range fresh {
		f.saved = true
	}
	return state, nil
}

// Restore takes back the layers that Save returned, before Run. It compares the files with their
// checksums: a file that differs makes an error that wraps sorted.ErrDamaged.
func (s *Solver) Restore(ctx context.Context, state *State) error {
	if len(s.layers) > 0 || s.o.Dir == "" {
		return errors.New("layers are restored once, before the run, from a directory")
	}
	if state.Columns != len(s.columns) {
		return fmt.Errorf("the layers were begun with %d values for each state, and there are %d objectives", state.Columns, len(s.columns))
	}
	if _, err := disk.OwnDir(s.o.Dir); err != nil {
		return err
	}
	from := len(state.Layers)
	var all []*layer
	for i, of := range state.Layers {
		l := &layer{Layer: of, list: &stored{File: of.List, path: filepath.Join(s.o.Dir, s.listName(i)), saved: true}}
		if err := l.list.check(ctx); err != nil {
			return err
		}
		if of.Values != nil {
			l.vals = &stored{File: *of.Values, path: filepath.Join(s.o.Dir, s.valuesName(i)), saved: true}
			if err := l.vals.check(ctx); err != nil {
				return err
			}
			from = min(from, i)
		} else if from < i {
			return l.list.damaged("the layers above have values, and it has none")
		}
		if i > 0 && of.Layer <= state.Layers[i-1].Layer {
			return l.list.damaged("layers should rise, and layer %d follows %d", of.Layer, state.Layers[i-1].Layer)
		}
		all = append(all, l)
	}
	for _, l := range all {
		s.states += l.States
	}
	s.layers, s.listed = all, state.Listed
	if s.listed {
		s.from = from
	}
	return nil
}

// Objectives returns those whose values are computed.
func (s *Solver) Objectives() []Objective { return s.o.Objectives }

// List returns the bytes of the sorted list of the states of a layer, by its place among those of Result.
func (s *Solver) List(i int) ([]byte, error) { return s.layers[i].list.read() }

// Values returns the values of the states of a layer, column by column for each state, as bits of
// floating-point numbers. The solver needs a directory, and has run to its end.
func (s *Solver) Values(i int) ([]uint64, error) {
	l := s.layers[i]
	if l.vals == nil {
		return nil, errors.New("the values of states were not kept")
	}
	return l.vals.words(l.States * uint64(len(s.columns)))
}
