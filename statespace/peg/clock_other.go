//go:build !unix

package peg

import "time"

var started = time.Now()

// processorTime returns the time that has passed: what processors have spent on this process
// is not known here.
func processorTime() time.Duration { return time.Since(started) }
