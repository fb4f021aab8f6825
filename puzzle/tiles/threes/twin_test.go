package threes

// The plain twin: the rules of Threes read straight from the page. Boards are arrays of tile
// values, states live in maps, values come by recursion. It shares no code with the fast rules.

import (
	"math"
	"slices"
	"testing"

	"pagoda/internal/long"
)

// plainNode is a position before the next tile is shown: values of tiles, row by row (0: empty),
// and how many 1s, 2s and 3s the bag still holds. An empty bag is full again.
type plainNode struct {
	cells [12]int
	bag   [3]int
}

// plain are the rules of one game.
type plain struct {
	rows, columns int
	bag           [3]int // what a full bag holds; all 0: each tile is 1, 2 or 3 with chance 1/3
	hidden        bool   // the move is chosen before the next tile is known
	stop          int    // the game ends when a tile of this value is there; 0: play to the end
	bonus         bool
}

// lines lists the cells of each line that moves in a direction, nearest to the wall first:
// 0 up, 1 down, 2 left, 3 right.
func (p plain) lines(direction int) [][]int {
	var lines [][]int
	if direction < 2 {
		for c := range p.columns {
			var line []int
			for r := range p.rows {
				line = append(line, r*p.columns+c)
			}
			lines = append(lines, line)
		}
	} else {
		for r := range p.rows {
			var line []int
			for c := range p.columns {
				line = append(line, r*p.columns+c)
			}
			lines = append(lines, line)
		}
	}
	if direction%2 == 1 {
		for _, line := range lines {
			slices.Reverse(line)
		}
	}
	return lines
}

// slide moves every line that can move by one step; free are the cells at the far edge that the
// next tile may take, one for each line that moved.
func (p plain) slide(n plainNode, direction int) (after plainNode, free []int) {
	for _, line := range p.lines(direction) {
		for i := 1; i < len(line); i++ {
			to, from := n.cells[line[i-1]], n.cells[line[i]]
			join := to+from == 3 && to != 0 && from != 0 || to >= 3 && to == from
			if from == 0 || to != 0 && !join {
				continue
			}
			n.cells[line[i-1]] = to + from
			for j := i; j < len(line)-1; j++ {
				n.cells[line[j]] = n.cells[line[j+1]]
			}
			n.cells[line[len(line)-1]] = 0
			free = append(free, line[len(line)-1])
			break
		}
	}
	return n, free
}

// highest is the value of the largest tile.
func (n plainNode) highest() int { return slices.Max(n.cells[:]) }

// score is what the tiles are worth when the game has ended: 3^(k+1) for 3 x 2^k.
func (n plainNode) score() float64 {
	sum := 0.0
	for _, tile := range n.cells {
		if tile >= 3 {
			sum += math.Pow(3, math.Log2(float64(tile)/3)+1)
		}
	}
	return sum
}

// over says that no slide moves, or that the stop tile is there.
func (p plain) over(n plainNode) bool {
	if p.stop > 0 && n.highest() >= p.stop {
		return true
	}
	for d := range 4 {
		if _, free := p.slide(n, d); len(free) > 0 {
			return false
		}
	}
	return true
}

// full fills an empty bag.
func (p plain) full(n plainNode) plainNode {
	if n.bag == [3]int{} {
		n.bag = p.bag
	}
	return n
}

// plainNext is a tile that may come next, with its chance and the bag after it. A bonus tile does
// not come from the bag.
type plainNext struct {
	values []int // one value, or those that a hint "+" leaves open, with equal chances
	chance float64
	bag    [3]int
}

// nexts lists the tiles that may come next.
func (p plain) nexts(n plainNode) []plainNext {
	var list []plainNext
	small := 1.0
	if p.bonus && n.highest() >= 48 {
		var values []int
		for v := 6; v <= n.highest()/8; v *= 2 {
			values = append(values, v)
		}
		list = append(list, plainNext{values, 1.0 / 21, n.bag})
		small = 20.0 / 21
	}
	if p.bag == [3]int{} {
		for v := 1; v <= 3; v++ {
			list = append(list, plainNext{[]int{v}, small / 3, n.bag})
		}
		return list
	}
	left := n.bag[0] + n.bag[1] + n.bag[2]
	for i, count := range n.bag {
		if count > 0 {
			bag := n.bag
			bag[i]--
			list = append(list, plainNext{[]int{i + 1}, small * float64(count) / float64(left), bag})
		}
	}
	return list
}

