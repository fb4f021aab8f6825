package puzzle_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pagoda/puzzle"
	"pagoda/render"
	"pagoda/render/grid"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// A row is a space of n numbers in a row, with a move to the next one.
type row struct {
	family, name string
	n            uint64
}

func (r row) Name() string                                        { return r.name }
func (r row) Size() uint64                                        { return r.n }
func (r row) Roots() []statespace.Index                           { return []statespace.Index{0} }
func (r row) Format(x statespace.Index) string                    { return fmt.Sprint(x) }
func (r row) FormatMove(statespace.Index, statespace.Edge) string { return "on" }
func (r row) Parts() statespace.Parts                             { return statespace.Parts{} }
func (r row) Definition() statespace.Definition {
	return statespace.Definition{Family: r.family, Name: r.name, Puzzle: fmt.Append(nil, r.n), Numbering: []byte("{}")}
}

func (r row) Parse(text string) (x statespace.Index, err error) {
	_, err = fmt.Sscan(text, &x)
	return x, err
}

func (r row) Successors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	if x+1 < r.n {
		dst = append(dst, statespace.Edge{To: x + 1})
	}
	return dst
}

func (r row) Predecessors(dst []statespace.Edge, x statespace.Index) []statespace.Edge {
	if x > 0 {
		dst = append(dst, statespace.Edge{To: x - 1})
	}
	return dst
}

// A lamp is a row with a cell that holds the number.
type lamp struct{ row }

func (l lamp) Parts() statespace.Parts { return statespace.Parts{Cells: l} }

func (lamp) Cells() []cells.Cell                         { return []cells.Cell{{}} }
func (l lamp) Contents() int                             { return int(l.n) }
func (lamp) State(dst cells.Pattern, x statespace.Index) { dst[0] = int8(x) }
func (lamp) FormatPattern(p cells.Pattern) string        { return fmt.Sprint(p[0]) }
func (lamp) ParsePattern(string) (cells.Pattern, error)  { return cells.Open(1), nil }

// rows is the family of rows, named by their length: rows/7. A text of n words "step" draws one.
func rows() *puzzle.Family {
	f := &puzzle.Family{
		Name: "rows",
		Entries: func() []puzzle.Entry {
			return []puzzle.Entry{{Name: "rows/3", About: "a short one"}, {Name: "rows/1000", About: "a long one"}}
		},
		Options: []puzzle.Option{{Name: "colour", Values: []string{"red", "blue"}}},
		Lookup: func(_ context.Context, name string, o puzzle.Choice) (statespace.Space, error) {
			length := strings.TrimPrefix(name, "rows/")
			if a, b, ok := strings.Cut(length, "x"); ok && a == b {
				length = a
			}
			n, err := strconv.ParseUint(length, 10, 64)
			switch {
			case strings.HasPrefix(length, "-"):
				return nil, fmt.Errorf("%s: a row has no negative length: %w", name, statespace.ErrUnknown)
			case strings.HasSuffix(length, "steps"):
				return nil, fmt.Errorf("%w %s: leave out the word", statespace.ErrUnknown, name)
			case err != nil && name == "rows/xyz":
				return nil, fmt.Errorf("%s: %w", name, statespace.ErrUnknown)
			case err != nil:
				return nil, statespace.ErrUnknown
			}
			if n == 0 {
				return nil, errors.New("a row of nothing")
			}
			return row{"rows", name + o.Options["colour"], n}, nil
		},
		Reads: func(text string) bool { return strings.HasPrefix(text, "step") },
		Read: func(_ context.Context, name, text string, o puzzle.Choice) (statespace.Space, error) {
			for i, word := range strings.Fields(text) {
				if word != "step" {
					return nil, &cells.SyntaxError{Line: 1, Col: i + 1, Reason: "no step"}
				}
			}
			if o.Memory == 1 {
				return nil, errors.New("too little memory")
			}
			return row{"rows", name, uint64(len(strings.Fields(text)))}, nil
		},
	}
	f.Define = func(_ context.Context, d statespace.Definition, _ uint64) (statespace.Space, error) {
		var n uint64
		_, err := fmt.Sscan(string(d.Puzzle), &n)
		return row{"rows", d.Name, n}, err
	}
	return f
}

