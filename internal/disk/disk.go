// Package disk makes, writes and removes the files of runs. Tests make any of its operations fail:
// see failpoint.Inject. Errors name the operation and the file, as those of package os do.
package disk

import (
	"cmp"
	"io/fs"
	"os"

	"pagoda/internal/failpoint"
	"pagoda/internal/mapped"
)

// fault returns the error of an operation that a test makes fail.
func fault(name, path string) error {
	if err := failpoint.Op(name, path); err != nil {
		return &fs.PathError{Op: name, Path: path, Err: err}
	}
	return nil
}

// op does an operation, unless a test makes it fail.
func op(name, path string, do func() error) error {
	if err := fault(name, path); err != nil {
		return err
	}
	return do()
}

// A File is a file that is written.
type File struct{ *os.File }

// OpenFile is os.OpenFile.
func OpenFile(name string, flag int, perm fs.FileMode) (*File, error) {
	if err := fault("open", name); err != nil {
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
	if err := fault("write", f.Name()); err != nil {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, err
	}
	return f.File.Write(p)
}

// WriteAt implements io.WriterAt. A write that a test makes fail has written half.
func (f *File) WriteAt(p []byte, offset int64) (int, error) {
	if err := fault("write", f.Name()); err != nil {
		n, _ := f.File.WriteAt(p[:len(p)/2], offset)
		return n, err
	}
	return f.File.WriteAt(p, offset)
}

// Sync makes what is written durable. After an error it may be lost, whatever another Sync says.
func (f *File) Sync() error { return op("sync", f.Name(), f.File.Sync) }

// Truncate sets the size of the file.
func (f *File) Truncate(size int64) error {
	return op("truncate", f.Name(), func() error { return f.File.Truncate(size) })
}

// Allocate sets the size of the file and takes the space for it: see mapped.Preallocate.
func (f *File) Allocate(size int64) error {
	return op("allocate", f.Name(), func() error { return mapped.Preallocate(f.File, size) })
}

// Chmod sets the permissions of the file.
func (f *File) Chmod(mode fs.FileMode) error {
	return op("chmod", f.Name(), func() error { return f.File.Chmod(mode) })
}

// Close closes the file, also if it returns an error.
func (f *File) Close() error {
	err := fault("close", f.Name())
	return cmp.Or(err, f.File.Close())
}

// Remove removes a file or an empty directory.
func Remove(path string) error {
	return op("remove", path, func() error { return os.Remove(path) })
}

// Rename gives a file another name, in place of a file that has it.
func Rename(from, to string) error {
	return op("rename", from, func() error { return os.Rename(from, to) })
}

// Link gives a file a second name, which no file has.
func Link(from, to string) error {
	return op("link", from, func() error { return os.Link(from, to) })
}

// MakeDir makes a directory and those above it, unless they are there.
func MakeDir(path string, perm fs.FileMode) error {
	return op("mkdir", path, func() error { return os.MkdirAll(path, perm) })
}

// SyncDir makes the names in a directory durable.
func SyncDir(path string) error {
	return op("sync", path, func() error { return mapped.SyncDir(path) })
}
