package layers

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// rawKind is a pointer for each pattern, whether it has a number or not. The file is
// written in the order of the patterns, and may be larger than memory.
type rawKind struct{}

func (rawKind) fits(sp statespace.Space) error {
	p, ok := sp.(statespace.Patterned)
	if _, pointed := sp.(statespace.Pointed); !ok || !pointed {
		return errStore(sp, RawBackptrStore, "it has no patterns and pointers to the move before")
	}
	// The length of the file is a number of 63 bits.
	if n := p.PatternBits(); n > 56 {
		return errStore(sp, RawBackptrStore, "it has too many patterns")
	}
	return nil
}

func (rawKind) size(sp statespace.Space) uint64 {
	return 8 * bitset.PlaneWords(1<<sp.(statespace.Patterned).PatternBits(), sp.(statespace.Pointed).PointerBits())
}

func (rawKind) memory(sp statespace.Space) uint64 { return backptrKind{}.memory(sp) }

// rawChunk is how many words of patterns are made at a time.
const rawChunk = 1 << 12

func (rawKind) write(b *body, j *job) error {
	sp := j.sp.(statespace.Patterned)
	pointers, free, err := point(b.ctx, j)
	if err != nil {
		return err
	}
	defer free()
	j.meta.PatternBits = sp.PatternBits()
	words := bitset.Words(1 << sp.PatternBits())
	width := pointers.Width()
	chunks := (words + rawChunk - 1) / rawChunk
	j.start(chunks)
	return b.section("pointers", func() error {
		return inOrder(b.ctx, j.Threads, chunks, func(i uint64) ([]uint64, error) {
			first := i * rawChunk
			n := min(rawChunk, words-first)
			raw, err := bitset.PlanesOver(make([]uint64, n*uint64(width)), 64*n, width)
			var placed []statespace.Placed
			for w := range n {
				placed = sp.Among(placed[:0], first+w)
				for _, p := range placed {
					raw.SetAll(w, 1<<p.Bit, pointers.Get(p.Number))
				}
			}
			return raw.Words(), err
		}, func(raw []uint64) error {
			j.Progress.Add(1)
			return b.write(mapped.Bytes(raw))
		})
	})
}

func (rawKind) open(f *File) (bitset.Reader, error) {
	sp := f.space.(statespace.Patterned)
	if f.meta.PatternBits != sp.PatternBits() {
		return nil, f.damaged("the patterns of %s should have %d bits, and have %d", f.space.Name(), sp.PatternBits(), f.meta.PatternBits)
	}
	planes, err := openPointers(f, 1<<f.meta.PatternBits)
	return &rawReader{sp: sp, planesReader: planes}, err
}

// A rawReader is the set of the numbers whose patterns have pointers.
type rawReader struct {
	sp statespace.Patterned
	*planesReader

	made atomic.Int64 // blocks that were asked for
	once sync.Once
	set  *bitset.Set // all members
	err  error
}

// Len implements bitset.Reader.
func (r *rawReader) Len() uint64 { return r.sp.Size() }

// Block implements bitset.Reader. The numbers of a block are all over the file: after some
// blocks the file is read once, from its beginning to its end.
func (r *rawReader) Block(i uint64) ([]uint64, error) {
	const some = 64
	if r.made.Add(1) <= some {
		return r.blocks.get(i, func() (words []uint64, err error) {
			words = make([]uint64, wordsOf(i, r.Len()))
			for w := range words {
				if words[w], err = r.Word(i<<bitset.BlockBits/64 + uint64(w)); err != nil {
					return nil, err
				}
			}
			return words, nil
		})
	}
	r.once.Do(func() {
		r.err = mapped.ErrFault // unless all goes well
		set := bitset.New(r.Len())
		if r.err = r.fill(context.Background(), set, runtime.GOMAXPROCS(0)); r.err == nil {
			r.set = set
		}
	})
	if r.err != nil {
		return nil, r.err
	}
	return r.set.Block(i)
}

// Has implements bitset.Finder.
func (r *rawReader) Has(x uint64) (bool, error) {
	v, err := r.pointer(x)
	return v != 0, err
}

// Word implements bitset.Finder.
func (r *rawReader) Word(i uint64) (uint64, error) { return wordByHas(r, i) }

func (r *rawReader) pointer(x uint64) (uint8, error) { return r.entry(r.sp.Pattern(x)) }

// fill implements filler.
func (r *rawReader) fill(ctx context.Context, set *bitset.Set, threads int) error {
	return r.each(ctx, threads, func(x uint64, _ uint8) error {
		atomic.OrUint64(&set.Words()[x/64], 1<<(x%64))
		return nil
	})
}

func (r *rawReader) prove(ctx context.Context, set *bitset.Set, threads int) error {
	sp := r.f.space.(statespace.Pointed)
	return r.each(ctx, threads, func(x uint64, pointer uint8) error {
		if !statespace.GoodPointer(sp, set, x, pointer) {
			return r.f.badPointer(x)
		}
		return nil
	})
}

// each calls visit with all members and their pointers, on several threads, reading the
// file from its beginning to its end.
func (r *rawReader) each(ctx context.Context, threads int, visit func(x uint64, pointer uint8) error) error {
	words := bitset.Words(r.planes.Len())
	return forEach(ctx, threads, (words+rawChunk-1)/rawChunk, func(i uint64) error {
		if err := r.checkGroups(i*rawChunk, min(rawChunk, words-i*rawChunk)); err != nil {
			return err
		}
		var placed []statespace.Placed
		for w := i * rawChunk; w < min((i+1)*rawChunk, words); w++ {
			left := r.planes.NotZero(w)
			if left == 0 {
				continue
			}
			placed = r.sp.Among(placed[:0], w)
			for _, p := range placed {
				if left>>p.Bit&1 == 0 {
					continue
				}
				left &^= 1 << p.Bit
				if err := visit(p.Number, r.planes.Get(64*w+uint64(p.Bit))); err != nil {
					return err
				}
			}
			if left != 0 {
				return r.f.damaged("it has a pointer for a pattern that is none of the %d numbers of %s", r.Len(), r.sp.Name())
			}
		}
		return nil
	})
}
