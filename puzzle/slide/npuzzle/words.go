package npuzzle

import (
	"context"
	"math/bits"
	"slices"

	"pagoda/internal/mapped"
	"pagoda/statespace/permutation"
)

// A words has two levels of a search as bits, 60 numbers to a word. These are the arrangements of
// the low tiles. The high tiles are at the same places in all numbers of a word.
//
// When the empty cell goes along a line, words go to the same words of another plane. When it
// goes to another line, a tile passes the cols-1 others of a window:
//
//   - If these are high tiles, words go to other words, and their bits stay the same.
//   - If these are low tiles, the bits of each word are permuted, in the same way for all words
//     of a parity.
//   - If a window has both, the tile passes the low ones, then changes places with the last high
//     one, for which six neighbouring words exchange fields of 12 bits, and then passes the high
//     ones. On the way back all of this is reversed.
//
// The planes of one colour have the last level, those of the other colour the level before. Moves
// from the last level lead to the next level and to the level before. So the next level is the
// numbers that moves lead to, without those of the level before, whose planes it takes.
type words struct {
	n       *Numbering
	marks   []uint64   // of the search, or nil
	planes  [][]uint64 // by place of the empty cell
	windows []*window  // by place of the empty cell, when it is before the tiles of the window
	// chunk is the number of words of a task. A window leads from a chunk into the same chunk,
	// unless it has high tiles only.
	chunk int
	top   int     // the smallest radix of the digits that are the same in a chunk
	odd   []uint8 // by six words of a chunk: 1 if the sum of their digits in the chunk is odd, else 0

	fresh   bool // the planes are 0, and the machine need not have backed them yet
	workers []*worker
}

const (
	lowTiles    = 5
	wordNumbers = 60
	fieldBits   = 12
	// minWordTiles is the least number of tiles for bits: there are three high tiles, and chunks
	// have whole words of marks.
	minWordTiles = 8
)

// arrangements returns the number of values of some digits. The last one has the given radix,
// and each one before it one more.
func arrangements(radix, places int) int {
	n := 1
	for i := range places {
		n *= radix + i
	}
	return n
}

// chunkPlaces returns how many of the last high digits change within a chunk: as many as a
// window with a low tile can have, but at least four, or all.
func chunkPlaces(n *Numbering) int { return min(max(4, n.cols-1), n.tiles-lowTiles) }

// wordsBytes returns about how many bytes words take.
func wordsBytes(n *Numbering, threads int) uint64 {
	if n.tiles < minWordTiles {
		return 0
	}
	bytes := n.Size() / wordNumbers * 8
	bytes += uint64(threads) * 8 * uint64(arrangements(lowTiles+1, chunkPlaces(n)))
	for from := range n.tiles + 1 - n.cols {
		bytes += windowBytes(n, from)
	}
	return bytes
}

func newWords(n *Numbering, marks []uint64, threads int) *words {
	w := newTables(n, func(from int) *window { return newWindow(n, from) })
	w.marks, w.fresh = marks, true
	for range n.tiles + 1 {
		w.planes = append(w.planes, mapped.Large[uint64](int(n.plane/wordNumbers)))
	}
	for range threads {
		w.workers = append(w.workers, &worker{words: w, next: make([]uint64, w.chunk)})
	}
	return w
}

// newTables makes words without planes and workers.
func newTables(n *Numbering, newWindow func(from int) *window) *words {
	places := chunkPlaces(n)
	w := &words{n: n, chunk: arrangements(lowTiles+1, places), top: lowTiles + 1 + places}
	for from := range n.tiles + 1 - n.cols {
		w.windows = append(w.windows, newWindow(from))
	}
	w.odd = make([]uint8, w.chunk/6)
	for i := range w.odd {
		w.odd[i] = digitsOdd(i, lowTiles+2)
	}
	return w
}

// digitsOdd returns 1 if the sum of the digits of a number is odd, else 0. The last digit has the
// given radix, and each one before it one more.
func digitsOdd(x, radix int) uint8 {
	sum := 0
	for ; x > 0; radix++ {
		sum += x % radix
		x /= radix
	}
	return uint8(sum & 1)
}

// set enters the two levels from lists. When ctx ends, it stops and returns the cause: the first write to each page
// waits for the machine, which takes seconds for all of them.
func (w *words) set(ctx context.Context, lists ...[]uint64) error {
	for _, plane := range w.planes {
		for part := range slices.Chunk(plane, w.chunk) {
			if w.fresh || ctx.Err() != nil {
				break
			}
			clear(part)
		}
	}
	w.fresh = false
	for _, list := range lists {
		for i, x := range list {
			if i%1024 == 0 && ctx.Err() != nil {
				break
			}
			w.add(x)
		}
	}
	return context.Cause(ctx)
}

