// Package rows makes the levels of a graph whose numbers are rows of columns: number = row*Columns + column.
// A move takes a whole row to one row, and its columns by one of a few fixed maps. So a row is a set of bits,
// a move is an OR of words or a loop over set bits through a table, and nothing is done for a single state.
// Pieces that move among places have such numbers: which places they take is the row, their order the column.
// A permutation puzzle has them, too: a row is a coset of a group, and a column one of its elements.
package rows

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/internal/prefetch"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// MostColumns bounds the columns of a Graph.
const MostColumns = 1 << 16

// A Graph is rows of columns. Every move can be taken back; a move may lead to its own level, or to its own row.
type Graph struct {
	Rows, Columns int
	// Maps say to which column a column goes. A nil one leaves it in place. Inverse has the number of the map
	// that takes back each of them.
	Maps    [][]uint16
	Inverse []uint16
	// Moves appends the moves of a row to dst, the same for each of its columns. It takes several goroutines.
	Moves func(dst []Move, row int) []Move
	// Listed says that Moves takes them from a list, so that a Stepper makes none of its own.
	Listed bool
}

// A Move leads to a row, and takes columns by a map.
type Move struct {
	Row uint32
	Map uint16
}

// Size returns how many numbers there are.
func (g *Graph) Size() uint64 { return uint64(g.Rows) * uint64(g.Columns) }

// words returns the words of a row.
func (g *Graph) words() int { return (g.Columns + 63) / 64 }

// bits returns the words of a bit for each column of each row.
func (g *Graph) bits() uint64 { return uint64(g.Rows) * uint64(g.words()) }

// MemoryOf returns about how many bytes a Stepper takes besides the marks, if a row has a number of moves.
func (g *Graph) MemoryOf(moves int) uint64 {
	if g.Listed {
		moves = 0
	}
	return 16*g.bits() + uint64(g.Rows)*(8*uint64(moves)+16)
}

// Neighbours appends the numbers to which moves lead from x.
func (g *Graph) Neighbours(dst []uint64, x uint64) []uint64 {
	columns := uint64(g.Columns)
	return g.after(dst, g.Moves(nil, int(x/columns)), x%columns)
}

// after appends the numbers to which moves of a row lead from a column.
func (g *Graph) after(dst []uint64, moves []Move, column uint64) []uint64 {
	for _, m := range moves {
		to := uint64(m.Row)*uint64(g.Columns) + column
		if by := g.Maps[m.Map]; by != nil {
			to += uint64(by[column]) - column
		}
		dst = append(dst, to)
	}
	return dst
}

// MarkOf returns the mark of a number.
func MarkOf(marks []uint64, x uint64) uint8 {
	word := marks[x>>6<<1:][:2]
	return uint8(word[0]>>(x&63)&1 | word[1]>>(x&63)&1<<1)
}

// Distance returns the distance of a number from roots, that of a way back. The marks are those of a search from there,
// which has found the number.
func (g *Graph) Distance(marks, roots []uint64, x uint64) (d int) {
	for neighbours := []uint64(nil); !slices.Contains(roots, x); d++ {
		before := (MarkOf(marks, x)+1)%3 + 1
		neighbours = g.Neighbours(neighbours[:0], x)
		x = neighbours[slices.IndexFunc(neighbours, func(y uint64) bool { return MarkOf(marks, y) == before })]
	}
	return d
}

// Graph returns the graph for a search of package bfs. It has no goals. Moves bounds those of a row.
func (g *Graph) Graph(moves int, roots []uint64) statespace.Graph {
	return statespace.Graph{Size: g.Size(), Roots: slices.Values(roots), Undirected: true, Memory: g.MemoryOf(moves),
		LevelWords: 2 * g.bits(), LevelMemory: g.MemoryOf(moves) + 8*g.bits(),
		NewExpander: func() statespace.Expander { return &expander{Graph: g, row: -1} },
		NewStepper:  func(marks []uint64, threads int) statespace.Stepper { return newStepper(g, marks, threads) }}
}

