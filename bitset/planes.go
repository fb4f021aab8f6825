package bitset

import "fmt"

// Planes is an array of entries of 1 to 16 bits, sliced into bit planes: the lowest bits of 64
// consecutive entries lie in one word, their second bits in the next, and so on. So 64 entries
// are read or set at a time. Planes may be read by several goroutines at once, and written by
// several if they keep to different groups of 64 entries.
type Planes struct {
	words  []uint64 // from the first plane on
	width  uint64
	stride uint64 // words of a group, those of other planes among them
	n      uint64
}

// MaxWidth is the most bits that an entry of Planes has.
const MaxWidth = 16

// PlaneWords returns the number of words that hold n entries of the given width.
func PlaneWords(n uint64, width int) uint64 { return Words(n) * uint64(width) }

// PlanesOver returns the array of n entries of the given width that the words hold; it shares
// them. It fails unless the width is 1 to MaxWidth and there are exactly PlaneWords(n, width)
// words.
func PlanesOver(words []uint64, n uint64, width int) (*Planes, error) {
	return Among(words, n, 0, width, width)
}

// Among returns the array of entries whose planes are some of those of a wider one: width planes from
// the given one on, of stride planes that the words have for each group of 64 entries. It fails as
// PlanesOver does, or if there are no such planes.
func Among(words []uint64, n uint64, first, width, stride int) (*Planes, error) {
	if width < 1 || width > MaxWidth || first < 0 || first+width > stride {
		return nil, fmt.Errorf("entries of %d bits from bit %d on, of %d: expected 1 to %d bits", width, first, stride, MaxWidth)
	}
	if uint64(len(words)) != PlaneWords(n, stride) {
		return nil, fmt.Errorf("%d entries of %d bits take %d words, found %d", n, stride, PlaneWords(n, stride), len(words))
	}
	return &Planes{words[min(first, len(words)):], uint64(width), uint64(stride), n}, nil
}

// Len returns the number of entries.
func (p *Planes) Len() uint64 { return p.n }

// Width returns the number of bits of an entry.
func (p *Planes) Width() int { return int(p.width) }

// Stride returns the number of words of a group of 64 entries: Width, but for the planes of Among.
func (p *Planes) Stride() int { return int(p.stride) }

// Words returns the words themselves, not a copy, of an array that PlanesOver has made.
func (p *Planes) Words() []uint64 { return p.words }

// Get returns entry i, which must be below Len.
func (p *Planes) Get(i uint64) (v uint16) {
	for b, w := range p.words[i/64*p.stride:][:p.width] {
		v |= uint16(w>>(i%64)&1) << b
	}
	return v
}

// Set changes entry i, which must be below Len, to the lowest bits of v.
func (p *Planes) Set(i uint64, v uint16) {
	group := p.words[i/64*p.stride:][:p.width]
	for b := range group {
		group[b] = group[b]&^(1<<(i%64)) | uint64(v>>b&1)<<(i%64)
	}
}

// SetAll changes the entries of a group that mask picks to the lowest bits of v: bit i of the
// mask is entry 64*group+i. They must be 0 so far.
func (p *Planes) SetAll(group, mask uint64, v uint16) {
	words := p.words[group*p.stride:][:p.width]
	for b := range words {
		words[b] |= mask & -uint64(v>>b&1)
	}
}

// Group returns the words of a group of 64 entries: those of Among have the other planes behind.
func (p *Planes) Group(group uint64) []uint64 {
	first := group * p.stride
	return p.words[first:min(first+p.stride, uint64(len(p.words)))]
}

// NotZero returns which entries of a group are not 0: bit i is entry 64*group+i.
func (p *Planes) NotZero(group uint64) (mask uint64) {
	for _, w := range p.words[group*p.stride:][:p.width] {
		mask |= w
	}
	return mask
}

// A Support is the set of the numbers whose entries are not 0. It is a Finder.
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
