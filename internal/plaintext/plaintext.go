// Package plaintext reads texts as UTF-8, however they were saved.
package plaintext

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Reader returns a reader of a text in UTF-8. It converts a text that begins with the byte order mark of
// UTF-16, as Windows PowerShell writes it, and leaves out the mark of UTF-8.
func Reader(from io.Reader) io.Reader { return &reader{from: from} }

type reader struct {
	from  io.Reader
	begun bool
}

// Read implements io.Reader. It waits for a second byte only if the first may begin a mark: the first may
// be a key that a user has pressed.
func (r *reader) Read(p []byte) (int, error) {
	if r.begun || len(p) == 0 {
		return r.from.Read(p)
	}
	n, err := r.from.Read(p)
	if n == 0 {
		return n, err
	}
	r.begun = true
	if bytes.IndexByte([]byte{0xef, 0xfe, 0xff}, p[0]) < 0 {
		return n, err
	}
	rest := r.from
	if err != nil {
		rest = failing{err}
	}
	all := bufio.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(p[:n])), rest))
	r.from = all
	mark, _ := all.Peek(3) // an error comes again
	switch {
	case bytes.HasPrefix(mark, []byte{0xff, 0xfe}):
		all.Discard(2)
		r.from = &units{from: all, order: binary.LittleEndian}
	case bytes.HasPrefix(mark, []byte{0xfe, 0xff}):
		all.Discard(2)
		r.from = &units{from: all, order: binary.BigEndian}
	case bytes.Equal(mark, []byte{0xef, 0xbb, 0xbf}):
		all.Discard(3)
	}
	return r.from.Read(p)
}

// A failing reader has an error only.
type failing struct{ err error }

// Read implements io.Reader.
func (f failing) Read([]byte) (int, error) { return 0, f.err }

// units are a text in UTF-16.
type units struct {
	from  *bufio.Reader
	order binary.ByteOrder
	left  []byte // of the text, for the next Read
}

// Read implements io.Reader. It returns one character at a time, and does not wait for the next one.
func (u *units) Read(p []byte) (int, error) {
	if len(u.left) == 0 {
		ch, err := u.next()
		if err != nil {
			return 0, err
		}
		if utf16.IsSurrogate(ch) {
			low, err := u.from.Peek(2)
			if full := utf16.DecodeRune(ch, u.unit(low)); err == nil && full != utf8.RuneError {
				ch = full
				u.from.Discard(2)
			} else {
				ch = utf8.RuneError
			}
		}
		u.left = utf8.AppendRune(nil, ch)
	}
	n := copy(p, u.left)
	u.left = u.left[n:]
	return n, nil
}

// next reads a unit. Half a unit at the end becomes the replacement character.
func (u *units) next() (rune, error) {
	b := make([]byte, 2)
	n, err := io.ReadFull(u.from, b)
	if n == 1 && err == io.ErrUnexpectedEOF {
		return utf8.RuneError, nil
	}
	return u.unit(b), err
}

// unit is a unit of two bytes, or 0 of fewer.
func (u *units) unit(b []byte) rune {
	if len(b) < 2 {
		return 0
	}
	return rune(u.order.Uint16(b))
}
