package run

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// Options say how to run a space. The zero value enumerates on all processors and writes no
// file.
type Options struct {
	// Engine is one of Engines; empty means the first that fits into memory.
	Engine string
	// Engines are those to choose from; nil: those of the program, see Use.
	Engines []Engine
	// Kernel names the processor instructions that the engine uses; empty means the best that
	// the processor has.
	Kernel string
	// Output is the path of the file to write; empty means none.
	Output string
	// Store is the name of a layers.Store; empty means BestStore.
	Store string
	// Overwrite replaces a file that is there.
	Overwrite bool
	// Checkpoint is a directory for the checkpoint. If it is empty, the checkpoint is beside the
	// file, and a run without a file has none.
	Checkpoint string
	// Every is the time between checkpoints: 0 means a minute, or longer, so that checkpoints
	// take at most a tenth of the time; below 0, a checkpoint is written whenever one can be.
	Every time.Duration
	// Memory bounds the bytes that a run takes; 0 means 7/8 of the machine's.
	Memory uint64
	// Scratch is a directory for files of a run that makes blocks, if these do not fit into memory. If it
	// is empty, they must fit, packed or whole.
	Scratch string
	// MaxStates ends a run of an engine that lists the states, with sparse.ErrStates, when it finds more; 0 is no bound.
	MaxStates uint64
	// Threads is the number of threads; below 1 it is the number of processors.
	Threads int
	// Own are options that only one engine has, such as ChanceOptions; nil: those that it has by itself.
	Own OwnOptions
	// Path says that Find needs no set of states: an engine will do that finds one shortest path alone. With Solutions
	// it finds all of them. Kept, if not nil, has what several such runs share: tables of bounds.
	Path, Solutions bool
	Kept            *statespace.Kept
	// Meter, if not nil, shows progress.
	Meter Meter
	// Warn, if not nil, is called with what a user should know and does not stop a run.
	Warn func(error)

	seldom bool // Every was 0
}

// OwnOptions are options of one engine: ChanceOptions.
type OwnOptions interface {
	// refused is the error if another engine runs.
	refused(sp statespace.Space, engine string) error
	// writesNone reports whether no file goes with the options.
	writesNone() bool
}

// A Meter begins to show the progress of a part of the work: what it is, and its size in some
// unit, or 0 if that is not known; then read counts in this unit. Read returns how much is done of
// a total. Stop is called when the part ends.
type Meter func(what string, size uint64, unit string, read func() (done, total int64)) (stop func())

// Start begins to show progress, if there is a meter, until stop is called.
func (m Meter) Start(what string, size uint64, unit string) (progress *statespace.Progress, stop func()) {
	progress = new(statespace.Progress)
	if m == nil {
		return progress, func() {}
	}
	return progress, m(what, size, unit, progress.Read)
}

// fill returns the options with the values that stand for those not given.
func (o Options) fill() Options {
	if o.Threads < 1 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	switch {
	case o.Every == 0:
		o.Every, o.seldom = time.Minute, true
	case o.Every < 0:
		o.Every = 0
	}
	if o.Meter == nil {
		o.Meter = func(string, uint64, string, func() (int64, int64)) func() { return func() {} }
	}
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	return o
}

// MemoryLimit returns how many bytes may be taken, given Options.Memory. Where the memory of
// the machine is not known, there is no limit.
func MemoryLimit(allowed uint64) uint64 {
	if allowed != 0 {
		return allowed
	}
	if machine := mapped.PhysicalMemory(); machine != 0 {
		return machine / 8 * 7
	}
	return 1 << 62
}

// Errors that callers decide on.
var (
	// ErrOptions: the options do not fit the space or each other.
	ErrOptions = errors.New("these options do not go together")
	// ErrInTheWay: there is something at the place of the file or of its checkpoint that must
	// not be overwritten.
	ErrInTheWay = errors.New("something is in the way")
)

// optionError makes an error that is an ErrOptions.
func optionError(format string, args ...any) error {
	return &kindError{ErrOptions, fmt.Errorf(format, args...)}
}

// inTheWay makes an error that is an ErrInTheWay.
func inTheWay(format string, args ...any) error {
	return &kindError{ErrInTheWay, fmt.Errorf(format, args...)}
}

// A kindError is an error of a kind that its text does not repeat.
type kindError struct{ kind, err error }

func (e *kindError) Error() string   { return e.err.Error() }
func (e *kindError) Unwrap() []error { return []error{e.kind, e.err} }

// A StoppedError is the error of a run that ended early and can be resumed.
type StoppedError struct {
	Err        error  // why it ended
	Checkpoint string // the file from which Resume continues
	// Output and Overwrite are the Options that Resume needs. Output is empty if it is the file
	// beside the checkpoint, which Resume finds by itself. Overwrite is set if there is
	// something else than a file of the same space, which the run was to replace.
	Output    string
	Overwrite bool
}

func (e *StoppedError) Error() string {
	text := fmt.Sprintf("%v; resume the run from %s", e.Err, e.Checkpoint)
	if e.Output != "" {
		text += ", and name its file, " + e.Output
	}
	return text
}
func (e *StoppedError) Unwrap() error { return e.Err }
