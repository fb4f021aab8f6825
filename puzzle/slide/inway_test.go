package slide

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pagoda/internal/long"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
)

// An inWay bounds the distance to the goal of a Rush Hour board with one goal, of one car. In moves, the car moves, each car in its way
// moves, and so do the cars that are in their way on the better side. In steps each of them goes at least as far as it must to
// leave the way. They are different cars, so that their moves add up. It is no bound where several cars move together.
type inWay struct {
	p     *tray.Puzzle
	steps bool
	more  bool // with the cars in the way of those in the way
}

// side is a way to clear some cells: how far a car must go, and the cells that it then goes through.
type side struct {
	steps   int
	through tray.Set
}

// sides returns the ways in which a car can leave some cells, if nothing else is on the board.
func (b *inWay) sides(pos tray.Position, car int, clear tray.Set) (all []side) {
	kind := &b.p.Kinds()[b.p.KindOf(car)]
	start := kind.Mask[pos[car]]
	for d := range b.p.Directions() {
		at, s := int16(pos[car]), side{}
		for at != tray.None && kind.Mask[at].Meets(&clear) {
			if at = kind.Next[d][at]; at != tray.None {
				s.steps++
				s.through = s.through.Union(kind.Mask[at].Without(start))
			}
		}
		if at != tray.None {
			all = append(all, s)
		}
	}
	return all
}

// in returns the cars in some cells, but for one.
func (b *inWay) in(pos tray.Position, cells tray.Set, but int) (cars []int) {
	for car := range pos {
		if mask := b.p.Mask(pos, car); car != but && mask.Meets(&cells) {
			cars = append(cars, car)
		}
	}
	return cars
}

// least is the least that a car costs to leave some cells.
func (b *inWay) least(pos tray.Position, car int, clear tray.Set) int {
	best := far
	for _, s := range b.sides(pos, car, clear) {
		best = min(best, b.cost(s.steps))
	}
	return best
}

func (b *inWay) cost(steps int) int {
	if b.steps {
		return steps
	}
	return min(1, steps)
}

// bound is at least far if no goal can be reached.
func (b *inWay) bound(pos tray.Position) int {
	want := b.p.Wants(0)[0]
	kind := &b.p.Kinds()[b.p.KindOf(want.Piece)]
	red, best := want.Piece, far
	for d := range b.p.Directions() {
		way, steps := tray.Set{}, 0
		at := int16(pos[red])
		for at != tray.None && at != int16(want.Anchor) {
			if at = kind.Next[d][at]; at != tray.None {
				way, steps = way.Union(kind.Mask[at]), steps+1
			}
		}
		if at != tray.None {
			way = way.Without(kind.Mask[pos[red]])
			best = min(best, b.cost(steps)+b.clear(pos, b.in(pos, way, red), way, nil))
		}
	}
	return best
}

// clear bounds what it costs that cars leave the way of the car that must get out. The cars that must move for them are in next, with the
// most that a cell which they must leave costs.
func (b *inWay) clear(pos tray.Position, cars []int, way tray.Set, next map[int]int) (best int) {
	if len(cars) == 0 {
		for _, cost := range next {
			best += cost
		}
		return best
	}
	if !b.more {
		return b.least(pos, cars[0], way) + b.clear(pos, cars[1:], way, nil)
	}
	best = far
	for _, s := range b.sides(pos, cars[0], way) {
		with := make(map[int]int)
		for car, cost := range next {
			with[car] = cost
		}
		for cell := range s.through.All() {
			var one tray.Set
			one.Add(cell)
			for _, car := range b.in(pos, one, cars[0]) {
				with[car] = max(with[car], b.least(pos, car, one))
			}
		}
		best = min(best, b.cost(s.steps)+b.clear(pos, cars[1:], way, with))
	}
	return best
}

// randomRush draws a small Rush Hour board: bars of two or three cells, and perhaps walls. Car A goes to the right edge.
func randomRush(t *testing.T, rng *rand.Rand) *tray.Puzzle {
	t.Helper()
	rows, cols := 3+rng.IntN(2), 4+rng.IntN(2)
	grid := make([][]byte, rows)
	for r := range grid {
		grid[r] = []byte(strings.Repeat(".", cols))
	}
	red := rng.IntN(rows)
	copy(grid[red], "AA")
	for _, name := range "BCDEFGHI"[:2+rng.IntN(7)] {
		length, r, c := 2+rng.IntN(2), rng.IntN(rows), rng.IntN(cols)
		down, free := rng.IntN(2), true
		for i := range length {
			y, x := r+i*down, c+i*(1-down)
			free = free && y < rows && x < cols && grid[y][x] == '.' && (down == 1 || y != red)
		}
		for i := range length {
			if free {
				grid[r+i*down][c+i*(1-down)] = byte(name)
			}
		}
	}
	var text, goal strings.Builder
	text.WriteString("rushhour:\ntray:\n")
	for r, row := range grid {
		for c, ch := range row {
			if ch == '.' && r != red && rng.IntN(12) == 0 {
				row[c] = '#'
			}
		}
		text.Write(append(row, '\n'))
		line := strings.Repeat(".", cols)
		if r == red {
			line = line[2:] + "AA"
		}
		goal.WriteString(line + "\n")
	}
	return slidetest.Parse(t, text.String()+"goal:\n"+goal.String())
}

// TestInWay: on random Rush Hour boards no bound of the cars in the way exceeds the distance to the goal, whatever placement the
// cars are in.
func TestInWay(t *testing.T) {
	rng := rand.New(rand.NewPCG(493, 494))
	better := 0
	for n := 0; n < long.Or(3000, 150); {
		p := randomRush(t, rng)
		if len(p.Pieces()) < 2 || mustPack(t, p).Size() > 5000 {
			continue
		}
		n++
		for _, m := range []tray.Metric{tray.Steps, tray.Lines, tray.Moves} {
			truth := relax(t, p, m, all(p), false, 5000)
			one, two := &inWay{p, m == tray.Steps, false}, &inWay{p, m == tray.Steps, true}
			checkBound(t, p, m, truth, func(pos tray.Position) int { return min(far, one.bound(pos)) }, false)
			checkBound(t, p, m, truth, func(pos tray.Position) int { return min(far, two.bound(pos)) }, false)
			if start := p.Start(); two.bound(start) > one.bound(start) {
				better++
			}
		}
	}
	if t.Log("the cars in the way of those in the way count at the start:", better); better < long.Or(100, 5) {
		t.Error("the cars in the way of those in the way never count")
	}
}
