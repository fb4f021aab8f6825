//go:build unix && !linux

package mapped

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// PeakRSS returns the greatest amount of memory that this process has held, in
// bytes, or 0 when that is not known.
func PeakRSS() uint64 {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return uint64(usage.Maxrss)
	}
	return uint64(usage.Maxrss) * 1024
}
