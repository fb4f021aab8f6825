package trie

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sync"

	"pagoda/bitset"
)

// A Trie is a set of numbers below Len that does not change. It may be used by several
// goroutines at once.
type Trie struct {
	words  []uint64
	n      uint64
	states uint64
	order  Order           // never nil
	paths  *[8][256]uint64 // by byte of a number: its bits in the order; nil if they keep theirs
	root   uint32
	leaves []uint64
	levels [][]uint64 // by level from 1 on: its nodes from number 2 on

	below   func() ([][]uint64, error) // by level from 1 on and number of a node: the members below it
	tops    func() []uint32            // by the highest bits of a path: the node they lead to; nil if some are not there
	topBits int
}

// ErrCorrupt says that words are not those of a trie.
var ErrCorrupt = errors.New("the trie is corrupt")

// On every level two nodes are not stored: the empty set and the full one.
const (
	empty    = 0
	full     = 1
	first    = 2 // the number of the first node that is stored
	maxNodes = 1<<32 - 3
)

// The header of the words of a trie; the number of nodes of each level above the
// leaves follows. Then come the leaves, and the nodes of each level, the lowest first.
const (
	headLen = iota
	headStates
	headRoot
	headOrder  // and the seven words after it: a byte for each bit, from the lowest on
	headLeaves = headOrder + 8
	headWords  = headLeaves + 1
)

// height returns the number of levels above the leaves for numbers below n.
func height(n uint64) int {
	if n <= 64 {
		return 0
	}
	return bits.Len64(bitset.Words(n) - 1)
}

// Over returns the trie that the words hold, see Words; it shares them. It takes no
// longer for a large one: of the words beyond the header, only those are looked at
// that tell that no member is beyond Len. Others that are not those of a trie make the
// methods return ErrCorrupt when they meet them; Check looks at all.
func Over(words []uint64) (*Trie, error) {
	if len(words) < headWords {
		return nil, fmt.Errorf("%w: a trie takes at least %d words, found %d", ErrCorrupt, headWords, len(words))
	}
	t := &Trie{words: words, n: words[headLen], states: words[headStates], root: uint32(words[headRoot])}
	h := height(t.n)
	if len(words) < headWords+h {
		return nil, fmt.Errorf("%w: the header of numbers below %d takes %d words, found %d", ErrCorrupt, t.n, headWords+h, len(words))
	}
	t.order = make(Order, 6+h)
	for i := range 64 {
		bit := int(words[headOrder+i/8] >> (i % 8 * 8) & 255)
		if i < len(t.order) {
			t.order[i] = bit
		} else if bit != 0 {
			return nil, fmt.Errorf("%w: the order has more than %d bits", ErrCorrupt, len(t.order))
		}
	}
	if err := checkOrder(t.order, t.n); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if !t.order.Plain() {
		t.paths = pathTable(t.order)
	}
	rest := words[headWords+h:]
	t.levels = make([][]uint64, h+1)
	for k := range t.levels {
		nodes := words[headLeaves+k]
		if nodes > maxNodes || nodes > uint64(len(rest)) {
			return nil, fmt.Errorf("%w: %d nodes on level %d, and words for %d", ErrCorrupt, nodes, k, len(rest))
		}
		t.levels[k], rest = rest[:nodes:nodes], rest[nodes:]
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%w: %d words too many", ErrCorrupt, len(rest))
	}
	t.leaves = t.levels[0]
	if words[headRoot] >= first+uint64(len(t.levels[h])) {
		return nil, t.badNode(h, t.root)
	}
	if t.states > t.n {
		return nil, fmt.Errorf("%w: %d numbers below %d", ErrCorrupt, t.states, t.n)
	}
	if err := t.checkEnd(); err != nil {
		return nil, err
	}
	t.below = sync.OnceValues(t.countBelow)
	t.topBits = min(h, max(0, bits.Len64(t.Nodes()/8)))
	t.tops = sync.OnceValue(t.findTops)
	return t, nil
}

// checkEnd tells whether there are members beyond Len.
func (t *Trie) checkEnd() error {
	id, end := t.root, t.n // only numbers below the end may be below the node
	for k := t.height(); id != empty; k-- {
		if k < 58 && end == 64<<k {
			return nil
		}
		if id == full {
			return fmt.Errorf("%w: it has numbers that are not below %d", ErrCorrupt, t.n)
		}
		if k == 0 {
			word, err := t.leaf(id)
			if err == nil && word>>end != 0 {
				err = fmt.Errorf("%w: it has numbers that are not below %d", ErrCorrupt, t.n)
			}
			return err
		}
		lo, hi, err := t.children(k, id)
		if err != nil {
			return err
		}
		if half := uint64(32) << k; end > half {
			id, end = hi, end-half
		} else if id = lo; hi != empty {
			return fmt.Errorf("%w: it has numbers that are not below %d", ErrCorrupt, t.n)
		}
	}
	return nil
}

