//go:build !js

package mapped

import (
	"os"

	mmap "github.com/edsrzf/mmap-go"
)

// A region is a map of memory, or of a file.
type region mmap.MMap

// anonymous maps zeroed memory. A private map, unlike a shared one, may be of large pages.
func anonymous(size int) (region, error) {
	m, err := mmap.MapRegion(nil, size, mmap.COPY, mmap.ANON, 0)
	return region(m), err
}

// content maps a file for reading.
func content(f *os.File, size int) (region, error) {
	m, err := mmap.MapRegion(f, size, mmap.RDONLY, 0, 0)
	return region(m), err
}

func (r *region) free() error { return (*mmap.MMap)(r).Unmap() }
