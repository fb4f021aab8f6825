package rushhour

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pagoda/internal/dealing"
	"pagoda/internal/ordinals"
)

// A code is a position: three bits for the place of each vehicle in its line.
type code uint64

const codeBits = 3

// hash is a hash of the code, for a table.
func (c code) hash() uint64 { return ordinals.Hash(uint64(c)) }

func (c code) at(i int) int { return int(c >> (codeBits * i) & (1<<codeBits - 1)) }

func (c code) with(i, at int) code {
	return c&^((1<<codeBits-1)<<(codeBits*i)) | code(at)<<(codeBits*i)
}

// A layout is what the positions of a board have in common, and makes moves.
type layout struct {
	board Board
	cells [MaxVehicles][MaxSide - 1]uint64 // by vehicle and place; 0 where it has no place
	full  uint64                           // the walls
	steps bool                             // a move is by one cell
}

// newLayout returns the layout of a board, and the code of its position. The vehicles but the goal car
// are by axis, line and order in the line, so all positions have them in the same order.
func newLayout(b Board) (*layout, code) {
	b.Vehicles = slices.Clone(b.Vehicles)
	order := func(v Vehicle) int {
		if v.Vertical {
			return MaxSide*(MaxSide+v.Col) + v.Row
		}
		return MaxSide*v.Row + v.Col
	}
	slices.SortFunc(b.Vehicles[1:], func(v, w Vehicle) int { return order(v) - order(w) })
	l := &layout{board: b, full: b.Walls}
	var at code
	for i, v := range l.board.Vehicles {
		at = at.with(i, v.at())
		for place := range b.side() + 1 - v.Length {
			if cells := v.movedTo(place).Cells(); cells&l.full == 0 {
				l.cells[i][place] = cells
			}
		}
	}
	return l, at
}

// boardOf returns the board in a position.
func (l *layout) boardOf(c code) Board {
	b := l.board
	b.Vehicles = slices.Clone(b.Vehicles)
	for i, v := range b.Vehicles {
		b.Vehicles[i] = v.movedTo(c.at(i))
	}
	return b
}

// solved reports whether a position is a goal.
func (l *layout) solved(c code) bool { return c.at(0) == l.board.side()-l.board.Vehicles[0].Length }

// moves appends the positions after each move: a vehicle goes any number of cells along its line.
func (l *layout) moves(to []code, c code) []code {
	taken := l.full
	for i := range l.board.Vehicles {
		taken |= l.cells[i][c.at(i)]
	}
	for i := range l.board.Vehicles {
		at := c.at(i)
		others := taken &^ l.cells[i][at]
		for _, step := range [...]int{-1, 1} {
			for next := at + step; next >= 0 && next < MaxSide-1; next += step {
				if cells := l.cells[i][next]; cells == 0 || cells&others != 0 {
					break
				}
				if to = append(to, c.with(i, next)); l.steps {
					break
				}
			}
		}
	}
	return to
}

// ErrLarge is the error of a component with more positions than a Searcher may look at.
var ErrLarge = errors.New("the board has too many positions")

// A Searcher searches boards one after the other. The zero value is ready, and has no limit.
type Searcher struct {
	// Most is how many positions a search may look at; 0 is no limit.
	Most int
	// Steps counts each cell that a vehicle moves. Otherwise any distance is one move.
	Steps bool

	table *ordinals.Table[code] // of the positions
	to    []code
	graph []uint32
	ends  []uint32
}

// begin empties the table but for the position of a board, and returns the layout of the board.
func (s *Searcher) begin(b Board) (*layout, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	l, start := newLayout(b)
	l.steps = s.Steps
	if s.table == nil {
		s.table = ordinals.New(code.hash)
	}
	s.table.Reset()
	s.table.Number(start, start.hash())
	return l, nil
}

// A Component is all positions that can be reached from a board.
type Component struct {
	layout *layout
	codes  []code // by position; the board is the first
	// depth is the least number of moves to a goal by position, or -1.
	depth []int16
	// graph has the positions after each move of each position. Those of a position end at ends.
	graph, ends []uint32
}

// moves returns the positions after each move.
func (c *Component) moves(n uint32) []uint32 {
	if n == 0 {
		return c.graph[:c.ends[0]]
	}
	return c.graph[c.ends[n-1]:c.ends[n]]
}

// Explore finds all positions that can be reached from a board, and how many moves each is from the
// nearest goal. The component is valid until the next search.
func (s *Searcher) Explore(b Board) (*Component, error) {
	l, err := s.begin(b)
	if err != nil {
		return nil, err
	}
	s.graph, s.ends = s.graph[:0], s.ends[:0]
	for i := 0; i < len(s.table.Keys); i++ {
		if s.Most > 0 && i >= s.Most {
			return nil, ErrLarge
		}
		s.to = l.moves(s.to[:0], s.table.Keys[i])
		for _, c := range s.to {
			n, _ := s.table.Number(c, c.hash())
			s.graph = append(s.graph, n)
		}
		s.ends = append(s.ends, uint32(len(s.graph)))
	}
	c := &Component{layout: l, codes: s.table.Keys, graph: s.graph, ends: s.ends, depth: make([]int16, len(s.table.Keys))}
	queue := make([]uint32, 0, len(c.depth))
	for i, at := range c.codes {
		if c.depth[i] = -1; l.solved(at) {
			c.depth[i] = 0
			queue = append(queue, uint32(i))
		}
	}
	for i := 0; i < len(queue); i++ {
		d := c.depth[queue[i]] + 1
		for _, n := range c.moves(queue[i]) {
			if c.depth[n] < 0 {
				c.depth[n] = d
				queue = append(queue, n)
			}
		}
	}
	return c, nil
}

