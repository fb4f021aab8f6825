package bitset

import (
	"fmt"
	"math/bits"
)

// An Order is an order of the bits of numbers. The path of a number is the bit string with
// bit Order[i] of the number as its bit i.
type Order []int

// PlainOrder is the order in which so many bits are.
func PlainOrder(bits int) Order {
	o := make(Order, bits)
	for i := range o {
		o[i] = i
	}
	return o
}

// Plain reports whether all bits stay in their places.
func (o Order) Plain() bool {
	for i, bit := range o {
		if i != bit {
			return false
		}
	}
	return true
}

// Check returns an error unless each bit is there once.
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

// Number returns the number of a path.
func (o Order) Number(path uint64) (x uint64) {
	for ; path != 0; path &= path - 1 {
		x |= 1 << o[bits.TrailingZeros64(path)]
	}
	return x
}

// Inverse returns the order that leads back: the path of a path is the number.
func (o Order) Inverse() Order {
	back := make(Order, len(o))
	for i, bit := range o {
		back[bit] = i
	}
	return back
}

// A Mover makes of sets those of the paths of their numbers. It may be used by several
// goroutines at once.
//
// Words are taken in groups that differ only in bits of the number that shall become
// the lowest six of the path. Within a group each of them changes places with a bit
// inside the words that shall not stay there; then all bits inside are put in order.
type Mover struct {
	between, within []exchange
	groupMask       uint64
	group           int        // words
	from, to        [64]uint64 // by word of the group: where it is, and where it goes
	target          Order      // of the words
}

// An exchange of two bits. One is inside a word; the other too, or it tells the words of
// a group apart.
type exchange struct{ inside, outside int }

// Mover returns the mover of an order of six bits or more, each of them there once.
func (o Order) Mover() *Mover {
	m := new(Mover)
	cur := PlainOrder(len(o)) // by place: the bit of the number that is there
	at := func(bit int) int {
		for place, b := range cur {
			if b == bit {
				return place
			}
		}
		return -1
	}
	var far []int // places of the bits that come in
	for _, bit := range o[:6] {
		if bit < 6 {
			continue
		}
		for place, b := range cur[:6] {
			stays := false
			for _, low := range o[:6] {
				stays = stays || low == b
			}
			if !stays {
				m.between = append(m.between, exchange{place, len(far)})
				far = append(far, bit)
				cur[place], cur[bit] = bit, b
				break
			}
		}
	}
	for i, bit := range o[:6] {
		if j := at(bit); j != i {
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

// Move moves the words of groups first to end-1 to where those of their paths are, in other
// memory. Of both there are as many words as numbers of the order take; several goroutines
// may each move some groups.
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

// lowHalves picks the numbers below 64 in which a bit is 0.
var lowHalves = [6]uint64{
	0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
	0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff,
}
