package bitset

import "fmt"

// Planes is an array of small numbers of 1 to 8 bits, sliced into planes: of 64
// entries that follow one another, all lowest bits lie in a word, then all second
// ones in the next, and so on. So 64 entries are looked at or set at a time. Planes may
// be read by several goroutines at once, and written by several if they keep to
// different groups of 64 entries.
type Planes struct {
	words []uint64
	width uint64
	n     uint64
}

// PlaneWords returns the number of words that hold n entries of a width.
func PlaneWords(n uint64, width int) uint64 { return Words(n) * uint64(width) }

// PlanesOver returns the array of n entries of a width that the words hold; it shares
// them. It fails when there are not exactly PlaneWords(n, width) words, or the width is
// not from 1 to 8.
func PlanesOver(words []uint64, n uint64, width int) (*Planes, error) {
	if width < 1 || width > 8 {
		return nil, fmt.Errorf("entries of %d bits: expected 1 to 8", width)
	}
	if uint64(len(words)) != PlaneWords(n, width) {
		return nil, fmt.Errorf("%d entries of %d bits take %d words, found %d", n, width, PlaneWords(n, width), len(words))
	}
	return &Planes{words, uint64(width), n}, nil
}

// Len returns the number of entries.
func (p *Planes) Len() uint64 { return p.n }

// Width returns the number of bits of an entry.
func (p *Planes) Width() int { return int(p.width) }

// Words returns the words themselves, not a copy.
func (p *Planes) Words() []uint64 { return p.words }

// Get returns entry i, which must be below Len.
func (p *Planes) Get(i uint64) (v uint8) {
	for b, w := range p.words[i/64*p.width:][:p.width] {
		v |= uint8(w>>(i%64)&1) << b
	}
	return v
}

// Set changes entry i, which must be below Len, to the lowest bits of v.
func (p *Planes) Set(i uint64, v uint8) {
	group := p.words[i/64*p.width:][:p.width]
	for b := range group {
		group[b] = group[b]&^(1<<(i%64)) | uint64(v>>b&1)<<(i%64)
	}
}

// SetAll changes those of the entries from 64*group on that mask picks, which must be
// 0 so far, to the lowest bits of v.
func (p *Planes) SetAll(group, mask uint64, v uint8) {
	words := p.words[group*p.width:][:p.width]
	for b := range words {
		words[b] |= mask & -uint64(v>>b&1)
	}
}

// NotZero returns which of the entries from 64*group on are not 0.
func (p *Planes) NotZero(group uint64) (mask uint64) {
	for _, w := range p.words[group*p.width:][:p.width] {
		mask |= w
	}
	return mask
}

// A Support is the set of the entries of an array that are not 0. It is a Finder.
type Support struct{ *Planes }

// Block implements Reader.
func (s Support) Block(i uint64) ([]uint64, error) {
	const n = 1 << BlockBits / 64
	words := make([]uint64, min(n, Words(s.n)-i*n))
	for w := range words {
		words[w] = s.NotZero(i*n + uint64(w))
	}
	return words, nil
}

// Has implements Finder.
func (s Support) Has(x uint64) (bool, error) { return s.NotZero(x/64)>>(x%64)&1 == 1, nil }

// Word implements Finder.
func (s Support) Word(i uint64) (uint64, error) { return s.NotZero(i), nil }
