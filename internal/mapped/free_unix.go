//go:build linux || darwin

package mapped

import "golang.org/x/sys/unix"

// FreeDisk returns how many bytes may be written to the disk of a directory. It reports false if that is
// not known.
func FreeDisk(dir string) (bytes uint64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
