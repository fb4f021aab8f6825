// Package mapped maps files into memory. It also asks the operating system for what keeps files
// whole: space on the disk, durable names, and an error where a map has lost its file. No other
// package does either.
package mapped

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"
	"unsafe"

	"pagoda/internal/memory"
)

// hugePage is the alignment that lets the system back memory by large pages.
const hugePage = 2 << 20

// A Memory is a large piece of zeroed memory outside the garbage-collected heap.
type Memory struct {
	region region
	words  []uint64
	stop   chan struct{} // closed: the goroutine that gets the memory ends
	group  sync.WaitGroup
	free   func() error
	share  *memory.Share
}

// Alloc returns n words of zeroed memory. It does not wait for the machine to back them: the first
// write to a page does. On more than one thread, the machine is asked for the pages in their order in
// the background until ctx ends, so that a program that uses them in this order seldom waits.
func Alloc(ctx context.Context, n uint64, threads int) (*Memory, error) {
	size := n*8 + hugePage
	if n == 0 || n > 1<<59 || uint64(int(size)) != size {
		return nil, fmt.Errorf("cannot map %d words of memory", n)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	share := memory.Mapped(ctx, "one table")
	if err := share.Set(8 * n); err != nil {
		return nil, err
	}
	region, err := anonymous(int(size))
	if err != nil {
		share.Free()
		return nil, fmt.Errorf("cannot get %d bytes of memory: %w", size, err)
	}
	at := uintptr(unsafe.Pointer(&region[0]))
	aligned := region[(hugePage-at%hugePage)%hugePage:]
	if whole := 8 * n / hugePage * hugePage; whole > 0 {
		adviseHuge(aligned[:whole]) // the last page, which is not full, may be small ones
	}
	m := &Memory{region: region, words: Words(aligned)[:n:n], stop: make(chan struct{}), share: share}
	m.free = sync.OnceValue(func() error {
		close(m.stop)
		m.group.Wait()
		m.share.Free()
		return m.region.free()
	})
	const some = 8 * hugePage // so that Free need not wait for long
	if threads > 1 && 8*n > some {
		m.group.Go(func() {
			for part := range slices.Chunk(aligned[:8*n], some) {
				select {
				case <-m.stop:
					return
				case <-ctx.Done():
					return
				default:
				}
				if !populate(part) {
					return
				}
			}
		})
	}
	return m, nil
}

// Words returns the memory.
func (m *Memory) Words() []uint64 { return m.words }

// Free gives the memory back. It must not be used any more.
func (m *Memory) Free() error { return m.free() }

// Words views bytes, aligned to 8, as words in the order of the machine.
func Words(b []byte) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
}

// view views words as values of another size, in the order of the machine.
func view[T any](words []uint64) []T {
	var one T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*8/int(unsafe.Sizeof(one)))
}

// Bytes views words as bytes in the order of the machine.
func Bytes(words []uint64) []byte { return view[byte](words) }

// Halves views words as numbers of 16 bits, in the order of the machine.
func Halves(words []uint64) []uint16 { return view[uint16](words) }

// Uint32s views words as numbers of 32 bits, in the order of the machine.
func Uint32s(words []uint64) []uint32 { return view[uint32](words) }

// Floats views words as the floating-point numbers whose bits they are.
func Floats(words []uint64) []float64 { return view[float64](words) }

// LittleEndian reports whether this machine stores the low byte of a word first,
// as files do.
func LittleEndian() bool { return Bytes([]uint64{1})[0] == 1 }

// A File is a file mapped into memory for reading, or several, one after another.
type File struct {
	region  region
	data    []byte // of all files, in the region
	sources []*source
}

// A source is a file that is mapped.
type source struct {
	file *os.File
	at   place

	was     identity // when it was opened
	head    []byte   // its first bytes then
	changed error    // sticks
}

// An identity is what the system says of a file without its content. Reading a file does not
// change it.
type identity struct {
	device, inode uint64
	size          int64
	modified      time.Time
	status        time.Time // when anything of it was changed, also its names and rights; zero if not known
}

