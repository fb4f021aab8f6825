package slide

import (
	"errors"
	"strings"
	"testing"

	"pagoda/puzzle"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// The metric of a space is said by its name or by an option, and is part of its name.
func TestMetrics(t *testing.T) {
	f := Family()
	for m := range tray.Metric(tray.Metrics) {
		option := puzzle.Choice{Options: map[string]string{metricOption: m.String()}}
		named, err := f.Lookup(t.Context(), "slide/dads@"+m.String(), puzzle.Choice{})
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
			if sp.Name() != want || sp.(*Space).Metric() != m {
				t.Errorf("%v: the space is %s in the metric %v", m, sp.Name(), sp.(*Space).Metric())
			}
		}
		again, err := f.Define(t.Context(), named.Definition(), 0)
		if err != nil || again.Name() != want || again.(*Space).Metric() != m || !again.Definition().SamePuzzle(named.Definition()) {
			t.Errorf("%v: the definition makes %v, %v", m, again, err)
		}
	}
}

// The option goal ends a space at the nearest goal, and the definition keeps it.
func TestGoal(t *testing.T) {
	f := Family()
	goal := puzzle.Choice{Options: map[string]string{goalOption: "true"}}
	for _, make := range []func(o puzzle.Choice) (statespace.Space, error){
		func(o puzzle.Choice) (statespace.Space, error) { return f.Lookup(t.Context(), "slide/dads", o) },
		func(o puzzle.Choice) (statespace.Space, error) {
			return f.Read(t.Context(), "two", "AA./B.. .../.AA", o)
		},
	} {
		for _, o := range []puzzle.Choice{{}, goal} {
			sp, err := make(o)
			if err != nil {
				t.Fatal(err)
			}
			again, err := f.Define(t.Context(), sp.Definition(), 0)
			if err != nil {
				t.Fatal(err)
			}
			if want := o.Options != nil; sp.Parts().Goals.Ends != want || again.Parts().Goals.Ends != want {
				t.Errorf("%s ends at the goal: %v, by its definition %v, want %v", sp.Name(), sp.Parts().Goals.Ends, again.Parts().Goals.Ends, want)
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
	metric := func(name string) puzzle.Choice { return puzzle.Choice{Options: map[string]string{metricOption: name}} }
	for _, c := range []struct {
		name   string
		choice puzzle.Choice
		want   string
	}{
		{"slide/dads@hops", puzzle.Choice{}, `unknown metric "hops"`},
		{"slide/dads", metric("hops"), `unknown metric "hops"`},
		{"slide/dads@steps", metric("lines"), "slide/dads@steps names its metric, and --metric is lines"},
		{"slide/n1x1", puzzle.Choice{}, "at least two rows and columns"},
		{"slide/none", puzzle.Choice{}, "unknown space"},
	} {
		sp, err := f.Lookup(t.Context(), c.name, c.choice)
		if err == nil || sp != nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, statespace.ErrUnknown) != (c.name == "slide/none") {
			t.Errorf("%s, %v: %v, %v; want %q", c.name, c.choice, sp, err, c.want)
		}
	}
	var at *cells.SyntaxError
	if sp, err := f.Read(t.Context(), "bad", "tray:\nA?\n", puzzle.Choice{}); sp != nil || !errors.As(err, &at) || at.Line != 2 {
		t.Errorf("a bad text is %v, %v", sp, err)
	}
}

// Commands that take puzzles find them in the library, in files and on stdin, and say what
// they expected.
