package best

import (
	"math"
	"math/bits"
)

// A cover bounds what a position still costs, from below.
//
// Whatever peg is not removed from the place where it stands now will jump or be left, and costs its
// weight. So the question is which pegs can be removed where they stand. The first peg of a set that is
// removed so has, in the line of the jump, none of the set on either side. A set in which every peg has
// a neighbour of the set in each line through it is a region: it loses no peg until one of its own
// jumps. J. D. Beasley, The Ins and Outs of Peg Solitaire (1985), calls them Merson regions. A game has
// to pay for a peg of every region; the cover is the least weight of pegs that hits all regions.
//
// The pegs of negative weight are paid for separately: they hit for nothing.
type cover[S set] struct {
	f       *field
	axes    []axis[S]
	place   []int32 // by cell
	weights []int64 // by place, of the position in question; none is negative

	// Scratch.
	rest  []int64 // what the regions have left of the weights
	order []int32
	nodes int // what the search may still take
	peels uint64
	most  int // of it, for a position
}

// A bounder bounds from below what positions still cost: moves, and pegs that are left. GoesOn is the
// cell of the peg that can jump on for nothing, or -1. A bound that is not less than most is most. A
// bounder serves one goroutine.
type bounder interface {
	bound(at []kind, goesOn int32, most int64) int64
	// effort returns the work since it was called last, in jumps that a beam looks at in that time.
	effort() uint64
}

// coverNodes bounds the nodes of a search for a cover, on boards of up to 64 places; on larger ones, a node
// takes longer, and they are fewer. If they do not suffice, the bound is smaller.
const coverNodes = 2000

// nodesOf returns the nodes for the cover of a position.
func nodesOf(places int) int { return max(1, coverNodes*64/places*64/places) }

// newBounder returns a bounder whose searches for a cover take at most so many nodes.
func newBounder(f *field, nodes int) bounder {
	switch places := f.places(); {
	case places <= 64:
		return newCover[[1]uint64](f, nodes)
	case places <= 128:
		return newCover[[2]uint64](f, nodes)
	case places <= 256:
		return newCover[[4]uint64](f, nodes)
	case places <= 512:
		return newCover[[8]uint64](f, nodes)
	}
	return newCover[[64]uint64](f, nodes)
}

func newCover[S set](f *field, nodes int) *cover[S] {
	places := 64 * len(*new(S))
	return &cover[S]{f: f, axes: axesOf[S](f), place: placesOf(f), most: nodes,
		weights: make([]int64, places), rest: make([]int64, places)}
}

// bound implements bounder.
func (c *cover[S]) bound(at []kind, goesOn int32, most int64) int64 {
	var pegs S
	negative, count := int64(0), 0
	lightest := [2]kind{math.MaxUint16, math.MaxUint16}
	for cell, k := range at {
		if k == 0 {
			continue
		}
		count++
		if k < lightest[0] {
			lightest = [2]kind{k, lightest[0]}
		} else {
			lightest[1] = min(lightest[1], k)
		}
		w := c.f.weights[k]
		if w < 0 {
			negative += w
		}
		c.weights[c.place[cell]] = max(w, 0)
		if int32(cell) != goesOn {
			add(&pegs, int(c.place[cell]))
		}
	}
	if count == 0 {
		return min(most, 0)
	}
	least := c.f.weights[lightest[0]]
	if least >= 0 {
		c.nodes = c.most
		return min(most, max(least, c.search(pegs, pegs, 0, most))) // a peg is left
	}
	// Each jump takes a peg, and the two lightest pegs can at best take turns.
	second := int64(0)
	if count > 1 {
		second = min(0, c.f.weights[lightest[1]])
	}
	negative += int64(count/2)*least + int64((count-1)/2)*second
	c.nodes = c.most
	return c.search(pegs, pegs, negative, most)
}

// placesOf returns the places of cells in a set: their row times the columns, plus their column.
func placesOf(f *field) (places []int32) {
	for _, c := range f.game.Shape.Cells() {
		places = append(places, int32(c.Row*f.cols+c.Col))
	}
	return places
}

