package peg

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/cli"

	"pagoda/ask"
	"pagoda/puzzle/peg"
	"pagoda/render"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// randomPath makes random jumps from the start of a space.
func randomPath(rng *rand.Rand, sp *peg.Space, most int) statespace.Path {
	path := statespace.Path{From: sp.Roots()[0]}
	for at := path.From; len(path.Steps) < most; {
		edges := sp.Successors(nil, at)
		if len(edges) == 0 {
			break
		}
		e := edges[rng.IntN(len(edges))]
		path.Steps, at = append(path.Steps, statespace.Step{Move: e.Move, State: e.To}), e.To
	}
	return path
}

// replay plays the jumps of a route on rows of characters, and returns the last position.
func replay(t *testing.T, r *ask.Route) string {
	t.Helper()
	at := r.Positions[0]
	for i, m := range r.Moves {
		rows := strings.Split(at, "/")
		set := func(cell cells.Cell, before, after byte) {
			row := []byte(rows[cell.Row])
			if row[cell.Col] != before {
				t.Fatalf("jump %d, %v, cannot be made in %s", i+1, m, at)
			}
			row[cell.Col] = after
			rows[cell.Row] = string(row)
		}
		j := m.(peg.JumpText)
		if 2*j.Over.Row != j.From.Row+j.To.Row || 2*j.Over.Col != j.From.Col+j.To.Col {
			t.Fatalf("jump %d, %v, is no jump", i+1, m)
		}
		if rows, cols := j.From.Row-j.To.Row, j.From.Col-j.To.Col; rows*rows+cols*cols != 4 {
			t.Fatalf("jump %d, %v, is no jump", i+1, m)
		}
		set(j.From, 'o', '.')
		set(j.Over, 'o', '.')
		set(j.To, '.', 'o')
		if at = strings.Join(rows, "/"); at != r.Positions[i+1] {
			t.Fatalf("jump %d, %v, leads to %s, the route says %s", i+1, m, at, r.Positions[i+1])
		}
	}
	return at
}

// An explanation leads where the path leads, by jumps that can be made; the path that is to be kept has its
// jumps.
func TestExplain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	packages, movers := 0, 0
	for _, name := range []string{"peg/5x5", "peg/english", "peg/5x7"} {
		sp, err := peg.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			path := randomPath(rng, sp, 14)
			for _, keep := range []bool{false, true} {
				route, x, err := explain(t.Context(), sp, path, cli.ExplainOptions{Keep: keep})
				if err != nil {
					t.Fatal(err)
				}
				e := x.(*explanation)
				if end := replay(t, route); end != sp.Format(path.Steps[len(path.Steps)-1].State) || len(route.Moves) != len(path.Steps) {
					t.Errorf("%s: %d jumps lead to %s, the path has %d", name, len(route.Moves), end, len(path.Steps))
				}
				packages += e.Packages
				movers += checkExplanation(t, route, e)
				if !keep {
					continue
				}
				var got, want []string
				for i, s := range path.Steps {
					want, got = append(want, sp.Jump(s.Move).String()), append(got, route.Moves[i].String())
				}
				slices.Sort(got)
				slices.Sort(want)
				if e.Fewest || !slices.Equal(got, want) {
					t.Errorf("%s: the jumps are %v, those of the path %v", name, got, want)
				}
			}
		}
	}
	if packages < 10 || movers == 0 {
		t.Errorf("%d packages in all, %d of them movers", packages, movers)
	}
}

// checkExplanation checks that JSON, text and pictures have the steps, and counts the movers.
func checkExplanation(t *testing.T, route *ask.Route, e *explanation) (movers int) {
	t.Helper()
	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var steps struct {
		Packages int
		Single   int `json:"single_jumps"`
		Steps    []struct {
			Package  string
			Cleared  [][2]int
			From, To *[2]int
			Jumps    []peg.JumpText
			Position string
		}
	}
	if err := json.Unmarshal(data, &steps); err != nil {
		t.Fatal(err)
	}
	at, single := 0, 0
	for _, s := range steps.Steps {
		for _, j := range s.Jumps {
			if j != route.Moves[at] {
				t.Errorf("jump %d is %v in the steps, %v in the route", at+1, j, route.Moves[at])
			}
			at++
		}
		if s.Position != route.Positions[at] || s.Package != "" && len(s.Cleared) != len(s.Jumps) || s.Package == "" && len(s.Jumps) != 1 {
			t.Errorf("a step after %d jumps is %+v", at, s)
		}
		if s.Package == "" {
			single++
		}
		if s.From != nil || s.To != nil {
			movers++
			if before := strings.Split(route.Positions[at-len(s.Jumps)], "/"); before[s.From[0]][s.From[1]] != 'o' || before[s.To[0]][s.To[1]] != '.' {
				t.Errorf("%s cannot move a peg from %v to %v in %v", s.Package, *s.From, *s.To, before)
			}
			if strings.Split(s.Position, "/")[s.To[0]][s.To[1]] != 'o' {
				t.Errorf("%s moves no peg to %v in %s", s.Package, *s.To, s.Position)
			}
		}
	}
	if at != len(route.Moves) || steps.Single != single || steps.Packages != len(steps.Steps)-single {
		t.Errorf("%d jumps in the steps: %s", at, data)
	}
	var text strings.Builder
	if err := e.WriteText(&text, cells.LetterNumber); err != nil || !strings.Contains(text.String(), fmt.Sprintf(" in %d step", len(steps.Steps))) {
		t.Errorf("%v: %s", err, &text)
	}
	for _, s := range steps.Steps {
		if !strings.Contains(text.String(), s.Position) || !strings.Contains(text.String(), s.Package) {
			t.Errorf("%+v is not in %s", s, &text)
		}
	}
	film, err := e.Film()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(film.Strip()); n != len(steps.Steps)+1 || film.Moves() != len(route.Moves) {
		t.Errorf("%d panels and %d moves for %d steps and %d jumps", n, film.Moves(), len(steps.Steps), len(route.Moves))
	}
	var b strings.Builder
	if err := render.Text(&b, film.Strip(), 4, render.Style{}); err != nil {
		t.Error(err)
	}
	if n := strings.Count(text.String(), ", moves a peg from "); n != movers || strings.Count(b.String(), "a") < movers {
		t.Errorf("%d movers in the steps, %d in %s", movers, n, &text)
	}
	return movers
}

// With little memory the path itself is explained, and with more a search finds fewer steps.
func TestExplainMemory(t *testing.T) {
	sp, err := peg.Lookup("peg/5x5")
	if err != nil {
		t.Fatal(err)
	}
	path := randomPath(rand.New(rand.NewPCG(3, 4)), sp, 30)
	for memory, want := range map[uint64]bool{1: false, 1000: false, 0: true, 1 << 30: true} {
		if _, x, err := explain(t.Context(), sp, path, cli.ExplainOptions{Memory: memory}); err != nil || x.(*explanation).Fewest != want {
			t.Errorf("with %d bytes: %+v, %v", memory, x, err)
		}
	}
}

// A path that is none, and a space of another kind, are errors.
func TestExplainErrors(t *testing.T) {
	sp, err := peg.Lookup("peg/4x4")
	if err != nil {
		t.Fatal(err)
	}
	x := sp.Roots()[0]
	if _, _, err := explain(t.Context(), sp, statespace.Path{From: x, Steps: []statespace.Step{{Move: statespace.AnyMove, State: x}}}, cli.ExplainOptions{}); err == nil {
		t.Error("a path without jumps was explained")
	}
}
