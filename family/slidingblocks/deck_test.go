package slidingblocks

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"pagoda/family"
	"pagoda/internal/command"
)

// The sheet in the documents is what the command draws.
func TestDeckOfDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("a deck of forty takes seconds")
	}
	sheet := filepath.Join(t.TempDir(), "deck.svg")
	cmd := command.Reach(family.NewSet(Family()))
	cmd.SetOut(io.Discard)
	cmd.SetArgs([]string{"deck", rushHour, "--quiet", "-o", sheet})
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(sheet)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../../docs/rush-hour-deck.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, kept) {
		t.Error("reach deck rush-hour draws another sheet than docs/rush-hour-deck.svg: scripts/pictures.sh draws it anew")
	}
}
