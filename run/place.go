package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"pagoda/internal/disk"
	"pagoda/layers"
	"pagoda/statespace"
)

const (
	// CheckpointSuffix is added to the name of a file to name its checkpoint.
	CheckpointSuffix = ".checkpoint"
	// lockSuffix is added to the name of a checkpoint to name the file that is there while a run
	// may write the checkpoint.
	lockSuffix = ".lock"
)

// placeCheckpoint decides where to write checkpoints: in the directory that was given, or beside
// the file.
func (j *job) placeCheckpoint() error {
	dir := j.Checkpoint
	if dir == "" {
		if j.Output != "" {
			j.checkpoint = j.Output + CheckpointSuffix
		}
		return nil
	}
	if j.engine.version == 0 {
		return optionError("the engine %s of %s writes no checkpoints: choose another engine, or no directory for them", j.engine.name, j.sp.Name())
	}
	if err := disk.MakeDir(dir, 0o777); err != nil {
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
	return nil
}

// claim makes sure that this is the only run with this checkpoint, until release is called.
func (j *job) claim() (release func(), err error) {
	if j.checkpoint == "" || j.from != nil { // Resume has claimed it
		return func() {}, nil
	}
	return claim(j.checkpoint)
}

// claim locks the name of a checkpoint.
func claim(checkpoint string) (release func(), err error) {
	if release, err = layers.Claim(checkpoint + lockSuffix); err != nil {
		return nil, fmt.Errorf("cannot use %s: %w", checkpoint, err)
	}
	return release, nil
}

// checkLeft returns an error if a new run would replace what is at the place of its checkpoint.
// It may replace the checkpoint of another run only if it may overwrite.
func (j *job) checkLeft() error {
	if j.checkpoint == "" || j.from != nil {
		return nil
	}
	_, there, err := j.leftCheckpoint()
	if err == nil && there && !j.Overwrite {
		err = &CheckpointError{j.checkpoint}
	}
	// With a directory for checkpoints, there may be another beside the file. It needs the
	// partial file, which a new run replaces.
	if err == nil && j.Output != "" && !j.Overwrite && j.Output+CheckpointSuffix != j.checkpoint {
		err = noCheckpoint(j.Output)
	}
	return err
}

// A CheckpointError says that a run was stopped and has left a checkpoint where a new run would
// write its own. It is an ErrOptions and an ErrInTheWay.
type CheckpointError struct{ Checkpoint string }

func (e *CheckpointError) Error() string {
	return e.Checkpoint + " is the checkpoint of a run that was stopped: resume it, or write another file"
}

func (e *CheckpointError) Unwrap() []error { return []error{ErrOptions, ErrInTheWay} }

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

// holdsSpace reports whether the output is a regular file of states of the space of the run.
func (j *job) holdsSpace() bool {
	f, err := layers.Open(context.Background(), j.Output, j.same, MemoryLimit(j.Memory))
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// recorded returns the path of the output as a checkpoint has it: relative to the directory of the
// checkpoint, with slashes, so that both can be moved.
func (j *job) recorded() string {
	if j.Output == "" {
		return ""
	}
	dir, failed := filepath.Abs(filepath.Dir(j.checkpoint))
	output, err := filepath.Abs(j.Output)
	if failed != nil || err != nil {
		return j.Output
	}
	if path, err := filepath.Rel(dir, output); err == nil {
		return filepath.ToSlash(path)
	}
	return output
}

// beside returns the only file that a checkpoint names by itself: FILE of FILE.checkpoint, unless
// it is a link. It reports whether that is the output which the checkpoint records. Of the absolute
// paths in checkpoints of programs before 0.1.0, only the name counts.
func beside(checkpoint, recorded string) (file string, ok bool) {
	file, ok = strings.CutSuffix(checkpoint, CheckpointSuffix)
	if filepath.IsAbs(recorded) {
		recorded = filepath.Base(recorded)
	}
	info, err := os.Lstat(file)
	return file, ok && recorded == filepath.Base(file) && (err != nil || info.Mode()&os.ModeSymlink == 0)
}

// takeOutput decides where a resumed run writes its file, and whether it may replace what is
// there. A checkpoint may come from a stranger. It does not decide that: it names a file beside
// itself at most, and lets the run replace only a file of the same space.
func (j *job) takeOutput(recorded string, overwrite bool) error {
	switch {
	case recorded == "" && j.Output != "":
		return optionError("%s is of a run without a file: resume it without one", j.checkpoint)
	case recorded == "":
		return nil
	case j.Output == "":
		file, ok := beside(j.checkpoint, recorded)
		if !ok {
			return &OutputError{j.checkpoint, elsewhere(j.checkpoint, recorded)}
		}
		j.Output = file
	}
	j.Overwrite = j.Overwrite || overwrite && j.holdsSpace()
	return nil
}

// resumable is the error of a run that ended early and has left a checkpoint. It says what Resume
// needs besides.
func (j *job) resumable(err error, checkpoint string) *StoppedError {
	s := &StoppedError{Err: err, Checkpoint: checkpoint}
	if j.Output == "" {
		return s
	}
	if _, ok := beside(checkpoint, j.recorded()); !ok {
		s.Output = j.Output
	}
	if _, err := os.Lstat(j.Output); err == nil && j.Overwrite {
		s.Overwrite = !j.holdsSpace()
	}
	return s
}

// elsewhere returns the path of an output as a checkpoint means it; empty if nobody can type it.
func elsewhere(checkpoint, recorded string) string {
	const longest = 1 << 12
	if len(recorded) > longest || !utf8.ValidString(recorded) || strings.ContainsFunc(recorded, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return ""
	}
	if path := filepath.FromSlash(recorded); !filepath.IsAbs(path) {
		return filepath.Join(filepath.Dir(checkpoint), path)
	}
	return recorded
}

// An OutputError says that a checkpoint names a file which is not the one beside it, or is a link.
// It is an ErrOptions: Resume writes there only if Options.Output says so.
type OutputError struct {
	Checkpoint string
	Output     string // what the checkpoint names; empty if that cannot be typed
}

func (e *OutputError) Error() string {
	file, beside := strings.CutSuffix(e.Checkpoint, CheckpointSuffix)
	switch {
	case !beside:
		return fmt.Sprintf("%s should have a name that ends in %s: to resume the run, name its file", e.Checkpoint, CheckpointSuffix)
	case e.Output == "":
		return fmt.Sprintf("%s should be of the file %s, and is of one with a name that cannot be typed: to resume the run, name its file", e.Checkpoint, file)
	case e.Output == file:
		return fmt.Sprintf("%s is a link, and is followed only if it is named", file)
	}
	return fmt.Sprintf("%s should be of the file %s, and is of %s: to write there, name that file", e.Checkpoint, file, e.Output)
}

func (e *OutputError) Unwrap() error { return ErrOptions }
