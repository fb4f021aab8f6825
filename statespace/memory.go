package statespace

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"
)

// ErrSuccessors is the error if a state has too many successors to search. It is thrown (see package
// mapped) by what makes moves and has no error to return.
var ErrSuccessors = errors.New("too many moves")

// ErrMemory is the error if something takes more memory than is allowed.
var ErrMemory = errors.New("this takes more memory than is allowed")

// A MemoryError says that something takes more memory than it may.
type MemoryError struct {
	Name    string // of the space or the file
	Need    uint64 // bytes
	Most    string // what most of it is for, such as "256 MiB of it for a set"; may be empty
	Allowed uint64 // bytes
	Instead string // what takes less, such as "use the engine sweep"; may be empty
}

func (e *MemoryError) Error() string {
	text := fmt.Sprintf("%s needs %s of memory", e.Name, EnoughBytes(e.Need))
	if e.Most != "" {
		text += ", " + e.Most
	}
	text += fmt.Sprintf("; the limit is %s: raise it", humanize.IBytes(e.Allowed))
	if e.Instead != "" {
		text += ", or " + e.Instead
	}
	return text
}

// Is makes it an ErrMemory.
func (e *MemoryError) Is(target error) bool { return target == ErrMemory }

// EnoughBytes writes a number of bytes, rounded up: whoever allows what is written allows them.
func EnoughBytes(bytes uint64) string {
	for more := bytes; ; more += more/256 + 1 {
		text := humanize.IBytes(more)
		if read, err := humanize.ParseBytes(text); err != nil || read >= bytes {
			return text
		}
	}
}
