package slide

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"pagoda/statespace"
)

// A levels is what is kept of a breadth-first search over the numbers of a Packing: of
// each number whether it has been reached and its distance modulo 3, two bits; and
// whether its moves have been made, one bit.
type levels struct {
	planes []uint64 // two words for 64 numbers; together 0: not reached, else the distance modulo 3 plus 1
	closed []uint64
	dirty  [2][]uint64 // of a level and the next: a bit for each 64 numbers, of which some are at the level
}

// newLevels makes the levels of so many numbers over planes, which are zero; nil is memory
// of its own.
func newLevels(size uint64, planes []uint64) *levels {
	words := (size + 63) / 64
	if planes == nil {
		planes = make([]uint64, 2*words)
	}
	l := &levels{planes: planes[:2*words], closed: make([]uint64, words)}
	for i := range l.dirty {
		l.dirty[i] = make([]uint64, (words+63)/64)
	}
	return l
}

// searchBytes returns about how many bytes a search of so many numbers takes.
func searchBytes(size uint64) uint64 { return size/64*24 + size/64/64*16 + 1<<20 }

// mark returns how a level is written in the planes.
func mark(level int) int { return level%3 + 1 }

// add adds those of the numbers to a level that have not been reached, and returns how
// many. It does without branches, which would wait for memory one number after the other.
func (l *levels) add(numbers []uint64, level int) uint64 {
	m := uint64(mark(level))
	low, high := -(m & 1), -(m >> 1)
	dirty := l.dirty[level&1]
	count := uint64(0)
	for _, x := range numbers {
		w := l.planes[x>>6<<1:][:2]
		a, b := w[0], w[1]
		fresh := 1 << (x & 63) &^ (a | b)
		w[0] = a | fresh&low
		w[1] = b | fresh&high
		one := fresh >> (x & 63)
		dirty[x>>12] |= one << (x >> 6 & 63)
		count += one
	}
	return count
}

// addShared is add while other threads add to the same level. What they do is the same
// in any order: of those who add a number, one finds it new.
func (l *levels) addShared(numbers []uint64, level int) uint64 {
	m := mark(level)
	dirty := l.dirty[level&1]
	count := uint64(0)
	for _, x := range numbers {
		low, high := &l.planes[x>>6<<1], &l.planes[x>>6<<1+1]
		bit := uint64(1) << (x & 63)
		if (atomic.LoadUint64(low)|atomic.LoadUint64(high))&bit != 0 {
			continue
		}
		// What goes to both planes goes to the low one first, and expand reads the high one
		// first: to it the number never looks as if it were at the level before, in the high
		// one alone.
		if m&1 != 0 && atomic.OrUint64(low, bit)&bit != 0 || m == 2 && atomic.OrUint64(high, bit)&bit != 0 {
			continue
		}
		if m == 3 {
			atomic.OrUint64(high, bit)
		}
		d, one := &dirty[x>>12], uint64(1)<<(x>>6&63)
		if atomic.LoadUint64(d)&one == 0 {
			atomic.OrUint64(d, one)
		}
		count++
	}
	return count
}

// at reports whether a number, known to be at the level, one before it or one behind
// it, is at the level.
func (l *levels) at(x uint64, level int) bool {
	w := l.planes[x>>6<<1:][:2]
	return levelWord(w[0], w[1], mark(level))>>(x&63)&1 == 1
}

// Solve finds the shortest solutions of a puzzle in a metric, and the positions that can
// be reached, by the engine that the options name; all engines give the same answers. The
// default one numbers all placements of the pieces and keeps three bits for each; where
// that takes more memory than is allowed, the error is a *SizeError, and nothing has been
// searched. When ctx ends, Solve stops soon and returns the cause.
func Solve(ctx context.Context, p *Puzzle, m Metric, o Options) (*Result, error) {
	switch o.Engine {
	case NumbersEngine:
	case HashEngine:
		return solveHash(ctx, p, m, o)
	case PlainEngine:
		return SolvePlain(ctx, p, m, o)
	default:
		return nil, fmt.Errorf("unknown engine %v", o.Engine)
	}
	if o.ToGoal && len(p.goals) == 0 {
		return nil, ErrNoGoal
	}
	if !m.Super() {
		if tp, err := NewTilePacking(p); err == nil {
			return tp.solve(ctx, m, o)
		}
	}
	pk, err := newPackingIn(p, o.Memory)
	if err != nil {
		return nil, err
	}
	return pk.Solve(ctx, m, o)
}