type ownDrawer struct{ render.Drawer }

func (ownDrawer) Still(sp statespace.Space, text string) (render.Panel, error) {
	return render.Panel{Caption: sp.Name() + " drawn as " + text}, nil
}

// lamps is a family without texts.
func lamps() *puzzle.Family {
	return &puzzle.Family{
		Name:    "lamps",
		Entries: func() []puzzle.Entry { return []puzzle.Entry{{Name: "lamps/one"}} },
		Options: []puzzle.Option{{Name: "watts"}},
		Lookup: func(_ context.Context, name string, _ puzzle.Choice) (statespace.Space, error) {
			if name != "lamps/one" {
				return nil, statespace.ErrUnknown
			}
			return lamp{row{"lamps", name, 2}}, nil
		},
		Define: func(context.Context, statespace.Definition, uint64) (statespace.Space, error) {
			return nil, errors.New("they are sold out")
		},
	}
}

func TestSet(t *testing.T) {
	r, l := rows(), lamps()
	s := puzzle.NewSet(r, l)
	if all := s.All(); len(all) != 2 || all[0] != r || all[1] != l || s.Named("lamps") != l || s.Named("rows/3") != nil || s.Named("") != nil {
		t.Errorf("the families are %v", all)
	}
	if all := s.Entries(); len(all) != 3 || all[0].Name != "rows/3" || all[2].Name != "lamps/one" {
		t.Errorf("the entries are %v", all)
	}
	if s.Of(row{"rows", "x", 1}) != r || s.Of(row{"chess", "x", 1}) != nil {
		t.Error("spaces are of the wrong families")
	}
	sp, err := s.Define(t.Context(), row{"rows", "rows/5", 5}.Definition(), 0)
	if err != nil || sp != (row{"rows", "rows/5", 5}) {
		t.Errorf("the definition makes %v, %v", sp, err)
	}
	_, err = s.Define(t.Context(), row{"chess", "chess/8x8", 5}.Definition(), 0)
	if want := `unknown space: chess/8x8 is of the family "chess"; this program knows rows, lamps`; !errors.Is(err, statespace.ErrUnknown) || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if _, err = s.Define(t.Context(), row{"lamps", "x", 1}.Definition(), 0); err == nil || err.Error() != "they are sold out" {
		t.Errorf("the error of a family is %v", err)
	}
}

func TestDrawer(t *testing.T) {
	l := lamps()
	s := puzzle.NewSet(rows(), l)
	if d, err := s.Drawer(lamp{row{"lamps", "x", 2}}); d != (grid.Drawer{}) || err != nil {
		t.Errorf("a space with cells is drawn by %v, %v", d, err)
	}
	if d, err := s.Drawer(lamp{row{"chess", "x", 2}}); d != (grid.Drawer{}) || err != nil {
		t.Errorf("a space with cells and no family is drawn by %v, %v", d, err)
	}
	if _, err := s.Drawer(row{"rows", "rows/3", 3}); err == nil || !strings.Contains(err.Error(), "rows/3 cannot be drawn") {
		t.Errorf("a space without cells: %v", err)
	}
	l.Drawer = ownDrawer{}
	d, err := s.Drawer(lamp{row{"lamps", "x", 2}})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := d.Still(lamp{row{"lamps", "x", 2}}, "1"); p.Caption != "x drawn as 1" || err != nil {
		t.Errorf("a family with a drawer draws %v, %v", p, err)
	}
}

// A set of families that cannot work is a mistake of the program.
func TestBadSets(t *testing.T) {
	named := func(name string) *puzzle.Family {
		f := rows()
		f.Name = name
		return f
	}
	noLookup, noDefine, noReads := rows(), rows(), rows()
	noLookup.Lookup, noDefine.Define, noReads.Reads = nil, nil, nil
	for name, families := range map[string][]*puzzle.Family{
		"no name": {named("")}, "a slash": {named("a/b")}, "an @": {named("a@b")}, "a space": {named("a b")}, "two": {rows(), rows()},
		"no Lookup": {noLookup}, "no Define": {noDefine}, "no Reads": {noReads},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: there is no panic", name)
				}
			}()
			puzzle.NewSet(families...)
		}()
	}
}

