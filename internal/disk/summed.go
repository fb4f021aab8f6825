package disk

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Summer counts and sums what it writes: a file of a run is known by both.
type Summer struct {
	io.Writer
	Bytes  uint64
	CRC32C uint32
}

// Write implements io.Writer.
func (s *Summer) Write(p []byte) (int, error) {
	s.Bytes += uint64(len(p))
	s.CRC32C = crc32.Update(s.CRC32C, castagnoli, p)
	return s.Writer.Write(p)
}

// ErrIrregular says that something is not a regular file.
var ErrIrregular = errors.New("it should be a regular file")

// OpenRegular opens a file of a run to read it. It follows no link, and does not wait at a pipe.
func OpenRegular(path string) (*File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrIrregular
	}
	return OpenFile(path, os.O_RDONLY, 0)
}

// Differs reads a file of a run to its end, and says how it differs from what a Summer has written; empty if it is the
// same. When ctx ends, it stops soon and returns the cause.
func Differs(ctx context.Context, from io.Reader, bytes uint64, crc32c uint32) (how string, err error) {
	found := &Summer{Writer: io.Discard}
	if _, err := io.Copy(found, stoppable{ctx, from}); err != nil {
		return "", err
	}
	switch {
	case found.Bytes != bytes:
		return fmt.Sprintf("it should have %d bytes, and has %d", bytes, found.Bytes), nil
	case found.CRC32C != crc32c:
		return fmt.Sprintf("its checksum should be %08x, and is %08x", crc32c, found.CRC32C), nil
	}
	return "", nil
}

// A stoppable is a reader that a context ends.
type stoppable struct {
	ctx context.Context
	io.Reader
}

func (r stoppable) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.Reader.Read(p)
}
