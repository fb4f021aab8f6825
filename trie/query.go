package trie

import (
	"errors"
	"fmt"
	"math/bits"
)

// A Term is a property of numbers: its value is the parity of the bits that the mask
// picks, or the other one if Odd is set. Without a mask it is a constant.
type Term struct {
	Mask uint64
	Odd  bool
}

// Values tells which values of a term are asked for.
type Values uint8

// The values that may be asked for.
const (
	Either Values = iota
	Zero
	One
)

// A Pattern asks for members by the values of terms.
type Pattern struct {
	Terms  []Term
	Values []Values // of each term; nil: Either
	// Least and Most bound how many of the terms have the value 1, both included. All
	// terms count, those of which either value is asked for too.
	Least, Most int
}

// Bounds of the terms of a pattern. A term that does not matter, as either value is
// asked for, costs nothing and need not be counted, is not counted among MaxWide.
const (
	MaxTerms = 128
	MaxWide  = 16 // terms with more than one bit
)

// ErrPattern says that a question cannot be asked.
var ErrPattern = errors.New("the pattern is not one")

// MaxDistance bounds the distances in a NearQuery, so that sums do not overflow.
const MaxDistance = 1<<56 - 1

// never is the cost of a value that is not asked for.
const never = 1 << 56

// A plan is a pattern made ready for the bits of paths, that are decided from the
// highest down. A term is open until its lowest bit is decided; then its value is known.
// The state of a walk is a node, the parities of the wide terms that are open (a bit
// for each; it starts at Odd), and the number of ones among the terms that are closed.
type plan struct {
	bits    int
	numbers [64]uint64 // by bit of the path: that of the number
	base    uint64     // the least cost of all terms; other costs are what exceeds it

	counted     bool // the number of ones matters
	least, most int
	terms       int // that matter

	start   uint16 // parities
	ones    uint8  // in constants
	cost    [64][2]uint64
	one     [64][2]uint8
	turns   [64]uint16 // by bit: the wide terms that have it
	closing [64]uint16 // by bit: those of which it is the lowest
	wide    int
	extra   [MaxWide][2]uint64

	// By number of bits left:
	minOnes, maxOnes [65]int  // the ones in open terms
	closed           [65]int  // the terms that are closed
	easy             [65]bool // no value of a term that is open is one not asked for

	// By filling of the lowest six bits:
	lowNumber, lowCost [64]uint64
	lowOnes            [64]uint8
	lowTurns           [64]uint16

	leaves [512]leaf
	epoch  uint64 // of the leaves that hold
}

// A leaf tells what the fillings of the lowest six bits cost, for a state.
type leaf struct {
	epoch uint64
	state uint32
	asked uint64 // the fillings with values asked for
	cost  [64]uint64
}

// A planTerm is a term of a pattern made ready for a plan.
type planTerm struct {
	mask       uint64 // of the bits of paths
	odd        uint16
	extra      [2]uint64 // what each value costs beyond the least
	least, all int       // of ones
}

// low returns the lowest bit of a term that has one: the term is open until it is decided.
func (x *planTerm) low() int { return bits.TrailingZeros64(x.mask) }

// set makes the plan of a pattern, with the costs of the values of each term or none.
func (q *plan) set(t *Trie, p Pattern, costs [][2]uint64) error {
	if err := p.check(costs); err != nil {
		return err
	}
	q.reset()
	q.bits = len(t.order)
	for i, bit := range t.order {
		q.numbers[i] = 1 << bit
	}
	q.least, q.most = p.Least, p.Most
	q.counted = p.Least > 0 || p.Most < len(p.Terms)
	var wide [MaxWide]planTerm
	for i := range p.Terms {
		x, err := q.take(t, p, costs, i)
		switch {
		case err != nil:
			return err
		case x.mask == 0: // it is a constant
			q.base += x.extra[x.odd]
			q.ones += uint8(x.odd)
		case q.counted || x.extra != [2]uint64{}: // it matters
			q.terms++
			q.follow(&x)
			if x.mask&(x.mask-1) == 0 {
				q.addNarrow(&x)
			} else if err := q.insertWide(&wide, x); err != nil {
				return err
			}
		}
	}
	q.setWide(wide[:q.wide])
	q.spreadLow()
	return nil
}

// check looks at the sizes of a pattern, and at the sum of the costs.
func (p *Pattern) check(costs [][2]uint64) error {
	if len(p.Terms) > MaxTerms {
		return fmt.Errorf("%w: at most %d terms, found %d", ErrPattern, MaxTerms, len(p.Terms))
	}
	if p.Values != nil && len(p.Values) != len(p.Terms) {
		return fmt.Errorf("%w: the values of %d terms were expected, found %d", ErrPattern, len(p.Terms), len(p.Values))
	}
	if costs != nil && len(costs) != len(p.Terms) {
		return fmt.Errorf("%w: the costs of %d terms were expected, found %d", ErrPattern, len(p.Terms), len(costs))
	}
	sum := uint64(0)
	for _, c := range costs {
		most := max(c[0], c[1])
		if sum += most; most > MaxDistance || sum > MaxDistance {
			return fmt.Errorf("%w: distances are at most %d, found more", ErrPattern, uint64(MaxDistance))
		}
	}
	return nil
}

