package packing

import (
	"math/bits"
	"slices"

	"pagoda/puzzle/slide/tray"
)

// Keys makes moves on keys, for one goroutine. It implements statespace.CodeExpander. A key stands for a position: it has the anchors
// of the pieces, by kind and in increasing order within a kind, as many in each word as fit.
type Keys struct {
	puzzle  *tray.Puzzle
	metric  tray.Metric
	cursor  *cursor // stands at key, but has no bands; nil if the tray has more than MaxCells cells
	wide    *wide   // stands at key if there is no cursor
	words   int
	width   uint // the bits of an anchor
	fields  []field
	kinds   []*tray.Kind    // of each piece
	choices []uint8         // of each piece: 1 plus the number of the kind
	used    []uint64        // by word: the bits that anchors have
	first   []uint8         // by choice: the first piece of the kind; and the number of pieces
	at      [MaxCells]uint8 // the anchors of key
	key     []uint64
	next    []uint64 // the keys that moves make
	none    []uint64 // the numbers that they do not make
}

// A field is where a key has the anchor of a piece.
type field struct {
	word  uint8
	shift uint8
	base  uint32 // where placeList.number has the kind
}

// NewKeys returns the keys of a puzzle in a metric.
func NewKeys(p *tray.Puzzle, m tray.Metric) *Keys {
	k := &Keys{puzzle: p, metric: m, width: uint(max(1, bits.Len(uint(len(p.Cells())-1)))), first: []uint8{0}}
	perWord, kinds := 64/int(k.width), p.Kinds()
	for i := range kinds {
		k.first = append(k.first, uint8(len(k.fields)))
		for range kinds[i].Pieces {
			n := len(k.fields)
			k.kinds, k.choices = append(k.kinds, &kinds[i]), append(k.choices, uint8(1+i))
			k.fields = append(k.fields, field{uint8(n / perWord), uint8(n % perWord * int(k.width)), uint32(1+i) * MaxCells})
		}
	}
	k.first = append(k.first, uint8(len(k.fields)))
	k.words = int(k.fields[len(k.fields)-1].word) + 1
	k.key, k.used = make([]uint64, k.words), make([]uint64, k.words)
	for _, f := range k.fields {
		k.used[f.word] |= (1<<k.width - 1) << f.shift
	}

	if len(p.Cells()) <= MaxCells {
		k.cursor = &cursor{bandTable: &bandTable{placeList: newPlaceList(p)}, keys: k}
		k.cursor.setMetric(m)
	} else {
		k.wide = newWide(k)
	}
	return k
}

// Words returns the number of words of a key.
func (k *Keys) Words() int { return k.words }

// Of returns the key of a position. Several goroutines may call Of, Position and Valid.
func (k *Keys) Of(pos tray.Position) []uint64 {
	key := make([]uint64, k.words)
	for i, at := range []byte(k.puzzle.Key(pos)) {
		key[k.fields[i].word] |= uint64(at) << k.fields[i].shift
	}
	return key
}

// Position returns the position of a key. Interchangeable pieces are in the order of their numbers.
func (k *Keys) Position(key []uint64) tray.Position {
	var at [MaxCells]byte
	for i := range k.fields {
		at[i] = k.anchor(key, i)
	}
	return k.puzzle.PositionOf(string(at[:len(k.fields)]))
}

// Valid reports whether a key is that of a placement: keys from a file may not be.
func (k *Keys) Valid(key []uint64) bool {
	if len(key) != k.words {
		return false
	}
	for w, word := range key {
		if word&^k.used[w] != 0 {
			return false
		}
	}
	var taken tray.Set
	for i, kind := range k.kinds {
		at := k.anchor(key, i)
		if int(at) >= len(kind.Mask) || kind.Mask[at].IsEmpty() || kind.Mask[at].Meets(&taken) || i > 0 && k.kinds[i-1] == kind && k.anchor(key, i-1) >= at {
			return false
		}
		taken = taken.Union(kind.Mask[at])
	}
	return true
}

// anchor returns the anchor of a piece.
func (k *Keys) anchor(key []uint64, i int) uint8 {
	f := k.fields[i]
	return uint8(key[f.word]>>(f.shift&63)) & (1<<k.width - 1)
}

// Expand appends the keys of the positions that one move leads to. A key can come twice.
func (k *Keys) Expand(dst []uint64, key []uint64) []uint64 {
	if k.wide != nil {
		return k.wide.expand(dst, key)
	}
	k.seek(key)
	k.next = dst
	k.none = k.cursor.successors(k.none[:0])
	return k.next
}

// Goal reports whether a position is a goal.
func (k *Keys) Goal(key []uint64) bool {
	if k.wide != nil {
		return k.puzzle.Solved(k.Position(key))
	}
	k.seek(key)
	return k.cursor.solved()
}

// seek makes the cursor stand at a key.
func (k *Keys) seek(key []uint64) {
	c := k.cursor
	copy(k.key, key)
	c.taken = 0
	for i, f := range k.fields {
		at := k.anchor(key, i)
		k.at[i] = at
		place := c.number[f.base+uint32(at)]
		c.pieces[i] = place
		c.taken |= c.places[place].mask
	}
}

// put sets the anchor of a piece in a key that differs from the current one only there.
func (k *Keys) put(key []uint64, i int, at uint8) {
	f := k.fields[i]
	key[f.word] ^= uint64(k.at[i]^at) << (f.shift & 63)
}

// moved appends the key with a piece at another place.
func (k *Keys) moved(from, to *piecePlace) {
	k.next = append(k.next, k.key...)
	key := k.next[len(k.next)-k.words:]
	before := uint8(anchorOf(from.mask))
	i := int(k.first[from.choice])
	for k.at[i] != before {
		i++
	}
	k.put1(key, from.choice, i, uint8(anchorOf(to.mask)))
}

// put1 moves piece i, of the kind of a choice, in a key that is the current one.
func (k *Keys) put1(key []uint64, choice uint8, i int, after uint8) {
	first, last := int(k.first[choice]), int(k.first[choice+1])
	// The pieces of its kind that it passes in the order move by one.
	for ; i+1 < last && k.at[i+1] < after; i++ {
		k.put(key, i, k.at[i+1])
	}
	for ; i > first && k.at[i-1] > after; i-- {
		k.put(key, i, k.at[i-1])
	}
	k.put(key, i, after)
}

// movedTogether appends the key with several pieces at other places.
func (k *Keys) movedTogether(places []piecePlace, from, to []uint16) {
	at := k.at
	for j, place := range from {
		s := &places[place]
		before := uint8(anchorOf(s.mask))
		i := k.first[s.choice]
		for k.at[i] != before {
			i++
		}
		at[i] = uint8(anchorOf(places[to[j]].mask))
	}
	k.next = append(k.next, k.key...)
	key := k.next[len(k.next)-k.words:]
	k.putAll(key, &at)
}

// putAll sets the anchors of all pieces in a key that is the current one. It sorts those of each kind.
func (k *Keys) putAll(key []uint64, at *[MaxCells]uint8) {
	for choice, first := range k.first[:len(k.first)-1] {
		ofKind := at[first:k.first[choice+1]]
		if len(ofKind) > 1 {
			slices.Sort(ofKind)
		}
	}
	for i := range k.fields {
		k.put(key, i, at[i])
	}
}
