package slide

import (
	"bytes"
	"math/bits"
	"slices"
)

// A Puzzle is a tray with pieces in it, and goals. ParsePuzzle makes one. It is not
// changed afterwards, so that several goroutines may use it.
type Puzzle struct {
	// What is known of it; all may be missing.
	Title, Author, Source string
	Notes                 []string
	// Lengths are known shortest lengths by metric, and States the number of positions
	// that can be reached. A length or number that is 0 is not known.
	Lengths [Metrics]int
	States  uint64

	tray
	pieces []piece
	kinds  []kind
	order  []int // the pieces, those of a kind side by side, kinds in order
	goals  []goal
	drawn  []goal // the goals by the names of the text
	// elsewhere says of each goal whether it is the drawing of the one before it at
	// another place.
	elsewhere []bool

	// What the text says of the pieces, to be written again.
	distinct []byte
	alike    [][]byte
}

// A piece is an edge-connected set of cells.
type piece struct {
	name byte
	axis Axis
	kind int
	at   uint8 // its anchor in the start position: the lowest of its cells
}

// A kind is pieces that are not told apart, with the places that they can have. A place
// is known by its anchor.
type kind struct {
	pieces []int
	cells  int                // how many cells a piece has
	mask   []uint64           // the cells of a piece by anchor, 0 where it cannot be
	to     [directions][]int8 // the anchor after a step by anchor, or none
}

// A goal is a set of places, each to be taken by a piece of a kind.
type goal []place

type place struct {
	piece int // by whose name the place was given
	at    uint8
}

// A Position tells where the pieces are: the anchor of each piece, which is the number
// of its first cell in row-major order. Pieces are in the order of their first cells in
// the puzzle's tray.
type Position []uint8

// Start returns the position that the puzzle starts from.
func (p *Puzzle) Start() Position {
	at := make(Position, len(p.pieces))
	for i := range p.pieces {
		at[i] = p.pieces[i].at
	}
	return at
}

// From returns the puzzle with another start, which can be reached from its own. What is
// published of lengths and positions is left out.
func (p *Puzzle) From(start Position) *Puzzle {
	q := *p
	q.pieces = slices.Clone(p.pieces)
	for i := range q.pieces {
		q.pieces[i].at = start[i]
	}
	q.Lengths, q.States = [Metrics]int{}, 0
	return &q
}

// Pieces returns the names of the pieces.
func (p *Puzzle) Pieces() string {
	names := make([]byte, len(p.pieces))
	for i := range p.pieces {
		names[i] = p.pieces[i].name
	}
	return string(names)
}

// Cells returns the number of cells of the tray, walls not counted.
func (p *Puzzle) Cells() int { return len(p.cells) }

// Goals returns the number of goals, any of which will do.
func (p *Puzzle) Goals() int { return len(p.goals) }

// mask returns the cells of a piece.
func (p *Puzzle) mask(pos Position, piece int) uint64 {
	return p.kinds[p.pieces[piece].kind].mask[pos[piece]]
}

// Key returns a text that is the same for two positions just if they differ only in
// pieces that are not told apart.
func (p *Puzzle) Key(pos Position) string {
	key := make([]byte, 0, MaxCells)
	for _, i := range p.order {
		key = append(key, pos[i])
	}
	rest := key
	for i := range p.kinds {
		n := len(p.kinds[i].pieces)
		slices.Sort(rest[:n])
		rest = rest[n:]
	}
	return string(key)
}

// position makes a position of a key.
func (p *Puzzle) position(key string) Position {
	pos := make(Position, len(p.order))
	for i, piece := range p.order {
		pos[piece] = key[i]
	}
	return pos
}

// Solved reports whether a position reaches a goal.
func (p *Puzzle) Solved(pos Position) bool {
	return slices.ContainsFunc(p.goals, func(g goal) bool {
		for _, want := range g {
			if !slices.ContainsFunc(p.kindOf(want.piece).pieces, func(i int) bool { return pos[i] == want.at }) {
				return false
			}
		}
		return true
	})
}

func (p *Puzzle) kindOf(piece int) *kind { return &p.kinds[p.pieces[piece].kind] }

// FormatPosition draws a position in rows separated by /: the name of a piece, . for an
// empty cell, # for a wall that has a cell to its right.
func (p *Puzzle) FormatPosition(pos Position) string {
	return string(bytes.Join(p.draw(func(cell int) byte {
		for i := range pos {
			if p.mask(pos, i)>>cell&1 == 1 {
				return p.pieces[i].name
			}
		}
		return '.'
	}), []byte("/")))
}

