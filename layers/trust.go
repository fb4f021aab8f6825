package layers

import (
	"os"

	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// A file may come from anyone, and others may write to it while it is read.

// Intact returns an error if the file was written to or cut short since it was opened: then what
// was read may be wrong. The commands and the page call it before an answer goes out, jobs before
// they end. It is one look at the state of the file, not at its content.
func (f *File) Intact() error { return f.mapped.Intact() }

// Replaced reports whether another file has got the path of this one. This one is still there for
// its readers, and unchanged.
func (f *File) Replaced() bool {
	was, err := f.file.Stat()
	if err != nil {
		return false
	}
	is, err := os.Stat(f.path)
	return err == nil && !os.SameFile(was, is)
}

// Memory returns how many bytes may be taken to read the file, besides its map: for the tables of
// its space, and for states that are not read where they lie.
func (f *File) Memory() uint64 { return f.memory }

// allow returns an error if something of the file takes more memory than the file may.
func (f *File) allow(bytes uint64, what string) error {
	if bytes <= f.memory {
		return nil
	}
	return &statespace.MemoryError{Name: f.path, Need: bytes, Most: "for " + what, Allowed: f.memory}
}

// usualMemory is the bound for a file of some bytes if none is given: what honest files need, so
// that a small file that claims much does not take the machine. It is at most 7/8 of the memory of
// the machine.
func usualMemory(size uint64) uint64 {
	const least, times = 1 << 30, 512
	memory := least + times*min(size, 1<<50)
	if machine := mapped.PhysicalMemory(); machine != 0 {
		memory = min(memory, machine/8*7)
	}
	return memory
}
