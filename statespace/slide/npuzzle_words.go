package slide

import (
	"context"
	"math/bits"

	"pagoda/statespace"
)

// A tileWords is two levels of a tileSearch as bits: the numbers in order, 60 to a word.
// These are the ways in which the last five tiles can stand, the low tiles; all others are
// the high ones, and which of them stand where is the same for all numbers of a word.
//
// Where the empty cell goes along the lines that are read, words go to the same words of
// another plane. Else a tile passes the cols-1 others of a window. Among high tiles, words
// go to other words as they are. Among low ones, the bits of each word change places in
// the same way. And where a window has both, the tile passes the low ones, then it changes
// places with the last high one, for which six neighbouring words exchange fields of 12
// bits, and then it passes the high ones; or all this backwards.
//
// A plane keeps the last level with the colour of its place. As moves from a level lead to
// the next level and to the one before, the next is what they lead to, without what the
// plane had.
type tileWords struct {
	tp      *TilePacking
	planes  []uint64      // of the search
	front   [][]uint64    // by place of the empty cell
	windows []*tileWindow // by place of the empty cell, where it is above the window's last tile
	chunk   int           // words, for one task; no window reaches from one into another, unless it has high tiles only
	top     int           // of the digits that are the same in a chunk, the smallest radix
	odd     []uint8       // by six words of a chunk: 1 if the sum of their digits in the chunk is odd
	workers []*tileWorker
	// hasLow is the bits with a low tile at one of their places, by the parity of the low
	// tiles, the place, and how many other low tiles come before it by name.
	hasLow [2][lowTiles][lowTiles]uint64
}

const (
	lowTiles    = 5
	wordNumbers = 60
	fieldBits   = 12
	// minWordTiles: from here on chunks are whole words also of the planes of the search,
	// and there are three high tiles.
	minWordTiles = 8
)

// A tileWindow is the tiles that the empty cell passes when it goes from one line to the
// next.
type tileWindow struct {
	low int // low tiles among them
	// Of the high ones, what becomes of their digits when the last goes first, and when
	// the first goes last; this is nil if there are low tiles.
	down, up []uint32
	// block is the words of each such number.
	block int
	// Of the low ones, by whether they are odd before the last goes first: what becomes of
	// the bits then, and when this is taken back. nil: nothing.
	lowDown, lowUp [2]*bitPermutation
}

// A bitPermutation tells where the bits of a word go, by the values of its bytes.
type bitPermutation [8][256]uint64

func (p *bitPermutation) apply(x uint64) uint64 {
	return p[0][uint8(x)] | p[1][uint8(x>>8)] | p[2][uint8(x>>16)] | p[3][uint8(x>>24)] |
		p[4][uint8(x>>32)] | p[5][uint8(x>>40)] | p[6][uint8(x>>48)] | p[7][uint8(x>>56)]
}

// arrangements is how many ways there are to fill so many places, with the digit of the
// least radix last.
func arrangements(radix, places int) int {
	n := 1
	for i := range places {
		n *= radix + i
	}
	return n
}

// chunkPlaces is how many high digits change within a chunk: as many as a window can have
// besides a low tile, and four where that is less, or all.
func (tp *TilePacking) chunkPlaces() int { return min(max(4, tp.cols-1), tp.tiles-lowTiles) }

// tileWordBytes is about how many bytes a tileWords takes.
func tileWordBytes(tp *TilePacking, threads int) uint64 {
	if tp.tiles < minWordTiles {
		return 0
	}
	bytes := tp.Size() / wordNumbers * 8
	bytes += uint64(threads) * 8 * uint64(arrangements(lowTiles+1, tp.chunkPlaces()))
	for from := range tp.tiles + 1 - tp.cols {
		high := tp.tiles - lowTiles - from // places
		switch {
		case high >= tp.cols:
			bytes += 8 * uint64(arrangements(tp.tiles-from-tp.cols+1, tp.cols))
		case high > 0:
			bytes += 4*uint64(arrangements(lowTiles+1, high)) + 4*8*256*8
		default:
			bytes += 4 * 8 * 256 * 8
		}
	}
	return bytes
}

