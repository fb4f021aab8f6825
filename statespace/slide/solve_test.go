package slide

import "testing"

// facts are puzzles whose numbers in all metrics were computed by other programs as
// well, and their number of positions.
var facts = []struct {
	text    string
	lengths [Metrics]int
	states  uint64
}{
	{"AABB/AACC/12../DEFF/DEGG ..../..../..../AA/AA", [Metrics]int{83, 62, 59, 53, 38, 38}, 1398},
	{"BAAC/BAAC/DEEF/DghF/i..j ..../..../..../.AA./.AA.", [Metrics]int{116, 90, 81, 72, 58, 55}, 25955},
	{"1AA2/BAAC/BD.C/3D.4/EEFF ..../..../..../.AA./.AA.", [Metrics]int{131, 111, 99, 80, 71, 68}, 81340},
	{"ABB./ACDD/EEFG/HEI. ..../..../...A/...A", [Metrics]int{180, 153, 132, 100, 87, 85}, 9591},
}

func TestFactsPlain(t *testing.T) {
	for _, f := range facts {
		p, err := ParsePuzzle(f.text)
		if err != nil {
			t.Fatal(err)
		}
		for m := range Metric(Metrics) {
			r, err := SolvePlain(t.Context(), p, m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(m, r.Length, r.Solutions, r.States)
			if r.Length != f.lengths[m] || r.States != f.states || !r.Whole {
				t.Errorf("%s: %v: length %d, %d states, want %d and %d", f.text, m, r.Length, r.States, f.lengths[m], f.states)
			}
			if _, err := p.CheckSolution(m, r.Moves); err != nil || len(r.Moves) != r.Length {
				t.Errorf("%s: %v: %d moves, %v", f.text, m, len(r.Moves), err)
			}
		}
	}
}
