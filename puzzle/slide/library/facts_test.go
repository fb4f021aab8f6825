package library_test

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pagoda/docs/make/library/measure"
	"pagoda/internal/long"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
)

// The facts are in the form in which they are written, and agree with what the texts say.
func TestFacts(t *testing.T) {
	text, err := os.ReadFile("facts.csv")
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := library.Computed().Write(&again); err != nil || again.String() != string(text) {
		t.Errorf("facts.csv is not as it would be written: %v", err)
	}
	if len(library.Computed()) != len(library.Known()) {
		t.Errorf("facts.csv has %d puzzles, the library %d: run go generate", len(library.Computed()), len(library.Known()))
	}
	for _, name := range library.Known() {
		facts := library.Computed()[name]
		p, err := library.Lookup(name)
		if facts == nil || err != nil {
			t.Errorf("%s has no facts: run go generate (%v)", name, err)
			continue
		}
		for m, f := range facts {
			if p.Lengths[m] > 0 && f.Length != p.Lengths[m] {
				t.Errorf("%s, %v: length %d, the text says %d", name, tray.Metric(m), f.Length, p.Lengths[m])
			}
			if f.Hardest > 0 && f.Hardest < f.Length || f.Diameter > 0 && (f.Diameter < f.Hardest || f.Radius > f.Diameter || 2*f.Radius < f.Diameter) {
				t.Errorf("%s, %v: length %d, hardest %d, diameter %d, radius %d", name, tray.Metric(m), f.Length, f.Hardest, f.Diameter, f.Radius)
			}
		}
		if moves := facts[tray.Moves]; moves.Solutions == nil || moves.Length == 0 || p.States > 0 && moves.States != p.States {
			t.Errorf("%s: %+v, the text says %d positions", name, moves, p.States)
		}
	}
}

// The facts of puzzles with few positions are computed again; go run ./docs/make/library --check does all.
func TestMeasure(t *testing.T) {
	most := uint64(5_000)
	if !long.Tests {
		most = 1_000
	}
	for name, facts := range library.Computed() {
		p, err := library.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for m, want := range facts {
			if want.States > most {
				continue
			}
			f, err := measure.Find(t.Context(), p, tray.Metric(m), measure.Known(want))
			if err != nil || !reflect.DeepEqual(f, want) {
				t.Errorf("%s, %v: %+v, %v, facts.csv has %+v", name, tray.Metric(m), f, err, want)
			}
		}
	}
}

// The hardest start of a puzzle is solved in the length that is kept.
func TestHardestStart(t *testing.T) {
	for _, name := range []string{"slide/dads", "slide/klotski", "slide/rushhour"} {
		p, err := library.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for m, want := range library.Computed()[name][:tray.Supersteps] {
			start, err := p.ParsePosition(want.Start)
			if err != nil {
				t.Fatal(err)
			}
			f, err := measure.Find(t.Context(), p.From(start), tray.Metric(m), measure.Options{Solutions: true})
			if err != nil || f.Length != want.Hardest {
				t.Errorf("%s, %v: %d, %v, facts.csv has %d", name, tray.Metric(m), f.Length, err, want.Hardest)
			}
		}
	}
}

func TestReadTable(t *testing.T) {
	const head = "puzzle,metric,states,length,solutions,diameter,radius,pairs,hardest,starts,start\n"
	if table, err := library.ReadTable(strings.NewReader(head + "slide/x,lines,5,,,,,,,,\n")); err != nil || table["slide/x"][tray.Lines].States != 5 {
		t.Errorf("%v, %v", table, err)
	}
	for text, want := range map[string]string{
		"":                              "expected the columns",
		"puzzle,metric\n":               "expected the columns",
		head + "slide/x,lines\n":        "line 2: expected 11 fields, found 2",
		head + "a,paces,,,,,,,,,\n":     `line 2: unknown metric "paces"`,
		head + "a,moves,-5,,,,,,,,\n":   `line 2: states is "-5", expected a number`,
		head + "a,moves,,,many,,,,,,\n": `line 2: solutions is "many", expected a number`,
	} {
		if _, err := library.ReadTable(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Title is the title of the whole puzzle, and Known has no name twice.
func TestTitle(t *testing.T) {
	for i, name := range library.Known() {
		p, err := library.Lookup(name)
		if err != nil || library.Title(name) != p.Title || p.Title == "" || slices.Index(library.Known(), name) != i {
			t.Errorf("%s: %q, want %q, %v", name, library.Title(name), p.Title, err)
		}
	}
	if title := library.Title("slide/none"); title != "" {
		t.Errorf("the title of nothing is %q", title)
	}
}
