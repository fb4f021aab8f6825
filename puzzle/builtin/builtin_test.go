package builtin_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/internal/formula"
	"pagoda/internal/long"
	"pagoda/puzzle"
	"pagoda/puzzle/builtin"
	"pagoda/statespace"
	"pagoda/statespace/sparse"
)

func Example() {
	sp, err := builtin.Families().Lookup(context.Background(), "peg/english@0,2", nil, puzzle.Choice{})
	if err != nil {
		panic(err)
	}
	fmt.Println(sp.Name(), sp.Size(), sp.Format(sp.Roots()[0]))
	// Output: peg/english@0,2 536870912 ##.oo/##ooo/ooooooo/ooooooo/ooooooo/##ooo/##ooo
}

// checkDefinition makes the space of a definition as a file has it, and compares the two.
func checkDefinition(t *testing.T, families *puzzle.Set, sp statespace.Space) {
	t.Helper()
	data, err := json.Marshal(sp.Definition())
	if err != nil {
		t.Fatal(err)
	}
	var d statespace.Definition
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	again, err := families.Define(t.Context(), d, 0)
	if err != nil {
		t.Fatalf("%s: its definition is refused: %v", sp.Name(), err)
	}
	if !again.Definition().SamePuzzle(sp.Definition()) || again.Name() != sp.Name() || again.Size() != sp.Size() {
		t.Errorf("%s: its definition makes another space, %s of size %d", sp.Name(), again.Name(), again.Size())
	}
	if fmt.Sprint(again.Roots()) != fmt.Sprint(sp.Roots()) {
		t.Errorf("%s begins in %v, the space of its definition in %v", sp.Name(), sp.Roots(), again.Roots())
	}
	for x := uint64(1); x < sp.Size()/3; x = x*3 + 1 {
		if q := sp.Parts().Symmetry.Quotient; q != nil {
			if _, states := q.StandsFor(x); states == 0 {
				continue
			}
		}
		text := sp.Format(x)
		if other := again.Format(x); other != text {
			t.Fatalf("%s: number %d is %s, in the space of its definition %s", sp.Name(), x, text, other)
		}
		if y, err := again.Parse(text); err != nil || y != x {
			t.Fatalf("%s: number %d is %s, which is read as %d, %v", sp.Name(), x, text, y, err)
		}
	}
}

// What is known about spaces has the names that the families list. These can stand in expressions.
func TestFacts(t *testing.T) {
	families := builtin.Families()
	known := 0
	for _, f := range families.All() {
		listed := make(map[string]bool)
		for _, field := range f.Fields {
			if !formula.IsName(field.Name) || field.About == "" || listed[field.Name] {
				t.Errorf("%s: the field %q is no name, is listed twice, or without a word about it", f.Name, field.Name)
			}
			listed[field.Name] = true
		}
		if f.Entries == nil {
			continue
		}
		for _, e := range f.Entries() {
			if e.Facts == nil {
				continue
			}
			for name, n := range e.Facts().Numbers {
				if known++; !listed[name] || n == nil || n.Sign() <= 0 {
					t.Errorf("%s: %s is %v, which is no field of the family or no number", e.Name, name, n)
				}
			}
		}
	}
	if known == 0 {
		t.Error("nothing is known about any space")
	}
}

// Every space that people should know has its name, can be drawn, and is made again from its
// definition.
func TestEntries(t *testing.T) {
	families := builtin.Families()
	seen := make(map[string]bool)
	for i, e := range families.Entries() {
		if seen[e.Name] || e.About == "" {
			t.Errorf("%s is listed twice, or without a word about it", e.Name)
		}
		seen[e.Name] = true
		if !long.Tests && i%4 > 0 {
			continue
		}
		sp, err := families.Lookup(t.Context(), e.Name, nil, puzzle.Choice{})
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
			continue
		}
		if first, _, _ := strings.Cut(e.Name, "/"); sp.Name() != e.Name || sp.Definition().Family != first || families.Of(sp) == nil || families.Of(sp) != families.Named(first) {
			t.Errorf("%s is %s of the family %q", e.Name, sp.Name(), sp.Definition().Family)
		}
		checkDefinition(t, families, sp)
		_, bare, _ := strings.Cut(e.Name, "/")
		if families.Of(sp).Full {
			bare = e.Name
		}
		if sp, err := families.Lookup(t.Context(), bare, nil, puzzle.Choice{}); err != nil || sp.Name() != e.Name {
			t.Errorf("%s is %v, want %s", bare, err, e.Name)
		}
		d, err := families.Drawer(sp)
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
			continue
		}
		if codes := sp.Parts().Codes; codes.Graph != nil { // it has no numbers: a table of its start has one
			g := codes.Graph()
			if sp, err = codes.Numbered(sparse.CodesOf(g.Words, g.Roots[0])); err != nil {
				t.Errorf("%s: %v", e.Name, err)
				continue
			}
		}
		start := sp.Format(sp.Roots()[0])
		if p, err := d.Still(sp, start); err != nil || p.Drawing.Title() != start {
			t.Errorf("%s: its start is drawn as %v, %v", e.Name, p, err)
		}
	}
	for _, name := range []string{"peg/5x7", "peg/english", "slide/klotski", "slide/n3x4"} {
		if !seen[name] {
			t.Errorf("%s is not listed", name)
		}
	}
}

