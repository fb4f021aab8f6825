package mapped

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"golang.org/x/sys/unix"
)

// adviseHuge asks for large pages. It is advice: where it is refused, small ones
// do.
func adviseHuge(region []byte) { _ = unix.Madvise(region, unix.MADV_HUGEPAGE) }

// populate asks the machine to back whole pages of memory, and waits for it. What was written to them
// stays. It reports whether that works here.
func populate(region []byte) bool { return unix.Madvise(region, unix.MADV_POPULATE_WRITE) == nil }

// Preallocate gives the file its size and the disk space for it, so that a full
// disk is an error now and not later.
func Preallocate(f *os.File, size int64) error {
	for {
		err := unix.Fallocate(int(f.Fd()), 0, 0, size)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOSYS):
			return f.Truncate(size)
		case err != nil:
			return &os.PathError{Op: "allocate space for", Path: f.Name(), Err: err}
		}
		return nil
	}
}

func syncDir(d *os.File) error { return d.Sync() }

// PhysicalMemory returns how many bytes of memory this process may hope for, or 0
// when that is not known: what the machine has, or less where its control group, or one
// around it, is bounded.
var PhysicalMemory = sync.OnceValue(func() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	total := uint64(info.Totalram) * uint64(info.Unit)
	if limit, err := memlimit.FromCgroup(); err == nil && limit > 0 {
		total = min(total, limit)
	}
	return total
})

// PeakRSS returns the greatest amount of memory that this process has held, in
// bytes, or 0 when that is not known.
func PeakRSS() uint64 {
	// Not getrusage: its figure outlives exec, and would be that of the parent.
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, _ := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kib * 1024
		}
	}
	return 0
}