// headBytes is how much of a file is compared if only its names, its rights or its times were
// changed.
const headBytes = 4096

// files are the files that are mapped, and the names of those that were: a fault may be
// told of when its file has been closed on the way.
var files struct {
	sync.Mutex
	open   []*File
	closed []place
	lost   error // see Lost
}

// A place is where a file was mapped.
type place struct {
	first, length uintptr
	name          string
}

// nameAt returns the name of the file that is, or was, mapped at an address.
func nameAt(address uintptr) (name string) {
	files.Lock()
	defer files.Unlock()
	for _, p := range files.closed {
		if address-p.first < p.length {
			name = p.name // the last one counts
		}
	}
	for _, f := range files.open {
		for _, s := range f.sources {
			if address-s.at.first < s.at.length {
				return s.at.name
			}
		}
	}
	return name
}

// Intact returns ErrChanged or ErrFault if a file that is mapped is no longer what it was when it
// was opened: then what was read may be wrong. Call it after the last read, before results go out.
// A file whose name was given to another one is intact: the map is of the old one.
func Intact() error {
	files.Lock()
	defer files.Unlock()
	for _, f := range files.open {
		if err := f.intact(); err != nil {
			return err
		}
	}
	return nil
}

// Intact is Intact for the files of one map.
func (f *File) Intact() error {
	files.Lock()
	defer files.Unlock()
	return f.intact()
}

// Lost returns the error of a file that was not intact when its map was closed, since the last call of
// Lost. A command calls it when it ends: it may have closed files before its answer goes out.
func Lost() (err error) {
	files.Lock()
	defer files.Unlock()
	err, files.lost = files.lost, nil
	return err
}

// intact is Intact under the lock of files.
func (f *File) intact() error {
	for _, s := range f.sources {
		if err := s.intact(); err != nil {
			return err
		}
	}
	return nil
}

// intact is Intact for one source. It takes one call of the system, unless something has changed.
func (s *source) intact() error {
	if s.changed != nil {
		return s.changed
	}
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	is := identityOf(info)
	switch {
	case is == s.was:
		return nil
	case is.size < s.was.size:
		s.changed = fmt.Errorf("%s: %w", s.file.Name(), ErrFault)
	case is.device != s.was.device || is.inode != s.was.inode || is.size != s.was.size || is.modified != s.was.modified || !s.sameHead():
		s.changed = fmt.Errorf("%s: %w", s.file.Name(), ErrChanged)
	default: // it was renamed, linked or removed, or its rights were changed
		s.was = is
	}
	return s.changed
}

// sameHead reports whether the file still begins as it did: its header has checksums.
func (s *source) sameHead() bool {
	head := make([]byte, len(s.head))
	_, err := s.file.ReadAt(head, 0)
	return err == nil && bytes.Equal(head, s.head)
}

// newSource looks at a file, which must not be empty.
func newSource(f *os.File) (*source, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", f.Name())
	}
	if info.Size() == 0 || int64(int(info.Size())) != info.Size() {
		return nil, fmt.Errorf("%s has %d bytes, which cannot be mapped", f.Name(), info.Size())
	}
	s := &source{file: f, at: place{length: uintptr(info.Size()), name: f.Name()}, was: identityOf(info)}
	s.head = make([]byte, min(headBytes, info.Size()))
	_, err = f.ReadAt(s.head, 0)
	return s, err
}

// Open maps a whole file, which must not be empty.
func Open(f *os.File) (*File, error) {
	s, err := newSource(f)
	if err != nil {
		return nil, err
	}
	region, err := content(f, int(s.at.length))
	if err != nil {
		return nil, fmt.Errorf("cannot map %s: %w", f.Name(), err)
	}
	m := &File{region, region, []*source{s}}
	m.opened()
	return m, nil
}

// opened notes where the files lie, for Intact and Guard.
func (f *File) opened() {
	first := uintptr(unsafe.Pointer(&f.data[0]))
	files.Lock()
	defer files.Unlock()
	for _, s := range f.sources {
		s.at.first = first
		first += s.at.length
	}
	files.open = append(files.open, f)
}

