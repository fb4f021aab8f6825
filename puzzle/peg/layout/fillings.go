package layout

import (
	"math"
	"math/bits"
	"slices"

	"pagoda/internal/gf2"
	"pagoda/puzzle/peg/board"
)

// maxCounting bounds the work of counting the blocks of a layout, in additions. Boards in
// which many invariants depend on each other in a tangle need more than that.
const maxCounting = 1 << 28

// maxCounts bounds the counts that are kept at a time.
const maxCounts = 1 << 20

// The fillings of the cells outside a block are counted by weight, if they have the
// parities of a class. The cells are taken one after the other, and fillings of those so
// far with the same parities count as one state. A state that the cells left cannot
// complete is dropped. So a parity costs nothing before its first cell and after its last.
type fillings struct {
	cells    []filled
	odd      uint64 // the parities of the class
	heaviest int    // the greatest weight that counts
}

// A filled is cells that all have a peg or all have none.
type filled struct {
	odd    uint64 // the parities that the pegs change
	weight int
}

// fillings returns those that a symmetry takes to themselves; nil is the identity.
func (l *Layout) fillings(start board.Position, symmetry board.Permutation) *fillings {
	b := l.board
	outer := b.Full() &^ l.Block
	// In a class, the parity of the pegs outside Block is fixed for those invariants
	// that have no cell in it. They are the ones whose pivots are outside, when pivots
	// are inside if they can be.
	rows, pivots := gf2.Reduce(b.Invariants(), slices.Concat(gf2.List(l.Block), gf2.List(outer)))
	var parities []uint64
	for i, p := range pivots {
		if outer>>p&1 == 1 {
			parities = append(parities, rows[i])
		}
	}
	odd := func(set uint64) (odd uint64) {
		for i, v := range parities {
			odd |= uint64(bits.OnesCount64(v&set)&1) << i
		}
		return odd
	}
	weigher := NewWeigher(l.BlockWeights)
	f := &fillings{odd: odd(start), heaviest: weigher.Weight(start)}
	for left := outer; left != 0; {
		cycle := uint64(0)
		for cell := bits.TrailingZeros64(left); cycle>>cell&1 == 0; {
			cycle |= 1 << cell
			if symmetry != nil {
				cell = symmetry[cell]
			}
		}
		left &^= cycle
		f.cells = append(f.cells, filled{odd(cycle), weigher.Weight(cycle)})
	}
	if f.work() > maxCounting/64 {
		f.sort()
	}
	return f
}

// after returns, by number of cells taken, the binary digits of the number of states.
func (f *fillings) after() (digits []int) {
	n := len(f.cells)
	past, left := make([]int, n+1), make([]int, n+1) // ranks
	var before, behind gf2.Basis
	for i := range n {
		before.Add(f.cells[i].odd)
		behind.Add(f.cells[n-1-i].odd)
		past[i+1], left[n-1-i] = len(before), len(behind)
	}
	for i := range n + 1 {
		digits = append(digits, past[i]+left[i]-past[n])
	}
	return digits
}

// work returns how many additions count does. It is more than any bound if count would keep
// more than maxCounts.
func (f *fillings) work() (additions uint64) {
	for _, digits := range f.after() {
		counts := uint64(f.heaviest+1) << digits
		if digits > 40 || counts > maxCounts && digits > 0 {
			return math.MaxUint64 >> 8 // sums of these are too large as well
		}
		additions += counts
	}
	return additions
}

// sort orders the cells so that there are few states: next comes the cell after which there
// are the fewest.
func (f *fillings) sort() {
	rest := slices.Clone(f.cells)
	var past gf2.Basis
	var sorted []filled
	for len(rest) > 0 {
		best, fewest := 0, math.MaxInt
		for i, cell := range rest {
			taken := slices.Clone(past)
			taken.Add(cell.odd)
			var left gf2.Basis
			for j, other := range rest {
				if j != i {
					left.Add(other.odd)
				}
			}
			if n := len(taken) + len(left); n < fewest {
				best, fewest = i, n
			}
		}
		past.Add(rest[best].odd)
		sorted = append(sorted, rest[best])
		rest = slices.Delete(rest, best, best+1)
	}
	other := &fillings{sorted, f.odd, f.heaviest}
	if other.work() < f.work() {
		f.cells = sorted
	}
}

// count returns the fillings by weight.
func (f *fillings) count() []uint64 {
	left := make([]gf2.Basis, len(f.cells)+1) // by number of cells taken: of those left
	for i := len(f.cells) - 1; i >= 0; i-- {
		left[i] = slices.Clone(left[i+1])
		left[i].Add(f.cells[i].odd)
	}
	zero := make([]uint64, f.heaviest+1)
	zero[0] = 1
	states := map[uint64][]uint64{}
	if left[0].Spans(f.odd) {
		states[0] = zero
	}
	for i, cell := range f.cells {
		next := make(map[uint64][]uint64, len(states))
		for odd, counts := range states {
			for _, peg := range []bool{false, true} {
				to, weight := odd, 0
				if peg {
					to, weight = odd^cell.odd, cell.weight
				}
				if weight > f.heaviest || !left[i+1].Spans(f.odd^to) {
					continue
				}
				sums, ok := next[to]
				if !ok {
					sums = make([]uint64, f.heaviest+1)
					next[to] = sums
				}
				for w, n := range counts[:f.heaviest+1-weight] {
					sums[w+weight] += n
				}
			}
		}
		states = next
	}
	if counts, ok := states[f.odd]; ok {
		return counts
	}
	return make([]uint64, f.heaviest+1)
}
