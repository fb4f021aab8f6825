package find

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"pagoda/statespace/slide/tray"
)

// Options says how to search.
type Options struct {
	Threads int    // 0 is one for each processor
	Memory  uint64 // bytes; 0 is no bound
	// PartLimit bounds the placements of a part of the search; 0 is DefaultPartLimit of the memory.
	// The parts depend on the problem and on PartLimit only.
	PartLimit uint64
	// Planned, if not nil, is called before the search with the number of all placements. Its error
	// ends the search.
	Planned func(total uint64) error
	// Progress, if not nil, is called now and then with the placements that were searched and all.
	Progress func(done, total uint64)
	// Better, if not nil, is called with puzzles that are harder than all before, with any number
	// of pieces. Calls come one after the other.
	Better func(length int, start Start)
	// Known, if not nil, returns the result of a part of the search that was kept before, and
	// Keep is called with the result of each part. Several goroutines may call them.
	Known func(part string) (Result, bool)
	Keep  func(part string, r Result) error
}

// A Start is a start of a puzzle.
type Start struct {
	Goal   int           // the goal of the problem
	Pieces [][]tray.Cell // the cells of each piece, the goal piece first
}

// A Result is what was found of the puzzles with some number of pieces.
type Result struct {
	Pieces     int
	Placements uint64  // that were searched; of goals that are turned or reflected only one is
	Reached    uint64  // placements from which an end can be reached
	Length     int     // of the hardest puzzles; 0 if no puzzle can be solved
	Starts     []Start // of the hardest puzzles, without those that are turned or reflected
}

// Search finds the hardest puzzles of a problem: for each number of pieces the starts from which the
// nearest end is farthest. The error is a *LimitError if that takes more than the memory. When ctx ends,
// Search stops soon, and returns what was found so far and the cause.
func Search(ctx context.Context, p *Problem, o Options) ([]Result, error) {
	s, err := newSearcher(ctx, p, o)
	if err != nil {
		return nil, err
	}
	units, err := s.plan(ctx)
	if err != nil {
		return nil, err
	}
	if o.Planned != nil {
		if err := o.Planned(s.total); err != nil {
			return nil, err
		}
	}
	err = s.searchAll(ctx, units)
	return s.sorted(), err
}

// A searcher is what all units share.
type searcher struct {
	*graph
	p     *Problem
	o     Options
	goals []int32 // by goal: the form of the goal piece
	ranks []int32 // by form: see classes
	turns []turn
	total uint64
	done  atomic.Uint64

	mu      sync.Mutex
	best    int
	results map[int]*Result
}

func newSearcher(ctx context.Context, p *Problem, o Options) (*searcher, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Memory == 0 {
		o.Memory = 1 << 62
	}
	if o.PartLimit == 0 {
		o.PartLimit = DefaultPartLimit(o.Memory)
	}
	g, err := newGrid(p.Board)
	if err != nil {
		return nil, err
	}
	ps, err := newPlaces(g, p)
	if err != nil {
		return nil, err
	}
	s := &searcher{p: p, o: o, results: make(map[int]*Result)}
	if s.graph, err = newGraph(ctx, ps, o.Memory/2); err != nil {
		return nil, err
	}
	for _, goal := range p.Goals {
		mask, _ := g.set(goal.Cells)
		for _, to := range g.translations(mask) {
			if id, ok := ps.number[placeKey{to, goal.Axis}]; ok {
				s.goals = append(s.goals, ps.all[id].shape)
				break
			}
		}
	}
	s.rank()
	s.turns = turnsOf(ps, p)
	return s, nil
}

// rank orders the forms of the other pieces for classes: by their cells, or one by one if the
// problem lists them.
func (s *searcher) rank() {
	rank := int32(0)
	for _, f := range s.forms {
		switch {
		case !f.free:
			s.ranks = append(s.ranks, noPlace)
		case s.p.Shapes == nil:
			s.ranks = append(s.ranks, int32(f.cells-1))
		default:
			s.ranks = append(s.ranks, rank)
			rank++
		}
	}
}

// classes returns the class of each form, for a number of classes. The last class has all forms
// of this rank and above.
func (s *searcher) classes(n int) []int32 {
	classes := slices.Clone(s.ranks)
	for i := range classes {
		classes[i] = min(classes[i], int32(n-1))
	}
	return classes
}

// newUnit returns the unit of some goals and counts of pieces by class, with its size.
func (s *searcher) newUnit(counts, goals []int) *unit {
	u := &unit{graph: s.graph, classes: s.classes(len(counts)), counts: counts, goals: goals}
	u.setUp(s.goals)
	return u
}

// DefaultPartLimit returns how many placements a part of a search may have that takes some bytes of
// memory: a power of two, so that a little more memory makes no difference.
func DefaultPartLimit(memory uint64) uint64 {
	return min(maxPart, uint64(1)<<max(0, bits.Len64(memory/6*8)-1))
}

// maxPart is the greatest size of a part: some minutes of one thread.
const maxPart = 1 << 30

// plan splits the problem into units, small ones first.
func (s *searcher) plan(ctx context.Context) ([]*unit, error) {
	groups := s.together(s.searched())
	most := bits.OnesCount64(s.open)
	if s.p.MaxPieces > 0 {
		most = min(most, s.p.MaxPieces)
	}
	var coarse []*unit
	for pieces := max(1, s.p.MinPieces); pieces <= most; pieces++ {
		for _, goals := range groups {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			u := s.newUnit([]int{pieces - 1}, goals)
			u.sizes()
			coarse = append(coarse, u)
			s.total += u.size
		}
	}
	limit := min(s.o.PartLimit, max(leastUnit, s.total/32))
	var units []*unit
	for _, u := range coarse {
		if err := s.split(ctx, u, limit, &units); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(units, func(a, b *unit) int { return cmp.Compare(a.size, b.size) })
	return units, nil
}

// together returns groups of goals that can share units: those of different forms, all of which can start
// anywhere, or none.
func (s *searcher) together(goals []int) (groups [][]int) {
	type place struct {
		form     int32
		anywhere bool
	}
	type group struct {
		nth      int // of the goals with this form
		anywhere bool
	}
	count := make(map[place]int)
	index := make(map[group]int)
	for _, i := range goals {
		anywhere := s.p.Goals[i].Starts == nil
		p := place{s.goals[i], anywhere}
		g := group{count[p], anywhere}
		count[p]++
		at, ok := index[g]
		if !ok {
			at = len(groups)
			index[g] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	return groups
}

// leastUnit is the size below which a unit is not split. Tests change it.
var leastUnit = uint64(1 << 22)

// maxRank is the greatest number of classes into which units are split.
const maxRank = 8

// split splits a unit until no part is larger than the limit: into goals first, then into finer
// classes of pieces.
func (s *searcher) split(ctx context.Context, u *unit, limit uint64, parts *[]*unit) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	n, most := len(u.counts), u.counts[len(u.counts)-1]
	finer := slices.ContainsFunc(s.ranks, func(rank int32) bool { return int(rank) >= n })
	part := func(counts, goals []int) error {
		v := s.newUnit(counts, goals)
		v.sizes()
		return s.split(ctx, v, limit, parts)
	}
	switch {
	case u.size == 0:
		return nil
	case len(u.goals) > 1 && u.size > limit:
		half := len(u.goals) / 2
		if err := part(u.counts, u.goals[:half]); err != nil {
			return err
		}
		return part(u.counts, u.goals[half:])
	case u.size > limit && most > 0 && finer && (n < maxRank || u.size > maxNumbers):
		for last := range most + 1 {
			counts := append(slices.Clone(u.counts), last)
			counts[n-1] = most - last
			if err := part(counts, u.goals); err != nil {
				return err
			}
		}
		return nil
	case u.size > maxNumbers:
		return &LimitError{What: "placements of the same pieces", Bytes: planes(u.size), Memory: planes(maxNumbers)}
	}
	*parts = append(*parts, u)
	return nil
}

// searched returns the goals that are to be searched, those of few cells first: those that can be
// reached from elsewhere, and one of those that are turned or reflected.
func (s *searcher) searched() (goals []int) {
	for i := range s.p.Goals {
		starts, ends := s.placesOf(i)
		other := slices.ContainsFunc(starts, func(id int32) bool { return !slices.Contains(ends, id) })
		first := !slices.ContainsFunc(s.turns, func(t turn) bool { return t.goals[i] < i })
		if other && len(ends) > 0 && first {
			goals = append(goals, i)
		}
	}
	slices.SortStableFunc(goals, func(a, b int) int { return s.forms[s.goals[a]].cells - s.forms[s.goals[b]].cells })
	return goals
}

// placesOf returns where the goal piece may start and end.
func (s *searcher) placesOf(goal int) (starts, ends []int32) {
	return s.places.placesOf(&s.p.Goals[goal])
}

// searchAll searches the units.
func (s *searcher) searchAll(ctx context.Context, units []*unit) error {
	room := int64(min(s.o.Memory/2, 1<<62))
	memory := semaphore.NewWeighted(room)
	group, run := errgroup.WithContext(ctx)
	group.SetLimit(s.o.Threads)
	for _, u := range units {
		key := s.name(u)
		if s.o.Known != nil {
			if r, ok := s.o.Known(key); ok {
				s.merge(r)
				s.progress(u.size)
				continue
			}
		}
		bytes := int64(planes(u.size) + u.bytes())
		if bytes > room {
			group.Go(func() error {
				return &LimitError{What: "the placements", Bytes: uint64(bytes) + s.o.Memory/2, Memory: s.o.Memory}
			})
			break
		}
		if memory.Acquire(run, bytes) != nil {
			break
		}
		group.Go(func() error {
			defer memory.Release(bytes)
			r, err := s.search(run, u)
			if err != nil {
				return err
			}
			if s.o.Keep != nil {
				if err := s.o.Keep(key, r); err != nil {
					return err
				}
			}
			s.merge(r)
			s.progress(u.size - r.Reached)
			return nil
		})
	}
	err := group.Wait()
	if ctx.Err() != nil && err == nil {
		err = context.Cause(ctx)
	}
	return err
}

func (s *searcher) progress(size uint64) {
	if done := s.done.Add(size); s.o.Progress != nil {
		s.o.Progress(done, s.total)
	}
}

// name is the same for the same unit of the same problem.
func (s *searcher) name(u *unit) string {
	h := fnv.New64a()
	fmt.Fprint(h, u.goals)
	return fmt.Sprintf("pieces %v goals %d %016x placements %d", u.counts, len(u.goals), h.Sum64(), u.size)
}

// search searches a unit.
func (s *searcher) search(ctx context.Context, u *unit) (Result, error) {
	u.number()
	sc := newScanner(u, s.p.Metric)
	sc.levels = newLevels(u.size)
	ends := make([]bool, len(s.all))
	for _, goal := range u.goals {
		starts, at := s.placesOf(goal)
		for _, id := range at {
			ends[id] = true
		}
		for _, id := range starts {
			sc.starts[id] = s.p.Goals[goal].Starts != nil
		}
	}
	sc.addEnds(ends)
	r := Result{Pieces: 1, Placements: u.size}
	for _, n := range u.counts {
		r.Pieces += n
	}
	var starts []uint32 // of the last level that has any, if they are farther than others
	anywhere := s.p.Goals[u.goals[0]].Starts == nil
	last := time.Now()
	for level, n := 0, sc.advance(); n > 0; level, n = level+1, sc.advance() {
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		r.Reached += n
		s.progress(n)
		keep := level > 0 && level >= s.longest(r.Pieces)
		first := true
		sc.found = nil
		if keep {
			sc.found = func(from, to uint64) {
				if first {
					starts, first = starts[:0], false
				}
				starts = sc.collect(starts, from, to)
			}
		}
		sc.goalOnly = level == 0
		sc.expand()
		if keep && anywhere && sc.done() {
			sc.found(0, u.size)
		}
		if !first {
			r.Length = level
		}
		if s.o.Better != nil && time.Since(last) > time.Second && level > 0 && (!first || anywhere) {
			last = time.Now()
			some := starts
			if anywhere {
				at := sc.next(0, u.size)
				some = []uint32{uint32(at)}
			}
			s.better(level, u.start(some[0]))
		}
	}
	if r.Length > 0 && r.Length >= s.longest(r.Pieces) {
		for _, number := range starts {
			r.Starts = append(r.Starts, s.least(u.start(number)))
		}
		sortStarts(r.Starts)
		r.Starts = slices.CompactFunc(r.Starts, sameStart)
		if s.o.Better != nil {
			s.better(r.Length, u.start(starts[0]))
		}
	}
	return r, nil
}

// collect appends the numbers of the level in a range.
func (s *scanner) collect(numbers []uint32, from, to uint64) []uint32 {
	for at := s.levels.next(from, to); at < to; at = s.levels.next(at+1, to) {
		numbers = append(numbers, uint32(at))
	}
	return numbers
}

// start returns the start that has a number.
func (u *unit) start(number uint32) Start {
	pieces := u.placement(number)
	st := Start{Goal: int(u.marks[u.all[pieces[0]].shape])}
	for _, id := range pieces {
		st.Pieces = append(st.Pieces, u.cellsOf(u.all[id].mask))
	}
	return st
}

// longest returns the greatest length so far.
func (s *searcher) longest(pieces int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.results[pieces]; r != nil {
		return r.Length
	}
	return 0
}

// better tells of a puzzle if it is harder than all before.
func (s *searcher) better(length int, st Start) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if length > s.best {
		s.best = length
		s.o.Better(length, st)
	}
}

// merge adds the result of a unit to those of its number of pieces.
func (s *searcher) merge(r Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.results[r.Pieces]
	if all == nil {
		all = &Result{Pieces: r.Pieces}
		s.results[r.Pieces] = all
	}
	all.Placements += r.Placements
	all.Reached += r.Reached
	switch {
	case r.Length > all.Length:
		all.Length, all.Starts = r.Length, r.Starts
	case r.Length == all.Length:
		all.Starts = append(all.Starts, r.Starts...)
	}
}

// sorted returns the results by the number of pieces.
func (s *searcher) sorted() (all []Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.results {
		r := *r
		r.Starts = slices.Clone(r.Starts)
		sortStarts(r.Starts)
		r.Starts = slices.CompactFunc(r.Starts, sameStart)
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Result) int { return a.Pieces - b.Pieces })
	return all
}
