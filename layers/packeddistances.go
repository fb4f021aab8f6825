package layers

import (
	"sync"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/trie"
)

// packedDistancesKind is the entries of distancesKind, compressed in frames of a part each. They
// are unpacked when they are first read.
type packedDistancesKind struct {
	distancesKind
	coder trie.Coder
}

func (packedDistancesKind) size(statespace.Space) uint64 { return 0 }

// reading implements kind: it makes the entries.
func (k packedDistancesKind) reading(f *File) (always, asSet uint64, direct bool) {
	width := bfs.MarkBits
	if k.whole {
		width = entryBits(f.meta.Details)
	}
	return 8 * bitset.PlaneWords(f.meta.Size, width), 8 * bitset.Words(f.meta.Size), true
}

func (k packedDistancesKind) write(b *body, j *job) error {
	e, free, err := k.entries(b.ctx, j)
	if err != nil {
		return err
	}
	defer free()
	return writeFrames(b, j, k.coder, e.parts(), e.part)
}

func (k packedDistancesKind) open(f *File) (bitset.Reader, error) {
	width, stride, err := f.checkDistances(k.whole)
	if err != nil {
		return nil, err
	}
	parts := entries{n: bitset.Words(f.meta.Size), width: uint64(stride)}
	packed, err := openFrames(f, k.coder, parts.parts())
	if err != nil {
		return nil, err
	}
	r := &distancesReader{&planesReader{n: f.meta.Size}, k.whole, f.meta.Columns}
	r.unpack = sync.OnceValue(func() (err error) {
		words := bitset.PlaneWords(r.n, stride)
		if err := f.allow(8*words, "its unpacked distances"); err != nil {
			return err
		}
		unpacked := make([]uint64, words)
		for i := range packed.len() {
			part := parts.partGroups() * parts.width
			if err := packed.read(i, unpacked[i*part:min((i+1)*part, words)]); err != nil {
				return err
			}
		}
		r.planes, err = planesOver(f, "frames", unpacked, r.n, width, stride)
		return err
	})
	return r, nil
}
