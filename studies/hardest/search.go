package hardest

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// Options says how to search.
type Options struct {
	Threads int    // 0 is one for each processor
	Memory  uint64 // bytes; 0 is no bound
	// PartLimit bounds the placements of a part of the search, up to 2^29; 0 is DefaultPartLimit of the
	// memory. The parts depend on the problem and on PartLimit only.
	PartLimit uint64
	// Counted, if not nil, is called with the number of all placements (or ManyPlacements) before they are split into
	// parts and searched. Its error ends the search.
	Counted func(total uint64) error
	// Progress, if not nil, is called now and then with the placements that were searched and all.
	Progress func(done, total uint64)
	// Better, if not nil, is called with puzzles that are harder than all before, with any number
	// of pieces, those of Known among them. Calls come one after the other.
	Better func(length int, start Start)
	// Known, if not nil, returns the result of a part of the search that was kept before, and
	// Keep is called with the result of each part. Several goroutines may call them.
	Known func(part string) (Result, bool)
	Keep  func(part string, r Result) error
}

// A Start is a start of a puzzle.
type Start struct {
	Goal   int     // the goal of the problem
	Pieces []Shape // the goal piece first
}

// A Result is what was found of the puzzles with some number of pieces.
type Result struct {
	Pieces     int
	Placements uint64  // that were searched; of goals that are turned or reflected only one is
	Reached    uint64  // placements from which an end can be reached
	Length     int     // of the hardest puzzles; 0 if no puzzle can be solved
	Starts     []Start // of the hardest puzzles, without those that are turned or reflected; they may be missing if a search was stopped
}

// Search finds the hardest puzzles of a problem: for each number of pieces the starts from which the
// nearest end is farthest. The error is a *LimitError if that takes more than the memory. When ctx ends,
// Search stops soon, and returns what was found so far and the cause.
func Search(ctx context.Context, p *Problem, o Options) ([]Result, error) {
	s, err := newSearcher(ctx, p, o)
	if err != nil {
		return nil, err
	}
	parts, err := s.plan(ctx)
	if err != nil {
		return nil, err
	}
	err = s.searchAll(ctx, parts)
	all := s.sorted()
	for k, length := range s.without { // a part may come from anyone
		if err == nil && length >= s.longest(k) {
			return nil, damaged("a puzzle of %d pieces has length %d, and no part has such a puzzle", k.pieces, length)
		}
	}
	return all, err
}

// damaged returns the error for a kept part that says something false.
func damaged(says string, args ...any) error {
	return fmt.Errorf("a part that was kept says that "+says+": the checkpoint is damaged; remove it, or name another file", args...)
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
	results map[kind]*Result
	without map[kind]int // the greatest length of parts that were kept without starts, because other parts had harder puzzles
}

// A kind is the puzzles with some number of pieces, strict or loose. The results of strict parts do not depend on loose ones,
// so a strict search can use them.
type kind struct {
	pieces int
	loose  bool
}

// kind returns the kind of the puzzles with the goals of one part.
func (s *searcher) kind(pieces int, goals []int) kind { return kind{pieces, s.p.Goals[goals[0]].Loose} }

// noBound is more memory than there is.
const noBound = 1 << 62

func newSearcher(ctx context.Context, p *Problem, o Options) (*searcher, error) {
	g, err := p.grid()
	if err != nil {
		return nil, err
	}
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	o.Memory = cmp.Or(o.Memory, noBound)
	o.PartLimit = min(cmp.Or(o.PartLimit, DefaultPartLimit(o.Memory)), maxPart)
	ps, err := newPlaces(g.turned(), p, o.Memory/2)
	if err != nil {
		return nil, err
	}
	s := &searcher{p: p, o: o, results: make(map[kind]*Result), without: make(map[kind]int)}
	if s.graph, err = newGraph(ctx, ps, o.Memory/2-min(o.Memory/2, ps.bytes())); err != nil {
		return nil, err
	}
	for _, goal := range p.Goals {
		form := int32(noPlace) // if thin walls leave no place for it
		for _, id := range ps.placesAt(goal.Shape, g.Cells) {
			form = ps.all[id].shape
		}
		s.goals = append(s.goals, form)
	}
	s.rank()
	s.turns = turnsOf(ps, p)
	return s, nil
}

