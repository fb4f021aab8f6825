package statespace

import (
	"errors"

	"pagoda/internal/memory"
)

// ErrSuccessors is the error if a state has too many successors to search. It is thrown (see package
// mapped) by what makes moves and has no error to return.
var ErrSuccessors = errors.New("too many moves")

// ErrMemory is the error if something takes more memory than is allowed.
var ErrMemory = memory.ErrFull

// A MemoryError says that something takes more memory than it may.
type MemoryError = memory.Error
