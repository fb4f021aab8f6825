package layers

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"pagoda/bitset"
	"pagoda/internal/mapped"
)

// A File is an open file of states. Its methods may be called by several
// goroutines at once.
type File struct {
	path    string
	file    *os.File
	mapped  *mapped.File
	header  *header
	meta    *Meta
	checked []atomic.Uint64 // a bit per block: its sum has been found right

	set      *bitset.Set    // nil: the store has pointers
	pointers *bitset.Planes // nil: the store is a set
	states   uint64         // offset of either
	recent   [64]atomic.Pointer[madeBlock]
}

// A madeBlock is a block of a set that was made of another store.
type madeBlock struct {
	i     uint64
	words []uint64
}

// Open opens a file and maps it. It checks the header, the length, the sums
// themselves and the meta section; the blocks of the set are checked when they
// are first looked at, or all at once by Check.
func Open(path string) (*File, error) { return open(path, SetStore) }

// OpenCheckpoint is Open for the checkpoint of a run.
func OpenCheckpoint(path string) (*File, error) { return open(path, CheckpointStore) }

func open(path, store string) (*File, error) {
	if !mapped.LittleEndian() {
		return nil, fmt.Errorf("%s: files of states can be read on little-endian machines only", path)
	}
	// Opening a pipe would wait for someone to write to it.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, &FileError{path, ErrNotReach, "it is not a regular file", "give a file that reach run has written"}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, file: file}
	if err := mapped.Guard(func() error { return f.open(store) }); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (f *File) open(store string) error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() == 0 {
		return &FileError{f.path, ErrNotReach, "it is empty", adviceRun}
	}
	if f.mapped, err = mapped.Open(f.file); err != nil {
		return err
	}
	data := f.mapped.Bytes()
	h, bad := decodeHeader(data[:min(len(data), pageSize)], uint64(len(data)))
	if bad != nil {
		bad.Path = f.path
		return bad
	}
	f.header = h
	if found := checksum(data[h.sums:]); found != h.sumsCRC {
		return f.damaged("the checksum of its checksums should be %08x, and is %08x", h.sumsCRC, found)
	}
	f.checked = make([]atomic.Uint64, bitset.Words(h.blocks()))

	meta, ok := h.section("meta")
	if !ok || meta.length > maxMeta {
		return f.damaged("it should have a section \"meta\" of at most %d bytes", maxMeta)
	}
	if err := f.checkRange(meta.offset, meta.length); err != nil {
		return err
	}
	f.meta = new(Meta)
	if err := json.Unmarshal(data[meta.offset:meta.offset+meta.length], f.meta); err != nil {
		return f.damaged("its section \"meta\" cannot be read: %v", err)
	}
	switch {
	case f.meta.Store == CheckpointStore && store == SetStore:
		return &FileError{f.path, ErrUnfinished, "it is the checkpoint of a run", "reach resume goes on with it"}
	case f.meta.Store != CheckpointStore && store == CheckpointStore:
		return &FileError{f.path, ErrNotCheckpoint, "it is finished", "there is nothing to resume"}
	case f.meta.Store != store && f.meta.Store != BackptrStore:
		return &FileError{f.path, ErrVersion, fmt.Sprintf("its store is %q, this program reads %q and %q", f.meta.Store, SetStore, BackptrStore), adviceVersion}
	case store == CheckpointStore && f.meta.Checkpoint == nil:
		return f.damaged("it should tell how far the run had come")
	}
	if err := f.meta.check(); err != nil {
		return f.damaged("%v", err)
	}
	name, words := f.meta.section()
	if name == "" {
		return f.damaged("its pointers should have 1 to 8 bits, and have %d", f.meta.PointerBits)
	}
	states, ok := h.section(name)
	if !ok || states.length != 8*words {
		return f.damaged("its section %q should have %d bytes for %d numbers, and has %d",
			name, 8*words, f.meta.Size, states.length)
	}
	f.states = states.offset
	data64 := f.mapped.Words(states.offset, states.length)
	if f.meta.Store == BackptrStore {
		f.pointers, err = bitset.PlanesOver(data64, f.meta.Size, f.meta.PointerBits)
	} else {
		f.set, err = bitset.Over(data64, f.meta.Size)
	}
	return err
}

// Close closes the file. Nothing that came from it may be used any more.
func (f *File) Close() error {
	if f.mapped != nil {
		f.mapped.Close()
	}
	return f.file.Close()
}