// draw makes the rows of the tray with a character for each cell.
func (p *Puzzle) draw(char func(cell int) byte) [][]byte {
	rows := make([][]byte, p.rows)
	for i, c := range p.cells {
		for len(rows[c.Row]) < c.Col {
			rows[c.Row] = append(rows[c.Row], '#')
		}
		rows[c.Row] = append(rows[c.Row], char(i))
	}
	for r := range rows {
		if len(rows[r]) == 0 { // a row without text would be passed over
			rows[r] = []byte("#")
		}
	}
	return rows
}

// sortKinds finds out which pieces are not told apart. They have equal places that they
// could have if they were alone in the tray, and the same mark.
func (p *Puzzle) sortKinds(start []uint64, mark []int) {
	for i := range p.pieces {
		k := p.places(start[i], p.pieces[i].axis)
		same := slices.IndexFunc(p.kinds, func(o kind) bool {
			first := o.pieces[0]
			return p.pieces[first].axis == p.pieces[i].axis && mark[first] == mark[i] && slices.Equal(o.mask, k.mask)
		})
		if same < 0 {
			same = len(p.kinds)
			p.kinds = append(p.kinds, k)
		}
		p.kinds[same].pieces = append(p.kinds[same].pieces, i)
		p.pieces[i].kind = same
	}
	for i := range p.kinds {
		p.order = append(p.order, p.kinds[i].pieces...)
	}
	p.drawn = p.goals
	p.goals = make([]goal, len(p.drawn))
	for n, g := range p.drawn {
		for _, want := range g {
			p.goals[n] = append(p.goals[n], place{p.canCome(want, start, mark), want.at})
		}
	}
}

// canCome returns the piece of a place, or if it cannot come there, one that can and is
// alike. There is at most one kind of these: places that can be reached from a place in an
// empty tray are those from which it can be reached.
func (p *Puzzle) canCome(want place, start []uint64, mark []int) int {
	if p.kindOf(want.piece).mask[want.at] != 0 {
		return want.piece
	}
	cells := p.placed(want)
	for i := range p.pieces {
		if mark[i] == mark[want.piece] && p.pieces[i].axis == p.pieces[want.piece].axis &&
			p.sameShape(start[i], start[want.piece]) && p.kindOf(i).mask[want.at] == cells {
			return i
		}
	}
	return want.piece
}

// places finds the places that a piece alone in the tray can move to.
func (p *Puzzle) places(start uint64, axis Axis) kind {
	k := kind{cells: bits.OnesCount64(start), mask: make([]uint64, len(p.cells))}
	for d := range k.to {
		k.to[d] = slices.Repeat([]int8{none}, len(p.cells))
	}
	k.mask[anchor(start)] = start
	for todo := []uint64{start}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for d := range Direction(directions) {
			if !axis.allows(d) {
				continue
			}
			if next, ok := p.shift(at, d); ok {
				k.to[d][anchor(at)] = int8(anchor(next))
				if k.mask[anchor(next)] == 0 {
					k.mask[anchor(next)] = next
					todo = append(todo, next)
				}
			}
		}
	}
	return k
}

// anchor returns the lowest cell of a set, by which the place of a piece is known:
// pieces do not turn.
func anchor(set uint64) int { return bits.TrailingZeros64(set) }

// connected returns the cells of a set that hang together by edges with its first.
func (t *tray) connected(set uint64) uint64 {
	reached := set & -set
	for {
		more := reached
		for i := range t.cells {
			if reached>>i&1 == 0 {
				continue
			}
			for d := range t.beside {
				if n := t.beside[d][i]; n != none {
					more |= 1 << n & set
				}
			}
		}
		if more == reached {
			return reached
		}
		reached = more
	}
}

// moved returns a set of cells so many rows and columns on. It reports false if not all of
// them are in the tray, or if a wall lies between two of them.
func (t *tray) moved(set uint64, rows, cols int) (uint64, bool) {
	var to uint64
	for ; set != 0; set &= set - 1 {
		c := t.cells[anchor(set)]
		n, ok := t.number[Cell{c.Row + rows, c.Col + cols}]
		if !ok {
			return 0, false
		}
		to |= 1 << n
	}
	_, split := t.split(to)
	return to, !split
}

// sameShape reports whether one set of cells is another one shifted.
func (t *tray) sameShape(a, b uint64) bool {
	if bits.OnesCount64(a) != bits.OnesCount64(b) {
		return false
	}
	first, other := t.cells[anchor(a)], t.cells[anchor(b)]
	for i := range t.cells {
		if a>>i&1 == 0 {
			continue
		}
		c := t.cells[i]
		n, ok := t.number[Cell{c.Row - first.Row + other.Row, c.Col - first.Col + other.Col}]
		if !ok || b>>n&1 == 0 {
			return false
		}
	}
	return true
}
