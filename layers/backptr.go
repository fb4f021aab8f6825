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
	planes, p, err := openPointers(f, f.meta.Size)
	return &backptrReader{f: f, planes: planes, part: p}, err
}

// openPointers returns n pointers in the map.
func openPointers(f *File, n uint64) (*bitset.Planes, part, error) {
	width := f.meta.PointerBits
	if want := f.space.(statespace.Pointed).PointerBits(); width != want {
		return nil, part{}, f.damaged("the pointers of %s should have %d bits, and have %d", f.space.Name(), want, width)
	}
	p, err := f.part("pointers", 8*bitset.PlaneWords(n, width))
	if err != nil {
		return nil, p, err
	}
	planes, err := bitset.PlanesOver(p.words(), n, width)
	return planes, p, err
}

// A backptrReader is the set of the numbers that have pointers.
type backptrReader struct {
	f      *File
	planes *bitset.Planes
	part
	blocks blockCache
}

// Len implements bitset.Reader.
func (r *backptrReader) Len() uint64 { return r.planes.Len() }

// checkGroups checks what holds n groups of 64 pointers.
func (r *backptrReader) checkGroups(first, n uint64) error {
	width := 8 * uint64(r.planes.Width())
	return r.check(first*width, n*width)
}

// Block implements bitset.Reader.
func (r *backptrReader) Block(i uint64) ([]uint64, error) {
	return r.blocks.get(i, func() ([]uint64, error) {
		words := make([]uint64, wordsOf(i, r.Len()))
		first := i << bitset.BlockBits / 64
		if err := r.checkGroups(first, uint64(len(words))); err != nil {
			return nil, err
		}
		for w := range words {
			words[w] = r.planes.NotZero(first + uint64(w))
		}
		return words, nil
	})
}

// Has implements bitset.Finder.
func (r *backptrReader) Has(x uint64) (bool, error) {
	v, err := r.pointer(x)
	return v != 0, err
}

// Word implements bitset.Finder.
func (r *backptrReader) Word(i uint64) (uint64, error) {
	if err := r.checkGroups(i, 1); err != nil {
		return 0, err
	}
	return r.planes.NotZero(i), nil
}

func (r *backptrReader) pointer(x uint64) (uint8, error) {
	if err := r.checkGroups(x/64, 1); err != nil {
		return 0, err
	}
	return r.planes.Get(x), nil
}

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
