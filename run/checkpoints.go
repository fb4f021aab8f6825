package run

import (
	"context"
	"errors"
	"io/fs"

	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// A saver is how runs write checkpoints and go on from them.
type saver struct {
	save, restore func(ctx context.Context, j *job, e enumeration) error
}

// saving is the saver of the program; nil: its runs write none.
var saving *saver

// UseCheckpoints makes runs write checkpoints. A program in a browser does without, and is smaller: a tab
// that is closed begins again.
func UseCheckpoints() { saving = &saver{save, restore} }

// save writes a checkpoint in place of the one before.
func save(ctx context.Context, j *job, e enumeration) error {
	return e.save(ctx, &layers.Meta{Space: j.sp.Definition(), Size: j.sp.Size(), Checkpoint: &layers.Checkpoint{
		Engine: j.engine.name, Version: j.engine.version, Division: e.division(), Store: j.store.Name, Output: j.recorded(), Overwrite: j.Overwrite, Bounded: j.bounded}})
}

// restore goes on from the checkpoint of a job.
func restore(ctx context.Context, j *job, e enumeration) error {
	if j.from.Meta().Checkpoint.Division != e.division() {
		return otherDivision(j.from)
	}
	err := j.from.Read(func() error { return e.restore(ctx, j.from) })
	var file *layers.FileError
	var on *fs.PathError
	switch {
	case err == nil:
		j.kept = j.from.Path()
	case ctx.Err() == nil && !errors.As(err, &file) && !errors.As(err, &on) && !errors.Is(err, mapped.ErrFault) && !errors.Is(err, statespace.ErrMemory) && !errors.Is(err, sweep.ErrRoom):
		err = j.from.Damaged("%v", err) // no run of the engine has saved that
	}
	return err
}
