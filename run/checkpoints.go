package run

import (
	"context"

	"pagoda/layers"
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
	return e.save(ctx, &layers.Meta{Space: j.sp.Definition(), Store: layers.CheckpointStore, Size: j.sp.Size(), Checkpoint: &layers.Checkpoint{
		Engine: j.engine.name, Division: e.division(), Store: j.store.Name, Output: j.recorded(), Overwrite: j.Overwrite, Bounded: j.bounded}})
}

// restore goes on from the checkpoint of a job.
func restore(ctx context.Context, j *job, e enumeration) error {
	if j.from.Meta().Checkpoint.Division != e.division() {
		return otherDivision(j.from)
	}
	if err := e.restore(ctx, j.from); err != nil {
		return err
	}
	j.kept = j.from.Path()
	return nil
}
