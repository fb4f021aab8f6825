package slide

import (
	"slices"
	"strings"
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

// TestMirrored: a puzzle seen in a mirror, or with rows and columns exchanged, has the
// same answers.
func TestMirrored(t *testing.T) {
	for _, name := range []string{"slide/dads", "slide/record4x4", "slide/rushhour"} {
		p, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		text := p.Format()
		flipped, turned := mapDrawings(text, mirror), mapDrawings(text, transpose)
		turned = strings.NewReplacer("horizontal", "vertical", "vertical", "horizontal").Replace(turned)
		for m := range Metric(Metrics) {
			want, err := Solve(t.Context(), p, m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{flipped, turned} {
				q, err := ParsePuzzle(text)
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				got, err := Solve(t.Context(), q, m, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if got.Length != want.Length || got.Solutions.Cmp(want.Solutions) != 0 || !slices.Equal(got.Layers, want.Layers) {
					t.Errorf("%s: %v: %d in %v ways, mirrored %d in %v ways", name, m, want.Length, want.Solutions, got.Length, got.Solutions)
				}
			}
		}
	}
}

// mapDrawings changes the drawings in the text of a puzzle of full rectangles.
func mapDrawings(text string, change func(rows []string) []string) string {
	var out, rows []string
	for line := range strings.Lines(text + ":") {
		line = strings.TrimSuffix(line, "\n")
		if !strings.Contains(line, ":") {
			rows = append(rows, line)
			continue
		}
		out = append(append(out, change(rows)...), line)
		rows = nil
	}
	return strings.Join(out[:len(out)-1], "\n")
}

func mirror(rows []string) []string {
	var out []string
	for _, row := range rows {
		b := []byte(row)
		slices.Reverse(b)
		out = append(out, string(b))
	}
	return out
}

func transpose(rows []string) []string {
	if len(rows) == 0 {
		return nil
	}
	out := make([]string, len(rows[0]))
	for _, row := range rows {
		for c := range row {
			out[c] += row[c : c+1]
		}
	}
	return out
}
