package npuzzle

import (
	"context"
	"math/bits"
	"slices"

	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/permutation"
)

// This file makes levels for proofs. It shares nothing with the search but the numbers and the look for goals. What it
// uses is this: when the empty cell goes along a line, the number of the permutation stays. When it goes to the next
// line, a tile passes the others of a window, and the digits before the window and behind it stay. So numbers that
// differ only in the digits behind it, a unit, stay together. Where units go is found by ranking permutations.

// A prover is a statespace.Leveler.
type prover struct {
	n       *Numbering
	marks   []uint64
	planes  [][]uint64 // the last level and the one before it, by the place of the empty cell: words as in the search
	some    [][]bool   // by place and chunk: whether there is a state
	shifts  []*shift   // by the place of the empty cell when it is before the window
	chunk   int        // words of a task: no unit of less than a word leaves it
	tiles   int        // whose digits change within a chunk
	colour  int        // of the last level
	workers []*proofWorker
}

// A shift is where the units of a plane go when the empty cell goes to the next line (down), and back.
type shift struct {
	tiles int // from the first tile of the window on
	unit  int // numbers
	// By the number of a unit: the number after the move, or its word and place there if it is less than a word.
	down, up [2][]uint32
	// If there are five tiles, so that blocks are words: the bits to which those of each byte of a word go.
	downBytes, upBytes [2]*[8][256]uint64
	// odd has whether the tiles before are odd, by the blocks of a chunk that such tiles make. It is nil if units do not
	// depend on that; down and up have one table then.
	odd []uint8
}

// A proofWorker makes chunks on one thread.
type proofWorker struct {
	*prover
	next  []uint64
	count uint64
}

// Proof returns a second way to make the moves of Graph, which shares nothing with that but the numbers.
func (n *Numbering) Proof(tray.Metric) statespace.Proof {
	p := statespace.Proof{NewExpander: func() statespace.Expander { return exchanger{n} }}
	if n.tiles >= minWordTiles {
		p.Memory = n.Size()/wordNumbers*8 + 1<<20
		for from := range n.tiles + 1 - n.cols {
			p.Memory += 8 * (permutation.Count(n.tiles-from) / max(2, permutation.Count(n.tiles-from-n.cols)))
		}
		p.NewLeveler = func(marks []uint64, threads int) statespace.Leveler { return newProver(n, marks, threads) }
	}
	return p
}

// An exchanger makes moves one by one: the empty cell changes places with a tile beside it.
type exchanger struct{ n *Numbering }

// Expand implements statespace.Expander.
func (e exchanger) Expand(dst []uint64, first, word uint64, goals *[]uint64) []uint64 {
	n := e.n
	for ; word != 0; word &= word - 1 {
		x := first + uint64(bits.TrailingZeros64(word))
		if goals != nil && n.Goal(x) {
			*goals = append(*goals, x)
		}
		pos, blank := n.Unrank(x), int(x/n.plane)
		for i, cell := range pos {
			at := int(n.place[cell])
			if across, down := at%n.cols-blank%n.cols, at/n.cols-blank/n.cols; across*across+down*down == 1 {
				pos[i] = n.cell[blank]
				y, _ := n.Rank(pos)
				dst = append(dst, y)
				pos[i] = cell
			}
		}
	}
	return dst
}

func newProver(n *Numbering, marks []uint64, threads int) *prover {
	p := &prover{n: n, marks: marks, tiles: min(max(n.cols+4, minWordTiles), n.tiles)}
	p.chunk = int(permutation.Count(p.tiles) / 2 / wordNumbers)
	words := int(n.plane / wordNumbers)
	for range n.tiles + 1 {
		p.planes, p.some = append(p.planes, mapped.Large[uint64](words)), append(p.some, make([]bool, words/p.chunk))
	}
	for from := range n.tiles + 1 - n.cols {
		p.shifts = append(p.shifts, p.newShift(from))
	}
	for range max(1, threads) {
		p.workers = append(p.workers, &proofWorker{prover: p, next: make([]uint64, p.chunk)})
	}
	return p
}

// newShift returns the shift of the window that begins with a tile.
func (p *prover) newShift(from int) *shift {
	n := p.n
	s := &shift{tiles: n.tiles - from, unit: 1}
	parities := 1
	if behind := s.tiles - n.cols; behind >= 2 {
		s.unit = int(permutation.Count(behind) / 2)
	} else {
		parities, s.tiles = 2, max(s.tiles, 5) // at least a word
		blocks := p.chunk * wordNumbers / int(permutation.Count(s.tiles)/2)
		for block := range blocks {
			s.odd = append(s.odd, digitsOdd(block, s.tiles+1))
		}
	}
	first := from - (n.tiles - s.tiles)
	order := make([]uint8, s.tiles)
	for odd := range parities {
		down := make([]uint32, permutation.Count(s.tiles)/2/uint64(s.unit))
		up := make([]uint32, len(down))
		for x := range down {
			permutation.UnrankHalf(order, uint64(x*s.unit), odd)
			last := order[first+n.cols-1]
			copy(order[first+1:][:n.cols-1], order[first:])
			order[first] = last
			y, _ := permutation.RankHalf(order)
			down[x] = uint32(y) / uint32(s.unit)
			up[down[x]] = uint32(x)
		}
		for _, table := range [][]uint32{down, up} {
			for x, y := range table {
				if first := y * uint32(s.unit); s.unit < wordNumbers {
					table[x] = first/wordNumbers<<6 | first%wordNumbers
				}
			}
		}
		s.down[odd] = down
		// The way back is from the other parity if a window has evenly many tiles.
		back := odd
		if parities == 2 {
			back ^= (n.cols - 1) & 1
		}
		s.up[back] = up
		if s.tiles == 5 {
			s.downBytes[odd], s.upBytes[back] = byBytes(down), byBytes(up)
		}
	}
	return s
}

