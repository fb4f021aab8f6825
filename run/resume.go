package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"pagoda/layers"
)

// Resume continues a run from its checkpoint: the file gets the same bytes as without a stop.
// Path is the checkpoint, or a directory that has one. Define makes the space of the definition
// in it. Resume uses the options Kernel, Every, Memory, Threads, Meter and Warn; the others are
// those of the run. Its errors are those of Start, and a *layers.FileError for a checkpoint
// that is damaged, of another space, or of an engine that divides its work in another way.
func Resume(ctx context.Context, path string, define layers.Define, o Options) (*Result, error) {
	begin := time.Now()
	path, err := findCheckpoint(path)
	if err != nil {
		return nil, err
	}
	f, err := layers.OpenCheckpoint(ctx, path, define, MemoryLimit(o.Memory))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	j := &job{Options: o.fill(), sp: f.Space(), checkpoint: path, from: f}
	if err := CheckFile(ctx, f, j.Options); err != nil {
		return nil, j.stopped(ctx, err)
	}
	c := f.Meta().Checkpoint
	if j.engine, err = findEngine(j.sp, c.Engine); err != nil { // an older program may number in another way
		return nil, otherDivision(f)
	}
	j.Output, j.Overwrite = c.Output, c.Overwrite
	j.oneThread()
	kernel, err := j.engine.useKernel(o.Kernel)
	if err != nil {
		return nil, err
	}
	if j.store, err = findStore(j.sp, c.Store); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return j.do(ctx, kernel, begin)
}

// findCheckpoint returns the path itself, or the only checkpoint in it if it is a directory.
func findCheckpoint(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, err
	}
	found, err := filepath.Glob(filepath.Join(path, "*"+CheckpointSuffix))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", optionError("%s should have one checkpoint, and has %d: name the file", path, len(found))
	}
	return found[0], nil
}

// otherDivision is the error of a checkpoint from which this program cannot continue.
func otherDivision(checkpoint *layers.File) error {
	return &layers.FileError{Path: checkpoint.Path(), Err: layers.ErrVersion, Detail: "the run divided its work differently",
		Advice: "resume it with the program that wrote it, or begin again"}
}
