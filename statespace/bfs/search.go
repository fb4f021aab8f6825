package bfs

import (
	"context"
	"fmt"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// MaxDepthBits bounds the entries of Depths: distances are at most 2^16 - 2.
const MaxDepthBits = 16

var errDepth = fmt.Errorf("a state is more than %d moves from the roots; whole distances go no farther", 1<<MaxDepthBits-2)

// Options say how to search.
type Options struct {
	// ToGoal ends the search with the first level that has a goal.
	ToGoal bool
	// Threads is the number of threads. 0 means 1.
	Threads int
	// Whole keeps whole distances of an undirected graph too.
	Whole bool
	// Levels says that only the Result is wanted. Then a search with a Stepper that needs no marks keeps no
	// marks: it has no Marks, Distances and Members. Other searches are as without Levels.
	Levels bool
	// Unsaved says that nobody saves the search when ctx ends. Then a search without marks stops within a
	// level. Otherwise it ends the level first, as only whole levels can be saved.
	Unsaved bool
	// Visit, if not nil, is called with each state once, when its moves are made: bit i of
	// word is number first+i. The level is its distance, and worker the number of the thread,
	// from 0. Several threads call at once. A graph with a Stepper makes no calls.
	Visit func(worker, level int, first, word uint64)
}

// A Result is what a search has found so far.
type Result struct {
	// Layers counts the states at each distance.
	Layers []uint64
	// Goals are the nearest goals, in order. Length is their distance.
	Goals  []uint64
	Length int
	// Whole says that the search has found everything that the roots reach.
	Whole bool
}

// States returns how many states were found.
func (r *Result) States() uint64 { return lists.Sum(r.Layers) }

// A Search is a breadth-first search of a graph. It must be closed after use.
type Search struct {
	Result
	graph   statespace.Graph
	options Options
	frontier
	depths  *Depths            // or nil
	stepper statespace.Stepper // or nil
	levels  statespace.Stepper // the stepper, if the search keeps no marks
	workers []*worker
	memory  mapped.Arena
	level   int    // whose moves come next
	count   uint64 // states of the level
	next    uint64 // states of the next level, so far
	ended   bool
}

// sharedLevel is the number of states for which a level gets another thread. Tests change it.
var sharedLevel uint64 = 2048

// New begins a search. MemoryOf is how much memory it takes, except for lists of goals. When
// ctx ends before the memory is there, New returns the cause.
func New(ctx context.Context, g statespace.Graph, o Options) (*Search, error) {
	o.Threads = max(1, o.Threads)
	s := &Search{graph: g, options: o}
	if err := s.begin(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// begin gets the memory and enters the roots.
func (s *Search) begin(ctx context.Context) (err error) {
	g, threads := s.graph, s.options.Threads
	words := bitset.Words(g.Size)
	if s.options.Levels && g.LevelWords > 0 && g.Undirected && !s.options.Whole {
		s.levels = g.NewStepper(nil, threads)
		s.enterRoots(s.levels)
		return nil
	}
	if s.marks, err = s.memory.Words(ctx, MarkBits*words, threads); err != nil {
		return err
	}
	if !g.Undirected || s.options.Whole {
		g.NewStepper = nil // it makes no whole distances
		s.graph = g
		s.depths = &Depths{n: g.Size}
	}
	if g.NewStepper != nil {
		s.enterRoots(g.NewStepper(s.marks, threads))
		return nil
	}
	if s.closed, err = s.memory.Words(ctx, words, threads); err != nil {
		return err
	}
	for i := range s.dirty {
		s.dirty[i] = make([]uint64, (words+63)/64)
	}
	for i := range threads {
		w := &worker{search: s, number: i}
		if g.NewBlockExpander != nil {
			w.blocks = g.NewBlockExpander()
			w.expander = w.blocks
		} else {
			w.expander = g.NewExpander()
		}
		s.workers = append(s.workers, w)
	}
	for x := range g.Roots {
		s.count += s.add([]uint64{x}, 0)
	}
	return nil
}

// enterRoots makes the levels by a Stepper.
func (s *Search) enterRoots(stepper statespace.Stepper) {
	s.stepper = stepper
	for x := range s.graph.Roots {
		s.stepper.Start(x)
		s.count++
	}
}

// MemoryOfLevels is MemoryOf for a search with Options.Levels.
func MemoryOfLevels(g statespace.Graph) uint64 {
	if g.LevelWords == 0 {
		return MemoryOf(g)
	}
	return g.LevelMemory + 12<<20 // with lists of small levels that are no longer needed
}

// MemoryOf returns about how many bytes the search of a graph takes. Whole distances are not
// included: they take a bit for each number and each bit of the greatest entry.
func MemoryOf(g statespace.Graph) uint64 {
	words := bitset.Words(g.Size)
	bytes := 8 * MarkBits * words
	if g.NewStepper == nil {
		bytes += 8*words + 2*words/8
	}
	return bytes + g.Memory + 1<<20
}

// Close gives the memory back. The marks, distances and members of the search must not be used
// any more.
func (s *Search) Close() {
	s.memory.Free()
	s.depths.Free()
	s.depths, s.stepper, s.levels = nil, nil, nil
}

// Run searches to the end. It calls between, if that is not nil, between levels. If between
// returns an error, Run stops and returns it. When ctx ends, Run stops soon and returns the
// cause. The search can be saved then, and at its end. Another Run can continue it after an error of
// between, and if the graph has no Stepper, also after the end of ctx. Progress counts the
// states that are reached, of all numbers; it may be nil.
func (s *Search) Run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	return mapped.Guard(func() error { return s.run(ctx, between, progress) })
}

func (s *Search) run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	progress.Start(int64(min(s.graph.Size, 1<<62)))
	progress.Add(int64(s.States()))
	for !s.ended {
		if s.count == 0 {
			s.Whole, s.ended = true, true
			break
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(s.Layers) == s.level {
			s.Layers = append(s.Layers, s.count)
			progress.Add(int64(s.count))
		}
		next, err := s.step(ctx)
		if err != nil {
			return err
		}
		if s.options.ToGoal && len(s.Goals) > 0 {
			s.ended = true
			if s.stepper == nil {
				s.forgetOpen()
			}
			break
		}
		s.level, s.count = s.level+1, next
		if between != nil && next > 0 {
			if err := between(); err != nil {
				return err
			}
		}
	}
	return nil
}

// step makes the moves of the level, and finds its goals unless a level before has goals. It
// returns how many states the next level has.
func (s *Search) step(ctx context.Context) (next uint64, err error) {
	look := s.graph.HasGoals && (len(s.Goals) == 0 || s.Length == s.level)
	if s.stepper != nil {
		if look {
			s.foundGoals(s.stepper.Goals(s.level))
			if s.options.ToGoal && len(s.Goals) > 0 {
				return 1, nil // the next level is not made
			}
		}
		if s.marks == nil && !s.options.Unsaved {
			ctx = context.WithoutCancel(ctx)
		}
		return s.stepper.Step(ctx, s.level)
	}
	if s.depths != nil {
		if err := s.depths.grow(ctx, s.level, s.options.Threads); err != nil {
			return 0, err
		}
	}
	workers := s.workers[:1+min(uint64(len(s.workers)-1), s.count/sharedLevel)]
	for _, w := range workers {
		w.look, w.shared, w.goals = look, len(workers) > 1, w.goals[:0]
	}
	err = s.expand(ctx, workers)
	for _, w := range workers {
		s.next += w.count
		w.count = 0
		s.foundGoals(w.goals)
	}
	if err != nil {
		return 0, err
	}
	next, s.next = s.next, 0
	return next, nil
}

// foundGoals adds goals of the level.
func (s *Search) foundGoals(goals []uint64) {
	if len(goals) > 0 {
		s.Goals, s.Length = append(s.Goals, goals...), s.level
		slices.Sort(s.Goals)
		s.Goals = slices.Compact(s.Goals)
	}
}

// Marks returns the marks of all numbers.
func (s *Search) Marks() *bitset.Planes {
	planes, err := bitset.PlanesOver(s.marks, s.graph.Size, MarkBits)
	if err != nil {
		panic(err) // New has made the right number of words
	}
	return planes
}

// Distances returns the distances from the roots.
func (s *Search) Distances() Distances { return s.Members().Distances() }

// Members returns the set of the states that are reached.
func (s *Search) Members() *Members { return NewMembers(s.Marks(), s.depths) }

// NewMembers returns the set of the states that have marks. Depths has their whole distances,
// or is nil.
func NewMembers(marks *bitset.Planes, depths *Depths) *Members {
	return &Members{Support: bitset.Support{Planes: marks}, depths: depths}
}

// Members is the set of the states that a search has reached, with their distances. It is a
// bitset.Finder. It is valid until the search is closed.
type Members struct {
	bitset.Support
	depths *Depths
	values *Values
}

// WithValues returns the members with the values of their states, which must be freed, if the space has
// some. See FindValues.
func (m *Members) WithValues(ctx context.Context, sp statespace.Space, threads int, progress *statespace.Progress) (*Members, error) {
	if !sp.Parts().Values.Any() || m.depths == nil {
		return m, nil
	}
	values, err := FindValues(ctx, sp, m, threads, progress)
	return m.Valued(values), err
}

// Valued returns the members with values that were found for them, or with nil.
func (m *Members) Valued(values *Values) *Members { return &Members{m.Support, m.depths, values} }

// Values returns the values of the states, or nil if they have none.
func (m *Members) Values() *Values { return m.values }

// Marks returns the marks of all numbers.
func (m *Members) Marks() *bitset.Planes { return m.Planes }

// Depths returns the whole distances, or nil if the search keeps none.
func (m *Members) Depths() *Depths { return m.depths }

// Distances returns the distances from the roots.
func (m *Members) Distances() Distances {
	if m.depths != nil {
		return Distances{Whole: true, At: func(x uint64) (uint16, error) { return m.depths.Entry(x), nil }}
	}
	return Marked(m.Planes)
}
