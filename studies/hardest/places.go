package hardest

import (
	"cmp"
	"math/bits"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// A place is a piece at a place.
type place struct {
	mask  uint64
	shape int32            // the number of the form
	first uint8            // its lowest cell
	last  uint8            // its highest cell
	needs [maxSteps]uint64 // by step: the cells that must be empty besides its own, or noStep
}

// noStep stands for what no step needs: all 64 cells.
const noStep = ^uint64(0)

// noPlace stands for no place.
const noPlace = -1

// A form is a shape that pieces have: one of the problem, or one of all connected ones. Its places
// follow each other in the order of their lowest cells.
type form struct {
	valid uint64           // the lowest cells of all places
	open  [maxSteps]uint64 // by step: the lowest cells of places from which it leads to a place
	base  int32            // the first place
	cells uint8
	axis  tray.Axis
	free  bool // pieces besides the goal piece can have it
}

const maxSteps = 6

// at returns the place with a lowest cell, which must be valid.
func (f *form) at(first int) int32 {
	return f.base + int32(bits.OnesCount64(f.valid&(1<<first-1)))
}

// places are all places of all shapes.
type places struct {
	*grid
	forms   []form
	all     []place
	byFirst [maxBits][]int32
	number  map[placeKey]int32
	goals   uint64 // about how many bytes the goals of the problem take
}

// A placeKey is the cells of a place. As far up and left as they go, whether or not the board has them, they
// are a shape.
type placeKey struct {
	mask uint64
	axis tray.Axis
}

// placeBytes is about how many bytes a place takes, with its numbers and its form while they are made.
const placeBytes = 256

// goalBytes returns about how many bytes a goal with some cells takes, with its images while they are made.
func goalBytes(cells int) uint64 { return 256 + 16*uint64(cells) }

// bytes returns about how many bytes the places take, and the goals.
func (ps *places) bytes() uint64 { return uint64(len(ps.all))*placeBytes + ps.goals }

// checkPlaces returns a *LimitError if a number of places, and goals of some bytes, take more bytes than memory.
func checkPlaces(places int, goals, memory uint64) error {
	if bytes := uint64(places)*placeBytes + goals; bytes > memory {
		return &LimitError{Bytes: bytes, Memory: memory, What: "the places of pieces on this board and the goals"}
	}
	return nil
}

// newPlaces makes the places. The error is a *LimitError if they take more bytes than memory, with the goals.
func newPlaces(g *grid, p *Problem, memory uint64) (*places, error) {
	ps := &places{grid: g, number: make(map[placeKey]int32)}
	for i := range p.Goals {
		ps.goals += goalBytes(len(p.Goals[i].Cells))
	}
	count := 0
	if p.Shapes == nil {
		if err := g.connected(func(uint64) { count++ }); err != nil {
			return nil, err
		}
	}
	if err := checkPlaces(count, ps.goals, memory); err != nil {
		return nil, err
	}
	known := make(map[placeKey]int32)
	if p.Shapes == nil {
		g.connected(func(mask uint64) { ps.add(mask, tray.Free, true, known) })
	}
	addShape := func(s Shape, free bool) {
		mask, _ := g.set(s.Cells)
		for _, to := range g.translations(mask) {
			if g.fits(to) {
				ps.add(to, s.Axis, free, known)
			}
		}
	}
	for _, s := range p.Shapes {
		addShape(s, true)
	}
	for _, goal := range p.Goals {
		addShape(goal.Shape, false)
	}
	ps.arrange()
	return ps, nil
}

// add adds a place, which may be known.
func (ps *places) add(mask uint64, axis tray.Axis, free bool, known map[placeKey]int32) {
	key := placeKey{ps.cornered(mask), axis}
	shape, ok := known[key]
	if !ok {
		shape = int32(len(ps.forms))
		known[key] = shape
		ps.forms = append(ps.forms, form{cells: uint8(bits.OnesCount64(mask)), axis: axis, free: free})
	}
	if _, ok := ps.number[placeKey{mask, axis}]; ok {
		return
	}
	ps.number[placeKey{mask, axis}] = 0
	first := bits.TrailingZeros64(mask)
	ps.all = append(ps.all, place{mask: mask, first: uint8(first), last: uint8(bits.Len64(mask) - 1), shape: shape})
	ps.forms[shape].valid |= 1 << first
}

// arrange numbers the places, and finds where steps lead.
func (ps *places) arrange() {
	slices.SortFunc(ps.all, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.shape, b.shape), cmp.Compare(a.first, b.first))
	})
	for i := range ps.all {
		at := &ps.all[i]
		f := &ps.forms[at.shape]
		if i == 0 || ps.all[i-1].shape != at.shape {
			f.base = int32(i)
		}
		ps.number[placeKey{at.mask, f.axis}] = int32(i)
		ps.byFirst[at.first] = append(ps.byFirst[at.first], int32(i))
		for d := range at.needs {
			at.needs[d] = noStep
		}
		for d, s := range ps.steps {
			if f.axis != tray.Free && f.axis != s.axis {
				continue
			}
			if to := ps.moved(at.mask, s); to != 0 {
				f.open[d] |= 1 << at.first
				at.needs[d] = to &^ at.mask
			}
		}
	}
}

// placesAt returns the places of a shape at the given lowest cells.
func (ps *places) placesAt(s Shape, at []tray.Cell) (ids []int32) {
	mask, _ := ps.set(s.Cells)
	for _, to := range ps.translations(mask) {
		id, ok := ps.number[placeKey{to, s.Axis}]
		if ok && slices.Contains(at, ps.lowest(to)) {
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
