package slide

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pagoda/ask"
	"pagoda/internal/long"
	"pagoda/puzzle"
	"pagoda/puzzle/slide/formats"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
)

func measurerOf(t testing.TB) puzzle.Measurer {
	t.Helper()
	var p puzzle.Player = playerOf(t, fileOf(t, "slide/n2x3", "", puzzle.Choice{}), run.Options{Threads: 2})
	return p.(puzzle.Measurer)
}

func measure(t testing.TB, m puzzle.Measurer, text, metric string) *measured {
	t.Helper()
	v, err := m.Measure(t.Context(), text, metric, 0)
	if err != nil {
		t.Fatalf("%.300s\n%v", text, err)
	}
	return v.(*measured)
}

// patient lets a test measure for long: a machine may be slow.
func patient(t *testing.T) {
	before := measureTime
	measureTime = 10 * time.Minute
	t.Cleanup(func() { measureTime = before })
}

// The lengths and the numbers of solutions are those that the library knows, in all metrics. The text of the
// answer draws the same puzzle.
func TestMeasureLibrary(t *testing.T) {
	patient(t)
	m := measurerOf(t)
	for i, name := range []string{"slide/dads", "slide/rushhour1", "slide/klotski", "slide/century", "slide/rushhour", "slide/n3x3", "slide/silly", "slide/entanglement", "slide/mas-anywhere"} {
		if !long.Tests && i > 1 {
			break
		}
		p := puzzleOf(name)
		got := measure(t, m, p.Format(), "")
		known := library.Computed()[name]
		if len(got.Metrics) != tray.Metrics || known == nil {
			t.Fatalf("%s: %d metrics", name, len(got.Metrics))
		}
		for i, l := range got.Metrics {
			metric := tray.Metric(i)
			if l.Metric != metric.String() || !l.Solved || l.Length == nil || *l.Length != known[metric].Length || l.States == 0 || l.States > known[metric].States {
				t.Fatalf("%s in %v: %+v, want length %d", name, metric, l, known[metric].Length)
			}
			if want := known[metric].Solutions; want != nil && (l.Solutions == nil || l.Solutions.Cmp(want) != 0) {
				t.Errorf("%s in %v: %v solutions, want %v", name, metric, l.Solutions, want)
			}
			one := measure(t, m, got.Puzzle, metric.String())
			if len(one.Metrics) != 1 || *one.Metrics[0].Length != *l.Length || one.Puzzle != got.Puzzle {
				t.Errorf("%s in %v alone: %+v", name, metric, one)
			}
		}
		if strings.Contains(got.Puzzle, "lengths:") || strings.Contains(got.Puzzle, "title:") {
			t.Errorf("%s is written with what is known about it:\n%s", name, got.Puzzle)
		}
	}
}

// Trays that people draw have the lengths of the plain solver.
func TestMeasurePlain(t *testing.T) {
	patient(t)
	m := measurerOf(t)
	for i, text := range []string{
		"AAB/.../C.. .../.../AA",
		"tray:\nAB.\nA..\n#CC\ngoal:\n.A\n.A",
		"tray: A.B/.C./D.E\nanywhere: E/A",
		"tray:\n.A..E\nCC..B\n.D.EB\n#DF..\ngoal: ...../...../...../#...A\nwalls: (0,2) right, (1,2) below, (2,0) right\ngate:\n.....\n.....\n.....\n#...A\nparts: E\nvertical: B\nhorizontal: C\n",
		"rushhour:\ntray:\nBB.C\nAA.C\n...D\nEE.D\ngoal: ..../..AA",
		"BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN",
		"tray: AAB/.../C..\ngoal: B", // solved by few moves
		"tray: AB..\ngoal: BA..",     // not to be solved
	} {
		if !long.Tests && i%3 > 0 {
			continue
		}
		for _, l := range measure(t, m, text, "").Metrics {
			metric, err := tray.ParseMetric(l.Metric)
			if err != nil {
				t.Fatal(err)
			}
			p, err := formats.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			want, err := solvePlain(t.Context(), p, metric, Options{ToGoal: true})
			if err != nil {
				t.Fatal(err)
			}
			if l.Solved != want.Solved || l.States != want.States || l.Whole != want.Whole || (l.Length != nil) != want.Solved || l.Reason != "" {
				t.Errorf("%s in %v: %+v, want %+v", text, metric, l, want)
			} else if l.Solved && (*l.Length != want.Length || l.Solutions.Cmp(want.Solutions) != 0) {
				t.Errorf("%s in %v: length %d, %v solutions, want %d, %v", text, metric, *l.Length, l.Solutions, want.Length, want.Solutions)
			}
			checkSolution(t, p, metric, l)
		}
	}
	for text, want := range map[string]string{ // known without a search
		"tray: A.#.\ngoal: ..#A":                  "piece A cannot come to its place in the goal",
		"tray: A.#.\ngoal: -":                     "no position is at the goal",
		"2134/5678/9ABC/DEF. 1234/5678/9ABC/DEF.": "an odd permutation",
	} {
		for _, l := range measure(t, m, text, "").Metrics {
			if l.Solved || l.Reason != "" || l.Barred != want {
				t.Errorf("%s: %+v, want the reason %q", text, l, want)
			}
		}
	}
}

