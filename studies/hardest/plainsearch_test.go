package hardest

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// Plain is Search as N. Bickford describes it: it lists the placements with the goal piece at an end,
// one after the other. From each it searches the whole component, with a hash set of positions, unless
// that was done from another one. It numbers nothing, and shares nothing with Search but the types
// of the problem. It is simple on purpose: tests compare Search with it.
//
// Search leaves out what is turned or reflected, Plain does not. So here Placements and Reached
// count all goals, and Starts lists all starts, sorted by their goals and cells. The others can
// be had by turning those of Search. As there, a goal without a start that is no end is left out.
func Plain(ctx context.Context, p *Problem) ([]Result, error) {
	s, err := newPlainSearch(ctx, p)
	if err != nil {
		return nil, err
	}
	for i := range p.Goals {
		if err := s.searchGoal(i); err != nil {
			return nil, err
		}
	}
	var all []Result
	for _, r := range s.results {
		slices.SortFunc(r.Starts, func(a, b Start) int {
			return cmp.Or(cmp.Compare(a.Goal, b.Goal), slices.CompareFunc(a.Pieces, b.Pieces, plainOrder))
		})
		all = append(all, *r)
	}
	slices.SortFunc(all, func(a, b Result) int { return cmp.Compare(a.Pieces, b.Pieces) })
	return all, nil
}

// plainOrder is that of pieces, by their cells.
func plainOrder(a, b Shape) int {
	return slices.CompareFunc(a.Cells, b.Cells, tray.Cell.Compare)
}

// A point is a floor, a row on it and a column. It can also be the way between two cells.
type point [3]int

