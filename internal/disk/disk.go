// Package disk makes, writes and removes the files of runs. Tests make any of its operations fail:
// see failpoint.Inject. Errors name the operation and the file, as those of package os do.
package disk

import (
	"io/fs"
	"os"

	"pagoda/internal/failpoint"
	"pagoda/internal/mapped"
)

// op lets a test make an operation fail.
func op(name, path string) error {
	if err := failpoint.Op(name, path); err != nil {
		return &fs.PathError{Op: name, Path: path, Err: err}
	}
	return nil
}

// A File is a file that is written.
type File struct{ *os.File }

// OpenFile is os.OpenFile.
func OpenFile(name string, flag int, perm fs.FileMode) (*File, error) {
	if err := op("open", name); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

// Write implements io.Writer. A write that a test makes fail has written half.
func (f *File) Write(p []byte) (int, error) {
	if err := op("write", f.Name()); err != nil {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, err
	}
	return f.File.Write(p)
}

// WriteAt implements io.WriterAt. A write that a test makes fail has written half.
func (f *File) WriteAt(p []byte, offset int64) (int, error) {
	if err := op("write", f.Name()); err != nil {
		n, _ := f.File.WriteAt(p[:len(p)/2], offset)
		return n, err
	}
	return f.File.WriteAt(p, offset)
}

// Sync makes what is written durable. After an error it may be lost, whatever another Sync says.
func (f *File) Sync() error {
	if err := op("sync", f.Name()); err != nil {
		return err
	}
	return f.File.Sync()
}

// Truncate sets the size of the file.
func (f *File) Truncate(size int64) error {
	if err := op("truncate", f.Name()); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// Allocate sets the size of the file and takes the space for it: see mapped.Preallocate.
func (f *File) Allocate(size int64) error {
	if err := op("allocate", f.Name()); err != nil {
		return err
	}
	return mapped.Preallocate(f.File, size)
}

// Chmod sets the permissions of the file.
func (f *File) Chmod(mode fs.FileMode) error {
	if err := op("chmod", f.Name()); err != nil {
		return err
	}
	return f.File.Chmod(mode)
}

// Close closes the file, also if it returns an error.
func (f *File) Close() error {
	err := op("close", f.Name())
	if closed := f.File.Close(); err == nil {
		err = closed
	}
	return err
}

// Remove removes a file or an empty directory.
func Remove(path string) error {
	if err := op("remove", path); err != nil {
		return err
	}
	return os.Remove(path)
}

// Rename gives a file another name, in place of a file that has it.
func Rename(from, to string) error {
	if err := op("rename", from); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// Link gives a file a second name, which no file has.
func Link(from, to string) error {
	if err := op("link", from); err != nil {
		return err
	}
	return os.Link(from, to)
}

// MakeDir makes a directory and those above it, unless they are there.
func MakeDir(path string, perm fs.FileMode) error {
	if err := op("mkdir", path); err != nil {
		return err
	}
	return os.MkdirAll(path, perm)
}

// SyncDir makes the names in a directory durable.
func SyncDir(path string) error {
	if err := op("sync", path); err != nil {
		return err
	}
	return mapped.SyncDir(path)
}
