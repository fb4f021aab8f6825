package best

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
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
	most  int         // of it, for a position
	stop  func() bool // ends the search early, with a smaller bound; nil never does
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

// newBounder returns a bounder whose searches for a cover take at most that number of nodes, and end early when
// stop, unless it is nil, says so.
func newBounder(f *field, nodes int, stop func() bool) bounder {
	switch places := f.places(); {
	case places <= 64:
		return newCover[[1]uint64](f, nodes, stop)
	case places <= 128:
		return newCover[[2]uint64](f, nodes, stop)
	case places <= 256:
		return newCover[[4]uint64](f, nodes, stop)
	case places <= 512:
		return newCover[[8]uint64](f, nodes, stop)
	}
	return newCover[[64]uint64](f, nodes, stop)
}

func newCover[S set](f *field, nodes int, stop func() bool) *cover[S] {
	places := 64 * len(*new(S))
	return &cover[S]{f: f, axes: axesOf[S](f), place: placesOf(f), most: nodes, stop: stop,
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
	if c.nodes--; c.nodes < 0 || c.stopped() {
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
			return max(bound, most) // a search that ends early may return less
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
	for !c.stopped() {
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

// stopped reports whether the search is to end early.
func (c *cover[S]) stopped() bool { return c.stop != nil && c.stop() }

// shrink makes a region smaller, as far as it stays one: the lightest pegs go first, so that the least
// weight of those that are left is great. Those that are not free stay last: they weigh the most.
func (c *cover[S]) shrink(region, free S, rest []int64) S {
	loose := region
	for w := range len(loose) {
		loose[w] &= free[w]
	}
	c.order = appendPlaces(c.order[:0], loose)
	c.sort(rest)
	for order := c.order; len(order) > 0; {
		if len(order) > longOrder {
			region, order = c.dropMany(region, order)
			continue
		}
		if has(region, int(order[0])) {
			c.peels++
			if smaller := peel(c.axes, without(region, int(order[0]))); !isEmpty(smaller) {
				region = smaller
			}
		}
		order = order[1:]
	}
	return region
}

// longOrder is how many pegs to drop are many.
const longOrder = 64

// sort sorts the order: the lightest pegs first, and those of equal weight by place.
func (c *cover[S]) sort(rest []int64) {
	if len(c.order) > longOrder {
		slices.SortStableFunc(c.order, func(p, q int32) int { return cmp.Compare(rest[p], rest[q]) })
		return
	}
	for i, p := range c.order {
		j := i
		for ; j > 0 && rest[c.order[j-1]] > rest[p]; j-- {
			c.order[j] = c.order[j-1]
		}
		c.order[j] = p
	}
}

// dropMany drops the first pegs of the order from a region, as many as leave one. The next peg has to stay. It
// returns the region and the rest of the order: what shrink makes of them peg by peg, with fewer peels.
func (c *cover[S]) dropMany(region S, order []int32) (S, []int32) {
	drop := func(n int) S {
		c.peels++
		s := region
		for _, p := range order[:n] {
			remove(&s, int(p))
		}
		return peel(c.axes, s)
	}
	n := sort.Search(len(order), func(n int) bool { return isEmpty(drop(n + 1)) })
	region = drop(n)
	return region, slices.DeleteFunc(order[min(n+1, len(order)):], func(p int32) bool { return !has(region, int(p)) })
}
