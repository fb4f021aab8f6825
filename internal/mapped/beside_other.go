//go:build !unix

package mapped

import "os"

// page is 0: files cannot be mapped beside each other here, so all of them are read.
var page uint64

// reserve returns memory.
func reserve(size int) (region, error) { return anonymous(size) }

// mapAt is not called: no file has pages.
func mapAt(region, uint64, uint64, *os.File) error {
	panic("files cannot be mapped beside each other here")
}

// provide has nothing to do.
func provide(_ region, _, to uint64) (end uint64, err error) { return to, nil }
