package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// OwnDir reports whether the directory of a run's files is there. A link is an error: a stranger may
// have put it there, and files in other directories are not of the run.
func OwnDir(dir string) (there bool, err error) {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err == nil && !info.IsDir():
		err = fmt.Errorf("%s should be a directory, for the files of a run, and is a link or a file: move it", dir)
	}
	return true, err
}

// RemoveScratch removes the files in a run's directory that have some names, and the directory unless
// there is something else in it. It may not be there at all.
func RemoveScratch(dir string, names *regexp.Regexp) error {
	if there, err := OwnDir(dir); !there || err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if names.MatchString(e.Name()) {
			err = errors.Join(err, Remove(filepath.Join(dir, e.Name())))
		}
	}
	Remove(dir) // stays if others have put something there
	return err
}
