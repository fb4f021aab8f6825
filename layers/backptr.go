package layers

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// backptrKind is a pointer for each number, in bit planes: see statespace.Pointers.
type backptrKind struct{ plainKind }

// pointerBits returns the bits of a pointer, or 0 if they depend on the members.
func pointerBits(sp statespace.Space) int {
	if p := sweep.Of(sp).Pointers; p != nil {
		return p.Bits
	}
	return 0
}

func (backptrKind) size(sp statespace.Space) uint64 {
	return 8 * bitset.PlaneWords(sp.Size(), pointerBits(sp))
}

// memory implements kind: the pointers, of 8 bits if that is not known, and the search that finds
// which states are nearer to the roots, if it takes one.
func (k backptrKind) memory(sp statespace.Space) uint64 {
	bytes := cmp.Or(k.size(sp), 8*bitset.PlaneWords(sp.Size(), 8))
	layered := sp.Parts().Layers != nil
	if p := sweep.Of(sp).Pointers; !layered && (p == nil || p.Point == nil) {
		bytes += searchMemory(sp, !sp.Parts().Undirected)
	}
	return bytes
}

func (backptrKind) own(d *Details) { d.PointerBits = 0 }

func (backptrKind) write(b *body, j *job) error {
	pointers, free, err := point(b.ctx, j, false)
	if err != nil {
		return err
	}
	defer free()
	return b.section("pointers", func() error { return b.write(mapped.Bytes(pointers.Words())) })
}

// point makes the pointers of the members, or the Proof of them, in memory that free gives back.
func point(ctx context.Context, j *job, proof bool) (pointers *bitset.Planes, free func(), err error) {
	set, freeSet, err := LoadSet(ctx, j.members, j.Threads)
	if err != nil {
		return nil, nil, err
	}
	defer freeSet()
	p, err := sweep.PointersOf(ctx, j.sp, set, j.Threads)
	if err != nil {
		return nil, nil, err
	}
	if proof && p.Proof != nil {
		by := *p
		by.Point = p.Proof
		p = &by
	}
	if p.Bits > bitset.MaxWidth {
		return nil, nil, fmt.Errorf("a pointer to one of the predecessors of a state should have at most %d bits, and has %d", bitset.MaxWidth, p.Bits)
	}
	j.meta.PointerBits = p.Bits
	memory, err := mapped.Alloc(ctx, bitset.PlaneWords(j.sp.Size(), p.Bits), j.Threads)
	if err != nil {
		return nil, nil, err
	}
	free = func() { memory.Free() }
	if pointers, err = bitset.PlanesOver(memory.Words(), j.sp.Size(), p.Bits); err == nil {
		err = sweep.FillPointers(ctx, p, j.sp, set, pointers, j.Threads, j.Progress)
	}
	if err == nil {
		err = allPoint(ctx, j, set, pointers)
	}
	if err != nil {
		free()
		return nil, nil, err
	}
	return pointers, free, nil
}

const pointerPart = 1 << 16 // words that a thread looks at

// allPoint returns an error if a member has no pointer: it would no longer be a member.
func allPoint(ctx context.Context, j *job, set *bitset.Set, pointers *bitset.Planes) error {
	words := set.Words()
	return mapped.Parts(ctx, j.Threads, uint64(len(words)), pointerPart, func(first, end uint64) error {
		for i := first; i < end; i++ {
			if words[i] == 0 {
				continue
			}
			if lost := words[i] &^ pointers.NotZero(i); lost != 0 {
				x := 64*i + uint64(bits.TrailingZeros64(lost))
				return fmt.Errorf("%s has no pointer: no move leads there from a member that is nearer to the start", j.sp.Format(x))
			}
		}
		return nil
	})
}

func (backptrKind) open(f *File) (bitset.Reader, error) {
	r, err := openPointers(f, f.meta.Size)
	return r, err
}

// openPointers returns n pointers in the map.
func openPointers(f *File, n uint64) (*backptrReader, error) {
	width := f.meta.PointerBits
	if width < 1 || width > bitset.MaxWidth {
		return nil, f.damaged("its pointers should have 1 to %d bits, and have %d", bitset.MaxWidth, width)
	}
	if want := pointerBits(f.space); want != 0 && want != width {
		return nil, f.damaged("the pointers of %s should have %d bits, and have %d", f.space.Name(), want, width)
	}
	planes, err := openPlanes(f, "pointers", n, width)
	return &backptrReader{planes, f.pointers()}, err
}

// pointers returns what the pointers of a file with pointers mean.
func (f *File) pointers() *statespace.Pointers {
	if p := sweep.Of(f.space).Pointers; p != nil {
		return p
	}
	return sweep.PlainPointers(f.space, f.meta.PointerBits)
}

// A backptrReader is the set of the numbers that have pointers.
type backptrReader struct {
	*planesReader
	pointers *statespace.Pointers
}

// pointer implements what File.Pointer looks for.
func (r *backptrReader) pointer(x uint64) (uint16, error) { return r.entry(x) }

// prove checks that each pointer leads to a member nearer to the start, and that it is the least
// one that does.
func (r *backptrReader) prove(ctx context.Context, set *bitset.Set, threads int) error {
	if r.pointers.Proof == nil {
		x, wrong, err := sweep.CheckPointers(ctx, r.pointers, r.f.space, set, r.planes, threads)
		if err != nil {
			return err
		}
		if wrong {
			return r.f.badPointer(x)
		}
	}
	least, free, err := r.least(ctx, set, threads)
	if err != nil {
		return err
	}
	defer free()
	words := least.Words()
	return mapped.Parts(ctx, threads, uint64(len(words)), pointerPart, func(first, end uint64) error {
		for i := first; i < end; i++ {
			if diff := words[i] ^ r.planes.Words()[i]; diff != 0 {
				x := i/uint64(least.Width())*64 + uint64(bits.TrailingZeros64(diff))
				return r.f.notLeast(x, r.planes.Get(x), least.Get(x))
			}
		}
		return nil
	})
}

// least returns the pointers that the file should have, in memory that free gives back.
func (r *backptrReader) least(ctx context.Context, set *bitset.Set, threads int) (pointers *bitset.Planes, free func(), err error) {
	j := &job{WriteOptions: WriteOptions{Threads: threads}, sp: r.f.space, members: set, meta: new(Meta)}
	pointers, free, err = point(ctx, j, true)
	if err == nil && pointers.Width() != r.pointers.Bits {
		free()
		err = r.f.damaged("its pointers should have %d bits, and have %d", pointers.Width(), r.pointers.Bits)
	}
	return pointers, free, err
}

func (f *File) badPointer(x uint64) error {
	return f.damaged("the pointer of %s leads to no member that is nearer to the start", f.space.Format(x))
}

func (f *File) notLeast(x uint64, found, least uint16) error {
	return f.damaged("the pointer of %s should be the least that leads to a member nearer to the start, %d, and is %d", f.space.Format(x), least, found)
}

// PointerPath returns a path from a root to a member by the pointers of the file; ok is false
// if the store has none. The error is statespace.ErrNoPath if they lead to no root.
func (f *File) PointerPath(to uint64) (path statespace.Path, ok bool, err error) {
	pointer := f.Pointer()
	if pointer == nil {
		return path, false, nil
	}
	path, err = sweep.FollowPointers(f.pointers(), f.space, pointer, to, f.meta.States)
	return path, true, err
}
