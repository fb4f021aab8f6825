package layers

import "pagoda/bitset"

// A planesReader is the set of the numbers whose entries, in bit planes, are not 0. Entries in the
// map are checked when they are first read, and packed ones unpacked.
type planesReader struct {
	n      uint64
	planes *bitset.Planes // not before ready
	part
	unpack func() error // sets planes the first time; nil: they are in the map
	blocks blockCache
}

// openPlanes returns the n entries of a section, which have the given width.
func openPlanes(f *File, section string, n uint64, width int) (*planesReader, error) {
	return openAmong(f, section, n, width, width)
}

// openAmong is openPlanes for entries that are the first planes of wider ones.
func openAmong(f *File, section string, n uint64, width, stride int) (*planesReader, error) {
	p, err := f.part(section, 8*bitset.PlaneWords(n, stride))
	if err != nil {
		return nil, err
	}
	planes, err := planesOver(f, section, p.words(), n, width, stride)
	return &planesReader{n: n, planes: planes, part: p}, err
}

// planesOver returns the entries in the words of a section.
func planesOver(f *File, section string, words []uint64, n uint64, width, stride int) (*bitset.Planes, error) {
	planes, err := bitset.Among(words, n, 0, width, stride)
	if err != nil {
		return nil, f.damaged("its section %q: %v", section, err)
	}
	if n%64 != 0 {
		err = f.noneBeyond(n, planes.NotZero(n/64))
	}
	return planes, err
}

// Len implements bitset.Reader.
func (r *planesReader) Len() uint64 { return r.n }

// ready unpacks the planes, unless that was done before.
func (r *planesReader) ready() error {
	if r.unpack == nil {
		return nil
	}
	return r.unpack()
}

// checkGroups checks n groups of 64 entries.
func (r *planesReader) checkGroups(first, n uint64) error {
	if r.unpack != nil {
		return r.unpack()
	}
	stride := 8 * uint64(r.planes.Stride())
	return r.check(first*stride, n*stride)
}

// Block implements bitset.Reader.
func (r *planesReader) Block(i uint64) ([]uint64, error) {
	return r.blocks.get(i, func() ([]uint64, error) {
		if err := r.checkGroups(i<<bitset.BlockBits/64, bitset.BlockWords(r, i)); err != nil {
			return nil, err
		}
		return bitset.Support{Planes: r.planes}.Block(i)
	})
}

// Has implements bitset.Finder.
func (r *planesReader) Has(x uint64) (bool, error) {
	v, err := r.entry(x)
	return v != 0, err
}

// Word implements bitset.Finder.
func (r *planesReader) Word(i uint64) (uint64, error) {
	if err := r.checkGroups(i, 1); err != nil {
		return 0, err
	}
	return r.planes.NotZero(i), nil
}

// entry returns the entry of a number below Len.
func (r *planesReader) entry(x uint64) (uint16, error) {
	if err := r.checkGroups(x/64, 1); err != nil {
		return 0, err
	}
	return r.planes.Get(x), nil
}