func (f *File) damaged(format string, args ...any) error {
	return &FileError{f.path, ErrDamaged, fmt.Sprintf(format, args...), adviceCopy}
}

// Path returns the path by which the file was opened.
func (f *File) Path() string { return f.path }

// Size returns the size of the file in bytes.
func (f *File) Size() uint64 { return f.header.length }

// Meta returns what the file says of its states. The caller must not change it.
func (f *File) Meta() *Meta { return f.meta }

// Set returns the set in the map, unchecked: call Check first, and look at it
// within mapped.Guard. It is nil when the store has pointers.
func (f *File) Set() *bitset.Set { return f.set }

// Pointers returns the pointers in the map, as Set does; nil when the store is a set.
func (f *File) Pointers() *bitset.Planes { return f.pointers }

// Pointer returns the pointer of x, which is below Len, in a store that has pointers.
// What holds it is checked the first time. Call it within mapped.Guard.
func (f *File) Pointer(x uint64) (uint8, error) {
	if err := f.checkOnce(x/64*uint64(f.pointers.Width()), uint64(f.pointers.Width())); err != nil {
		return 0, err
	}
	return f.pointers.Get(x), nil
}

// Len implements bitset.Reader.
func (f *File) Len() uint64 { return f.meta.Size }

// Block implements bitset.Reader. What holds the block is checked the first time.
// The words may lie in the map: look at them within mapped.Guard.
func (f *File) Block(i uint64) ([]uint64, error) {
	const perBlock = 1 << bitset.BlockBits / 64
	if f.set != nil {
		words, err := f.set.Block(i)
		if err == nil {
			err = f.checkOnce(i*perBlock, uint64(len(words)))
		}
		return words, err
	}
	recent := &f.recent[i%uint64(len(f.recent))]
	if b := recent.Load(); b != nil && b.i == i {
		return b.words, nil
	}
	first := i * perBlock
	words := make([]uint64, min(perBlock, bitset.Words(f.meta.Size)-first))
	width := uint64(f.pointers.Width())
	if err := f.checkOnce(first*width, uint64(len(words))*width); err != nil {
		return nil, err
	}
	for w := range words {
		words[w] = f.pointers.NotZero(first + uint64(w))
	}
	recent.Store(&madeBlock{i, words})
	return words, nil
}

// checkOnce checks what holds n words of the states, unless that was done before.
func (f *File) checkOnce(word, n uint64) error {
	first := f.states - pageSize + 8*word
	for b := first / blockSize; b*blockSize < first+8*n; b++ {
		if f.checked[b/64].Load()>>(b%64)&1 == 0 {
			if err := f.checkBlock(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// Has reports whether number x is a member; a number not below Meta().Size is not.
func (f *File) Has(x uint64) (has bool, err error) {
	err = mapped.Guard(func() error {
		has, err = bitset.Has(f, x)
		return err
	})
	return has, err
}

// checkRange checks the blocks that hold bytes offset to offset+length.
func (f *File) checkRange(offset, length uint64) error {
	for b := (offset - pageSize) / blockSize; b*blockSize+pageSize < offset+length; b++ {
		if err := f.checkBlock(b); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) checkBlock(b uint64) error {
	data := f.mapped.Bytes()
	first := pageSize + b*blockSize
	last := min(first+blockSize, f.header.sums)
	want := binary.LittleEndian.Uint32(data[f.header.sums+4*b:])
	if found := checksum(data[first:last]); found != want {
		return f.damaged("the checksum of its bytes %d to %d should be %08x, and is %08x", first, last-1, want, found)
	}
	f.checked[b/64].Or(1 << (b % 64))
	return nil
}

// Check checks every byte of the file against the checksums, anew even where this
// was done before. It adds the bytes that it has read to done, which may be nil.
func (f *File) Check(ctx context.Context, threads int, done *atomic.Int64) error {
	if done == nil {
		done = new(atomic.Int64)
	}
	var next atomic.Uint64
	group, ctx := errgroup.WithContext(ctx)
	for range max(1, threads) {
		group.Go(func() error {
			return mapped.Guard(func() error {
				for {
					b := next.Add(1) - 1
					if b >= f.header.blocks() {
						return nil
					}
					if ctx.Err() != nil {
						return context.Cause(ctx)
					}
					if err := f.checkBlock(b); err != nil {
						return err
					}
					done.Add(blockSize)
				}
			})
		})
	}
	return group.Wait()
}
