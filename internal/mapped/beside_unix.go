//go:build unix

package mapped

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// page is the size of a page.
var page = uint64(os.Getpagesize())

// reserve takes whole pages of addresses that cannot be read yet.
func reserve(size int) (region, error) {
	whole := (size + int(page) - 1) &^ (int(page) - 1)
	r, err := unix.Mmap(-1, 0, whole, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	return region(r), err
}

// mapAt maps the first n bytes of a file for reading, at a place in a region; both are whole pages.
func mapAt(r region, at, n uint64, f *os.File) error {
	_, err := unix.MmapPtr(int(f.Fd()), 0, unsafe.Pointer(&r[at]), uintptr(n), unix.PROT_READ, unix.MAP_SHARED|unix.MAP_FIXED)
	return err
}

// provide makes the pages from one place in a region to another zeroed memory. The first is a whole
// number of pages; it returns the end of the last page.
func provide(r region, from, to uint64) (end uint64, err error) {
	end = (to + page - 1) &^ (page - 1)
	_, err = unix.MmapPtr(-1, 0, unsafe.Pointer(&r[from]), uintptr(end-from), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_FIXED)
	return end, err
}
