package slide

import (
	"slices"
	"testing"
)

// TestNPuzzles: the number of positions of n-puzzles and the greatest distance from the
// one with the empty cell in the corner, computed by other programs.
func TestNPuzzles(t *testing.T) {
	for _, c := range []struct {
		name   string
		states uint64
		depth  int
		layers []uint64
	}{
		{"slide/n3x3", 181440, 31, []uint64{1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2}},
		{"slide/n2x4", 20160, 36, nil},
		{"slide/n4x2", 20160, 36, nil},
		{"slide/n2x5", 1814400, 55, nil},
	} {
		if testing.Short() && c.states > 1e6 {
			continue
		}
		p, err := Lookup(c.name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Solve(t.Context(), p, Steps, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.States != c.states || len(r.Layers) != c.depth+1 || c.layers != nil && !slices.Equal(r.Layers, c.layers) {
			t.Errorf("%s: %d positions, depth %d, layers %v", c.name, r.States, len(r.Layers)-1, r.Layers)
		}
		if !r.Solved {
			t.Errorf("%s cannot be solved", c.name)
		}
	}
	for _, name := range []string{"slide/n1x4", "slide/n8x8", "slide/n99x99", "slide/n03x3"} {
		if _, err := Lookup(name); err == nil {
			t.Errorf("%s is a puzzle", name)
		}
	}
}

// TestDistinctCentury: with all pieces told apart, 23,425,920 positions can be reached,
// computed by other programs.
func TestDistinctCentury(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	p, err := ParsePuzzle("distinct: *\ntray: 1AA2/BAAC/BD.C/3D.4/EEFF\ngoal: ..../..../..../.AA/.AA")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Solve(t.Context(), p, Steps, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.States != 23425920 || r.Length != 131 {
		t.Errorf("%d positions, %d steps", r.States, r.Length)
	}
}
