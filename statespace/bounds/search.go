// Package bounds finds shortest paths of a space without listing its states: it searches depth-first, to one length
// after another, and turns back where the moves made and a lower bound of those to come are too many (IDA*: Korf,
// Depth-first iterative-deepening, Artificial Intelligence 27, 1985). So it proves that no path is shorter. The bounds
// are those of the space, see statespace.Bounds, and the walks those that these make, or those of Plain.
//
// Threads share tasks: beginnings of paths, which lead to different states. What is found is the least of all
// shortest paths in the order of the moves, on any number of threads.
package bounds

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"pagoda/internal/mapped"
	"pagoda/internal/memory"
	"pagoda/statespace"
)

// Options say how to search.
type Options struct {
	Threads int // 0 is 1
	// All finds the states of all shortest paths.
	All bool
	// Words is the greatest length of words of moves that are left out because others replace them; 0 leaves out none.
	// It takes a Tracer.
	Words int
	// AtLeast is what is known before: no path has fewer moves.
	AtLeast int
}

// A Result is what a search has found so far.
type Result struct {
	// Path has the codes of the states from the root to a goal; nil: no path is known. It is a shortest one if Proved.
	Path   [][]uint64
	Proved bool
	// AtLeast is what the search has proved: no path has fewer moves.
	AtLeast int
	// Whole says that no goal can be reached.
	Whole bool
	// Nodes counts the states to which moves led, each as often as it was met.
	Nodes uint64
	// All has the codes of the states on shortest paths, each once, if Options.All asks for them.
	All [][]uint64
}

// A Search looks for a shortest path from a root to a goal.
type Search struct {
	Result
	o      Options
	walks  *statespace.Walks
	root   []uint64
	levels [][]task // the states near the root, by their distance; the last are the tasks
	words  *automaton
	length int // of its words
	limit  int // of the moves, now
	best   []uint16
	weight int // how many of the weights were tried

	// What threads share while they are at tasks.
	mutex sync.Mutex
	over  int      // the least bound above the limit
	nodes []uint64 // by task, and 1; 0: it is not done
	first atomic.Int64
}

// A task is the beginning of a path, with its end.
type task struct {
	moves []uint16
	code  []uint64
}

// none is above all bounds.
const none = math.MaxInt32

// Longer words and more tasks are worth their time when the search is long.
var efforts = []struct {
	nodes         uint64
	length, tasks int
}{{0, 10, 256}, {1 << 22, 12, 4096}, {1 << 30, 14, 4096}}

// New begins a search from the state of a code. An error is one of tables that are damaged.
func New(walks *statespace.Walks, root []uint64, o Options) (s *Search, err error) {
	err = mapped.Guard(func() error { s = begin(walks, root, o); return nil })
	return s, err
}

func begin(walks *statespace.Walks, root []uint64, o Options) *Search {
	o.Threads = max(1, o.Threads)
	w := walks.New()
	w.Start(root)
	s := &Search{o: o, walks: walks, root: root, limit: max(w.Bound(), o.AtLeast), over: none, levels: [][]task{{{code: root}}}}
	s.AtLeast = s.limit
	if w.Goal() {
		s.best, s.Proved, s.Path, s.All = []uint16{}, true, [][]uint64{root}, [][]uint64{root}
		return s
	}
	s.spread(w, efforts[0].tasks)
	return s
}

// spread searches breadth-first from the root, where the walk is, until a level has enough tasks or a state is a goal.
func (s *Search) spread(w statespace.Walk, tasks int) {
	seen := map[string]bool{}
	for _, t := range slices.Concat(s.levels...) {
		seen[text(t.code)] = true
	}
	for last := s.tasks(); len(last) > 0 && len(last) < tasks; {
		var next []task
		for _, t := range last {
			t.start(w)
			for _, m := range w.Moves(nil) {
				w.Do(m)
				s.Nodes++
				end := task{append(slices.Clip(t.moves), m), w.Code(nil)}
				if !seen[text(end.code)] {
					seen[text(end.code)] = true
					next = append(next, end)
				}
				if w.Goal() && !s.Proved {
					s.best, s.Proved, s.limit, s.AtLeast = end.moves, true, len(end.moves), len(end.moves)
				}
				w.Undo()
			}
			t.back(w)
		}
		if s.Proved {
			return
		}
		s.levels, last = append(s.levels, next), next
	}
	s.nodes = make([]uint64, len(s.tasks()))
	s.Whole = len(s.tasks()) == 0
}

