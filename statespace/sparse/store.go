package sparse

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"pagoda/internal/disk"
	"pagoda/sorted"
)

// A Level is what a saved level is known by.
type Level struct {
	States uint64 `json:"states"`
	Bytes  uint64 `json:"bytes"`  // of its file
	CRC32C uint32 `json:"crc32c"` // of its file
}

// A store is a level or a run: a sorted list in a file if there is a directory, else in blocks
// of memory.
type store struct {
	Level
	*sorted.List
	path   string
	file   *disk.File // or nil
	blocks [][]byte   // all but the last are full
	run    bool       // it is no level
	saved  bool       // the caller knows of the file
	others bool       // another program may have written it: with right checksums, codes can be wrong
}

// LevelName names the file of a level in the directory of a search.
func LevelName(i int) string { return fmt.Sprintf("level-%05d.sorted", i) }

func (s *Search) levelPath(i int) string { return filepath.Join(s.o.Dir, LevelName(i)) }

func (s *Search) runPath() string {
	return filepath.Join(s.o.Dir, fmt.Sprintf("run-%05d.sorted", s.seq.Add(1)))
}

// ReadAt implements io.ReaderAt for blocks.
func (st *store) ReadAt(p []byte, offset int64) (n int, err error) {
	for n < len(p) {
		i, at := int(offset/blockBytes), int(offset%blockBytes)
		if i >= len(st.blocks) || at >= len(st.blocks[i]) {
			return n, io.ErrUnexpectedEOF
		}
		k := copy(p[n:], st.blocks[i][at:])
		n, offset = n+k, offset+int64(k)
	}
	return n, nil
}

// A blockWriter writes the blocks of a store.
type blockWriter struct {
	*store
	ctx  context.Context
	pool *pool
}

// Write implements io.Writer.
func (w blockWriter) Write(p []byte) (n int, err error) {
	for n < len(p) {
		last := len(w.blocks) - 1
		if last < 0 || len(w.blocks[last]) == blockBytes {
			block, err := w.pool.take(w.ctx)
			if err != nil {
				return n, err
			}
			w.blocks = append(w.blocks, block)
			last++
		}
		block := w.blocks[last]
		k := copy(block[len(block):blockBytes], p[n:])
		w.blocks[last] = block[:len(block)+k]
		n += k
	}
	return n, nil
}

// write makes a store of the codes of a source. If there are more than most, it returns
// ErrStates.
func (s *Search) write(ctx context.Context, path string, most uint64, next sorted.Source) (_ *store, err error) {
	st := &store{path: path}
	defer func() {
		if err != nil {
			if e := st.remove(&s.pool); e != nil {
				err = errors.Join(err, e)
			}
		}
	}()
	sum := &disk.Summer{Writer: blockWriter{st, ctx, &s.pool}}
	if s.o.Dir != "" {
		// It is new: cleanDir has removed what others have left.
		if st.file, err = disk.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
			return nil, err
		}
		sum.Writer = st.file
	}
	buffer := bufio.NewWriterSize(sum, 1<<14)
	w, err := sorted.NewWriter(buffer, s.graph.Words)
	for err == nil {
		var codes []uint64
		if codes, err = next(); err != nil || len(codes) == 0 {
			break
		}
		if err = w.Append(codes); err == nil && w.Len() > most {
			err = ErrStates
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	st.States = w.Len()
	if st.Bytes, err = w.Close(); err != nil {
		return nil, err
	}
	if err := buffer.Flush(); err != nil {
		return nil, err
	}
	st.CRC32C = sum.CRC32C
	return st, s.open(st)
}

// open opens the list of a store.
func (s *Search) open(st *store) (err error) {
	var from io.ReaderAt = st
	if st.file != nil {
		from = st.file
	}
	if st.List, err = sorted.Open(from, int64(st.Bytes)); err != nil {
		return err
	}
	if st.Words() != s.graph.Words || st.Len() != st.States {
		return fmt.Errorf("%s: %w: it should have %d codes of %d words, and has %d of %d", st.path, sorted.ErrDamaged, st.States, s.graph.Words, st.Len(), st.Words())
	}
	return nil
}

// remove gives the blocks of a store back, or removes its file if it is not saved.
func (st *store) remove(to *pool) (err error) {
	to.give(st.blocks)
	st.blocks = nil
	if st.file != nil {
		if err = st.file.Close(); !st.saved {
			err = errors.Join(err, disk.Remove(st.path))
		}
	}
	return err
}
