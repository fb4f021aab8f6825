package purges

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"pagoda/internal/gf2"
	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
)

// Annotate divides the jumps of a solution into steps, from a position of a board on. Jumps that share no
// cell can change places; jumps that are one behind the other in some such order, and are a package of the
// library, are a step. It takes only packages with a name and those that do not split. It looks for few
// steps, many names and few movers, and stops looking after a while.
func Annotate(b *board.Board, from board.Position, jumps []board.Jump) []Step {
	if len(jumps) > 64 {
		panic("purges: a board of at most 64 cells has at most 64 jumps")
	}
	g := newGame(b, from, jumps)
	g.groups()
	g.value()
	g.choose(0, nil, 0, 0)
	return g.steps()
}

// A game is a solution and the order that its jumps need.
type game struct {
	board  *board.Board
	from   board.Position
	jumps  []board.Jump
	before []uint64 // by jump: those that come before it in every order
	after  []uint64
	shares []uint64 // by jump: those that share a cell with it

	found []group
	worth []int // by jump: the most that a group saves per jump, in parts
	// best is the best choice of groups so far, and saved what it saves. Tries counts down.
	best  []group
	saved int
	tries int
}

// A group is jumps that are a package.
type group struct {
	jumps  uint64
	before uint64 // the jumps that come before it in every order
	saves  int    // how much is gained if it is a step
	Placement
}

const (
	// maxTries bounds the choices of groups that are tried.
	maxTries = 1 << 14
	// parts divides what a group saves evenly among its jumps, which are at most 8.
	parts = 3 * 5 * 7 * 8
)

func newGame(b *board.Board, from board.Position, jumps []board.Jump) *game {
	n := len(jumps)
	g := &game{board: b, from: from, jumps: jumps, before: make([]uint64, n), after: make([]uint64, n), shares: make([]uint64, n), tries: maxTries}
	for i, j := range jumps {
		for k := range i {
			if jumps[k].Mask()&j.Mask() != 0 {
				g.before[i] |= g.before[k] | 1<<k
				g.shares[i] |= 1 << k
				g.shares[k] |= 1 << i
			}
		}
		for k := range i {
			if g.before[i]>>k&1 == 1 {
				g.after[k] |= 1 << i
			}
		}
	}
	return g
}

// groups finds the groups: sets of jumps that hang together by their cells. It goes through all such sets on
// few cells, each once, by the way of Wernicke (Efficient detection of network motifs, 2006).
func (g *game) groups() {
	for i := range g.jumps {
		g.extend(jumpSet{set: 1 << i, before: g.before[i], after: g.after[i]}, g.shares[i]>>i>>1<<i<<1, g.shares[i], i)
	}
}

// A jumpSet is a set of jumps, with those that come before and after one of them.
type jumpSet struct{ set, before, after uint64 }

// hull returns the set with all jumps that have to come between.
func (s jumpSet) hull() uint64 { return s.set | s.before&s.after }

// extend adds jumps to a set. Next are those that may be added, and near all that share a cell with the set.
func (g *game) extend(s jumpSet, next, near uint64, first int) {
	if s.hull() == s.set {
		g.take(s)
	}
	for next != 0 {
		k := bits.TrailingZeros64(next)
		next &= next - 1
		more := jumpSet{s.set | 1<<k, s.before | g.before[k], s.after | g.after[k]}
		if bits.OnesCount64(g.cells(more.hull())) <= Cells {
			exclusive := g.shares[k] &^ (s.set | near) >> first >> 1 << first << 1
			g.extend(more, next|exclusive, near|g.shares[k], first)
		}
	}
}

// take takes a set of jumps as a group if it is a package.
func (g *game) take(s jumpSet) {
	before := s.before &^ s.set
	flips, start := g.flips(s.set), g.from^g.flips(before)
	if bits.OnesCount64(flips&^start) > 1 || bits.OnesCount64(s.set) < 2 {
		return
	}
	cells := g.cells(s.set)
	p, ok := recognize(&g.board.Shape, cells, start&cells, (start^flips)&cells)
	if !ok {
		return
	}
	p.Jumps = g.list(s.set)
	g.found = append(g.found, group{s.set, before, saves(&p), p})
}

// saves says how much is gained if a package is a step: two for each step less, one more for a name, and one
// less for a mover.
func saves(p *Placement) int {
	n := 2 * (len(p.Jumps) - 1)
	switch {
	case p.Package.Named():
		return n + 1
	case p.Package.Kind() == Mover:
		return n - 1
	}
	return n
}

// cells returns the cells of a set of jumps.
func (g *game) cells(set uint64) (cells uint64) {
	for k := range gf2.Elements(set) {
		cells |= g.jumps[k].Mask()
	}
	return cells
}