func (t *Trie) badNode(level int, id uint32) error {
	return fmt.Errorf("%w: node %d on level %d, which has %d", ErrCorrupt, id, level, first+len(t.levels[level]))
}

func (t *Trie) height() int { return len(t.levels) - 1 }

// Words returns the words of the trie, not a copy; Over takes them back. They are
// Len, States, the number of the root, eight with the order, the numbers of leaves and of
// nodes on each level above; then all leaves; then the nodes of each level, the lowest first: in the low
// half the number of the node below for a bit 0, in the high half that for a bit 1.
// Nodes are numbered from 2 on, on each level; 0 is the empty set and 1 the full one.
func (t *Trie) Words() []uint64 { return t.words }

// Len returns the bound: the set holds numbers below it.
func (t *Trie) Len() uint64 { return t.n }

// States returns the number of members.
func (t *Trie) States() uint64 { return t.states }

// Nodes returns the number of nodes, leaves among them.
func (t *Trie) Nodes() uint64 { return uint64(len(t.words) - headWords - t.height()) }

// children returns the nodes below a node of a level that is not 0.
func (t *Trie) children(level int, id uint32) (lo, hi uint32, err error) {
	l := t.levels[level]
	if i := uint64(id - first); i < uint64(len(l)) {
		return uint32(l[i]), uint32(l[i] >> 32), nil
	}
	if id > full {
		return 0, 0, t.badNode(level, id)
	}
	return id, id, nil
}

// leaf returns the word of a leaf.
func (t *Trie) leaf(id uint32) (uint64, error) {
	if i := uint64(id - first); i < uint64(len(t.leaves)) {
		return t.leaves[i], nil
	}
	if id > full {
		return 0, t.badNode(0, id)
	}
	return -uint64(id), nil
}

// path returns the bits of a number in the order of the trie.
func (t *Trie) path(x uint64) uint64 {
	if t.paths == nil {
		return x
	}
	p := t.paths
	y := p[0][byte(x)] ^ p[1][byte(x>>8)] ^ p[2][byte(x>>16)] ^ p[3][byte(x>>24)]
	if x>>32 != 0 {
		y ^= p[4][byte(x>>32)] ^ p[5][byte(x>>40)] ^ p[6][byte(x>>48)] ^ p[7][byte(x>>56)]
	}
	return y
}

// Has reports whether x is a member; a number not below Len is not.
func (t *Trie) Has(x uint64) (bool, error) {
	if x >= t.n {
		return false, nil
	}
	x = t.path(x)
	word, err := t.wordAt(x / 64)
	return word>>(x%64)&1 == 1, err
}

// wordAt returns the leaf at a path, of which the lowest six bits are left out.
func (t *Trie) wordAt(path uint64) (uint64, error) {
	id, k := t.root, t.height()
	if tops := t.tops(); tops != nil {
		k -= t.topBits
		id = tops[path>>k]
	}
	id, err := t.walk(id, k, 0, path)
	if err != nil {
		return 0, err
	}
	return t.leaf(id)
}

// walk goes down from a node of a level to one of a lower level. The lowest bit of the
// path is that of the last step.
func (t *Trie) walk(id uint32, from, to int, path uint64) (uint32, error) {
	for k := from; k > to; k-- {
		l := t.levels[k]
		i := uint64(id - first)
		if i >= uint64(len(l)) {
			if id > full {
				return 0, t.badNode(k, id)
			}
			break
		}
		id = uint32(l[i] >> (path >> (k - to - 1) & 1 * 32))
	}
	return id, nil
}

// findTops goes down the highest levels on all paths: later walks start below them.
// A table of them is small beside the nodes.
func (t *Trie) findTops() []uint32 {
	tops := make([]uint32, 1<<t.topBits)
	tops[0] = t.root
	for d := range t.topBits {
		for i := 1<<d - 1; i >= 0; i-- {
			lo, hi, err := t.children(t.height()-d, tops[i])
			if err != nil {
				return nil // walks from the root tell of it
			}
			tops[2*i], tops[2*i+1] = lo, hi
		}
	}
	return tops
}

// Word returns which of the 64 numbers from 64*i on are members: bit b stands for
// 64*i+b.
func (t *Trie) Word(i uint64) (uint64, error) {
	if i >= bitset.Words(t.n) {
		return 0, nil
	}
	if t.paths == nil {
		return t.wordAt(i)
	}
	var word [1]uint64
	err := t.gather(i, 6, word[:])
	return word[0], err
}

