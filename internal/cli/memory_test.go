package cli

import (
	"testing"

	"github.com/dustin/go-humanize"
)

// What an error tells is enough for --mem, and not much more.
func TestEnough(t *testing.T) {
	for n := uint64(1); n < 1<<60; n += n/977 + 1 {
		text := Enough(n)
		var m Memory
		if err := m.Set(text); err != nil {
			t.Fatal(err)
		}
		if told := m.Limit(); told < n || told > n+n/10+1 {
			t.Errorf("of %d bytes, %s is told", n, text)
		}
	}
	if found, want := Enough(101<<20+1), "102 MiB"; found != want || humanize.IBytes(101<<20+1) != "101 MiB" {
		t.Errorf("found %s, want %s", found, want)
	}
}