// An expander makes the moves of one state at a time. It keeps those of the last row.
type expander struct {
	*Graph
	row   int
	moves []Move
}

// Expand implements statespace.Expander.
func (e *expander) Expand(dst []uint64, first, word uint64, _ *[]uint64) []uint64 {
	columns := uint64(e.Columns)
	for ; word != 0; word &= word - 1 {
		x := first + uint64(bits.TrailingZeros64(word))
		if row := int(x / columns); row != e.row {
			e.row, e.moves = row, e.Moves(e.moves[:0], row)
		}
		dst = e.after(dst, e.moves, x%columns)
	}
	return dst
}

// A stepper is a statespace.Stepper. A row looks into the rows of the last level to which its moves lead: all
// that it writes is its own bits.
type stepper struct {
	g       *Graph
	marks   []uint64 // see bfs.Mark; or nil
	known   []uint64 // without marks: the states that were found, as in last
	threads int
	boards  []*[2]board // of each thread
	// last and next are levels: the words of each row, which begin at a word, and how many states it has.
	last, next   []uint64
	count, after []uint32
	seen         []uint32 // states of each row that were found
	moves        []Move   // those of row r end at ends[r], unless they are Listed
	ends         []uint32
}

func newStepper(g *Graph, marks []uint64, threads int) *stepper {
	s := &stepper{g: g, marks: marks, threads: threads, last: make([]uint64, g.bits()), next: make([]uint64, g.bits()),
		count: make([]uint32, g.Rows), after: make([]uint32, g.Rows), seen: make([]uint32, g.Rows)}
	if marks == nil {
		s.known = make([]uint64, g.bits())
	}
	for range threads {
		s.boards = append(s.boards, &[2]board{{unseen: make([]uint64, g.words())}, {unseen: make([]uint64, g.words())}})
	}
	if g.Listed {
		return s
	}
	s.ends = make([]uint32, g.Rows)
	for row := range g.Rows {
		s.moves = g.Moves(s.moves, row)
		s.ends[row] = uint32(len(s.moves))
	}
	return s
}

// movesOf returns the moves of a row, perhaps in dst.
func (s *stepper) movesOf(dst []Move, row int) []Move {
	if s.g.Listed {
		return s.g.Moves(dst[:0], row)
	}
	first := uint32(0)
	if row > 0 {
		first = s.ends[row-1]
	}
	return s.moves[first:s.ends[row]]
}

// Start implements statespace.Stepper.
func (s *stepper) Start(root uint64) {
	at, bit := s.enter(root)
	if s.marks == nil {
		s.known[at] |= bit
	} else {
		mark(s.marks, root>>6, 1<<(root&63), 0)
	}
	s.seen[root/uint64(s.g.Columns)]++
}

// enter makes a number one of the last level, and returns its word and its bit there.
func (s *stepper) enter(x uint64) (at int, bit uint64) {
	row, column := int(x/uint64(s.g.Columns)), int(x%uint64(s.g.Columns))
	at, bit = row*s.g.words()+column/64, 1<<(column%64)
	s.last[at] |= bit
	s.count[row]++
	return at, bit
}

// mark gives numbers of a word that rows share the mark of a level.
func mark(marks []uint64, at, word uint64, level int) {
	for plane := range uint64(2) {
		if word != 0 && bfs.Mark(level)>>plane&1 != 0 {
			atomic.OrUint64(&marks[2*at+plane], word)
		}
	}
}

// Goals implements statespace.Stepper.
func (s *stepper) Goals(int) []uint64 { return nil }

// grain is how many words of rows a task has, about.
const grain = 1 << 13

