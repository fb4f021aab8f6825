package disk

import (
	"errors"
	"sync"

	"github.com/gofrs/flock"
)

// A Lock is a lock of a file among processes. A browser has no locks of files, and needs none: the files of a tab
// belong to one program. There a lock is known to this program only.
type Lock struct {
	*flock.Flock
	ours bool // it is in locked
}

// locked has the names of the files that are locked where the system has no locks.
var locked sync.Map

// NewLock returns a lock of a file that is not yet taken. TryLock makes the file if it is not there and the system has locks.
func NewLock(name string) *Lock { return &Lock{Flock: flock.New(name, flock.SetPermissions(0o644))} }

// TryLock takes the lock, or reports that it is taken.
func (l *Lock) TryLock() (bool, error) {
	ok, err := l.Flock.TryLock()
	if errors.Is(err, errors.ErrUnsupported) {
		_, taken := locked.LoadOrStore(l.Path(), true)
		l.ours = !taken
		return l.ours, nil
	}
	return ok, err
}

// Close ends the lock.
func (l *Lock) Close() error {
	if l.ours {
		l.ours = false
		locked.Delete(l.Path())
		return nil
	}
	return l.Flock.Close()
}
