package layers

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dustin/go-humanize"

	"pagoda/bitset"
	"pagoda/internal/disk"
	"pagoda/internal/failpoint"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// PartialSuffix ends the name of a file while it is written.
const PartialSuffix = ".partial"

// ErrExists says that there is a file already, which must not be overwritten.
var ErrExists = errors.New("there is such a file already")

// ErrBusy says that another process is writing the same file.
var ErrBusy = errors.New("another run is writing this file")

// A SpaceError says that a file needs more space than the disk has.
type SpaceError struct {
	Path       string
	Need, Free uint64 // bytes
}

func (e *SpaceError) Error() string {
	return fmt.Sprintf("%s needs %s of disk space, %s are free", e.Path, humanize.Bytes(e.Need), humanize.Bytes(e.Free))
}

// A Writer writes a file beside its final place and puts it there when it is whole. Until
// Finish has returned without an error, a file that was there before stays as it was. End a
// Writer by Finish or Abort.
type Writer struct {
	path      string
	overwrite bool
	lock      *disk.Lock
	file      *disk.File
	keep      bool  // the partial file stays: a checkpoint counts on it
	lost      error // of a sync: what was written may be lost
}

// Create begins a file and takes disk space for about size bytes, see Store.FileSize; 0
// takes none. If the disk has less, the error is a *SpaceError. If there is another Writer of
// the same path, in any process, the error is ErrBusy. Unless overwrite is set, a file at path
// is ErrExists; with it, a link is followed, and anything but a regular file is refused.
func Create(path string, size uint64, overwrite bool) (w *Writer, err error) {
	if !mapped.LittleEndian() {
		return nil, fmt.Errorf("%s: files of states can be written on little-endian machines only", path)
	}
	path, mode, err := place(path, overwrite)
	if err != nil {
		return nil, err
	}
	w = &Writer{path: path, overwrite: overwrite}
	// The lock makes sure that this is the only writer of the partial file.
	if w.file, w.lock, err = makeLocked(path+PartialSuffix, overwrite); err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			w.Abort()
			w = nil
		}
	}()
	if mode != 0 {
		if err := w.file.Chmod(mode); err != nil {
			return w, err
		}
	}
	failpoint.Hit("created")
	if size == 0 {
		return w, nil
	}
	if free, known := mapped.FreeDisk(filepath.Dir(path)); known && size > free {
		return w, &SpaceError{path, size, free}
	}
	return w, w.file.Allocate(int64(size))
}

// place returns where to write a file, and the permissions of a file that is there, or 0.
func place(path string, overwrite bool) (at string, mode fs.FileMode, err error) {
	if _, err := os.Lstat(path); err != nil {
		return path, 0, nil
	}
	if !overwrite {
		return "", 0, fmt.Errorf("%s: %w", path, ErrExists)
	}
	if at, err = filepath.EvalSymlinks(path); err != nil {
		return "", 0, fmt.Errorf("cannot write %s: %w", path, err)
	}
	info, err := os.Stat(at)
	if err != nil {
		return "", 0, err
	}
	if !info.Mode().IsRegular() {
		return "", 0, fmt.Errorf("cannot write %s: it is not a regular file", at)
	}
	return at, info.Mode().Perm(), nil
}

// WriteOptions say how to write states.
type WriteOptions struct {
	Threads  int                  // below 2: one
	Progress *statespace.Progress // may be nil
}

func (o *WriteOptions) start(tasks uint64) { o.Progress.Start(int64(tasks)) }

// Finish writes the members of a space in the store that meta names, and meta itself. It makes
// the file durable, gives it its name and returns its size in bytes. If the store counts
// orbits and meta has none, Finish adds them to meta. If it keeps values, it keeps the figures of meta,
// or finds them; other stores have no figures. When ctx ends before the file is whole,
// Finish gives up as Abort does and returns the cause.
func (w *Writer) Finish(ctx context.Context, sp statespace.Space, members bitset.Reader, meta *Meta, o WriteOptions) (size int64, err error) {
	defer w.giveUp(&err)
	store, own, err := prepare(sp, members.Len(), meta)
	if err != nil {
		return 0, err
	}
	b := newBody(ctx, w.file)
	if err := mapped.Guard(func() error { return store.kind.write(b, &job{o, sp, members, own}) }); err != nil {
		return 0, err
	}
	if size, err = w.seal(b, own); err == nil && store.Orbits {
		meta.Layers = own.Layers
	}
	return size, err
}

// prepare returns the store that meta names, and the metadata of a file of n numbers in it, without the
// details that the store fills in.
func prepare(sp statespace.Space, n uint64, meta *Meta) (store Store, own *Meta, err error) {
	if store, err = FindStore(meta.Store); err == nil {
		err = store.Fits(sp)
	}
	if err != nil {
		return store, nil, err
	}
	if meta.Size != sp.Size() || meta.Size != n {
		return store, nil, fmt.Errorf("%s has %d numbers, the set %d, the metadata %d", sp.Name(), sp.Size(), n, meta.Size)
	}
	own = new(*meta)
	own.Details = Details{}
	if !store.keepsValues() {
		own.Figures = nil
	}
	if !store.Orbits {
		own.Layers = WithoutOrbits(own.Layers)
	}
	return store, own, own.check(store)
}

// giveUp ends a Writer that has failed.
func (w *Writer) giveUp(err *error) {
	if *err != nil {
		*err = fmt.Errorf("cannot write %s: %w", w.path, *err)
		w.Abort()
	}
}

