package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"pagoda/bitset"
	"pagoda/internal/cli"
	"pagoda/internal/failpoint"
	"pagoda/layers"
	"pagoda/statespace"
)

// A job enumerates a space and writes its file. It can go on from a checkpoint.
type job struct {
	sp        statespace.Space
	engine    string
	store     layers.Store
	output    string // empty: no file
	overwrite bool
	mem       cli.Memory
	threads   int
	quiet     bool

	checkpoint string // where one is written; empty: none
	asked      bool   // it was asked for, however short the run is
	every      time.Duration
	from       *layers.File // the checkpoint to go on from, or nil

	begun bool   // what there is can be kept
	kept  string // the checkpoint that there is
}

// checkpointSuffix is what the name of a file has behind it for its checkpoint.
const checkpointSuffix = ".checkpoint"

func checkpointEvery(cmd *cobra.Command, every *time.Duration) {
	cmd.Flags().DurationVar(every, "checkpoint-every", time.Minute, "how often to write a checkpoint")
}

// placeCheckpoint finds out where to write checkpoints: in the directory that was
// asked for, or beside the file. One of a run that was stopped is not lost.
func (j *job) placeCheckpoint(dir string) error {
	if j.every < 0 {
		return cli.Usagef("--checkpoint-every is %v, expected a time such as 30s or 10m", j.every)
	}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fmt.Errorf("the directory of the checkpoint: %w", err)
		}
		name := j.output
		if name == "" {
			name = fileName(j.sp.Name())
		}
		j.checkpoint, j.asked = filepath.Join(dir, filepath.Base(name)+checkpointSuffix), true
	} else if _, ok := j.sp.(statespace.Reversible); !ok && j.output != "" {
		j.checkpoint = j.output + checkpointSuffix
	}
	if j.checkpoint == "" {
		return nil
	}
	_, there, err := j.leftCheckpoint()
	if err != nil || !there || j.overwrite {
		return err
	}
	if _, err := os.Lstat(j.output); j.output != "" && err == nil {
		return nil // it may be that the checkpoint is no longer needed
	}
	return cli.Usagef("%s is the checkpoint of a run that was stopped: reach resume %s goes on with it; to begin again, remove it or give --force", j.checkpoint, j.checkpoint)
}

// leftCheckpoint looks at the place of the checkpoint. It reports whether a run has
// left one there, and whether that was a run of this space. It is an error if
// something else is there.
func (j *job) leftCheckpoint() (own, there bool, err error) {
	if _, err := os.Lstat(j.checkpoint); errors.Is(err, os.ErrNotExist) {
		return false, false, nil
	}
	f, sp, err := cli.OpenCheckpoint(j.checkpoint)
	switch {
	case errors.Is(err, layers.ErrNotReach) || errors.Is(err, layers.ErrNotCheckpoint):
		return false, false, fmt.Errorf("%s is in the way of the checkpoint, and no run has left it: move it", j.checkpoint)
	case err != nil:
		return false, true, nil // it is damaged
	}
	defer f.Close()
	return sp.Definition().SamePuzzle(j.sp.Definition()), true, nil
}

// do fills in the result, and makes the file unless there is to be none, or there is
// one already that holds the result.
func (j *job) do(ctx context.Context, stderr io.Writer, result *runResult) error {
	done, err := j.existing(ctx, stderr, result)
	if !done && err == nil {
		if err := j.checkMemory(); err != nil {
			return err
		}
		err = j.run(ctx, stderr, result)
		exists := errors.Is(err, layers.ErrExists)
		if exists || errors.Is(err, layers.ErrLost) {
			// Another run has finished meanwhile, and this one kept nothing of its own; or
			// this one was killed when its file had its name.
			j.overwrite = false
			if done, otherErr := j.existing(ctx, stderr, result); done || exists && otherErr != nil {
				err = otherErr
			}
		}
	}
	if err != nil {
		return j.stopped(err)
	}
	failpoint.Hit("finished")
	if j.checkpoint == "" {
		return nil
	}
	if own, _, _ := j.leftCheckpoint(); own {
		if err := os.Remove(j.checkpoint); err != nil {
			return err
		}
	}
	layers.RemoveLeftover(j.checkpoint)
	return nil
}

