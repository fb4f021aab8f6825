package lunarlockout

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"pagoda/family"
	"pagoda/internal/command"
)

// The sheet in the documents is what the command draws. Its text is an example there, which another
// test runs.
func TestDeckOfDocuments(t *testing.T) {
	sheet := filepath.Join(t.TempDir(), "deck.svg")
	cmd := command.Reach(family.NewSet(Family()))
	cmd.SetOut(io.Discard)
	cmd.SetArgs([]string{"deck", "lunar", "--quiet", "-o", sheet})
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(sheet)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../../docs/lunar-deck.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, kept) {
		t.Error("reach deck lunar draws another sheet than docs/lunar-deck.svg: scripts/pictures.sh draws it anew")
	}
}
