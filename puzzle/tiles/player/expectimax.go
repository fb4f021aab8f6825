package player

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"pagoda/puzzle/tiles/glide"
)

// SearchOptions say how far expectimax looks ahead.
type SearchOptions struct {
	// Depth is how many layers of chance it looks at, at most MostDepth. 0: two less than the
	// different tiles on the board, but at least three.
	Depth int
	// Cutoff is the chance below which a position is judged and not searched, from 0 to 1.
	Cutoff float64
	// Empty bounds the empty cells of boards where it looks ahead. Boards with more forgive mistakes:
	// there it judges its slides without search. 0: it always looks ahead.
	Empty int
}

// MostDepth bounds SearchOptions.Depth.
const MostDepth = 12

// DefaultCutoff plays well at some thousand moves a second.
const DefaultCutoff = 0.005

func (o SearchOptions) check() error {
	if o.Depth < 0 || o.Depth > MostDepth {
		return fmt.Errorf("expected a depth of 1 to %d layers of chance, or 0 for one that suits the board, found %d", MostDepth, o.Depth)
	}
	if o.Empty < 0 || o.Empty > glide.MostCells {
		return fmt.Errorf("expected 1 to %d empty cells, or 0 to look ahead on every board, found %d", glide.MostCells, o.Empty)
	}
	if !(o.Cutoff >= 0 && o.Cutoff <= 1) {
		return fmt.Errorf("expected a cutoff from 0 to 1, found %v", o.Cutoff)
	}
	return nil
}

// depth returns the layers of chance for a board.
func (o SearchOptions) depth(g *glide.Grid, b glide.Board) int {
	if o.Empty > 0 && bits.OnesCount64(uint64(g.Empty(b))) > o.Empty {
		return 0
	}
	if o.Depth > 0 {
		return o.Depth
	}
	var seen uint16
	for ; b != 0; b >>= 4 {
		seen |= 1 << (b & 15)
	}
	return min(MostDepth, max(3, bits.OnesCount16(seen&^1)-2))
}

// judge is the value of an afterstate without search, by its board.
type judge interface {
	value(b glide.Board) float32
	// gains says whether the gains of slides add to values.
	gains() bool
}

// lineWorth is what one line of 2048 is worth: empty cells and tiles that can merge are good; large tiles, and lines
// that rise and fall, are bad. The weights are those of nneonneo/2048-ai, which were optimised for 2048.
func lineWorth(line []uint8) float32 {
	sum, rise, fall := 0.0, 0.0, 0.0
	empty, merges, run := 0, 0, 0
	var last uint8
	for i, tile := range line {
		sum += math.Pow(float64(tile), 3.5)
		if tile == 0 {
			empty++
		} else {
			if last != 0 && last == tile {
				run++
			} else if run > 0 {
				merges += 1 + run
				run = 0
			}
			last = tile
		}
		if i > 0 {
			if step := math.Pow(float64(tile), 4) - math.Pow(float64(line[i-1]), 4); step > 0 {
				rise += step
			} else {
				fall -= step
			}
		}
	}
	if run > 0 {
		merges += 1 + run
	}
	return float32(200000 + 270*float64(empty) + 700*float64(merges) - 47*min(rise, fall) - 11*sum)
}

// threesWorth is what one line of Threes is worth. The terms are those of 2048, but tiles slide one step:
// those that join are neighbours. 1 and 2 count alike. The weights were found by climbing from those of 2048,
// by the mean score of 300 games that look one layer ahead.
func threesWorth(line []uint8) float32 {
	sum, rise, fall := 0.0, 0.0, 0.0
	empty, joins := 0, 0
	rank := func(tile uint8) float64 {
		if tile >= 2 {
			tile--
		}
		return float64(tile)
	}
	for i, tile := range line {
		sum += math.Pow(rank(tile), 3.3)
		if tile == 0 {
			empty++
		}
		if i == 0 {
			continue
		}
		if last := line[i-1]; tile >= 3 && last == tile || tile > 0 && last > 0 && last+tile == 3 {
			joins++
		}
		if step := math.Pow(rank(tile), 2.73) - math.Pow(rank(line[i-1]), 2.73); step > 0 {
			rise += step
		} else {
			fall -= step
		}
	}
	return float32(200000 + 700*float64(empty) + 1160*float64(joins) - 17.4*min(rise, fall) - 2.14*sum)
}

// A worth judges boards by their lines.
type worth struct {
	grid        *glide.Grid
	line        func(line []uint8) float32
	row, column []float32 // by line, if it has at most 5 cells
}

