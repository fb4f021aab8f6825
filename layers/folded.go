package layers

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// foldedKind is the kept blocks of a statespace.Folding, one after another in its order,
// and then an index of them. So a run can write blocks when they are done, and a question
// finds its block by one look at the index, through whatever symmetry leads there.
type foldedKind struct{}

// An entry of the index is the place of a block among those of the file and 1, or 0 if the
// block is not there.
const indexEntry = 4

func (foldedKind) fits(sp statespace.Space) error {
	bits, _ := statespace.FoldingSize(sp)
	if bits == 0 {
		return errStore(sp, FoldedStore, "it has no blocks that its symmetries take to blocks")
	}
	return checkFolding(sp, bits)
}

// checkFolding returns an error if blocks of so many bits cannot be those of a file.
func checkFolding(sp statespace.Space, bits int) error {
	if err := statespace.CheckFolding(sp, bits); err != nil {
		return err
	}
	if n := sp.Size() >> bits; n > 1<<32 {
		return fmt.Errorf("%s has %d blocks of 2^%d numbers; an index has at most 2^32", sp.Name(), n, bits)
	}
	return nil
}

func (k foldedKind) size(sp statespace.Space) uint64 {
	bits, blocks := statespace.FoldingSize(sp)
	return pad(blocks<<bits/8) + k.memory(sp)
}

// memory is that of the index.
func (foldedKind) memory(sp statespace.Space) uint64 {
	bits, _ := statespace.FoldingSize(sp)
	return sp.Size() >> bits * indexEntry
}

// tellFolding fills in what the meta section of a folded file tells. Where there is no
// symmetry, orbits are not told.
func tellFolding(meta *Meta, sp statespace.Space, folding *statespace.Folding) {
	meta.BlockBits, meta.Symmetries = folding.Bits, 1+len(statespace.Symmetries(sp))
	if meta.Symmetries == 1 {
		meta.Layers = WithoutOrbits(meta.Layers)
	}
}

// makeIndex returns what tells where the blocks of an order are.
func makeIndex(sp statespace.Space, folding *statespace.Folding) ([]byte, error) {
	blocks := sp.Size() >> folding.Bits
	index := make([]byte, blocks*indexEntry)
	for i, block := range folding.Order {
		if uint64(block) >= blocks {
			return nil, fmt.Errorf("block %d of the order of %s is number %d of %d", i, sp.Name(), block, blocks)
		}
		entry := index[uint64(block)*indexEntry:]
		if place := binary.LittleEndian.Uint32(entry); place != 0 {
			return nil, fmt.Errorf("blocks %d and %d of the order of %s are both number %d", place-1, i, sp.Name(), block)
		}
		binary.LittleEndian.PutUint32(entry, uint32(i+1))
	}
	return index, nil
}

// writeIndex writes the section that comes behind the blocks.
func writeIndex(b *body, index []byte) error {
	return b.section("index", func() error { return b.write(index) })
}

func (foldedKind) write(b *body, j *job) error {
	free, err := j.fill(b.ctx)
	if err != nil {
		return err
	}
	defer free()
	folding, symmetries := statespace.FoldingOf(j.sp), statespace.Symmetries(j.sp)
	index, err := makeIndex(j.sp, folding)
	if err != nil {
		return err
	}
	tellFolding(j.meta, j.sp, folding)
	kept := keptBlocks(j.members, folding.Bits)
	if err := countOrbits(b.ctx, j, kept); err != nil {
		return err
	}
	n := uint64(1) << folding.Bits / 64 // words of a block
	blocks := uint64(len(folding.Order))
	together := max(1, rawChunk/n)
	parts := (blocks + together - 1) / together
	var states atomic.Uint64
	j.start(parts)
	err = b.section("blocks", func() error {
		return inOrder(b.ctx, j.Threads, parts, func(i uint64) ([]uint64, error) {
			var words []uint64
			for _, number := range folding.Order[i*together : min((i+1)*together, blocks)] {
				block, err := kept.Kept(uint64(number))
				if err != nil {
					return nil, err
				}
				if block == nil {
					block = make([]uint64, n)
				}
				images, _ := statespace.BlockOrbit(symmetries, folding.Bits, uint64(number))
				states.Add(images * countMembers(block))
				words = append(words, block...)
			}
			return words, nil
		}, func(words []uint64) error {
			j.Progress.Add(1)
			return b.write(mapped.Bytes(words))
		})
	})
	if err != nil {
		return err
	}
	if n := states.Load(); n != j.meta.States {
		return fmt.Errorf("its blocks have %d states and their images, and %d were told: the states are not the same from all sides of %s, or are where it has none",
			n, j.meta.States, j.sp.Name())
	}
	return writeIndex(b, index)
}

