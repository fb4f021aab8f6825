package layers

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/failpoint"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// A Define makes the space of a definition, with the same numbers. Definitions come from files,
// and a file may come from anyone: memory bounds the bytes of the tables of the space,
// and when ctx ends, Define stops soon and returns the cause.
type Define func(ctx context.Context, d statespace.Definition, memory uint64) (statespace.Space, error)

// A File is an open file of states. Its methods may be called by several goroutines at once.
type File struct {
	path    string
	file    *os.File
	pieces  []*os.File // nil: it is one file
	ends    []uint64   // of the pieces, in the whole
	mapped  *mapped.File
	header  *header
	meta    *Meta
	checked []atomic.Uint64 // a bit for each stretch: its checksum was found right

	store   Store
	space   statespace.Space
	members bitset.Reader
	memory  uint64   // see Memory
	used    []string // the names of the sections that the store has asked for
}

// Open opens a file, maps it and makes its space. It checks the header, the length, the
// checksums themselves and the metadata. The states are checked when they are first read, or
// all at once by Check. An error of define that is a *FileError gets the path; one that says
// that memory is short stays as it is; any other means that the file is damaged. The checkpoint
// of a run is ErrUnfinished. The path may be that of a list of pieces: see Compose.
//
// Memory bounds the bytes that the file takes in memory: see File.Memory; 0 is what is usual for
// a file of its size. When ctx ends, Open stops soon and returns the cause.
func Open(ctx context.Context, path string, define Define, memory uint64) (*File, error) {
	return openWith(path, memory, func(f *File) error { return f.open(ctx, define, false) })
}

// OpenCheckpoint is Open for the checkpoint of a run. A finished file is ErrNotCheckpoint.
func OpenCheckpoint(ctx context.Context, path string, define Define, memory uint64) (*File, error) {
	f, err := openWith(path, memory, func(f *File) error { return f.open(ctx, define, true) })
	if bad := (*FileError)(nil); errors.As(err, &bad) {
		advice := map[error]string{ErrDamaged: adviceCheckpoint, ErrVersion: adviceVersionCheckpoint, ErrNotReach: adviceNoCheckpoint}
		bad.Advice = cmp.Or(advice[bad.Err], bad.Advice)
	}
	return f, err
}

// OpenInfo opens a file of states, or the checkpoint of a run, for what it says of itself: its
// Path, Size, Store and Meta. It has no Space and no Members.
func OpenInfo(path string) (*File, error) {
	return openWith(path, 0, (*File).readMeta)
}

func openWith(path string, memory uint64, read func(f *File) error) (*File, error) {
	if !mapped.LittleEndian() {
		return nil, fmt.Errorf("%s: files of states can be read on little-endian machines only", path)
	}
	// Opening a pipe would wait for someone to write to it.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, &FileError{path, ErrNotReach, "it is not a regular file", adviceOther}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, file: file, memory: memory}
	if err := mapped.Guard(func() error { return read(f) }); err != nil {
		f.Close()
		return nil, err
	}
	failpoint.Checked(path)
	return f, nil
}

