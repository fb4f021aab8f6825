package disk

import (
	"io/fs"
	"os"
	"sync"
)

// A Lock is a lock of a file. A browser has no locks of files, and needs none: the files of a tab
// belong to one program. So the locks are known to this program only.
type Lock struct {
	name string
	file *os.File // nil: it is not taken
}

var locked sync.Map // names

// NewLock returns a lock of a file that is not yet taken. TryLock makes the file if it is not there.
func NewLock(name string) *Lock { return &Lock{name: name} }

// TryLock takes the lock, or reports that it is taken.
func (l *Lock) TryLock() (bool, error) {
	if _, taken := locked.LoadOrStore(l.name, true); taken {
		return false, nil
	}
	file, err := os.OpenFile(l.name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		locked.Delete(l.name)
		return false, err
	}
	l.file = file
	return true, nil
}

// Stat describes the file that is locked.
func (l *Lock) Stat() (fs.FileInfo, error) { return l.file.Stat() }

// Close ends the lock.
func (l *Lock) Close() error {
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	locked.Delete(l.name)
	return file.Close()
}
