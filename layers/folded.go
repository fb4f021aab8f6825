package layers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// foldedKind is the representatives of a statespace.Folding in their order, and then an index of them.
// So a run can write blocks when they are done, and a question finds a block by one look at the
// index, after the symmetry that leads to the representative.
type foldedKind struct{ plainKind }

// indexEntry is the bytes of an entry of the index: the place of a block in the file plus 1, or
// 0 if the block is not there.
const indexEntry = 4

func (foldedKind) fits(sp statespace.Space) error {
	blocks := sweep.BlocksOf(sp)
	if blocks == nil {
		return errors.New("it has no blocks that its symmetries take to blocks")
	}
	if blocks.Folding == nil {
		return fmt.Errorf("it has %d blocks of 2^%d numbers, too many to number with 32 bits", sp.Size()>>blocks.Bits, blocks.Bits)
	}
	return checkFolding(sp, blocks.Bits)
}

func (foldedKind) own(d *Details) { d.Symmetries, d.BlockBits = 0, 0 }

// checkFolding returns an error if a file cannot have blocks of 2^bits numbers.
func checkFolding(sp statespace.Space, bits int) error {
	if err := sweep.CheckFolding(sp, bits); err != nil {
		return err
	}
	if n := sp.Size() >> bits; n > 1<<32 {
		return fmt.Errorf("%s has %d blocks of 2^%d numbers; an index has at most 2^32", sp.Name(), n, bits)
	}
	return nil
}

func (k foldedKind) size(sp statespace.Space) uint64 {
	blocks := sweep.BlocksOf(sp)
	return pad(blocks.Representatives<<blocks.Bits/8) + k.memory(sp)
}

// memory implements kind: the index.
func (foldedKind) memory(sp statespace.Space) uint64 {
	return sp.Size() >> sweep.BlocksOf(sp).Bits * indexEntry
}

// makeIndex returns the index of the blocks of a folding.
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

// compose implements composer. Without symmetries there are no orbits.
func (foldedKind) compose(sp statespace.Space, meta *Meta) (first section, rest func(b *body) error, err error) {
	folding := sweep.BlocksOf(sp).Folding()
	index, err := makeIndex(sp, folding)
	if err != nil {
		return first, nil, err
	}
	meta.BlockBits, meta.Symmetries = folding.Bits, 1+len(statespace.Symmetries(sp))
	if meta.Symmetries == 1 {
		meta.Layers = WithoutOrbits(meta.Layers)
	}
	first = section{"blocks", pageSize, uint64(len(folding.Order)) << folding.Bits / 8}
	return first, func(b *body) error {
		return b.section("index", func() error { return b.write(index) })
	}, nil
}

func (k foldedKind) write(b *body, j *job) error {
	free, err := j.fill(b.ctx)
	if err != nil {
		return err
	}
	defer free()
	folding, symmetries := sweep.BlocksOf(j.sp).Folding(), sweep.Symmetries(j.sp)
	_, rest, err := k.compose(j.sp, j.meta)
	if err != nil {
		return err
	}
	folded := foldedOf(j.members, folding.Bits)
	if err := countOrbits(b.ctx, j, folded); err != nil {
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
				block, err := folded.Representative(uint64(number))
				if err != nil {
					return nil, err
				}
				if block == nil {
					block = make([]uint64, n)
				}
				images, _ := sweep.BlockOrbit(symmetries, folding.Bits, uint64(number))
				states.Add(images * bitset.Count(block))
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
		return fmt.Errorf("the blocks expand to %d states, the metadata says %d: the set is not symmetric, or not of %s", n, j.meta.States, j.sp.Name())
	}
	return rest(b)
}

// countOrbits adds the orbits to the layers, unless they are there or there is no symmetry.
func countOrbits(ctx context.Context, j *job, folded statespace.FoldedSet) error {
	if j.meta.Symmetries > 1 && !j.meta.countsOrbits() {
		counts, err := sweep.CountFolded(ctx, j.sp, folded, j.Threads)
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
	return j.meta.checkLayers()
}

// foldedOf returns the representatives of a symmetric set.
func foldedOf(members bitset.Reader, bits int) statespace.FoldedSet {
	if f, ok := members.(statespace.FoldedSet); ok && f.Bits() == bits {
		return f
	}
	return blocksOf{members, bits}
}

// blocksOf is a set that is no folded one, cut into blocks.
type blocksOf struct {
	bitset.Reader
	bits int
}

// Bits implements statespace.FoldedSet.
func (b blocksOf) Bits() int { return b.bits }

// Representative implements statespace.FoldedSet.
func (b blocksOf) Representative(block uint64) ([]uint64, error) {
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
