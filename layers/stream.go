package layers

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/disk"
	"pagoda/internal/failpoint"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// A StreamWriter is a Writer of a folded file. It gets the blocks one after another while a
// sweep.BlockRun makes them.
type StreamWriter struct {
	*Writer
	sp      statespace.Space
	body    *body  // the blocks
	pending []byte // blocks that are not written yet
	failed  error  // blocks could not be written: there are no more checkpoints
}

// Stream makes a Writer, which has just been created, a StreamWriter. The space has blocks: see
// sweep.BlocksOf.
func (w *Writer) Stream(sp statespace.Space) *StreamWriter {
	return &StreamWriter{Writer: w, sp: sp, body: newBody(context.Background(), w.file)}
}

// Append adds the words of the next block. It keeps no reference to them.
func (w *StreamWriter) Append(words []uint64) error {
	const some = 1 << 20 // to write each small block takes longer than to copy it
	w.pending = append(w.pending, mapped.Bytes(words)...)
	if len(w.pending) < some {
		return nil
	}
	return w.flush()
}

func (w *StreamWriter) flush() error {
	if w.failed == nil {
		w.failed = w.body.write(w.pending)
		w.pending = w.pending[:0]
	}
	return w.failed
}

// sync makes the blocks durable.
func (w *StreamWriter) sync() error {
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.Writer.sync(); err != nil {
		w.failed = err // the run ends: it would write a file with holes
		return err
	}
	failpoint.Hit("synced")
	return nil
}

// Finish writes the rest of the file as Writer.Finish does. If it fails, a checkpoint can still
// be written.
func (w *StreamWriter) Finish(ctx context.Context, meta *Meta) (size int64, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("cannot write %s: %w", w.path, err)
		}
	}()
	if err := w.flush(); err != nil {
		return 0, err
	}
	own := *meta
	own.Store = Folded.Name
	first, rest, err := foldedKind{}.compose(w.sp, &own)
	if err != nil {
		return 0, err
	}
	if found := w.body.offset - pageSize; int64(first.length) != found {
		return 0, fmt.Errorf("the blocks should have %d bytes, and have %d", first.length, found)
	}
	if err := own.check(Folded); err != nil {
		return 0, err
	}
	b := *w.body // the blocks stay as they are, for a checkpoint
	b.ctx, b.sums = ctx, slices.Clone(b.sums)
	if err := b.compose(first, rest); err != nil {
		return 0, err
	}
	return w.seal(&b, &own)
}

// A packedMaker is a BlockMaker that packs its blocks: a sweep.PackedRun. (Programs without packed runs
// are smaller as it is not named here.)
type packedMaker interface {
	BlockMaker
	PackedBytes() uint64
	Save(write func([]byte) error) error
	RestorePacked(done int, layers []statespace.Layer, from sweep.PackedReader) error
}

// A BlockMaker is a run of blocks: a sweep.BlockRun or a sweep.PackedRun.
type BlockMaker interface {
	Done() int
	Blocks() uint64
	Window() uint64
	Layers() []statespace.Layer
	HandOn() error
	Restore(done int, layers []statespace.Layer, read func(i uint64, words []uint64) error) error
}

// A BlockState says how many blocks a run has made, and where they are.
type BlockState struct {
	BlockBits int    `json:"block_bits"` // a block has 2^BlockBits numbers
	Blocks    uint64 `json:"blocks"`     // how many were made
	// Ring is how many blocks the checkpoint holds, the last ones.
	Ring uint64 `json:"ring"`
	// InFile says that all blocks are in the partial file of the output. The checkpoint then
	// holds the checksums of that file.
	InFile bool `json:"in_file,omitempty"`
	// Packed says that the run packs its blocks. Without InFile the checkpoint then holds those that
	// are still needed, packed, and Ring is 0.
	Packed bool               `json:"packed,omitempty"`
	Tally  []statespace.Layer `json:"tally"` // the layers of all blocks
}