// Step implements statespace.Stepper. The level before is there until all rows are made.
func (s *stepper) Step(ctx context.Context, level int) (uint64, error) {
	var found atomic.Uint64
	rows, part := uint64(s.g.Rows), uint64(max(1, grain/s.g.words()))
	if err := mapped.EachWith(ctx, s.boards, (rows+part-1)/part, func(b *[2]board, i uint64) error {
		now, next, sum := &b[0], &b[1], uint64(0)
		first, end := i*part, min((i+1)*part, rows)
		s.gather(next, int(first))
		for row := first; row < end; row++ {
			if now, next = next, now; row+1 < end {
				s.gather(next, int(row+1))
			}
			sum += uint64(s.step(now, int(row)))
		}
		found.Add(sum)
		return nil
	}); err != nil {
		return 0, err
	}
	// Marks come last, so that a step that was stopped leaves none.
	err := mapped.Parts(context.WithoutCancel(ctx), s.threads, rows, part, func(first, end uint64) error {
		for row := first; row < end; row++ {
			s.markRow(int(row), level+1)
		}
		return nil
	})
	s.last, s.next, s.count, s.after = s.next, s.last, s.after, s.count
	return found.Load(), err
}

// A board is what a step of a row is made on.
type board struct {
	moves, sources []Move   // of a row; those from rows that have states of the last level
	sum            int      // of these states
	unseen         []uint64 // the states of the row without a mark
	fetched        uint64   // the result of prefetch.Words
}

// gather finds the sources of a row, and fetches their first words while the row before is made.
func (s *stepper) gather(b *board, row int) {
	b.sources, b.sum = b.sources[:0], 0
	if int(s.seen[row]) == s.g.Columns {
		return
	}
	b.moves = s.movesOf(b.moves, row)
	words := s.g.words()
	for _, m := range b.moves {
		if n := s.count[m.Row]; n > 0 {
			b.sources = append(b.sources, m)
			b.sum += int(n)
			b.fetched |= prefetch.Words(s.last[int(m.Row)*words:][:min(words, mostFetched)])
		}
	}
}

// mostFetched is how many words of a source are fetched; the processor fetches what follows.
const mostFetched = 32

// step finds the states of a row on the next level.
func (s *stepper) step(b *board, row int) uint32 {
	words := s.g.words()
	to := s.next[row*words:][:words]
	if s.after[row] > 0 {
		clear(to)
		s.after[row] = 0
	}
	if b.sum == 0 {
		return 0
	}
	left, sum := s.g.Columns-int(s.seen[row]), b.sum
	for i := range words {
		b.unseen[i] = ^s.found(row, i) & s.g.full(i)
	}
	// A state that looks for a source finds one after sources*columns/sum looks, about.
	if n := len(b.sources); left*min(n*sum, n*s.g.Columns) < sum*sum {
		s.pull(to, b)
	} else {
		s.push(to, b)
	}
	s.after[row] = uint32(bitset.Count(to))
	return s.after[row]
}

// push adds the states to which the last level leads.
func (s *stepper) push(to []uint64, b *board) {
	for _, m := range b.sources {
		from := s.last[int(m.Row)*len(to):][:len(to)]
		if back := s.g.Maps[s.g.Inverse[m.Map]]; back != nil {
			pushBy(to, from, back)
			continue
		}
		for i, w := range from {
			to[i] |= w
		}
	}
	for i, w := range b.unseen {
		to[i] &= w
	}
}

// pull adds the states that lead to the last level. Each of them looks until it finds one.
func (s *stepper) pull(to []uint64, b *board) {
	for _, m := range b.sources {
		from := s.last[int(m.Row)*len(to):][:len(to)]
		left := uint64(0)
		if forth := s.g.Maps[m.Map]; forth != nil {
			left = pullBy(to, b.unseen, from, forth)
		} else {
			for i, w := range from {
				to[i] |= b.unseen[i] & w
				b.unseen[i] &^= w
				left |= b.unseen[i]
			}
		}
		if left == 0 {
			return
		}
	}
}

