package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"pagoda/internal/lazy"
)

// leftover is what the names of files end in that CreateBeside makes beside others.
var leftover = lazy.Regexp(`^\.\d+-\d+\.partial$`)

// CreateBeside makes a file of a new name in the directory of path, with the permissions that a new file gets. The lock
// says that its process lives; close it after the file is renamed or removed. Files beside path that nobody has locked were
// left by processes that were killed: CreateBeside removes them first.
func CreateBeside(path string) (*os.File, *Lock, error) {
	dir, base := filepath.Dir(path), filepath.Base(path)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("there is no directory %s", dir)
	}
	for _, e := range entries { // those of a directory that cannot be read stay
		if rest, ok := strings.CutPrefix(e.Name(), base); ok && leftover().MatchString(rest) && e.Type().IsRegular() {
			name := filepath.Join(dir, e.Name())
			if lock, _, err := lockBeside(name); err == nil {
				Remove(name)
				lock.Close()
			}
		}
	}
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s.%d-%d.partial", path, os.Getpid(), i)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		lock, info, err := lockBeside(name)
		if own, _ := f.Stat(); err != errTaken && (info == nil || os.SameFile(own, info)) { // some file systems have no locks
			return f, lock, nil
		}
		f.Close() // another process has just taken it for a leftover
		lock.Close()
		os.Remove(name)
	}
}

var errTaken = errors.New("another process has locked the file")

// lockBeside locks a file and returns what is locked. Windows needs no locks here, and would keep the writer out: nobody can
// remove an open file there.
func lockBeside(name string) (*Lock, fs.FileInfo, error) {
	lock := NewLock(name)
	if runtime.GOOS == "windows" {
		return lock, nil, nil
	}
	ok, err := lock.TryLock()
	if err == nil && !ok {
		err = errTaken
	}
	info, _ := lock.Stat() // nil where the system has no locks
	return lock, info, err
}
