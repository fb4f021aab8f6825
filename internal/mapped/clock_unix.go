//go:build unix

package mapped

import (
	"syscall"
	"time"
)

// ProcessorTime returns the time that processors have spent on this process. Unlike the
// time of a clock, it does not depend on what else they do.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0 // the call does not fail for the own process
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
