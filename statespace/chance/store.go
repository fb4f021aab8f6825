package chance

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"pagoda/internal/disk"
	"pagoda/internal/lazy"
	"pagoda/internal/mapped"
	"pagoda/sorted"
)

// A store keeps the files of layers, in a directory or, without one, in memory.
type store struct {
	dir  string
	made bool // the directory was not there
}

// stored is the file of a layer.
type stored struct {
	File
	path  string // in a directory
	bytes []byte // or in memory
	saved bool   // a checkpoint counts on it
}

// scratch is the names of the files of layers.
var scratch = lazy.Regexp(`^layer-\d{5,}\.(sorted|values)$`)

// make makes the directory.
func (st *store) make() error {
	if st.dir == "" {
		return nil
	}
	there, err := disk.OwnDir(st.dir)
	if err != nil || there {
		return err
	}
	st.made = true
	return disk.MakeDir(st.dir, 0o755)
}

// RemoveLayers removes the files that solvers have left in a directory, and the directory unless there is
// something else in it. It may not be there at all.
func RemoveLayers(dir string) error { return disk.RemoveScratch(dir, scratch()) }

// write makes a file of what do writes. There is none if there is an error.
func (st *store) write(name string, do func(w io.Writer) error) (f *stored, err error) {
	f = new(stored)
	var memory bytes.Buffer
	to := io.Writer(&memory)
	var file *disk.File
	if st.dir != "" {
		f.path = filepath.Join(st.dir, name)
		disk.Remove(f.path) // of a run that was killed
		if file, err = disk.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
			return nil, err
		}
		to = file
	}
	sum := &disk.Summer{Writer: to}
	buffer := bufio.NewWriterSize(sum, 1<<16)
	err = do(buffer)
	if err == nil {
		err = buffer.Flush()
	}
	if file != nil {
		if err = cmp.Or(err, file.Close()); err != nil {
			disk.Remove(f.path)
		}
	}
	if err != nil {
		return nil, err
	}
	f.File, f.bytes = File{sum.Bytes, sum.CRC32C}, bytes.Clone(memory.Bytes()) // no longer than it need be
	return f, nil
}

// writeList makes the file of the states of a layer.
func (st *store) writeList(ctx context.Context, name string, states []uint64) (*stored, error) {
	return st.write(name, func(to io.Writer) error {
		w, err := sorted.NewWriter(to, 1)
		for low := 0; err == nil && low < len(states); low += 1 << 16 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			err = w.Append(states[low:min(len(states), low+1<<16)])
		}
		if err == nil {
			_, err = w.Close()
		}
		return err
	})
}

// damaged says what is wrong with a file.
func (f *stored) damaged(format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", f.path, sorted.ErrDamaged, fmt.Sprintf(format, args...))
}

// read returns the bytes of the file.
func (f *stored) read() ([]byte, error) {
	if f.path == "" {
		return f.bytes, nil
	}
	b, err := os.ReadFile(f.path)
	if err == nil && uint64(len(b)) != f.Bytes {
		err = f.damaged("it should have %d bytes, and has %d", f.Bytes, len(b))
	}
	return b, err
}

// check compares the file with its checksum.
func (f *stored) check(ctx context.Context) error {
	file, how, err := disk.OpenSame(ctx, f.path, f.Bytes, f.CRC32C)
	switch {
	case err != nil:
		return err
	case how != "":
		return f.damaged("%s", how)
	}
	return file.Close()
}

// codes returns the n states of a layer, in room if it is large enough.
func (f *stored) codes(ctx context.Context, threads int, n uint64, room []uint64) ([]uint64, error) {
	b, err := f.read()
	if err != nil {
		return nil, err
	}
	list, err := sorted.Over(b)
	if err != nil {
		return nil, f.damaged("%v", err)
	}
	if list.Words() != 1 || list.Len() != n {
		return nil, f.damaged("it should have %d states, and has %d", n, list.Len())
	}
	states := slices.Grow(room[:0], int(n))[:n]
	err = mapped.Parts(ctx, threads, list.Chunks(), 64, func(low, high uint64) error {
		for i := low; i < high; i++ {
			if _, err := list.Chunk(states[i*sorted.ChunkCodes:][:0], i); err != nil {
				return f.damaged("%v", err)
			}
		}
		return nil
	})
	return states, err
}

// words returns the n values of a layer, which are in a directory.
func (f *stored) words(n uint64) ([]uint64, error) {
	if f.Bytes != 8*n {
		return nil, f.damaged("it should have %d values, and has %d bytes", n, f.Bytes)
	}
	words := make([]uint64, n)
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if _, err := io.ReadFull(file, mapped.Bytes(words)); err != nil {
		return nil, f.damaged("it should have %d bytes: %v", f.Bytes, err)
	}
	return words, nil
}

// remove removes the file, unless a checkpoint counts on it.
func (f *stored) remove() error {
	f.bytes = nil
	if f.path == "" || f.saved {
		return nil
	}
	return disk.Remove(f.path)
}

// files yields the files of all layers.
func (s *Solver) files(yield func(f *stored) bool) {
	for _, l := range s.layers {
		if !yield(l.list) || l.vals != nil && !yield(l.vals) {
			return
		}
	}
}

// Close ends the solver. The files of layers stay if they are saved.
func (s *Solver) Close() (err error) {
	kept := false
	for f := range s.files {
		err = errors.Join(err, f.remove())
		kept = kept || f.saved
	}
	s.layers = nil
	if s.store.made && !kept {
		disk.Remove(s.store.dir) // stays if others have put something there
	}
	return err
}

// Discard is Close that removes the files of saved layers as well.
func (s *Solver) Discard() error {
	for f := range s.files {
		f.saved = false
	}
	err := s.Close()
	if s.store.dir != "" {
		disk.Remove(s.store.dir) // stays if others have put something there
	}
	return err
}

// sync makes the file durable.
func (f *stored) sync() error {
	file, err := disk.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