// searchAll searches the parts.
func (s *searcher) searchAll(ctx context.Context, parts []part) error {
	room := int64(min(s.o.Memory, noBound) / 2)
	memory := semaphore.NewWeighted(room)
	todo, needs, err := s.notKnown(ctx, parts, room)
	if err != nil {
		return err
	}
	group, run := errgroup.WithContext(ctx)
	group.SetLimit(s.o.Threads)
	for i, p := range todo {
		if memory.Acquire(run, needs[i]) != nil {
			break
		}
		group.Go(func() error {
			defer memory.Release(needs[i])
			return s.searchPart(run, p, s.newUnit(p.counts, p.goals))
		})
	}
	err = group.Wait()
	if ctx.Err() != nil && err == nil {
		err = context.Cause(ctx)
	}
	return err
}

// notKnown merges the results that are known, and returns the other parts, with the bytes that each
// takes. The error is a *LimitError if one of them takes more than the room: it comes before hours of search.
func (s *searcher) notKnown(ctx context.Context, parts []part, room int64) (todo []part, needs []int64, err error) {
	known := uint64(0)
	defer func() { s.progress(known) }()
	for _, p := range parts {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if s.o.Known != nil {
			if r, ok := s.o.Known(s.name(&p)); ok {
				if err := s.checkKnown(&p, r); err != nil {
					return nil, nil, err
				}
				k := s.kind(r.Pieces, p.goals)
				s.merge(k, r)
				if len(r.Starts) > 0 {
					s.better(r.Length, r.Starts[0])
				} else if r.Length > 0 {
					s.without[k] = max(s.without[k], r.Length)
				}
				known += p.size
				continue
			}
		}
		bytes := int64(s.newUnit(p.counts, p.goals).bytes(p.size, p.starts))
		if bytes > room {
			return nil, nil, &LimitError{What: "the placements", Bytes: uint64(bytes) + s.o.Memory/2, Memory: s.o.Memory}
		}
		todo, needs = append(todo, p), append(needs, bytes)
	}
	return todo, needs, nil
}

// checkKnown returns an error if a kept result does not fit its part.
func (s *searcher) checkKnown(p *part, r Result) error {
	if r.Pieces != p.pieces() || r.Placements != p.size {
		return damaged("it has %d pieces and %d placements, where the part has %d and %d", r.Pieces, r.Placements, p.pieces(), p.size)
	}
	u := &unit{graph: s.graph, classes: s.classes(len(p.counts)), counts: p.counts}
	for _, st := range r.Starts {
		if !slices.Contains(p.goals, st.Goal) {
			return damaged("a puzzle has goal %d, which is not of this part", st.Goal)
		}
		if r.Length == 0 || !s.isOf(u, st) {
			return damaged("a puzzle of length %d has the pieces %v, which are not of this part", r.Length, st.Pieces)
		}
	}
	return nil
}

// isOf reports whether a start has the pieces of a unit.
func (s *searcher) isOf(u *unit, st Start) bool {
	counts, taken := make([]int, len(u.counts)), uint64(0)
	for i, piece := range st.Pieces {
		mask, _ := s.set(piece.Cells)
		id, ok := s.number[placeKey{mask, piece.Axis}]
		if !ok || mask&taken != 0 || bits.OnesCount64(mask) != len(piece.Cells) {
			return false
		}
		taken |= mask
		if i == 0 {
			if starts, _ := s.placesOf(st.Goal); !slices.Contains(starts, id) {
				return false
			}
		} else if class := u.classes[s.all[id].shape]; class != noPlace {
			counts[class]++
		}
	}
	return len(st.Pieces) > 0 && slices.Equal(counts, u.counts)
}

// searchPart searches a part, and keeps and merges the result.
func (s *searcher) searchPart(ctx context.Context, p part, u *unit) error {
	r := Result{Pieces: p.pieces(), Placements: p.size}
	if err := s.search(ctx, u, &r); err != nil {
		return err
	}
	if s.o.Keep != nil {
		if err := s.o.Keep(s.name(&p), r); err != nil {
			return err
		}
	}
	s.merge(s.kind(r.Pieces, p.goals), r)
	s.progress(p.size - r.Reached)
	return nil
}