// Spaces that are not listed have names, too.
func TestNames(t *testing.T) {
	families := builtin.Families()
	metric := func(name string) puzzle.Choice { return puzzle.Choice{Options: map[string]string{"metric": name}} }
	for _, c := range []struct {
		name   string
		choice puzzle.Choice
		want   string
	}{
		{"peg/5x7@0,0", puzzle.Choice{}, "peg/5x7@0,0"},
		{"peg/4x4", puzzle.Choice{}, "peg/4x4"},
		{"3x4", puzzle.Choice{}, "peg/3x4"},
		{"english@0,2", puzzle.Choice{}, "peg/english@0,2"},
		{"klotski", metric("steps"), "slide/klotski@steps"},
		{"dads@lines", puzzle.Choice{}, "slide/dads@lines"},
		{"n3x4", puzzle.Choice{}, "slide/n3x4"},
		{"peg/triangle15@2,1", puzzle.Choice{}, "peg/triangle15@2,1"},
		{"slide/n2x3", puzzle.Choice{}, "slide/n2x3"},
		{"2048/2x3@p4=0.5", puzzle.Choice{}, "2048/2x3@p4=0.5"},
		{"2048/2x3:32@2,4,./.,.,.", puzzle.Choice{}, "2048/2x3:32@2,4,./.,.,."},
		{"threes/2x2@bag=1@hidden", puzzle.Choice{}, "threes/2x2@bag=1@hidden"},
		{"slide/klotski@steps", puzzle.Choice{}, "slide/klotski@steps"},
		{"slide/klotski@moves", puzzle.Choice{}, "slide/klotski"},
		{"slide/klotski", metric("supermoves"), "slide/klotski@supermoves"},
		{"slide/dads@lines", metric("lines"), "slide/dads@lines"},
	} {
		sp, err := families.Lookup(t.Context(), c.name, nil, c.choice)
		if err != nil || sp.Name() != c.want {
			t.Errorf("%s, %v: %v, want %s", c.name, c.choice, err, c.want)
			continue
		}
		checkDefinition(t, families, sp)
	}
	goal := puzzle.Choice{Options: map[string]string{"goal": "true"}}
	for _, choice := range []puzzle.Choice{{}, goal} {
		sp, err := families.Lookup(t.Context(), "slide/dads", nil, choice)
		if err != nil {
			t.Fatal(err)
		}
		if ends := sp.Parts().Goals.Ends; ends != (choice.Options != nil) {
			t.Errorf("slide/dads with %v ends at the goal: %v", choice, ends)
		}
		checkDefinition(t, families, sp)
	}
}

func TestRefusedNames(t *testing.T) {
	families := builtin.Families()
	metric := func(name string) puzzle.Choice { return puzzle.Choice{Options: map[string]string{"metric": name}} }
	for _, c := range []struct {
		name    string
		choice  puzzle.Choice
		want    string
		unknown bool
	}{
		{"peg/9x9", puzzle.Choice{}, "81 cells; a position holds at most 64", false},
		{"peg/5x7@9,9", puzzle.Choice{}, "no cell in row 9, column 9", false},
		{"peg/nothing", puzzle.Choice{}, `unknown space "peg/nothing": it is neither a known name nor a file that draws a puzzle; peg/5x7 is the board of that width and height, peg/hexagon37 the hexagon`, true},
		{"englsh", puzzle.Choice{}, `unknown space "englsh"; did you mean peg/english?`, true},
		{"Klotzki@steps", puzzle.Choice{}, "did you mean slide/klotski@steps?", true},
		{"pegs/5x7", puzzle.Choice{}, "did you mean peg/5x7?", true},
		{"4*11", puzzle.Choice{}, "did you mean peg/4x11?", true},
		{"slide/n2*4", puzzle.Choice{}, "did you mean slide/n2x4?", true},
		{"N4X4", puzzle.Choice{}, "did you mean slide/n4x4?", true},
		{"slide/nothing", puzzle.Choice{}, `unknown space "slide/nothing"`, true},
		{"slide/nothing@steps", puzzle.Choice{}, `unknown space "slide/nothing@steps"`, true},
		{"slide/n99x99", puzzle.Choice{}, "99x99", false},
		{"slide/klotski@hops", puzzle.Choice{}, "hops", false},
		{"slide/klotski", metric("hops"), "hops", false},
		{"slide/klotski@steps", metric("moves"), "slide/klotski@steps", false},
		{"peg/5x7", metric("steps"), `peg/5x7 is of the family peg, which has no option "metric"; that is for lunar, twist, slide`, false},
		{"lunar/long:2-4", puzzle.Choice{}, `unknown space: there is no board "long"; expected cross, octagon, or a size such as 5x5`, true},
		{"lunar/nothing", puzzle.Choice{}, `unknown space "lunar/nothing": it is neither`, true},
		{"2048/nothing", puzzle.Choice{}, `unknown space "2048/nothing": it is neither`, true},
		{"", puzzle.Choice{}, `unknown space ""`, true},
	} {
		sp, err := families.Lookup(t.Context(), c.name, nil, c.choice)
		if err == nil || sp != nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, statespace.ErrUnknown) != c.unknown {
			t.Errorf("%q, %v: %v; want %q", c.name, c.choice, err, c.want)
		}
	}
}