// Check says what is wrong with a board: no vehicles or too many, one that is off the board, on a wall or on
// another, or a goal car that does not lie along a row.
func (b Board) Check() error {
	taken, side := b.Walls, b.side()
	if side < 1 || side > MaxSide {
		return fmt.Errorf("a board of %d rows, expected at most %d", side, MaxSide)
	}
	if len(b.Vehicles) == 0 || len(b.Vehicles) > MaxVehicles {
		return fmt.Errorf("a board has 1 to %d vehicles, found %d", MaxVehicles, len(b.Vehicles))
	}
	for i, v := range b.Vehicles {
		rows, cols := 1, v.Length
		if v.Vertical {
			rows, cols = cols, rows
		}
		if v.Length < 2 || v.Length > 3 || v.Row < 0 || v.Col < 0 || v.Row+rows > side || v.Col+cols > side || i == 0 && v.Vertical {
			return fmt.Errorf("vehicle %d is wrong: %+v", i, v)
		}
		if taken&v.Cells() != 0 {
			return fmt.Errorf("vehicle %d is on a wall or on a vehicle before it", i)
		}
		taken |= v.Cells()
	}
	return nil
}

// Positions returns the number of positions.
func (c *Component) Positions() int { return len(c.codes) }

// Length returns the least number of moves from the board to a goal. It is false if there is no way.
func (c *Component) Length() (int, bool) { return int(c.depth[0]), c.depth[0] >= 0 }

// Hardest returns the greatest number of moves from a position to a goal, and the positions that need
// them as boards, in the order of their codes. If no goal can be reached, there are none.
func (c *Component) Hardest() (moves int, starts []Board) {
	most := slices.Max(c.depth)
	if most < 0 {
		return 0, nil
	}
	var codes []code
	for i, d := range c.depth {
		if d == most {
			codes = append(codes, c.codes[i])
		}
	}
	slices.Sort(codes)
	for _, at := range codes {
		starts = append(starts, c.layout.boardOf(at))
	}
	return int(most), starts
}

// Least returns the board of the position with the least code, which is the same for all positions of the
// component.
func (c *Component) Least() Board { return c.layout.boardOf(slices.Min(c.codes)) }

// Questions returns how many yes-or-no questions a player has to answer on the way from the board to a
// goal: the binary logarithm of 1/chance, where the chance is that of a player who picks each move at
// random, and solves the board in the fewest moves. It is +Inf if no goal can be reached.
func (c *Component) Questions() float64 {
	if c.depth[0] < 0 {
		return math.Inf(1)
	}
	moves := func(n uint32) int { return int(c.depth[n]) }
	return -math.Log2(dealing.Chance(make(map[uint32]float64), 0, moves, c.moves))
}

// Solve returns the least number of moves from a board to a goal. It is false if there is no way.
func (s *Searcher) Solve(b Board) (moves int, ok bool, err error) {
	l, err := s.begin(b)
	if err != nil {
		return 0, false, err
	}
	for i, end := 0, 1; i < len(s.table.Keys); i++ {
		if i == end {
			moves, end = moves+1, len(s.table.Keys)
		}
		if l.solved(s.table.Keys[i]) {
			return moves, true, nil
		}
		if s.Most > 0 && i >= s.Most {
			return 0, false, ErrLarge
		}
		s.to = l.moves(s.to[:0], s.table.Keys[i])
		for _, c := range s.to {
			s.table.Number(c, c.hash())
		}
	}
	return 0, false, nil
}

// Needless returns a vehicle that a board can do without: the board without it takes as many moves. It
// is -1 if there is none, and every vehicle makes the board harder. A board that cannot be solved has
// none.
//
// A vehicle that moves in a shortest solution is not needless: the solution without its moves solves the
// board without it. So only the others are tried.
func (s *Searcher) Needless(b Board) (int, error) {
	c, err := s.Explore(b)
	if err != nil {
		return 0, err
	}
	moves, ok := c.Length()
	if !ok {
		return -1, nil
	}
	moved := c.moved()
	for i, v := range b.Vehicles {
		if i == 0 || moved[v] {
			continue
		}
		n, _, err := s.Solve(b.Without(i))
		if err != nil {
			return 0, err
		}
		if n == moves {
			return i, nil
		}
	}
	return -1, nil
}

// moved returns the vehicles of the board that move in one of its shortest solutions.
func (c *Component) moved() map[Vehicle]bool {
	var changed code
	at := uint32(0)
	for c.depth[at] > 0 {
		i := slices.IndexFunc(c.moves(at), func(n uint32) bool { return c.depth[n] == c.depth[at]-1 })
		next := c.moves(at)[i]
		changed |= c.codes[at] ^ c.codes[next]
		at = next
	}
	all := make(map[Vehicle]bool)
	for i, v := range c.layout.board.Vehicles {
		if changed.at(i) != 0 {
			all[v] = true
		}
	}
	return all
}
