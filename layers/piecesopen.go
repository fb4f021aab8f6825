package layers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"pagoda/internal/mapped"
)

// mapList maps the pieces of the file, if it is a list of them.
func (f *File) mapList() (is bool, err error) {
	list, err := readList(f.file)
	if bad := (*FileError)(nil); errors.As(err, &bad) {
		bad.Path = f.path
	}
	if err != nil || list == nil {
		return false, err
	}
	return true, f.mapPieces(list)
}

// mapPieces maps the pieces of a list.
func (f *File) mapPieces(list []listed) (err error) {
	if err := f.openPieces(list); err != nil {
		return err
	}
	sizes := make([]uint64, len(list))
	for i, p := range list {
		sizes[i] = p.bytes
		f.ends = append(f.ends, p.bytes)
		if i > 0 {
			f.ends[i] += f.ends[i-1]
		}
	}
	f.takeMemory(f.ends[len(list)-1])
	read := mapped.BytesRead(sizes)
	if err := f.allow(read, "pieces that cannot be mapped"); err != nil {
		return err
	}
	f.memory -= read
	if f.mapped, err = mapped.OpenBeside(f.pieces); err != nil {
		return err
	}
	return f.mapped.Watch(f.file)
}

// openPieces opens the pieces of a list.
func (f *File) openPieces(list []listed) error {
	at, err := filepath.EvalSymlinks(f.path)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(at))
	if err != nil {
		return err
	}
	defer root.Close()
	for _, p := range list {
		file, err := openPiece(root, p)
		if errors.Is(err, syscall.EMFILE) {
			return fmt.Errorf("%s: it has %d pieces, and this process may open only about %d files: allow more (ulimit -n), or join the pieces where that is allowed, with reach convert to the same store: %w",
				f.path, len(list), len(f.pieces), err)
		}
		if err != nil {
			return err
		}
		f.pieces = append(f.pieces, file)
	}
	return nil
}

// openPiece opens a piece, which has to be a file of the right length in a directory or below.
func openPiece(dir *os.Root, p listed) (*os.File, error) {
	wrong := func(format string, args ...any) error {
		return &FileError{filepath.Join(dir.Name(), filepath.FromSlash(p.name)), ErrDamaged, fmt.Sprintf(format, args...), advicePiece}
	}
	// Opening a pipe would wait for someone to write to it.
	info, err := dir.Stat(p.name)
	var file *os.File
	if err == nil && !info.Mode().IsRegular() {
		return nil, wrong("a piece should be a regular file")
	}
	if err == nil {
		file, err = dir.Open(p.name)
	}
	if err == nil {
		if info, err = file.Stat(); err == nil && uint64(info.Size()) != p.bytes {
			err = wrong("it should have %d bytes, as the list of pieces says, and has %d", p.bytes, info.Size())
		}
		if err != nil {
			file.Close()
			return nil, err
		}
		return file, nil
	}
	var system syscall.Errno
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, wrong("the list of pieces names it, and it is not there")
	case !errors.As(err, &system): // a link leads out of the directory
		return nil, wrong("a piece should lie in the directory of the list, or below: %v", err)
	}
	return nil, err
}
