// Package printable makes text from files and arguments safe to print: a control character in it
// can neither move the cursor of a terminal, nor forge a line, nor turn the direction of writing.
// Such a character is written as \u001b, as in JSON, and a byte that is not UTF-8 as \x9b.
package printable

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns a text as one line.
func Line(text string) string {
	if strings.IndexFunc(text, hidden) < 0 && utf8.ValidString(text) {
		return text
	}
	out, _ := escape(nil, []byte(text), true, false)
	return string(out)
}

// Clip returns a text of at most some 500 bytes as one line: of a longer one the beginning and the
// end, at whole characters.
func Clip(text string) string {
	const first, last, most = 340, 140, 500
	text = Line(text)
	if len(text) <= most {
		return text
	}
	i, j := first, len(text)-last
	for !utf8.RuneStart(text[i]) {
		i--
	}
	for !utf8.RuneStart(text[j]) {
		j++
	}
	return fmt.Sprintf("%s ... (%d bytes left out) ... %s", text[:i], j-i, text[j:])
}

// hidden reports whether a character is to be escaped.
func hidden(c rune) bool {
	return unicode.Is(unicode.Cc, c) || unicode.In(c, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// A Writer escapes what is written to it, but for newlines and tabs.
type Writer struct {
	to   io.Writer
	part []byte // of a character that the next Write goes on with
}

// NewWriter returns a Writer to another one.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Write implements io.Writer. A character may be divided between two calls.
func (w *Writer) Write(p []byte) (int, error) {
	if len(w.part) == 0 && plain(p) {
		return w.to.Write(p)
	}
	var out []byte
	out, w.part = escape(nil, append(w.part, p...), false, true)
	if _, err := w.to.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close writes what is left of a character that did not end. It does not close the other writer.
func (w *Writer) Close() error {
	out, _ := escape(nil, w.part, false, false)
	w.part = nil
	if len(out) == 0 {
		return nil
	}
	_, err := w.to.Write(out)
	return err
}

// escape appends a text to dst with its control characters escaped; newlines and tabs only if
// wanted. If there is more to come, it returns the part of a character at the end instead.
func escape(dst, text []byte, lines, more bool) (out, part []byte) {
	for len(text) > 0 {
		c, n := utf8.DecodeRune(text)
		switch {
		case c == utf8.RuneError && n == 1 && more && !utf8.FullRune(text):
			return dst, text
		case c == utf8.RuneError && n == 1:
			dst = fmt.Appendf(dst, `\x%02x`, text[0])
		case !hidden(c) || !lines && (c == '\n' || c == '\t'):
			dst = append(dst, text[:n]...)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		}
		text = text[n:]
	}
	return dst, nil
}

// plain reports whether a text has only printable ASCII and newlines. It looks at eight bytes at a
// time, so that long lists lose no time here.
func plain(p []byte) bool {
	const ones, low, high = 0x0101010101010101, 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	for ; len(p) >= 8; p = p[8:] {
		w := binary.LittleEndian.Uint64(p)
		if w&high != 0 {
			return false
		}
		// In each byte, the high bit: below space or DEL; and a newline.
		odd := ^(w + (0x80-' ')*ones) | (w + ones)
		newline := ^((w ^ '\n'*ones) + low)
		if odd&^newline&high != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(p, func(c byte) bool { return (c < ' ' || c > '~') && c != '\n' })
}