// Block implements bitset.Reader. The words are new each time.
func (t *Trie) Block(i uint64) ([]uint64, error) {
	const most = bitset.BlockBits - 6
	words := bitset.Words(t.n)
	if i >= words>>most+1 || i<<most >= words {
		return nil, fmt.Errorf("block %d of %d numbers: there are fewer", i, t.n)
	}
	level := min(t.height(), most)
	block := make([]uint64, 1<<level)
	if t.paths != nil {
		return block, t.gather(i, 6+level, block)
	}
	id, err := t.walk(t.root, t.height(), level, i)
	if err != nil {
		return nil, err
	}
	if id != empty {
		block[0] = uint64(id)
		err = t.expand(level, block)
	}
	return block[:min(words-i<<most, 1<<level)], err
}

// Fill writes the words of the whole set, of which there are bitset.Words(Len). In an
// order in which bits change their places it takes memory for another set. When ctx ends,
// it stops soon and returns the cause.
func (t *Trie) Fill(ctx context.Context, words []uint64, threads int) error {
	if n := bitset.Words(t.n); uint64(len(words)) != n {
		return fmt.Errorf("a set of numbers below %d takes %d words, found %d", t.n, n, len(words))
	}
	paths := words
	if t.paths != nil {
		paths = make([]uint64, len(words))
	}
	const most = bitset.BlockBits - 6
	level := min(t.height(), most)
	err := split(ctx, uint64(len(paths)), threads, func(first, end uint64) error {
		id, err := t.walk(t.root, t.height(), level, first>>most)
		if err != nil || id == empty {
			clear(paths[first:end])
			return err
		}
		block := make([]uint64, 1<<level)
		block[0] = uint64(id)
		if err := t.expand(level, block); err != nil {
			return err
		}
		copy(paths[first:end], block)
		return nil
	})
	if err != nil || t.paths == nil {
		return err
	}
	return permute(ctx, t.order.Inverse(), words, paths, threads)
}

// gather fills a block with the numbers that have the given bits above the lowest ones,
// for any order: a level of the nodes at a time, like expand.
func (t *Trie) gather(high uint64, low int, block []uint64) error {
	type node struct{ id, number uint32 } // the bits of the number that are not given
	nodes := append(make([]node, 0, len(block)), node{t.root, 0})
	given := high << low
	for k := t.height(); k > 0; k-- {
		bit := t.order[5+k]
		had := len(nodes)
		for j := range nodes[:had] {
			n := &nodes[j]
			lo, hi, err := t.children(k, n.id)
			if err != nil {
				return err
			}
			switch {
			case bit < low:
				n.id = lo
				if hi != empty {
					nodes = append(nodes, node{hi, n.number | 1<<bit})
				}
			case given>>bit&1 == 1:
				n.id = hi
			default:
				n.id = lo
			}
		}
		// What is empty is left out.
		rest := nodes[:0]
		for _, n := range nodes {
			if n.id != empty {
				rest = append(rest, n)
			}
		}
		nodes = rest
	}
	var fits uint64 // fillings of the lowest bits of a path that have the given bits
	var numbers [64]uint32
	for f := range uint64(64) {
		x := t.order.Number(f)
		if x>>low == high&(t.order.Number(63)>>low) {
			fits |= 1 << f
		}
		numbers[f] = uint32(x & (1<<low - 1))
	}
	for _, n := range nodes {
		word, err := t.leaf(n.id)
		if err != nil {
			return err
		}
		for word &= fits; word != 0; word &= word - 1 {
			x := n.number | numbers[bits.TrailingZeros64(word)]
			block[x/64] |= 1 << (x % 64)
		}
	}
	return nil
}

// expand replaces the number of a node, the first word of the block, by the words of
// the leaves below it: a level of the nodes at a time, so that the waits for them
// overlap.
func (t *Trie) expand(level int, block []uint64) error {
	if block[0] == full {
		for i := range block {
			block[i] = ^uint64(0)
		}
		return nil
	}
	for k := level; k > 0; k-- {
		l := t.levels[k]
		for j := 1<<(level-k) - 1; j >= 0; j-- {
			id := block[j]
			node := id | id<<32
			if i := id - first; i < uint64(len(l)) {
				node = l[i]
			} else if id > full {
				return t.badNode(k, uint32(id))
			}
			block[2*j], block[2*j+1] = uint64(uint32(node)), node>>32
		}
	}
	for j, id := range block {
		word, err := t.leaf(uint32(id))
		if err != nil {
			return err
		}
		block[j] = word
	}
	return nil
}
