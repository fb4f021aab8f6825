package bitset

import (
	"fmt"
	"math/bits"
	"slices"
)

// An Order is a permutation of the bits of numbers. It takes a number to its path, which has
// bit Order[i] of the number as bit i.
type Order []int

// PlainOrder returns the order that leaves the bits in their places.
func PlainOrder(bits int) Order {
	o := make(Order, bits)
	for i := range o {
		o[i] = i
	}
	return o
}

// Plain reports whether all bits stay in their places.
func (o Order) Plain() bool {
	return slices.Equal(o, PlainOrder(len(o)))
}

// Check returns an error unless the order has each bit from 0 to its length less 1 once.
func (o Order) Check() error {
	seen := uint64(0)
	for _, bit := range o {
		if bit < 0 || bit >= min(64, len(o)) || seen>>bit&1 == 1 {
			return fmt.Errorf("the order %v: each bit from 0 to %d was expected once", []int(o), len(o)-1)
		}
		seen |= 1 << bit
	}
	return nil
}

// Number returns the number that has the given path.
func (o Order) Number(path uint64) (x uint64) {
	for ; path != 0; path &= path - 1 {
		x |= 1 << o[bits.TrailingZeros64(path)]
	}
	return x
}

// Inverse returns the order that leads back: it takes the path of a number to the number.
func (o Order) Inverse() Order {
	back := make(Order, len(o))
	for i, bit := range o {
		back[bit] = i
	}
	return back
}

// A Mover turns the bitmap of a set into the bitmap of the paths of its members. It may be
// used by several goroutines at once.
//
// It works on groups of words. The numbers of the words of a group differ only in bits that
// become one of the lowest six bits of the path. Within a group each such bit changes places
// with one of the lowest six bits that has to leave; then the lowest six are put in order.
type Mover struct {
	between, within []exchange
	groupMask       uint64
	group           int        // words
	from, to        [64]uint64 // by word of the group: its place before and after
	target          Order      // of the words
}

// An exchange swaps two bits. One is inside a word; the other is inside as well, or it is a
// bit in which the words of a group differ.
type exchange struct{ inside, outside int }

// Mover returns the mover of an order of six bits or more that Check accepts.
func (o Order) Mover() *Mover {
	m := new(Mover)
	cur := PlainOrder(len(o)) // by place: the bit of the number that is there
	var far []int             // places of the bits that come in
	for _, bit := range o[:6] {
		if bit < 6 {
			continue
		}
		for place, b := range cur[:6] {
			if !slices.Contains(o[:6], b) {
				m.between = append(m.between, exchange{place, len(far)})
				far = append(far, bit)
				cur[place], cur[bit] = bit, b
				break
			}
		}
	}
	for i, bit := range o[:6] {
		if j := slices.Index(cur, bit); j != i {
			m.within = append(m.within, exchange{i, j})
			cur[i], cur[j] = cur[j], cur[i]
		}
	}
	// The places of the words as they are now, in those that they shall have.
	source := make(Order, len(o))
	inverse := o.Inverse()
	for place, bit := range cur {
		source[place] = inverse[bit]
	}
	m.target = source
	for _, place := range far {
		m.groupMask |= 1 << (place - 6)
	}
	m.group = 1 << len(far)
	for g := range m.group {
		x := Order(far).Number(uint64(g))
		m.from[g], m.to[g] = x>>6, m.target.Number(x)>>6
	}
	return m
}

// Groups returns the number of groups.
func (m *Mover) Groups() uint64 { return 1 << len(m.target) / 64 / uint64(m.group) }

// Move moves the words of groups first to end-1 to their places in out, which is other memory.
// Both slices have a bit for every number of the order. Several goroutines may each move some
// groups.
func (m *Mover) Move(out, words []uint64, first, end uint64) {
	var groupWords [64]uint64
	group := groupWords[:m.group]
	// The first word of a group has the bits of its number where the mask has none.
	w, rest := uint64(0), first
	for bit := 0; rest != 0; bit++ {
		if m.groupMask>>bit&1 == 0 {
			w |= rest & 1 << bit
			rest >>= 1
		}
	}
	for range end - first {
		for g := range group {
			group[g] = words[w|m.from[g]]
		}
		for _, e := range m.between {
			shift, keep := 1<<e.inside, lowHalves[e.inside]
			for g := range group {
				if g>>e.outside&1 == 0 {
					a, b := &group[g], &group[g|1<<e.outside]
					d := (*a>>shift ^ *b) & keep
					*b ^= d
					*a ^= d << shift
				}
			}
		}
		for _, e := range m.within {
			i, j := min(e.inside, e.outside), max(e.inside, e.outside)
			shift, keep := 1<<j-1<<i, lowHalves[j]&^lowHalves[i]
			for g, x := range group {
				d := (x>>shift ^ x) & keep
				group[g] = x ^ d ^ d<<shift
			}
		}
		base := m.target.Number(w<<6) >> 6
		for g, x := range group {
			out[base|m.to[g]] = x
		}
		w = ((w | m.groupMask) + 1) &^ m.groupMask
	}
}

// lowHalves has, for each bit, the numbers below 64 in which it is 0.
var lowHalves = [6]uint64{
	0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
	0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff,
}
