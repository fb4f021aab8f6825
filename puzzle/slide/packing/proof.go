package packing

import (
	"math/bits"
	"slices"

	"pagoda/internal/lists"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
)

// This file makes moves for proofs. It shares nothing with the cursor: pieces take steps one by one, each into cells that
// must be free, and the number of a placement is summed up along the edges of the Packing.

// mostPieces bounds the pieces of a tray.
const mostPieces = 64

// A mover makes the moves of a position, in any metric.
type mover struct {
	metric     tray.Metric
	directions tray.Direction
	kinds      []moverKind
	goals      [][]want
	words      int // of a set of cells
	pieces     int
	kind       [mostPieces]uint8
	at         [mostPieces]uint8 // the anchor of each piece
	filled     tray.Set
	in         [tray.MaxCells]uint8 // if pieces push others: 1 plus the piece in each cell that is filled

	// emit takes a position: the pieces of a set have other anchors, and the rest of after means nothing.
	emit func(set uint64, after *[mostPieces]uint8)
	// In one direction: the pieces whose cells each piece enters, those that move with it, and those that it moves with.
	pushes, moves, movers [mostPieces]uint64
	sets                  int
	rest                  tray.Set // the cells of the pieces that are not in the set that moves
	// reached has the anchors of a set along its paths.
	reached [tray.MaxCells][mostPieces]uint8
}

// A moverKind is a kind of pieces: by anchor, the cells of a piece, the last of them, and its steps in all directions.
type moverKind struct {
	cells []tray.Set
	last  []uint8
	steps [][tray.Directions]moverStep
}

// A moverStep is a step of a piece, if there is one: the cells that it enters, and the anchor after it.
type moverStep struct {
	enters tray.Set
	to     uint8
	is     bool
}

// A want is a kind of pieces and the anchor of one of them.
type want struct{ kind, at uint8 }

func newMover(p *tray.Puzzle, m tray.Metric) *mover {
	v := &mover{metric: m, directions: p.Directions(), words: (len(p.Cells()) + 63) / 64, pieces: len(p.Pieces())}
	for _, k := range p.Kinds() {
		kind := moverKind{k.Mask, make([]uint8, len(k.Mask)), make([][tray.Directions]moverStep, len(k.Mask))}
		for at, mask := range k.Mask {
			for cell := range mask.All() {
				kind.last[at] = uint8(cell)
			}
			for d := range v.directions {
				if to := k.Next[d][at]; to != tray.None {
					kind.steps[at][d] = moverStep{k.Mask[to].Without(mask), uint8(to), true}
				}
			}
		}
		v.kinds = append(v.kinds, kind)
	}
	for g := range p.Goals() {
		all := lists.Map(p.Wants(g), func(w tray.Want) want { return want{uint8(p.KindOf(w.Piece)), uint8(w.Anchor)} })
		v.goals = append(v.goals, all)
	}
	return v
}

// put puts a piece of a kind at an anchor.
func (v *mover) put(piece int, kind, at uint8) {
	v.kind[piece], v.at[piece] = kind, at
	v.flip(&v.filled, &v.kinds[kind].cells[at])
	if !v.metric.Super() {
		return
	}
	for i, word := range v.kinds[kind].cells[at] {
		for ; word != 0; word &= word - 1 {
			v.in[i*64+bits.TrailingZeros64(word)] = uint8(piece) + 1
		}
	}
}

// all makes all moves. It may make one several times.
func (v *mover) all() {
	if !v.metric.Super() {
		for i := range v.pieces {
			v.stay(1 << i)
			if v.metric == tray.Moves {
				v.paths(1 << i)
				continue
			}
			steps := &v.kinds[v.kind[i]].steps[v.at[i]]
			for d := range v.directions {
				if steps[d].is && steps[d].enters[0]&v.rest[0] == 0 {
					v.start(1<<i, d)
				}
			}
		}
		return
	}
	for d := range v.directions {
		can, stuck := uint64(0), v.push(d)
		clear(v.movers[:v.pieces])
		for i := range v.pieces {
			if v.moves[i] = v.pushed(i, stuck); v.moves[i] != 0 {
				can |= 1 << i
			}
			for left := v.moves[i]; left != 0; left &= left - 1 {
				v.movers[bits.TrailingZeros64(left)] |= 1 << i
			}
		}
		v.sets = 0
		v.each(0, can, d)
	}
}