// bytes returns the size of some blocks in bytes.
func (s *BlockState) bytes(blocks uint64) uint64 { return blocks << s.BlockBits / 8 }

// check looks for contradictions; the space has size numbers.
func (s *BlockState) check(size uint64) error {
	if s.BlockBits < 6 || s.BlockBits > 56 || s.Blocks > size>>s.BlockBits || s.Ring > s.Blocks {
		return fmt.Errorf("%d blocks of 2^%d numbers, %d of them here, cannot be those of %d numbers", s.Blocks, s.BlockBits, s.Ring, size)
	}
	return nil
}

// savedBlocks is the state of a run of blocks.
type savedBlocks struct {
	Stream *BlockState `json:"stream"`
}

// BlockState returns the state of a run of blocks, or nil if the checkpoint is of another run.
func (f *File) BlockState() (*BlockState, error) {
	var s savedBlocks
	if err := f.State(&s); err != nil || s.Stream == nil {
		return nil, err
	}
	if err := s.Stream.check(f.meta.Size); err != nil {
		return nil, f.damaged("%v", err)
	}
	return s.Stream, nil
}

// FinishBlocks is Finish for the checkpoint of a run of blocks. It adds the state of the blocks
// to the metadata. If out is nil, the checkpoint holds the blocks that are in memory; else all
// blocks are in the partial file of out, and the checkpoint holds checksums.
func (w *Writer) FinishBlocks(ctx context.Context, sp statespace.Space, s BlockMaker, out *StreamWriter, meta *Meta) (size int64, err error) {
	state := &BlockState{BlockBits: sweep.BlocksOf(sp).Bits, Blocks: s.Blocks(), InFile: out != nil, Tally: s.Layers()}
	plain, _ := s.(*sweep.BlockRun)
	packed, _ := s.(packedMaker)
	if state.Packed = packed != nil; out == nil && plain != nil {
		state.Ring = s.Blocks() - s.Window()
	}
	size, err = w.finishCheckpoint(ctx, meta, s.Done(), savedBlocks{state}, func(b *body) error {
		switch {
		case out != nil:
			return w.saveSums(b, s, out)
		case packed != nil:
			if err := w.file.Allocate(int64(pageSize + packed.PackedBytes())); err != nil {
				return err
			}
			return b.section("packed", func() error { return packed.Save(b.write) })
		}
		if err := w.file.Allocate(int64(pageSize + state.bytes(state.Ring))); err != nil {
			return err
		}
		return b.section("ring", func() error { return writeRing(b, plain) })
	})
	if err == nil && out != nil {
		out.markKept()
	}
	return size, err
}

// writeRing writes the blocks of a run that are in memory.
func writeRing(b *body, s *sweep.BlockRun) error {
	var words []uint64 // of blocks that are written together, as they may be small
	for i := s.Window(); i < s.Blocks(); i++ {
		if words = append(words, s.Words(i)...); len(words) < rawChunk && i+1 < s.Blocks() {
			continue
		}
		if err := b.write(mapped.Bytes(words)); err != nil {
			return err
		}
		words = words[:0]
	}
	return nil
}

// saveSums makes the blocks of a partial file durable and writes the checksums of its stretches,
// also of the last one, which may not be full.
func (w *Writer) saveSums(b *body, s BlockMaker, out *StreamWriter) error {
	if err := s.HandOn(); err != nil {
		return err
	}
	if err := out.sync(); err != nil {
		return err
	}
	sums := slices.Clone(out.body.sums)
	if out.body.inSum > 0 {
		sums = binary.LittleEndian.AppendUint32(sums, out.body.crc)
	}
	return b.section("sums", func() error { return b.write(sums) })
}

// checkpointKind is what a run has found: a set, or what only its engine reads.
type checkpointKind struct{ setKind }

func (k checkpointKind) open(f *File) (bitset.Reader, error) {
	if len(f.meta.Checkpoint.State) > 0 {
		return noSet{f}, nil
	}
	return k.setKind.open(f)
}

