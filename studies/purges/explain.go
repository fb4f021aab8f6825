package purges

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"pagoda/puzzle/peg/board"
)

// A Step is a part of a solution: a package, or a single jump.
type Step struct {
	// Placement is nil for a single jump. Its jumps are those of the step.
	*Placement
	Jumps []board.Jump
	After board.Position
}

// jumpPackage is a single jump, which is no package, as something that can be placed.
var jumpPackage = sync.OnceValue(func() *Package {
	b := block([]board.Cell{{Col: 0}, {Col: 1}, {Col: 2}})
	return &Package{Name: "jump", Block: b, Start: 0b011, Goal: 0b100, Jumps: []board.Jump{{From: 0, Over: 1, To: 2}}}
})

// Named returns the packages of the library that are purges of a shape with a name.
var Named = sync.OnceValue(func() []*Package {
	return slices.DeleteFunc(slices.Clone(Library()), func(p *Package) bool { return !p.Named() })
})

// Explain returns the fewest steps that lead from a position of a board to another, by the packages of
// Named and single jumps; among several such ways, one whose blocks have the fewest cells. It gives up when
// it has met more than a number of positions: then, and if there is no way, there are no steps. When ctx
// ends, it stops soon and returns the cause.
//
// It tries one number of steps after the other, and searches from both ends, level by level. A position is of
// no use if the steps that are left cannot clear the pegs that are left, even if each clears as many as any.
func Explain(ctx context.Context, b *board.Board, from, to board.Position, room int) ([]Step, error) {
	e := &explainer{from: from, to: to, room: room}
	for p := range Placements(&b.Shape, append([]*Package{jumpPackage()}, Named()...)) {
		m := newMove(p)
		e.moves = append(e.moves, m)
		e.clears = max(e.clears, len(m.Jumps))
	}
	jumps := bits.OnesCount64(from) - bits.OnesCount64(to)
	if jumps <= 0 || e.clears == 0 {
		return nil, nil
	}
	for steps := (jumps + e.clears - 1) / e.clears; steps <= jumps; steps++ {
		found, more, err := e.search(ctx, steps)
		if err != nil || len(found) > 0 || !more {
			return found, err
		}
	}
	return nil, nil
}

// search looks for a way of a number of steps, if there is none of fewer. It reports false if the room is full.
func (e *explainer) search(ctx context.Context, steps int) (found []Step, more bool, err error) {
	forwards := newSide(e.from, steps, func(m *move) uint64 { return m.start })
	backwards := newSide(e.to, steps, func(m *move) uint64 { return m.start ^ m.flips })
	var meets []board.Position
	for forwards.depth+backwards.depth < steps && len(meets) == 0 {
		s, other := forwards, backwards
		if len(s.level) > len(other.level) {
			s, other = other, s
		}
		if len(s.level) == 0 {
			return nil, true, nil
		}
		if meets, err = e.advance(ctx, s, other); err != nil {
			return nil, false, err
		}
		if len(forwards.nodes)+len(backwards.nodes) > e.room && len(meets) == 0 {
			return nil, false, nil
		}
	}
	if len(meets) == 0 {
		return nil, true, nil
	}
	cost := func(p board.Position) int { return int(forwards.nodes[p].cost) + int(backwards.nodes[p].cost) }
	best := slices.MinFunc(meets, func(p, q board.Position) int { return cost(p) - cost(q) })
	return e.steps(forwards, backwards, best), true, nil
}

// A move is a placement as sets of cells.
type move struct {
	cells, start, flips uint64 // the block, its pegs before, and what changes
	Placement
}

func newMove(p Placement) move {
	m := move{Placement: p}
	for i, c := range p.Cells {
		m.cells |= 1 << c
		m.start |= p.Package.Start >> i & 1 << c
		m.flips |= (p.Package.Start ^ p.Package.Goal) >> i & 1 << c
	}
	return m
}

// An explainer searches for steps.
type explainer struct {
	from, to board.Position
	moves    []move
	clears   int // the most pegs that a move clears
	room     int
}

// A side is what was met from one end.
type side struct {
	nodes  map[board.Position]node
	steps  int // of the whole way
	depth  int
	level  []board.Position     // those at the depth
	before func(m *move) uint64 // what a block holds before a move, seen from this end
}

