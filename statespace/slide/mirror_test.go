package slide

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/statespace/slide/internal/slidetest"
	"pagoda/statespace/slide/tray"
)

// TestMirrored: a puzzle in a mirror, or with rows and columns exchanged, has the same answers.
func TestMirrored(t *testing.T) {
	for _, name := range []string{"slide/dads", "slide/record4x4", "slide/rushhour", "slide/mas-anywhere"} {
		compareMirrored(t, slidetest.Lookup(t, name))
	}
	rng := rand.New(rand.NewPCG(31, 32))
	n := 300
	if testing.Short() {
		n = 25
	}
	for range n {
		if p := slidetest.Random(rng); mustPack(t, p).Size() <= 20000 {
			compareMirrored(t, p)
		}
	}
}

func compareMirrored(t *testing.T, p *tray.Puzzle) {
	t.Helper()
	for m := range tray.Metric(tray.Metrics) {
		want := mustSolve(t, p, m, Options{})
		for _, text := range []string{mirrored(p), transposed(p)} {
			if got := mustSolve(t, slidetest.Parse(t, text), m, Options{}); !sameAnswers(got, want) {
				t.Fatalf("%s%v: %+v\n%s%+v", p.Format(), m, want, text, got)
			}
		}
	}
}

// mirrored writes a puzzle with left and right exchanged.
func mirrored(p *tray.Puzzle) string {
	_, cols := p.Size()
	var walls []string
	for _, w := range p.Walls() {
		side := "below"
		if w.Side == tray.Right {
			side = "left"
		}
		walls = append(walls, fmt.Sprintf("(%d,%d) %s", w.Cell.Row, cols-1-w.Cell.Col, side))
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
func transposed(p *tray.Puzzle) string {
	var walls []string
	for _, w := range p.Walls() {
		side := "right"
		if w.Side == tray.Right {
			side = "below"
		}
		walls = append(walls, fmt.Sprintf("(%d,%d) %s", w.Cell.Col, w.Cell.Row, side))
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

// mapText writes a puzzle with other walls, and with each drawing changed. A drawing is filled up
// to a rectangle before.
func mapText(p *tray.Puzzle, walls []string, change func(rows []string) []string) string {
	_, cols := p.Size()
	var out, rows []string
	for line := range strings.Lines(p.Format() + ":") {
		line = strings.TrimSuffix(line, "\n")
		if !strings.Contains(line, ":") {
			rows = append(rows, line+strings.Repeat("#", cols-len(line)))
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