// countOrbits adds to the layers how many states they have up to symmetry, unless that was
// told or there is none.
func countOrbits(ctx context.Context, j *job, kept statespace.FoldedSet) error {
	if j.meta.Symmetries > 1 && !j.meta.countsOrbits() {
		counts, err := statespace.CountFolded(ctx, j.sp, kept, j.Threads)
		if err != nil {
			return err
		}
		j.meta.Layers = slices.Clone(j.meta.Layers)
		for i := range j.meta.Layers {
			l := &j.meta.Layers[i]
			if k := slices.IndexFunc(counts, func(c statespace.Layer) bool { return c.Layer == l.Layer }); k >= 0 {
				l.Orbits = counts[k].Orbits
			}
		}
	}
	return j.meta.check()
}

func countMembers(words []uint64) (n uint64) {
	for _, w := range words {
		n += uint64(bits.OnesCount64(w))
	}
	return n
}

// keptBlocks returns the kept blocks of a set.
func keptBlocks(members bitset.Reader, bits int) statespace.FoldedSet {
	if f, ok := members.(statespace.FoldedSet); ok && f.Bits() == bits {
		return f
	}
	return blocksOf{members, bits}
}

// blocksOf is the blocks of any set, as if it were folded.
type blocksOf struct {
	bitset.Reader
	bits int
}

// Bits implements statespace.FoldedSet.
func (b blocksOf) Bits() int { return b.bits }

// Kept implements statespace.FoldedSet.
func (b blocksOf) Kept(block uint64) ([]uint64, error) {
	n := uint64(1) << b.bits / 64
	if b.bits <= bitset.BlockBits {
		perBlock := uint64(1) << (bitset.BlockBits - b.bits)
		words, err := b.Block(block / perBlock)
		if err != nil {
			return nil, err
		}
		return words[block%perBlock*n:][:n], nil
	}
	var words []uint64
	perBlock := uint64(1) << (b.bits - bitset.BlockBits)
	for i := range perBlock {
		part, err := b.Block(block*perBlock + i)
		if err != nil {
			return nil, err
		}
		words = append(words, part...)
	}
	return words, nil
}

func (foldedKind) open(f *File) (bitset.Reader, error) {
	bits := f.meta.BlockBits
	if err := checkFolding(f.space, bits); err != nil {
		return nil, f.damaged("%v", err)
	}
	symmetries := statespace.Symmetries(f.space)
	if want := 1 + len(symmetries); f.meta.Symmetries != want {
		return nil, f.damaged("%s should have %d symmetries, it was folded by %d", f.space.Name(), want, f.meta.Symmetries)
	}
	s := &foldedSet{f: f, bits: bits, bytes: 1 << bits / 8}
	var err error
	all := f.meta.Size >> bits
	if s.index, err = f.part("index", all*indexEntry); err != nil {
		return nil, err
	}
	if s.blocks, err = f.part("blocks", anyLength); err != nil {
		return nil, err
	}
	if s.n = s.blocks.length / s.bytes; s.blocks.length%s.bytes != 0 || s.n > all {
		return nil, f.damaged("its section \"blocks\" should have at most %d blocks of %d bytes, and has %d bytes", all, s.bytes, s.blocks.length)
	}
	r := &foldedReader{Unfolded: statespace.Unfolded{FoldedSet: s, Symmetries: symmetries}, set: s}
	if all <= maxRoutes {
		r.routes = make([]atomic.Uint64, all)
	}
	return r, nil
}

// A foldedSet is the blocks of a file. They, and the index, are checked when they are first
// looked at.
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

// all returns how many blocks the space has.
func (s *foldedSet) all() uint64 { return s.Len() >> s.bits }

// place returns 1 more than the place of a block, or 0 if the file has not got it.
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

// Kept implements statespace.FoldedSet.
func (s *foldedSet) Kept(block uint64) ([]uint64, error) {
	place, err := s.place(block)
	if place == 0 || err != nil {
		return nil, err
	}
	if err := s.blocks.check((place-1)*s.bytes, s.bytes); err != nil {
		return nil, err
	}
	return s.at(place), nil
}

// Order implements statespace.OrderedSet: the blocks as they lie in the file.
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

// at returns the words of the block at a place, which place has returned.
func (s *foldedSet) at(place uint64) []uint64 {
	return s.f.mapped.Words(s.blocks.offset+(place-1)*s.bytes, s.bytes)
}

// Folded returns the blocks of a file of FoldedStore; false for another. Look at them
// within mapped.Guard.
func (f *File) Folded() (statespace.FoldedSet, bool) {
	r, ok := f.members.(*foldedReader)
	if !ok {
		return nil, false
	}
	return r.set, true
}

// A foldedReader is the set of the images of what is in the blocks.
type foldedReader struct {
	statespace.Unfolded
	set    *foldedSet
	blocks blockCache
	routes []atomic.Uint64 // by block: a route, or 0 if it was not asked for; nil: there are too many

	counted foldedRanks
}

// A route leads from a block to what the file has of it: in its low half 1 more than the
// place of a block, or 0 if there is none; above, 1 more than the number of the symmetry
// that leads there, or 0; and a bit that is set.
type route uint64

const (
	routeSet  route = 1 << 63
	maxRoutes       = 1 << 23 // 64 MiB of them
)

