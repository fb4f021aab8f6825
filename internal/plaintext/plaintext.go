// Package plaintext reads texts as UTF-8, however they were saved.
package plaintext

import (
	"bytes"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Reader returns a reader of a text in UTF-8. It converts a text that begins with the byte order mark of UTF-16, as Windows
// PowerShell writes it, and leaves out the mark of UTF-8.
func Reader(from io.Reader) io.Reader { return &reader{from: from} }

type reader struct {
	from  io.Reader
	begun bool
}

// Read implements io.Reader. It waits for more than the first byte only if that may begin a mark: it may be a key.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if r.begun || n == 0 {
		return n, err
	}
	r.begun = true
	if bytes.IndexByte([]byte{0xef, 0xfe, 0xff}, p[0]) < 0 {
		return n, err
	}
	parts := []io.Reader{bytes.NewReader(bytes.Clone(p[:n]))}
	if err == nil {
		parts = append(parts, r.from)
	} else if err != io.EOF {
		parts = append(parts, failing{err})
	}
	r.from = transform.NewReader(io.MultiReader(parts...), unicode.BOMOverride(encoding.Nop.NewDecoder()))
	return r.from.Read(p)
}

// A failing reader has an error only.
type failing struct{ err error }

// Read implements io.Reader.
func (f failing) Read([]byte) (int, error) { return 0, f.err }
