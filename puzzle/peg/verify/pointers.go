package verify

import (
	"math/bits"

	"pagoda/bitset"
	"pagoda/puzzle/peg/board"
	"pagoda/statespace"
)

// Pointers returns the work of finding the pointers that a whole set should have, by the jumps of the certificate.
// The pointer of the start is 1. That of another member is 2 more than the least line along which a jump leads to it.
// The pointers are 0 before.
func Pointers(c *board.Class, start uint64, set *bitset.Set, pointers *bitset.Planes) statespace.Work {
	return &pointing{certificate: newCertificate(c, start, wholeSet(c.Dim(), set, certificateChunk)), pointers: pointers}
}

type pointing struct {
	*certificate
	pointers *bitset.Planes
	left     []uint64 // the members of a block without a pointer
}

// NewWorker implements statespace.Work.
func (p *pointing) NewWorker() statespace.Worker {
	return &pointing{certificate: p.certificate, pointers: p.pointers, left: make([]uint64, p.words)}
}

// Do implements statespace.Worker. A block of a whole set is a chunk, and can be read.
func (p *pointing) Do(_, task int) {
	first := uint64(p.list[task]) * p.words
	words, _ := p.set.Representative(uint64(p.list[task]))
	copy(p.left, words)
	point := func(word, members uint64, pointer int) {
		p.pointers.SetAll(first+word, members, uint16(pointer))
		p.left[word] &^= members
	}
	if word := p.start/64 - first; word < p.words {
		point(word, p.left[word]&(1<<(p.start%64)), 1)
	}
	p.each(first, func(jump int, by []targets, from []uint64, flip uint16) {
		for i := range by {
			t := &by[i]
			for _, w := range t.words {
				if found := bits.RotateLeft64(from[w^flip], -t.from) & t.mask & p.left[w]; found != 0 {
					point(uint64(w), found, jump/2+2)
				}
			}
		}
	})
}
