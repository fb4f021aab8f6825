//go:build !unix

package engine

import "time"

var started = time.Now()

// processorTime returns the time that has passed. On this system, the time that processors
// have spent on the process is not known.
func processorTime() time.Duration { return time.Since(started) }