// RestoreBlocks makes a new run of blocks what another was at a checkpoint, which has been
// checked. Out is what Reopen has returned if the blocks are in its file, else nil.
func (f *File) RestoreBlocks(sp statespace.Space, s BlockMaker, out *StreamWriter) error {
	state, err := f.streamed(sp, out != nil)
	if err != nil {
		return err
	}
	done := f.meta.Checkpoint.Done
	packed, _ := s.(packedMaker)
	if state.Packed != (packed != nil) {
		return f.damaged("its run should pack its blocks: %t; it does: %t", packed != nil, state.Packed)
	}
	var read func(i uint64, words []uint64) error
	switch {
	case out != nil:
		read = out.readBlock
	case packed != nil:
		section, err := f.part("packed", anyLength)
		if err != nil {
			return err
		}
		return f.restored(s, state, mapped.Guard(func() error {
			return packed.RestorePacked(done, state.Tally, bytes.NewReader(section.bytes()))
		}))
	default:
		ring, err := f.part("ring", state.bytes(state.Ring))
		if err != nil {
			return err
		}
		read = func(i uint64, words []uint64) error {
			first := state.Blocks - state.Ring
			if i < first || i >= state.Blocks {
				return f.damaged("it should have block %d of the run, and has %d blocks from %d on", i, state.Ring, first)
			}
			copy(mapped.Bytes(words), ring.bytes()[state.bytes(i-first):])
			return nil
		}
	}
	var unread error
	err = mapped.Guard(func() error {
		return s.Restore(done, state.Tally, func(i uint64, words []uint64) error {
			unread = read(i, words)
			return unread
		})
	})
	if unread != nil {
		return err
	}
	return f.restored(s, state, err)
}

// restored returns the error of a run that was restored, or one if the run is not as the checkpoint says.
func (f *File) restored(s BlockMaker, state *BlockState, err error) error {
	var on *fs.PathError
	if errors.Is(err, mapped.ErrFault) || errors.Is(err, sweep.ErrRoom) || errors.As(err, &on) {
		return err
	}
	if err != nil {
		return f.damaged("%v", err) // it is not of such a run
	}
	if want, found := s.Blocks(), state.Blocks; found != want {
		return f.damaged("after %d stages it should have %d blocks, and has %d", f.meta.Checkpoint.Done, want, found)
	}
	return nil
}

// streamed returns the state of a run of blocks of the space, which are in a file or not.
func (f *File) streamed(sp statespace.Space, inFile bool) (*BlockState, error) {
	blocks := sweep.BlocksOf(sp)
	if blocks == nil {
		return nil, f.damaged("it should be of a run of blocks, and %s has none", sp.Name())
	}
	state, err := f.BlockState()
	switch {
	case err != nil:
		return nil, err
	case state == nil || state.BlockBits != blocks.Bits:
		return nil, f.damaged("it should be of a run of blocks of 2^%d numbers", blocks.Bits)
	case state.InFile != inFile:
		return nil, f.damaged("its blocks should be in a partial file: %t; they are: %t", inFile, state.InFile)
	}
	return state, nil
}

// Reopen opens the partial file of a run that was stopped, to go on from a checkpoint, which has
// been checked. It locks the file as Create does, and compares it with the checksums of the
// checkpoint. The error is ErrLost if the file is not there, or is not as the run left it; and
// ErrExists if the file has got its final name already.
func Reopen(ctx context.Context, checkpoint *File, sp statespace.Space, path string, overwrite bool, threads int) (_ *StreamWriter, err error) {
	state, err := checkpoint.streamed(sp, true)
	if err != nil {
		return nil, err
	}
	given := path
	if path, _, err = place(path, overwrite); err != nil {
		return nil, err
	}
	// Keep the file in any case: the checkpoint needs it.
	w := (&Writer{path: path, overwrite: overwrite, keep: true}).Stream(sp)
	if err := w.takePartial(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			w.Abort()
		}
	}()
	w.body.file = w.file
	if final, err := os.Stat(path); err == nil {
		if own, err := w.file.Stat(); err == nil && os.SameFile(own, final) {
			return nil, fmt.Errorf("%s: %w", given, ErrExists) // it has its name already
		}
	}
	info, err := w.file.Stat()
	if err != nil {
		return nil, err
	}
	bytes := state.bytes(state.Blocks)
	if least := pageSize + int64(bytes); info.Size() < least {
		return nil, w.lost("it should have %d bytes at least, and has %d", least, info.Size())
	}
	sums, err := checkpoint.part("sums", (bytes+stretchSize-1)/stretchSize*4)
	if err != nil {
		return nil, err
	}
	if err := mapped.Guard(func() error {
		w.body.goOn(bytes, slices.Clone(sums.bytes()))
		return nil
	}); err != nil {
		return nil, err
	}
	if err := w.check(ctx, threads); err != nil {
		return nil, err
	}
	return w, w.begin()
}