// A text is read by the family that it is of.
func TestFiles(t *testing.T) {
	families := builtin.Families()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ name, text, want, start string }{
		{"my.board.txt", " oo\no..o\n oo\n", "my.board", "#oo/o..o/#oo"},
		{"-", "lattice: triangular\n.\noo\nooo\n", "stdin", "./oo/ooo"},
		{"two.txt", "tray:\nAA.\nB..\ngoal:\n.AA\n...\n", "two", "AA./B.."},
		{"oneline", "AA./B.. .../BAA", "oneline", "AA./B.."},
		{"rush.txt", "BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM.\n", "rush", "BCDDE./BCF.EG/B.FAAG/HHHI.G/..JIKK/LLJMM."},
	} {
		name := c.name
		if name != "-" {
			name = file(c.name, c.text)
		}
		sp, err := families.Lookup(t.Context(), name, strings.NewReader(c.text), puzzle.Choice{})
		if err != nil || sp.Name() != c.want || sp.Format(sp.Roots()[0]) != c.start {
			t.Errorf("%s: %v, %v; want %s", c.name, sp, err, c.start)
			continue
		}
		checkDefinition(t, families, sp)
	}
	steps := puzzle.Choice{Options: map[string]string{"metric": "steps"}}
	if sp, err := families.Lookup(t.Context(), file("two.txt", "tray: AA./B..\n"), nil, steps); err != nil || sp.Name() != "two@steps" {
		t.Errorf("a text in a metric: %v, %v", sp, err)
	}
	for _, c := range []struct {
		name, text string
		choice     puzzle.Choice
		want       string
	}{
		{"bad.txt", "ooo\no?o\n", puzzle.Choice{}, "bad.txt:2:2: unexpected '?'"},
		{"large.txt", strings.Repeat("oooooooo\n", 9), puzzle.Choice{}, "72 cells"},
		{"huge.txt", strings.Repeat(" ", 2<<20), puzzle.Choice{}, "larger than 1 MiB"},
		{"tray.txt", "tray:\nAB\nAC\nDA\n", puzzle.Choice{}, "tray.txt:"},
		{"board.txt", "ooo\no.o\n", steps, `which has no option "metric"`},
	} {
		if sp, err := families.Lookup(t.Context(), file(c.name, c.text), nil, c.choice); err == nil || sp != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
		}
	}
	if _, err := families.Lookup(t.Context(), dir, nil, puzzle.Choice{}); err == nil {
		t.Error("a directory was read as a board")
	}
}

func TestRefusedDefinitions(t *testing.T) {
	families := builtin.Families()
	definition := func(name string) statespace.Definition {
		sp, err := families.Lookup(t.Context(), name, nil, puzzle.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		return sp.Definition()
	}
	board, tray := definition("peg/3x3"), definition("slide/dads")
	for _, c := range []struct {
		d       statespace.Definition
		want    string
		unknown bool
	}{
		{statespace.Definition{Family: "chess", Name: "chess/8x8", Puzzle: board.Puzzle, Numbering: board.Numbering}, `family "chess"; this program knows peg, `, true},
		{statespace.Definition{Family: "peg", Name: "bad", Puzzle: tray.Puzzle, Numbering: tray.Numbering}, "bad", false},
		{statespace.Definition{Family: "slide", Name: "bad", Puzzle: board.Puzzle, Numbering: board.Numbering}, "bad", false},
		{statespace.Definition{Family: "slide", Name: "bad", Puzzle: tray.Puzzle, Numbering: []byte(`{"dice":1}`)}, "dice", true},
		{statespace.Definition{Family: "slide", Name: "bad", Puzzle: []byte(strings.Replace(string(tray.Puzzle), `"moves"`, `"hops"`, 1)), Numbering: tray.Numbering}, "hops", false},
	} {
		sp, err := families.Define(t.Context(), c.d, 0)
		if err == nil || sp != nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, statespace.ErrUnknown) != c.unknown {
			t.Errorf("%s %s: %v, %v; want %q", c.d.Family, c.d.Puzzle, sp, err, c.want)
		}
	}
}