// seal writes the metadata, the checksums and the header, makes the file durable and gives it
// its name.
func (w *Writer) seal(b *body, meta *Meta) (size int64, err error) {
	h, err := b.end(meta)
	if err != nil {
		return 0, err
	}
	return int64(h.length), w.settle(h.encode())
}

// settle makes the file durable, with its header last, and gives it its name.
func (w *Writer) settle(header []byte) error {
	if err := mapped.Intact(); err != nil {
		return err
	}
	// The header vouches for all the rest, which must be on the disk before it.
	if err := w.sync(); err != nil {
		return err
	}
	failpoint.Hit("body")
	if _, err := w.file.WriteAt(header, 0); err != nil {
		return err
	}
	failpoint.Hit("header")
	return w.publish()
}

// publish makes the whole file durable and gives it its name.
func (w *Writer) publish() error {
	if err := w.sync(); err != nil {
		return err
	}
	if err := w.rename(); err != nil {
		return err
	}
	failpoint.Hit("renamed")
	w.close()
	return disk.SyncDir(filepath.Dir(w.path))
}

// sync makes what is written durable. After an error the system may have dropped what was
// written, and says nothing of that when it is asked again.
func (w *Writer) sync() error {
	if w.lost == nil {
		w.lost = w.file.Sync()
	}
	return w.lost
}

// rename gives the finished file its name.
func (w *Writer) rename() error {
	partial := w.path + PartialSuffix
	if w.overwrite {
		return disk.Rename(partial, w.path)
	}
	// A link, unlike a rename, does not replace what has come there meanwhile.
	err := disk.Link(partial, w.path)
	switch {
	case err == nil:
		failpoint.Hit("linked")
		return disk.Remove(partial)
	case errors.Is(err, fs.ErrExist):
		return ErrExists
	}
	// This file system has no links.
	if _, err := os.Lstat(w.path); err == nil {
		return ErrExists
	}
	return disk.Rename(partial, w.path)
}

// A body is the part of a file between its header and its checksums, which it computes while
// it is written.
type body struct {
	ctx      context.Context
	file     *disk.File
	base     int64 // where the file begins: not 0 if it is the last piece
	sections []section
	offset   int64
	sums     []byte
	crc      uint32
	inSum    int // bytes of the current stretch
}

func newBody(ctx context.Context, file *disk.File) *body {
	return &body{ctx: ctx, file: file, offset: pageSize}
}

// section writes a section and pads it to a whole page.
func (w *body) section(name string, write func() error) error {
	first := w.offset
	if err := write(); err != nil {
		return err
	}
	return w.endSection(name, first)
}

// endSection ends a section that was written from an offset on.
func (w *body) endSection(name string, first int64) error {
	n := uint64(w.offset - first)
	w.sections = append(w.sections, section{name, uint64(first), n})
	failpoint.Hit("written " + name)
	return w.write(make([]byte, pad(n)-n))
}

// compose writes what follows a first section that has been made elsewhere: see composer.
func (w *body) compose(first section, rest func(b *body) error) error {
	err := w.endSection(first.name, int64(first.offset))
	if err == nil && rest != nil {
		err = rest(w)
	}
	return err
}

// Write implements io.Writer.
func (w *body) Write(p []byte) (int, error) {
	if err := w.write(p); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (w *body) write(p []byte) error {
	const chunk = 4 << 20
	for len(p) > 0 {
		if w.ctx.Err() != nil {
			return context.Cause(w.ctx)
		}
		n := min(len(p), chunk)
		w.sum(p[:n]) // if p is in a map that faults, it is here and not in the write
		if _, err := w.file.WriteAt(p[:n], w.offset-w.base); err != nil {
			return err
		}
		w.offset += int64(n)
		p = p[n:]
	}
	return nil
}

func (w *body) sum(p []byte) {
	for len(p) > 0 {
		n := min(len(p), stretchSize-w.inSum)
		w.crc = crc32.Update(w.crc, castagnoli, p[:n])
		p = p[n:]
		if w.inSum += n; w.inSum == stretchSize {
			w.endStretch()
		}
	}
}

func (w *body) endStretch() {
	w.sums = binary.LittleEndian.AppendUint32(w.sums, w.crc)
	w.crc, w.inSum = 0, 0
}

// goOn makes a new body one that has written bytes with some checksums, also of the last stretch, which may
// not be full.
func (w *body) goOn(bytes uint64, sums []byte) {
	w.offset += int64(bytes)
	w.sums = sums
	if w.inSum = int(bytes % stretchSize); w.inSum > 0 {
		full := len(sums) - 4
		w.crc = binary.LittleEndian.Uint32(sums[full:])
		w.sums = sums[:full]
	}
}

// end writes the metadata and the checksums. It returns the header, which is not written.
func (w *body) end(meta *Meta) (*header, error) {
	text, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	if len(text) > maxMeta {
		return nil, fmt.Errorf("the metadata should have at most %d bytes, and has %d: there are %d layers", maxMeta, len(text), len(meta.Layers))
	}
	if err := w.section(metaSection, func() error { return w.write(text) }); err != nil {
		return nil, err
	}
	h := &header{sections: w.sections, sums: uint64(w.offset)}
	sums := w.finish()
	h.sumsCRC = checksum(sums)
	h.length = h.sums + uint64(len(sums))
	if _, err := w.file.WriteAt(sums, w.offset-w.base); err != nil {
		return nil, err
	}
	return h, w.file.Truncate(int64(h.length) - w.base)
}

// finish returns the checksums of all stretches, padded to whole pages.
func (w *body) finish() []byte {
	if w.inSum > 0 {
		w.endStretch()
	}
	return append(w.sums, make([]byte, pad(uint64(len(w.sums)))-uint64(len(w.sums)))...)
}