// A node is how a position was met: by which move, -1 at the end itself, at which depth, and the cells of
// all blocks on the way.
type node struct {
	move  int32
	depth uint16
	cost  uint16
}

func newSide(end board.Position, steps int, before func(m *move) uint64) *side {
	return &side{map[board.Position]node{end: {move: -1}}, steps, 0, []board.Position{end}, before}
}

// advance goes one level further on a side, and returns the positions that the other side has met. It stops
// early when the room is full.
func (e *explainer) advance(ctx context.Context, s, other *side) (meets []board.Position, err error) {
	var next []board.Position
	s.depth++
	far := bits.OnesCount64(e.to) // the pegs at the other end
	if _, ok := s.nodes[e.to]; ok {
		far = bits.OnesCount64(e.from)
	}
	for i, p := range s.level {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if len(s.nodes)+len(other.nodes) > e.room {
			break
		}
		cost := s.nodes[p].cost
		for k := range e.moves {
			m := &e.moves[k]
			if p&m.cells != s.before(m) {
				continue
			}
			q := p ^ m.flips
			if pegs := bits.OnesCount64(q); max(pegs-far, far-pegs) > e.clears*(s.steps-s.depth) {
				continue
			}
			n := node{int32(k), uint16(s.depth), cost + uint16(len(m.Cells))}
			known, met := s.nodes[q]
			if met && (known.depth < n.depth || known.cost <= n.cost) {
				continue
			}
			s.nodes[q] = n
			if met {
				continue
			}
			next = append(next, q)
			if _, meet := other.nodes[q]; meet {
				meets = append(meets, q)
			}
		}
	}
	s.level = next
	return meets, nil
}

// steps returns the way through a position that both sides have met.
func (e *explainer) steps(forwards, backwards *side, at board.Position) (steps []Step) {
	step := func(m *move, after board.Position) Step {
		s := Step{Jumps: m.Jumps, After: after}
		if m.Package != jumpPackage() {
			s.Placement = &m.Placement
		}
		return s
	}
	for p := at; forwards.nodes[p].move >= 0; {
		m := &e.moves[forwards.nodes[p].move]
		steps = append(steps, step(m, p))
		p ^= m.flips
	}
	slices.Reverse(steps)
	for p := at; backwards.nodes[p].move >= 0; {
		m := &e.moves[backwards.nodes[p].move]
		p ^= m.flips
		steps = append(steps, step(m, p))
	}
	return steps
}

// narrate returns the package of a start, from which the search has gone, and a goal, with one of its
// sequences: the one whose jumps come first, or, if the package splits, the one through the position
// with the most pegs that makes two packages of it.
func (s *search) narrate(start, goal board.Position) *Package {
	p := &Package{Block: s.block, Start: start, Goal: goal}
	toGoal := s.leads(goal)
	for _, at := range s.reached {
		if toGoal[at] && splits(start, at, goal) {
			p.Jumps = s.first(nil, start, at)
			p.Split = len(p.Jumps)
			start = at
			break
		}
	}
	p.Jumps = s.first(p.Jumps, start, goal)
	return p
}

// splits reports whether a position on the way makes two packages, or a package and a jump, one of them a
// purge.
func splits(start, at, goal board.Position) bool {
	return at != start && at != goal &&
		bits.OnesCount64(at&^start)+bits.OnesCount64(goal&^at) <= bits.OnesCount64(goal&^start)
}

// leads returns the positions from which jumps lead to a position, and that position, among those that
// the search has reached.
func (s *search) leads(to board.Position) map[board.Position]bool {
	found, list := map[board.Position]bool{to: true}, []board.Position{to}
	for i := 0; i < len(list); i++ {
		for k, j := range s.jumps {
			if from := list[i] ^ s.masks[k]; list[i]&s.masks[k] == 1<<j.To && s.stamp[from] == s.round && !found[from] {
				found[from], list = true, append(list, from)
			}
		}
	}
	return found
}

// first appends the jumps from a position to another that it leads to; at each step it takes the first
// jump that leads there.
func (s *search) first(jumps []board.Jump, from, to board.Position) []board.Jump {
	leads := s.leads(to)
	for from != to {
		for k, m := range s.masks {
			if from&m == s.pegs[k] && leads[from^m] {
				jumps, from = append(jumps, s.jumps[k]), from^m
				break
			}
		}
	}
	return jumps
}