func newWorth(g Game) *worth {
	w := &worth{grid: g.Grid(), line: lineWorth}
	if _, ok := g.(*three); ok {
		w.line = threesWorth
	}
	w.row = w.table(w.grid.Columns())
	if w.column = w.row; w.grid.Rows() != w.grid.Columns() {
		w.column = w.table(w.grid.Rows())
	}
	return w
}

func (w *worth) table(length int) []float32 {
	if length > 5 {
		return nil
	}
	list := make([]float32, 1<<(4*length))
	var line [5]uint8
	for x := range list {
		for i := range length {
			line[i] = uint8(x >> (4 * i) & 15)
		}
		list[x] = w.line(line[:length])
	}
	return list
}

func (w *worth) gains() bool { return false }

func (w *worth) value(b glide.Board) (sum float32) {
	rows, columns := w.grid.Rows(), w.grid.Columns()
	if rows == 4 && columns == 4 {
		t := glide.Transpose(b)
		return w.rows(b) + w.rows(t)
	}
	for r := range rows {
		sum += w.at(w.row, b>>(4*columns*r), columns, 1)
	}
	for c := range columns {
		sum += w.at(w.column, b>>(4*c), rows, columns)
	}
	return sum
}

func (w *worth) rows(b glide.Board) float32 { return sumRows(w.row, b) }

// sumRows adds what a table has for four rows of four cells.
func sumRows(t []float32, b glide.Board) float32 {
	t = t[:1<<16]
	return t[b&0xffff] + t[b>>16&0xffff] + t[b>>32&0xffff] + t[b>>48]
}

func (w *worth) at(table []float32, b glide.Board, length, step int) float32 {
	if table == nil {
		var line [glide.MostCells]uint8
		for i := range length {
			line[i] = b.At(i * step)
		}
		return w.line(line[:length])
	}
	x := glide.Board(0)
	for i := range length {
		x |= b >> (4 * i * step) & 15 << (4 * i)
	}
	return table[x]
}

// A search is expectimax over the afterstates of a game.
type search struct {
	g     Game
	o     SearchOptions
	judge judge
	seen  []remembered // by hash: values of afterstates in the current search
	turn  uint32
	room  [MostDepth + 1][]Draw
	fast  *fastSearch
	exact bool // the depth 0 is no search
}

// remembered is the value of an afterstate, from a search with a number of layers left.
type remembered struct {
	board glide.Board
	rest  uint64
	turn  uint32
	left  int32
	value float32
}

const seenBits = 15

// NewExpectimax returns a player that searches, and judges lines.
func NewExpectimax(g Game, o SearchOptions) (Player, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	return newSearch(g, o, newWorth(g), true), nil
}

func newSearch(g Game, o SearchOptions, j judge, fast bool) *search {
	p := &search{g: g, o: o, judge: j}
	if w, ok := j.(*worth); ok && fast {
		if t, ok := g.(*twenty); ok && t.grid.Rows() == 4 && t.grid.Columns() == 4 && t.p4 > 0 && t.p4 < 1 {
			p.fast = newFast(t, w, o)
			return p
		}
	}
	p.seen = make([]remembered, 1<<seenBits)
	return p
}

func (p *search) Choose(_ *rand.Rand, s State) (glide.Direction, bool) {
	if p.fast != nil {
		return p.fast.choose(s.Board)
	}
	p.turn++
	depth := 0
	if p.o.Depth > 0 || !p.exact {
		depth = p.o.depth(p.g.Grid(), s.Board)
	}
	d, _, _, ok := best(p.g, s, func(after State, gain int32) float32 { return p.slid(after, gain, depth, 1) })
	return d, ok
}

// slid returns the value of a slide to an afterstate.
func (p *search) slid(after State, gain int32, left int, chance float64) float32 {
	x := p.after(after, left, chance)
	if p.judge.gains() {
		x += float32(gain)
	}
	return x
}

// after returns the value of an afterstate that comes with a chance.
func (p *search) after(after State, left int, chance float64) float32 {
	if left == 0 || chance < p.o.Cutoff {
		return p.judge.value(after.Board)
	}
	e := &p.seen[(uint64(after.Board)*0x9e3779b97f4a7c15^after.Rest*0xd6e8feb86659fd93)>>(64-seenBits)]
	if e.board == after.Board && e.rest == after.Rest && e.turn == p.turn && e.left == int32(left) {
		return e.value
	}
	draws := p.g.Draws(p.room[left][:0], after)
	p.room[left] = draws
	sum := 0.0
	for _, d := range draws {
		most := float32(0) // of a game that is lost; others are worth no less
		for dir := range glide.Direction(glide.Directions) {
			if to, gain, moved := p.g.Slide(d.To, dir); moved {
				most = max(most, p.slid(to, gain, left-1, chance*d.Chance))
			}
		}
		sum += d.Chance * float64(most)
	}
	*e = remembered{after.Board, after.Rest, p.turn, int32(left), float32(sum)}
	return float32(sum)
}

