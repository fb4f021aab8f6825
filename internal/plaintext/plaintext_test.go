package plaintext_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pagoda/internal/plaintext"
)

func TestReader(t *testing.T) {
	for in, want := range map[string]string{
		"":                                      "",
		"a":                                     "a",
		"A.\nB\x00\xff":                         "A.\nB\x00\xff",
		"\xef\xbb\xbfA.\n":                      "A.\n",
		"\xff\xfeA\x00\xac\x20\r\x00\n\x00":     "A€\r\n",
		"\xfe\xff\x00A\x20\xac\xd8\x3d\xde\x00": "A€😀",
		"\xff":                                  "\xff",
		"\xff\xfe":                              "",
		"éa":                                    "éa",
	} {
		for _, from := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in)), iotest.DataErrReader(strings.NewReader(in))} {
			if got, err := io.ReadAll(plaintext.Reader(from)); err != nil || string(got) != want {
				t.Errorf("%q is read as %q, %v, expected %q", in, got, err, want)
			}
		}
	}
	if _, err := io.ReadAll(plaintext.Reader(iotest.ErrReader(io.ErrNoProgress))); err != io.ErrNoProgress {
		t.Errorf("found the error %v", err)
	}
	broken := iotest.DataErrReader(io.MultiReader(bytes.NewReader([]byte{0xff, 0xfe, 'A', 0}), iotest.ErrReader(io.ErrNoProgress)))
	if got, err := io.ReadAll(plaintext.Reader(broken)); err != io.ErrNoProgress || string(got) != "A" {
		t.Errorf("found %q, the error %v", got, err)
	}
}

// TestKeys: a key that was pressed does not wait for the next one.
func TestKeys(t *testing.T) {
	from, to := io.Pipe()
	go to.Write([]byte("w"))
	b := make([]byte, 16)
	if n, err := plaintext.Reader(from).Read(b); err != nil || string(b[:n]) != "w" {
		t.Errorf("read %q, %v", b[:n], err)
	}
}