func TestLookup(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	s := puzzle.NewSet(lamps(), rows())
	colour := puzzle.Choice{Options: map[string]string{"colour": "red"}}
	steps, bad, odd := file("my.steps.txt", "step step"), file("bad.txt", "step stop"), file("odd.txt", "odd")
	for _, c := range []struct {
		name, stdin string
		choice      puzzle.Choice
		want        row
	}{
		{"rows/7", "", puzzle.Choice{}, row{"rows", "rows/7", 7}},
		{"rows/7", "", colour, row{"rows", "rows/7red", 7}},
		{"7", "", puzzle.Choice{}, row{"rows", "rows/7", 7}},
		{"7", "", colour, row{"rows", "rows/7red", 7}},
		{steps, "", colour, row{"rows", "my.steps", 2}},
		{file(".hidden", "step"), "", puzzle.Choice{}, row{"rows", ".hidden", 1}},
		{"-", "step step step", puzzle.Choice{}, row{"rows", "stdin", 3}},
		{"-", "", puzzle.Choice{}, row{"rows", "stdin", 0}}, // nobody claims it
	} {
		if sp, err := s.Lookup(t.Context(), c.name, strings.NewReader(c.stdin), c.choice); sp != c.want || err != nil {
			t.Errorf("%s is %v, %v; want %v", c.name, sp, err, c.want)
		}
	}
	choose := func(names ...string) puzzle.Choice {
		o := puzzle.Choice{Options: make(map[string]string)}
		for _, name := range names {
			o.Options[name] = "true"
		}
		return o
	}
	for _, c := range []struct {
		name    string
		choice  puzzle.Choice
		want    string
		unknown bool
	}{
		{"rows/0", puzzle.Choice{}, "a row of nothing", false},
		{"rows/xyz", puzzle.Choice{}, `unknown space "rows/xyz": it is neither a known name nor a file that draws a puzzle`, true},
		{"rows/-7", puzzle.Choice{}, "rows/-7: a row has no negative length: unknown space", true},
		{"rows/1001steps", puzzle.Choice{}, "unknown space rows/1001steps: leave out the word", true},
		{"rows/-1000", puzzle.Choice{}, "rows/-1000: a row has no negative length: unknown space; did you mean rows/1000?", true},
		{"-7", puzzle.Choice{}, `unknown space "-7": it is neither a known name`, true}, // other families may have meant it
		{"chess/8x8", puzzle.Choice{}, `unknown space "chess/8x8"`, true},
		{"0", puzzle.Choice{}, "a row of nothing", false},
		{"rows", puzzle.Choice{}, `unknown space "rows": it is a family; its spaces have names such as rows/3`, true},
		{"rows/", puzzle.Choice{}, `unknown space "rows/": it is a family`, true},
		{"on", puzzle.Choice{}, `unknown space "on"; did you mean lamps/one?`, true},
		{"lamp/one", puzzle.Choice{}, `; did you mean lamps/one?`, true},
		{"rows/onn", puzzle.Choice{}, `; did you mean lamps/one?`, true},
		{"onn@far", puzzle.Choice{}, `; did you mean lamps/one@far?`, true},
		{"row/100", puzzle.Choice{}, `; did you mean rows/1000?`, true},
		{"rows/L5*5", puzzle.Choice{}, "neither a known name", true},
		{"ROWS/5*5", puzzle.Choice{}, "; did you mean rows/5x5?", true},
		{"5 x 5", puzzle.Choice{}, "; did you mean rows/5x5?", true},
		{"5-6", puzzle.Choice{}, "neither a known name", true},
		{"one", choose("colour"), `lamps/one is of the family lamps, which has no option "colour"; that is for rows`, false},
		{"", puzzle.Choice{}, `unknown space ""`, true},
		{strings.Repeat("x", 300), puzzle.Choice{}, "", false}, // too long for a path, too
		{"rows/3", choose("watts"), `rows/3 is of the family rows, which has no option "watts"; that is for lamps`, false},
		{steps, choose("watts"), `which has no option "watts"; that is for lamps`, false},
		{"lamps/one", choose("watts", "colour"), `lamps/one is of the family lamps, which has no option "colour"; that is for rows`, false},
		{"rows/3", choose("weight"), `rows/3 is of the family rows, which has no option "weight"`, false},
		{bad, puzzle.Choice{}, bad + ":1:2: no step", false},
		{odd, puzzle.Choice{}, odd + ":1:1: no step", false}, // the family that reads texts says what is wrong
		{steps, puzzle.Choice{Memory: 1}, steps + ": too little memory", false},
		{file("huge.txt", strings.Repeat("step ", 1<<18)), puzzle.Choice{}, "larger than 1 MiB", false},
		{dir, puzzle.Choice{}, "directory", false},
	} {
		sp, err := s.Lookup(t.Context(), c.name, strings.NewReader(""), c.choice)
		if err == nil || sp != nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, statespace.ErrUnknown) != c.unknown {
			t.Errorf("%.50s: %v, %v; want %q", c.name, sp, err, c.want)
		}
		if err != nil && strings.HasSuffix(err.Error(), "that is for ") {
			t.Errorf("%s: the error ends too early: %v", c.name, err)
		}
	}
	if _, err := puzzle.NewSet(lamps()).Lookup(t.Context(), steps, nil, puzzle.Choice{}); err == nil || !strings.Contains(err.Error(), "draws no puzzle that this program knows") {
		t.Errorf("without a family that reads texts: %v", err)
	}
	only := rows()
	only.Read, only.Reads = nil, nil
	if _, err := puzzle.NewSet(only).Lookup(t.Context(), "-7", nil, puzzle.Choice{}); !errors.Is(err, statespace.ErrUnknown) || err.Error() != "rows/-7: a row has no negative length: unknown space" {
		t.Errorf("a wrong name without the only family: %v", err)
	}
}

