package layers

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
)

// sparseKind is the codes of the members in a sorted list and, without layers, the distance of
// each, as in the stores of distances. The number of a member is its rank in the list, so that
// the file grows with the members.
type sparseKind struct{ plainKind }

func (sparseKind) own(d *Details) { d.DistanceBits = 0 }

// Found is the members of a space that a table numbers, for a file of the sparse store.
type Found struct {
	Everything
	List *sorted.List
	// Distances has an entry for each number, see bfs.Distances: whole, or modulo 3 if every move
	// can be taken back. It is nil in a space with layers.
	Distances *bitset.Planes
	Whole     bool
}

func (sparseKind) write(b *body, j *job) error {
	found, ok := j.members.(*Found)
	if !ok {
		return errors.New("the store " + SparseStore + " is written from a list of codes")
	}
	if err := b.section("codes", func() error {
		_, err := found.List.WriteTo(b)
		return err
	}); err != nil || found.Distances == nil {
		return err
	}
	if found.Whole {
		j.meta.DistanceBits = found.Distances.Width()
	}
	return b.section("distances", func() error { return b.write(mapped.Bytes(found.Distances.Words())) })
}

// cacheBytes bounds the codes of a file that are kept decoded.
const cacheBytes = 64 << 20

// codes returns the list of a file of the sparse store, after a look at every code. When ctx ends, it
// stops soon and returns the cause.
func (f *File) codes(ctx context.Context) (*sorted.List, error) {
	p, err := f.part("codes", AnyLength)
	if err != nil {
		return nil, err
	}
	if err := p.checkAll(ctx, 1); err != nil {
		return nil, err
	}
	list, err := sorted.Over(p.bytes())
	if err == nil && list.Len() != f.meta.Size {
		err = fmt.Errorf("it should have %d codes, and has %d", f.meta.Size, list.Len())
	}
	var codes []uint64
	for i := uint64(0); err == nil && i < list.Chunks(); i++ {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		codes, err = list.Chunk(codes[:0], i)
	}
	if err != nil {
		return nil, f.damaged("its section \"codes\": %v", err)
	}
	return list, nil
}

// defineListed makes the space of a file of the sparse store.
func (f *File) defineListed(ctx context.Context, define Define) (statespace.Space, error) {
	d, ok := sparse.Unlist(f.meta.Space)
	if !ok {
		return nil, f.damaged("its space should be numbered by its codes, and is by %s", f.meta.Space.Numbering)
	}
	sp, err := define(ctx, d, f.memory)
	if err != nil {
		return nil, err
	}
	table, err := f.store.kind.(lister).table(ctx, f, sp)
	if err != nil {
		return nil, err
	}
	return sparse.Of(sp).Numbered(table)
}

// A lister is the kind of a store that lists states.
type lister interface {
	// table returns the table of the codes of a file; sp is the space of the codes.
	table(ctx context.Context, f *File, sp statespace.Space) (statespace.Table, error)
}

// table implements lister.
func (sparseKind) table(ctx context.Context, f *File, sp statespace.Space) (statespace.Table, error) {
	list, err := f.codes(ctx)
	if err != nil {
		return nil, err
	}
	if w := sparse.Of(sp).Graph().Words; w != list.Words() {
		return nil, f.damaged("the codes of %s should have %d words, and have %d", sp.Name(), w, list.Words())
	}
	return list.Cache(cacheBytes)
}

