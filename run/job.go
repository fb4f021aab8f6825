package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"sync/atomic"
	"time"

	"pagoda/internal/disk"
	"pagoda/internal/failpoint"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
)

// A Result is what a run has found and made.
type Result struct {
	Space     string
	States    uint64
	LayerName string // what the numbers of layers count, such as "pegs"
	Layers    []statespace.Layer
	Taken
	// HasGoals says that goals were looked for; Goal is nil if none can be reached.
	HasGoals bool
	Goal     *layers.Goal
	// Figures are those of a space with statespace.Values, or of a game against chance.
	Figures []statespace.Figure
	// Own is what only one engine has to say: *PackedStats if blocks were packed, *Worth of a game against
	// chance; else nil.
	Own any
}

// A Taken says how a run was made, what it has taken, and which file it has written.
type Taken struct {
	Seconds      float64 `json:"seconds"` // to enumerate
	TotalSeconds float64 `json:"total_seconds"`
	Threads      int     `json:"threads"`
	Engine       string  `json:"engine"`
	Kernel       string  `json:"kernel"` // empty if the engine has none
	Store        string  `json:"store"`
	File         string  `json:"file"` // its path; empty if there is none
	FileBytes    uint64  `json:"file_bytes"`
	PeakRSS      uint64  `json:"peak_rss_bytes"` // of memory; 0 if they are not known
	Existing     bool    `json:"existing"`       // the file was there already, with this result
}

// describe takes over the metadata of a file.
func (r *Result) describe(sp statespace.Space, m *layers.Meta) {
	r.States, r.LayerName, r.Layers = m.States, m.Layer, m.Layers
	r.HasGoals, r.Goal, r.Figures = sp.Parts().Goals.Any() && !isLayered(sp), m.Goal, m.Figures
}

// A job is a run under way.
type job struct {
	Options
	sp     statespace.Space
	engine *method
	store  layers.Store
	// insteadOf is the offer for which one stands that lists the states, if that was not asked for.
	insteadOf *Offer
	// bounded ends a run of such an engine, which nobody has asked for, when its list is larger
	// than the memory that is allowed.
	bounded bool
	warns   bool // the choice is a surprise
	many    bool // the states are plainly too many for a list

	inMemory   bool         // what is found stays in memory: see Find
	checkpoint string       // its path; empty: none is written
	asked      bool         // the checkpoint is written however short the run is
	from       *layers.File // the checkpoint to go on from, or nil

	begun bool   // there is something to save
	kept  string // the path of the checkpoint that is there
}

// Start enumerates a space and writes the file, if there is to be one. A file that already holds
// the result stays as it is. When ctx ends, Start stops soon and returns the cause, in a
// *StoppedError if it has left a checkpoint.
//
// The error is an ErrOptions if the options do not fit the space, an ErrInTheWay if there is
// something else at the place of the file or of its checkpoint, and a *statespace.MemoryError if the run
// needs more memory than it may take.
func Start(ctx context.Context, sp statespace.Space, o Options) (*Result, error) {
	begin := time.Now()
	j, err := newJob(ctx, sp, o)
	if err != nil {
		return nil, err
	}
	kernel, err := j.useKernel()
	if err != nil {
		return nil, err
	}
	if err := j.placeCheckpoint(); err != nil {
		return nil, err
	}
	return j.do(ctx, kernel, begin)
}

// do enumerates the space and makes the file, unless there is one that holds the result.
func (j *job) do(ctx context.Context, kernel string, begin time.Time) (*Result, error) {
	r := &Result{Space: j.sp.Name(), Taken: Taken{Threads: j.Threads, Engine: j.engine.name, Kernel: kernel, Store: j.store.Name, File: j.Output}}
	if err := j.make(ctx, r); err != nil {
		return nil, err
	}
	r.TotalSeconds, r.PeakRSS = time.Since(begin).Seconds(), mapped.PeakRSS()
	return r, nil
}

