package npuzzle

import (
	"pagoda/internal/gf2"
	"pagoda/statespace/permutation"
)

// A window is the tiles that one of them passes when the empty cell goes from one line to the
// next: the last of them goes first when the empty cell goes forward (down), and the first goes
// last when it goes back (up).
type window struct {
	low int // the number of low tiles
	// down says what the digits of the high tiles become when the last goes first. It is nil if
	// there are no high tiles. up reverses it; it is nil if there are low tiles.
	down, up []uint32
	block    int // without low tiles: the number of words for each value of these digits
	// lowDown says what the bits of a word become when the last low tile goes first among the low
	// ones, by the parity of the low tiles before. lowUp reverses it. They are nil if nothing
	// changes.
	lowDown, lowUp [2]*gf2.Table
}

func newWindow(n *Numbering, from int) *window {
	last := from + n.cols
	high := n.tiles - lowTiles // places
	w := &window{low: last - max(from, high)}
	if w.low <= 0 {
		w.low = 0
		w.down = lastFirst(n.tiles-from, n.cols)
		w.up = make([]uint32, len(w.down))
		for x, y := range w.down {
			w.up[y] = uint32(x)
		}
		w.block = arrangements(lowTiles+1, high-last)
		return w
	}
	if from < high {
		w.down = lastFirst(n.tiles-from, high-from)
	}
	if w.low > 1 {
		first := max(from, high) - high
		for odd := range 2 {
			w.lowDown[odd], w.lowUp[odd] = lowLastFirst(first, w.low, odd)
		}
	}
	return w
}

// windowBytes returns about how many bytes a window takes.
func windowBytes(n *Numbering, from int) uint64 {
	const permutations = 4 * 8 * 256 * 8
	switch high := n.tiles - lowTiles - from; { // places
	case high >= n.cols:
		return 8 * uint64(arrangements(n.tiles-from-n.cols+1, n.cols))
	case high > 0:
		return 4*uint64(arrangements(lowTiles+1, high)) + permutations
	default:
		return permutations
	}
}

// lastFirst lists what the digits at some places become when the last tile there goes first, by
// the number that they make. The first digit has the given radix.
func lastFirst(radix, places int) []uint32 {
	table := make([]uint32, arrangements(radix-places+1, places))
	digits := make([]int, places)
	for x := range table {
		// The tile passes one tile after the other. If it comes before that one in the order of
		// names, the digit of that one becomes one less, else its own becomes one more.
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

// lowLastFirst returns where the bits of a word go when the last of some low tiles goes first,
// and the reverse. There are count of them, from the given one on, and odd is the parity of all
// low tiles before.
func lowLastFirst(first, count, odd int) (down, up *gf2.Table) {
	down, up = new(gf2.Table), new(gf2.Table)
	var to, from [wordNumbers]uint64
	s := make([]uint8, lowTiles)
	for x := range uint64(wordNumbers) {
		permutation.UnrankHalf(s, x, odd)
		last := s[first+count-1]
		copy(s[first+1:first+count], s[first:])
		s[first] = last
		y, _ := permutation.RankHalf(s)
		to[x], from[y] = 1<<y, 1<<x
	}
	down.Fill(wordNumbers, func(bit int) uint64 { return to[bit] })
	up.Fill(wordNumbers, func(bit int) uint64 { return from[bit] })
	return down, up
}

// exchange makes the last high tile and the first low tile change places, in six words. Word h
// has the arrangements in which the digit of the high tile is h, and field l of it, 12 bits, those
// in which the digit of the low tile is l. A digit counts the tiles behind that come before in the
// order of names. So if the high tile comes before the low one, h <= l, the field becomes field h
// of word l+1, and else field h-1 of word l.
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

// gather adds to the words of a chunk the words of another plane that go there. The chunk begins
// at the given word of its plane. The table says where the words come from.
func (w *window) gather(next, from []uint64, table []uint32, first int) {
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

// permute adds to a chunk the words of another one with their bits permuted. The parity of the
// low tiles of every six words is odd, changed by flip, for the first of the six.
func (w *window) permute(next, from []uint64, how *[2]*gf2.Table, odd []uint8, flip uint8) {
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

// permute6 permutes the bits of six words, whose parities alternate.
func permute6(x *[6]uint64, how *[2]*gf2.Table, odd uint8) {
	a, b := how[odd&1], how[odd&1^1]
	x[0], x[2], x[4] = a.Apply(x[0]), a.Apply(x[2]), a.Apply(x[4])
	x[1], x[3], x[5] = b.Apply(x[1]), b.Apply(x[3]), b.Apply(x[5])
}

// mixedDown adds to a chunk the words of another one, when the last tile of the window, a low
// one, goes first. The window has high and low tiles.
func (w *window) mixedDown(next, from []uint64, odd []uint8, flip uint8) {
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

// mixedUp reverses mixedDown.
func (w *window) mixedUp(next, from []uint64, odd []uint8, flip uint8) {
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
