package ask

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/cells"
	"pagoda/statespace/paths"
)

// A PathQuestion says which paths are asked for. The zero value asks for one path from the
// start: in a space without layers, a shortest one.
type PathQuestion struct {
	// From, if not empty, is the state in which paths begin instead of the start. If the space
	// has a way of its own to begin anywhere (statespace.Parts.StartAt), it may lie in another class than the start.
	From string
	// Via, if not empty, is a state that paths go through, in a space with layers.
	Via string
	// All counts all paths. Random draws one: each is as likely as any other. Fewest finds a
	// path with the fewest moves, where moves of the same piece that follow one another count
	// as one; it needs a space with layers that says which cells a move uses
	// (statespace.Sweep.Places). With All it counts those with the fewest moves. Random goes with
	// neither.
	//
	// In a space without layers, paths are shortest ones, and differ if they go through
	// different states.
	All, Random, Fewest bool
	// List is the number of paths to list. With All, 0 lists all of them, and nil only counts.
	// With Random, nil draws one. Otherwise List has no meaning.
	List *int
	// Rand is the source of random numbers for Random; nil is a new one.
	Rand *rand.Rand
	// Options has the limits for what is enumerated: Memory, Threads and Meter are used. Without
	// Memory, one path takes at most that of the file.
	Options run.Options
	// Cells says how Solution.WriteText writes the cells of moves.
	Cells cells.Notation
}

// enumerates reports whether the question is one that takes memory for all positions on paths, or
// for what can be reached from a state.
func (q *PathQuestion) enumerates() bool {
	return q.All || q.Random || q.Fewest || q.From != "" || q.Via != ""
}

// check refuses what does not go together.
func (q *PathQuestion) check() error {
	switch {
	case q.Random && (q.All || q.Fewest):
		return Questionf("a random path goes neither with all paths nor with the fewest moves: choose one")
	case q.List != nil && (*q.List < 0 || *q.List == 0 && q.Random):
		return Questionf("the number of paths to list is %d: expected 1 or more, or 0 for all paths", *q.List)
	}
	return nil
}

// Paths finds paths in a file, to one state after the other. It must be closed after use. Its
// methods may not be called by several goroutines at once.
type Paths struct {
	PathQuestion
	ctx     context.Context
	file    *File // nil: the members are not those of the file
	space   statespace.Space
	members bitset.Reader
	// Of a space without layers.
	distances bfs.Distances
	most      int                // no state is farther from the start
	found     *run.Found         // by a run from another start
	goals     []statespace.Index // that it has found
	graph     *bfs.ValuedGraph
	// Of a space with layers.
	member  paths.Member
	via     *part  // nil: paths may lead anywhere
	blocked string // if not empty, why there are no paths at all
	used    uint64 // bytes of sets
	frees   []func()
}

// Paths prepares to find paths. It enumerates what can be reached from another start, or
// through a state, and finds the distances anew if the file keeps none. The error is an
// ErrQuestion if the space cannot answer, and a *statespace.MemoryError if it takes more memory than
// is allowed. ctx is that of the answers, too.
func (f *File) Paths(ctx context.Context, q PathQuestion) (*Paths, error) {
	if q.Options.Memory == 0 && !q.enumerates() {
		q.Options.Memory = f.Memory()
	}
	return newPaths(&Paths{PathQuestion: q, ctx: ctx, file: f, space: f.Space(), members: f.Members()})
}

// PathsOf is File.Paths for a space without a file: it enumerates what the start reaches.
func PathsOf(ctx context.Context, sp statespace.Space, q PathQuestion) (*Paths, error) {
	return newPaths(&Paths{PathQuestion: q, ctx: ctx, space: sp})
}

