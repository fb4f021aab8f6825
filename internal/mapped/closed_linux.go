package mapped

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// ClosedAtStart reports whether a standard file was closed by the shell that started the program,
// as by >&-. Go then opens /dev/null in its place, for reading and writing. Shells open it for
// writing only. Other programs start children with such a /dev/null on purpose, so what a
// program other than a shell has chosen is left alone, and so is what the shell has itself.
func ClosedAtStart(f *os.File) bool {
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR || !isNull(fmt.Sprintf("/proc/self/fd/%d", f.Fd())) {
		return false
	}
	parent := fmt.Sprintf("/proc/%d", os.Getppid())
	shell, err := os.Readlink(parent + "/exe")
	return err == nil && slices.Contains(shells, filepath.Base(shell)) && !isNull(fmt.Sprintf("%s/fd/%d", parent, f.Fd()))
}

var shells = []string{"ash", "bash", "busybox", "dash", "fish", "ksh", "ksh93", "mksh", "sh", "zsh"}

func isNull(path string) bool {
	to, err := os.Readlink(path)
	return err == nil && to == os.DevNull
}
