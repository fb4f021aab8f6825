//go:build !unix

package mapped

import "time"

var started = time.Now()

// ProcessorTime returns the time that has passed. On this system, the time that processors
// have spent on the process is not known.
func ProcessorTime() time.Duration { return time.Since(started) }
