package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// WriteFile writes a file beside its final place, and puts it there when it is
// whole: what was there before stays until then. A link is followed; anything but a
// regular file is refused. When ctx ends before the file is whole, WriteFile gives
// up and returns the cause.
func WriteFile(ctx context.Context, path string, write func(w io.Writer) error) (err error) {
	mode := fs.FileMode(0)
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("cannot write %s: it is not a regular file", path)
		}
		mode = info.Mode().Perm()
	}
	f, err := createBeside(path)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if mode != 0 {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	if err := write(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := intact(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// leftover is what the names of files end in that WriteFile makes beside others.
var leftover = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.\d+-\d+\.partial$`) })

// RemoveLeftovers removes what processes that were killed in WriteFile have left of a file. Nobody may
// write the file meanwhile.
func RemoveLeftovers(path string) error {
	dir, name := filepath.Split(path)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Name(), name); ok && leftover().MatchString(rest) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// createBeside makes a file of a new name in the directory of path, with the
// permissions that a new file gets.
func createBeside(path string) (*os.File, error) {
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s.%d-%d.partial", path, os.Getpid(), i)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no directory %s", filepath.Dir(path))
		}
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
