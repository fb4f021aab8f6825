package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"pagoda/internal/disk"
)

// A scratch is a file for chunks that are out of memory. What it holds is of no use to another
// process. So it has no name as soon as it is open, where the system allows that: it is gone
// however the process ends.
type scratch struct {
	file  *disk.File
	path  string
	named bool
	size1 int64 // of an extent

	mu    sync.Mutex
	next  int64   // the end of the file
	holes []int64 // extents that are free
}

// newScratch makes a scratch file in a directory, for chunks of some size at most.
func newScratch(dir string, extent int) (*scratch, error) {
	if err := disk.MakeDir(dir, 0o777); err != nil {
		return nil, fmt.Errorf("the scratch directory: %w", err)
	}
	path := filepath.Join(dir, fmt.Sprintf("pagoda-%d.scratch", os.Getpid()))
	file, err := disk.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the scratch directory: %w", err)
	}
	return &scratch{file: file, path: path, named: os.Remove(path) != nil, size1: int64(extent)}, nil
}

// write writes a chunk and returns where.
func (s *scratch) write(data []byte) (extent int64, err error) {
	s.mu.Lock()
	if n := len(s.holes); n > 0 {
		extent, s.holes = s.holes[n-1], s.holes[:n-1]
	} else {
		extent = s.next
		s.next += s.size1
	}
	s.mu.Unlock()
	if _, err := s.file.WriteAt(data, extent); err != nil {
		s.free(extent)
		return 0, fmt.Errorf("the scratch file: %w", err)
	}
	return extent, nil
}

// read reads a chunk that was written.
func (s *scratch) read(data []byte, extent int64, sum uint32) error {
	if _, err := s.file.ReadAt(data, extent); err != nil {
		return fmt.Errorf("the scratch file: %w", err)
	}
	if found := checksum(data); found != sum {
		return fmt.Errorf("the scratch file %s is damaged: the checksum of its bytes %d to %d should be %08x, and is %08x", s.path, extent, extent+int64(len(data))-1, sum, found)
	}
	return nil
}

func (s *scratch) free(extent int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holes = append(s.holes, extent)
}

// size returns how large the file is, or was.
func (s *scratch) size() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return uint64(s.next)
}

func (s *scratch) close() {
	s.file.Close()
	if s.named {
		disk.Remove(s.path)
	}
}
