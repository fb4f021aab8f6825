package memory

import (
	"errors"
	"math"
	"runtime/debug"
	"strings"
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

// The shares of an account have no more than its limit together, less what the program takes.
func TestAccount(t *testing.T) {
	t.Cleanup(func() { debug.SetMemoryLimit(math.MaxInt64) })
	const mib = 1 << 20
	ctx := With(t.Context(), 100*mib)
	table, list := Mapped(ctx, "a table"), For(ctx, "the list")
	list.Instead = "take fewer"
	if err := table.Set(60 * mib); err != nil {
		t.Fatal(err)
	}
	if heap, most := debug.SetMemoryLimit(-1), int64(40*mib); heap > most || heap < most/2 {
		t.Errorf("beside a table of 60 MiB, the heap may have %d bytes", heap)
	}
	err := list.Set(25 * mib)
	var full *Error
	if !errors.As(err, &full) || !errors.Is(err, ErrFull) || full.Need != 101*mib || !strings.Contains(err.Error(), "25 MiB of it for the list; the limit is 100 MiB: raise it, or take fewer") {
		t.Errorf("too much: %v", err)
	}
	if err := list.Set(24 * mib); err != nil {
		t.Errorf("all that is left: %v", err)
	}
	table.Free()
	if err := list.Set(84 * mib); err != nil {
		t.Errorf("what was given back: %v", err)
	}
	list.Free()
	var grown []uint64
	for err = nil; err == nil; {
		if grown, err = Append(list, grown, 7); len(grown)*8 > 84*mib {
			t.Fatal("a list grows beyond the limit")
		}
	}
	if n := 8 * len(grown); n < 30*mib || !errors.Is(err, ErrFull) {
		t.Errorf("a list ends at %d bytes: %v", n, err)
	}
	var none *Share
	if err := errors.Join(For(t.Context(), "all").Set(1<<60), none.Set(1)); err != nil {
		t.Errorf("without an account: %v", err)
	}
}