// newPackingIn numbers the placements of a puzzle if a search fits into so many bytes of
// memory; 0 is no bound.
func newPackingIn(p *Puzzle, memory uint64) (*Packing, error) {
	nodes := 0
	if memory > 0 {
		nodes = int(min(MaxNodes, 1+memory/packNodeBytes(p)))
	}
	pk, err := NewPacking(p, nodes)
	if err != nil {
		var size *SizeError
		if errors.As(err, &size) && size.Need == 0 {
			size.Memory = memory
		}
		return nil, err
	}
	if need := searchBytes(pk.Size()) + pk.Bytes(); memory > 0 && need > memory {
		return nil, &SizeError{Numbers: pk.Size(), Need: need, Memory: memory}
	}
	return pk, nil
}

// Solve is the fast search of the function Solve on a packing that is made already.
// Of the options it takes ToGoal and Threads.
func (pk *Packing) Solve(ctx context.Context, m Metric, o Options) (*Result, error) {
	if o.ToGoal && len(pk.puzzle.goals) == 0 {
		return nil, ErrNoGoal
	}
	l := newLevels(pk.size, nil)
	s := newSearcher(pk, m, o.Threads)
	start := pk.Rank(pk.puzzle.Start())
	result := &Result{Metric: m, Solutions: new(big.Int)}
	if err := s.search(ctx, l, []uint64{start}, o.ToGoal, result); err != nil {
		return nil, err
	}
	if result.Solved {
		if err := pk.puzzle.trace(ctx, l.at, pk.neighbours(m), pk.Rank, s.ends, result); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// A searcher searches from different starts, one after the other.
type searcher struct {
	pk       *Packing
	workers  []*worker            // one for each thread
	shared   uint64               // how many positions of a level are worth another one
	progress *statespace.Progress // may be nil; the numbers found, of all, not all of which can be reached

	// What the last search found: the numbers of the goals at the least distance and those
	// of the last level, both in order; of the last level MaxPairs at most, and the greatest.
	ends, lastLevel []uint64
	last            uint64
}

// A worker makes the moves of a part of a level.
type worker struct {
	*cursor
	next            []uint64 // scratch memory
	count           uint64   // of the next level
	ends, lastLevel []uint64
	last            uint64
}

// newSearcher makes a searcher with so many threads; 0 is 1.
func newSearcher(pk *Packing, m Metric, threads int) *searcher {
	s := &searcher{pk: pk, shared: sharedLevel}
	for range max(1, threads) {
		s.workers = append(s.workers, &worker{cursor: newCursor(pk, m)})
	}
	return s
}

// sharedLevel is how many positions of a level are worth another thread.
const sharedLevel = 2048

// search fills the levels from different starts on, and what the result tells of them. The
// levels, and what is found, do not depend on the number of threads.
func (s *searcher) search(ctx context.Context, l *levels, starts []uint64, toGoal bool, result *Result) error {
	progress := s.progress
	if progress == nil {
		progress = new(statespace.Progress)
	}
	progress.Start(int64(s.pk.size))
	s.ends = nil
	count := l.add(starts, 0)
	for level := 0; count > 0 && !(toGoal && result.Solved); level++ {
		progress.Add(int64(count))
		result.Layers = append(result.Layers, count)
		result.States += count
		workers := s.workers[:1+min(uint64(len(s.workers)-1), count/s.shared)]
		for _, w := range workers {
			w.count, w.ends, w.lastLevel, w.last = 0, w.ends[:0], w.lastLevel[:0], 0
		}
		var goals [][]uint16
		if !result.Solved {
			goals = workers[0].goals()
		}
		if err := l.expand(ctx, level, workers, goals); err != nil {
			return err
		}
		count, s.lastLevel, s.last = 0, s.lastLevel[:0], 0
		for _, w := range workers {
			count += w.count
			s.ends = append(s.ends, w.ends...)
			s.lastLevel = append(s.lastLevel, w.lastLevel...)
			s.last = max(s.last, w.last)
		}
		slices.Sort(s.ends)
		slices.Sort(s.lastLevel)
		s.lastLevel = s.lastLevel[:min(MaxPairs, len(s.lastLevel))]
		if len(s.ends) > 0 && !result.Solved {
			result.Solved = true
			result.Length = level
		}
		result.Whole = count == 0 && !(toGoal && result.Solved)
	}
	return nil
}

// expand makes all moves of a level. Several workers take parts of it one by one.
func (l *levels) expand(ctx context.Context, level int, workers []*worker, goals [][]uint16) error {
	all := len(l.dirty[level&1])
	if len(workers) == 1 {
		return workers[0].expand(ctx, l, level, 0, all, goals, false)
	}
	part := min(16, 1+all/(16*len(workers)))
	var taken atomic.Int64
	var group errgroup.Group
	for _, w := range workers {
		group.Go(func() error {
			for {
				last := int(taken.Add(int64(part)))
				if last-part >= all {
					return nil
				}
				if err := w.expand(ctx, l, level, last-part, min(last, all), goals, true); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// expand makes the moves of the numbers of a level in a part of the stretches, each of
// which has a word in dirty. The level is shared if other workers are at other parts.
func (w *worker) expand(ctx context.Context, l *levels, level, first, last int, goals [][]uint16, shared bool) error {
	dirty := l.dirty[level&1]
	for stretch := first; stretch < last; stretch++ {
		if dirty[stretch] == 0 {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		words := dirty[stretch]
		dirty[stretch] = 0
		for ; words != 0; words &= words - 1 {
			at := stretch<<6 + bits.TrailingZeros64(words)
			high := atomic.LoadUint64(&l.planes[2*at+1])
			low := atomic.LoadUint64(&l.planes[2*at])
			word := levelWord(low, high, mark(level)) &^ l.closed[at]
			l.closed[at] |= word
			w.next = w.next[:0]
			for ; word != 0; word &= word - 1 {
				x := uint64(at)<<6 + uint64(bits.TrailingZeros64(word))
				w.last = x
				if len(w.lastLevel) < MaxPairs {
					w.lastLevel = append(w.lastLevel, x)
				}
				w.seek(x)
				if len(goals) > 0 && w.solved(goals) {
					w.ends = append(w.ends, x)
				}
				w.next = w.successors(w.next)
			}
			if shared {
				w.count += l.addShared(w.next, level+1)
			} else {
				w.count += l.add(w.next, level+1)
			}
		}
	}
	return nil
}

// trace counts the shortest ways back from the goals, and takes the first of them. isAt
// and neighbours are those of statespace.TraceShortest.
func (p *Puzzle) trace(ctx context.Context, isAt func(x uint64, level int) bool, neighbours func(dst []uint64, x uint64) []uint64, rank func(Position) uint64,
	ends []uint64, result *Result) error {
	ways, err := statespace.TraceShortest(ctx, neighbours, func(x uint64, level int) (bool, error) { return isAt(x, level), nil }, ends, result.Length, 0)
	if err != nil {
		return err
	}
	result.Solutions = ways.Total()
	pos := p.Start()
	for level := range result.Length {
		var mv Move
		mv, pos = p.moveTo(result.Metric, pos, func(pos Position) bool { return ways.Has(rank(pos), level+1) })
		result.Moves = append(result.Moves, mv)
	}
	return nil
}