// add adds a number to the level of its colour.
func (w *words) add(x uint64) {
	y := x % w.n.plane
	w.planes[x/w.n.plane][y/wordNumbers] |= 1 << (y % wordNumbers)
}

// members appends the numbers of the level of a colour.
func (w *words) members(dst []uint64, colour int) []uint64 {
	w.eachWithin(colour, 0, w.n.Size(), func(first, word uint64) { dst = appendBits(dst, first, word) })
	return dst
}

// eachWithin calls do for the words of the level of a colour that are not 0 and have some of the numbers from first to
// end: bit i is number at+i.
func (w *words) eachWithin(colour int, first, end uint64, do func(at, word uint64)) {
	for place, plane := range w.planes {
		at := uint64(place) * w.n.plane
		if w.n.colour(place) != colour || at >= end || at+w.n.plane <= first {
			continue
		}
		begin := (max(first, at) - at) / wordNumbers
		stop := (min(end, at+w.n.plane) - at + wordNumbers - 1) / wordNumbers
		for i, word := range plane[begin:stop] {
			if word != 0 {
				do(at+(begin+uint64(i))*wordNumbers, word)
			}
		}
	}
}

func appendBits(dst []uint64, first, word uint64) []uint64 {
	for ; word != 0; word &= word - 1 {
		dst = append(dst, first+uint64(bits.TrailingZeros64(word)))
	}
	return dst
}

// findGoals returns the goals among the numbers in the planes of a colour.
func findGoals(n *Numbering, planes [][]uint64, colour int) []uint64 {
	f := goalFinder{n: n}
	s := make([]uint8, lowTiles)
	for odd := range f.hasLow {
		for x := range uint64(wordNumbers) {
			permutation.UnrankHalf(s, x, odd)
			for place, tile := range s {
				f.hasLow[odd][place][tile] |= 1 << x
			}
		}
	}
	for place, plane := range planes {
		for i := range n.goals {
			want, ok := n.goalTiles(&n.goals[i], place)
			if !ok || n.colour(place) != colour {
				continue
			}
			f.place, f.plane, f.want, f.named = place, plane, want, 0
			for _, tile := range want[:n.tiles] {
				if tile != anyTile {
					f.named |= 1 << tile
				}
			}
			f.walk(0, 0, 1<<n.tiles-1, n.parity(place))
		}
	}
	return f.found
}

// A goalFinder looks at the words of a plane that can have a goal.
type goalFinder struct {
	n     *Numbering
	place int
	plane []uint64
	want  [planTiles]int8
	named uint // the tiles that the goal names
	found []uint64
	// hasLow is the bits with a low tile at a low place, by the parity of the low tiles, the
	// place, and how many other low tiles come before the tile in the order of names.
	hasLow [2][lowTiles][lowTiles]uint64
}

// walk looks at the words in which the digits of the first i places make x. left is the tiles
// at the other places, and odd the parity of the digits there.
func (f *goalFinder) walk(i, x int, left uint, odd int) {
	if i == f.n.tiles-lowTiles {
		if word := f.plane[x] & f.lowGoals(left, odd&1); word != 0 {
			f.found = appendBits(f.found, uint64(f.place)*f.n.plane+uint64(x)*wordNumbers, word)
		}
		return
	}
	can := left &^ f.named
	if f.want[i] != anyTile {
		can = left & (1 << f.want[i])
	}
	for ; can != 0; can &= can - 1 {
		tile := bits.TrailingZeros(can)
		before := bits.OnesCount(left & (1<<tile - 1))
		f.walk(i+1, x*(f.n.tiles-i)+before, left&^(1<<tile), odd+before)
	}
}

// lowGoals returns the bits that can be goals, for low tiles with a parity.
func (f *goalFinder) lowGoals(low uint, odd int) uint64 {
	set := uint64(1)<<wordNumbers - 1
	for place, tile := range f.want[f.n.tiles-lowTiles : f.n.tiles] {
		if tile == anyTile {
			continue
		}
		if low>>tile&1 == 0 {
			return 0
		}
		set &= f.hasLow[odd][place][bits.OnesCount(low&(1<<tile-1))]
	}
	return set
}
