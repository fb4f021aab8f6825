package slide

import (
	"context"
	"iter"
	"math/bits"
	"slices"

	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/tray"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
)

// MaxPairs is the greatest number of pairs that a Diameter lists, and of starts that a Hardest
// lists.
const MaxPairs = 1000

// An explorer searches all positions that can be reached, and keeps the farthest ones.
type explorer struct {
	numbers numbering // a Packing or a ranks
	metric  tray.Metric
	memory  uint64 // bytes that are left besides a table of positions; 0 is no bound
	threads int
	start   uint64
	// farthest is positions of the last level of the last search, in order: the first MaxPairs,
	// and the very last. If the search was stopped, they are some of the level far, the last one that it has come
	// to, or there are none.
	farthest []uint64
	far      int
}

// newExplorer numbers a puzzle, or the positions that can be reached: see choose. The error is a
// *SizeError if neither fits into the memory, in bytes; 0 is no bound.
func newExplorer(ctx context.Context, p *tray.Puzzle, m tray.Metric, memory uint64, threads int) (*explorer, error) {
	o := Options{Memory: memory, Threads: threads}
	err := bounded(p, o)
	if err != nil {
		return nil, err
	}
	n, s, err := choose(ctx, p, m, o, packed)
	if err != nil {
		return nil, err
	}
	if s != nil {
		return exploreFound(ctx, p, m, s, memory, threads)
	}
	return &explorer{numbers: n, metric: m, memory: memory, threads: max(1, threads), start: rank(n, p.Start())}, nil
}

// exploreFound is newExplorer for the positions that a search has found. It closes the search.
func exploreFound(ctx context.Context, p *tray.Puzzle, m tray.Metric, s *sparse.Search, memory uint64, threads int) (*explorer, error) {
	words := packing.NewKeys(p, m).Words()
	codes, err := tableOf(ctx, s, words, memory)
	if err != nil {
		return nil, err
	}
	if memory > 0 {
		memory -= 8 * uint64(words) * codes.Len() // some is left: see tableOf
	}
	n := newRanks(p, codes)
	return &explorer{numbers: n, metric: m, memory: memory, threads: max(1, threads), start: rank(n, p.Start())}, nil
}

// An expander also finds goals without their moves.
type expander interface {
	statespace.Expander
	// Goals appends the numbers of a word that are goals: bit i of word is number first+i.
	Goals(dst []uint64, first, word uint64) []uint64
}

// newExpander returns an expander, for one goroutine.
func (e *explorer) newExpander() expander {
	return e.numbers.Graph(e.metric).NewExpander().(expander)
}

// search searches from some positions on, and sets farthest. With goals it lists the nearest goals, which may be many.
// The result must be closed.
func (e *explorer) search(ctx context.Context, from iter.Seq[uint64], goals bool) (*bfs.Search, error) {
	levels := make([]lastLevel, e.threads)
	for i := range levels {
		levels[i].level = -1
	}
	g := e.numbers.Graph(e.metric)
	g.HasGoals = goals
	s, err := search(ctx, g, from, bfs.Options{Threads: e.threads,
		Visit: func(worker, level int, first, word uint64) { levels[worker].visit(level, first, word) }})
	e.far, e.farthest = -1, nil
	for i := range levels {
		e.far = max(e.far, levels[i].level)
	}
	var all []uint64
	for i := range levels {
		if l := &levels[i]; l.level == e.far && e.far >= 0 {
			all = append(append(all, l.first...), l.greatest)
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > 0 {
		e.farthest = append(all[:min(MaxPairs, len(all))], all[len(all)-1])
	}
	return s, err
}

// last returns the last of the farthest positions.
func (e *explorer) last() uint64 { return e.farthest[len(e.farthest)-1] }

// A lastLevel is the positions of the last level that a thread has seen.
type lastLevel struct {
	level    int      // or -1
	first    []uint64 // at most MaxPairs
	greatest uint64
	_        [64]byte // so that threads do not share cache lines
}

func (l *lastLevel) visit(level int, first, word uint64) {
	if level != l.level {
		l.level, l.first = level, l.first[:0]
	}
	l.greatest = first + uint64(bits.Len64(word)) - 1
	for ; word != 0 && len(l.first) < MaxPairs; word &= word - 1 {
		l.first = append(l.first, first+uint64(bits.TrailingZeros64(word)))
	}
}