// checkMemory refuses a run that needs more memory than it may take.
func (j *job) checkMemory() error {
	used := uint64(0)
	_, reversible := j.sp.(statespace.Reversible)
	if j.output != "" && !(reversible && j.store.Name == layers.Mod3Store) { // of distances that are written as they are
		used = j.store.Memory(j.sp)
	}
	if sp := j.streamer(); sp != nil {
		if j.output != "" && j.store.NeedsSet() {
			used += cli.StateBytes(sp) // the set, unfolded
		}
		if j.output != "" && !j.streamsToFile() {
			used += sp.Size() >> sp.BlockBits() * 4 // where each block is: see Streaming.Set
		}
		return j.mem.CheckStream(sp, j.engine, j.slots(sp), used)
	}
	return j.mem.Check(j.sp, j.engine, used)
}

// existing looks at a file that is in the way. It reports done when the file
// already holds the result; then what a killed run has left is removed.
func (j *job) existing(ctx context.Context, stderr io.Writer, result *runResult) (done bool, err error) {
	if j.output == "" || j.overwrite {
		return false, nil
	}
	info, err := os.Lstat(j.output)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		info, err = os.Stat(j.output)
	}
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return false, fmt.Errorf("%s is not a regular file: -o names another", j.output)
	}
	advice := "--force overwrites it, -o names another file"
	f, there, err := cli.OpenFile(j.output)
	if err != nil {
		return false, fmt.Errorf("%w; %s", err, advice)
	}
	defer f.Close()
	if !there.Definition().SamePuzzle(j.sp.Definition()) {
		what := fmt.Sprintf("%s with the start %s", there.Name(), there.Format(there.Roots()[0]))
		if r, ok := there.(statespace.Reversible); ok && r.ToGoal() {
			what += ", as far as the nearest goal"
		}
		return false, fmt.Errorf("%s holds %s, not this space; %s", j.output, what, advice)
	}
	if there := f.Meta().Store; there != j.store.Name {
		return false, fmt.Errorf("%s holds this space, in the store %s; reach convert writes it in another, %s", j.output, there, advice)
	}
	err = cli.CheckFile(ctx, f, j.threads, j.quiet, stderr)
	if errors.Is(err, cli.ErrInterrupted) {
		return false, err
	}
	if err != nil {
		return false, fmt.Errorf("%w; %s", err, advice)
	}
	result.tellLayers(f.Meta())
	result.tellGoal(there, f.Meta().Goal)
	result.FileBytes, result.Existing = f.Size(), true
	layers.RemoveLeftover(j.output)
	return true, nil
}