// checkSolution makes sure that the moves of an answer can be made, and lead to a goal.
func checkSolution(t *testing.T, p *tray.Puzzle, m tray.Metric, l length) {
	t.Helper()
	if !l.Solved {
		if l.Solution != nil {
			t.Errorf("in %v: moves %v without a solution", m, l.Solution)
		}
		return
	}
	at := p.Start()
	for i, mv := range l.Solution {
		next := slices.IndexFunc(p.Successors(m, at), func(s tray.Successor) bool { return p.Move(s) == mv })
		if next < 0 {
			t.Errorf("in %v: move %d, %v, cannot be made in %s", m, i+1, mv, p.FormatPosition(at))
			return
		}
		at = p.Successors(m, at)[next].To
	}
	if len(l.Solution) != *l.Length || !p.Solved(at) {
		t.Errorf("in %v: %v ends in %s, want a goal after %d moves", m, l.Solution, p.FormatPosition(at), *l.Length)
	}
}

// A puzzle that takes too long, or too much memory, is given up soon, with a reason.
func TestMeasureLarge(t *testing.T) {
	m := measurerOf(t)
	sparse := "rushhour:\ntray:\n"
	for i := range 12 { // twelve cars on rows of their own
		name := string(rune('A' + i))
		sparse += name + name + strings.Repeat(".", 12) + "\n"
	}
	sparse += "goal:\n............AA\n"
	for _, text := range []string{puzzleOf("slide/n3x4").Format(), large(t).Format(), sparse} {
		began := time.Now()
		got := measure(t, m, text, "")
		reasons := 0
		for _, l := range got.Metrics {
			if l.Reason != "" {
				reasons++
				if l.Solved || l.Length != nil || l.Solutions != nil {
					t.Errorf("%+v", l)
				}
			}
		}
		if reasons == 0 {
			t.Errorf("all lengths are found of\n%s", text)
		}
		t.Logf("%v: %d of %d metrics are too large: %.150s", time.Since(began), reasons, len(got.Metrics), got.Metrics[5].Reason)
	}
}

func large(t *testing.T) *tray.Puzzle {
	p, err := library.NPuzzle(6, 6)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// When the question is withdrawn, nothing more is computed.
func TestMeasureCancelled(t *testing.T) {
	patient(t)
	m := measurerOf(t)
	gone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(gone) })
	if v, err := m.Measure(ctx, large(t).Format(), "", 0); !errors.Is(err, gone) {
		t.Errorf("%v, %v", v, err)
	}
}

// A fault of the text has its line and column, and what was expected there.
func TestMeasureFaults(t *testing.T) {
	m := measurerOf(t)
	for text, want := range map[string]textFault{
		"tray:\nAA?\ngoal:\n.AA":               {2, 3, "unexpected '?': expected a letter"},
		"tray:\nA.A\ngoal:\n..A":               {2, 3, "piece A is not in one part"},
		"tray:\nAA.\ngoal:\n.B.":               {4, 2, "B"},
		"":                                     {1, 1, "no tray"},
		"BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGox?": {1, 36, "unexpected '?'"},
	} {
		got := measure(t, m, text, "")
		if got.Fault == nil || got.Puzzle != "" || len(got.Metrics) > 0 || got.Fault.Line != want.Line || got.Fault.Column != want.Column || !strings.Contains(got.Fault.Reason, want.Reason) {
			t.Errorf("%q: %+v, want %+v", text, got.Fault, want)
		}
	}
	if _, err := m.Measure(t.Context(), "tray: A.\ngoal: .A", "jumps", 0); !errors.Is(err, ask.ErrQuestion) || !strings.Contains(err.Error(), "expected steps") {
		t.Errorf("an unknown metric: %v", err)
	}
	for _, l := range measure(t, m, "tray: A.", "").Metrics {
		if l.Reason != ErrNoGoal.Error() {
			t.Errorf("without a goal: %+v", l)
		}
	}
}

// A Rush Hour board is a name of its own.
func TestNamedRushHour(t *testing.T) {
	const board = "BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN"
	fam := Family()
	sp, err := fam.Lookup(t.Context(), "slide/"+board+"@steps", puzzle.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if sp.Name() != "slide/"+board+"@steps" {
		t.Errorf("the name is %s", sp.Name())
	}
	if !fam.Reads(board) {
		t.Error("the board alone is not read as a text")
	}
	if _, err := fam.Lookup(t.Context(), "slide/"+strings.Repeat("o", 36), puzzle.Choice{}); err == nil || !strings.Contains(err.Error(), "no car A") {
		t.Errorf("a board without car A: %v", err)
	}
	for _, e := range fam.Entries() {
		if e.Text == nil || !fam.Reads(e.Text()) {
			t.Errorf("%s has no text that is read", e.Name)
		}
	}
}

func BenchmarkMeasure(b *testing.B) {
	m := measurerOf(b)
	for _, name := range []string{"slide/klotski", "slide/century", "slide/rushhour", "slide/n3x3", "slide/agatka", "slide/baltic-sea"} {
		text := puzzleOf(name).Format()
		b.Run(name[6:], func(b *testing.B) {
			for b.Loop() {
				measure(b, m, text, "")
			}
		})
	}
}