// push finds the pieces that each piece enters in a direction, and returns those that cannot take a step.
func (v *mover) push(d tray.Direction) (stuck uint64) {
	for piece := range v.pieces {
		step := &v.kinds[v.kind[piece]].steps[v.at[piece]][d]
		v.pushes[piece] = 0
		if !step.is {
			stuck |= 1 << piece
			continue
		}
		for i := range v.words {
			for word := step.enters[i] & v.filled[i]; word != 0; word &= word - 1 {
				v.pushes[piece] |= 1 << (v.in[i*64+bits.TrailingZeros64(word)] - 1)
			}
		}
	}
	return stuck
}

// pushed returns the pieces that move when a piece takes a step, or none if one of them is stuck.
func (v *mover) pushed(piece int, stuck uint64) uint64 {
	set := uint64(1) << piece
	for todo := set; todo != 0; {
		if todo&stuck != 0 {
			return 0
		}
		more := v.pushes[bits.TrailingZeros64(todo)] &^ set
		set |= more
		todo = todo&(todo-1) | more
	}
	return set
}

// each starts each set of pieces that can take a step together, once: those that are in it, and some of the open
// ones, each with those that it pushes.
func (v *mover) each(in, open uint64, d tray.Direction) {
	if open == 0 {
		if in != 0 {
			if v.sets++; v.sets > maxSets {
				throwSets()
			}
			v.stay(in)
			v.start(in, d)
		}
		return
	}
	i := bits.TrailingZeros64(open)
	v.each(in|v.moves[i], open&^v.moves[i], d)
	v.each(in, open&^v.movers[i], d)
}

// stay makes the pieces that are not in a set the rest.
func (v *mover) stay(set uint64) {
	v.rest = v.filled
	for ; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		v.flip(&v.rest, &v.kinds[v.kind[i]].cells[v.at[i]])
	}
}

// flip adds the cells of a piece to a set, or takes them away.
func (v *mover) flip(set, piece *tray.Set) {
	for i := range v.words {
		set[i&3] ^= piece[i&3]
	}
}

// start makes the moves of a set that begin in a direction.
func (v *mover) start(set uint64, d tray.Direction) {
	to := &v.reached[0]
	if !v.step(set, &v.at, to, d) {
		return
	}
	switch v.metric.Single() {
	case tray.Steps:
		v.emit(set, to)
	case tray.Lines:
		for ok := true; ok; ok = v.step(set, to, to, d) {
			v.emit(set, to)
		}
	default:
		for before := range d { // all paths begin in the first direction that the set can take
			if v.step(set, &v.at, to, before) {
				return
			}
		}
		v.paths(set)
	}
}

// paths makes the moves of a set along all paths.
func (v *mover) paths(set uint64) {
	first := bits.TrailingZeros64(set) // where this piece is says where all of them are
	var seen tray.Set
	seen.Add(int(v.at[first]))
	from, end, steps := &v.at, 0, v.kinds[v.kind[first]].steps
	for i := 0; ; i++ {
		for d := range v.directions {
			step := &steps[from[first]][d]
			if !step.is || step.enters[0]&v.rest[0] != 0 || seen.Has(int(step.to)) {
				continue
			}
			if to := &v.reached[end]; v.step(set, from, to, d) {
				seen.Add(int(step.to))
				v.emit(set, to)
				end++
			}
		}
		if i == end {
			return
		}
		from = &v.reached[i]
	}
}

// step finds the anchors of a set after a step, in which all of its pieces move. It reports false if they cannot.
func (v *mover) step(set uint64, from, to *[mostPieces]uint8, d tray.Direction) bool {
	for left := set; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		step := &v.kinds[v.kind[i]].steps[from[i]][d]
		if !step.is || step.enters.Meets(&v.rest) {
			return false
		}
		to[i] = step.to
	}
	return true
}

// A prover makes moves on numbers. It implements statespace.Expander.
type prover struct {
	*mover
	pk     *Packing
	cells  int
	x      uint64
	path   []uint8              // the cells that choices decide
	node   [MaxCells + 1]uint32 // by such a cell; and the end
	sum    [MaxCells + 1]uint64
	choice [MaxCells]uint8 // by cell
	placed int             // pieces
	dst    []uint64
}

// Proof returns a second way to make the moves of Graph, which shares nothing with that but the numbers.
func (pk *Packing) Proof(m tray.Metric) statespace.Proof {
	return statespace.Proof{NewExpander: func() statespace.Expander {
		v := &prover{mover: newMover(pk.puzzle, m), pk: pk, cells: len(pk.puzzle.Cells())}
		v.emit = v.number
		return v
	}}
}