func (s *Search) tasks() []task { return s.levels[len(s.levels)-1] }

// text makes a code the key of a map.
func text(code []uint64) string { return string(mapped.Bytes(code)) }

// A State says how far a search has come.
type State struct {
	Limit  int      `json:"limit"` // of the moves, now
	Over   int      `json:"over"`  // the least bound above the limit, so far
	Nodes  uint64   `json:"nodes"` // up to the limits before
	Words  int      `json:"words"` // the length of words that are left out
	Weight int      `json:"weight"`
	Best   []uint16 `json:"best"` // the moves of the best path that is known, or null
}

// Save returns what restores the search, which must not run: the nodes of each task that is done, and 1; else 0.
func (s *Search) Save() (State, []uint64) {
	return State{s.limit, s.over, s.Nodes, s.length, s.weight, s.best}, slices.Clone(s.nodes)
}

// Restore makes a new search what another one of the same root, with the same options but for the threads, was when it
// was saved. The error says why none can have saved that.
func (s *Search) Restore(state State, nodes []uint64) error {
	if s.Proved || s.Whole || state.Limit < s.limit || state.Over <= state.Limit || state.Words > s.o.Words || state.Weight < 0 || state.Weight > len(weights) || len(nodes) > 1<<20 {
		return fmt.Errorf("a search that begins with the limit %d cannot have come to %+v", s.limit, state)
	}
	w := s.walks.New()
	w.Start(s.root)
	for i, m := range state.Best {
		if !slices.Contains(w.Moves(nil), m) {
			return fmt.Errorf("move %d of the best path, %d, cannot be made", i+1, m)
		}
		w.Do(m)
	}
	if state.Best != nil && !w.Goal() {
		return errors.New("the best path ends in no goal")
	}
	for len(s.tasks()) < len(nodes) && !s.Proved && !s.Whole {
		w.Start(s.root)
		s.spread(w, len(nodes))
	}
	if len(s.tasks()) != len(nodes) || s.Proved {
		return fmt.Errorf("there should be %d tasks, found %d", len(s.tasks()), len(nodes))
	}
	s.useWords(state.Words)
	s.limit, s.AtLeast, s.over, s.Nodes, s.weight, s.best = state.Limit, state.Limit, state.Over, state.Nodes, state.Weight, state.Best
	copy(s.nodes, nodes)
	return nil
}

// Run searches to the end. It calls between when the search can be saved. When ctx ends, Run stops soon and returns the
// cause; then the Result says what is known.
func (s *Search) Run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	for !s.Proved && !s.Whole {
		s.takeEffort()
		if s.Proved || s.Whole {
			break
		}
		s.approach(ctx)
		if err := s.deepen(ctx, between, progress); err != nil {
			s.Path = s.pathOf(s.best)
			return err
		}
		for _, n := range s.nodes[:min(len(s.nodes), int(s.first.Load())+1)] {
			s.Nodes += n - 1
		}
		clear(s.nodes)
		if s.Proved = s.first.Load() < int64(len(s.nodes)) || s.best != nil && s.over >= len(s.best); s.Proved {
			s.AtLeast = len(s.best)
			break
		}
		if s.Whole = s.over == none; !s.Whole {
			s.limit, s.AtLeast, s.over = s.over, s.over, none
		}
	}
	s.Path = s.pathOf(s.best)
	if s.o.All && s.Proved && s.All == nil {
		return s.collect(ctx, progress)
	}
	return nil
}

// takeEffort takes the words and tasks that pay now. When tasks are left of those before, it takes no others.
func (s *Search) takeEffort() {
	if slices.ContainsFunc(s.nodes, func(n uint64) bool { return n > 0 }) {
		return
	}
	for _, e := range efforts {
		if s.Nodes < e.nodes {
			break
		}
		s.useWords(min(e.length, s.o.Words))
		if len(s.tasks()) < e.tasks {
			w := s.walks.New()
			w.Start(s.root)
			s.spread(w, e.tasks)
		}
	}
}

