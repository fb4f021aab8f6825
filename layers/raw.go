package layers

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// rawKind is a pointer for each pattern, whether it has a number or not. The file is written in
// the order of the patterns, and may be larger than memory.
type rawKind struct{ backptrKind }

// mostPatternBits bounds patterns: the length of a file has 63 bits.
const mostPatternBits = 56

func (rawKind) fits(sp statespace.Space) error {
	s := sweep.Of(sp)
	layered := sp.Parts().Layers != nil
	switch {
	case s.Patterns == nil || s.Pointers == nil:
		return errors.New("it has no patterns, or no pointers of its own")
	case !layered:
		return errors.New("without layers, its pointers could lead around")
	case s.Patterns.Bits > mostPatternBits:
		return fmt.Errorf("its patterns have %d bits, at most %d are possible", s.Patterns.Bits, mostPatternBits)
	}
	return nil
}

func (rawKind) size(sp statespace.Space) uint64 {
	return 8 * bitset.PlaneWords(1<<sweep.Of(sp).Patterns.Bits, pointerBits(sp))
}

func (rawKind) own(d *Details) { d.PointerBits, d.PatternBits = 0, 0 }

// reading implements kind: it makes a set of the whole file.
func (rawKind) reading(f *File) (always, asSet uint64, direct bool) {
	return 0, 8 * bitset.Words(f.meta.Size), false
}

const rawChunk = 1 << 12 // words of patterns that are made at a time

func (rawKind) write(b *body, j *job) error {
	patterns := sweep.Of(j.sp).Patterns
	pointers, free, err := point(b.ctx, j, false)
	if err != nil {
		return err
	}
	defer free()
	j.meta.PatternBits = patterns.Bits
	words := bitset.Words(1 << patterns.Bits)
	width := pointers.Width()
	chunks := (words + rawChunk - 1) / rawChunk
	j.start(chunks)
	return b.section("pointers", func() error {
		return inOrder(b.ctx, j.Threads, chunks, func(i uint64) ([]uint64, error) {
			first := i * rawChunk
			n := min(rawChunk, words-first)
			raw, err := bitset.PlanesOver(make([]uint64, n*uint64(width)), 64*n, width)
			var numbered []statespace.NumberedPattern
			for w := range n {
				numbered = patterns.Numbered(numbered[:0], first+w)
				for _, p := range numbered {
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
	if err := f.fits(); err != nil {
		return nil, err
	}
	patterns := sweep.Of(f.space).Patterns
	if f.meta.PatternBits != patterns.Bits {
		return nil, f.damaged("the patterns of %s should have %d bits, and have %d", f.space.Name(), patterns.Bits, f.meta.PatternBits)
	}
	pointers, err := openPointers(f, 1<<f.meta.PatternBits)
	r := &rawReader{patterns: patterns, backptrReader: pointers}
	r.all = sync.OnceValues(func() (*bitset.Set, error) {
		set := bitset.New(r.Len())
		return set, r.fill(context.Background(), set, runtime.GOMAXPROCS(0))
	})
	return r, err
}

// A rawReader is the set of the numbers whose patterns have pointers.
type rawReader struct {
	patterns *statespace.Patterns
	*backptrReader

	made atomic.Int64                // calls of Block
	all  func() (*bitset.Set, error) // reads all members the first time
}

// Len implements bitset.Reader.
func (r *rawReader) Len() uint64 { return r.f.meta.Size }

// Block implements bitset.Reader. The numbers of a block are all over the file, so after some
// blocks it reads the file once, from the beginning to the end.
func (r *rawReader) Block(i uint64) ([]uint64, error) {
	const some = 64
	if r.made.Add(1) <= some {
		return r.blocks.get(i, func() ([]uint64, error) { return bitset.BlockByWord(r, i) })
	}
	set, err := r.all()
	if err != nil {
		return nil, err
	}
	return set.Block(i)
}

// Has implements bitset.Finder.
func (r *rawReader) Has(x uint64) (bool, error) {
	v, err := r.pointer(x)
	return v != 0, err
}

// Word implements bitset.Finder.
func (r *rawReader) Word(i uint64) (uint64, error) { return bitset.WordByHas(r, i) }

// pointer implements what File.Pointer looks for.
func (r *rawReader) pointer(x uint64) (uint16, error) { return r.entry(r.patterns.Of(x)) }

// fill implements filler.
func (r *rawReader) fill(ctx context.Context, set *bitset.Set, threads int) error {
	return r.each(ctx, threads, func(x uint64, _ uint16) error {
		atomic.OrUint64(&set.Words()[x/64], 1<<(x%64))
		return nil
	})
}

func (r *rawReader) prove(ctx context.Context, set *bitset.Set, threads int) error {
	least, free, err := r.least(ctx, set, threads)
	if err != nil {
		return err
	}
	defer free()
	always := func(statespace.Index, statespace.Index) bool { return true } // moves lead to other layers
	return r.each(ctx, threads, func(x uint64, pointer uint16) error {
		if r.pointers.Proof == nil && !sweep.GoodPointer(r.pointers, r.f.space, set, always, x, pointer) {
			return r.f.badPointer(x)
		}
		if want := least.Get(x); pointer != want {
			return r.f.notLeast(x, pointer, want)
		}
		return nil
	})
}

// each calls visit with all members and their pointers on several threads. It reads the file
// from the beginning to the end.
func (r *rawReader) each(ctx context.Context, threads int, visit func(x uint64, pointer uint16) error) error {
	words := bitset.Words(r.planes.Len())
	return mapped.Parts(ctx, threads, words, rawChunk, func(first, end uint64) error {
		if err := r.checkGroups(first, end-first); err != nil {
			return err
		}
		var numbered []statespace.NumberedPattern
		for w := first; w < end; w++ {
			left := r.planes.NotZero(w)
			if left == 0 {
				continue
			}
			numbered = r.patterns.Numbered(numbered[:0], w)
			for _, p := range numbered {
				if left>>p.Bit&1 == 0 {
					continue
				}
				left &^= 1 << p.Bit
				if err := visit(p.Number, r.planes.Get(64*w+uint64(p.Bit))); err != nil {
					return err
				}
			}
			if left != 0 {
				return r.f.damaged("it has a pointer for a pattern that is none of the %d numbers of %s", r.Len(), r.f.space.Name())
			}
		}
		return nil
	})
}
