package tiles

import (
	"testing"

	"pagoda/puzzle"
	"pagoda/statespace"
)

// A name or a text is refused or read as a game; the name of the game is read as the same game.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"2048/2x3", "2048/3x4:64@p4=0.5", "threes/2x2@bag=1@hidden", "threes/2x3:96@bonus@1,2,3/.,.,6@112", "2048/2x2@2,4/.,.", "2048/16x1",
		"2048:8\n2 4\n. .\n", "threes\n1 2\n. 3\n", "2048/1x1@", "threes/9x9", "2048/2x2:0", "2048\n"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, of := range []*puzzle.Family{Twenty48(), Threes()} {
			sp, err := of.Lookup(t.Context(), text, puzzle.Choice{})
			if err == nil {
				same(t, of, sp)
			}
			sp, err = of.Read(t.Context(), "text", text, puzzle.Choice{}) // also of a text that Reads does not claim: the page may ask for that
			if err == nil && (sp.Name() == "" || !of.Reads(text)) {
				t.Errorf("%q is read as a game without a name, or of another family", text)
			}
		}
	})
}

// same looks a space up by its name.
func same(t *testing.T, of *puzzle.Family, sp statespace.Space) {
	t.Helper()
	again, err := of.Lookup(t.Context(), sp.Name(), puzzle.Choice{})
	if err != nil {
		t.Fatalf("%s is not found again: %v", sp.Name(), err)
	}
	if got, want := string(again.Definition().Puzzle), string(sp.Definition().Puzzle); got != want {
		t.Errorf("%s is %s, then %s", sp.Name(), want, got)
	}
}
