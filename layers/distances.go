package layers

import (
	"context"
	"errors"
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
	if l := sp.Parts().Layers; l != nil {
		return fmt.Errorf("its layers are by %s, not by distance", l.LayerName())
	}
	if !k.whole && !sp.Parts().Undirected {
		return errors.New("its moves cannot be taken back; the store " + DistanceStore + " keeps whole distances")
	}
	return nil
}

func (k distancesKind) own(d *Details) {
	if k.whole {
		d.DistanceBits, d.Columns = 0, nil
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
		bytes += 8*bitset.PlaneWords(sp.Size(), 8) + bfs.ValueBytes(sp)
	}
	return bytes
}

func (k distancesKind) write(b *body, j *job) error {
	e, free, err := k.entries(b.ctx, j)
	if err != nil {
		return err
	}
	defer free()
	return b.section("distances", func() error {
		for i := range e.parts() {
			words, err := e.part(i)
			if err == nil {
				err = b.write(mapped.Bytes(words))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// compose implements composer.
func (k distancesKind) compose(sp statespace.Space, meta *Meta) (first section, rest func(b *body) error, err error) {
	width := bfs.MarkBits
	if k.whole {
		if sp.Parts().Values.Any() {
			return first, nil, fmt.Errorf("a file of %s has numbers of its states besides the distances; a file in pieces cannot have them: use the store %s", sp.Name(), SetStore)
		}
		width = depthBits(meta)
		meta.DistanceBits = width
	}
	return section{"distances", pageSize, 8 * bitset.PlaneWords(sp.Size(), width)}, nil, nil
}

// Entries are distances that are written, in parts of some groups of 64 numbers.
type entries struct {
	n     uint64 // groups
	width uint64
	// words returns the words of groups first to end-1. They are valid until the next call.
	words func(first, end uint64) ([]uint64, error)
}

// maxFrame is the most bytes that are compressed at once, see frames.go.
const maxFrame = 1 << 20

// partGroups returns the number of groups of a part: those of a block, or half of them as often as it
// takes for a part to fit into a frame.
func (e *entries) partGroups() uint64 {
	groups := uint64(1 << bitset.BlockBits / 64)
	for groups*e.width*8 > maxFrame {
		groups /= 2
	}
	return groups
}

// parts returns the number of parts.
func (e *entries) parts() uint64 { return (e.n + e.partGroups() - 1) / e.partGroups() }

// part returns the words of a part.
func (e *entries) part(i uint64) ([]uint64, error) {
	n := e.partGroups()
	return e.words(i*n, min((i+1)*n, e.n))
}

// entries returns the distances of a job: those of a search or of a file of this kind, or else of
// a search that it makes.
func (k distancesKind) entries(ctx context.Context, j *job) (e entries, free func(), err error) {
	e.n = bitset.Words(j.sp.Size())
	switch m := j.members.(type) {
	case *bfs.Members:
		if !k.whole || m.Depths() != nil && (m.Values() != nil || !j.sp.Parts().Values.Any()) {
			return e, func() {}, k.found(ctx, &e, j, m)
		}
	case measured:
		if r := m.measures(); r.whole == k.whole {
			return e, func() {}, k.read(ctx, &e, j, r)
		}
	}
	s, err := bfs.New(ctx, bfs.Of(j.sp), bfs.Options{ToGoal: j.sp.Parts().Goals.Ends, Threads: j.Threads, Whole: k.whole})
	if err == nil {
		err = s.Run(ctx, nil, j.Progress)
	}
	if err == nil && s.States() != j.meta.States {
		err = fmt.Errorf("%d states of %s can be reached, the metadata has %d", s.States(), j.sp.Name(), j.meta.States)
	}
	var members *bfs.Members
	if err == nil {
		members, err = s.Members().WithValues(ctx, j.sp, j.Threads, j.Progress)
	}
	if err == nil {
		err = k.found(ctx, &e, j, members)
	}
	free = func() {
		if members != nil {
			members.Values().Free()
		}
		if s != nil {
			s.Close()
		}
	}
	if err != nil {
		free()
	}
	return e, free, err
}

// found makes entries of the distances that a search has found, and figures of its values.
func (k distancesKind) found(ctx context.Context, e *entries, j *job, found *bfs.Members) error {
	if !k.whole {
		e.width = bfs.MarkBits
		words := found.Marks().Words()
		e.words = func(first, end uint64) ([]uint64, error) { return words[first*e.width : end*e.width], nil }
		return nil
	}
	depths, values := found.Depths(), found.Values()
	j.meta.DistanceBits, j.meta.Columns = depths.Width(), columnsOf(values)
	e.width = uint64(entryBits(j.meta.Details))
	e.words = func(first, end uint64) ([]uint64, error) {
		words := make([]uint64, 0, (end-first)*e.width)
		for group := first; group < end; group++ {
			for bit := range depths.Width() {
				words = append(words, depths.Plane(bit)[group])
			}
			words = appendValues(words, values, j.meta.Columns, group)
		}
		return words, nil
	}
	return j.figures(ctx, func(dst []uint64, x uint64) (int, error) {
		values.Get(dst, x)
		return int(depths.Entry(x)) - 1, nil
	})
}

// read makes entries of the distances of a file.
func (k distancesKind) read(ctx context.Context, e *entries, j *job, r *distancesReader) error {
	if err := r.ready(); err != nil {
		return err
	}
	e.width = uint64(r.planes.Stride())
	if k.whole {
		j.meta.DistanceBits, j.meta.Columns = r.planes.Width(), r.columns
	}
	e.words = func(first, end uint64) ([]uint64, error) {
		return r.planes.Words()[first*e.width : end*e.width], r.checkGroups(first, end-first)
	}
	if !k.whole {
		return nil
	}
	values := Values{r.columns, r}
	return j.figures(ctx, func(dst []uint64, x uint64) (int, error) {
		entry, err := r.entry(x)
		if err != nil || entry == 0 {
			return -1, err
		}
		return int(entry) - 1, values.Get(dst, x)
	})
}

func (k distancesKind) open(f *File) (bitset.Reader, error) {
	width, stride, err := f.checkDistances(k.whole)
	if err != nil {
		return nil, err
	}
	planes, err := openAmong(f, "distances", f.meta.Size, width, stride)
	return &distancesReader{planes, k.whole, f.meta.Columns}, err
}

// checkDistances checks what a file says of its distances and columns. It returns the bits of a distance, and
// of an entry.
func (f *File) checkDistances(whole bool) (width, stride int, err error) {
	if err := f.fits(); err != nil {
		return 0, 0, err
	}
	if width, err = f.distanceBits(whole); err != nil {
		return 0, 0, err
	}
	stride, err = f.checkColumns(width)
	return width, stride, err
}

// distanceBits returns the bits of a distance in a file.
func (f *File) distanceBits(whole bool) (int, error) {
	if !whole {
		return bfs.MarkBits, nil
	}
	width := f.meta.DistanceBits
	if want := depthBits(f.meta); width != want || width > bfs.MaxDepthBits {
		return 0, f.damaged("the distances in %d layers should have %d bits, at most %d, and have %d", len(f.meta.Layers), want, bfs.MaxDepthBits, width)
	}
	return width, nil
}

// depthBits returns the bits of a whole distance: the greatest entry is the number of layers.
func depthBits(m *Meta) int { return bits.Len(uint(len(m.Layers))) }

// A distancesReader is the set of the numbers that have distances.
type distancesReader struct {
	*planesReader
	whole   bool
	columns []Column
}

// measures implements measured.
func (r *distancesReader) measures() *distancesReader { return r }

// measured is a Reader that has distances.
type measured interface{ measures() *distancesReader }

// Distances returns the distances of the numbers below Meta().Size from the roots; false if the
// store does not keep them. Read them within Read.
func (f *File) Distances() (bfs.Distances, bool) {
	if m, ok := f.members.(measured); ok {
		r := m.measures()
		return bfs.Distances{Whole: r.whole, At: r.entry}, true
	}
	return bfs.Distances{}, false
}

// Planes returns the entries of all numbers that Distances reads, of a file that was checked; nil if there are none in
// planes. Read them within Read.
func (f *File) Planes() (*bitset.Planes, error) {
	m, ok := f.members.(measured)
	if !ok {
		return nil, nil
	}
	r := m.measures()
	err := r.ready()
	return r.planes, err
}