// take returns a term of a pattern. What it costs at least is added to base.
func (q *plan) take(t *Trie, p Pattern, costs [][2]uint64, i int) (x planTerm, err error) {
	x.all = 1
	if costs != nil {
		x.extra = costs[i]
	}
	values := Either
	if p.Values != nil {
		values = p.Values[i]
	}
	least := min(x.extra[0], x.extra[1])
	switch values {
	case Either:
	case Zero:
		least, x.all = x.extra[0], 0
		x.extra[1] = least + never
	case One:
		least, x.least = x.extra[1], 1
		x.extra[0] = least + never
	default:
		return x, fmt.Errorf("%w: %d is not what a term can be asked for", ErrPattern, values)
	}
	q.base += least
	x.extra[0], x.extra[1] = x.extra[0]-least, x.extra[1]-least
	if p.Terms[i].Odd {
		x.odd = 1
	}
	mask := p.Terms[i].Mask
	if q.bits < 64 {
		mask &= 1<<q.bits - 1
	}
	x.mask = t.path(mask)
	return x, nil
}

// follow counts a term where it is open, and where it is closed.
func (q *plan) follow(x *planTerm) {
	low, easy := x.low(), max(x.extra[0], x.extra[1]) < never
	for left := range q.bits + 1 {
		if left > low {
			q.minOnes[left] += x.least
			q.maxOnes[left] += x.all
			q.easy[left] = q.easy[left] && easy
		} else {
			q.closed[left]++
		}
	}
}

// addNarrow adds a term of one bit.
func (q *plan) addNarrow(x *planTerm) {
	low := x.low()
	for v := range uint64(2) {
		value := v ^ uint64(x.odd)
		q.cost[low][v] += x.extra[value]
		q.one[low][v] += uint8(value)
	}
}

// insertWide puts a term of several bits where it belongs: terms that are open longest come first.
func (q *plan) insertWide(wide *[MaxWide]planTerm, x planTerm) error {
	if q.wide == MaxWide {
		return fmt.Errorf("%w: at most %d terms with more than one bit, found more", ErrPattern, MaxWide)
	}
	j := q.wide
	for ; j > 0 && wide[j-1].low() > x.low(); j-- {
		wide[j] = wide[j-1]
	}
	wide[j] = x
	q.wide++
	return nil
}

// setWide sets what the plan knows of the wide terms.
func (q *plan) setWide(wide []planTerm) {
	for j, x := range wide {
		q.start |= x.odd << j
		q.extra[j] = x.extra
		q.closing[x.low()] |= 1 << j
		for m := x.mask; m != 0; m &= m - 1 {
			q.turns[bits.TrailingZeros64(m)] |= 1 << j
		}
	}
}

// reset empties the plan but for the memory of its leaves.
func (q *plan) reset() {
	q.base, q.start, q.ones, q.wide, q.terms = 0, 0, 0, 0, 0
	clear(q.cost[:])
	clear(q.one[:])
	clear(q.turns[:])
	clear(q.closing[:])
	clear(q.minOnes[:])
	clear(q.maxOnes[:])
	clear(q.closed[:])
	for i := range q.easy {
		q.easy[i] = true
	}
	q.epoch++
}

// spreadLow tabulates the fillings of the lowest six bits, but for wide terms' costs.
func (q *plan) spreadLow() {
	q.lowNumber[0], q.lowCost[0], q.lowOnes[0], q.lowTurns[0] = 0, 0, 0, 0
	for b := range 6 {
		for f := range 1 << b {
			g := f | 1<<b
			q.lowNumber[g] = q.lowNumber[f] | q.numbers[b]
			q.lowCost[g] = q.lowCost[f] + q.cost[b][1]
			q.lowOnes[g] = q.lowOnes[f] + q.one[b][1]
			q.lowTurns[g] = q.lowTurns[f] ^ q.turns[b]
			q.lowCost[f] += q.cost[b][0]
			q.lowOnes[f] += q.one[b][0]
		}
	}
}

// step decides a bit of the path: it returns what the terms that are closed cost, how
// many of them are 1, and the parities of those that are open.
func (q *plan) step(bit int, v uint64, parities uint16) (cost uint64, ones uint8, next uint16) {
	cost, ones = q.cost[bit][v], q.one[bit][v]
	parities ^= q.turns[bit] & -uint16(v)
	if c := q.closing[bit]; c != 0 {
		ones += uint8(bits.OnesCount16(parities & c))
		cost += q.wideCost(c, parities)
		parities &^= c
	}
	return cost, ones, parities
}

func (q *plan) wideCost(terms, parities uint16) (cost uint64) {
	for ; terms != 0; terms &= terms - 1 {
		j := bits.TrailingZeros16(terms)
		cost += q.extra[j][parities>>j&1]
	}
	return cost
}

// onesSoFar returns the number of ones so far, 0 if it does not matter.
func (q *plan) onesSoFar(ones uint8) uint8 {
	if q.counted {
		return ones
	}
	return 0
}

// leaf returns the costs of the fillings of the lowest six bits for the parities of the
// wide terms that are open and the number of ones so far.
func (q *plan) leaf(parities uint16, ones uint8) *leaf {
	state := uint32(parities) | uint32(ones)<<16
	l := &q.leaves[(state*0x9e3779b1)>>23]
	if l.epoch == q.epoch && l.state == state {
		return l
	}
	l.epoch, l.state, l.asked = q.epoch, state, 0
	open := uint16(0)
	for b := range 6 {
		open |= q.closing[b]
	}
	for f := range l.cost {
		p := parities ^ q.lowTurns[f]
		l.cost[f] = q.lowCost[f] + q.wideCost(open, p)
		if n := int(ones) + int(q.lowOnes[f]) + bits.OnesCount16(p&open); q.counted && (n < q.least || n > q.most) {
			l.cost[f] = never
		}
		if l.cost[f] < never {
			l.asked |= 1 << f
		}
	}
	return l
}