// run enumerates the space and writes the file. When it is interrupted, it keeps a
// checkpoint, if it keeps any.
func (j *job) run(ctx context.Context, stderr io.Writer, result *runResult) error {
	if sp, ok := j.sp.(statespace.Reversible); ok {
		return j.measure(ctx, stderr, sp, result)
	}
	open := j.openSet
	if j.streamer() != nil {
		open = j.openStream
	}
	e, err := open(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	begin := time.Now()
	err = j.enumerate(ctx, stderr, e)
	result.Seconds = time.Since(begin).Seconds()
	if err == nil {
		err = e.finish(ctx, stderr, result)
	}
	if err != nil && !errors.Is(err, layers.ErrExists) && j.keeps(time.Since(begin)) {
		if failed := j.save(context.WithoutCancel(ctx), e); failed == nil {
			j.kept = j.checkpoint
		} else if j.kept == "" {
			return fmt.Errorf("%w: no checkpoint could be written: %w", err, failed)
		}
	}
	return err
}

// create takes the disk space for the file, if there is to be one; else it returns nil.
func (j *job) create() (*layers.Writer, error) {
	if j.output == "" {
		return nil, nil
	}
	w, err := layers.Create(j.output, j.store.FileSize(j.sp), j.overwrite)
	if err != nil || j.from != nil || !j.overwrite || j.checkpoint == "" {
		return w, err
	}
	// The run begins again: what an earlier one has kept is of no more use.
	if own, _, _ := j.leftCheckpoint(); own {
		err = os.Remove(j.checkpoint)
	}
	if err != nil {
		w.Abort()
	}
	return w, err
}

// measure finds the distances of a space and writes the file.
func (j *job) measure(ctx context.Context, stderr io.Writer, sp statespace.Reversible, result *runResult) error {
	writer, err := j.create()
	if err != nil {
		return err
	}
	if writer != nil {
		defer writer.Abort()
	}
	distances, free, err := cli.NewDistances(ctx, sp, j.threads)
	if err != nil {
		return err
	}
	defer free()
	begin := time.Now()
	found, err := j.find(ctx, stderr, sp, distances)
	if err != nil {
		return err
	}
	result.Seconds = time.Since(begin).Seconds()
	meta := describeDistances(sp, found)
	result.tellGoal(sp, meta.Goal)
	return j.write(ctx, stderr, bitset.Support{Planes: distances}, meta, writer, result)
}

func (j *job) find(ctx context.Context, stderr io.Writer, sp statespace.Reversible, distances *bitset.Planes) (*statespace.Reached, error) {
	var progress statespace.Progress
	if !j.quiet {
		defer cli.Progress(stderr, sp.Name(), sp.Size(), "numbers", progress.Read)()
	}
	return statespace.FindDistances(ctx, sp, j.engine, distances, j.threads, &progress)
}

// keeps reports whether a run that is interrupted, or fails, after such a time keeps a
// checkpoint.
func (j *job) keeps(after time.Duration) bool {
	return j.begun && j.checkpoint != "" && (j.asked || j.from != nil || after >= j.every)
}

// enumerate goes through the space, and writes checkpoints on the way.
func (j *job) enumerate(ctx context.Context, stderr io.Writer, e enumeration) error {
	if err := e.begin(); err != nil {
		return err
	}
	if j.from != nil {
		if j.from.Meta().Checkpoint.Plan != e.plan() {
			return otherPlan(j.from)
		}
		if err := e.restore(j.from); err != nil {
			return err
		}
		j.kept = j.from.Path()
	}
	j.begun = true
	last, warned := time.Now(), false
	between := func() error {
		failpoint.Hit("stage")
		if j.checkpoint == "" || time.Since(last) < j.every {
			return nil
		}
		if err := j.save(ctx, e); err == nil {
			j.kept = j.checkpoint
		} else if ctx.Err() == nil && !warned {
			warned = true
			fmt.Fprintf(stderr, "reach: no checkpoint, but the run goes on: %v\n", err)
		}
		last = time.Now()
		failpoint.Hit("checkpoint")
		return nil
	}
	var progress statespace.Progress
	if !j.quiet {
		stop := cli.Progress(stderr, j.sp.Name(), j.sp.Size(), "numbers", progress.Read)
		defer stop()
	}
	return e.run(ctx, between, &progress)
}

// otherPlan is the error of a checkpoint that this program cannot go on from.
func otherPlan(checkpoint *layers.File) error {
	return &layers.FileError{Path: checkpoint.Path(), Err: layers.ErrVersion, Detail: "the run that it is of divided its work in another way",
		Advice: "resume it with the program that wrote it, or begin again with reach run --force"}
}

// write writes the file, if there is to be one.
func (j *job) write(ctx context.Context, stderr io.Writer, members bitset.Reader, meta *layers.Meta, writer *layers.Writer, result *runResult) error {
	if writer == nil {
		result.tellLayers(meta)
		return nil
	}
	meta.Store = j.store.Name
	size, err := finishFile(ctx, stderr, writer, j.sp, members, meta, j.threads, j.quiet)
	result.tellLayers(meta)
	result.FileBytes = uint64(size)
	return err
}

// stopped says what a run that has failed or was interrupted has kept, and how to go on.
func (j *job) stopped(err error) error {
	switch {
	case j.kept != "" && j.begun && !errors.Is(err, layers.ErrExists):
		return &cli.Resumable{Err: err, Command: "reach resume " + j.kept}
	case errors.Is(err, cli.ErrInterrupted) && j.from != nil:
		return &cli.Resumable{Err: err, Command: "reach resume " + j.from.Path()} // it is still there
	case errors.Is(err, cli.ErrInterrupted):
		return fmt.Errorf("%w: nothing was kept", err)
	}
	return err
}

// save writes a checkpoint in place of the one before.
func (j *job) save(ctx context.Context, e enumeration) error {
	return e.save(ctx, &layers.Meta{Space: j.sp.Definition(), Store: layers.CheckpointStore, Size: j.sp.Size(),
		Checkpoint: &layers.Checkpoint{Engine: j.engine, Plan: e.plan(), Store: j.store.Name, Output: absolute(j.output), Overwrite: j.overwrite}})
}

// absolute returns a path that means the same from any directory; empty stays empty.
func absolute(path string) string {
	if path == "" {
		return ""
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
