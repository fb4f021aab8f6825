package console

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"pagoda/internal/disk"
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
	f, lock, err := disk.CreateBeside(path)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	defer lock.Close()
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
