package slide

import (
	"context"

	"pagoda/bitset"
	"pagoda/statespace"
)

// A numbering is how the positions of a Space are numbered, and searched by number.
type numbering interface {
	Size() uint64
	// number returns the number of a position; false if it has none, so that it cannot be
	// reached.
	number(pos Position) (x uint64, ok bool)
	Unrank(x uint64) Position
	// memory returns about how many bytes a search takes besides the distances, and the
	// tables.
	memory(threads int) uint64
	// distances finds the distances in a metric from the start, as Reversible.Distances does.
	distances(ctx context.Context, m Metric, start uint64, to *bitset.Planes, toGoal bool, threads int, progress *statespace.Progress) (*statespace.Reached, error)
	// neighbours is Reversible.Neighbours.
	neighbours(m Metric) func(dst []uint64, x uint64) []uint64
	// name is how it is written down.
	name() string
}

// The names of numberings.
const (
	packingName = "packing"
	tilesName   = "tiles"
)

// newNumbering numbers the positions of a puzzle: those of an n-puzzle in a way of their
// own, but where tiles move together.
func newNumbering(p *Puzzle, m Metric, memory uint64) (numbering, error) {
	if !m.Super() {
		if tp, err := NewTilePacking(p); err == nil {
			return tp, tp.fits(memory, 1)
		}
	}
	return newPackingIn(p, memory)
}

func (pk *Packing) number(pos Position) (uint64, bool) { return pk.Rank(pos), true }

func (pk *Packing) memory(int) uint64 {
	return pk.Bytes() + searchBytes(pk.Size()) - 8*bitset.PlaneWords(pk.Size(), statespace.DistanceBits)
}

func (pk *Packing) distances(ctx context.Context, m Metric, start uint64, to *bitset.Planes, toGoal bool, threads int, progress *statespace.Progress) (*statespace.Reached, error) {
	l := newLevels(pk.Size(), to.Words())
	s := newSearcher(pk, m, threads)
	s.progress = progress
	r := new(Result)
	err := s.search(ctx, l, []uint64{start}, toGoal, r)
	if err == nil && toGoal {
		l.forgetOpen()
	}
	return &statespace.Reached{Layers: r.Layers, Goals: s.ends, Length: r.Length}, err
}

func (pk *Packing) neighbours(m Metric) func(dst []uint64, x uint64) []uint64 {
	c := newCursor(pk, m)
	return func(dst []uint64, x uint64) []uint64 {
		c.seek(x)
		return c.successors(dst)
	}
}

func (pk *Packing) name() string { return packingName }

func (tp *TilePacking) number(pos Position) (uint64, bool) { return tp.Rank(pos) }

// fits returns a *SizeError if a search on so many threads takes more than so many bytes of
// memory; 0 is no bound.
func (tp *TilePacking) fits(memory uint64, threads int) error {
	if need := 8*tp.PlaneWords() + tp.SearchBytes(threads); memory > 0 && need > memory {
		return &SizeError{Numbers: tp.Size(), Need: need, Memory: memory}
	}
	return nil
}

func (tp *TilePacking) memory(threads int) uint64 { return tp.SearchBytes(threads) }

func (tp *TilePacking) distances(ctx context.Context, _ Metric, start uint64, to *bitset.Planes, toGoal bool, threads int, progress *statespace.Progress) (*statespace.Reached, error) {
	r, ends, err := tp.Search(ctx, start, to.Words(), toGoal, threads, progress)
	if err != nil {
		return nil, err
	}
	return &statespace.Reached{Layers: r.Layers, Goals: ends, Length: r.Length}, nil
}

func (tp *TilePacking) neighbours(Metric) func(dst []uint64, x uint64) []uint64 {
	return tp.Neighbours
}

// forgetOpen takes back the marks of numbers whose moves have not been made.
func (l *levels) forgetOpen() {
	for i, closed := range l.closed {
		l.planes[2*i] &= closed
		l.planes[2*i+1] &= closed
	}
}

func (tp *TilePacking) name() string { return tilesName }
