package npuzzle

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

// TestPlan: the sizes of a plan are those of a search, and the rest follows from them and from the time
// for a word.
func TestPlan(t *testing.T) {
	for _, c := range []struct {
		name   string
		levels int
	}{{"slide/n3x3", 0}, {"slide/n5x2", 0}, {"slide/n3x4", 0}, {"slide/n2x7", 109}, {"slide/n5x3", 85}, {"slide/n4x4", 81}} {
		p := slidetest.Lookup(t, c.name)
		plan, err := NewPlan(t.Context(), p, 4)
		if err != nil {
			t.Fatal(err)
		}
		if plan.Levels != c.levels || !plan.Corner || plan.WordSeconds <= 0 || plan.Threads != 4 {
			t.Errorf("%s: %+v", c.name, plan)
		}
		if n, err := New(p); err == nil {
			if g := n.Graph(tray.Steps); plan.Positions != g.Size || plan.LevelBytes != 8*g.LevelWords || plan.LevelBytes > g.Memory {
				t.Errorf("%s has %d positions and %d words of levels: %+v", c.name, g.Size, g.LevelWords, plan)
			}
		}
		if made := plan.ProcessorSeconds / plan.WordSeconds * 2; math.Abs(made-float64(plan.Levels)*float64(plan.Positions)/60) > 1e-9*made || plan.Seconds*4 != plan.ProcessorSeconds {
			t.Errorf("%s: %g words in all: %+v", c.name, made, plan)
		}
	}
	for _, text := range []string{"slide/n2x3", "slide/n5x5", "slide/dads"} {
		if _, err := NewPlan(t.Context(), slidetest.Lookup(t, text), 1); !errors.Is(err, ErrNotNPuzzle) {
			t.Errorf("%s: %v", text, err)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := NewPlan(stopped, slidetest.Lookup(t, "slide/n3x3"), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestPlanText: the text has what the object has.
func TestPlanText(t *testing.T) {
	plan, err := NewPlan(t.Context(), slidetest.Lookup(t, "slide/n4x4"), 2)
	if err != nil {
		t.Fatal(err)
	}
	text := plan.String()
	for _, want := range []string{"1.3 TiB", "2 threads", "ns for each word", "81 levels"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	object, err := json.Marshal(plan)
	if err != nil || !strings.Contains(string(object), `"threads":2,"seconds":`) {
		t.Errorf("%s, %v", object, err)
	}
	for seconds, want := range map[float64]string{0.5: "0.5 seconds", 5: "5.0 seconds", 119: "119 seconds", 120: "2.0 minutes", 3600: "60 minutes", 86400: "24 hours", 400000: "4.6 days"} {
		if got := span(seconds); got != want {
			t.Errorf("%g seconds is %q, want %q", seconds, got, want)
		}
	}
}
