package lunar

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"pagoda/internal/gf2"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
)

// An orbits numbers the placements up to the symmetries of the board. Of the sets of letters that
// the symmetries take to each other one is kept; it has a number of its own, and with it come all
// placements of the number pieces. If some symmetries keep the letters where they are, only the least
// of the placements that these take to each other is a state; the others have numbers without one.
type orbits struct {
	*numbering
	turns [][]int // with the identity first
	// inverse has the turn that undoes each turn, after the one that is a turn and then another.
	inverse []int
	after   [][]int
	turn    turner
	kept    [][]keptLetters // by number of letters
	find    [][]foundLetters
	start   []uint64 // by number of letters: the first number; and the end
}

// keptLetters are letters that are kept. Bit i of fixed is set if turn i keeps them.
type keptLetters struct {
	letters board.Set
	fixed   uint8
}

// foundLetters says which letters are kept of those that a set is taken to, and by which turn.
type foundLetters struct {
	kept uint32
	turn uint8
}

func newOrbits(ctx context.Context, n *numbering, memory uint64) (*orbits, error) {
	o := &orbits{numbering: n, turns: [][]int{make([]int, n.cells)}}
	for i := range o.turns[0] {
		o.turns[0][i] = i
	}
	o.turns = append(o.turns, n.b.Turns()...)
	o.turn = make(turner, len(o.turns))
	for i, t := range o.turns {
		o.turn[i].Fill(n.cells, func(cell int) board.Set { return 1 << t[cell] })
		var after []int
		for _, then := range o.turns {
			both := make([]int, n.cells)
			for c := range both {
				both[c] = then[t[c]]
			}
			after = append(after, slices.IndexFunc(o.turns, func(turn []int) bool { return slices.Equal(turn, both) }))
		}
		o.after, o.inverse = append(o.after, after), append(o.inverse, slices.Index(after, 0))
	}
	each := 8 + 40/uint64(len(o.turns)) // a foundLetters, and its share of a keptLetters in a list that grows
	bytes := uint64(0)
	for k := range n.letters + 1 {
		sets := n.letterSets(k)
		if sets > 1<<32 {
			return nil, fmt.Errorf("%w: %d letters have more than 2^32 places on %d cells", statespace.ErrMemory, k, n.cells)
		}
		bytes += sets * each
	}
	if memory != 0 && bytes > memory {
		return nil, &statespace.MemoryError{Name: fmt.Sprintf("the table of the places of %d letters", n.letters), Need: bytes, Allowed: memory, Instead: "solve a group of fewer letters"}
	}
	at := uint64(0)
	for k := range n.letters + 1 {
		kept, find, err := o.sort(ctx, k)
		if err != nil {
			return nil, err
		}
		o.kept, o.find, o.start = append(o.kept, kept), append(o.find, find), append(o.start, at)
		at += uint64(len(kept)) * n.ways[k]
	}
	o.start = append(o.start, at)
	return o, nil
}

// sort finds which sets of k letters are kept.
func (o *orbits) sort(ctx context.Context, k int) (kept []keptLetters, find []foundLetters, err error) {
	const none = 1<<8 - 1
	find = make([]foundLetters, o.letterSets(k))
	for i := range find {
		find[i].turn = none
	}
	for i := range find {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if find[i].turn != none {
			continue
		}
		letters := spread(o.unrank(uint64(i), k), o.b.Exits())
		own := keptLetters{letters: letters}
		for t, turn := range o.turns {
			image := board.Turned(letters, turn)
			if image == letters {
				own.fixed |= 1 << t
			}
			f := &find[o.rank(squeeze(image, o.b.Exits()))]
			if f.turn == none {
				*f = foundLetters{uint32(len(kept)), uint8(o.inverse[t])}
			}
		}
		kept = append(kept, own)
	}
	return kept, find, nil
}

// orbitSize returns how many numbers there are.
func (o *orbits) orbitSize() uint64 { return o.start[o.letters+1] }

// orbit returns the number of the orbit of a placement.
func (o *orbits) orbit(p board.Position) uint64 {
	x, _ := o.orbitBy(p)
	return x
}

// orbitBy returns the number of the orbit of a placement, and a turn that takes the placement to its
// representative.
func (o *orbits) orbitBy(p board.Position) (x uint64, turn int) {
	k := bits.OnesCount64(p.Letters)
	f := o.find[k][o.rank(squeeze(p.Letters, o.b.Exits()))]
	kept := &o.kept[k][f.kept]
	numbers, turn := o.turn.set(p.Numbers, int(f.turn)), int(f.turn)
	if kept.fixed != 1 {
		var by int
		if numbers, by = o.least(numbers, kept.fixed); by != 0 {
			turn = o.after[turn][by]
		}
	}
	return o.start[k] + uint64(f.kept)*o.ways[k] + o.rank(squeeze(numbers, kept.letters)), turn
}

// least returns the least image of a set under some turns, and the first turn that makes it.
func (o *orbits) least(s board.Set, turns uint8) (least board.Set, turn int) {
	least = s
	for left := turns &^ 1; left != 0; left &= left - 1 {
		t := bits.TrailingZeros8(left)
		if image := o.turn.set(s, t); image < least {
			least, turn = image, t
		}
	}
	return least, turn
}

// lettersOf returns the letters that are kept for a number, and the number among the placements of
// the number pieces.
func (o *orbits) lettersOf(x uint64) (kept *keptLetters, k int, rest uint64) {
	k = o.letters
	for x < o.start[k] {
		k--
	}
	x -= o.start[k]
	return &o.kept[k][x/o.ways[k]], k, x % o.ways[k]
}

// representative returns the placement of a number. It is false if the number has no state.
func (o *orbits) representative(x uint64) (p board.Position, ok bool) {
	kept, _, rest := o.lettersOf(x)
	numbers := spread(o.unrank(rest, o.numbers), kept.letters)
	p = board.Position{Letters: kept.letters, Numbers: numbers}
	least, _ := o.least(numbers, kept.fixed)
	return p, least == numbers
}

// states returns how many placements the orbit of a state has.
func (o *orbits) states(x uint64) int {
	kept, _, rest := o.lettersOf(x)
	same := 1
	if kept.fixed != 1 {
		numbers := spread(o.unrank(rest, o.numbers), kept.letters)
		for left := kept.fixed &^ 1; left != 0; left &= left - 1 {
			if o.turn.set(numbers, bits.TrailingZeros8(left)) == numbers {
				same++
			}
		}
	}
	return len(o.turns) / same
}

// A turner turns sets of cells by tables: 8 cells at a time.
type turner []gf2.Table

// set returns the image of a set. Boards have fewer than 64 cells, so it ends before gf2.Table.Apply would.
func (t turner) set(s board.Set, turn int) (image board.Set) {
	table := &t[turn]
	for i := 0; s != 0; i++ {
		image |= table[i&7][s&255]
		s >>= 8
	}
	return image
}