// full returns word i of a row that has all columns.
func (g *Graph) full(i int) uint64 { return 1<<min(64, g.Columns-64*i) - 1 }

// found returns which states of word i of a row were found, and perhaps others behind the row.
func (s *stepper) found(row, i int) uint64 {
	if s.marks == nil {
		return s.known[row*s.g.words()+i]
	}
	x := uint64(row)*uint64(s.g.Columns) + 64*uint64(i)
	at, shift := 2*(x>>6), x&63
	word := (s.marks[at] | s.marks[at+1]) >> shift
	if shift != 0 && at+2 < uint64(len(s.marks)) {
		word |= (s.marks[at+2] | s.marks[at+3]) << (64 - shift)
	}
	return word
}

// markRow gives the states of a row on the next level their marks.
func (s *stepper) markRow(row, level int) {
	if s.after[row] == 0 {
		return
	}
	s.seen[row] += s.after[row]
	words := s.g.words()
	next := s.next[row*words:][:words]
	if s.marks == nil {
		known := s.known[row*words:][:words]
		for i, word := range next {
			known[i] |= word
		}
		return
	}
	m := uint64(bfs.Mark(level))
	low, high := -(m & 1), -(m >> 1)
	x, rest := uint64(row)*uint64(s.g.Columns), uint64(0)
	marks := s.marks[2*(x>>6):]
	for i, word := range next {
		now := word<<(x&63) | rest
		rest = word >> (64 - x&63)
		if i == 0 || i+1 == words {
			mark(s.marks, x>>6+uint64(i), now, level)
		} else {
			marks[2*i] |= now & low
			marks[2*i+1] |= now & high
		}
	}
	mark(s.marks, x>>6+uint64(words), rest, level)
}

// Open implements statespace.Stepper.
func (s *stepper) Open(_ int, first uint64, open []uint64) {
	words, columns := s.g.words(), uint64(s.g.Columns)
	end := min(first+64*uint64(len(open)), s.g.Size())
	for row := first / columns; row*columns < end; row++ {
		if s.count[row] == 0 {
			continue
		}
		for i, w := range s.last[int(row)*words:][:words] {
			for ; w != 0; w &= w - 1 {
				if x := row*columns + uint64(i<<6+bits.TrailingZeros64(w)); first <= x && x < end {
					open[(x-first)>>6] |= 1 << (x & 63)
				}
			}
		}
	}
}

// Restore implements statespace.Stepper.
func (s *stepper) Restore(_ int, open []uint64) {
	clear(s.last)
	clear(s.count)
	for i, w := range open {
		for ; w != 0; w &= w - 1 {
			s.enter(uint64(i)<<6 + uint64(bits.TrailingZeros64(w)))
		}
	}
	s.countFound()
}

// countFound counts the states of rows that were found.
func (s *stepper) countFound() {
	for row := range s.seen {
		s.seen[row] = 0
		for i := range s.g.words() {
			s.seen[row] += uint32(bits.OnesCount64(s.found(row, i) & s.g.full(i)))
		}
	}
}

// Levels implements statespace.Stepper: all states that were found, and the last level.
func (s *stepper) Levels(int) [][]uint64 { return [][]uint64{s.known, s.last} }

// RestoreLevels implements statespace.Stepper.
func (s *stepper) RestoreLevels(_ int, all []uint64) (states uint64, err error) {
	copy(s.known, all)
	copy(s.last, all[len(s.known):])
	words := s.g.words()
	for row := range s.count {
		s.count[row] = 0
		for i := range words {
			at := row*words + i
			if s.last[at]&^s.known[at] != 0 || s.known[at]&^s.g.full(i) != 0 {
				return 0, fmt.Errorf("rows should have %d columns, and the last level should be found, found others in row %d", s.g.Columns, row)
			}
			s.count[row] += uint32(bits.OnesCount64(s.last[at]))
		}
		states += uint64(s.count[row])
	}
	s.countFound()
	return states, nil
}
