package disk

import (
	"context"
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

// OpenSame opens a file of a run to read it, if it is what a Summer has written. If it is not, how says in what it
// differs. OpenSame follows no link, and does not wait at a pipe. When ctx ends, it stops soon and returns the cause.
func OpenSame(ctx context.Context, path string, bytes uint64, crc32c uint32) (file *File, how string, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, "", err
	}
	if !info.Mode().IsRegular() {
		return nil, "it should be a regular file", nil
	}
	if file, err = OpenFile(path, os.O_RDONLY, 0); err != nil {
		return nil, "", err
	}
	found := &Summer{Writer: io.Discard}
	_, err = io.Copy(found, stoppable{ctx, file})
	switch {
	case err != nil:
	case found.Bytes != bytes:
		how = fmt.Sprintf("it should have %d bytes, and has %d", bytes, found.Bytes)
	case found.CRC32C != crc32c:
		how = fmt.Sprintf("its checksum should be %08x, and is %08x", crc32c, found.CRC32C)
	default:
		return file, "", nil
	}
	file.Close()
	return nil, how, err
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