// takePartial opens and locks the partial file that is there.
func (w *StreamWriter) takePartial() error {
	partial := w.path + PartialSuffix
	if err := checkLeftover(partial, true); err != nil {
		return err
	}
	file, err := disk.OpenFile(partial, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return w.lost("it should be there with the blocks of the run, and is not")
	} else if err != nil {
		return err
	}
	lock, err := tryLock(partial)
	if err == ErrBusy {
		err = fmt.Errorf("cannot write %s: %w", w.path, err)
	} else if err == nil {
		own, err1 := file.Stat()
		locked, err2 := lock.Stat()
		named, err3 := os.Lstat(partial)
		if err1 != nil || err2 != nil || err3 != nil || !os.SameFile(own, locked) || !os.SameFile(own, named) {
			err = w.lost("another run has replaced it meanwhile")
		}
	}
	if err != nil {
		lock.Close()
		file.Close()
		return err
	}
	w.file, w.lock = file, lock
	return nil
}

// markKept notes that a checkpoint needs the partial file, wherever it lies. The mark protects the
// file from another run; it may be lost when the power fails.
func (w *StreamWriter) markKept() {
	if !w.keep {
		w.file.WriteAt([]byte(keptMagic), 0)
	}
	w.keep = true
}

// begin makes the file unfinished again, in case the run was killed when it was whole, and takes
// the disk space that it had.
func (w *StreamWriter) begin() error {
	if _, err := w.file.WriteAt(append([]byte(keptMagic), make([]byte, pageSize-len(keptMagic))...), 0); err != nil {
		return err
	}
	if err := w.Writer.sync(); err != nil {
		return err
	}
	return w.file.Allocate(int64(Folded.FileSize(w.sp)))
}

func (w *StreamWriter) lost(format string, args ...any) error {
	return &FileError{w.path + PartialSuffix, ErrLost, fmt.Sprintf(format, args...), adviceCheckpoint}
}

// readBlock reads a block back.
func (w *StreamWriter) readBlock(i uint64, words []uint64) error {
	_, err := w.file.ReadAt(mapped.Bytes(words), pageSize+int64(i<<sweep.BlocksOf(w.sp).Bits/8))
	return err
}

// check checks all blocks against the checksums.
func (w *StreamWriter) check(ctx context.Context, threads int) error {
	return mapped.Parts(ctx, threads, uint64(w.body.offset-pageSize), 16*stretchSize, func(first, end uint64) error {
		stretch := make([]byte, stretchSize)
		for at := first; at < end; at += stretchSize {
			stretch := stretch[:min(stretchSize, end-at)]
			if _, err := w.file.ReadAt(stretch, pageSize+int64(at)); err != nil {
				return err
			}
			want := w.body.crc
			if len(stretch) == stretchSize {
				want = binary.LittleEndian.Uint32(w.body.sums[4*(at/stretchSize):])
			}
			if found := checksum(stretch); found != want {
				return w.lost("the checksum of its bytes %d to %d should be %08x, and is %08x", pageSize+at, pageSize+at+uint64(len(stretch))-1, want, found)
			}
		}
		return nil
	})
}
