package layers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/gofrs/flock"

	"pagoda/bitset"
	"pagoda/internal/failpoint"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// ErrLost says that a partial file is not what a checkpoint counts on. It comes wrapped in
// a *FileError.
var ErrLost = errors.New("not what the run has left")

// A StreamWriter is a Writer of a file of FoldedStore that gets its blocks one after
// another, as a statespace.Streaming hands them on.
type StreamWriter struct {
	*Writer
	sp      statespace.Streamer
	body    *body  // of the blocks
	pending []byte // blocks that are not yet written
	failed  error  // to write some: there are no checkpoints any more
}

// Stream makes a StreamWriter of a Writer that has just been created.
func (w *Writer) Stream(sp statespace.Streamer) *StreamWriter {
	return &StreamWriter{Writer: w, sp: sp, body: newBody(context.Background(), w.file)}
}

// Append adds a block.
func (w *StreamWriter) Append(words []uint64) error {
	const some = 1 << 20 // a call for each small block would take longer than to copy it
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
	if err := w.file.Sync(); err != nil {
		return err
	}
	failpoint.Hit("synced")
	return nil
}

// Finish writes the rest of the file, of which meta tells, as Writer.Finish does. When it
// fails, a checkpoint can still be written.
func (w *StreamWriter) Finish(ctx context.Context, meta *Meta) (size int64, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("cannot write %s: %w", w.path, err)
		}
	}()
	if err := w.flush(); err != nil {
		return 0, err
	}
	folding := w.sp.Folding()
	if want, found := len(folding.Order)<<folding.Bits/8, w.body.offset-pageSize; int64(want) != found {
		return 0, fmt.Errorf("the blocks should have %d bytes, and have %d", want, found)
	}
	index, err := makeIndex(w.sp, folding)
	if err != nil {
		return 0, err
	}
	told := *meta
	told.Store = FoldedStore
	tellFolding(&told, w.sp, folding)
	if err := told.check(); err != nil {
		return 0, err
	}
	b := *w.body // the blocks stay as they are, for a checkpoint
	b.ctx, b.sums = ctx, slices.Clone(b.sums)
	if err := b.endSection("blocks", pageSize); err != nil {
		return 0, err
	}
	if err := writeIndex(&b, index); err != nil {
		return 0, err
	}
	return w.seal(&b, &told)
}