func (sparseKind) open(f *File) (bitset.Reader, error) {
	n := Everything(f.meta.Size)
	if f.meta.States != n.Len() {
		return nil, f.damaged("all of its %d numbers should be states, and %d are", n, f.meta.States)
	}
	whole := f.meta.DistanceBits > 0
	if f.space.Parts().Layers != nil {
		if whole {
			return nil, f.damaged("it should have no distances, as its layers are by %s, and has some of %d bits", f.meta.Layer, f.meta.DistanceBits)
		}
		return n, nil
	}
	if err := f.meta.checkDistances(); err != nil {
		return nil, f.damaged("%v", err)
	}
	if !whole && !f.space.Parts().Undirected {
		return nil, f.damaged("its distances should be whole, as moves cannot be taken back, and are modulo 3")
	}
	width, err := f.distanceBits(whole)
	if err != nil {
		return nil, err
	}
	planes, err := openPlanes(f, "distances", n.Len(), width)
	return &measuredReader{n, &distancesReader{planesReader: planes, whole: whole}}, err
}

// A measuredReader is the members of a file of the sparse store, which are all numbers, with distances.
type measuredReader struct {
	Everything
	*distancesReader
}

// ProveCodes proves the codes of a file of the sparse store: see sparse.Proof. Entry returns the entries of whole distances;
// it is nil in a space with layers. Last is the distance of the goals at which the space ends, or -1.
func (f *File) ProveCodes(ctx context.Context, entry func(x uint64) (uint16, error), last, threads int, progress *statespace.Progress) error {
	list, err := f.codes(ctx)
	if err != nil {
		return err
	}
	p := sparse.Proof{Graph: sparse.Of(f.space.Parts().Codes.Of).Graph(), List: list, Roots: f.space.Roots(), Entry: entry, Last: last}
	fault, err := p.Run(ctx, threads, progress)
	if err != nil || fault == nil {
		return err
	}
	text := ""
	if !fault.NoState {
		text = ", " + f.space.Format(fault.State) + ","
	}
	return f.damaged("its states are not what can be reached: number %d%s %s", fault.State, text, fault.What)
}

// ProveLevels proves that moves from the roots lead to states of a file of the sparse store, up to a distance. It keeps no
// distances, so they may be any.
func (f *File) ProveLevels(ctx context.Context, last int) error {
	list, err := f.codes(ctx)
	if err != nil {
		return err
	}
	table, err := list.Cache(cacheBytes)
	if err != nil {
		return err
	}
	expander := sparse.Of(f.space.Parts().Codes.Of).Graph().NewExpander()
	neighbours := func(dst []uint64, x uint64) []uint64 {
		code, err := table.At(nil, x)
		if err != nil {
			mapped.Throw(err)
		}
		for to := expander.Expand(nil, code); len(to) > 0; to = to[len(code):] {
			y, found, err := table.Rank(to[:len(code)])
			if err == nil && !found {
				err = f.damaged("its states are not what can be reached: a move from number %d, %s, leads to a state that is not in it", x, f.space.Format(x))
			}
			if err != nil {
				mapped.Throw(err)
			}
			dst = append(dst, y)
		}
		return dst
	}
	bound := uint64(math.MaxUint64)
	return mapped.Guard(func() error {
		_, err := bfs.ListLevels(ctx, neighbours, f.space.Roots(), last, &bound)
		return err
	})
}

// Everything is the set of all numbers below a bound. It is a bitset.Finder and a bitset.Ranker.
type Everything uint64

// Len implements bitset.Reader.
func (n Everything) Len() uint64 { return uint64(n) }

// Block implements bitset.Reader.
func (n Everything) Block(i uint64) ([]uint64, error) { return bitset.BlockByWord(n, i) }

// Has implements bitset.Finder.
func (n Everything) Has(x uint64) (bool, error) { return x < n.Len(), nil }

// Word implements bitset.Finder.
func (n Everything) Word(i uint64) (uint64, error) {
	if left := n.Len() - 64*i; left < 64 {
		return 1<<left - 1, nil
	}
	return ^uint64(0), nil
}

// Rank implements bitset.Ranker.
func (n Everything) Rank(x uint64) (uint64, error) { return min(x, n.Len()), nil }

// Select implements bitset.Ranker.
func (n Everything) Select(i uint64) (uint64, error) {
	if i >= n.Len() {
		return 0, bitset.NoRank(n.Len(), i)
	}
	return i, nil
}
