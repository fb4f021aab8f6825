package slide

import (
	"context"
	"math/big"
	"math/bits"
	"runtime/debug"
	"slices"
)

// The hash engine keeps only positions that it finds, so that it does not matter how many
// placements there are. It is as exact as the others: it compares whole positions.

// A coder writes positions as keys of a fixed number of words: the anchors of the pieces,
// kinds in order and those of a kind sorted, as many in a word as there is room for.
type coder struct {
	p      *Puzzle
	words  int
	width  uint // bits of an anchor
	pieces []coded
	first  []uint8 // by choice: the first piece of the kind; and their number
	at     [MaxCells]uint8
	key    []uint64 // of the anchors in at
	next   []uint64 // the keys of the positions that a move leads to
}

// A coded tells where the anchor of a piece is in a key.
type coded struct {
	word  uint8
	shift uint8
	base  uint32 // its choice, an index of the numbers of places
}

func newCoder(p *Puzzle) *coder {
	c := &coder{p: p, width: uint(max(1, bits.Len(uint(len(p.cells)-1)))), first: []uint8{0}}
	perWord := 64 / int(c.width)
	for k := range p.kinds {
		c.first = append(c.first, uint8(len(c.pieces)))
		for range p.kinds[k].pieces {
			n := len(c.pieces)
			c.pieces = append(c.pieces, coded{uint8(n / perWord), uint8(n % perWord * int(c.width)), uint32(1+k) * MaxCells})
		}
	}
	c.first = append(c.first, uint8(len(c.pieces)))
	c.words = int(c.pieces[len(c.pieces)-1].word) + 1
	c.key = make([]uint64, c.words)
	return c
}

// encode returns the key of a position.
func (c *coder) encode(pos Position) []uint64 {
	key := make([]uint64, c.words)
	for i, at := range []byte(c.p.Key(pos)) {
		key[c.pieces[i].word] |= uint64(at) << c.pieces[i].shift
	}
	return key
}

// place makes the cursor stand at the position of a key.
func (c *cursor) place(key []uint64) {
	k := c.coder
	copy(k.key, key)
	c.taken = 0
	for i, f := range k.pieces {
		at := uint8(key[f.word]>>(f.shift&63)) & (1<<k.width - 1)
		k.at[i] = at
		place := c.number[f.base+uint32(at)]
		c.pieces[i] = place
		c.taken |= c.places[place].mask
	}
}

// put changes the last key of next: the anchor of a piece is another one.
func (c *coder) put(key []uint64, i int, at uint8) {
	f := c.pieces[i]
	key[f.word] ^= uint64(c.at[i]^at) << (f.shift & 63)
}

// moved appends the key of what one piece makes by a move.
func (c *coder) moved(from, to *piecePlace) {
	c.next = append(c.next, c.key...)
	key := c.next[len(c.next)-c.words:]
	first, last := int(c.first[from.choice]), int(c.first[from.choice+1])
	before, after := uint8(anchor(from.mask)), uint8(anchor(to.mask))
	i := first
	for c.at[i] != before {
		i++
	}
	// Those that it overtakes in the order go to its place.
	for ; i+1 < last && c.at[i+1] < after; i++ {
		c.put(key, i, c.at[i+1])
	}
	for ; i > first && c.at[i-1] > after; i-- {
		c.put(key, i, c.at[i-1])
	}
	c.put(key, i, after)
}

// movedTogether appends the key of what several pieces make by a move from places to others.
func (c *coder) movedTogether(places []piecePlace, from, to []uint16) {
	at := c.at
	for j, place := range from {
		s := &places[place]
		before := uint8(anchor(s.mask))
		i := c.first[s.choice]
		for c.at[i] != before {
			i++
		}
		at[i] = uint8(anchor(places[to[j]].mask))
	}
	c.next = append(c.next, c.key...)
	key := c.next[len(c.next)-c.words:]
	for choice, first := range c.first[:len(c.first)-1] {
		ofKind := at[first:c.first[choice+1]]
		if len(ofKind) > 1 {
			slices.Sort(ofKind)
		}
	}
	for i := range c.pieces {
		c.put(key, i, at[i])
	}
}

// A table holds the keys of positions, numbered from 0 in the order in which they come. The
// keys stand in that order, and to find them there is an index with open addressing: of
// each position the number, and in the bits that it leaves free some of the hash.
type table struct {
	words  int        // of a key
	chunks [][]uint64 // of chunkKeys keys
	n      uint64
	index  []uint32 // 0, or the number plus 1 and above it the tag
	bits   uint     // of the number plus 1
	full   uint64   // so many numbers are the most of the index
	most   uint64   // the length that the index can have
	// Of the keys to be added, see add.
	hashes  []uint64
	entries []uint32
	fetch   uint64
}

