package mapped

import (
	"fmt"
	"io"
	"os"
	"unsafe"
)

// A region stands for a map, which a browser does not have: it is memory of the heap.
type region []byte

// most is what a 32-bit machine can address, less what the program itself may take.
const most = 3 << 30

// anonymous returns zeroed memory. The heap aligns what it is given to words only where it holds words.
func anonymous(size int) (region, error) {
	if size > most {
		return nil, fmt.Errorf("a browser has no %d bytes of memory in one piece", size)
	}
	words := make([]uint64, (size+7)/8)
	return region(unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size)), nil
}

// content reads a file.
func content(f *os.File, size int) (region, error) {
	r, err := anonymous(size)
	if err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, int64(size)), r); err != nil {
		return nil, err
	}
	return r, nil
}

// free lets the garbage collector have the memory.
func (r *region) free() error {
	*r = nil
	return nil
}