// Watch makes Intact look at another file, too, which is not mapped and not empty.
func (f *File) Watch(other *os.File) error {
	s, err := newSource(other)
	if err != nil {
		return err
	}
	s.at.length = 0
	files.Lock()
	defer files.Unlock()
	f.sources = append(f.sources, s)
	return nil
}

// Bytes returns the contents. Reading them may fault: see Guard.
func (f *File) Bytes() []byte { return f.data }

// Words returns n bytes from the given offset as words; both are multiples of 8.
func (f *File) Words(offset, n uint64) []uint64 { return Words(f.data[offset : offset+n]) }

// Close unmaps the files, which stay open.
func (f *File) Close() error {
	const some = 16
	files.Lock()
	if i := slices.Index(files.open, f); i >= 0 { // not closed before
		files.open = slices.Delete(files.open, i, i+1)
		files.lost = cmp.Or(files.lost, f.intact())
	}
	files.closed = files.closed[max(0, len(files.closed)-some):]
	for _, s := range f.sources {
		files.closed = append(files.closed, s.at)
	}
	files.Unlock()
	return f.region.free()
}

// ErrFault is the error for a part of a mapped file that could not be read.
var ErrFault = errors.New("the file can no longer be read: it was cut short meanwhile, or the disk failed")

// ErrChanged is the error if a mapped file was written to after it was opened.
var ErrChanged = errors.New("the file was changed while it was read, so what was read may be wrong: start again")

// thrown is an error on its way to a Guard.
type thrown struct{ error }

// Throw ends the Guard that the calling goroutine is in, which returns the error. It is for
// methods that read a file and have no error to return.
func Throw(err error) { panic(thrown{err}) }

// Guard calls f and turns a fault on mapped memory in the calling goroutine into
// ErrFault, with the name of the file. Other goroutines need guards of their own. If others write to a
// file meanwhile, what is decoded from it may cause a panic, such as an index out of range: if a map is
// not Intact, the panic becomes the error of Intact. An iterator uses List instead.
func Guard(f func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if r := recover(); r != nil {
			if err = caught(r); err == nil {
				panic(r)
			}
		}
	}()
	return f()
}

// caught returns the error that a panic stands for, or nil if it stands for none.
func caught(r any) error {
	if t, ok := r.(thrown); ok {
		return t.error
	}
	if fault, ok := r.(interface{ Addr() uintptr }); ok {
		if name := nameAt(fault.Addr()); name != "" {
			return fmt.Errorf("%s: %w", name, ErrFault)
		}
	}
	if _, ok := r.(runtime.Error); ok {
		return Intact()
	}
	return nil
}

// List returns an iterator over what list yields, under a Guard. The error of list, or of the Guard,
// comes last. The Guard is not for the body of the caller's loop: what is thrown there, or faults, goes
// on to the Guard of the caller.
func List[T any](list func(yield func(T) bool) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		more, inBody := true, false
		err := Guard(func() error {
			return list(func(x T) bool {
				inBody = true
				more = yield(x, nil)
				inBody = false
				return more
			})
		})
		if inBody { // a Guard on the way, this one or one below it, has caught what the body threw
			Throw(cmp.Or(err, ErrFault))
		}
		if err != nil && more {
			var none T
			yield(none, err)
		}
	}
}

// SyncDir makes the names in a directory durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return syncDir(d)
}

// Large returns n zeroed values on the garbage-collected heap, and asks for large pages. Lookups at random
// in small pages often wait for the table of pages.
func Large[T any](n int) []T {
	list := make([]T, n)
	if n == 0 {
		return list
	}
	all := unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), uintptr(n)*unsafe.Sizeof(list[0]))
	begin := (hugePage - uintptr(unsafe.Pointer(&list[0]))%hugePage) % hugePage
	if whole := (uintptr(len(all)) - min(begin, uintptr(len(all)))) / hugePage * hugePage; whole > 0 {
		adviseHuge(all[begin : begin+whole])
	}
	return list
}
