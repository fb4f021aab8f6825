package slide

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"pagoda/bitset"
	"pagoda/statespace"
)

// A tileSearch is a breadth-first search over the numbers of a TilePacking. A move changes
// the colour of the empty cell, as on a chessboard. So levels have one colour and the other
// by turns, and what moves from a level lead to is the next level and the one before.
//
// A level of few positions is a list of numbers, one of many is bits: see tileWords.
type tileSearch struct {
	tp      *TilePacking
	planes  []uint64 // as in levels
	first   int      // the colour of the first level
	few     uint64   // a level of fewer positions is a list
	threads int

	list, before []uint64   // of lists: a level and the one before it
	inWords      bool       // the level is bits
	words        *tileWords // nil as long as none was
	scratch      []uint64
}

// fewShare: a level is a list if it has fewer positions than a share of all words.
const fewShare = 100

// PlaneWords returns how many words the planes of Search have.
func (tp *TilePacking) PlaneWords() uint64 {
	return bitset.PlaneWords(tp.Size(), statespace.DistanceBits)
}

// SearchBytes returns about how many bytes Search takes besides its planes.
func (tp *TilePacking) SearchBytes(threads int) uint64 {
	lists := tp.Size() / wordNumbers / fewShare * 8 * 5 // two levels, and what moves lead to
	return lists + tileWordBytes(tp, threads) + 1<<20
}

// Search finds the distances of all positions from one, or with toGoal those up to the
// least distance of a goal. It fills planes of PlaneWords words: two for 64 numbers in
// order, the first with the low bits; together 0 means that a number is not reached, and
// else they are the distance modulo 3, plus 1. What the planes had before does not matter.
//
// It returns a Result without Solutions and Moves, and the numbers of the goals at the
// least distance in order. Nothing depends on the number of threads. Progress, of all
// positions, may be nil. When ctx ends, Search stops soon and returns the cause.
func (tp *TilePacking) Search(ctx context.Context, start uint64, planes []uint64, toGoal bool, threads int, progress *statespace.Progress) (*Result, []uint64, error) {
	if start >= tp.Size() {
		return nil, nil, fmt.Errorf("there is no position %d: expected a number below %d", start, tp.Size())
	}
	if uint64(len(planes)) != tp.PlaneWords() {
		return nil, nil, fmt.Errorf("planes of %d words for %d numbers: expected %d", len(planes), tp.Size(), tp.PlaneWords())
	}
	if toGoal && len(tp.goals) == 0 {
		return nil, nil, ErrNoGoal
	}
	s := &tileSearch{tp: tp, planes: planes, threads: max(1, threads), few: tp.Size() / wordNumbers / fewShare}
	if tp.tiles < minWordTiles {
		s.few = tp.Size() + 1
	}
	return s.search(ctx, start, toGoal, cmp.Or(progress, new(statespace.Progress)))
}

func (s *tileSearch) search(ctx context.Context, start uint64, toGoal bool, progress *statespace.Progress) (*Result, []uint64, error) {
	clear(s.planes)
	progress.Start(int64(s.tp.Size()))
	s.first = s.tp.colour(int(start / s.tp.plane))
	s.list = []uint64{start}
	s.add(start, 0)
	var ends []uint64
	result := new(Result)
	for level, count := 0, uint64(1); count > 0; level++ {
		result.Layers = append(result.Layers, count)
		result.States += count
		progress.Add(int64(count))
		if !result.Solved {
			if ends = s.goals(level); len(ends) > 0 {
				result.Solved, result.Length = true, level
			}
		}
		if toGoal && result.Solved {
			return result, ends, nil
		}
		var err error
		if count, err = s.step(ctx, level, count); err != nil {
			return nil, nil, err
		}
	}
	result.Whole = true
	return result, ends, nil
}

// colour is the colour of a place of the empty cell, 0 or 1.
func (tp *TilePacking) colour(place int) int { return (place/tp.cols + place%tp.cols) & 1 }

func (s *tileSearch) colour(level int) int { return s.first ^ level&1 }

// step goes from a level of so many positions to the next, and returns how many that has.
func (s *tileSearch) step(ctx context.Context, level int, count uint64) (uint64, error) {
	switch few := count < s.few; {
	case few && s.inWords:
		s.list = s.words.members(s.list[:0], s.colour(level))
		s.inWords = false
	case !few && !s.inWords:
		if s.words == nil {
			s.words = newTileWords(s.tp, s.planes, s.threads)
		}
		s.words.set(s.list, s.before)
		s.inWords = true
	}
	if s.inWords {
		return s.words.step(ctx, s.colour(level+1), mark(level+1))
	}
	next := s.before[:0]
	for i, x := range s.list {
		if i%4096 == 0 && ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		s.scratch = s.tp.Neighbours(s.scratch[:0], x)
		for _, y := range s.scratch {
			if s.add(y, level+1) {
				next = append(next, y)
			}
		}
	}
	s.before, s.list = s.list, next
	return uint64(len(next)), nil
}

// add adds a number to a level, unless it has been reached.
func (s *tileSearch) add(x uint64, level int) bool {
	w := s.planes[x>>6<<1:][:2]
	bit := uint64(1) << (x & 63)
	if (w[0]|w[1])&bit != 0 {
		return false
	}
	m := uint64(mark(level))
	w[0] |= bit & -(m & 1)
	w[1] |= bit & -(m >> 1)
	return true
}

// goals returns those of a level that are goals, in order.
func (s *tileSearch) goals(level int) []uint64 {
	var ends []uint64
	if s.inWords {
		ends = s.words.goals(s.colour(level))
	} else if len(s.tp.goals) > 0 {
		for _, x := range s.list {
			if s.tp.isGoal(x) {
				ends = append(ends, x)
			}
		}
	}
	slices.Sort(ends) // with several goals one number may be there twice
	return slices.Compact(ends)
}

// solve is Solve for an n-puzzle, in a metric of single pieces. These are all the same
// where there is just one empty cell.
func (tp *TilePacking) solve(ctx context.Context, m Metric, o Options) (*Result, error) {
	if o.ToGoal && len(tp.goals) == 0 {
		return nil, ErrNoGoal
	}
	threads := max(1, o.Threads)
	if err := tp.fits(o.Memory, threads); err != nil {
		return nil, err
	}
	p := tp.puzzle
	rank := func(pos Position) uint64 {
		x, _ := tp.Rank(pos) // moves lead to what can be reached
		return x
	}
	start := rank(p.Start())
	l := &levels{planes: make([]uint64, tp.PlaneWords())}
	result, ends, err := tp.Search(ctx, start, l.planes, o.ToGoal, threads, nil)
	if err != nil {
		return nil, err
	}
	result.Metric, result.Solutions = m, new(big.Int)
	if result.Solved {
		if err := p.trace(ctx, l.at, tp.Neighbours, rank, ends, result); err != nil {
			return nil, err
		}
	}
	return result, nil
}
