package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"pagoda/internal/failpoint"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

// A Result is what a run has found and made.
type Result struct {
	Space        string
	States       uint64
	LayerName    string // what the numbers of layers count, such as "pegs"
	Layers       []statespace.Layer
	Seconds      float64 // to enumerate
	TotalSeconds float64
	Threads      int
	Engine       string
	Kernel       string // empty if the engine has none
	Store        string
	File         string // its path; empty if there is none
	FileBytes    uint64
	PeakRSS      uint64 // bytes of memory; 0 if they are not known
	Existing     bool   // the file was there already, with this result
	// HasGoals says that goals were looked for; Goal is nil if none can be reached.
	HasGoals bool
	Goal     *layers.Goal
}

// describe takes over the metadata of a file.
func (r *Result) describe(sp statespace.Space, m *layers.Meta) {
	r.States, r.LayerName, r.Layers = m.States, m.Layer, m.Layers
	r.HasGoals, r.Goal = statespace.HasGoals(sp) && !isLayered(sp), m.Goal
}

// A job is a run under way.
type job struct {
	Options
	sp     statespace.Space
	engine engine
	store  layers.Store
	// insteadOf is the engine that the engine sparse stands for, if that was not asked for.
	insteadOf *engine
	// bounded ends a run of the engine sparse, which nobody has asked for, when its list is larger
	// than the memory that is allowed.
	bounded bool
	warns   bool // the choice is a surprise

	checkpoint string       // its path; empty: none is written
	asked      bool         // the checkpoint is written however short the run is
	from       *layers.File // the checkpoint to go on from, or nil

	begun bool   // there is something to save
	kept  string // the path of the checkpoint that is there
}

// CheckpointSuffix is added to the name of a file to name its checkpoint.
const CheckpointSuffix = ".checkpoint"

// Start enumerates a space and writes the file, if there is to be one. A file that already holds
// the result stays as it is. When ctx ends, Start stops soon and returns the cause, in a
// *StoppedError if it has left a checkpoint.
//
// The error is an ErrOptions if the options do not fit the space, an ErrInTheWay if there is
// something else at the place of the file or of its checkpoint, and a *MemoryError if the run
// needs more memory than it may take.
func Start(ctx context.Context, sp statespace.Space, o Options) (*Result, error) {
	begin := time.Now()
	j, err := newJob(ctx, sp, o)
	if err != nil {
		return nil, err
	}
	kernel, err := j.engine.useKernel(o.Kernel)
	if err != nil {
		return nil, err
	}
	if err := j.placeCheckpoint(); err != nil {
		return nil, err
	}
	return j.do(ctx, kernel, begin)
}

var errDeep = errors.New("the search has many levels")

// placeCheckpoint decides where to write checkpoints: in the directory that was given, or beside
// the file. It does not overwrite the checkpoint of a run that was stopped.
func (j *job) placeCheckpoint() error {
	if dir := j.Checkpoint; dir != "" {
		if !j.engine.keepsCheckpoints() {
			return optionError("the engine %s of %s writes no checkpoints: choose another engine, or no directory for them", j.engine.name, j.sp.Name())
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fmt.Errorf("the directory of the checkpoint: %w", err)
		}
		name := j.Output
		if name == "" {
			var err error
			if name, err = OutputName(j.sp, j.Options); err != nil {
				return err
			}
		}
		j.checkpoint, j.asked = filepath.Join(dir, filepath.Base(name)+CheckpointSuffix), true
	} else if j.Output != "" {
		j.checkpoint = j.Output + CheckpointSuffix
	}
	if j.checkpoint == "" {
		return nil
	}
	_, there, err := j.leftCheckpoint()
	if err != nil || !there || j.Overwrite {
		return err
	}
	if _, err := os.Lstat(j.Output); j.Output != "" && err == nil {
		return nil // the file may be finished, and the checkpoint no longer needed
	}
	return &kindError{ErrOptions, inTheWay("%s is the checkpoint of a run that was stopped: resume it, remove it, or let the new run overwrite it", j.checkpoint)}
}

// leftCheckpoint looks at the place of the checkpoint. It reports whether a run has left one
// there, and whether that run was of this space. It is an error if something else is there.
func (j *job) leftCheckpoint() (own, there bool, err error) {
	if _, err := os.Lstat(j.checkpoint); errors.Is(err, os.ErrNotExist) {
		return false, false, nil
	}
	f, err := layers.OpenCheckpoint(context.Background(), j.checkpoint, j.same, 0) // the space is there, so it does not last
	switch {
	case errors.Is(err, layers.ErrNotReach) || errors.Is(err, layers.ErrNotCheckpoint):
		return false, false, inTheWay("%s is in the way of the checkpoint, and is not one: move it", j.checkpoint)
	case err != nil:
		return false, true, nil // it is damaged, or of another space
	}
	f.Close()
	return true, true, nil
}

