// Package journal keeps results of a long computation in a file that survives a kill and a loss of
// power: a record a line, each with a checksum, written to the disk before Append returns.
//
//	{"crc32c":"4a17b156","record":{"board":"4x4"}}
//
// The first record says what the results are of. A last line that was not written to its end is
// dropped; any other damage is an error.
package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"pagoda/internal/disk"
)

// MaxLine bounds the length of a line, in bytes.
const MaxLine = 256 << 20

// ErrDamaged says that a file is no journal, or was changed.
var ErrDamaged = errors.New("damaged")

// A Journal is a file to which records are appended. It is for one goroutine at a time.
type Journal struct {
	file *disk.File
	err  error // of an Append: what is in the file is not known any more
}

var table = crc32.MakeTable(crc32.Castagnoli)

// The parts of a line.
const (
	before = `{"crc32c":"`
	middle = `","record":`
	after  = "}\n"
)

// Open opens a journal, or makes it if there is none or it is empty, and calls use with each record in
// the order of the file. An error of use is returned with the name of the file before it. The error is
// ErrDamaged if a line other than the last is not as it was written.
func Open(path string, use func(record json.RawMessage) error) (j *Journal, err error) {
	_, statErr := os.Lstat(path)
	file, err := disk.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, fmt.Errorf("%s is not a regular file", path))
	}
	if errors.Is(statErr, os.ErrNotExist) {
		if err := disk.SyncDir(filepath.Dir(path)); err != nil {
			return nil, err
		}
	}
	whole, err := Read(file, use)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := file.Truncate(whole); err != nil {
		return nil, err
	}
	if _, err := file.Seek(whole, io.SeekStart); err != nil {
		return nil, err
	}
	return &Journal{file: file}, nil
}

// Read calls use with the records of a journal, and returns the length of its whole lines in bytes.
func Read(from io.Reader, use func(record json.RawMessage) error) (whole int64, err error) {
	r := bufio.NewReader(from)
	for n := 1; ; n++ {
		line, err := readLine(r)
		if err != nil {
			return whole, err
		}
		record, ok := parse(line)
		if !ok {
			_, more := r.Peek(1)
			if more == io.EOF && (n > 1 || isTorn(line)) {
				return whole, nil
			}
			return whole, fmt.Errorf("%w: line %d is not a record with its checksum", ErrDamaged, n)
		}
		if err := use(record); err != nil {
			return whole, err
		}
		whole += int64(len(line))
	}
}

// isTorn reports whether a first line, which may be empty, can be the beginning of one.
func isTorn(line []byte) bool {
	n := min(len(line), len(before))
	return !bytes.HasSuffix(line, []byte("\n")) && string(line[:n]) == before[:n]
}

// readLine returns a line with its end, or what is left of the file.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > MaxLine:
			return nil, fmt.Errorf("%w: a line has more than %d bytes", ErrDamaged, MaxLine)
		case err == nil || err == io.EOF:
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// parse returns the record of a line. It reports false if the line is not as it was written.
func parse(line []byte) (record json.RawMessage, ok bool) {
	const sum = 8
	rest, ok := bytes.CutPrefix(line, []byte(before))
	if !ok || len(rest) < sum {
		return nil, false
	}
	record, ok = bytes.CutPrefix(rest[sum:], []byte(middle))
	if !ok {
		return nil, false
	}
	record, ok = bytes.CutSuffix(record, []byte(after))
	return record, ok && string(rest[:sum]) == checksum(record) && json.Valid(record)
}

func checksum(record []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(record, table)) }

// Append adds a record, and returns when it is on the disk. After an error, nothing more is appended.
func (j *Journal) Append(record any) error {
	if j.err != nil {
		return j.err
	}
	line, err := newLine(record)
	if err != nil {
		return fmt.Errorf("%s: %w", j.file.Name(), err)
	}
	if _, j.err = j.file.Write(line); j.err == nil {
		j.err = j.file.Sync()
	}
	return j.err
}

// Write writes a record as a line of a journal, for a file that is written as a whole.
func Write(w io.Writer, record any) error {
	line, err := newLine(record)
	if err == nil {
		_, err = w.Write(line)
	}
	return err
}

// newLine returns the line of a record.
func newLine(record any) ([]byte, error) {
	text, err := json.Marshal(record)
	if err == nil && len(text) > MaxLine-64 {
		err = fmt.Errorf("a record has %d bytes, expected at most %d", len(text), MaxLine-64)
	}
	return bytes.Join([][]byte{[]byte(before), []byte(checksum(text)), []byte(middle), text, []byte(after)}, nil), err
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }
