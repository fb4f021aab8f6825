package slide

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"pagoda/internal/amount"
	"pagoda/internal/mapped"
	"pagoda/puzzle/slide/packing"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
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
	// What a search for a diameter is to find: pairless leaves out the pairs, and searches, if not 0, bounds its probes.
	pairless bool
	searches int
	// farthest is positions of the last level of the last search, in order: the first MaxPairs,
	// and the very last. If the search was stopped, they are some of the level far, the last one that it has come
	// to, or there are none.
	farthest []uint64
	far      int
}

// newExplorer numbers a puzzle, or the positions that can be reached, as a run would. The error is a
// statespace.ErrMemory if neither fits into the memory. With Options.MaxStates it lists the positions; more are a
// sparse.ErrStates.
func newExplorer(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (*explorer, error) {
	if o.MaxStates > 0 {
		return exploreListed(ctx, p, m, o)
	}
	sp, err := newBy(ctx, "the puzzle", p, m, false, o.Memory, packed)
	if err != nil {
		return nil, err
	}
	offers, err := run.Offers(ctx, sp, o.forRun(ctx))
	if err != nil {
		return nil, err
	}
	switch best := offers[0]; {
	case best.Engine == run.SparseEngine:
		return exploreListed(ctx, p, m, o)
	case best.Turn == run.TooLarge:
		return nil, &statespace.MemoryError{Name: sp.Name(), Need: best.Memory, Most: best.Most, Allowed: o.Memory}
	}
	n := sp.(*Space).numbers
	return &explorer{numbers: n, metric: m, memory: o.Memory, threads: max(1, o.Threads), start: rank(n, p.Start())}, nil
}

// exploreListed is newExplorer for the positions that the engine sparse finds. Their keys are decoded, as searches
// look them up again and again.
func exploreListed(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (*explorer, error) {
	sp, err := NewUnnumbered("the puzzle", p, m, false)
	if err != nil {
		return nil, err
	}
	found, err := run.Find(ctx, sp, o.forRun(ctx))
	if err != nil {
		return nil, err
	}
	defer found.Close()
	words := uint64(packing.NewKeys(p, m).Words())
	need := 8 * words * found.States()
	if o.Memory > 0 && need > o.Memory/4*3 { // the search has the rest
		return nil, &statespace.MemoryError{Name: sp.Name(), Need: need, Most: "for the keys of its positions", Allowed: o.Memory}
	}
	all, err := found.All(ctx)
	if err != nil {
		return nil, err
	}
	from := all.Space.(*Listed).numbers.(*ranks)
	keys := make([]uint64, 0, words*found.States())
	err = mapped.Guard(func() error {
		for x := range from.Size() {
			keys = append(keys, from.key(nil, x)...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if o.Memory > 0 {
		o.Memory -= need
	}
	n := newRanks(p, sparse.CodesOf(int(words), keys))
	return &explorer{numbers: n, metric: m, memory: o.Memory, threads: max(1, o.Threads), start: rank(n, p.Start())}, nil
}

// explorePlacements is newExplorer for all placements of the pieces of a puzzle with a goal.
func explorePlacements(ctx context.Context, p *tray.Puzzle, m tray.Metric, o Options) (*explorer, error) {
	if !p.HasGoal() {
		return nil, ErrNoGoal
	}
	n, err := packed(ctx, p, m, o.Memory) // an n-puzzle has another numbering, of the placements that are reached
	if err != nil {
		return nil, err
	}
	if need := bfs.MemoryOf(n.Graph(m)); o.Memory > 0 && need > o.Memory || o.MaxStates > 0 && n.Size() > o.MaxStates {
		return nil, &statespace.MemoryError{Name: "the puzzle", Need: need, Most: fmt.Sprintf("for %s placements", amount.Comma(n.Size())), Allowed: o.Memory}
	}
	return &explorer{numbers: n, metric: m, memory: o.Memory, threads: max(1, o.Threads)}, nil
}

// An expander also finds goals without their moves.
type expander interface {
	statespace.Expander
	// Goal reports whether a number is a goal.
	Goal(x uint64) bool
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
