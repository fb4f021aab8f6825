// Package ordinals numbers keys in the order in which they come, from 0, by a hash table. What belongs to
// a key stands in a slice at the key's number.
//
// Two hash tables of this module are their own: that of statespace/chance, into which several goroutines
// insert, and that of studies/hardest, which has what belongs to a key beside the key.
package ordinals

import (
	"math"
	"math/bits"
)

// A Table has keys and finds their numbers, by open addressing with linear probing. A key takes 8 to 16
// bytes besides itself. Several goroutines may look keys up as long as none is added.
//
// Methods take the hash of a key, which must be that of the function of the table: where few
// instructions count, the caller's own call of it is compiled in line.
type Table[K comparable] struct {
	Keys []K // by number; the caller may not change them

	hash  func(K) uint64
	slots []uint32 // 1 plus the number of a key, or 0; at most half of them are taken
	shift int      // the highest bits of a hash say where the search for a key begins
}

// None is the number of no key.
const None = math.MaxUint32

// leastSlots is the size of a small table.
const leastSlots = 1 << 10

// New returns an empty table of keys with a hash.
func New[K comparable](hash func(K) uint64) *Table[K] {
	t := &Table[K]{hash: hash}
	t.Reset()
	return t
}

// Hash is a hash of a word.
func Hash(x uint64) uint64 { return (x ^ x>>32) * 0x9e3779b97f4a7c15 }

// HashPair is a hash of two words.
func HashPair(x, y uint64) uint64 {
	high, low := bits.Mul64(x^0x9e3779b97f4a7c15, y^0xd1b54a32d192ed03)
	return (high ^ low) * 0xff51afd7ed558ccd
}

// Reset takes all keys out. It keeps their memory, for about as many keys as there were.
func (t *Table[K]) Reset() {
	size := max(leastSlots, 4<<bits.Len(uint(len(t.Keys))))
	t.Keys = t.Keys[:0]
	t.resize(size)
}

// Grow makes room for a number of keys in all, from 1 on, and for no more.
func (t *Table[K]) Grow(keys int) {
	if cap(t.Keys) < keys {
		t.Keys = append(make([]K, 0, keys), t.Keys...)
	}
	if size := 2 << bits.Len(uint(keys-1)); size > len(t.slots) {
		t.resize(size)
	}
}

// resize makes the table that has the keys anew.
func (t *Table[K]) resize(size int) {
	if cap(t.slots) < size {
		t.slots = make([]uint32, size)
	} else {
		t.slots = t.slots[:size]
		clear(t.slots)
	}
	t.shift = 64 - bits.TrailingZeros(uint(size))
	for n, key := range t.Keys {
		at := t.hash(key) >> t.shift
		for t.slots[at] != 0 {
			at = (at + 1) & uint64(size-1)
		}
		t.slots[at] = uint32(n) + 1
	}
}

// Guess returns the number of a key that may be the one with a hash, or None. It reads one place of memory: a
// caller who guesses for many keys, before it looks at the first, lets the waits overlap.
func (t *Table[K]) Guess(hash uint64) uint32 { return t.slots[hash>>(t.shift&63)] - 1 }

// Find returns the number of a key, or None.
func (t *Table[K]) Find(key K, hash uint64) uint32 {
	slots, keys, mask := t.slots, t.Keys, uint64(len(t.slots)-1)
	for at := hash >> (t.shift & 63); ; at++ {
		if n := slots[at&mask] - 1; int(n) >= len(keys) || keys[n] == key {
			return n
		}
	}
}

// Number returns the number of a key, which may be new. There must be fewer than None keys.
func (t *Table[K]) Number(key K, hash uint64) (n uint32, fresh bool) {
	slots, keys, mask := t.slots, t.Keys, uint64(len(t.slots)-1)
	at := hash >> (t.shift & 63)
	for ; ; at++ {
		if n = slots[at&mask] - 1; int(n) >= len(keys) {
			break
		}
		if keys[n] == key {
			return n, false
		}
	}
	n = uint32(len(keys))
	t.Keys = append(keys, key)
	if slots[at&mask] = n + 1; 2*len(t.Keys) > len(slots) {
		t.resize(4 * len(slots))
	}
	return n, true
}