// newPaths prepares the paths of a file, or of a space without one.
func newPaths(p *Paths) (_ *Paths, err error) {
	q := &p.PathQuestion
	if err := q.check(); err != nil {
		return nil, err
	}
	if q.Rand == nil {
		q.Rand = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	p.member = func(x statespace.Index) (bool, error) { return bitset.Has(p.members, x) }
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	layered := p.space.Parts().Layers != nil
	if q.Fewest && (!layered || places(p.space) == nil) {
		return nil, Questionf("the fewest moves are for puzzles whose moves take one piece and lose something; this is %s", p.space.Name())
	}
	if q.Via != "" && !layered {
		return nil, Questionf("a path through a position is for puzzles whose moves lose something; paths of %s are shortest ones", p.space.Name())
	}
	quotient := p.space.Parts().Symmetry.Quotient
	if quotient != nil && p.file == nil {
		return nil, Questionf("%s has a state for several that are alike: run it, and ask its file for paths", p.space.Name())
	}
	if quotient != nil {
		if err := p.inWhole(quotient); err != nil {
			return nil, err
		}
	} else if q.From != "" {
		start, err := p.startAt("from", q.From)
		if err != nil {
			return nil, err
		}
		p.space, p.file = start, nil
	}
	if !layered {
		return p, p.measure()
	}
	if p.file == nil {
		if p.members, err = p.enumerate(p.space); err != nil {
			return nil, err
		}
	}
	if q.Via != "" {
		err = p.through(q.Via)
	}
	return p, err
}

// Close gives back the memory.
func (p *Paths) Close() {
	for _, free := range p.frees {
		free()
	}
	p.frees = nil
}

// startAt returns the space that begins in a state, which a part of the question names.
func (p *Paths) startAt(part, text string) (statespace.Space, error) {
	sp, err := statespace.StartAt(p.ctx, p.space, text)
	if err != nil {
		return nil, &PartError{part, Shorten(text), err}
	}
	return sp, nil
}

// To finds paths to a state. If the state cannot be reached, the answer says why, and names the
// nearest members if the space has cells. A text that is no state is an ErrQuestion. The
// Solution must be closed before the Paths.
func (p *Paths) To(state string) (s *Solution, err error) {
	err = mapped.Guard(func() error {
		s, err = p.to(state)
		return err
	})
	return s, err
}

func (p *Paths) to(state string) (*Solution, error) {
	r, err := reach(p.members, p.space, state)
	if err != nil {
		return nil, err
	}
	s := &Solution{Reach: r, paths: p, free: func() {}}
	if p.blocked != "" {
		s.Reachable, s.Reason, s.Detail = false, Via, p.blocked
		return s, nil
	}
	if !r.Reachable {
		return s, s.offer(p.ctx)
	}
	return s, p.find(s, []statespace.Index{r.State})
}

// ToGoal finds shortest paths to the nearest goals of a space without layers. It is an
// ErrQuestion if the puzzle has no goal. The Solution must be closed before the Paths.
func (p *Paths) ToGoal() (s *Solution, err error) {
	err = mapped.Guard(func() error {
		s, err = p.toGoal()
		return err
	})
	return s, err
}

func (p *Paths) toGoal() (*Solution, error) {
	switch layered := p.space.Parts().Layers != nil; {
	case !p.space.Parts().Goals.Any():
		return nil, Questionf("%s has no goal: give a pattern", p.space.Name())
	case layered:
		return nil, Questionf("the nearest goal is for puzzles without layers; %s has some: give a pattern", p.space.Name())
	}
	nearest, distance, err := p.nearestGoals()
	if err != nil {
		return nil, err
	}
	if len(nearest) == 0 {
		detail := fmt.Sprintf("no goal is among the %d positions that can be reached", p.states())
		return &Solution{Reach: Reach{Pattern: "goal", Reason: Goal, Detail: detail}, paths: p, free: func() {}}, nil
	}
	s := &Solution{Reach: Reach{Pattern: p.space.Format(nearest[0]), Reachable: true, State: nearest[0]}, paths: p, free: func() {}}
	if err := p.find(s, nearest); err != nil {
		return nil, err
	}
	if s.length != distance {
		return nil, p.fault(fmt.Sprintf("it says that the nearest goal is at distance %d, and the path there has %d moves", distance, s.length))
	}
	return s, nil
}

// nearestGoals returns the nearest goals, as far as they are listed, and their distance. There
// are none if no goal can be reached.
func (p *Paths) nearestGoals() (nearest []statespace.Index, distance int, err error) {
	if p.found != nil {
		return p.goals, max(0, p.found.Length), nil
	}
	goal := p.file.Meta().Goal
	if goal == nil {
		return nil, 0, nil
	}
	if goal.Count > uint64(len(goal.Nearest)) && (p.All || p.Random) {
		return nil, 0, Questionf("%s lists %d of the %d nearest goals: give one of them as a pattern", p.file.Path(), len(goal.Nearest), goal.Count)
	}
	for _, x := range goal.Nearest {
		if !p.space.Parts().Goals.Has(x) {
			return nil, 0, p.fault(fmt.Sprintf("it says that %s is a goal, and it is none", p.space.Format(x)))
		}
	}
	return goal.Nearest, goal.Distance, nil
}

// states returns how many states can be reached in a space without layers.
func (p *Paths) states() uint64 {
	if p.found != nil {
		return p.found.States()
	}
	return p.file.Meta().States
}

// fault is the error of answers that contradict each other.
func (p *Paths) fault(detail string) error {
	if p.file == nil {
		return errors.New(detail)
	}
	return p.file.Damaged(detail)
}

// find fills in what was asked for of the paths to states; of a space with layers there is
// one.
func (p *Paths) find(s *Solution, to []statespace.Index) (err error) {
	if p.space.Parts().Layers != nil {
		err = p.layered(s, p.space, to[0])
	} else {
		err = p.shortest(s, to)
	}
	if err == nil && s.list == nil && s.Count == nil {
		s.Route, err = s.route(s.Path)
	}
	return p.explain(err)
}

// explain says what an error about paths means here.
func (p *Paths) explain(err error) error {
	switch {
	case errors.Is(err, statespace.ErrMemory) && (p.All || p.Random || p.Fewest):
		return Questionf("%w; a path, if any will do, needs no table", err)
	case errors.Is(err, statespace.ErrMemory):
		return &questionError{err}
	case p.file != nil:
		return p.file.explain(err)
	}
	return err
}

// listed yields as many paths as are asked for, until ctx ends. An error comes last.
func (p *Paths) listed(all iter.Seq2[statespace.Path, error]) iter.Seq2[statespace.Path, error] {
	return mapped.List(func(yield func(statespace.Path) bool) error {
		n := 0
		for path, err := range all {
			if err == nil && p.ctx.Err() != nil {
				err = context.Cause(p.ctx)
			}
			if err != nil {
				return err
			}
			if n++; !yield(path) || n == *p.List {
				break
			}
		}
		return nil
	})
}

// An enumeration is all paths that a question is about.
type enumeration struct {
	total func() *big.Int
	all   iter.Seq2[statespace.Path, error]
	draw  func() (statespace.Path, error) // each path is as likely as any other
}

// answer fills in what was asked for, which is more than one path that will do.
func (p *Paths) answer(s *Solution, e enumeration) (err error) {
	switch {
	case p.All:
		s.Count = e.total()
		if p.List != nil {
			s.list = p.listed(e.all)
		}
	case p.List != nil:
		s.list = p.listed(drawn(e.draw))
	default:
		s.Path, err = e.draw()
	}
	return err
}

// drawn yields random paths without an end, unless there is an error.
func drawn(draw func() (statespace.Path, error)) iter.Seq2[statespace.Path, error] {
	return func(yield func(statespace.Path, error) bool) {
		for {
			path, err := draw()
			if !yield(path, err) || err != nil {
				return
			}
		}
	}
}

// PathTo finds one path from the start to a state, as Paths and To with the zero PathQuestion.
func (f *File) PathTo(ctx context.Context, state string, o run.Options) (*Solution, error) {
	p, err := f.Paths(ctx, PathQuestion{Options: o})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return p.To(state)
}

// AtOnce reports whether the file itself holds what paths need. If not, Paths searches the
// whole space first.
func (f *File) AtOnce() bool {
	if f.Space().Parts().Layers != nil {
		return true
	}
	_, ok := f.Distances()
	return ok || f.Pointer() != nil
}
