//go:build unix

package peg

import (
	"syscall"
	"time"
)

// processorTime returns the time that processors have spent on this process: unlike that of
// a clock, it does not depend on what else they have to do.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0 // it does not fail for this process
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