func newTileWords(tp *TilePacking, planes []uint64, threads int) *tileWords {
	places := tp.chunkPlaces()
	w := &tileWords{tp: tp, planes: planes, chunk: arrangements(lowTiles+1, places), top: lowTiles + 1 + places}
	for range tp.tiles + 1 {
		w.front = append(w.front, make([]uint64, tp.plane/wordNumbers))
	}
	for from := range tp.tiles + 1 - tp.cols {
		w.windows = append(w.windows, newTileWindow(tp, from))
	}
	w.odd = make([]uint8, w.chunk/6)
	for i := range w.odd {
		w.odd[i] = digitsOdd(i, lowTiles+2)
	}
	for odd := range w.hasLow {
		for x := range uint64(wordNumbers) {
			s := unrankTiles(x, lowTiles, odd)
			for place, tile := range s[:lowTiles] {
				w.hasLow[odd][place][tile] |= 1 << x
			}
		}
	}
	for range threads {
		w.workers = append(w.workers, &tileWorker{tileWords: w, next: make([]uint64, w.chunk)})
	}
	return w
}

// digitsOdd is 1 if the sum of the digits of a number is odd, of which the last has the
// given radix and each one before it one more.
func digitsOdd(x, radix int) uint8 {
	sum := 0
	for ; x > 0; radix++ {
		sum += x % radix
		x /= radix
	}
	return uint8(sum & 1)
}

func newTileWindow(tp *TilePacking, from int) *tileWindow {
	last := from + tp.cols
	high := tp.tiles - lowTiles
	w := &tileWindow{low: last - max(from, high)}
	if w.low <= 0 {
		w.low = 0
		w.down = lastFirst(tp.tiles-from, tp.cols)
		w.up = make([]uint32, len(w.down))
		for x, y := range w.down {
			w.up[y] = uint32(x)
		}
		w.block = arrangements(lowTiles+1, high-last)
		return w
	}
	if from < high {
		w.down = lastFirst(tp.tiles-from, high-from)
	}
	if w.low > 1 {
		first := max(from, high) - high
		for odd := range 2 {
			w.lowDown[odd], w.lowUp[odd] = lowLastFirst(first, w.low, odd)
		}
	}
	return w
}

// lastFirst lists what becomes of so many digits when the last of the tiles at their places
// goes first, by the number that they make. The first digit has the given radix.
func lastFirst(radix, places int) []uint32 {
	table := make([]uint32, arrangements(radix-places+1, places))
	digits := make([]int, places)
	for x := range table {
		// The tile passes one after the other, and where it comes before that by name,
		// it takes from its digit, else it adds to its own.
		own := digits[places-1]
		y, scale := 0, 1
		for i := places - 2; i >= 0; i-- {
			d := digits[i]
			if d <= own {
				own++
			} else {
				d--
			}
			y += d * scale
			scale *= radix - i - 1
		}
		table[x] = uint32(y + own*scale)
		for i := places - 1; i >= 0; i-- {
			if digits[i]++; digits[i] < radix-i {
				break
			}
			digits[i] = 0
		}
	}
	return table
}

// lowLastFirst tells where the bits of a word go when of the low tiles that are some from
// the first on, the last goes first; and how this is taken back.
func lowLastFirst(first, n, odd int) (down, up *bitPermutation) {
	down, up = new(bitPermutation), new(bitPermutation)
	for x := range uint64(wordNumbers) {
		s := unrankTiles(x, lowTiles, odd)
		last := s[first+n-1]
		copy(s[first+1:first+n], s[first:])
		s[first] = last
		y, _ := rankTiles(&s, lowTiles)
		down.move(x, y)
		up.move(y, x)
	}
	return down, up
}