// route returns the route of a block. What it leads to has been checked.
func (r *foldedReader) route(block uint64) (route, error) {
	if r.routes != nil {
		if to := route(r.routes[block].Load()); to != 0 {
			return to, nil
		}
	}
	kept, to := block, routeSet
	for i, s := range r.Symmetries {
		if image := s.Map(block<<r.set.bits) >> r.set.bits; image < kept {
			kept, to = image, routeSet|route(i+1)<<32
		}
	}
	place, err := r.set.place(kept)
	if err != nil {
		return 0, err
	}
	if place > 0 {
		if err := r.set.blocks.check((place-1)*r.set.bytes, r.set.bytes); err != nil {
			return 0, err
		}
	}
	to |= route(place)
	if r.routes != nil {
		r.routes[block].Store(uint64(to))
	}
	return to, nil
}

// follow returns the words that a route leads to, nil if there are none, and the symmetry by
// which, or nil.
func (r *foldedReader) follow(to route) (words []uint64, by statespace.Symmetry) {
	if place := uint64(uint32(to)); place > 0 {
		words = r.set.at(place)
	}
	if i := to &^ routeSet >> 32; i > 0 {
		by = r.Symmetries[i-1]
	}
	return words, by
}

// Has implements bitset.Finder.
func (r *foldedReader) Has(x uint64) (bool, error) {
	to, err := r.route(x >> r.set.bits)
	if err != nil {
		return false, err
	}
	words, by := r.follow(to)
	if words == nil {
		return false, nil
	}
	if by != nil {
		x = by.Map(x)
	}
	return words[x/64&uint64(len(words)-1)]>>(x%64)&1 == 1, nil
}

// Word implements bitset.Finder.
func (r *foldedReader) Word(i uint64) (uint64, error) {
	to, err := r.route(i >> (r.set.bits - 6))
	if err != nil {
		return 0, err
	}
	words, by := r.follow(to)
	switch mask := uint64(len(words) - 1); {
	case words == nil:
		return 0, nil
	case by == nil:
		return words[i&mask], nil
	default:
		return by.Gather(i, func(word uint64) uint64 { return words[word&mask] }), nil
	}
}

// FindWords implements bitset.Batcher. It reads first where each word is made of, so that the
// waits for memory overlap.
func (r *foldedReader) FindWords(dst, numbers []uint64) error {
	for k, i := range numbers {
		to, err := r.route(i >> (r.set.bits - 6))
		if err != nil {
			return err
		}
		words, by := r.follow(to)
		if words == nil {
			continue
		}
		if by != nil {
			i = by.Map(i<<6) >> 6
		}
		dst[k] = words[i&uint64(len(words)-1)]
	}
	for k, i := range numbers {
		var err error
		if dst[k], err = r.Word(i); err != nil {
			return err
		}
	}
	return nil
}

// Block implements bitset.Reader.
func (r *foldedReader) Block(i uint64) ([]uint64, error) {
	return r.blocks.get(i, func() ([]uint64, error) { return r.Unfolded.Block(i) })
}

// prove checks what questions rely on: that the index leads to each block once, and to none
// that is not kept; and that a block looks the same from the sides from which it is itself.
func (r *foldedReader) prove(ctx context.Context, _ *bitset.Set, threads int) error {
	s := r.set
	all := s.all()
	seen := make([]atomic.Uint64, bitset.Words(s.n))
	const together = 1 << 10
	err := forEach(ctx, threads, (all+together-1)/together, func(i uint64) error {
		image := make([]uint64, s.bytes/8)
		for block := i * together; block < min((i+1)*together, all); block++ {
			place, err := s.place(block)
			if err != nil {
				return err
			}
			if place == 0 {
				continue
			}
			if old := seen[(place-1)/64].Or(1 << ((place - 1) % 64)); old>>((place-1)%64)&1 == 1 {
				return s.f.damaged("place %d of its blocks should be that of one block, and is that of block %d and another", place, block)
			}
			if kept, by := statespace.KeptBlock(r.Symmetries, s.bits, block); by != nil {
				return s.f.damaged("it has block %d, and should have block %d, to which a symmetry takes it", block, kept)
			}
			if err := r.sameFromAllSides(block, image); err != nil {
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
		return s.f.damaged("its index should lead to all of its %d blocks, and leads to %d", s.n, used)
	}
	return nil
}

// sameFromAllSides returns an error if a symmetry takes a block to itself, and its members
// to others. It uses image, of the size of a block.
func (r *foldedReader) sameFromAllSides(block uint64, image []uint64) error {
	_, stabiliser := statespace.BlockOrbit(r.Symmetries, r.set.bits, block)
	if len(stabiliser) == 0 {
		return nil
	}
	words, err := r.set.Kept(block)
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
				return r.set.f.damaged("its block %d should look the same from all sides: of %s and what a symmetry takes it to, one is a member",
					block, r.set.f.space.Format(x))
			}
		}
	}
	return nil
}
