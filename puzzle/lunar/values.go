package lunar

import (
	"encoding/binary"
	"math/bits"

	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
)

// newValuer is the NewValuer of the Values.
func (g *Group) newValuer(r *statespace.Records) statespace.Valuer {
	return &valuer{Group: g, Rays: board.NewRays(g.b), slides: g.b.Metric() == board.SlidesMetric, values: r}
}

// A valuer finds the values of problems from those one move nearer to their solution.
type valuer struct {
	*Group
	*board.Rays
	slides bool // a move is one slide
	values *statespace.Records
	before uint16 // the entry of these problems
	best   record
	cells  [maxNumbers]int // of the number pieces
	ways   [board.MaxCells]way
}

// A record has the values of a problem as statespace.Records has them.
type record struct {
	steps        uint16
	solutions    uint32
	always, some uint16
}

func readRecord(b []byte) record {
	le := binary.LittleEndian
	return record{le.Uint16(b), le.Uint32(b[2:]), le.Uint16(b[6:]), le.Uint16(b[8:])}
}

func (r *record) write(b []byte) {
	le := binary.LittleEndian
	le.PutUint16(b, r.steps)
	le.PutUint32(b[2:], r.solutions)
	le.PutUint16(b[6:], r.always)
	le.PutUint16(b[8:], r.some)
}

// A way is how a piece comes to a cell in the fewest steps: how many ways there are, and the pieces that
// stop it in all of them, and in some.
type way struct {
	count        uint64
	always, some board.Set
}

// A start is where the moves of a problem begin.
type start struct {
	board.Position
	first uint64 // number with its letters, which are kept
	fixed uint8  // the turns that keep them
}

// Value implements statespace.Valuer.
func (v *valuer) Value(first, word uint64) {
	v.before = v.values.Entry(first+uint64(bits.TrailingZeros64(word))) - 1
	for c, x := v.cursor(first), first; word != 0; word, x = word>>1, x+1 {
		if word&1 != 0 {
			if v.before == 0 {
				v.best = record{solutions: 1}
			} else {
				first, fixed := v.base(c.letters, c.k)
				v.problem(start{board.Position{Letters: c.letters, Numbers: c.numbers()}, first, fixed})
			}
			v.best.write(v.values.Record(x))
		}
		c.step()
	}
}

// problem finds the values of a problem that is not solved.
func (v *valuer) problem(p start) {
	v.best = record{steps: ^uint16(0)}
	for i, left := 0, p.Numbers; left != 0; i, left = i+1, left&(left-1) {
		v.cells[i] = bits.TrailingZeros64(left)
	}
	for left := p.All(); left != 0; left &= left - 1 {
		v.piece(p, left&-left)
	}
}

// piece takes the moves of a piece into account.
func (v *valuer) piece(p start, piece board.Set) {
	others, letter := p.All()&^piece, p.Letters&piece != 0
	from := bits.TrailingZeros64(piece)
	v.ways[from] = way{count: 1, always: piece, some: piece}
	reached := piece
	for steps, front := 1, piece; front != 0; steps++ {
		fresh := board.Set(0)
		for ; front != 0; front &= front - 1 {
			at := bits.TrailingZeros64(front)
			for d := range board.Directions {
				to, stop, ok := v.Slide(d, at, others)
				if !ok || reached>>to&1 != 0 {
					continue
				}
				before, w := &v.ways[at], &v.ways[to]
				if fresh>>to&1 == 0 {
					fresh |= 1 << to
					*w = way{before.count, before.always | stop, before.some | stop}
					continue
				}
				w.count += before.count
				w.always &= before.always | stop
				w.some |= before.some | stop
			}
		}
		reached |= fresh
		for left := fresh; left != 0; left &= left - 1 {
			v.after(p, from, bits.TrailingZeros64(left), steps, letter)
		}
		if v.slides {
			break
		}
		if front = fresh; letter {
			front &^= v.b.Exits()
		}
	}
}

// after takes a move into account that takes some steps.
func (v *valuer) after(p start, from, to, steps int, letter bool) {
	q := p.After(board.Move{From: from, To: to, Leaves: letter && v.b.Exits()>>to&1 != 0})
	var y uint64
	var turn int
	if letter || p.fixed != 1 {
		y, turn = v.orbitBy(q)
	} else { // the letters stay where they are kept
		y = p.first + v.rank(squeeze(q.Numbers, q.Letters))
	}
	if v.values.Entry(y) != v.before {
		return
	}
	r := readRecord(v.values.Record(y))
	if steps += int(r.steps); steps > int(v.best.steps) {
		return
	}
	w := &v.ways[to]
	numbers := v.turn.set(q.Numbers, turn)
	var always, some uint16
	for i := range v.numbers {
		cell := v.cells[i]
		inAll, inSome := uint16(w.always>>cell&1), uint16(w.some>>cell&1)
		if cell == from {
			cell = to
		}
		bit := bits.OnesCount64(numbers & (1<<v.turns[turn][cell] - 1))
		always |= (inAll | r.always>>bit&1) << i
		some |= (inSome | r.some>>bit&1) << i
	}
	solutions := min(mostSolutions, uint64(r.solutions)*w.count)
	if steps < int(v.best.steps) {
		v.best = record{uint16(steps), uint32(solutions), always, some}
		return
	}
	v.best.solutions = uint32(min(mostSolutions, uint64(v.best.solutions)+solutions))
	v.best.always &= always
	v.best.some |= some
}