// errOther says that a file is of another space.
var errOther = errors.New("of another space")

// same is the layers.Define of files of the space of the run.
func (j *job) same(_ context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) {
	if !d.SamePuzzle(j.sp.Definition()) {
		return nil, errOther
	}
	return j.sp, nil
}

// do enumerates the space and makes the file, unless there is one that holds the result.
func (j *job) do(ctx context.Context, kernel string, begin time.Time) (*Result, error) {
	r := &Result{Space: j.sp.Name(), Threads: j.Threads, Engine: j.engine.name, Kernel: kernel, Store: j.store.Name, File: j.Output}
	if err := j.make(ctx, r); err != nil {
		return nil, err
	}
	r.TotalSeconds, r.PeakRSS = time.Since(begin).Seconds(), mapped.PeakRSS()
	return r, nil
}

func (j *job) make(ctx context.Context, r *Result) error {
	done, err := j.existing(ctx, r)
	if !done && err == nil {
		if err := j.checkMemory(); err != nil {
			return err
		}
		err = j.run(ctx, r)
		exists := errors.Is(err, layers.ErrExists)
		if exists || errors.Is(err, layers.ErrLost) {
			// Another run has finished meanwhile, and this one kept nothing of its own; or
			// this one was killed when its file had its name.
			j.Overwrite = false
			if done, otherErr := j.existing(ctx, r); done || exists && otherErr != nil {
				err = otherErr
			}
		}
	}
	if err != nil {
		return j.stopped(ctx, err)
	}
	failpoint.Hit("finished")
	if j.checkpoint == "" {
		return nil
	}
	own, there, _ := j.leftCheckpoint()
	if own {
		if err := os.Remove(j.checkpoint); err != nil {
			return err
		}
	}
	layers.RemoveLeftover(j.checkpoint)
	if _, err := os.Lstat(j.Output + layers.PartialSuffix); there && !own || err == nil && j.Output != "" {
		return nil // the levels may be those of another run
	}
	return sparse.RemoveLevels(j.levelsDir())
}

// existing looks at a file that is in the way. It reports whether the file already holds the
// result; then it removes what a killed run has left.
func (j *job) existing(ctx context.Context, r *Result) (done bool, err error) {
	if j.Output == "" || j.Overwrite {
		return false, nil
	}
	info, err := os.Lstat(j.Output)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		info, err = os.Stat(j.Output)
	}
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return false, inTheWay("%s is not a regular file: name another", j.Output)
	}
	var other statespace.Definition
	f, err := layers.Open(ctx, j.Output, func(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
		other = d
		sp, err := j.same(ctx, d, memory)
		if err != nil {
			err = &layers.FileError{Err: err}
		}
		return sp, err
	}, MemoryLimit(j.Memory))
	switch {
	case errors.Is(err, errOther):
		return false, inTheWay("%s holds %s, not this space", j.Output, other.Name)
	case err != nil:
		return false, &kindError{ErrInTheWay, err}
	}
	defer f.Close()
	if there := f.Meta().Store; there != j.store.Name {
		return false, inTheWay("%s holds this space in the store %s, not %s: convert it", j.Output, there, j.store.Name)
	}
	if err := CheckFile(ctx, f, j.Options); err != nil {
		if ctx.Err() != nil {
			return false, err
		}
		return false, &kindError{ErrInTheWay, err}
	}
	r.describe(j.sp, f.Meta())
	r.FileBytes, r.Existing = f.Size(), true
	layers.RemoveLeftover(j.Output)
	return true, nil
}

// CheckFile checks every byte of a file against its checksums. It uses the options Threads and
// Meter. The error is a *layers.FileError if the file is damaged.
func CheckFile(ctx context.Context, f *layers.File, o Options) error {
	o = o.fill()
	var done atomic.Int64
	defer o.Meter("checking", f.Size(), "B", func() (int64, int64) { return done.Load(), int64(f.Size()) })()
	return cmp.Or(f.Check(ctx, o.Threads, &done), f.Intact())
}

// An enumeration is a kind of run.
type enumeration interface {
	// begin makes what the engine needs besides its memory.
	begin() error
	// division is a checksum of how the work is divided: see layers.Checkpoint.
	division() uint32
	// restore takes over what a checkpoint holds.
	restore(checkpoint *layers.File) error
	// run goes on to the end. It calls between when a checkpoint can be written.
	run(ctx context.Context, between func() error, progress *statespace.Progress) error
	// save writes a checkpoint, with the metadata and the state of the run.
	save(ctx context.Context, meta *layers.Meta) error
	// finish fills in the result and writes the file, if there is to be one.
	finish(ctx context.Context, r *Result) error
	// close gives back the memory, and the file unless it is finished.
	close()
}

