package printable

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"peg/5x7":                "peg/5x7",
		"Ä 解 – é":                "Ä 解 – é",
		"a\x1b[31mb":             `a\u001b[31mb`,
		"a\nforged: yes\r\tb":    `a\u000aforged: yes\u000d\u0009b`,
		"a\u009b2Jb":             `a\u009b2Jb`, // CSI in one character
		"a\x9b2Jb":               `a\x9b2Jb`,   // and in one byte
		"abc\u202edef\u2028\x7f": `abc\u202edef\u2028\u007f`,
		"\xe8\xa7":               `\xe8\xa7`,
		"\ufffd":                 "\ufffd",
	} {
		if got := Line(text); got != want {
			t.Errorf("Line(%q) is %s, want %s", text, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, unit := range []string{"x", "解", "\x1b", "\xff"} {
		text := "begin " + strings.Repeat(unit, 3000) + " end"
		got := Clip(text)
		if len(got) > 520 || !utf8.ValidString(got) || !strings.HasPrefix(got, "begin ") || !strings.HasSuffix(got, " end") || !strings.Contains(got, "bytes left out") {
			t.Errorf("of many %q: %d bytes, %s", unit, len(got), got)
		}
	}
	if text := strings.Repeat("x", 500); Clip(text) != text {
		t.Error("a text of 500 bytes is clipped")
	}
}

// A text comes out alike in however many pieces it is written.
func TestWriter(t *testing.T) {
	const text = "one\ttwo\nÄ解\u202e\x1b[2J\x9b\xe8\xa7 end \xe8"
	const want = "one\ttwo\nÄ解\\u202e\\u001b[2J\\x9b\\xe8\\xa7 end \\xe8"
	for size := 1; size <= len(text); size++ {
		var b bytes.Buffer
		w := NewWriter(&b)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if k, err := w.Write([]byte(rest[:n])); k != n || err != nil {
				t.Fatalf("%d of %d bytes are written, %v", k, n, err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil || b.String() != want {
			t.Errorf("in pieces of %d: %s, %v; want %s", size, &b, err, want)
		}
	}
}

// The fast look at eight bytes says of each byte, at each place, what a slow one says.
func TestPlain(t *testing.T) {
	for c := range 256 {
		for d := range 256 {
			for place := range 10 {
				p := []byte("abc\n5678901")
				p[place], p[place+1] = byte(c), byte(d)
				want := true
				for _, c := range p {
					want = want && (c >= ' ' && c < 0x7f || c == '\n')
				}
				if plain(p) != want {
					t.Fatalf("plain(%q) is %v", p, !want)
				}
			}
		}
	}
}

func BenchmarkPlain(b *testing.B) {
	text := bytes.Repeat([]byte("oooo./o...o/o...o/oo.o./o..../o..../o....\n"), 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if !plain(text) {
			b.Fatal("it is plain")
		}
	}
}
