package slide

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// A definition that says that a tray has numbers, whose tables would take more memory than any file should, is wrong. It is
// no question of memory.
func TestForgedNumbering(t *testing.T) {
	if !long.Tests {
		t.Skip("it fills a gigabyte")
	}
	p, err := tray.Parse("AABBCCDD\nAEEBFFGD\nHEIIFJGG\nHHIKKJLL\nMNNKOOPL\nMMNQOPPR\nSTTQQURR\nSST.UU.V\n")
	if err != nil {
		t.Fatal(err)
	}
	u, err := NewUnnumbered("forged", p, tray.Moves, false)
	if err != nil {
		t.Fatal(err)
	}
	d := u.Definition()
	if _, err := Define(t.Context(), d, 1<<30); err != nil {
		t.Fatal(err)
	}
	d.Numbering = json.RawMessage(`{"packing":1}`)
	if _, err = Define(t.Context(), d, 1<<30); err == nil || errors.Is(err, statespace.ErrMemory) || !strings.Contains(err.Error(), "expected the numbering keys") {
		t.Errorf("the error is %v", err)
	}
}