// move adds to a permutation where a bit goes.
func (p *bitPermutation) move(from, to uint64) {
	for value := range p[0] {
		p[from/8][value] |= uint64(value) >> (from % 8) & 1 << to
	}
}

// exchange lets in six words the last high tile and the first low one change places. The
// word is the digit of the first of these, the field that of the second. If the first is
// not the greater by name, it becomes one more for the other; else one less for itself.
func exchange(x *[6]uint64) {
	const (
		f0 = 1<<fieldBits - 1
		f1 = f0 << fieldBits
		f2 = f1 << fieldBits
		f3 = f2 << fieldBits
		f4 = f3 << fieldBits
	)
	a, b, c, d, e, f := x[0], x[1], x[2], x[3], x[4], x[5]
	x[0] = b&f0 | c&f0<<12 | d&f0<<24 | e&f0<<36 | f&f0<<48
	x[1] = a&f0 | c&f1 | d&f1<<12 | e&f1<<24 | f&f1<<36
	x[2] = a&f1>>12 | b&f1 | d&f2 | e&f2<<12 | f&f2<<24
	x[3] = a&f2>>24 | b&f2>>12 | c&f2 | e&f3 | f&f3<<12
	x[4] = a&f3>>36 | b&f3>>24 | c&f3>>12 | d&f3 | f&f4
	x[5] = a&f4>>48 | b&f4>>36 | c&f4>>24 | d&f4>>12 | e&f4
}

// set takes lists for the two levels.
func (w *tileWords) set(lists ...[]uint64) {
	for _, plane := range w.front {
		clear(plane)
	}
	for _, list := range lists {
		for _, x := range list {
			y := x % w.tp.plane
			w.front[x/w.tp.plane][y/wordNumbers] |= 1 << (y % wordNumbers)
		}
	}
}

// members appends the numbers of the level of a colour.
func (w *tileWords) members(dst []uint64, colour int) []uint64 {
	for place, plane := range w.front {
		if w.tp.colour(place) != colour {
			continue
		}
		first := uint64(place) * w.tp.plane
		for i, word := range plane {
			dst = appendBits(dst, first+uint64(i)*wordNumbers, word)
		}
	}
	return dst
}

func appendBits(dst []uint64, first, word uint64) []uint64 {
	for ; word != 0; word &= word - 1 {
		dst = append(dst, first+uint64(bits.TrailingZeros64(word)))
	}
	return dst
}

// A tileStep is the work of a step to the next level.
type tileStep struct {
	*tileWords
	places    []int // of its colour
	low, high uint64
	given     int // workers
}

// step makes the next level, of the given colour, of the one that there is. It marks its
// numbers in the planes of the search, and returns how many they are.
func (w *tileWords) step(ctx context.Context, colour, mark int) (uint64, error) {
	s := &tileStep{tileWords: w, low: -uint64(mark & 1), high: -uint64(mark >> 1)}
	for place := range w.front {
		if w.tp.colour(place) == colour {
			s.places = append(s.places, place)
		}
	}
	err := statespace.Do(ctx, s, len(w.workers), nil)
	count := uint64(0)
	for _, worker := range w.workers {
		count += worker.count
	}
	return count, err
}

// Stages implements statespace.Work.
func (s *tileStep) Stages() int { return 1 }

// Tasks implements statespace.Work.
func (s *tileStep) Tasks(int) int { return len(s.places) * (len(s.front[0]) / s.chunk) }

// NewWorker implements statespace.Work.
func (s *tileStep) NewWorker() statespace.Worker {
	w := s.workers[s.given]
	s.given++
	w.step, w.count = s, 0
	return w
}

type tileWorker struct {
	*tileWords
	step  *tileStep
	next  []uint64 // what moves lead to
	count uint64
}