// useWords makes the automaton of words up to a length.
func (s *Search) useWords(length int) {
	if s.walks.Tracer == nil || length <= s.length {
		return
	}
	s.words, s.length = s.automaton(length, false), length
}

// automaton returns an automaton that all searches share.
func (s *Search) automaton(length int, all bool) *automaton {
	made, _, _ := s.walks.Kept.Get(fmt.Sprint("words ", length, all), func() (any, func(), error) { return newAutomaton(s.walks.Tracer, length, all), nil, nil })
	return made.(*automaton)
}

// pathOf returns the codes of the states that moves go through; nil without moves.
func (s *Search) pathOf(moves []uint16) (path [][]uint64) {
	if moves == nil {
		return nil
	}
	w := s.walks.New()
	w.Start(s.root)
	path = append(path, s.root)
	for _, m := range moves {
		w.Moves(nil)
		w.Do(m)
		path = append(path, w.Code(nil))
	}
	return path
}

// start goes from the root to the end of a task, and back takes the moves back.
func (t task) start(w statespace.Walk) {
	for _, m := range t.moves {
		w.Moves(nil)
		w.Do(m)
	}
}

func (t task) back(w statespace.Walk) {
	for range t.moves {
		w.Undo()
	}
}

// deepen does the tasks that are left, up to the limit. It keeps the path of the first one that finds one.
func (s *Search) deepen(ctx context.Context, between func() error, progress *statespace.Progress) error {
	s.first.Store(int64(len(s.nodes)))
	return s.each(ctx, func(w *worker, i int) error {
		if s.nodes[i] > 0 || int64(i) > s.first.Load() {
			return nil
		}
		found := w.do(s.tasks()[i], i)
		progress.Add(int64(w.nodes))
		s.mutex.Lock()
		defer s.mutex.Unlock()
		switch {
		case w.quit:
			return context.Cause(ctx) // nil if another task has found a path
		case found && int64(i) < s.first.Load():
			s.first.Store(int64(i))
			s.best = append(slices.Clip(s.tasks()[i].moves), w.path()...)
		}
		s.over = min(s.over, w.over)
		s.nodes[i] = w.nodes + 1
		if s.first.Load() == int64(len(s.nodes)) && between != nil {
			return between()
		}
		return nil
	})
}

// each calls do with all tasks, on all threads.
func (s *Search) each(ctx context.Context, do func(w *worker, i int) error) error {
	workers := make([]*worker, s.o.Threads)
	for i := range workers {
		workers[i] = s.worker(ctx)
	}
	return mapped.EachWith(ctx, workers, uint64(len(s.tasks())), func(w *worker, i uint64) error { return do(w, int(i)) })
}

// worker returns a worker at the root.
func (s *Search) worker(ctx context.Context) *worker {
	w := &worker{ctx: ctx, search: s, walk: s.walks.New(), weight: 2, limit: s.limit}
	if w.walk.Start(s.root); s.words != nil {
		w.words = *s.words
	}
	return w
}

// weights are halves: with a bound that is multiplied, a path is found sooner, and it may be longer.
var weights = []int{6, 4, 3}

// approach finds a path that need not be a shortest one, when the search is long enough to pay for it.
func (s *Search) approach(ctx context.Context) {
	for ; s.weight < len(weights) && s.Nodes >= 1<<22; s.weight++ {
		w := s.worker(ctx)
		w.weight, w.most = weights[s.weight], s.Nodes/8
		for w.limit = s.limit; ; w.limit = w.over {
			if w.do(s.levels[0][0], -1) {
				if moves := w.path(); s.best == nil || len(moves) < len(s.best) {
					s.best = moves
				}
				break
			}
			if w.quit || w.over == none {
				return
			}
		}
	}
}

