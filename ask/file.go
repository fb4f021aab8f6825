package ask

import (
	"context"
	"errors"
	"fmt"

	"pagoda/layers"
	"pagoda/statespace"
)

// A File is an open file of states. Its methods may be called by several goroutines at once.
type File struct{ *layers.File }

// Open opens a file of states. Define makes the space of the definition in the file; a
// puzzle.Set has such a function. Memory bounds the bytes that the file takes in memory; 0 is what
// is usual for a file of its size, see layers.File.Memory.
func Open(ctx context.Context, path string, define layers.Define, memory uint64) (*File, error) {
	return open(ctx, path, define, memory, layers.Open)
}

// OpenAny opens a file of states or the checkpoint of a run.
func OpenAny(ctx context.Context, path string, define layers.Define, memory uint64) (*File, error) {
	f, err := Open(ctx, path, define, memory)
	if errors.Is(err, layers.ErrUnfinished) {
		if f, err := open(ctx, path, define, memory, layers.OpenCheckpoint); err == nil {
			return f, nil
		}
	}
	return f, err
}

// An opener is layers.Open or layers.OpenCheckpoint.
type opener func(ctx context.Context, path string, define layers.Define, memory uint64) (*layers.File, error)

func open(ctx context.Context, path string, define layers.Define, memory uint64, open opener) (*File, error) {
	f, err := open(ctx, path, func(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error) {
		sp, err := define(ctx, d, memory)
		return sp, known(err)
	}, memory)
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

// known makes of the error of a space that is not known here one that says so of a file.
func known(err error) error {
	if errors.Is(err, statespace.ErrUnknown) {
		return &layers.FileError{Err: layers.ErrVersion, Detail: err.Error(), Advice: "use the program that wrote it"}
	}
	return err
}

// ErrQuestion says that a question does not make sense for the space, or as it was put.
var ErrQuestion = errors.New("the question does not make sense")

// Questionf makes an error that is an ErrQuestion.
func Questionf(format string, args ...any) error {
	return &questionError{fmt.Errorf(format, args...)}
}

type questionError struct{ err error }

func (e *questionError) Error() string   { return e.err.Error() }
func (e *questionError) Unwrap() []error { return []error{ErrQuestion, e.err} }

// A PartError says which part of a question makes no sense. It is an ErrQuestion.
type PartError struct {
	Part  string // "pattern", "from", "via", "within" or "weights"
	Value string // what was given, or empty
	Err   error
}

func (e *PartError) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("%s: %v", e.Part, e.Err)
	}
	return fmt.Sprintf("%s %s: %v", e.Part, e.Value, e.Err)
}

func (e *PartError) Unwrap() []error { return []error{ErrQuestion, e.Err} }

// BadPattern is the ErrQuestion of a text that is no pattern.
func BadPattern(pattern string, err error) error {
	return &PartError{"pattern", Shorten(pattern), err}
}

// Shorten quotes a pattern for a message.
func Shorten(pattern string) string {
	const most = 100
	if len(pattern) > most {
		return fmt.Sprintf("%q... (%d bytes)", pattern[:most], len(pattern))
	}
	return fmt.Sprintf("%q", pattern)
}

// Damaged is the error of a file that does not hold what it should.
func (f *File) Damaged(detail string) error {
	return &layers.FileError{Path: f.Path(), Err: layers.ErrDamaged, Detail: detail, Advice: "verify it to learn more"}
}

// explain says what an error about paths in the file means.
func (f *File) explain(err error) error {
	if errors.Is(err, statespace.ErrNoPath) {
		return f.Damaged(err.Error())
	}
	return err
}