// Do implements statespace.Worker: it makes one chunk of a plane.
func (w *tileWorker) Do(_, task int) {
	tp := w.tp
	chunks := len(w.front[0]) / w.chunk
	place := w.step.places[task/chunks]
	chunk := task % chunks
	first := chunk * w.chunk
	in := func(place int) []uint64 { return w.front[place][first:][:w.chunk] }
	next := w.next
	switch col := place % tp.cols; col {
	case 0:
		copy(next, in(place+1))
	case tp.cols - 1:
		copy(next, in(place-1))
	default:
		left, right := in(place-1), in(place+1)
		for i := range next {
			next[i] = left[i] | right[i]
		}
	}
	odd := digitsOdd(chunk, w.top)
	if above := place - tp.cols; above >= 0 {
		flip := odd ^ uint8(tp.parity(above))
		switch win := w.windows[above]; {
		case win.low == 0:
			win.gather(next, w.front[above], win.up, first)
		case win.down != nil:
			win.mixedDown(next, in(above), w.odd, flip)
		default:
			win.permute(next, in(above), &win.lowDown, w.odd, flip)
		}
	}
	if below := place + tp.cols; below < len(w.front) {
		flip := odd ^ uint8(tp.parity(place))
		switch win := w.windows[place]; {
		case win.low == 0:
			win.gather(next, w.front[below], win.down, first)
		case win.down != nil:
			win.mixedUp(next, in(below), w.odd, flip)
		default:
			win.permute(next, in(below), &win.lowUp, w.odd, flip)
		}
	}
	planes := w.planes[uint64(place)*(tp.plane/64*2)+uint64(first)/16*30:]
	w.count += finish(next, in(place), planes, w.step.low, w.step.high)
}

// gather adds to a chunk that begins at a word of its plane the words of another plane that
// go there: table tells where each comes from.
func (w *tileWindow) gather(next, from []uint64, table []uint32, first int) {
	at := first / w.block
	base, at := at/len(table)*len(table), at%len(table)
	for i := 0; i < len(next); i += w.block {
		dst := next[i:][:w.block]
		src := from[(base+int(table[at]))*w.block:][:len(dst)]
		for j, word := range src {
			dst[j] |= word
		}
		if at++; at == len(table) {
			at = 0
			base += len(table)
		}
	}
}

// permute adds to a chunk the words of another one, with their bits at other places. The
// parity of the low tiles is odd, by six words, changed by flip, for the first of the six.
func (w *tileWindow) permute(next, from []uint64, how *[2]*bitPermutation, odd []uint8, flip uint8) {
	for i := range odd {
		src, dst := (*[6]uint64)(from[6*i:]), (*[6]uint64)(next[6*i:])
		if none6(src) {
			continue
		}
		x := *src
		permute6(&x, how, odd[i]^flip)
		for j, word := range x {
			dst[j] |= word
		}
	}
}

func none6(x *[6]uint64) bool { return x[0]|x[1]|x[2]|x[3]|x[4]|x[5] == 0 }

// permute6 applies to six words, whose parity alternates, what belongs to it.
func permute6(x *[6]uint64, how *[2]*bitPermutation, odd uint8) {
	a, b := how[odd&1], how[odd&1^1]
	x[0], x[2], x[4] = a.apply(x[0]), a.apply(x[2]), a.apply(x[4])
	x[1], x[3], x[5] = b.apply(x[1]), b.apply(x[3]), b.apply(x[5])
}

// mixedDown adds to a chunk the words of another one, from which the last tile of the
// window, a low one, goes first.
func (w *tileWindow) mixedDown(next, from []uint64, odd []uint8, flip uint8) {
	for base := 0; base < len(next); base += len(w.down) {
		dst := next[base:][:len(w.down)]
		for i := 0; i < len(dst); i += 6 {
			src := (*[6]uint64)(from[base+i:])
			if none6(src) {
				continue
			}
			x := *src
			if w.low > 1 {
				permute6(&x, &w.lowDown, odd[(base+i)/6]^flip)
			}
			exchange(&x)
			for j, to := range (*[6]uint32)(w.down[i:]) {
				dst[to] |= x[j]
			}
		}
	}
}