// FinishStreaming is Finish for the checkpoint of a streaming, which meta tells of but for
// its blocks. They are in the partial file of out, all of them, or, if out is nil, in the
// checkpoint as far as they are in memory.
func (w *Writer) FinishStreaming(ctx context.Context, sp statespace.Streamer, s *statespace.Streaming, out *StreamWriter, meta *Meta) (size int64, err error) {
	defer w.giveUp(&err)
	told, c := *meta, *meta.Checkpoint
	told.Checkpoint, c.Done = &c, s.Done()
	c.Stream = &Streamed{BlockBits: sp.BlockBits(), Blocks: s.Blocks(), InFile: out != nil, Tally: LayerCounts(s.Tally())}
	if out == nil {
		c.Stream.Ring = s.Blocks() - s.Window()
	}
	if err := told.check(); err != nil {
		return 0, err
	}
	b := newBody(ctx, w.file)
	if out != nil {
		err = w.saveSums(b, s, out)
	} else if err = mapped.Preallocate(w.file, int64(pageSize+c.Stream.bytes(c.Stream.Ring))); err == nil {
		err = b.section("ring", func() error {
			for i := s.Window(); i < s.Blocks(); i++ {
				if err := b.write(mapped.Bytes(s.Words(i))); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		return 0, err
	}
	if size, err = w.seal(b, &told); err == nil && out != nil {
		out.keep = true
	}
	return size, err
}

// saveSums makes the blocks of a partial file durable and writes their checksums, with that
// of the part that is not full.
func (w *Writer) saveSums(b *body, s *statespace.Streaming, out *StreamWriter) error {
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

// LayerCounts returns layers as a file tells them.
func LayerCounts(layers []statespace.Layer) (counts []LayerCount) {
	for _, l := range layers {
		counts = append(counts, LayerCount(l))
	}
	return counts
}

// checkpointKind is what a run has found: a set, or blocks of a stream.
type checkpointKind struct{ setKind }

func (k checkpointKind) open(f *File) (bitset.Reader, error) {
	s := f.meta.Checkpoint.Stream
	if s == nil {
		return k.setKind.open(f)
	}
	if s.InFile {
		pieces := (s.bytes(s.Blocks) + blockSize - 1) / blockSize
		_, err := f.part("sums", 4*pieces)
		return noSet{f}, err
	}
	_, err := f.part("ring", s.bytes(s.Ring))
	return noSet{f}, err
}

// noSet stands for the members that are not all in the checkpoint of a stream.
type noSet struct{ f *File }

// Len implements bitset.Reader.
func (n noSet) Len() uint64 { return n.f.meta.Size }

// Block implements bitset.Reader.
func (n noSet) Block(uint64) ([]uint64, error) {
	return nil, fmt.Errorf("%s is the checkpoint of a run that keeps no set; reach resume goes on with it", n.f.path)
}

// Restore makes a streaming what it was at a checkpoint. Out is what Reopen has returned if
// the blocks are in its file, else nil. The checkpoint has been checked.
func (f *File) Restore(sp statespace.Streamer, s *statespace.Streaming, out *StreamWriter) error {
	if err := f.streamed(sp, out != nil); err != nil {
		return err
	}
	c := f.meta.Checkpoint
	var tally []statespace.Layer
	for _, l := range c.Stream.Tally {
		tally = append(tally, statespace.Layer(l))
	}
	var read func(i uint64, words []uint64) error
	if out != nil {
		read = out.readBlock
	} else {
		ring, err := f.part("ring", c.Stream.bytes(c.Stream.Ring))
		if err != nil {
			return err
		}
		read = func(i uint64, words []uint64) error {
			first := c.Stream.Blocks - c.Stream.Ring
			if i < first || i >= c.Stream.Blocks {
				return f.damaged("it should have block %d of the run, and has %d blocks from %d on", i, c.Stream.Ring, first)
			}
			copy(mapped.Bytes(words), ring.bytes()[c.Stream.bytes(i-first):])
			return nil
		}
	}
	var unread error
	err := mapped.Guard(func() error {
		return s.Restore(c.Done, tally, func(i uint64, words []uint64) error {
			unread = read(i, words)
			return unread
		})
	})
	if err != nil && unread == nil && !errors.Is(err, mapped.ErrFault) {
		return f.damaged("%v", err) // what it tells is not of such a run
	}
	if err != nil {
		return err
	}
	if want, found := s.Blocks(), c.Stream.Blocks; found != want {
		return f.damaged("after %d stages it should have %d blocks, and has %d", c.Done, want, found)
	}
	return nil
}

// streamed returns an error unless a checkpoint is of a stream of a space, with its blocks
// in a file or not.
func (f *File) streamed(sp statespace.Streamer, inFile bool) error {
	if s, want := f.meta.Checkpoint.Stream, sp.BlockBits(); s == nil || s.BlockBits != want || s.InFile != inFile {
		return f.damaged("it should tell of a stream of blocks of 2^%d numbers", want)
	}
	return nil
}

// Reopen takes back the partial file of a run that was stopped, to go on from a checkpoint,
// which has been checked. It is locked as by Create, and compared with the checksums of the
// checkpoint. An ErrLost says that it is not there, or is another.
func Reopen(ctx context.Context, checkpoint *File, sp statespace.Streamer, path string, overwrite bool, threads int) (_ *StreamWriter, err error) {
	if err := checkpoint.streamed(sp, true); err != nil {
		return nil, err
	}
	given := path
	if path, _, err = place(path, overwrite); err != nil {
		return nil, err
	}
	// Whatever comes, the checkpoint counts on the file.
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
	s := checkpoint.meta.Checkpoint.Stream
	bytes := s.bytes(s.Blocks)
	if least := pageSize + int64(bytes); info.Size() < least {
		return nil, w.lost("it should have %d bytes at least, and has %d", least, info.Size())
	}
	sums, err := checkpoint.part("sums", anyLength)
	if err != nil {
		return nil, err
	}
	if err := mapped.Guard(func() error {
		w.body.sums = slices.Clone(sums.bytes())
		return nil
	}); err != nil {
		return nil, err
	}
	w.body.offset += int64(bytes)
	if w.body.inSum = int(bytes % blockSize); w.body.inSum > 0 {
		full := len(w.body.sums) - 4
		w.body.crc = binary.LittleEndian.Uint32(w.body.sums[full:])
		w.body.sums = w.body.sums[:full]
	}
	if err := w.check(ctx, threads); err != nil {
		return nil, err
	}
	return w, w.begin()
}

// takePartial opens and locks the partial file that is there.
func (w *StreamWriter) takePartial() error {
	partial := w.path + PartialSuffix
	if err := checkLeftover(partial); err != nil {
		return err
	}
	file, err := os.OpenFile(partial, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return w.lost("it is not there, and had the blocks that were made")
	} else if err != nil {
		return err
	}
	lock := flock.New(partial)
	ok, err := lock.TryLock()
	if err == nil && !ok {
		err = fmt.Errorf("cannot write %s: %w", w.path, ErrBusy)
	}
	if err == nil {
		own, err1 := file.Stat()
		locked, err2 := lock.Stat()
		named, err3 := os.Lstat(partial)
		if err1 != nil || err2 != nil || err3 != nil || !os.SameFile(own, locked) || !os.SameFile(own, named) {
			err = w.lost("another run has taken it away meanwhile")
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

// begin makes the file unfinished again, if it was killed when it was whole, and takes the
// disk space that it had.
func (w *StreamWriter) begin() error {
	if _, err := w.file.WriteAt(make([]byte, pageSize), 0); err != nil {
		return err
	}
	if err := w.file.Sync(); err != nil {
		return err
	}
	store, err := FindStore(FoldedStore)
	if err != nil {
		return err
	}
	return mapped.Preallocate(w.file, int64(store.FileSize(w.sp)))
}

func (w *StreamWriter) lost(format string, args ...any) error {
	return &FileError{w.path + PartialSuffix, ErrLost, fmt.Sprintf(format, args...), "begin again with reach run --force"}
}

// readBlock reads a block back.
func (w *StreamWriter) readBlock(i uint64, words []uint64) error {
	_, err := w.file.ReadAt(mapped.Bytes(words), pageSize+int64(i<<w.sp.BlockBits()/8))
	return err
}

// check checks all blocks against the sums.
func (w *StreamWriter) check(ctx context.Context, threads int) error {
	const together = 16
	end := uint64(w.body.offset - pageSize)
	pieces := (end + blockSize - 1) / blockSize
	return forEach(ctx, threads, (pieces+together-1)/together, func(part uint64) error {
		piece := make([]byte, blockSize)
		for i := part * together; i < min((part+1)*together, pieces); i++ {
			at := i * blockSize
			piece := piece[:min(blockSize, end-at)]
			if _, err := w.file.ReadAt(piece, pageSize+int64(at)); err != nil {
				return err
			}
			want := w.body.crc
			if len(piece) == blockSize {
				want = binary.LittleEndian.Uint32(w.body.sums[4*i:])
			}
			if found := checksum(piece); found != want {
				return w.lost("the checksum of its bytes %d to %d should be %08x, and is %08x", pageSize+at, pageSize+at+uint64(len(piece))-1, want, found)
			}
		}
		return nil
	})
}