const (
	chunkShift = 14
	chunkKeys  = 1 << chunkShift
	// indexStart is the length of an index at first, indexMost the greatest, for an entry
	// has 32 bits.
	indexStart = 1 << 14
	indexMost  = 1 << 32
	// hashBase is about what the hash engine takes besides the table.
	hashBase = 1 << 20
)

// capacity is how many positions an index of so many entries serves: linear probing is
// quick until then, as neighbours in the index are in one cache line.
func capacity(entries uint64) uint64 { return entries / 8 * 7 }

// entriesIn returns how long an index can be if it and its keys are to fit into so many
// bytes, 0 for any.
func entriesIn(memory uint64, words int) uint64 {
	if memory == 0 {
		return indexMost
	}
	chunk := uint64(8 * chunkKeys * words)
	if memory < hashBase+chunk {
		return 0
	}
	return min(indexMost, (memory-hashBase-chunk)/uint64(32+56*words)*8)
}

// HashBytes returns about how many bytes the hash engine takes for each position of a
// puzzle that it finds, and how many positions fit into so many bytes of memory, 0 for any.
func HashBytes(p *Puzzle, memory uint64) (each, fit uint64) {
	words := newCoder(p).words
	return uint64(8*words + 5), capacity(entriesIn(memory, words))
}

// newTable makes a table with room for one key at least. It reports false if that does not fit.
func newTable(words int, start, most uint64) (*table, bool) {
	t := &table{words: words, most: most, chunks: [][]uint64{make([]uint64, chunkKeys*words)}}
	if capacity(most) == 0 {
		return nil, false
	}
	t.resize(min(start, most))
	return t, true
}

// resize makes the index anew, with so many entries. The old one is given back before.
func (t *table) resize(entries uint64) {
	t.index = nil
	if entries > 1<<22 {
		debug.FreeOSMemory()
	}
	t.index = make([]uint32, entries)
	t.full = capacity(entries)
	t.bits = uint(bits.Len64(t.full))
	for x := range t.n {
		h := hash(t.key(x))
		at := t.slot(h)
		for t.index[at] != 0 {
			at = t.after(at)
		}
		t.index[at] = t.entry(h, x)
	}
}

// key returns the key of a number.
func (t *table) key(x uint64) []uint64 {
	i := int(x%chunkKeys) * t.words
	return t.chunks[x>>chunkShift][i : i+t.words]
}

