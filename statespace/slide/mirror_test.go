package slide

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestMirrored: a puzzle seen in a mirror, or with rows and columns exchanged, has the
// same answers.
func TestMirrored(t *testing.T) {
	for _, name := range []string{"slide/dads", "slide/record4x4", "slide/rushhour", "slide/mas-anywhere"} {
		p, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		sameMirrored(t, p)
	}
	rng := rand.New(rand.NewPCG(31, 32))
	n := 300
	if testing.Short() {
		n = 25
	}
	for range n {
		p := randomPuzzle(rng)
		if pk, err := NewPacking(p, 0); err != nil || pk.Size() > 20000 {
			continue
		}
		sameMirrored(t, p)
	}
}

func sameMirrored(t *testing.T, p *Puzzle) {
	t.Helper()
	for m := range Metric(Metrics) {
		want, err := Solve(t.Context(), p, m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{mirrored(p), transposed(p)} {
			q, err := ParsePuzzle(text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			got, err := Solve(t.Context(), q, m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Solved != want.Solved || got.Length != want.Length || got.Solutions.Cmp(want.Solutions) != 0 || !slices.Equal(got.Layers, want.Layers) {
				t.Fatalf("%s%v: %d in %v ways, layers %v;\n%s%d in %v ways, layers %v", p.Format(), m, want.Length, want.Solutions, want.Layers,
					text, got.Length, got.Solutions, got.Layers)
			}
		}
	}
}

// mirrored writes a puzzle with left and right exchanged.
func mirrored(p *Puzzle) string {
	var walls []string
	for _, w := range p.walls {
		side := "below"
		if w.side == Right {
			side = "left"
		}
		walls = append(walls, fmt.Sprintf("(%d,%d) %s", w.cell.Row, p.cols-1-w.cell.Col, side))
	}
	return mapText(p, walls, func(rows []string) []string {
		var out []string
		for _, row := range rows {
			b := []byte(row)
			slices.Reverse(b)
			out = append(out, string(b))
		}
		return out
	})
}

// transposed writes a puzzle with rows and columns exchanged.
func transposed(p *Puzzle) string {
	var walls []string
	for _, w := range p.walls {
		side := "right"
		if w.side == Right {
			side = "below"
		}
		walls = append(walls, fmt.Sprintf("(%d,%d) %s", w.cell.Col, w.cell.Row, side))
	}
	text := mapText(p, walls, func(rows []string) []string {
		out := make([]string, len(rows[0]))
		for _, row := range rows {
			for c := range row {
				out[c] += row[c : c+1]
			}
		}
		return out
	})
	return strings.NewReplacer("horizontal:", "vertical:", "vertical:", "horizontal:").Replace(text)
}

// mapText writes a puzzle with other walls and with drawings, filled up to rectangles,
// that are changed.
func mapText(p *Puzzle, walls []string, change func(rows []string) []string) string {
	var out, rows []string
	for line := range strings.Lines(p.Format() + ":") {
		line = strings.TrimSuffix(line, "\n")
		if !strings.Contains(line, ":") {
			rows = append(rows, line+strings.Repeat("#", p.cols-len(line)))
			continue
		}
		if len(rows) > 0 {
			out = append(out, change(rows)...)
			rows = nil
		}
		if !strings.HasPrefix(line, "walls:") {
			out = append(out, line)
		} else {
			out = append(out, "walls: "+strings.Join(walls, ", "))
		}
	}
	return strings.Join(out[:len(out)-1], "\n") + "\n"
}
