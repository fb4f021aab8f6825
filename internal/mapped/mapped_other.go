//go:build !linux

package mapped

import "os"

func adviseHuge([]byte) {}

// populate reports that memory cannot be asked for.
func populate([]byte) bool { return false }

// Preallocate gives the file its size.
func Preallocate(f *os.File, size int64) error { return f.Truncate(size) }

func syncDir(*os.File) error { return nil }
