//go:build !js

package disk

import "github.com/gofrs/flock"

// A Lock is a lock of a file among processes.
type Lock = flock.Flock

// NewLock returns a lock of a file that is not yet taken. TryLock makes the file if it is not there.
func NewLock(name string) *Lock { return flock.New(name, flock.SetPermissions(0o644)) }
