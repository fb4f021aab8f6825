package layers

import (
	"fmt"
	"math/bits"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// distancesKind is the distance of each number from the roots, in bit planes. Mod3Store has it
// modulo 3, which is enough where every move can be taken back; DistanceStore has it whole.
type distancesKind struct {
	plainKind
	whole bool
}

func (k distancesKind) fits(sp statespace.Space) error {
	name := Mod3Store
	if k.whole {
		name = DistanceStore
	}
	if l, ok := sp.(statespace.Layered); ok {
		return errStore(sp, name, "its layers are by "+l.LayerName()+", not by distance")
	}
	if !k.whole && !statespace.IsUndirected(sp) {
		return errStore(sp, name, "its moves cannot be taken back; the store "+DistanceStore+" keeps whole distances")
	}
	return nil
}

func (k distancesKind) own(d *Details) {
	if k.whole {
		d.DistanceBits = 0
	}
}

func (k distancesKind) size(sp statespace.Space) uint64 {
	if k.whole {
		return 0 // the greatest distance is not known
	}
	return 8 * bitset.PlaneWords(sp.Size(), bfs.MarkBits)
}

// memory implements kind: a search finds the distances again.
func (k distancesKind) memory(sp statespace.Space) uint64 { return searchMemory(sp, k.whole) }

// searchMemory returns about how many bytes a search takes, with whole distances up to 254 if
// these are wanted.
func searchMemory(sp statespace.Space, whole bool) uint64 {
	bytes := bfs.MemoryOf(bfs.Of(sp))
	if whole {
		bytes += 8 * bitset.PlaneWords(sp.Size(), 8)
	}
	return bytes
}

func (k distancesKind) write(b *body, j *job) error {
	if found, ok := j.members.(*bfs.Members); ok && (!k.whole || found.Depths() != nil) {
		return k.writeEntries(b, j, found)
	}
	s, err := bfs.New(b.ctx, bfs.Of(j.sp), bfs.Options{ToGoal: statespace.EndsAtGoal(j.sp), Threads: j.Threads, Whole: k.whole})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Run(b.ctx, nil, j.Progress); err != nil {
		return err
	}
	if n := s.States(); n != j.meta.States {
		return fmt.Errorf("%d states of %s can be reached, the metadata has %d", n, j.sp.Name(), j.meta.States)
	}
	return k.writeEntries(b, j, s.Members())
}

// writeEntries writes the distances that a search has found.
func (k distancesKind) writeEntries(b *body, j *job, found *bfs.Members) error {
	if !k.whole {
		return b.section("distances", func() error { return b.write(mapped.Bytes(found.Marks().Words())) })
	}
	depths := found.Depths()
	j.meta.DistanceBits = depths.Width()
	width := uint64(depths.Width())
	return b.section("distances", func() error {
		const some = 1 << 12 // groups
		words := make([]uint64, 0, some*width)
		for group := range bitset.Words(depths.Len()) {
			for bit := range depths.Width() {
				words = append(words, depths.Plane(bit)[group])
			}
			if len(words) == cap(words) {
				if err := b.write(mapped.Bytes(words)); err != nil {
					return err
				}
				words = words[:0]
			}
		}
		return b.write(mapped.Bytes(words))
	})
}

func (k distancesKind) open(f *File) (bitset.Reader, error) {
	if err := f.fits(); err != nil {
		return nil, err
	}
	width, err := f.distanceBits(k.whole)
	if err != nil {
		return nil, err
	}
	planes, err := openPlanes(f, "distances", f.meta.Size, width)
	return &distancesReader{planes, k.whole}, err
}

// distanceBits returns the bits of a distance in a file.
func (f *File) distanceBits(whole bool) (int, error) {
	if !whole {
		return bfs.MarkBits, nil
	}
	// The greatest entry is the number of layers.
	width := f.meta.DistanceBits
	if want := bits.Len(uint(len(f.meta.Layers))); width != want || width > bfs.MaxDepthBits {
		return 0, f.damaged("the distances in %d layers should have %d bits, at most %d, and have %d", len(f.meta.Layers), want, bfs.MaxDepthBits, width)
	}
	return width, nil
}

// A distancesReader is the set of the numbers that have distances.
type distancesReader struct {
	*planesReader
	whole bool
}

// distances implements measured.
func (r *distancesReader) distances() bfs.Distances {
	return bfs.Distances{Whole: r.whole, At: r.entry}
}

// marks implements measured.
func (r *distancesReader) marks() *bitset.Planes {
	if r.whole {
		return nil
	}
	return r.planes
}

// measured is a Reader that has distances.
type measured interface {
	distances() bfs.Distances
	marks() *bitset.Planes
}

// Distances returns the distances of the numbers below Meta().Size from the roots; false if the
// store does not keep them. Read them within Read.
func (f *File) Distances() (bfs.Distances, bool) {
	if m, ok := f.members.(measured); ok {
		return m.distances(), true
	}
	return bfs.Distances{}, false
}

// Marks returns the marks of all numbers, see bfs.Mark, of a file that was checked; nil if the
// store does not keep distances modulo 3. Read them within Read.
func (f *File) Marks() *bitset.Planes {
	if m, ok := f.members.(measured); ok {
		return m.marks()
	}
	return nil
}