func (s *searcher) progress(size uint64) {
	if done := s.done.Add(size); s.o.Progress != nil {
		s.o.Progress(done, s.total)
	}
}

// search searches a unit.
func (s *searcher) search(ctx context.Context, u *unit, r *Result) error {
	u.number()
	sc, err := newScanner(ctx, u, s.p.Metric)
	if err != nil {
		return err
	}
	defer sc.free()
	sc.addEnds(s.mark(u, sc))
	if ctx.Err() != nil {
		return context.Cause(ctx) // ends may be missing, even all
	}
	var starts []uint32 // of the last level that has any, if they are farther than others
	anywhere, k := s.p.Goals[u.goals[0]].Starts == nil, s.kind(r.Pieces, u.goals)
	told := time.Now()
	for level, n := 0, sc.advance(); n > 0; level, n = level+1, sc.advance() {
		r.Reached += n
		s.progress(n)
		keep := level > 0 && level >= s.longest(k)
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
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if keep && anywhere && sc.done() {
			sc.found(0, u.size)
		}
		if !first {
			r.Length = level
		}
		if s.o.Better != nil && time.Since(told) > time.Second && level > 0 && (!first || anywhere) {
			told = time.Now()
			if anywhere {
				s.better(level, u.start(uint32(sc.next(0, u.size))))
			} else {
				s.better(level, u.start(starts[0]))
			}
		}
	}
	if r.Length == 0 || r.Length < s.longest(k) {
		return nil
	}
	for _, number := range starts {
		r.Starts = append(r.Starts, s.least(u.start(number)))
	}
	sortStarts(r.Starts)
	r.Starts = slices.CompactFunc(r.Starts, sameStart)
	s.better(r.Length, u.start(starts[0]))
	return nil
}

// mark tells a scanner where the goal pieces start, and returns where they end, by place.
func (s *searcher) mark(u *unit, sc *scanner) (ends []bool) {
	ends = make([]bool, len(s.all))
	for _, goal := range u.goals {
		starts, at := s.placesOf(goal)
		for _, id := range at {
			ends[id] = true
		}
		for _, id := range starts {
			sc.starts[id] = s.p.Goals[goal].Starts != nil
		}
	}
	return ends
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
		st.Pieces = append(st.Pieces, Shape{u.cellsOf(u.all[id].mask), u.forms[u.all[id].shape].axis})
	}
	return st
}

// longest returns the length of the hardest puzzles of a kind so far. Strict puzzles count among the loose ones.
func (s *searcher) longest(k kind) (length int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range []kind{k, {pieces: k.pieces}} {
		if r := s.results[one]; r != nil {
			length = max(length, r.Length)
		}
	}
	return length
}

// better reports a puzzle if it is harder than all before.
func (s *searcher) better(length int, st Start) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if length > s.best && s.o.Better != nil {
		s.best = length
		s.o.Better(length, st)
	}
}

// merge adds the result of a unit to those of its kind.
func (s *searcher) merge(k kind, r Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.results[k] == nil {
		s.results[k] = &Result{Pieces: k.pieces}
	}
	s.results[k].add(r)
}

// add adds the result of other puzzles with the same number of pieces.
func (all *Result) add(r Result) {
	all.Placements += r.Placements
	all.Reached += r.Reached
	switch {
	case r.Length > all.Length:
		all.Length, all.Starts = r.Length, slices.Clone(r.Starts)
	case r.Length == all.Length:
		all.Starts = append(all.Starts, r.Starts...)
	}
}

// sorted returns the results by the number of pieces.
func (s *searcher) sorted() (all []Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for pieces := range len(s.p.Board.Cells) + 1 {
		r := Result{Pieces: pieces}
		for _, k := range []kind{{pieces, false}, {pieces, true}} {
			if s.results[k] != nil {
				r.add(*s.results[k])
			}
		}
		sortStarts(r.Starts)
		r.Starts = slices.CompactFunc(r.Starts, sameStart)
		if r.Placements > 0 {
			all = append(all, r)
		}
	}
	return all
}
