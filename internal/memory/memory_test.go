package memory

import (
	"testing"

	"github.com/dustin/go-humanize"
)

// What an error says is enough to allow, and not much more.
func TestEnough(t *testing.T) {
	for n := uint64(1); n < 1<<60; n += n/977 + 1 {
		text := EnoughBytes(n)
		read, err := humanize.ParseBytes(text)
		if err != nil {
			t.Fatal(err)
		}
		if read < n || read > n+n/10+1 {
			t.Errorf("of %d bytes, it says %s", n, text)
		}
	}
	if found, want := EnoughBytes(101<<20+1), "102 MiB"; found != want || humanize.IBytes(101<<20+1) != "101 MiB" {
		t.Errorf("found %s, want %s", found, want)
	}
}
