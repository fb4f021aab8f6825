package peg

import (
	"os"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"
)

// The counts of large boards are those of docs/studies/large-boards.md, and their layers add up to them.
func TestKnown(t *testing.T) {
	text, err := os.ReadFile("../../docs/studies/large-boards.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := strings.Join(strings.Fields(string(text)), " ")
	for name, k := range known {
		sp, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if row := humanize.Comma(int64(k.states)) + " | " + humanize.Comma(int64(k.orbits)); !strings.Contains(doc, row) {
			t.Errorf("%s: the document lacks %s", name, row)
		}
		layers := facts(name)().Layers
		if len(layers) == 0 {
			continue
		}
		var states, orbits uint64
		for i, l := range layers {
			states += l.States
			orbits += l.Orbits
			if want := len(sp.Board().Cells()) - 1 - i; l.Layer != want {
				t.Errorf("%s: layer %d has %d pegs, want %d", name, i, l.Layer, want)
			}
		}
		if states != k.states || orbits != k.orbits {
			t.Errorf("%s: the layers have %d positions, %d up to symmetry, want %d, %d", name, states, orbits, k.states, k.orbits)
		}
	}
}
