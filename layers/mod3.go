package layers

import (
	"fmt"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// mod3Kind is the distance from the roots modulo 3 for each number, in bit planes: see
// statespace.Reversible.
type mod3Kind struct{}

func (mod3Kind) fits(sp statespace.Space) error {
	if _, ok := sp.(statespace.Reversible); !ok {
		return errStore(sp, Mod3Store, "its moves cannot be taken back")
	}
	return nil
}

func (mod3Kind) size(sp statespace.Space) uint64 {
	return 8 * bitset.PlaneWords(sp.Size(), statespace.DistanceBits)
}

// memory is that of finding the distances again.
func (k mod3Kind) memory(sp statespace.Space) uint64 {
	return k.size(sp) + statespace.Memory(sp, statespace.Engines(sp)[0])
}

func (mod3Kind) write(b *body, j *job) error {
	if known, ok := j.members.(bitset.Support); ok && known.Width() == statespace.DistanceBits {
		return b.section("distances", func() error { return b.write(mapped.Bytes(known.Words())) })
	}
	sp := j.sp.(statespace.Reversible)
	memory, err := mapped.Alloc(b.ctx, bitset.PlaneWords(sp.Size(), statespace.DistanceBits), j.Threads)
	if err != nil {
		return err
	}
	defer memory.Free()
	distances, err := bitset.PlanesOver(memory.Words(), sp.Size(), statespace.DistanceBits)
	if err != nil {
		return err
	}
	found, err := statespace.FindDistances(b.ctx, sp, statespace.Engines(sp)[0], distances, j.Threads, j.Progress)
	if err != nil {
		return err
	}
	if n := found.States(); n != j.meta.States {
		return fmt.Errorf("%d states of %s can be reached, and %d were told", n, sp.Name(), j.meta.States)
	}
	return b.section("distances", func() error { return b.write(mapped.Bytes(distances.Words())) })
}

func (mod3Kind) open(f *File) (bitset.Reader, error) {
	planes, err := openPlanes(f, "distances", f.meta.Size, statespace.DistanceBits)
	return &mod3Reader{planes}, err
}

// A mod3Reader is the set of the numbers that have distances.
type mod3Reader struct{ *planesReader }

// Distances returns the distances of a file of Mod3Store that was checked, or nil.
func (f *File) Distances() *bitset.Planes {
	if r, ok := f.members.(*mod3Reader); ok {
		return r.planes
	}
	return nil
}

// Distance returns the function that gives the distance of a number below Meta().Size, or
// nil when the store has no distances. Call it within mapped.Guard.
func (f *File) Distance() statespace.Distance {
	if r, ok := f.members.(*mod3Reader); ok {
		return r.entry
	}
	return nil
}