// readMeta maps the file, and checks its header and its metadata.
func (f *File) readMeta() error {
	if err := f.mapFile(); err != nil {
		return err
	}
	data := f.mapped.Bytes()
	// Others may write to the file. So what is read of it more than once is copied.
	h, bad := decodeHeader(bytes.Clone(data[:min(len(data), pageSize)]), uint64(len(data)))
	if bad != nil {
		bad.Path = f.pathAt(0)
		return bad
	}
	f.header = h
	if found := checksum(data[h.sums:]); found != h.sumsCRC {
		return f.damagedAt(h.sums, h.length, "the checksum of its checksums should be %08x, and is %08x", h.sumsCRC, found)
	}
	f.checked = make([]atomic.Uint64, bitset.Words(h.stretches()))

	meta, ok := h.section(metaSection)
	if !ok || meta.length > maxMeta {
		return f.damaged("it should have a section \"meta\" of at most %d bytes", maxMeta)
	}
	if err := f.checkRange(meta.offset, meta.length); err != nil {
		return err
	}
	f.meta = new(Meta)
	if err := json.Unmarshal(bytes.Clone(data[meta.offset:meta.offset+meta.length]), f.meta); err != nil {
		return f.damaged("its section \"meta\" cannot be read: %v", err)
	}
	var err error
	if f.store = checkpoints; f.meta.Store != CheckpointStore {
		f.store, err = FindStore(f.meta.Store)
	}
	if err != nil {
		return &FileError{f.path, ErrVersion, err.Error(), adviceVersion}
	}
	switch c := f.meta.Checkpoint; {
	case f.store.unfinished && c == nil:
		return f.damaged("it should say how far the run had come")
	case f.store.unfinished && c.Store == "":
		c.Store = SetStore // the only store when checkpoints did not name it
	}
	if err := f.meta.check(f.store); err != nil {
		return f.damaged("%v", err)
	}
	return nil
}

func (f *File) open(ctx context.Context, define Define, checkpoint bool) (err error) {
	if err := f.readMeta(); err != nil {
		return err
	}
	switch {
	case f.store.unfinished && !checkpoint:
		return &FileError{f.path, ErrUnfinished, "it is the checkpoint of a run", "resume the run"}
	case !f.store.unfinished && checkpoint:
		return &FileError{f.path, ErrNotCheckpoint, "it is finished", "there is nothing to resume"}
	}
	if err := f.define(ctx, define); err != nil {
		return err
	}
	f.members, err = f.store.kind.open(f)
	return err
}

// define makes the space.
func (f *File) define(ctx context.Context, define Define) error {
	var err error
	if f.store.Lists {
		f.space, err = f.defineListed(ctx, define)
	} else {
		f.space, err = define(ctx, f.meta.Space, f.memory)
	}
	if err != nil {
		return f.DefineError(ctx, err)
	}
	if n := f.space.Size(); n != f.meta.Size {
		return f.damaged("%s should have %d numbers, the file has %d", f.space.Name(), n, f.meta.Size)
	}
	// The name is a key in answers, so it must not be that of a field. A checkpoint has none, and programs before 0.1.0
	// wrote "depth" for some spaces.
	if said, want := f.meta.Layer, statespace.LayerName(f.space); said != want && !f.store.unfinished && (said != statespace.Depth || f.space.Parts().Layers != nil) {
		return f.damaged("its layers should count %s, and count %.40q", want, said)
	}
	return nil
}