// A name without its family is that of a file, if there is one, and else of a space.
func TestBareNames(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"4": "step step step step step", "lamps": "step"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"5", "one", "other"} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := puzzle.NewSet(lamps(), rows())
	for name, want := range map[string]statespace.Space{
		"4":      row{"rows", "4", 5}, // the file
		"rows/4": row{"rows", "rows/4", 4},
		"5":      row{"rows", "rows/5", 5}, // a directory is no puzzle
		"one":    lamp{row{"lamps", "lamps/one", 2}},
	} {
		if sp, err := s.Lookup(t.Context(), name, nil, puzzle.Choice{}); sp != want || err != nil {
			t.Errorf("%s is %v, %v; want %v", name, sp, err, want)
		}
	}
	if sp, err := s.Lookup(t.Context(), "other", nil, puzzle.Choice{}); sp != nil || err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("a directory is %v, %v", sp, err)
	}
	more := rows()
	more.Name, more.Lookup = "more", func(_ context.Context, name string, _ puzzle.Choice) (statespace.Space, error) {
		switch name {
		case "more/6":
			return nil, errors.New("there are no more")
		case "more/7":
			return row{"more", "more/7", 7}, nil
		}
		return nil, statespace.ErrUnknown
	}
	s = puzzle.NewSet(lamps(), rows(), more)
	_, err := s.Lookup(t.Context(), "7", nil, puzzle.Choice{})
	if want := `"7" is the name of several spaces: choose rows/7 or more/7`; err == nil || err.Error() != want {
		t.Errorf("the name of two spaces: %v, want %s", err, want)
	}
	for n, name := range map[uint64]string{6: "6", 8: "8"} { // a space is better than an error
		if sp, err := s.Lookup(t.Context(), name, nil, puzzle.Choice{}); sp != (row{"rows", "rows/" + name, n}) || err != nil {
			t.Errorf("%s is %v, %v", name, sp, err)
		}
	}
}

