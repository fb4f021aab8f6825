package slide

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"pagoda/puzzle/slide/tray"
)

// A tilt is one of the 48 turns and reflections of a cube. Axes has, for floors, rows and columns, the
// axis that takes their place: 0 is floors, 1 rows and 2 columns. Back says which of them then run
// backwards.
type tilt struct {
	Axes [3]int
	Back [3]bool
}

// randomTilt draws one of the turns.
func randomTilt(rng *rand.Rand) (t tilt) {
	copy(t.Axes[:], rng.Perm(3))
	for i := range t.Back {
		t.Back[i] = rng.IntN(2) == 0
	}
	return t
}

// tilted writes a puzzle that is turned, and has the same answers.
func tilted(p *tray.Puzzle, turn tilt) string {
	rows, cols := p.Size()
	size := [3]int{p.Floors(), rows / p.Floors(), cols}
	var to [3]int // the size afterwards
	for i, axis := range turn.Axes {
		to[i] = size[axis]
	}
	image := func(row, col int) (int, int) {
		at := [3]int{row / size[1], row % size[1], col}
		var b [3]int
		for i, axis := range turn.Axes {
			if b[i] = at[axis]; turn.Back[i] {
				b[i] = to[i] - 1 - b[i]
			}
		}
		return b[0]*to[1] + b[1], b[2]
	}
	draw := func(lines []string) string {
		grid := make([][]byte, to[0]*to[1])
		for i := range grid {
			grid[i] = []byte(strings.Repeat("#", to[2]))
		}
		for r, line := range lines {
			for c := range line {
				row, col := image(r, c)
				grid[row][col] = line[c]
			}
		}
		text := ""
		for _, row := range grid {
			text += string(row) + "\n"
		}
		return text
	}
	var out strings.Builder
	fmt.Fprintf(&out, "floors: %d\n", to[0])
	var drawing []string
	for line := range strings.Lines(p.Format() + ":") {
		line = strings.TrimSuffix(line, "\n")
		heading, rest, headed := strings.Cut(line, ":")
		if line == "" { // between floors
			continue
		}
		if !headed {
			drawing = append(drawing, line)
			continue
		}
		if len(drawing) > 0 {
			out.WriteString(draw(drawing))
			drawing = nil
		}
		axes := []string{"upright", "vertical", "horizontal"}
		switch heading {
		case "floors", "walls", "":
		case "upright", "vertical", "horizontal":
			for i, axis := range turn.Axes {
				if axes[axis] == heading {
					fmt.Fprintf(&out, "%s:%s\n", axes[i], rest)
				}
			}
		default:
			out.WriteString(line + "\n")
		}
	}
	for _, w := range p.Walls() {
		beyond := w.Beyond(size[1])
		row, col := image(w.Cell.Row, w.Cell.Col)
		row2, col2 := image(beyond.Row, beyond.Col)
		side := ""
		switch {
		case row/to[1] != row2/to[1]:
			side = map[bool]string{true: "ceiling", false: "floor"}[row < row2]
		case row != row2:
			side = map[bool]string{true: "below", false: "above"}[row < row2]
		default:
			side = map[bool]string{true: "right", false: "left"}[col < col2]
		}
		fmt.Fprintf(&out, "walls: (%d,%d) %s\n", row, col, side)
	}
	return out.String()
}