// run enumerates the space and writes the file. When it is interrupted, it keeps a checkpoint,
// if it keeps any.
func (j *job) run(ctx context.Context, r *Result) error {
	e, err := j.open(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	begin := time.Now()
	err = j.enumerate(ctx, e)
	r.Seconds = time.Since(begin).Seconds()
	if err == nil {
		err = e.finish(ctx, r)
	}
	if err != nil && !errors.Is(err, layers.ErrExists) && j.keeps(time.Since(begin)) {
		if failed := j.save(context.WithoutCancel(ctx), e); failed == nil {
			j.kept = j.checkpoint
		} else if j.kept == "" {
			return fmt.Errorf("%w; no checkpoint could be written: %w", err, failed)
		}
	}
	return err
}

// open returns the kind of run of the engine, with its memory and disk space.
func (j *job) open(ctx context.Context) (enumeration, error) {
	switch {
	case j.engine.blocks() != nil:
		return j.openBlocks(ctx)
	case j.engine.name == NumbersEngine:
		return j.openSearch(ctx)
	case j.engine.name == SparseEngine:
		return j.openSparse(ctx)
	case !isLayered(j.sp):
		return j.openPlain(ctx)
	}
	return j.openSet(ctx)
}

// closeOnError closes an enumeration that could not be opened.
func closeOnError(e enumeration, err *error) {
	if *err != nil {
		e.close()
	}
}

// keeps reports whether a run that has failed or was interrupted after such a time keeps a
// checkpoint.
func (j *job) keeps(after time.Duration) bool {
	return j.begun && j.checkpoint != "" && j.engine.keepsCheckpoints() && (j.asked || j.from != nil || after >= j.Every)
}

// enumerate goes through the space, and writes checkpoints on the way.
func (j *job) enumerate(ctx context.Context, e enumeration) error {
	if err := e.begin(); err != nil {
		return err
	}
	if j.from != nil {
		if j.from.Meta().Checkpoint.Division != e.division() {
			return otherDivision(j.from)
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
		if j.checkpoint == "" || time.Since(last) < j.Every {
			return nil
		}
		if err := j.save(ctx, e); err == nil {
			j.kept = j.checkpoint
		} else if ctx.Err() == nil && !warned {
			warned = true
			j.Warn(fmt.Errorf("no checkpoint was written, the run continues: %w", err))
		}
		last = time.Now()
		failpoint.Hit("checkpoint")
		return nil
	}
	var progress statespace.Progress
	size, unit := j.sp.Size(), "numbers"
	if j.engine.name == SparseEngine {
		size, unit = 0, "states"
	}
	defer j.Meter(j.sp.Name(), size, unit, progress.Read)()
	return e.run(ctx, between, &progress)
}

// stopped adds to an error the checkpoint of a run that has failed or was interrupted.
func (j *job) stopped(ctx context.Context, err error) error {
	switch {
	case j.kept != "" && j.begun && !errors.Is(err, layers.ErrExists):
		return &StoppedError{err, j.kept}
	case j.from != nil && ctx.Err() != nil:
		return &StoppedError{err, j.from.Path()} // it is still there
	}
	return err
}

// save writes a checkpoint in place of the one before.
func (j *job) save(ctx context.Context, e enumeration) error {
	return e.save(ctx, &layers.Meta{Space: j.sp.Definition(), Store: layers.CheckpointStore, Size: j.sp.Size(),
		Checkpoint: &layers.Checkpoint{Engine: j.engine.name, Division: e.division(), Store: j.store.Name, Output: absolute(j.Output), Overwrite: j.Overwrite}})
}

// absolute returns a path that means the same in any directory; empty stays empty.
func absolute(path string) string {
	if path == "" {
		return ""
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// create takes the disk space for the file, if there is to be one; else it returns nil.
func (j *job) create() (*layers.Writer, error) {
	if j.Output == "" {
		return nil, nil
	}
	w, err := layers.Create(j.Output, j.store.FileSize(j.sp), j.Overwrite)
	if err != nil || j.from != nil || !j.Overwrite || j.checkpoint == "" {
		return w, err
	}
	// The run begins again: the checkpoint of an earlier run is no longer needed.
	if own, _, _ := j.leftCheckpoint(); own {
		err = os.Remove(j.checkpoint)
	}
	if err != nil {
		w.Abort()
	}
	return w, err
}