func (a point) plus(b point) point  { return point{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a point) minus(b point) point { return point{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// plainSteps are the ways of a step, and the axis of the pieces that make it, besides the free ones.
var plainSteps = []struct {
	way  point
	axis tray.Axis
}{
	{point{0, -1, 0}, tray.Vertical}, {point{0, 1, 0}, tray.Vertical}, {point{0, 0, -1}, tray.Horizontal},
	{point{0, 0, 1}, tray.Horizontal}, {point{-1, 0, 0}, tray.Upright}, {point{1, 0, 0}, tray.Upright},
}

// A plainSearch is the state of Plain. Cells are known by their numbers: their indices in the board.
type plainSearch struct {
	*Problem
	ctx     context.Context
	points  []point // by cell
	number  map[point]int
	walls   map[[2]int]bool // pairs of cells with a thin wall between, in both orders
	kinds   []*plainKind    // of the other pieces, then that of the goal piece
	fitting [][]int         // by lowest cell: the kinds of other pieces that fit
	results map[int]*Result // by pieces

	goal         int
	starts, ends map[int]bool
	done         map[string]bool // the ends that were visited
}

// A plainKind is a shape.
type plainKind struct {
	ways []point // from the lowest cell to all
	axis tray.Axis
	// By lowest cell: the cells of a piece that is there, or nil if it does not fit.
	places [][]int
	// By lowest cell and step: the lowest cell after it, or noCell.
	next [][]int
}

const noCell = -1

// A plainPiece is a kind of piece and its lowest cell.
type plainPiece struct{ kind, at int }

// A position is the goal piece, and the others in the order of their lowest cells.
type position []plainPiece

// key returns what equal positions share.
func (pos position) key() string {
	key := make([]byte, 0, 4*len(pos))
	for _, piece := range pos {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(piece.kind)), uint64(piece.at))
	}
	return string(key)
}

func newPlainSearch(ctx context.Context, p *Problem) (*plainSearch, error) {
	if _, err := p.grid(); err != nil {
		return nil, err
	}
	s := &plainSearch{Problem: p, ctx: ctx, number: make(map[point]int), walls: make(map[[2]int]bool), results: make(map[int]*Result)}
	for i, c := range p.Board.Cells {
		s.points = append(s.points, s.pointOf(c))
		s.number[s.points[i]] = i
	}
	for _, w := range p.Board.Walls {
		a, b := s.number[s.pointOf(w.Cell)], s.number[s.pointOf(w.Beyond(p.Board.Rows/max(1, p.Board.Floors)))]
		s.walls[[2]int{a, b}], s.walls[[2]int{b, a}] = true, true
	}
	shapes := p.Shapes
	if shapes == nil {
		shapes = s.connectedShapes()
	}
	known := make(map[string]bool)
	for _, shape := range shapes {
		kind := s.newKind(shape)
		if key := fmt.Sprint(kind.ways, kind.axis); !known[key] {
			known[key] = true
			s.kinds = append(s.kinds, kind)
		}
	}
	s.fitting = make([][]int, len(s.points))
	for i, kind := range s.kinds {
		for at, cells := range kind.places {
			if cells != nil {
				s.fitting[at] = append(s.fitting[at], i)
			}
		}
	}
	return s, nil
}

func (s *plainSearch) pointOf(c tray.Cell) point {
	rows := s.Board.Rows / max(1, s.Board.Floors)
	return point{c.Row / rows, c.Row % rows, c.Col}
}

// cellsOf returns the numbers of cells, in increasing order.
func (s *plainSearch) cellsOf(cells []tray.Cell) (all []int) {
	for _, c := range cells {
		all = append(all, s.number[s.pointOf(c)])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// newKind finds the places of a shape, and its steps.
func (s *plainSearch) newKind(shape Shape) *plainKind {
	cells := s.cellsOf(shape.Cells)
	k := &plainKind{axis: shape.Axis, places: make([][]int, len(s.points)), next: make([][]int, len(s.points))}
	for _, c := range cells {
		k.ways = append(k.ways, s.points[c].minus(s.points[cells[0]]))
	}
	for at := range s.points {
		k.places[at] = s.placed(at, k.ways)
	}
	for at, cells := range k.places {
		for _, step := range plainSteps {
			to := noCell
			if cells != nil && (k.axis == tray.Free || k.axis == step.axis) {
				to = s.stepped(k, cells, step.way)
			}
			k.next[at] = append(k.next[at], to)
		}
	}
	return k
}

// placed returns the cells of a shape with the given lowest cell, or nil if it does not fit.
func (s *plainSearch) placed(at int, ways []point) (cells []int) {
	for _, way := range ways {
		cell, ok := s.number[s.points[at].plus(way)]
		if !ok {
			return nil
		}
		for _, other := range cells {
			if s.walls[[2]int{cell, other}] {
				return nil
			}
		}
		cells = append(cells, cell)
	}
	return cells
}

// stepped returns the lowest cell after a step, or noCell.
func (s *plainSearch) stepped(k *plainKind, cells []int, way point) int {
	to, ok := s.number[s.points[cells[0]].plus(way)]
	if !ok || k.places[to] == nil {
		return noCell
	}
	for i, cell := range k.places[to] {
		if s.walls[[2]int{cells[i], cell}] {
			return noCell
		}
	}
	return to
}

// connectedShapes returns all shapes whose cells touch by edges, at all their places: each is another
// one with one more cell.
func (s *plainSearch) connectedShapes() (all []Shape) {
	known := make(map[string]bool)
	var todo [][]tray.Cell
	add := func(cells []tray.Cell) {
		slices.SortFunc(cells, tray.Cell.Compare)
		if key := fmt.Sprint(cells); !known[key] {
			known[key] = true
			todo = append(todo, cells)
		}
	}
	for _, c := range s.Board.Cells {
		add([]tray.Cell{c})
	}
	for len(todo) > 0 {
		cells := todo[0]
		todo = todo[1:]
		all = append(all, Shape{Cells: cells})
		for _, c := range cells {
			for _, step := range plainSteps {
				n, ok := s.number[s.pointOf(c).plus(step.way)]
				if ok && !slices.Contains(cells, s.Board.Cells[n]) && !s.walled(n, cells) {
					add(append(slices.Clone(cells), s.Board.Cells[n]))
				}
			}
		}
	}
	return all
}

// walled reports whether a thin wall is between a cell and one of others.
func (s *plainSearch) walled(n int, others []tray.Cell) bool {
	return slices.ContainsFunc(others, func(c tray.Cell) bool { return s.walls[[2]int{n, s.number[s.pointOf(c)]}] })
}

// searchGoal searches the puzzles of one goal.
func (s *plainSearch) searchGoal(goal int) error {
	g := &s.Goals[goal]
	kind := s.newKind(g.Shape)
	s.goal, s.done, s.starts, s.ends = goal, make(map[string]bool), make(map[int]bool), make(map[int]bool)
	puzzle := false
	for at, cells := range kind.places {
		if cells != nil {
			s.starts[at] = g.Starts == nil || slices.Contains(g.Starts, s.Board.Cells[at])
			s.ends[at] = slices.Contains(g.Ends, s.Board.Cells[at])
			puzzle = puzzle || s.starts[at] && !s.ends[at]
		}
	}
	if !puzzle || !slices.Contains(slices.Collect(maps.Values(s.ends)), true) {
		return nil
	}
	s.kinds = append(s.kinds, kind)
	defer func() { s.kinds = s.kinds[:len(s.kinds)-1] }()
	for at, cells := range kind.places {
		if cells == nil {
			continue
		}
		taken := make([]bool, len(s.points))
		for _, cell := range cells {
			taken[cell] = true
		}
		if err := s.fill(position{{len(s.kinds) - 1, at}}, taken, 0); err != nil {
			return err
		}
	}
	return nil
}

// fill puts pieces into the cells from one on, in all ways.
func (s *plainSearch) fill(pos position, taken []bool, cell int) error {
	if cell == len(s.points) {
		return s.visit(pos)
	}
	if err := s.fill(pos, taken, cell+1); err != nil || taken[cell] || len(pos) == s.MaxPieces {
		return err
	}
	for _, kind := range s.fitting[cell] {
		cells := s.kinds[kind].places[cell]
		if slices.ContainsFunc(cells, func(c int) bool { return taken[c] }) {
			continue
		}
		for _, c := range cells {
			taken[c] = true
		}
		err := s.fill(append(pos[:len(pos):len(pos)], plainPiece{kind, cell}), taken, cell+1)
		for _, c := range cells {
			taken[c] = false
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// visit counts a placement, and searches its component if it is an end that was not visited.
func (s *plainSearch) visit(pos position) error {
	if len(pos) < s.MinPieces {
		return nil
	}
	r := s.results[len(pos)]
	if r == nil {
		r = &Result{Pieces: len(pos)}
		s.results[len(pos)] = r
	}
	r.Placements++
	if !s.ends[pos[0].at] || s.done[pos.key()] {
		return nil
	}
	component, after, err := s.component(pos)
	if err != nil {
		return err
	}
	r.Reached += uint64(len(component))
	return s.farthest(component, after, r)
}
