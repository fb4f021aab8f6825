package slide

import "testing"

// TestLibrary solves every published puzzle in every metric.
func TestLibrary(t *testing.T) {
	for _, name := range Library() {
		p, err := Lookup(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Title == "" || p.Author == "" || p.Source == "" {
			t.Errorf("%s: title %q, author %q, source %q", name, p.Title, p.Author, p.Source)
		}
		states := uint64(0)
		for m := range Metric(Metrics) {
			if testing.Short() && m.Super() {
				continue
			}
			r, err := Solve(t.Context(), p, m, Options{})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			t.Log(name, m, r.Length, r.States)
			if !r.Solved || p.Lengths[m] != 0 && r.Length != p.Lengths[m] {
				t.Errorf("%s: %v: length %d (solved: %t), published is %d", name, m, r.Length, r.Solved, p.Lengths[m])
			}
			if states == 0 {
				states = r.States
			}
			if r.States != states {
				t.Errorf("%s: %v: %d positions, in another metric %d", name, m, r.States, states)
			}
			if p.States != 0 && r.States != p.States {
				t.Errorf("%s: %v: %d positions, published are %d", name, m, r.States, p.States)
			}
			if _, err := p.CheckSolution(m, r.Moves); err != nil || len(r.Moves) != r.Length {
				t.Errorf("%s: %v: %v", name, m, err)
			}
		}
	}
}
