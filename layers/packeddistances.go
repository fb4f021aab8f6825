package layers

import (
	"sync"

	"pagoda/bitset"
	"pagoda/internal/mapped"
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
	unpack := func() (*distancesReader, error) {
		n := bitset.PlaneWords(f.meta.Size, stride)
		if err := f.allow(8*n, "its unpacked distances"); err != nil {
			return nil, err
		}
		words := make([]uint64, n)
		planes, err := bitset.Among(words, f.meta.Size, 0, width, stride)
		if err != nil {
			return nil, f.damaged("its distances: %v", err)
		}
		for i := range packed.len() {
			part := parts.partGroups() * parts.width
			if err := packed.read(i, words[i*part:min((i+1)*part, uint64(len(words)))]); err != nil {
				return nil, err
			}
		}
		if n := f.meta.Size; n%64 != 0 {
			err = f.noneBeyond(n, planes.NotZero(n/64))
		}
		return &distancesReader{&planesReader{planes: planes}, k.whole, f.meta.Columns}, err
	}
	r := &packedDistancesReader{n: f.meta.Size, whole: k.whole}
	unpacked, err := (*distancesReader)(nil), mapped.ErrFault // unless all goes well
	var once sync.Once
	r.get = func() (*distancesReader, error) {
		once.Do(func() { unpacked, err = unpack() })
		return unpacked, err
	}
	return r, nil
}

// A packedDistancesReader is the set of the numbers that have distances.
type packedDistancesReader struct {
	n     uint64
	whole bool
	get   func() (*distancesReader, error) // unpacks the first time
}

// distances implements measured.
func (r *packedDistancesReader) distances() bfs.Distances {
	return bfs.Distances{Whole: r.whole, At: func(x uint64) (uint16, error) {
		d, err := r.get()
		if err != nil {
			return 0, err
		}
		return d.entry(x)
	}}
}

// reader implements measured.
func (r *packedDistancesReader) reader() (*distancesReader, error) { return r.get() }

// Len implements bitset.Reader.
func (r *packedDistancesReader) Len() uint64 { return r.n }

// Block implements bitset.Reader.
func (r *packedDistancesReader) Block(i uint64) ([]uint64, error) {
	d, err := r.get()
	if err != nil {
		return nil, err
	}
	return d.Block(i)
}

// Has implements bitset.Finder.
func (r *packedDistancesReader) Has(x uint64) (bool, error) {
	d, err := r.get()
	if err != nil {
		return false, err
	}
	return d.Has(x)
}

// Word implements bitset.Finder.
func (r *packedDistancesReader) Word(i uint64) (uint64, error) {
	d, err := r.get()
	if err != nil {
		return 0, err
	}
	return d.Word(i)
}