func (j *job) make(ctx context.Context, r *Result) error {
	done, err := j.existing(ctx, r)
	if errors.Is(err, ErrInTheWay) {
		// To overwrite the file would also end a run that was stopped.
		err = cmp.Or(j.checkLeft(), err)
	} else if !done && err == nil {
		err = j.checkMemory()
	}
	if err != nil {
		return j.stopped(ctx, err)
	}
	release, err := j.claim()
	if err != nil {
		if done {
			err = nil // what is beside the file belongs to a run that replaces it
		}
		return err
	}
	defer release()
	if !done {
		if err := j.checkLeft(); err != nil {
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
		if err != nil {
			return j.stopped(ctx, err)
		}
	}
	failpoint.Hit("finished")
	return j.cleanUp()
}

// cleanUp removes what a finished run no longer needs.
func (j *job) cleanUp() error {
	if j.checkpoint == "" {
		return nil
	}
	own, there, _ := j.leftCheckpoint()
	if own {
		if err := disk.Remove(j.checkpoint); err != nil {
			return j.complete(err)
		}
	}
	layers.RemoveLeftover(j.checkpoint)
	if _, err := os.Lstat(j.Output + layers.PartialSuffix); there && !own || err == nil && j.Output != "" {
		return nil // the levels may be those of another run
	}
	var err error
	for _, e := range inUse {
		if e.clean != nil {
			err = cmp.Or(err, e.clean(j.levelsDir()))
		}
	}
	return j.complete(err)
}

// complete says with an error that came after the end of a run that the file is there.
func (j *job) complete(err error) error {
	if err == nil || j.Output == "" {
		return err
	}
	return fmt.Errorf("%s is complete, but what the run kept could not be removed: %w; remove it yourself", j.Output, err)
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
		if info, err = os.Stat(j.Output); errors.Is(err, os.ErrNotExist) {
			return false, inTheWay("%s is a link to a file that is not there: move it", j.Output)
		}
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
	case errors.Is(err, errOther) && other.Name == j.sp.Name():
		return false, inTheWay("%s holds another puzzle that is called %s, too", j.Output, other.Name)
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
	if j.engine.existing != nil {
		if err := j.engine.existing(j, f, r); err != nil {
			return false, err
		}
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

// run enumerates the space and writes the file. When it is interrupted, it keeps a checkpoint,
// if it keeps any.
func (j *job) run(ctx context.Context, r *Result) error {
	e, err := j.engine.open(ctx, j)
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
	if err != nil && !errors.Is(err, layers.ErrExists) && j.keeps(ctx, e, err, time.Since(begin)) {
		if failed := saving.save(context.WithoutCancel(ctx), j, e); failed == nil {
			j.kept = j.checkpoint
		} else if j.kept == "" {
			return fmt.Errorf("%w; %w: %w", err, errUnsaved, failed)
		}
	}
	return err
}

// never is an Options.Every with which a run keeps no checkpoint.
const never time.Duration = math.MaxInt64

// errUnsaved says that the state of a run that ends is lost.
var errUnsaved = errors.New("no checkpoint could be written")

// keeps reports whether a run that has failed or was interrupted after such a time keeps a
// checkpoint.
func (j *job) keeps(ctx context.Context, e enumeration, err error, after time.Duration) bool {
	if !j.begun || !j.saves() {
		return false
	}
	return j.asked || j.from != nil || after >= j.Every || (ctx.Err() != nil || j.engine.outgrows && !j.bounded && errors.Is(err, statespace.ErrMemory)) && e.advanced()
}

// saves reports whether the run can keep checkpoints at all.
func (j *job) saves() bool {
	return saving != nil && j.checkpoint != "" && j.engine.version != 0 && j.Every != never
}

// enumerate goes through the space, and writes checkpoints on the way.
func (j *job) enumerate(ctx context.Context, e enumeration) error {
	if err := e.begin(); err != nil {
		return err
	}
	if j.from != nil {
		if err := saving.restore(ctx, j, e); err != nil {
			return err
		}
	}
	j.begun = true
	last, warned, wait := time.Now(), false, j.Every
	between := func() error {
		failpoint.Hit("stage")
		if saving == nil || j.checkpoint == "" || time.Since(last) < wait {
			return nil
		}
		began := time.Now()
		if err := saving.save(ctx, j, e); err == nil {
			j.kept = j.checkpoint
		} else if ctx.Err() == nil && !warned {
			warned = true
			j.Warn(fmt.Errorf("no checkpoint was written, the run continues: %w", err))
		}
		last = time.Now()
		if j.seldom { // large checkpoints take long
			wait = max(j.Every, 9*last.Sub(began))
		}
		failpoint.Hit("checkpoint")
		return nil
	}
	var progress statespace.Progress
	size, unit := j.sp.Size(), "numbers"
	if j.engine.store != "" {
		size, unit = 0, "states" // it lists them
	}
	defer j.Meter(j.sp.Name(), size, unit, progress.Read)()
	return e.run(ctx, between, &progress)
}

// stopped adds to an error the checkpoint of a run that has failed or was interrupted.
func (j *job) stopped(ctx context.Context, err error) error {
	kept, interrupted := j.kept, ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) && !errors.Is(err, errUnsaved)
	if j.from != nil && ctx.Err() != nil {
		kept = j.checkpoint // it is still there
	}
	switch {
	case kept != "" && (j.begun || j.from != nil) && !errors.Is(err, layers.ErrExists):
		return j.resumable(err, kept)
	case interrupted && j.checkpoint == "":
		return fmt.Errorf("%w; a run without a file keeps what it has done only where a directory for checkpoints is given", err)
	case interrupted && j.engine.version == 0:
		return fmt.Errorf("%w; the engine %s writes no checkpoints", err, j.engine.name)
	case interrupted:
		return fmt.Errorf("%w; it had done nothing that a checkpoint could keep", err)
	}
	return err
}