// starts lists the starts with their chances: floor(9 x cells / 16) tiles drawn from the bag, on
// random cells.
func (p plain) starts() map[plainNode]float64 {
	cells := p.rows * p.columns
	now := map[plainNode]float64{p.full(plainNode{}): 1}
	for range 9 * cells / 16 {
		next := map[plainNode]float64{}
		for n, chance := range now {
			var empty []int
			for c := range cells {
				if n.cells[c] == 0 {
					empty = append(empty, c)
				}
			}
			for _, t := range p.nexts(n) {
				for _, c := range empty {
					m := n
					m.cells[c], m.bag = t.values[0], t.bag
					next[p.full(m)] += chance * t.chance / float64(len(empty))
				}
			}
		}
		now = next
	}
	return now
}

// canonical is the least image of a node under the symmetries of the board.
func (p plain) canonical(n plainNode) plainNode {
	best := n
	for s := range 8 {
		if s >= 4 && p.rows != p.columns {
			break
		}
		image := plainNode{bag: n.bag}
		for r := range p.rows {
			for c := range p.columns {
				i, j := r, c
				if s&4 != 0 {
					i, j = j, i
				}
				if s&1 != 0 {
					i = p.rows - 1 - i
				}
				if s&2 != 0 {
					j = p.columns - 1 - j
				}
				image.cells[i*p.columns+j] = n.cells[r*p.columns+c]
			}
		}
		if slices.Compare(image.cells[:], best.cells[:]) < 0 {
			best = image
		}
	}
	return best
}

// plainSolver holds the best value of every node reached.
type plainSolver struct {
	plain
	final  func(plainNode) float64
	values map[plainNode]float64
}

// solve gives the best mean of final over the starts. Nodes are told apart up to symmetry.
func (p plain) solve(final func(plainNode) float64) (float64, *plainSolver) {
	s := &plainSolver{p, final, map[plainNode]float64{}}
	mean := 0.0
	for n, chance := range p.starts() {
		mean += chance * s.value(n)
	}
	return mean, s
}

func (s *plainSolver) value(n plainNode) float64 {
	n = s.canonical(n)
	if v, ok := s.values[n]; ok {
		return v
	}
	v := 0.0
	if s.over(n) {
		v = s.final(n)
	} else if nexts := s.nexts(n); s.hidden {
		v = s.best(n, nexts)
	} else {
		for i := range nexts {
			v += s.best(n, nexts[i:i+1])
		}
	}
	s.values[n] = v
	return v
}

// best is the largest mean over the moves when the player knows only that one of nexts comes; a
// mean weighs each of them by its chance.
func (s *plainSolver) best(n plainNode, nexts []plainNext) float64 {
	best := math.Inf(-1)
	for d := range 4 {
		after, free := s.slide(n, d)
		if len(free) == 0 {
			continue
		}
		mean := 0.0
		for _, t := range nexts {
			for _, value := range t.values {
				for _, c := range free {
					m := after
					m.cells[c], m.bag = value, t.bag
					mean += t.chance / float64(len(t.values)*len(free)) * s.value(s.full(m))
				}
			}
		}
		best = max(best, mean)
	}
	return best
}

// boards counts the boards of the nodes, whatever their bags hold.
func (s *plainSolver) boards() int {
	boards := map[[12]int]bool{}
	for n := range s.values {
		boards[n.cells] = true
	}
	return len(boards)
}

// reaches is the objective "a tile of this value, at the end".
func reaches(value int) func(plainNode) float64 {
	return func(n plainNode) float64 {
		if n.highest() >= value {
			return 1
		}
		return 0
	}
}

// TestPlain holds the plain rules to the table of known values.
func TestPlain(t *testing.T) {
	four, one := [3]int{4, 4, 4}, [3]int{1, 1, 1}
	for _, test := range []struct {
		rules         plain
		nodes, boards int
		score         float64
		tile          int
		reached       float64
	}{
		{plain{rows: 2, columns: 2, bag: four}, 575, 242, 34.931115833661, 24, 0.164617604618},
		{plain{rows: 2, columns: 3, bag: four}, 120606, 54834, 318.359875810799, 96, 0.067953055247},
		{plain{rows: 2, columns: 3, bag: one}, 32268, 31133, 462.556576878111, 0, 0},
	} {
		if !long.Tests && test.nodes > 100000 {
			continue
		}
		mean, s := test.rules.solve(plainNode.score)
		if len(s.values) != test.nodes || s.boards() != test.boards || math.Abs(mean-test.score) > 3e-12 {
			t.Errorf("%+v: %d nodes, %d boards, %.12f, want %d, %d, %.12f", test.rules, len(s.values), s.boards(), mean, test.nodes, test.boards, test.score)
		}
		if test.tile > 0 {
			got, _ := test.rules.solve(reaches(test.tile))
			if math.Abs(got-test.reached) > 3e-12 {
				t.Errorf("%+v: %d is reached with %.12f, want %.12f", test.rules, test.tile, got, test.reached)
			}
		}
	}
}