// A fastSearch is the search of 2048 on 4x4, with judgement by lines. A board that is transposed has
// the same worth, so that slides up and down are not turned back.
type fastSearch struct {
	o           SearchOptions
	p4          float32
	w           *worth
	left, right []uint16
	leftWorth   []float32 // of a line after the slide
	rightWorth  []float32
	seen        []seenBoard
	turn        uint16
}

type seenBoard struct {
	board glide.Board
	value float32
	turn  uint16
	left  uint16
}

func newFast(g *twenty, w *worth, o SearchOptions) *fastSearch {
	f := &fastSearch{o: o, p4: float32(g.p4), w: w, left: make([]uint16, 1<<16), right: make([]uint16, 1<<16),
		leftWorth: make([]float32, 1<<16), rightWorth: make([]float32, 1<<16), seen: make([]seenBoard, 1<<seenBits)}
	for x := range 1 << 16 {
		l, _ := g.grid.Slide(glide.Board(x), glide.Left)
		r, _ := g.grid.Slide(glide.Board(x), glide.Right)
		f.left[x], f.right[x] = uint16(l), uint16(r)
		f.leftWorth[x], f.rightWorth[x] = w.row[l], w.row[r]
	}
	return f
}

func slide(table []uint16, b glide.Board) glide.Board {
	table = table[:1<<16]
	return glide.Board(table[b&0xffff]) | glide.Board(table[b>>16&0xffff])<<16 | glide.Board(table[b>>32&0xffff])<<32 | glide.Board(table[b>>48])<<48
}

func (f *fastSearch) choose(b glide.Board) (best glide.Direction, ok bool) {
	if f.turn++; f.turn == 0 { // turns begin again
		clear(f.seen)
		f.turn = 1
	}
	t := glide.Transpose(b)
	depth := f.o.depth(f.w.grid, b)
	var most float32
	try := func(d glide.Direction, from, after glide.Board) {
		if after == from {
			return
		}
		if x := f.after(after, depth, 1); !ok || x > most {
			best, most, ok = d, x, true
		}
	}
	try(glide.Up, t, slide(f.left, t))
	try(glide.Down, t, slide(f.right, t))
	try(glide.Left, b, slide(f.left, b))
	try(glide.Right, b, slide(f.right, b))
	return best, ok
}

func (f *fastSearch) after(b glide.Board, left int, chance float32) float32 {
	if left == 0 || chance < float32(f.o.Cutoff) {
		return f.w.rows(b) + f.w.rows(glide.Transpose(b))
	}
	b = min(b, glide.Transpose(b)) // it has the same value
	e := &f.seen[uint64(b)*0x9e3779b97f4a7c15>>(64-seenBits)]
	if e.board == b && e.turn == f.turn && e.left == uint16(left) {
		return e.value
	}
	empty := f.w.grid.Empty(b)
	n := float32(bits.OnesCount64(uint64(empty)))
	two, four := (1-f.p4)/n, f.p4/n
	sum := float32(0)
	for ; empty != 0; empty &= empty - 1 {
		one := empty & -empty
		sum += two * f.state(b|one, left-1, chance*two)
		sum += four * f.state(b|one<<1, left-1, chance*four)
	}
	*e = seenBoard{b, sum, f.turn, uint16(left)}
	return sum
}

// state returns the value of a board before a slide, with a number of layers left after it.
func (f *fastSearch) state(b glide.Board, left int, chance float32) (best float32) {
	t := glide.Transpose(b)
	if left == 0 || chance < float32(f.o.Cutoff) {
		return max(f.leaf(b), f.leaf(t))
	}
	if a := slide(f.left, t); a != t {
		best = max(best, f.after(a, left, chance))
	}
	if a := slide(f.right, t); a != t {
		best = max(best, f.after(a, left, chance))
	}
	if a := slide(f.left, b); a != b {
		best = max(best, f.after(a, left, chance))
	}
	if a := slide(f.right, b); a != b {
		best = max(best, f.after(a, left, chance))
	}
	return best
}

// leaf returns the worth of the better slide to the left or right, at least 0.
func (f *fastSearch) leaf(b glide.Board) (best float32) {
	if a := slide(f.left, b); a != b {
		best = max(best, sumRows(f.leftWorth, b)+f.w.rows(glide.Transpose(a)))
	}
	if a := slide(f.right, b); a != b {
		best = max(best, sumRows(f.rightWorth, b)+f.w.rows(glide.Transpose(a)))
	}
	return best
}
