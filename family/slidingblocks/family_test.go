package slidingblocks

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"pagoda/family"
	"pagoda/internal/cli"
	"pagoda/statespace"
	"pagoda/statespace/slide"
	"pagoda/statespace/slide/library"
	"pagoda/statespace/slide/tray"
)

// The metric of a space is said by its name or by an option, and is part of its name.
func TestMetrics(t *testing.T) {
	f := Family()
	for m := range tray.Metric(tray.Metrics) {
		option := family.Choice{Options: map[string]string{metricOption: m.String()}}
		named, err := f.Lookup(t.Context(), "slide/dads@"+m.String(), family.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := f.Lookup(t.Context(), "slide/dads", option)
		if err != nil {
			t.Fatal(err)
		}
		both, err := f.Lookup(t.Context(), "slide/dads@"+m.String(), option)
		if err != nil {
			t.Fatal(err)
		}
		want := "slide/dads@" + m.String()
		if m == tray.Moves {
			want = "slide/dads"
		}
		for _, sp := range []statespace.Space{named, chosen, both} {
			if sp.Name() != want || sp.(*slide.Space).Metric() != m {
				t.Errorf("%v: the space is %s in the metric %v", m, sp.Name(), sp.(*slide.Space).Metric())
			}
		}
		again, err := f.Define(t.Context(), named.Definition(), 0)
		if err != nil || again.Name() != want || again.(*slide.Space).Metric() != m || !again.Definition().SamePuzzle(named.Definition()) {
			t.Errorf("%v: the definition makes %v, %v", m, again, err)
		}
	}
}

// The option goal ends a space at the nearest goal, and the definition keeps it.
func TestGoal(t *testing.T) {
	f := Family()
	goal := family.Choice{Options: map[string]string{goalOption: "true"}}
	for _, make := range []func(o family.Choice) (statespace.Space, error){
		func(o family.Choice) (statespace.Space, error) { return f.Lookup(t.Context(), "slide/dads", o) },
		func(o family.Choice) (statespace.Space, error) {
			return f.Read(t.Context(), "two", "AA./B.. .../.AA", o)
		},
	} {
		for _, o := range []family.Choice{{}, goal} {
			sp, err := make(o)
			if err != nil {
				t.Fatal(err)
			}
			again, err := f.Define(t.Context(), sp.Definition(), 0)
			if err != nil {
				t.Fatal(err)
			}
			if want := o.Options != nil; statespace.EndsAtGoal(sp) != want || statespace.EndsAtGoal(again) != want {
				t.Errorf("%s ends at the goal: %v, by its definition %v, want %v", sp.Name(), statespace.EndsAtGoal(sp), statespace.EndsAtGoal(again), want)
			}
		}
	}
}

// Only texts that draw a tray are puzzles of this family.
func TestReads(t *testing.T) {
	f := Family()
	for text, want := range map[string]bool{
		"tray:\nAA.\n": true, "AA./B.. .../.AA": true, "title: x\ntray: A.\n": true,
		"ooo\no.o\n": false, "lattice: triangular\n.\noo\n": false, "": false,
	} {
		if got := f.Reads(text); got != want {
			t.Errorf("%q is read: %v, want %v", text, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	f := Family()
	metric := func(name string) family.Choice { return family.Choice{Options: map[string]string{metricOption: name}} }
	for _, c := range []struct {
		name   string
		choice family.Choice
		want   string
	}{
		{"slide/dads@hops", family.Choice{}, `unknown metric "hops"`},
		{"slide/dads", metric("hops"), `unknown metric "hops"`},
		{"slide/dads@steps", metric("lines"), "slide/dads@steps names its metric, and --metric is lines"},
		{"slide/n1x1", family.Choice{}, "at least two rows and columns"},
		{"slide/none", family.Choice{}, "unknown space"},
	} {
		sp, err := f.Lookup(t.Context(), c.name, c.choice)
		if err == nil || sp != nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, statespace.ErrUnknown) != (c.name == "slide/none") {
			t.Errorf("%s, %v: %v, %v; want %q", c.name, c.choice, sp, err, c.want)
		}
	}
	var at *statespace.SyntaxError
	if sp, err := f.Read(t.Context(), "bad", "tray:\nA?\n", family.Choice{}); sp != nil || !errors.As(err, &at) || at.Line != 2 {
		t.Errorf("a bad text is %v, %v", sp, err)
	}
}

// Commands that take puzzles find them in the library, in files and on stdin, and say what
// they expected.
func TestOpenPuzzle(t *testing.T) {
	cmd := new(cobra.Command)
	rows := &family.Family{
		Name: "rows", About: "rows of o",
		Lookup: func(_ context.Context, name string, _ family.Choice) (statespace.Space, error) {
			if name == "rows/eight" {
				return nil, nil
			}
			return nil, statespace.ErrUnknown
		},
		Define: func(context.Context, statespace.Definition, uint64) (statespace.Space, error) {
			return nil, statespace.ErrUnknown
		},
		Reads: func(text string) bool { return strings.HasPrefix(text, "o.o") },
		Read: func(_ context.Context, _, text string, _ family.Choice) (statespace.Space, error) {
			if strings.Trim(text, "o.\n") != "" {
				return nil, &statespace.SyntaxError{Line: 1, Col: 1, Reason: "no row"}
			}
			return nil, nil
		},
	}
	families := family.NewSet(Family(), rows)
	open := func(arg, stdin string) (*tray.Puzzle, string, error) {
		cmd.SetIn(strings.NewReader(stdin))
		return openPuzzle(cmd, families, arg)
	}
	klotski, err := library.Lookup("slide/klotski")
	if err != nil {
		t.Fatal(err)
	}
	if p, name, err := open("slide/klotski", ""); err != nil || name != "slide/klotski" || p.Format() != klotski.Format() {
		t.Errorf("slide/klotski is %s, %v", name, err)
	}
	if p, name, err := open("klotski", ""); err != nil || name != "slide/klotski" || p.Format() != klotski.Format() {
		t.Errorf("klotski is %s, %v", name, err)
	}
	if p, name, err := open("-", klotski.Format()); err != nil || name != "stdin" || p.Format() != klotski.Format() {
		t.Errorf("the text of slide/klotski is %s, %v", name, err)
	}
	for _, c := range []struct{ arg, stdin, want string }{
		{"slide/klotski@steps", "", "give the metric with --metric steps"},
		{"klotski@steps", "", "give the metric with --metric steps"},
		{"klotsky", "", `unknown space "klotsky"; did you mean slide/klotski? ` + "` spaces` lists all"},
		{"abracadabra", "", "neither in the library nor a file that draws a tray; ` spaces` lists all"},
		{"slide/n1x4", "", "at least two rows and columns and at most 61 tiles, found 1x4"},
		{"rows/7", "", `"rows/7" is of the family rows (rows of o): expected a sliding-block puzzle`},
		{"eight", "", `"eight" is of the family rows (rows of o): expected a sliding-block puzzle`},
		{"-", "o.o\n", "stdin draws no sliding-block puzzle: it is of the family rows (rows of o)"},
		{"-", "o.oA.A\n", "stdin:1:3: piece o is not in one part"},
		{"-", "tray:\nA?\n", "stdin:2:"},
	} {
		if p, _, err := open(c.arg, c.stdin); p != nil || !cli.IsUsage(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.arg, err, c.want)
		}
	}
}