// collect finds the states on all shortest paths.
func (s *Search) collect(ctx context.Context, progress *statespace.Progress) error {
	if s.limit, s.words = len(s.best), nil; s.walks.Tracer != nil && s.o.Words > 0 {
		s.words = s.automaton(efforts[0].length, true)
	}
	on, last := map[string]bool{}, map[string]bool{} // the codes on shortest paths, and those of the tasks
	share := memory.For(ctx, "the states on shortest paths")
	defer share.Free()
	if err := s.each(ctx, func(w *worker, i int) error {
		w.on = map[string]bool{}
		found := w.do(s.tasks()[i], -1)
		progress.Add(int64(w.nodes))
		s.mutex.Lock()
		defer s.mutex.Unlock()
		maps.Copy(on, w.on)
		if found {
			last[text(s.tasks()[i].code)] = true
		}
		if w.quit {
			return context.Cause(ctx)
		}
		return share.Set(uint64(len(on)) * uint64(64+16*len(s.root)))
	}); err != nil {
		return err
	}
	w := s.walks.New()
	w.Start(s.root)
	for _, level := range slices.Backward(s.levels[:len(s.levels)-1]) {
		before := map[string]bool{}
		for _, t := range level {
			t.start(w)
			for _, m := range w.Moves(nil) {
				w.Do(m)
				if last[text(w.Code(nil))] {
					before[text(t.code)] = true
				}
				w.Undo()
			}
			t.back(w)
		}
		maps.Copy(on, before)
		last = before
	}
	for code := range on {
		s.All = append(s.All, slices.Clone(mapped.Words([]byte(code))))
	}
	slices.SortFunc(s.All, slices.Compare[[]uint64])
	return nil
}

// A worker does tasks, one at a time.
type worker struct {
	ctx    context.Context
	search *Search
	walk   statespace.Walk
	words  automaton
	limit  int // of the moves
	weight int // of the bounds, in halves
	most   uint64
	on     map[string]bool // if not nil, all paths are looked for, and these are the codes on them
	task   int64           // its number; below 0: nobody else looks for the same

	moves []uint16 // that can be made in the states on the path
	nodes uint64
	over  int // the least bound above the limit
	quit  bool
	found []uint16 // the moves of a path, the last one first
}

// do looks for a path from the end of a task.
func (w *worker) do(t task, number int) bool {
	w.task, w.nodes, w.over, w.quit, w.found = int64(number), 0, none, false, w.found[:0]
	state := int32(0)
	for _, m := range t.moves {
		if state = w.words.after(state, m); state < 0 {
			return false // the path that replaces it begins another task
		}
	}
	t.start(w.walk)
	defer t.back(w.walk)
	if length := len(t.moves) + w.walk.Bound()*w.weight>>1; length > w.limit {
		w.over = length
		return false
	}
	return w.visit(state, len(t.moves))
}

// path returns the moves of the path that was found.
func (w *worker) path() []uint16 {
	path := slices.Clone(w.found)
	slices.Reverse(path)
	return path
}

// visit looks for a path on from the state of the walk, to which some moves have led.
func (w *worker) visit(state int32, made int) (found bool) {
	first := len(w.moves)
	w.moves = w.walk.Moves(w.moves)
	for i := first; i < len(w.moves) && !w.quit; i++ {
		move := w.moves[i]
		next := w.words.after(state, move)
		if next < 0 {
			continue
		}
		bound := w.walk.Do(move)
		if w.nodes++; w.nodes&0xfff == 0 {
			w.quit = w.stopped()
		}
		here := false
		switch length := made + 1 + bound*w.weight>>1; {
		case length > w.limit:
			w.over = min(w.over, length)
		case bound == 0 && w.walk.Goal():
			here = true
			if w.on != nil {
				w.on[text(w.walk.Code(nil))] = true
			}
		default:
			here = w.visit(next, made+1)
		}
		w.walk.Undo()
		if here {
			found = true
			if w.on == nil {
				w.found = append(w.found, move)
				break
			}
		}
	}
	if found && w.on != nil {
		w.on[text(w.walk.Code(nil))] = true
	}
	w.moves = w.moves[:first]
	return found
}

// stopped reports whether nobody needs what the worker finds.
func (w *worker) stopped() bool {
	return w.ctx.Err() != nil || w.task >= 0 && w.task > w.search.first.Load() || w.most > 0 && w.nodes > w.most
}

// after returns the state after a move; below 0 if it is forbidden.
func (a *automaton) after(state int32, move uint16) int32 {
	if a.next == nil {
		return 0
	}
	return a.next[int(state)*a.moves+int(move)]
}