// flips returns the cells that a set of jumps changes.
func (g *game) flips(set uint64) (cells uint64) {
	for k := range gf2.Elements(set) {
		cells ^= g.jumps[k].Mask()
	}
	return cells
}

// list lists a set of jumps.
func (g *game) list(set uint64) (jumps []board.Jump) {
	for k := range gf2.Elements(set) {
		jumps = append(jumps, g.jumps[k])
	}
	return jumps
}

// value sorts the groups, those that save most first, and finds what a jump is worth.
func (g *game) value() {
	slices.SortStableFunc(g.found, func(x, y group) int {
		return cmp.Or(y.saves-x.saves, bits.TrailingZeros64(x.jumps)-bits.TrailingZeros64(y.jumps))
	})
	g.worth = make([]int, len(g.jumps))
	for _, x := range g.found {
		for k := range gf2.Elements(x.jumps) {
			g.worth[k] = max(g.worth[k], parts*x.saves/len(x.Jumps))
		}
	}
}

// choose tries groups from a number on, together with some that are chosen, which take some jumps and save
// something. It keeps the choice that saves most.
func (g *game) choose(from int, chosen []group, taken uint64, saved int) {
	if saved > g.saved {
		g.best, g.saved = slices.Clone(chosen), saved
	}
	free := 0 // what the jumps that are not taken can save at most
	for k, worth := range g.worth {
		if taken>>k&1 == 0 {
			free += worth
		}
	}
	for i := from; i < len(g.found) && g.tries > 0; i++ {
		x := g.found[i]
		if x.jumps&taken != 0 {
			continue
		}
		if parts*saved+free <= parts*g.saved {
			return
		}
		g.tries--
		if more := append(chosen, x); g.order(more) != nil {
			g.choose(i+1, more, taken|x.jumps, saved+x.saves)
		}
	}
}

// order returns the sets of jumps of the steps in an order in which they can be made, the first jumps first; nil
// if there is none.
func (g *game) order(chosen []group) (order []uint64) {
	var step, before [64]uint64 // by jump: its step, and the jumps that come before the step
	for k := range g.jumps {
		step[k], before[k] = 1<<k, g.before[k]
	}
	for _, x := range chosen {
		for k := range gf2.Elements(x.jumps) {
			step[k], before[k] = x.jumps, x.before
		}
	}
	left := ^uint64(0) >> (64 - len(g.jumps))
	for left != 0 {
		ready := left
		for ready != 0 && before[bits.TrailingZeros64(ready)]&left != 0 {
			ready &= ready - 1
		}
		if ready == 0 {
			return nil
		}
		next := step[bits.TrailingZeros64(ready)]
		order, left = append(order, next), left&^next
	}
	return order
}

// steps returns the steps of the best choice.
func (g *game) steps() (steps []Step) {
	at := g.from
	for _, set := range g.order(g.best) {
		var s Step
		for i := range g.best {
			if x := &g.best[i]; x.jumps == set {
				s.Placement = &x.Placement
			}
		}
		at ^= g.flips(set)
		s.Jumps, s.After = g.list(set), at
		steps = append(steps, s)
	}
	return steps
}

// recognized are the packages that Annotate knows, as they lie on a lattice.
var recognized = map[board.Lattice]func() map[pattern]image{
	board.Square:     sync.OnceValue(func() map[pattern]image { return knownImages(board.Square) }),
	board.Triangular: sync.OnceValue(func() map[pattern]image { return knownImages(board.Triangular) }),
	board.Diagonal:   sync.OnceValue(func() map[pattern]image { return knownImages(board.Diagonal) }),
}

// knownImages returns the images, by their patterns, of all packages with a name and of all that do not
// split. On other lattices two packages can look the same: the one with a name counts, or the first.
func knownImages(l board.Lattice) map[pattern]image {
	known := make(map[pattern]image)
	ways := turns(l)
	for _, p := range slices.Concat(Named(), Library()) {
		if p.Split > 0 && !p.Named() {
			continue
		}
		for _, m := range p.images(ways) {
			if _, ok := known[m.pattern]; !ok {
				known[m.pattern] = m
			}
		}
	}
	return known
}

// recognize returns the package on some cells of a board, by the pegs before and after, without its jumps.
func recognize(s *board.Shape, set, start, goal uint64) (Placement, bool) {
	numbers := gf2.List(set)
	cells := lists.Map(numbers, func(n int) board.Cell { return s.Cells()[n] })
	m, ok := recognized[s.Lattice()]()[newPattern(cells, gf2.Extract(numbers, start), gf2.Extract(numbers, goal))]
	if !ok {
		return Placement{}, false
	}
	laid := make([]int, len(numbers))
	for i, cell := range m.order {
		laid[cell] = numbers[i]
	}
	return m.place(laid), true
}