// mixedUp takes back what mixedDown does.
func (w *tileWindow) mixedUp(next, from []uint64, odd []uint8, flip uint8) {
	for base := 0; base < len(next); base += len(w.down) {
		src := from[base:][:len(w.down)]
		for i := 0; i < len(src); i += 6 {
			var x [6]uint64
			for j, at := range (*[6]uint32)(w.down[i:]) {
				x[j] = src[at]
			}
			if none6(&x) {
				continue
			}
			exchange(&x)
			if w.low > 1 {
				permute6(&x, &w.lowUp, odd[(base+i)/6]^flip)
			}
			dst := (*[6]uint64)(next[base+i:])
			for j, word := range x {
				dst[j] |= word
			}
		}
	}
}

// finish makes a chunk of a level of what moves lead to and of the level two before, whose
// place it takes. It adds the numbers to the planes of the search from its first on, and
// returns how many they are. It uses up what moves lead to.
func finish(next, level, planes []uint64, low, high uint64) (count uint64) {
	for i := 0; i < len(next); i += 16 {
		a, b := (*[16]uint64)(next[i:]), (*[16]uint64)(level[i:])
		any := uint64(0)
		for j := range a {
			w := a[j] &^ b[j]
			a[j], b[j] = w, w
			any |= w
		}
		if any == 0 {
			continue
		}
		// Sixteen words of 60 bits are fifteen of 64.
		p := (*[30]uint64)(planes[i/16*30:])
		for j := range 15 {
			w := a[j]>>(4*j) | a[j+1]<<(60-4*j)
			p[2*j] |= w & low
			p[2*j+1] |= w & high
			count += uint64(bits.OnesCount64(w))
		}
	}
	return count
}

// goals returns the goals of the level of a colour.
func (w *tileWords) goals(colour int) []uint64 {
	var found []uint64
	for place := range w.front {
		if w.tp.colour(place) != colour {
			continue
		}
		for i := range w.tp.goals {
			if want, ok := w.tp.goalTiles(&w.tp.goals[i], place); ok {
				g := goalWords{tileWords: w, place: place, want: want, found: found}
				for _, tile := range want[:w.tp.tiles] {
					if tile != anyTile {
						g.kept |= 1 << tile
					}
				}
				g.walk(0, 0, 1<<w.tp.tiles-1, w.tp.parity(place))
				found = g.found
			}
		}
	}
	return found
}

// goalWords goes through the words of a plane that can have a goal.
type goalWords struct {
	*tileWords
	place int
	want  [maxTiles]int8
	kept  uint // the tiles that the goal names
	found []uint64
}

// walk goes through those words that begin with the digits x at the first places, where
// left are the tiles that are left. odd is the parity of what is to come.
func (g *goalWords) walk(i, x int, left uint, odd int) {
	if i == g.tp.tiles-lowTiles {
		if word := g.front[g.place][x] & g.lowGoals(left, odd&1); word != 0 {
			g.found = appendBits(g.found, uint64(g.place)*g.tp.plane+uint64(x)*wordNumbers, word)
		}
		return
	}
	can := left &^ g.kept
	if g.want[i] != anyTile {
		can = left & (1 << g.want[i])
	}
	for ; can != 0; can &= can - 1 {
		tile := bits.TrailingZeros(can)
		before := bits.OnesCount(left & (1<<tile - 1))
		g.walk(i+1, x*(g.tp.tiles-i)+before, left&^(1<<tile), odd+before)
	}
}

// lowGoals returns the bits that can be goals, of low tiles of a parity.
func (g *goalWords) lowGoals(low uint, odd int) uint64 {
	set := uint64(1)<<wordNumbers - 1
	for place, tile := range g.want[g.tp.tiles-lowTiles : g.tp.tiles] {
		if tile == anyTile {
			continue
		}
		if low>>tile&1 == 0 {
			return 0
		}
		set &= g.hasLow[odd][place][bits.OnesCount(low&(1<<tile-1))]
	}
	return set
}