// Expand implements statespace.Expander.
func (v *prover) Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64 {
	v.dst = dst
	for ; word != 0; word &= word - 1 {
		v.seek(first + uint64(bits.TrailingZeros64(word)))
		if goals != nil && v.isGoal() {
			*goals = append(*goals, v.x)
		}
		v.all()
	}
	return v.dst
}

// isGoal reports whether the position is a goal.
func (v *prover) isGoal() bool {
	return slices.ContainsFunc(v.goals, func(all []want) bool {
		return !slices.ContainsFunc(all, func(w want) bool { return v.choice[w.at] != w.kind+1 })
	})
}

// seek goes to a number. The choices that it has in common with the last one stay.
func (v *prover) seek(x uint64) {
	node, sum, cell := uint32(0), uint64(0), 0
	for n := len(v.path) - 1; n >= 0; n-- {
		cell = int(v.path[n])
		v.path = v.path[:n]
		if choice := v.choice[cell]; choice > 0 {
			v.choice[cell] = 0
			v.placed--
			v.flip(&v.filled, &v.kinds[choice-1].cells[cell])
		}
		if node, sum = v.node[cell], v.sum[cell]; x-sum < v.pk.completions(node) {
			break
		}
	}
	for v.x = x; cell < v.cells; {
		v.path = append(v.path, uint8(cell))
		v.node[cell], v.sum[cell] = node, sum
		edges, choice := v.pk.edgesOf(node), v.pk.choices-1
		for edges[choice].add() > x-sum {
			choice--
		}
		e := edges[choice]
		if choice > 0 {
			v.put(v.placed, uint8(choice-1), uint8(cell))
			v.placed++
		}
		v.choice[cell] = uint8(choice)
		node, sum, cell = e.node(), sum+e.add(), int(e.cell())
	}
	v.sum[v.cells] = sum
}

// number appends the number of a position in which the pieces of a set have other anchors. Only the choices between
// the first and the last of their cells differ.
func (v *prover) number(set uint64, after *[mostPieces]uint8) {
	first, last := v.cells, 0
	for left := set; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		from, to, ends := v.at[i], after[i], v.kinds[v.kind[i]].last
		v.choice[from] = 0
		first, last = min(first, int(from), int(to)), max(last, int(ends[from]), int(ends[to]))
	}
	for left := set; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		v.choice[after[i]] = v.kind[i] + 1
	}
	node, sum, cell := v.node[first], v.sum[first], first
	for edges, shift := v.pk.edges, v.pk.shift; cell <= last; {
		e := edges[int(node)<<shift|int(v.choice[cell])]
		node, sum, cell = e.node(), sum+e.add(), int(e.cell())
	}
	v.dst = append(v.dst, sum+v.x-v.sum[cell])
	for left := set; left != 0; left &= left - 1 {
		v.choice[after[bits.TrailingZeros64(left)]] = 0
	}
	for left := set; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		v.choice[v.at[i]] = v.kind[i] + 1
	}
}

// A keyProver makes moves on keys, for proofs. It implements statespace.CodeExpander.
type keyProver struct {
	*mover
	*Keys // makes no moves
	dst   []uint64
}

// NewKeyProver returns a CodeExpander that shares nothing with Keys.Expand but the keys.
func NewKeyProver(p *tray.Puzzle, m tray.Metric) statespace.CodeExpander {
	v := &keyProver{mover: newMover(p, m), Keys: NewKeys(p, tray.Steps)}
	v.emit = v.code
	return v
}

// Expand implements statespace.CodeExpander.
func (v *keyProver) Expand(dst []uint64, key []uint64) []uint64 {
	v.seek(key)
	v.dst = dst
	v.all()
	return v.dst
}

// seek goes to a key.
func (v *keyProver) seek(key []uint64) {
	v.filled = tray.Set{}
	for i, choice := range v.choices {
		v.mover.put(i, choice-1, v.anchor(key, i))
	}
}

// code appends the key of a position in which the pieces of a set have other anchors.
func (v *keyProver) code(set uint64, after *[mostPieces]uint8) {
	at := v.mover.at
	for ; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		at[i] = after[i]
	}
	first := len(v.dst)
	for range v.Keys.words {
		v.dst = append(v.dst, 0)
	}
	key := v.dst[first:]
	for i := range v.choices {
		for k := i; k > 0 && v.choices[k-1] == v.choices[k] && at[k-1] > at[k]; k-- { // those of a kind are in order
			at[k-1], at[k] = at[k], at[k-1]
		}
	}
	for i, f := range v.Keys.fields {
		key[f.word] |= uint64(at[i]) << (f.shift & 63)
	}
}
