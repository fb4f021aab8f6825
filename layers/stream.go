package layers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"pagoda/internal/disk"
	"pagoda/internal/failpoint"
	"pagoda/internal/mapped"
	"pagoda/statespace"
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

// Sums makes the blocks durable. It returns the checksums of their stretches, also of the last one, which may not
// be full: see Reopen.
func (w *StreamWriter) Sums() ([]byte, error) {
	if err := w.sync(); err != nil {
		return nil, err
	}
	sums := slices.Clone(w.body.sums)
	if w.body.inSum > 0 {
		sums = binary.LittleEndian.AppendUint32(sums, w.body.crc)
	}
	return sums, nil
}

// SumsLength returns how many bytes Sums returns for some bytes of blocks.
func SumsLength(bytes uint64) uint64 { return 4 * stretches(bytes) }

// Reopen opens the partial file of a run that was stopped after it had written some bytes of blocks. The sums are
// what Sums returned for these bytes; they may lie in a map, and are copied. Reopen locks the file as Create does, and
// compares its bytes with the sums. The error is ErrLost if the file is not there, or is not as the run left it; and ErrExists if the file has
// got its final name already.
func Reopen(ctx context.Context, sp statespace.Space, path string, overwrite bool, bytes uint64, sums []byte, threads int) (_ *StreamWriter, err error) {
	if want := SumsLength(bytes); uint64(len(sums)) != want {
		return nil, fmt.Errorf("the checksums of %d bytes of blocks should have %d bytes, and have %d", bytes, want, len(sums))
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
	if least := pageSize + int64(bytes); info.Size() < least {
		return nil, w.lost("it should have %d bytes at least, and has %d", least, info.Size())
	}
	if err := mapped.Guard(func() error {
		w.body.goOn(bytes, slices.Clone(sums))
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

// Keep notes that there is a checkpoint which needs the partial file, wherever it lies. The mark protects the
// file from another run; it may be lost when the power fails.
func (w *StreamWriter) Keep() {
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

// ReadBlock reads a block back, by its place in the order of the blocks.
func (w *StreamWriter) ReadBlock(i uint64, words []uint64) error {
	_, err := w.file.ReadAt(mapped.Bytes(words), pageSize+int64(8*i*uint64(len(words))))
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