// byBytes returns where the bits of each byte of a word go, given that of each bit.
func byBytes(to []uint32) *[8][256]uint64 {
	table := new([8][256]uint64)
	for bit, y := range to {
		for b := range 256 {
			table[bit/8][b] |= uint64(b>>(bit%8)&1) << y
		}
	}
	return table
}

// Start implements statespace.Leveler.
func (p *prover) Start(root uint64) {
	place, x := int(root/p.n.plane), root%p.n.plane
	p.planes[place][x/wordNumbers] |= 1 << (x % wordNumbers)
	p.some[place][int(x/wordNumbers)/p.chunk] = true
	p.colour = p.n.colour(place)
	p.marks[root/64*2] |= 1 << (root % 64) // mark 1
}

// Step implements statespace.Leveler.
func (p *prover) Step(ctx context.Context, level int) (count uint64, err error) {
	var places []int
	for place := range p.planes {
		if p.n.colour(place) != p.colour {
			places = append(places, place)
		}
	}
	chunks := len(p.some[0])
	err = mapped.EachWith(ctx, p.workers, uint64(len(places)*chunks), func(w *proofWorker, task uint64) error {
		w.make(places[int(task)/chunks], int(task)%chunks, uint64(bfs.Mark(level+1)))
		return nil
	})
	for _, w := range p.workers {
		count += w.count
		w.count = 0
	}
	p.colour ^= 1
	return count, err
}

// make makes a chunk of the next level.
func (w *proofWorker) make(place, chunk int, mark uint64) {
	n, next := w.n, w.next
	clear(next)
	from := chunk * w.chunk
	or := func(beside int) {
		if w.some[beside][chunk] {
			for i, word := range w.planes[beside][from:][:w.chunk] {
				next[i] |= word
			}
		}
	}
	if place%n.cols > 0 {
		or(place - 1)
	}
	if place%n.cols < n.cols-1 {
		or(place + 1)
	}
	odd := digitsOdd(chunk, w.tiles+1)
	if above := place - n.cols; above >= 0 {
		s := w.shifts[above]
		w.shift(s, above, chunk, odd, &s.down, &s.up, &s.downBytes)
	}
	if below := place + n.cols; below < len(w.planes) {
		s := w.shifts[place]
		w.shift(s, below, chunk, odd, &s.up, &s.down, &s.upBytes)
	}
	level := w.planes[place][from:][:w.chunk]
	some := false
	at := uint64(place)*n.plane + uint64(from)*wordNumbers
	for i, word := range next {
		word &^= level[i] // of the level before the last
		level[i] = word
		if word == 0 {
			continue
		}
		some = true
		w.count += uint64(bits.OnesCount64(word))
		x := at + uint64(i)*wordNumbers
		m := w.marks[x/64*2:]
		for plane := range 2 {
			if mark>>plane&1 == 0 {
				continue
			}
			m[plane] |= word << (x % 64)
			if high := word >> (64 - x%64); high != 0 {
				m[2+plane] |= high
			}
		}
	}
	w.some[place][chunk] = some
}

// shift adds to a chunk what comes from another plane. To says where its units go, and back where units come from.
func (w *proofWorker) shift(s *shift, place, chunk int, odd uint8, to, back *[2][]uint32, byByte *[2]*[8][256]uint64) {
	plane := w.planes[place]
	if s.unit >= wordNumbers {
		words, units := s.unit/wordNumbers, len(back[0])
		for i := 0; i < w.chunk; {
			at := chunk*w.chunk + i
			unit := at / words
			from := (unit-unit%units+int(back[0][unit%units]))*words + at%words
			src := plane[from:][:min(words-at%words, w.chunk-i)]
			for j, word := range src {
				w.next[i+j] |= word
			}
			i += len(src)
		}
		return
	}
	if !w.some[place][chunk] {
		return
	}
	plane = plane[chunk*w.chunk:][:w.chunk]
	odd ^= uint8(w.n.parity(place))
	if byByte[0] != nil {
		for i, x := range plane {
			if x != 0 {
				t := byByte[0]
				if s.odd != nil {
					t = byByte[odd^s.odd[i]]
				}
				w.next[i] |= t[0][x&255] | t[1][x>>8&255] | t[2][x>>16&255] | t[3][x>>24&255] | t[4][x>>32&255] | t[5][x>>40&255] | t[6][x>>48&255] | t[7][x>>56]
			}
		}
		return
	}
	block := len(to[0]) * s.unit / wordNumbers
	for first := 0; first < w.chunk; first += block {
		how := to[0]
		if s.odd != nil {
			how = to[odd^s.odd[first/block]]
		}
		s.move(w.next[first:][:block], plane[first:][:block], how)
	}
}

// move adds to the words of a block those of another one, whose units go where a table says.
func (s *shift) move(next, from []uint64, to []uint32) {
	if s.unit == 1 {
		for _, word := range from {
			in := (*[wordNumbers]uint32)(to)
			for ; word != 0; word &= word - 1 {
				y := in[bits.TrailingZeros64(word)]
				next[y>>6] |= 1 << (y & 63)
			}
			to = to[wordNumbers:]
		}
		return
	}
	field := uint64(1)<<s.unit - 1
	for _, word := range from {
		for i := 0; word != 0; i, word = i+1, word>>s.unit {
			if units := word & field; units != 0 {
				next[to[i]>>6] |= units << (to[i] & 63)
			}
		}
		to = to[wordNumbers/s.unit:]
	}
}

// Goals implements statespace.Leveler.
func (p *prover) Goals(int) []uint64 {
	found := findGoals(p.n, p.planes, p.colour)
	slices.Sort(found)
	return slices.Compact(found)
}
