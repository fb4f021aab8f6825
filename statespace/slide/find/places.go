package find

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"pagoda/statespace/slide/tray"
)

// A place is a piece at a place.
type place struct {
	mask  uint64
	next  []int32 // by step: the number of the place, or noPlace
	first uint8   // its lowest cell
	last  uint8   // its highest cell
	shape int32
}

// noPlace stands for no place.
const noPlace = -1

// A form is a shape that pieces have: one of the problem, or one of all connected ones.
type form struct {
	cells int
	axis  tray.Axis
	free  bool             // pieces besides the goal piece can have it
	at    [maxBits]int32   // by lowest cell: the place, or noPlace
	open  [maxSteps]uint64 // by step: the lowest cells of places from which it leads to a place
}

const maxSteps = 6

// places are all places of all shapes.
type places struct {
	*grid
	forms   []form
	all     []place
	byFirst [maxBits][]int32
	number  map[placeKey]int32
}

type placeKey struct {
	mask uint64
	axis tray.Axis
}

// A formKey is a shape: its cells as far up and left as they go, whether or not the board has them.
type formKey struct {
	mask uint64
	axis tray.Axis
}

// newPlaces makes the places. The error is ErrShape if a shape is not on the board, or a *LimitError.
func newPlaces(g *grid, p *Problem) (*places, error) {
	ps := &places{grid: g, number: make(map[placeKey]int32)}
	known := make(map[formKey]int32)
	if p.Shapes == nil {
		all, err := g.connected()
		if err != nil {
			return nil, err
		}
		for _, mask := range all {
			ps.add(mask, tray.Free, true, known)
		}
	}
	addShape := func(s Shape, free bool) error {
		mask, ok := g.set(s.Cells)
		if !ok {
			return fmt.Errorf("%w: %v", ErrShape, s.Cells)
		}
		for _, to := range g.translations(mask) {
			if g.fits(to) {
				ps.add(to, s.Axis, free, known)
			}
		}
		return nil
	}
	for _, s := range p.Shapes {
		if err := addShape(s, true); err != nil {
			return nil, err
		}
	}
	for _, goal := range p.Goals {
		if err := addShape(goal.Shape, false); err != nil {
			return nil, err
		}
	}
	ps.link()
	return ps, nil
}

// ErrShape says that a shape of a problem has a cell that is not on the board.
var ErrShape = errors.New("a shape has cells that are not on the board")

// add adds a place, which may be known.
func (ps *places) add(mask uint64, axis tray.Axis, free bool, known map[formKey]int32) {
	if at, ok := ps.number[placeKey{mask, axis}]; ok {
		f := &ps.forms[ps.all[at].shape]
		f.free = f.free || free
		return
	}
	key := formKey{ps.cornered(mask), axis}
	shape, ok := known[key]
	if !ok {
		shape = int32(len(ps.forms))
		known[key] = shape
		f := form{cells: bits.OnesCount64(mask), axis: axis, free: free}
		for i := range f.at {
			f.at[i] = noPlace
		}
		ps.forms = append(ps.forms, f)
	}
	id := int32(len(ps.all))
	ps.number[placeKey{mask, axis}] = id
	first := bits.TrailingZeros64(mask)
	ps.all = append(ps.all, place{mask: mask, first: uint8(first), last: uint8(bits.Len64(mask) - 1), shape: shape})
	ps.forms[shape].at[first] = id
	ps.byFirst[first] = append(ps.byFirst[first], id)
}

// link finds the places that steps lead to.
func (ps *places) link() {
	next := make([]int32, len(ps.all)*len(ps.steps))
	for i := range ps.all {
		from := &ps.all[i]
		from.next = next[i*len(ps.steps):][:len(ps.steps):len(ps.steps)]
		for d, s := range ps.steps {
			from.next[d] = noPlace
			axis := ps.forms[from.shape].axis
			if axis != tray.Free && axis != s.axis {
				continue
			}
			if to := ps.moved(from.mask, s); to != 0 {
				if at, ok := ps.number[placeKey{to, axis}]; ok {
					from.next[d] = at
					ps.forms[from.shape].open[d] |= 1 << from.first
				}
			}
		}
	}
}

// placesAt returns the places of a shape at the given lowest cells.
func (ps *places) placesAt(s Shape, at []tray.Cell) (ids []int32) {
	mask, _ := ps.set(s.Cells)
	for _, to := range ps.translations(mask) {
		id, ok := ps.number[placeKey{to, s.Axis}]
		if ok && slices.Contains(at, ps.cell(bits.TrailingZeros64(to))) {
			ids = append(ids, id)
		}
	}
	return ids
}

// placesOf returns where the piece of a goal may start and end.
func (ps *places) placesOf(g *Goal) (starts, ends []int32) {
	ends = ps.placesAt(g.Shape, g.Ends)
	if g.Starts == nil {
		return ps.placesAt(g.Shape, ps.Cells), ends
	}
	return ps.placesAt(g.Shape, g.Starts), ends
}
