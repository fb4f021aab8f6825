package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// Convert writes the states of an open file in another store, to Output. It uses the options
// Output, Overwrite, Memory, Threads and Meter; without Memory it is that of the file. For the
// sparse store, it finds the states again. A file in pieces that keeps its store is joined to one file.
func Convert(ctx context.Context, f *layers.File, store layers.Store, o Options) error {
	o = o.fill()
	o.Memory = cmp.Or(o.Memory, f.Memory())
	if o.Output == "" {
		return optionError("a conversion writes a file: name one")
	}
	sp, renumbers := f.Space(), false
	if of := sp.Parts().Codes.Of; of != nil && !store.Lists {
		sp, renumbers = of, true
	}
	if err := store.Fits(sp); err != nil {
		return optionError("%w", err)
	}
	if kept := keptNumbers(f); store.Name == layers.SparseStore && kept != "" {
		return optionError("%s keeps %s of each state, and a list of states cannot: use another store, or list the states alone by `reach run %s --store %s`", f.Path(), kept, sp.Name(), store.Name)
	}
	if f.InPieces() && store.Name == f.Store().Name {
		return join(ctx, f, o)
	}
	need := setBytes(sp) + store.Memory(sp)
	if !renumbers {
		need = store.MemoryFrom(f)
	}
	if need > o.Memory {
		return &statespace.MemoryError{Name: o.Output, Need: need, Allowed: o.Memory}
	}
	if err := CheckFile(ctx, f, o); err != nil {
		return err
	}
	if err := noCheckpoint(o.Output); err != nil {
		return err
	}
	if store.Lists {
		return list(ctx, f, store, o)
	}
	return written(convert(ctx, f, sp, renumbers, store, o))
}

// keptNumbers names what a file keeps of each state besides its distance.
func keptNumbers(f *layers.File) string {
	names := lists.Map(f.Meta().Columns, func(c layers.Column) string { return c.Name })
	for _, o := range f.Meta().Objectives {
		names = append(names, "the value for "+o)
	}
	return strings.Join(names, ", ")
}

// noCheckpoint returns an error if a stopped run has left a checkpoint: the file that is written would take
// the place of its partial file.
func noCheckpoint(output string) error {
	if _, err := os.Lstat(output + CheckpointSuffix); err == nil {
		return &CheckpointError{output + CheckpointSuffix}
	}
	return nil
}

// written is what an error of writing a file means.
func written(err error) error {
	if errors.Is(err, layers.ErrExists) {
		return &kindError{ErrInTheWay, err}
	}
	return err
}

// join writes a file in pieces as one file.
func join(ctx context.Context, f *layers.File, o Options) error {
	if err := noCheckpoint(o.Output); err != nil {
		return err
	}
	progress := new(statespace.Progress)
	defer o.Meter("joining", f.Size(), "B", progress.Read)()
	_, err := layers.Join(ctx, f, o.Output, o.Overwrite, progress)
	return written(err)
}

// list writes the file of a store that lists the states: it finds them again. The values of a game against
// chance are for the same objectives, if the file has any.
func list(ctx context.Context, f *layers.File, store layers.Store, o Options) error {
	sp := f.Space()
	if of := sp.Parts().Codes.Of; of != nil {
		sp = of
	}
	again := Options{Store: store.Name, Output: o.Output, Overwrite: o.Overwrite, Memory: o.Memory, Threads: o.Threads, Meter: o.Meter, Warn: o.Warn, Every: never, Own: optionsOf(f, store)}
	r, err := Start(ctx, sp, again)
	if err == nil && r.States != f.Meta().States {
		err = &layers.FileError{Path: f.Path(), Err: layers.ErrDamaged, Detail: fmt.Sprintf("%d states can be reached, and it has %d", r.States, f.Meta().States), Advice: "make it again"}
	}
	return err
}

// convert writes the file of any other store. It renumbers the states if the file has a list of
// them.
func convert(ctx context.Context, f *layers.File, sp statespace.Space, renumbers bool, store layers.Store, o Options) error {
	w, err := layers.Create(o.Output, store.FileSize(sp), o.Overwrite)
	if err != nil {
		return err
	}
	defer w.Abort()
	m := f.Meta()
	meta := &layers.Meta{Space: m.Space, Store: store.Name, Size: sp.Size(), States: m.States, Layer: m.Layer, Layers: m.Layers, Goal: m.Goal, Figures: m.Figures}
	members := f.Members()
	if renumbers {
		set, free, err := unlist(ctx, f, sp, meta, o.Threads)
		if err != nil {
			return err
		}
		defer free()
		members, meta.Space = set, sp.Definition()
	}
	_, err = finishFile(ctx, w, sp, members, meta, o)
	return err
}

// unlist returns the states of a file of the sparse store as a set of the numbers that are listed
// in it. It puts these into the metadata, too.
func unlist(ctx context.Context, f *layers.File, sp statespace.Space, meta *layers.Meta, threads int) (set *bitset.Set, free func(), err error) {
	return layers.MakeSet(ctx, sp.Size(), threads, func(set *bitset.Set) error {
		return f.Read(func() error {
			number := func(x uint64) uint64 {
				_, path := sparse.Original(f.Space(), statespace.Path{From: x})
				return path.From
			}
			for x := range f.Meta().Size {
				if x%1024 == 0 && ctx.Err() != nil {
					return context.Cause(ctx)
				}
				set.Add(number(x))
			}
			if meta.Goal != nil {
				goal := *meta.Goal
				goal.Nearest = slices.Clone(goal.Nearest)
				for i, x := range goal.Nearest {
					goal.Nearest[i] = number(x)
				}
				meta.Goal = &goal
			}
			return nil
		})
	})
}
