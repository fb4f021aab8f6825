package layers

import (
	"context"
	"encoding/binary"
	"math/bits"
	"sync"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

func (foldedKind) open(f *File) (bitset.Reader, error) {
	bits := f.meta.BlockBits
	if err := checkFolding(f.space, bits); err != nil {
		return nil, f.damaged("%v", err)
	}
	symmetries := sweep.Symmetries(f.space)
	if want := 1 + len(symmetries); f.meta.Symmetries != want {
		return nil, f.damaged("%s should have %d symmetries, it was folded by %d", f.space.Name(), want, f.meta.Symmetries)
	}
	s := &foldedSet{f: f, bits: bits, bytes: 1 << bits / 8}
	var err error
	all := f.meta.Size >> bits
	if s.index, err = f.part("index", all*indexEntry); err != nil {
		return nil, err
	}
	if s.blocks, err = f.part("blocks", AnyLength); err != nil {
		return nil, err
	}
	if s.n = s.blocks.length / s.bytes; s.blocks.length%s.bytes != 0 || s.n > all {
		return nil, f.damaged("its section \"blocks\" should have at most %d blocks of %d bytes, and has %d bytes", all, s.bytes, s.blocks.length)
	}
	r := &foldedReader{Unfolded: sweep.Unfolded{FoldedSet: s, Symmetries: symmetries}, set: s}
	r.ranks = sync.OnceValues(r.count)
	if r.ways = newWays(r); r.ways != nil {
		return r.ways, nil
	}
	return r, nil
}

// A foldedSet is the blocks of a file. They and the index are checked when they are first read.
type foldedSet struct {
	f             *File
	bits          int
	bytes         uint64 // of a block
	n             uint64 // blocks in the file
	index, blocks part
}

// Len implements statespace.FoldedSet.
func (s *foldedSet) Len() uint64 { return s.f.meta.Size }

// Bits implements statespace.FoldedSet.
func (s *foldedSet) Bits() int { return s.bits }

// all returns the number of blocks of the space.
func (s *foldedSet) all() uint64 { return s.Len() >> s.bits }

// place returns the place of a block in the file plus 1, or 0 if it is not there.
func (s *foldedSet) place(block uint64) (uint64, error) {
	at := block * indexEntry
	if err := s.index.check(at, indexEntry); err != nil {
		return 0, err
	}
	place := uint64(binary.LittleEndian.Uint32(s.index.bytes()[at:]))
	if place > s.n {
		return 0, s.f.damaged("it should have %d blocks, and block %d is at place %d of its index", s.n, block, place)
	}
	return place, nil
}

// Representative implements statespace.FoldedSet.
func (s *foldedSet) Representative(block uint64) ([]uint64, error) {
	place, err := s.place(block)
	if place == 0 || err != nil {
		return nil, err
	}
	if err := s.blocks.check((place-1)*s.bytes, s.bytes); err != nil {
		return nil, err
	}
	return s.at(place), nil
}

// Order implements sweep.OrderedSet: the order of the blocks in the file.
func (s *foldedSet) Order() ([]uint32, error) {
	blocks := make([]uint32, s.n)
	err := mapped.Guard(func() error {
		for block := range s.all() {
			place, err := s.place(block)
			if err != nil {
				return err
			}
			if place > 0 {
				blocks[place-1] = uint32(block)
			}
		}
		return nil
	})
	return blocks, err
}

// at returns the words of a block, given what place has returned.
func (s *foldedSet) at(place uint64) []uint64 {
	return s.f.mapped.Words(s.blocks.offset+(place-1)*s.bytes, s.bytes)
}

// Folded returns the representatives in a folded file; false for another. Read them within Read.
func (f *File) Folded() (statespace.FoldedSet, bool) {
	switch r := f.members.(type) {
	case *foldedReader:
		return r.set, true
	case *ways:
		return r.set, true
	}
	return nil, false
}

// A foldedReader is the set of all images of the members of the blocks.
type foldedReader struct {
	sweep.Unfolded
	set    *foldedSet
	blocks blockCache
	ways   *ways // which finds numbers faster; nil: see newWays

	ranks func() (*foldedRanks, error) // counts the first time
}

// place returns the place in the file of the representative of a block plus 1, or 0 if it is not
// there.
func (r *foldedReader) place(block uint64) (uint64, error) {
	if r.ways != nil {
		to, err := r.ways.of(block)
		if err != nil {
			return 0, err
		}
		return to.place(), nil
	}
	kept, _ := sweep.Represent(r.Symmetries, r.set.bits, block)
	return r.set.place(kept)
}

// Block implements bitset.Reader.
func (r *foldedReader) Block(i uint64) ([]uint64, error) {
	return r.blocks.get(i, func() ([]uint64, error) { return r.Unfolded.Block(i) })
}

// prove checks what questions rely on: that the index leads to each block once, that all blocks
// are representatives, and that a block is symmetric under the symmetries that take it to
// itself.
func (r *foldedReader) prove(ctx context.Context, _ *bitset.Set, threads int) error {
	s := r.set
	all := s.all()
	seen := make([]atomic.Uint64, bitset.Words(s.n))
	err := mapped.Parts(ctx, threads, all, 1<<10, func(first, end uint64) error {
		image := make([]uint64, s.bytes/8)
		for block := first; block < end; block++ {
			place, err := s.place(block)
			if err != nil {
				return err
			}
			if place == 0 {
				continue
			}
			if old := seen[(place-1)/64].Or(1 << ((place - 1) % 64)); old>>((place-1)%64)&1 == 1 {
				return s.f.damaged("its index should have each place once, and has place %d for block %d and another", place, block)
			}
			if kept, by := sweep.Represent(r.Symmetries, s.bits, block); by != nil {
				return s.f.damaged("it should have block %d, and has its image block %d", kept, block)
			}
			if err := r.isSymmetric(block, image); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	used := uint64(0)
	for i := range seen {
		used += uint64(bits.OnesCount64(seen[i].Load()))
	}
	if used != s.n {
		return s.f.damaged("its index should lead to all %d blocks of the file, and leads to %d", s.n, used)
	}
	return nil
}

// isSymmetric returns an error if a symmetry takes a block to itself, but a member to a number
// that is none. It uses image, of the size of a block.
func (r *foldedReader) isSymmetric(block uint64, image []uint64) error {
	_, stabiliser := sweep.BlockOrbit(r.Symmetries, r.set.bits, block)
	if len(stabiliser) == 0 {
		return nil
	}
	words, err := r.set.Representative(block)
	if err != nil {
		return err
	}
	n := uint64(len(words))
	first := block * n
	read := func(word uint64) uint64 { return words[word-first] }
	for _, s := range stabiliser {
		for i := range image {
			image[i] = s.Gather(first+uint64(i), read)
		}
		for i, w := range image {
			if differ := w ^ words[i]; differ != 0 {
				x := 64*(first+uint64(i)) + uint64(bits.TrailingZeros64(differ))
				return r.set.f.damaged("its block %d should be symmetric, but only one of %s and its image is a member",
					block, r.set.f.space.Format(x))
			}
		}
	}
	return nil
}