// DefineError is what the error of a Define says of the file: see Open.
func (f *File) DefineError(ctx context.Context, err error) error {
	var known *FileError
	switch {
	case errors.As(err, &known):
		known.Path = f.path
		return known
	case errors.Is(err, statespace.ErrMemory):
		return fmt.Errorf("%s: %w", f.path, err)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return f.damaged("%v", err)
}

// fits returns an error if the space of the file cannot have its store. The file need not be damaged:
// what a space says of itself may have changed since.
func (f *File) fits() error {
	if err := f.store.Fits(f.space); err != nil {
		return &FileError{f.path, ErrVersion, "as this program has it, " + err.Error(), adviceVersion}
	}
	return nil
}

// Close closes the file. Nothing that came from it may be used any more.
func (f *File) Close() error {
	if c, ok := f.members.(io.Closer); ok {
		c.Close()
	}
	if f.mapped != nil {
		f.mapped.Close()
	}
	for _, piece := range f.pieces {
		piece.Close()
	}
	return f.file.Close()
}

func (f *File) damaged(format string, args ...any) error {
	if f.mapped != nil { // that is why, perhaps
		if err := f.mapped.Intact(); err != nil {
			return err
		}
	}
	advice := adviceCopy
	if f.meta != nil && f.meta.Checkpoint != nil {
		advice = adviceCheckpoint
	}
	return &FileError{f.path, ErrDamaged, fmt.Sprintf(format, args...), advice}
}

// damagedAt is damaged for bytes from first to end, end excluded: it names the pieces that hold them.
func (f *File) damagedAt(first, end uint64, format string, args ...any) error {
	err := f.damaged(format, args...)
	bad, ok := err.(*FileError)
	if !ok || !f.InPieces() {
		return err
	}
	bad.Path, bad.Detail, bad.Advice = f.pathAt(first), "in "+f.path+", "+bad.Detail, advicePiece
	if last := f.pathAt(end - 1); last != bad.Path {
		bad.Path += " or " + last
	}
	return bad
}

// noneBeyond returns an error if last, the last word of a set of numbers below n, has others.
func (f *File) noneBeyond(n, last uint64) error {
	if last>>(n%64) != 0 {
		return f.damaged("it has members beyond %d, its last number", n-1)
	}
	return nil
}

// Stat returns what the system says of the open file, or of the list of its pieces.
func (f *File) Stat() (os.FileInfo, error) { return f.file.Stat() }

// Path returns the path by which the file was opened.
func (f *File) Path() string { return f.path }

// Size returns the size of the file in bytes, with all its pieces.
func (f *File) Size() uint64 { return f.header.length }

// Meta returns what the file says of its states. The caller must not change it.
func (f *File) Meta() *Meta { return f.meta }

// Store returns the store of the states.
func (f *File) Store() Store { return f.store }

// Space returns the space of the states.
func (f *File) Space() statespace.Space { return f.space }

// Members returns the states as a set of numbers. They are checked when they are first read.
// Read them within Read.
func (f *File) Members() bitset.Reader { return f.members }

// Read calls read, which may read the members of the file. A fault of the memory map, because
// the file was cut short or the disk failed, becomes an error that names the file. Other
// goroutines need a Read of their own.
func (f *File) Read(read func() error) error { return mapped.Guard(read) }

// Pointer returns the function that returns the pointer of a number below Meta().Size; nil if
// the store has no pointers. Call it within Read.
func (f *File) Pointer() func(x uint64) (uint16, error) {
	if p, ok := f.members.(interface {
		pointer(x uint64) (uint16, error)
	}); ok {
		return p.pointer
	}
	return nil
}

// Prove checks what the file says besides the set of its members: that pointers lead to
// members nearer to the roots, say, that bitmaps hold their layers, or that a trie is minimal; and
// that there is nothing in the file that its store does not have. The file has been checked
// and the set, of all members, is right. A folded file does not use the set; it may be nil.
func (f *File) Prove(ctx context.Context, set *bitset.Set, threads int) error {
	if err := f.proveLayout(); err != nil {
		return err
	}
	if p, ok := f.members.(interface {
		prove(ctx context.Context, set *bitset.Set, threads int) error
	}); ok {
		return p.prove(ctx, set, threads)
	}
	return nil
}

// checkRange checks the stretches that hold bytes offset to offset+length-1, except those that
// were found right before.
func (f *File) checkRange(offset, length uint64) error {
	for i := (offset - pageSize) / stretchSize; i*stretchSize+pageSize < offset+length; i++ {
		if f.checked[i/64].Load()>>(i%64)&1 == 0 {
			if err := f.checkStretch(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// wasChecked reports whether the stretches of a range were all found right before.
func (f *File) wasChecked(offset, length uint64) bool {
	for i := (offset - pageSize) / stretchSize; i*stretchSize+pageSize < offset+length; i++ {
		if f.checked[i/64].Load()>>(i%64)&1 == 0 {
			return false
		}
	}
	return true
}

func (f *File) checkStretch(i uint64) error {
	data := f.mapped.Bytes()
	first := pageSize + i*stretchSize
	last := min(first+stretchSize, f.header.sums)
	want := binary.LittleEndian.Uint32(data[f.header.sums+4*i:])
	if found := checksum(data[first:last]); found != want {
		return f.damagedAt(first, last, "the checksum of its bytes %d to %d should be %08x, and is %08x", first, last-1, want, found)
	}
	f.checked[i/64].Or(1 << (i % 64))
	failpoint.Checked(f.path)
	return nil
}

// Check checks every byte of the file against the checksums, also those that were checked
// before. It adds the number of bytes that it has read to done, which may be nil. When ctx
// ends, it stops soon and returns the cause.
func (f *File) Check(ctx context.Context, threads int, done *atomic.Int64) error {
	if done == nil {
		done = new(atomic.Int64)
	}
	return mapped.Each(ctx, threads, f.header.stretches(), func(i uint64) error {
		if err := f.checkStretch(i); err != nil {
			return err
		}
		done.Add(stretchSize)
		return nil
	})
}

// A part is a section of an open file.
type part struct {
	f *File
	section
}

// part returns a section of the file, which should have length bytes, or AnyLength.
func (f *File) part(name string, length uint64) (part, error) {
	f.used = append(f.used, name)
	s, err := f.find(name, length)
	return part{f, s}, err
}

// find is part for a section that only the engine of a checkpoint knows.
func (f *File) find(name string, length uint64) (section, error) {
	s, ok := f.header.section(name)
	if !ok || length != AnyLength && s.length != length {
		expected := "should be there"
		if length != AnyLength {
			expected = fmt.Sprintf("should have %d bytes for %d numbers, and has %d", length, f.meta.Size, s.length)
		}
		return section{}, f.damaged("its section %q %s", name, expected)
	}
	return s, nil
}

// AnyLength stands for the length of a section that is not known.
const AnyLength = ^uint64(0)

// bytes returns the bytes in the map, unchecked.
func (p part) bytes() []byte { return p.f.mapped.Bytes()[p.offset:][:p.length:p.length] }

// words returns the words in the map, unchecked.
func (p part) words() []uint64 { return p.f.mapped.Words(p.offset, p.length&^7) }

// check checks n bytes from first on, unless that was done before.
func (p part) check(first, n uint64) error { return p.f.checkRange(p.offset+first, n) }

// checkAll checks the whole section on several threads.
func (p part) checkAll(ctx context.Context, threads int) error {
	return mapped.Parts(ctx, threads, p.length, 16*stretchSize, func(first, end uint64) error { return p.check(first, end-first) })
}

// A file may come from anyone, and others may write to it while it is read.

// Intact returns an error if the file was written to or cut short since it was opened: then what
// was read may be wrong. The commands and the page call it before an answer goes out, jobs before
// they end. It is one look at the state of the file, not at its content.
func (f *File) Intact() error { return f.mapped.Intact() }

// Replaced reports whether another file has got the path of this one. This one is still there for
// its readers, and unchanged.
func (f *File) Replaced() bool {
	was, err := f.file.Stat()
	if err != nil {
		return false
	}
	is, err := os.Stat(f.path)
	return err == nil && !os.SameFile(was, is)
}

// Memory returns how many bytes may be taken to read the file, besides its map: for the tables of
// its space, and for states that are not read where they lie.
func (f *File) Memory() uint64 { return f.memory }

// allow returns an error if something of the file takes more memory than the file may.
func (f *File) allow(bytes uint64, what string) error {
	if bytes <= f.memory {
		return nil
	}
	return &statespace.MemoryError{Name: f.path, Need: bytes, Most: "for " + what, Allowed: f.memory}
}

// usualMemory is the bound for a file of some bytes if none is given: what honest files need, so
// that a small file that claims much does not take the machine. It is at most 7/8 of the memory of
// the machine.
func usualMemory(size uint64) uint64 {
	const least, times = 1 << 30, 512
	memory := least + times*min(size, 1<<50)
	if machine := mapped.PhysicalMemory(); machine != 0 {
		memory = min(memory, machine/8*7)
	}
	return memory
}