// The first family that claims a text reads it. A text that nobody claims goes to the first
// family that reads any.
func TestReaders(t *testing.T) {
	greedy := rows()
	greedy.Name = "greedy"
	greedy.Reads = func(text string) bool { return text == "step mine" }
	greedy.Read = func(context.Context, string, string, puzzle.Choice) (statespace.Space, error) {
		return nil, errors.New("greedy reads it")
	}
	for _, c := range []struct {
		families []*puzzle.Family
		text     string
		greedy   bool
	}{
		{[]*puzzle.Family{greedy, rows()}, "step mine", true},
		{[]*puzzle.Family{rows(), greedy}, "step mine", false},
		{[]*puzzle.Family{greedy, rows()}, "step", false},
		{[]*puzzle.Family{greedy, rows()}, "odd", true},
		{[]*puzzle.Family{lamps(), rows(), greedy}, "odd", false},
	} {
		_, err := puzzle.NewSet(c.families...).Lookup(t.Context(), "-", strings.NewReader(c.text), puzzle.Choice{})
		if found := err != nil && strings.Contains(err.Error(), "greedy reads it"); found != c.greedy {
			t.Errorf("%q: greedy reads it: %v, want %v (%v)", c.text, found, c.greedy, err)
		}
	}
}

// A family that knows how the space of a definition starts need not make it.
func TestDescribe(t *testing.T) {
	fast := rows()
	fast.Name = "fast"
	fast.Define = func(context.Context, statespace.Definition, uint64) (statespace.Space, error) {
		return nil, errors.New("the space was made")
	}
	fast.Start = func(d statespace.Definition) (string, error) { return "start of " + string(d.Puzzle), nil }
	s := puzzle.NewSet(rows(), fast, lamps())
	for _, c := range []struct{ family, name, start, err string }{
		{"rows", "a", "0", ""},
		{"fast", "a\x1b", "start of 5", ""},
		{"lamps", "a", "", "they are sold out"},
		{"chess", "a", "", `family "chess"`},
	} {
		name, start, err := s.Describe(t.Context(), row{c.family, c.name, 5}.Definition(), 1<<20)
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %v, want %s", c.family, err, c.err)
		case c.err == "" && (err != nil || start != c.start || strings.Contains(name, "\x1b")):
			t.Errorf("%s: %q starts in %q, %v; want %q", c.family, name, start, err, c.start)
		}
	}
}

// A text is read in UTF-8, or as Windows PowerShell writes it, from a file and from stdin.
func TestReadText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "drawn.txt")
	for _, c := range []struct{ text, want, err string }{
		{"step\n", "step\n", ""},
		{"\xef\xbb\xbfstep\n", "step\n", ""},
		{"\xff\xfes\x00t\x00e\x00p\x00\n\x00", "step\n", ""},
		{"s\x00t\x00e\x00p\x00", "", "is not a text: it has bytes 0; expected UTF-8, or UTF-16 with a byte order mark"},
		{strings.Repeat("step\n", 1<<18), "", "is larger than 1 MiB"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{path, "-"} {
			_, text, err := puzzle.ReadText(t.Context(), name, strings.NewReader(c.text))
			if c.err == "" && (err != nil || text != c.want) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("%.20q is read as %.20q, %v", c.text, text, err)
			}
		}
	}
}

// Lookup and ReadAs say how a text was read: of a file, and of an argument without its family. Names are not texts.
func TestTold(t *testing.T) {
	f := rows()
	f.ReadAs = func(text string) (string, bool) {
		return fmt.Sprintf("a row of %d", len(strings.Fields(text))), false
	}
	s := puzzle.NewSet(lamps(), f)
	var told []string
	choice := puzzle.Choice{Told: func(name, as string, _ bool) { told = append(told, name+": "+as) }}
	for _, text := range []string{"step step", "step stop"} {
		s.Lookup(t.Context(), "-", strings.NewReader(text), choice)
	}
	if _, err := s.Lookup(t.Context(), "rows/4", nil, choice); err != nil || !slices.Equal(told, []string{"stdin: a row of 2"}) {
		t.Errorf("told %q, %v", told, err)
	}
	for _, c := range []struct{ arg, name, want string }{
		{"step step step", "rows/step step step", "a row of 3"},
		{"step step@red", "rows/step step@red", "a row of 2"},
		{"rows/step", "rows/step", ""},
		{"4", "rows/4", ""},
		{"step", "lamps/step", ""},
		{"step", "step", ""},
	} {
		if got, _ := s.ReadAs(c.arg, c.name); got != c.want {
			t.Errorf("%s of %s is read as %q, want %q", c.arg, c.name, got, c.want)
		}
	}
}
