package solver

import (
	"context"
	"iter"
	"math/bits"

	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
)

// A Solution is one of the best.
type Solution struct {
	Moves []board.Move
	// Significant is the number pieces that move or stop a piece, by the cells where they stand at
	// the start.
	Significant board.Set
}

// All yields the best solutions. They are in the order of their first moves; those with the same
// first move in the order of their second moves, and so on. The order of moves is that of
// board.Moves: by the cell of the piece, by the number of steps, and by the steps.
func (r *Result) All() iter.Seq[Solution] {
	return func(yield func(Solution) bool) {
		if r.Solved {
			r.list(r.start, r.first(), Solution{}, yield)
		}
	}
}

// A naming has, for each number piece, its cell; in the order of the cells of the start.
type naming []uint8

// first returns the naming of the start.
func (r *Result) first() (cells naming) {
	for left := r.start.Numbers; left != 0; left &= left - 1 {
		cells = append(cells, uint8(bits.TrailingZeros64(left)))
	}
	return cells
}

// after returns the naming after a move, and which number pieces it uses: bit i is piece i.
func (cells naming) after(p board.Position, m board.Move) (naming, uint64) {
	next := append(naming(nil), cells...)
	used, pieces := p.Used(m), uint64(0)
	for i, c := range cells {
		if used>>c&1 != 0 {
			pieces |= 1 << i
		}
		if int(c) == m.From {
			next[i] = uint8(m.To)
		}
	}
	return next, pieces
}

// places returns the cells at the start of number pieces, which are bits of a set.
func (r *Result) places(pieces uint64) (set board.Set) {
	for i, c := range r.first() {
		if pieces>>i&1 != 0 {
			set |= 1 << c
		}
	}
	return set
}

func (r *Result) list(p board.Position, cells naming, so Solution, yield func(Solution) bool) bool {
	if p.Solved() {
		return yield(Solution{append([]board.Move(nil), so.Moves...), so.Significant})
	}
	for _, m := range r.nodes[p].best {
		next, used := cells.after(p, m)
		if !r.list(p.After(m), next, Solution{append(so.Moves, m), so.Significant | r.places(used)}, yield) {
			return false
		}
	}
	return true
}

// A named position has names of number pieces besides.
type named struct {
	at    board.Position
	cells string // a naming
}

// A lot is what is significant on the ways from a named position to the end.
type lot struct {
	always, ever uint64
	nexts        []string // the naming after each of the best moves
	used         []uint64
}

// lotBytes is about what a lot takes with its moves.
const lotBytes = 512

// significant finds which number pieces are significant in all best solutions, and in any. Positions
// alone do not show it: two number pieces may come to the same places by different ways.
func (s *search) significant(r *Result) error {
	lots := make(map[named]*lot)
	start := named{r.start, string(r.first())}
	lots[start] = new(lot)
	order := []named{start}
	for i := 0; i < len(order); i++ {
		p := order[i]
		for _, m := range r.nodes[p.at].best {
			cells, used := naming(p.cells).after(p.at, m)
			next := named{p.at.After(m), string(cells)}
			lots[p].nexts = append(lots[p].nexts, next.cells)
			lots[p].used = append(lots[p].used, used)
			if lots[next] == nil {
				if need := uint64(len(order)+1)*lotBytes + uint64(len(r.nodes))*nodeBytes; s.memory > 0 && need > s.memory {
					return &statespace.MemoryError{Name: "the list of the positions of best solutions", Need: need, Allowed: s.memory}
				}
				lots[next] = new(lot)
				order = append(order, next)
			}
		}
		if i%checkEvery == 0 && s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
	}
	for i := len(order) - 1; i >= 0; i-- { // moves lead to later ones
		p := order[i]
		l := lots[p]
		if len(l.nexts) > 0 {
			l.always = ^uint64(0)
		}
		for k, m := range r.nodes[p.at].best {
			next := lots[named{p.at.After(m), l.nexts[k]}]
			l.always &= l.used[k] | next.always
			l.ever |= l.used[k] | next.ever
		}
	}
	r.Always, r.Ever = r.places(lots[start].always), r.places(lots[start].ever)
	return nil
}
