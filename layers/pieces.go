package layers

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pagoda/internal/mapped"
)

// A file of states may lie in pieces: it is cut into files, and the list of pieces names them in order. So a
// run on many machines writes one file.

const (
	listMagic = "pagoda pieces "
	listBegin = listMagic + "1\n"
	maxList   = 1 << 20 // bytes

	// What to do about a piece.
	advicePiece = "put back the piece as it was written, or make it again"
)

// A listed is a piece in a list.
type listed struct {
	name  string // its path relative to the directory of the list, with slashes
	bytes uint64
}

// encodeList returns the text of a list.
func encodeList(list []listed) []byte {
	text := []byte(listBegin)
	for _, p := range list {
		text = fmt.Appendf(text, "%d %s\n", p.bytes, p.name)
	}
	return append(text, listEnd(text)...)
}

// listEnd returns the last line of a list, given those before.
func listEnd(lines []byte) string { return fmt.Sprintf("end %08x\n", checksum(lines)) }

// decodeList reads the text of a list. The error has no path yet.
func decodeList(text []byte) ([]listed, *FileError) {
	damaged := func(format string, args ...any) ([]listed, *FileError) {
		return nil, &FileError{Err: ErrDamaged, Detail: fmt.Sprintf(format, args...), Advice: adviceCopy}
	}
	if len(text) > maxList {
		return damaged("a list of pieces should have at most %d bytes, and this one has more", maxList)
	}
	first, rest, whole := strings.Cut(string(text), "\n")
	if whole && first+"\n" != listBegin {
		return nil, &FileError{Err: ErrVersion, Detail: fmt.Sprintf("its first line should be %.40q, and is %.40q", listBegin[:len(listBegin)-1], first),
			Advice: adviceVersion}
	}
	lines := strings.SplitAfter(rest, "\n")
	last := len(lines) - 2 // the text ends with the end of a line
	if last < 0 || lines[last+1] != "" || lines[last] != listEnd(text[:len(text)-len(lines[last])]) {
		return damaged("it is a list of pieces, whose last line should be a checksum of the others, and is not: it was cut short or changed")
	}
	var list []listed
	sum := uint64(0)
	for i, line := range lines[:last] {
		size, name, _ := strings.Cut(line[:len(line)-1], " ")
		n, err := strconv.ParseUint(size, 10, 63)
		if err != nil || n == 0 || n > math.MaxInt64-sum || strconv.FormatUint(n, 10) != size {
			return damaged("piece %d of its list should have a number of bytes, and has %.40q", i, size)
		}
		if err := checkPieceName(name); err != nil {
			return damaged("piece %d of its list: %v", i, err)
		}
		sum += n
		list = append(list, listed{name, n})
	}
	if len(list) == 0 || list[0].bytes != pageSize {
		return damaged("the first piece of its list should be the header, of %d bytes", pageSize)
	}
	return list, nil
}

// checkPieceName returns an error unless a name is a path to a file in the directory of the list or below,
// the same on every system.
func checkPieceName(name string) error {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) || r == '\\' }
	if _, err := filepath.Localize(name); err != nil || name == "." || strings.ContainsFunc(name, hidden) {
		return fmt.Errorf("the name should be a path with slashes to a file below the list, such as x/000, and is %.80q", name)
	}
	return nil
}

// mapFile maps the file, or its pieces if it is a list of them.
func (f *File) mapFile() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() == 0 {
		return &FileError{f.path, ErrNotReach, "it is empty", adviceRun}
	}
	if is, err := f.mapList(); is || err != nil {
		return err
	}
	f.takeMemory(uint64(info.Size()))
	f.mapped, err = mapped.Open(f.file)
	return err
}

// readList reads a list of pieces; it is nil if the file is something else. A *FileError has no path yet.
func readList(file *os.File) ([]listed, error) {
	begin := make([]byte, len(listMagic))
	if n, err := file.ReadAt(begin, 0); string(begin[:n]) != listMagic {
		if err == io.EOF {
			err = nil
		}
		return nil, err
	}
	text, err := io.ReadAll(io.NewSectionReader(file, 0, maxList+1))
	if err != nil {
		return nil, err
	}
	list, bad := decodeList(text)
	if bad != nil {
		return nil, bad
	}
	return list, nil
}

// takeMemory is the usual bound of memory for a file of some bytes, unless one is given.
func (f *File) takeMemory(size uint64) {
	f.memory = cmp.Or(f.memory, usualMemory(size))
}

// InPieces reports whether the file lies in pieces.
func (f *File) InPieces() bool { return len(f.pieces) > 0 }

// pathAt returns the path of the piece with a byte of the file, or of the file if it is whole.
func (f *File) pathAt(offset uint64) string {
	i, found := slices.BinarySearch(f.ends, offset)
	if found {
		i++
	}
	if i >= len(f.pieces) {
		return f.path
	}
	return f.pieces[i].Name()
}
