package layout

import "pagoda/puzzle/peg/board"

// Blocks counts by weight, up to that of the start, the blocks of the start's class. The
// sweep goes through no others. It returns nil if they are too many kinds to count; see
// maxCounting.
func (l *Layout) Blocks(start board.Position) []uint64 {
	f := l.fillings(start, nil)
	if f.work() > maxCounting {
		return nil
	}
	return f.count()
}

// Representatives is Blocks for a folded sweep, which makes one block per orbit of the
// symmetries. The symmetries must leave the start as it is.
func (l *Layout) Representatives(start board.Position) (orbits []uint64) {
	if len(l.symmetries) == 0 {
		return l.Blocks(start)
	}
	// By Burnside's lemma: the mean number of blocks that a symmetry leaves as they are.
	var all []*fillings
	work := uint64(0)
	for _, s := range l.symmetries {
		f := l.fillings(start, s)
		all = append(all, f)
		if work += f.work(); work > maxCounting {
			return nil
		}
	}
	for _, f := range all {
		if orbits == nil {
			orbits = f.count()
			continue
		}
		for w, n := range f.count() {
			orbits[w] += n
		}
	}
	for w := range orbits {
		orbits[w] /= uint64(len(l.symmetries))
	}
	return orbits
}

// Window returns how many blocks a sweep holds at a time, if it goes through the given
// numbers of blocks by weight: while it makes those of one weight, it reads blocks that
// weigh up to Drop more.
func (l *Layout) Window(blocks []uint64) uint64 { return mostWithin(blocks, l.Drop) }

// mostWithin returns the most that any drop+1 successive counts sum to.
func mostWithin(count []uint64, drop int) (most uint64) {
	var sum uint64
	for i, n := range count {
		sum += n
		if i > drop {
			sum -= count[i-drop-1]
		}
		most = max(most, sum)
	}
	return most
}

// A Weigher sums the weights of the pegs of a position, with eight look-ups.
type Weigher [8][256]int

// NewWeigher takes a weight for each cell.
func NewWeigher(weights []int) *Weigher {
	var t Weigher
	for cell, w := range weights {
		row, b := &t[cell/8], 1<<(cell%8)
		for x := range row {
			if x&b != 0 {
				row[x] += w
			}
		}
	}
	return &t
}

// Weight returns the weight of a position.
func (t *Weigher) Weight(p board.Position) int {
	return t[0][byte(p)] + t[1][byte(p>>8)] + t[2][byte(p>>16)] + t[3][byte(p>>24)] +
		t[4][byte(p>>32)] + t[5][byte(p>>40)] + t[6][byte(p>>48)] + t[7][byte(p>>56)]
}
