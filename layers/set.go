package layers

import (
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// setKind is one bit for each number.
type setKind struct{ plainKind }

func (setKind) size(sp statespace.Space) uint64 { return 8 * bitset.Words(sp.Size()) }

// reading implements kind: a set is read in the map.
func (setKind) reading(*File) (always, asSet uint64, direct bool) { return 0, 0, true }

func (setKind) write(b *body, j *job) error {
	free, err := j.fill(b.ctx)
	if err != nil {
		return err
	}
	defer free()
	return b.section("set", func() error {
		if set, ok := j.members.(*bitset.Set); ok {
			return b.write(mapped.Bytes(set.Words()))
		}
		j.start(bitset.Blocks(j.members))
		return inOrder(b.ctx, j.Threads, bitset.Blocks(j.members), j.members.Block, func(words []uint64) error {
			j.Progress.Add(1)
			return b.write(mapped.Bytes(words))
		})
	})
}

// compose implements composer.
func (k setKind) compose(sp statespace.Space, _ *Meta) (first section, rest func(b *body) error, err error) {
	return section{"set", pageSize, k.size(sp)}, nil, nil
}

func (setKind) open(f *File) (bitset.Reader, error) {
	p, err := f.part("set", 8*bitset.Words(f.meta.Size))
	if err != nil {
		return nil, err
	}
	set, err := bitset.Over(p.words(), f.meta.Size)
	if n := f.meta.Size; err == nil && n%64 != 0 {
		err = f.noneBeyond(n, set.Words()[n/64])
	}
	return &setReader{Set: set, f: p.f, offset: p.offset}, err
}

// A setReader checks the blocks of a set when they are first read.
type setReader struct {
	*bitset.Set
	f      *File
	offset uint64 // of the set
	right  atomic.Bool
}

// Direct returns the words of the set if all of them have been checked, or nil.
func (r *setReader) Direct() []uint64 {
	if !r.right.Load() {
		if !r.f.wasChecked(r.offset, 8*uint64(len(r.Words()))) {
			return nil
		}
		r.right.Store(true)
	}
	return r.Words()
}

// Block implements bitset.Reader.
func (r *setReader) Block(i uint64) ([]uint64, error) {
	words, err := r.Set.Block(i)
	if err == nil {
		err = r.f.checkRange(r.offset+i<<bitset.BlockBits/8, 8*uint64(len(words)))
	}
	return words, err
}