// hash mixes a key so that any of its bits change any of the hash.
func hash(key []uint64) uint64 {
	h := uint64(0)
	for _, w := range key {
		hi, lo := bits.Mul64(h^w^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
		h = hi ^ lo
	}
	hi, lo := bits.Mul64(h, 0xa0761d6478bd642f)
	return hi ^ lo
}

// slot returns where the search for a key begins.
func (t *table) slot(h uint64) uint64 {
	at, _ := bits.Mul64(h, uint64(len(t.index)))
	return at
}

// after returns the entry after another one.
func (t *table) after(at uint64) uint64 {
	if at++; at == uint64(len(t.index)) {
		return 0
	}
	return at
}

// entry returns the entry of a number.
func (t *table) entry(h, x uint64) uint32 { return uint32(h)<<t.bits | uint32(x+1) }

// number returns the number of an entry that is not 0.
func (t *table) number(e uint32) uint64 { return uint64(e&(1<<t.bits-1)) - 1 }

// find returns the number of a key. If it is not there, ok is false and at is the entry where it
// belongs.
func (t *table) find(key []uint64, h uint64) (x, at uint64, ok bool) {
	tag := t.entry(h, ^uint64(0))
	for at = t.slot(h); ; at = t.after(at) {
		e := t.index[at]
		if e == 0 {
			return 0, at, false
		}
		if (e^tag)>>t.bits != 0 {
			continue
		}
		x = t.number(e)
		same := t.key(x)
		if same[0] == key[0] && slices.Equal(same[1:], key[1:]) {
			return x, at, true
		}
	}
}

// add adds those of some keys that are not there. It reports false if there is no room for
// one of them.
func (t *table) add(keys []uint64) bool {
	// Wait for memory for all of them at once, and not for one after the other: for the
	// entries, then for the keys that they tell of.
	t.hashes, t.entries = t.hashes[:0], t.entries[:0]
	for i := 0; i < len(keys); i += t.words {
		h := hash(keys[i : i+t.words])
		t.hashes = append(t.hashes, h)
		t.entries = append(t.entries, t.index[t.slot(h)])
	}
	for _, e := range t.entries {
		x := max(1, e&(1<<t.bits-1)) - 1 // a branch would not be foreseen
		t.fetch ^= t.chunks[x>>chunkShift][int(x%chunkKeys)*t.words]
	}
	for i, h := range t.hashes {
		key := keys[i*t.words:][:t.words]
		_, at, ok := t.find(key, h)
		if ok {
			continue
		}
		if t.n == t.full {
			if t.full == capacity(t.most) {
				return false
			}
			t.resize(min(2*uint64(len(t.index)), t.most))
			_, at, _ = t.find(key, h)
		}
		if t.n>>chunkShift == uint64(len(t.chunks)) {
			t.chunks = append(t.chunks, make([]uint64, chunkKeys*t.words))
		}
		copy(t.chunks[t.n>>chunkShift][int(t.n%chunkKeys)*t.words:], key)
		t.index[at] = t.entry(h, t.n)
		t.n++
	}
	return true
}

// A hashed is a search by the hash engine.
type hashed struct {
	*cursor
	t     *table
	begin []uint64 // the first number of each level, and of the next
	none  []uint64 // what the cursor takes for numbers
}

// moves makes the keys of what moves of a position lead to.
func (s *hashed) moves(x uint64) {
	s.place(s.t.key(x))
	s.none = s.successors(s.none[:0])
}

// batchKeys is about how many keys are looked up at once.
const batchKeys = 512

// solveHash is Solve by the hash engine.
func solveHash(ctx context.Context, p *Puzzle, m Metric, o Options) (*Result, error) {
	return solveHashFrom(ctx, p, m, o, indexStart)
}

// solveHashFrom is solveHash with an index of so many entries at first.
func solveHashFrom(ctx context.Context, p *Puzzle, m Metric, o Options, entries uint64) (*Result, error) {
	if o.ToGoal && len(p.goals) == 0 {
		return nil, ErrNoGoal
	}
	s := &hashed{cursor: newMover(p, m)}
	s.coder = newCoder(p)
	result := &Result{Metric: m, Solutions: new(big.Int)}
	var ok bool
	if s.t, ok = newTable(s.coder.words, entries, entriesIn(o.Memory, s.coder.words)); !ok {
		return nil, &SizeError{Memory: o.Memory}
	}
	ends, err := s.search(ctx, o, result)
	if err != nil {
		return nil, err
	}
	if result.Solved {
		if err := p.trace(ctx, s.isAt, s.leads, s.number, ends, result); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// search fills the table, and what the result tells of it. It returns the numbers of the goals
// at the least distance, in order.
func (s *hashed) search(ctx context.Context, o Options, result *Result) (ends []uint64, err error) {
	goals := s.goals()
	s.t.add(s.coder.encode(s.coder.p.Start()))
	s.begin = []uint64{0}
	for level := 0; ; level++ {
		first, end := s.begin[level], s.t.n
		s.begin = append(s.begin, end)
		if first == end {
			result.Whole = true
			return ends, nil
		}
		result.Layers = append(result.Layers, end-first)
		result.States = end
		if !result.Solved && len(goals) > 0 {
			for x := first; x < end; x++ {
				if s.place(s.t.key(x)); s.solved(goals) {
					ends = append(ends, x)
				}
			}
			if len(ends) > 0 {
				result.Solved = true
				result.Length = level
			}
		}
		if result.Solved && o.ToGoal {
			return ends, nil
		}
		for x := first; x < end; x++ {
			if x%1024 == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			s.moves(x)
			if len(s.coder.next) < batchKeys*s.coder.words && x+1 < end {
				continue
			}
			if !s.t.add(s.coder.next) {
				err := &SizeError{Numbers: s.t.n, Depth: level + 1, Memory: o.Memory}
				if s.t.most == indexMost {
					err.Memory = 0
				}
				return nil, err
			}
			s.coder.next = s.coder.next[:0]
		}
	}
}

// leads appends the numbers of what moves lead to, if it has been found.
func (s *hashed) leads(dst []uint64, x uint64) []uint64 {
	s.coder.next = s.coder.next[:0]
	s.moves(x)
	for next := s.coder.next; len(next) > 0; next = next[s.coder.words:] {
		key := next[:s.coder.words]
		if y, _, ok := s.t.find(key, hash(key)); ok {
			dst = append(dst, y)
		}
	}
	return dst
}

// isAt reports whether a number is at a level.
func (s *hashed) isAt(x uint64, level int) bool { return s.begin[level] <= x && x < s.begin[level+1] }

// number returns the number of a position that has been found.
func (s *hashed) number(pos Position) uint64 {
	key := s.coder.encode(pos)
	x, _, _ := s.t.find(key, hash(key))
	return x
}
