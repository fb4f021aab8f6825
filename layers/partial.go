package layers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"pagoda/internal/disk"
)

// ErrKept says that a partial file holds the work of a run that was stopped.
var ErrKept = errors.New("it holds the work of a run that was stopped")

// RemoveLeftover removes the partial file that a killed run of the path may have left. It
// leaves a file that is being written, or that no run has left.
func RemoveLeftover(path string) {
	if _, err := os.Lstat(path + PartialSuffix); err == nil {
		if release, err := Claim(path + PartialSuffix); err == nil {
			release()
		}
	}
}

// Claim takes a name for this process until release is called: meanwhile Claim of the same name,
// in any process, is ErrBusy. There is an empty file of the name, which a killed process leaves,
// and the next Claim takes over.
func Claim(name string) (release func(), err error) {
	file, lock, err := makeLocked(name, true)
	if err != nil {
		return nil, err
	}
	return func() { removeLocked(name, file, lock) }, nil
}

// makeLocked makes an empty file and locks it, in place of one that a killed process has left. One
// that a checkpoint needs is replaced only if overwrite is set, else it is ErrKept.
func makeLocked(name string, overwrite bool) (*disk.File, *disk.Lock, error) {
	for {
		file, err := disk.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			err = checkLeftover(name, overwrite)
		}
		if err != nil {
			return nil, nil, err
		}
		lock, err := tryLock(name)
		if err != nil {
			if file != nil && err != ErrBusy {
				disk.Remove(name)
			}
			if file != nil {
				file.Close()
			}
			return nil, nil, err
		}
		// Meanwhile another process may have taken the name away, or have given the
		// file its final name.
		locked, err1 := lock.Stat()
		named, err2 := os.Lstat(name)
		if err1 == nil && err2 == nil && os.SameFile(locked, named) {
			if file != nil {
				if own, err := file.Stat(); err == nil && os.SameFile(own, locked) {
					return file, lock, nil
				}
			}
			// A killed process has left it. Do not write to it: it may be another name
			// of the finished file.
			err = removeLocked(name, file, lock)
		} else {
			lock.Close()
			if file != nil {
				file.Close()
			}
		}
		if err != nil {
			return nil, nil, err
		}
	}
}

// tryLock locks a file, which it makes if it is not there. The error is ErrBusy if another process has it.
func tryLock(name string) (*disk.Lock, error) {
	lock := disk.NewLock(name)
	ok, err := lock.TryLock()
	if err == nil && !ok {
		err = ErrBusy
	}
	return lock, err
}

// removeLocked removes a locked file and ends the lock. The file may be nil.
func removeLocked(name string, file *disk.File, lock *disk.Lock) error {
	err := disk.Remove(name)
	if file != nil {
		file.Close()
	}
	lock.Close()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return disk.Remove(name) // some systems remove no file that is open
	}
	return nil
}

// checkLeftover returns an error if a file is not one that a run leaves while it writes. One that a
// checkpoint needs is ErrKept, unless overwrite is set.
func checkLeftover(name string, overwrite bool) error {
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	begin := make([]byte, len(magic))
	if err == nil && info.Mode().IsRegular() {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) { // its run has ended meanwhile
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		n, err := f.Read(begin)
		if err != nil && err != io.EOF {
			return err
		}
		if string(begin[:n]) == keptMagic && !overwrite {
			return fmt.Errorf("%s: %w: resume that run from its checkpoint, or write another file", name, ErrKept)
		}
		if n == 0 || string(begin[:n]) == keptMagic || string(begin[:n]) == magic || string(begin[:n]) == listMagic[:len(magic)] || len(bytes.Trim(begin[:n], "\x00")) == 0 {
			return nil
		}
	}
	return fmt.Errorf("%s is in the way, and no run has left it: move it", name)
}

// Abort gives up. It removes the partial file, unless a checkpoint needs it.
func (w *Writer) Abort() {
	switch {
	case w.lock == nil:
		return
	case w.keep:
		w.close()
	default:
		removeLocked(w.path+PartialSuffix, w.file, w.lock)
		w.lock = nil
	}
}

func (w *Writer) close() {
	if w.file != nil {
		w.file.Close()
	}
	w.lock.Close()
	w.lock = nil
}
