//go:build !linux && !darwin

package mapped

// FreeDisk reports that it is not known how many bytes may be written to the disk of a directory.
func FreeDisk(string) (bytes uint64, known bool) { return 0, false }
