package layers

import (
	"context"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// backptrKind is a pointer for each number, in bit planes: see statespace.Pointed.
type backptrKind struct{}

func (backptrKind) fits(sp statespace.Space) error {
	if _, ok := sp.(statespace.Pointed); !ok {
		return errStore(sp, BackptrStore, "it has no pointers to the move before")
	}
	return nil
}

func (backptrKind) size(sp statespace.Space) uint64 {
	return 8 * bitset.PlaneWords(sp.Size(), sp.(statespace.Pointed).PointerBits())
}

func (k backptrKind) memory(sp statespace.Space) uint64 { return k.size(sp) }

func (backptrKind) write(b *body, j *job) error {
	pointers, free, err := point(b.ctx, j)
	if err != nil {
		return err
	}
	defer free()
	return b.section("pointers", func() error { return b.write(mapped.Bytes(pointers.Words())) })
}

// point makes the pointers of the members.
func point(ctx context.Context, j *job) (pointers *bitset.Planes, free func(), err error) {
	sp := j.sp.(statespace.Pointed)
	set, freeSet, err := LoadSet(ctx, j.members, j.Threads)
	if err != nil {
		return nil, nil, err
	}
	defer freeSet()
	width := sp.PointerBits()
	j.meta.PointerBits = width
	memory, err := mapped.Alloc(ctx, bitset.PlaneWords(sp.Size(), width), j.Threads)
	if err != nil {
		return nil, nil, err
	}
	free = func() { memory.Free() }
	if pointers, err = bitset.PlanesOver(memory.Words(), sp.Size(), width); err == nil {
		err = statespace.Point(ctx, sp, set, pointers, j.Threads, j.Progress)
	}
	if err != nil {
		free()
		return nil, nil, err
	}
	return pointers, free, nil
}

func (backptrKind) open(f *File) (bitset.Reader, error) {
	planes, err := openPointers(f, f.meta.Size)
	return &backptrReader{planes}, err
}

// openPointers returns n pointers in the map.
func openPointers(f *File, n uint64) (*planesReader, error) {
	width := f.meta.PointerBits
	if want := f.space.(statespace.Pointed).PointerBits(); width != want {
		return nil, f.damaged("the pointers of %s should have %d bits, and have %d", f.space.Name(), want, width)
	}
	return openPlanes(f, "pointers", n, width)
}

// A backptrReader is the set of the numbers that have pointers.
type backptrReader struct{ *planesReader }

func (r *backptrReader) pointer(x uint64) (uint8, error) { return r.entry(x) }

func (r *backptrReader) prove(ctx context.Context, set *bitset.Set, threads int) error {
	x, bad, err := statespace.CheckPointers(ctx, r.f.space.(statespace.Pointed), set, r.planes, threads)
	if err != nil || !bad {
		return err
	}
	return r.f.badPointer(x)
}

func (f *File) badPointer(x uint64) error {
	return f.damaged("the pointer of %s leads to no member", f.space.Format(x))
}
