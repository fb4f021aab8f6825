package slide

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// randomPuzzle draws a small puzzle: a tray with or without walls, thick and thin, pieces of
// up to four cells, some of which move along one axis, are distinct or alike, and goals
// where pieces can be.
func randomPuzzle(rng *rand.Rand) *Puzzle {
	for {
		rows, cols := 1+rng.IntN(4), 1+rng.IntN(4)
		grid := make([][]byte, rows)
		for r := range grid {
			grid[r] = []byte(strings.Repeat(".", cols))
			for c := range grid[r] {
				if rng.IntN(10) == 0 {
					grid[r][c] = '#'
				}
			}
		}
		var walls []wall
		if rng.IntN(2) == 0 {
			for r := range rows {
				for c := range cols {
					for _, side := range []Direction{Right, Down} {
						from := Cell{r, c}
						to := from.step(side)
						if to.Row < rows && to.Col < cols && grid[r][c] == '.' && grid[to.Row][to.Col] == '.' && rng.IntN(6) == 0 {
							walls = append(walls, wall{from, side})
						}
					}
				}
			}
		}
		divided := func(cells []Cell) bool {
			return slices.ContainsFunc(walls, func(w wall) bool {
				return slices.Contains(cells, w.cell) && slices.Contains(cells, w.cell.step(w.side))
			})
		}
		names := []byte("ABCdef123ghiJKLM")
		rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		names = names[:1+rng.IntN(8)]
		voids := 1 + rng.IntN(5)
		for _, name := range names {
			var free []Cell
			for r := range grid {
				for c := range grid[r] {
					if grid[r][c] == '.' {
						free = append(free, Cell{r, c})
					}
				}
			}
			if len(free) <= voids {
				break
			}
			cells := []Cell{free[rng.IntN(len(free))]}
			for range rng.IntN(4) {
				next := cells[rng.IntN(len(cells))].step(Direction(rng.IntN(4)))
				if slices.Contains(free, next) && !slices.Contains(cells, next) && len(free)-len(cells) > voids && !divided(append(cells, next)) {
					cells = append(cells, next)
				}
			}
			for _, c := range cells {
				grid[c.Row][c.Col] = name
			}
		}
		text := "tray:\n" + string(slices.Concat(joinRows(grid)...)) + "\n"
		for _, w := range walls {
			text += "walls: " + w.String() + "\n"
		}
		p, err := ParsePuzzle(text)
		if err != nil {
			continue // no piece, or no cell
		}
		// Goals are parts of a place where a random walk leads.
		for range 1 + rng.IntN(2) {
			at := p.Start()
			for range rng.IntN(40) {
				if next := p.successors(Steps, at); len(next) > 0 {
					at = next[rng.IntN(len(next))].pos
				}
			}
			drawing := p.FormatPosition(at)
			keep := p.pieces[rng.IntN(len(p.pieces))].name
			all := rng.IntN(4) == 0
			heading := "goal: "
			if rng.IntN(8) == 0 {
				heading = "anywhere: "
			}
			text += heading + strings.Map(func(ch rune) rune {
				if ch == '/' || ch == '#' || all || byte(ch) == keep {
					return ch
				}
				return '.'
			}, drawing) + "\n"
		}
		some := func() string {
			return string(p.pieces[rng.IntN(len(p.pieces))].name)
		}
		switch rng.IntN(6) {
		case 0:
			text += "distinct: " + some() + "\n"
		case 1:
			text += "alike: *\n"
		case 2:
			text += "horizontal: " + some() + "\n"
		case 3:
			text += "vertical: " + some() + "\n"
		case 4:
			text += "distinct: *\n"
		}
		if p, err = ParsePuzzle(text); err != nil {
			panic(fmt.Sprintf("%v\n%s", err, text))
		}
		return p
	}
}

func joinRows(grid [][]byte) [][]byte {
	var rows [][]byte
	for i, row := range grid {
		if i > 0 {
			rows = append(rows, []byte("\n"))
		}
		rows = append(rows, row)
	}
	return rows
}