// axesOf returns the axes of a board. Neighbours across the end of a row do not matter: a cell at the end
// has not both neighbours.
func axesOf[S set](f *field) (axes []axis[S]) {
	places := placesOf(f)
	at := make(map[int]int)
	for _, l := range f.game.Shape.Lines() {
		d := int(places[l.C] - places[l.B])
		i, ok := at[d]
		if !ok {
			i = len(axes)
			at[d] = i
			axes = append(axes, axis[S]{words: d / 64, bits: d % 64})
		}
		add(&axes[i].both, int(places[l.B]))
	}
	return axes
}

// effort implements bounder. A beam looks at a jump in about the time for which 32 words are peeled.
func (c *cover[S]) effort() uint64 {
	all := 1 + c.peels*uint64(len(*new(S)))/32
	c.peels = 0
	return all
}

// search returns the least weight of a hitting set, plus the cost of what was hit before. Pegs of s that
// are not free were decided not to be hit.
func (c *cover[S]) search(s, free S, cost, most int64) int64 {
	bound, first := c.pack(s, free, cost, most)
	if bound >= most || isEmpty(first) {
		return min(bound, most)
	}
	if c.nodes--; c.nodes < 0 {
		return bound
	}
	for {
		lightest, at := int64(math.MaxInt64), -1
		for w := range len(first) {
			for t := first[w] & free[w]; t != 0; t &= t - 1 {
				if i := w<<6 + bits.TrailingZeros64(t); c.weights[i] < lightest {
					lightest, at = c.weights[i], i
				}
			}
		}
		if at < 0 {
			return most
		}
		most = c.search(without(s, at), free, cost+lightest, most)
		remove(&free, at)
	}
}

// pack bounds the weight of a hitting set by a packing: it takes regions one after another, and from the
// weights of their pegs the least of them. It returns the cost with that, and the first region.
func (c *cover[S]) pack(s, free S, cost, most int64) (bound int64, first S) {
	bound = cost
	rest := c.rest
	copy(rest, c.weights)
	for {
		c.peels++
		region := peel(c.axes, s)
		if isEmpty(region) {
			break
		}
		region = c.shrink(region, free, rest)
		if isEmpty(first) {
			first = region
		}
		least := int64(math.MaxInt64)
		for w := range len(region) {
			region[w] &= free[w]
		}
		c.order = appendPlaces(c.order[:0], region)
		for _, i := range c.order {
			least = min(least, rest[i])
		}
		if len(c.order) == 0 || least >= most-bound {
			return most, first // nothing of the region may be hit, or all of it is too heavy
		}
		bound += least
		for _, i := range c.order {
			if rest[i] -= least; rest[i] == 0 {
				remove(&s, int(i))
			}
		}
	}
	return bound, first
}

// shrink makes a region smaller, as far as it stays one: the lightest pegs go first, so that the least
// weight of those that are left is great. Those that are not free stay last: they weigh the most.
func (c *cover[S]) shrink(region, free S, rest []int64) S {
	loose := region
	for w := range len(loose) {
		loose[w] &= free[w]
	}
	c.order = appendPlaces(c.order[:0], loose)
	if len(c.order) > manyPegs {
		region = c.narrow(region)
		for w := range len(loose) {
			loose[w] &= region[w]
		}
		c.order = appendPlaces(c.order[:0], loose)
	}
	// Insertion sort: the orders are short.
	for i, p := range c.order {
		j := i
		for ; j > 0 && rest[c.order[j-1]] > rest[p]; j-- {
			c.order[j] = c.order[j-1]
		}
		c.order[j] = p
	}
	for _, p := range c.order {
		if has(region, int(p)) {
			c.peels++
			if smaller := peel(c.axes, without(region, int(p))); !isEmpty(smaller) {
				region = smaller
			}
		}
	}
	return region
}

// manyPegs is how many pegs a region must have to be narrowed before single pegs go.
const manyPegs = 48

// narrow makes a large region smaller. It takes away many neighbouring pegs at once, as long as a
// region is left, then fewer.
func (c *cover[S]) narrow(region S) S {
	for n := len(c.order) / 2; n >= manyPegs/8; n /= 2 {
		for from := 0; from < len(c.order); from += n {
			fewer := region
			for _, p := range c.order[from:min(from+n, len(c.order))] {
				remove(&fewer, int(p))
			}
			c.peels++
			if fewer = peel(c.axes, fewer); !isEmpty(fewer) {
				region = fewer
			}
		}
	}
	return region
}
