// Package plaintext reads texts as UTF-8, however they were saved.
package plaintext

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
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
	if !r.begun && len(p) > 0 {
		text := bufio.NewReader(r.from)
		first, err := text.Peek(1)
		if err != nil {
			return 0, err
		}
		r.from, r.begun = text, true
		if bytes.IndexByte([]byte{0xef, 0xfe, 0xff}, first[0]) >= 0 {
			r.from = transform.NewReader(text, unicode.BOMOverride(transform.Nop))
		}
	}
	return r.from.Read(p)
}
