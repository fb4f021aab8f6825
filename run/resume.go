package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pagoda/layers"
)

// Resume continues a run from its checkpoint: the file gets the same bytes as without a stop.
// Path is the checkpoint, or a directory that has one. Define makes the space of the definition
// in it. Resume uses the options Output, Overwrite, Kernel, Every, Memory, Threads, Meter and
// Warn; the others are those of the run.
//
// A checkpoint does not decide what is written: it may come from a stranger. Without
// Options.Output, the run of FILE.checkpoint writes FILE beside it, and follows no links. A
// checkpoint that names another file is an *OutputError. Without Options.Overwrite, the run
// replaces only a file of the same space, and only if Start was to overwrite.
//
// The other errors are those of Start, and a *layers.FileError for a checkpoint that is damaged,
// of another space, or of an engine that divides its work in another way.
func Resume(ctx context.Context, path string, define layers.Define, o Options) (*Result, error) {
	begin := time.Now()
	if saving == nil {
		return nil, errors.New("this program keeps no checkpoints: see UseCheckpoints")
	}
	path, err := findCheckpoint(path)
	if err != nil {
		return nil, err
	}
	f, err := layers.OpenCheckpoint(ctx, path, define, MemoryLimit(o.Memory))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	release, err := claim(path)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := newest(f); err != nil {
		return nil, err
	}
	j, kernel, err := resumedJob(ctx, f, o)
	if err != nil {
		return nil, err
	}
	return j.do(ctx, kernel, begin)
}

// newest returns an error if a checkpoint was replaced before it was claimed: that run has gone
// on, or is finished.
func newest(f *layers.File) error {
	now, err := os.Stat(f.Path())
	if err != nil {
		return err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(opened, now) {
		err = fmt.Errorf("%s was written meanwhile by a run that has ended: resume it again", f.Path())
	}
	return err
}

// resumedJob returns the job of a run that goes on from a checkpoint, which has been claimed.
func resumedJob(ctx context.Context, f *layers.File, o Options) (j *job, kernel string, err error) {
	c := f.Meta().Checkpoint
	j = &job{Options: o.fill(), sp: f.Space(), checkpoint: f.Path(), from: f, bounded: c.Bounded}
	if err := j.takeOutput(c.Output, c.Overwrite); err != nil {
		return nil, "", err
	}
	if j.engine, err = j.findEngine(cmp.Or(earlierNames[c.Engine], c.Engine)); err != nil {
		return nil, "", unknownHere(f, "%v", err)
	}
	if want := j.engine.version; c.Version != want {
		return nil, "", unknownHere(f, "it should have version %d of the checkpoints of the engine %s, which this program goes on from, and has version %d", want, j.engine.name, c.Version)
	}
	if err := CheckFile(ctx, f, j.Options); err != nil {
		return nil, "", j.stopped(ctx, err)
	}
	j.Own = nil // they are those of the checkpoint
	if err := j.takeOptions(); err != nil {
		return nil, "", fmt.Errorf("%s: %w", f.Path(), err)
	}
	if kernel, err = j.useKernel(); err != nil {
		return nil, "", err
	}
	if j.store, err = findStore(j.sp, c.Store); err != nil {
		return nil, "", fmt.Errorf("%s: %w", f.Path(), err)
	}
	return j, kernel, nil
}

// earlierNames are the names of engines by those that they had before 0.1.0.
var earlierNames = map[string]string{"levels": "layers", "search": PlainEngine}

// findCheckpoint returns the path itself, or the only checkpoint in it if it is a directory. It
// follows a link: what belongs to the checkpoint is beside the file itself.
func findCheckpoint(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		entries, err := os.ReadDir(path)
		if err != nil {
			return "", err
		}
		var found []string
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), CheckpointSuffix) {
				found = append(found, e.Name())
			}
		}
		if len(found) != 1 {
			return "", optionError("%s should have one checkpoint, and has %d: name the file", path, len(found))
		}
		path = filepath.Join(path, found[0])
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		return path, err
	}
	return filepath.EvalSymlinks(path)
}

// otherDivision is the error of a checkpoint of a run that did something else than this one would.
func otherDivision(checkpoint *layers.File) error {
	return unknownHere(checkpoint, "the run divided its work differently")
}

// unknownHere is the error of a checkpoint from which this program cannot continue.
func unknownHere(checkpoint *layers.File, format string, args ...any) error {
	return &layers.FileError{Path: checkpoint.Path(), Err: layers.ErrVersion, Detail: fmt.Sprintf(format, args...),
		Advice: "resume it with the program that wrote it, or begin again in another file"}
}
