package slide

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"pagoda/ask"
	"pagoda/puzzle"
	"pagoda/puzzle/slide/tray"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
)

// A player is what the page needs to play a puzzle on one floor. It is a puzzle.Player.
type player struct {
	file    *ask.File // nil: the board alone is known
	space   *Space
	graph   statespace.Graph // whose roots are the goals in the file
	options run.Options
	noHints string          // why there are none, or empty
	proves  bool            // hints come from a search with bounds, without a file
	kept    statespace.Kept // its tables

	turn      chan struct{} // one search at a time
	mu        sync.RWMutex  // guards what follows
	found     *bfs.Search   // from the goals; nil until the first hint
	closed    bool
	expanders sync.Pool
	last      atomic.Pointer[ask.Route] // the last solution that was found
}

// newPlayer is Page.Play. It returns nil for a puzzle of several floors, which the page cannot show.
func newPlayer(of statespace.Space, f *ask.File, o run.Options) (puzzle.Player, error) {
	original, _ := sparse.Original(of, statespace.Path{})
	s, ok := original.(interface{ plain() *Space })
	if !ok || s.plain().Puzzle().Floors() > 1 {
		return nil, nil
	}
	sp := s.plain()
	p := &player{file: f, space: sp, options: o, turn: make(chan struct{}, 1)}
	if !sp.Parts().Goals.Any() {
		p.noHints = "the puzzle has no goal"
	}
	if p.proves = f == nil && p.noHints == "" && of.Parts().Bounds.Walks != nil && len(sp.puzzle.Cells()) <= mostProved; f == nil || p.noHints != "" {
		return p, nil
	}
	p.graph = sp.Graph()
	p.graph.HasGoals = false
	p.expanders.New = func() any { return p.graph.NewExpander() }
	need, allowed := puzzle.ServerMemory+bfs.MemoryOf(p.graph), run.MemoryLimit(o.Memory)
	switch {
	case sp.Parts().Goals.Ends:
		p.noHints = "the file ends at the nearest goal, and hints need all positions"
	case need > allowed:
		p.noHints = (&statespace.MemoryError{Name: sp.Name(), Need: need, Most: "for the distances to the goals", Allowed: allowed}).Error()
	}
	return p, nil
}

// Close implements puzzle.Player.
func (p *player) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept.Close()
	if p.closed = true; p.found != nil {
		p.found.Close()
		p.found = nil
	}
}

// A slideBoard says how to draw a puzzle and play it.
type slideBoard struct {
	Kind   string        `json:"kind"` // slide
	Rows   int           `json:"rows"`
	Cols   int           `json:"cols"`
	Cells  []tray.Cell   `json:"cells"` // row and column
	Walls  []slideWall   `json:"walls"` // between two cells
	Gates  []slidePlace  `json:"gates"` // cells that only one piece may enter
	Pieces []slidePiece  `json:"pieces"`
	Start  string        `json:"start"`
	Puzzle string        `json:"puzzle"` // a text that draws it, as reach puzzle writes it
	Goals  [][]slideWant `json:"goals"`  // a position is solved if it has all places of one of these
	Metric slideMetric   `json:"metric"`
	// Length is the number of moves of a shortest solution; nil if there is none. Farthest is the
	// greatest distance from the start. Without a file they are nil and 0.
	Length   *int   `json:"length"`
	Farthest int    `json:"farthest"`
	NoHints  string `json:"no_hints,omitempty"` // why there are no hints, if there are none
}

type slideWall struct {
	Cell tray.Cell `json:"cell"`
	Side string    `json:"side"` // right or below
}

type slidePlace struct {
	Cell  tray.Cell `json:"cell"`
	Piece string    `json:"piece"`
}

type slidePiece struct {
	Piece string      `json:"piece"` // its letter
	Cells []tray.Cell `json:"cells"` // at the start
	Kind  int         `json:"kind"`  // pieces of the same kind are interchangeable
	Axis  string      `json:"axis"`  // free, horizontal or vertical
	Goal  bool        `json:"goal"`  // a goal names it, or a piece of its kind
}

type slideWant struct {
	Piece string      `json:"piece"` // or another of its kind
	Cells []tray.Cell `json:"cells"`
}

type slideMetric struct {
	Name     string `json:"name"`
	Counts   string `json:"counts"`   // what counts as one move
	Path     string `json:"path"`     // of one move: step, line or any
	Together bool   `json:"together"` // several pieces can move at once
}

// Board implements puzzle.Player.
func (p *player) Board() any {
	pz, m := p.space.Puzzle(), p.space.Metric()
	b := &slideBoard{Kind: "slide", Cells: pz.Cells(), Walls: []slideWall{}, Gates: []slidePlace{}, Goals: [][]slideWant{},
		Start: pz.FormatPosition(pz.Start()), Puzzle: textOf(pz), NoHints: p.noHints,
		Metric: slideMetric{m.String(), m.Counts(), [...]string{"step", "line", "any"}[m.Single()], m.Super()}}
	b.Rows, b.Cols = pz.Size()
	for _, w := range pz.Walls() {
		side := "right"
		if w.Side == tray.Down {
			side = "below"
		}
		b.Walls = append(b.Walls, slideWall{w.Cell, side})
	}
	names := pz.Pieces()
	for i, c := range b.Cells {
		if only := pz.Gate(i); only != tray.None {
			b.Gates = append(b.Gates, slidePlace{c, names[only : only+1]})
		}
	}
	for g := range pz.Goals() {
		wants := []slideWant{}
		for _, w := range pz.Wants(g) {
			wants = append(wants, slideWant{names[w.Piece : w.Piece+1], w.Cells})
		}
		b.Goals = append(b.Goals, wants)
	}
	for i, named := range pz.Named() {
		b.Pieces = append(b.Pieces, slidePiece{names[i : i+1], pz.PieceCells(pz.Start(), i), pz.KindOf(i), pz.Axis(i).String(), named})
	}
	if p.file == nil {
		return b
	}
	b.Farthest = max(0, len(p.file.Meta().Layers)-1)
	if goal := p.file.Meta().Goal; goal != nil {
		b.Length = &goal.Distance
	}
	return b
}

// A slideHint is the answer to Hint.
type slideHint struct {
	Pattern  string      `json:"pattern"`
	Distance *int        `json:"distance"` // to the nearest goal; nil if none can be reached
	Moves    []slideMove `json:"moves"`    // all that can be made
	Solution *ask.Route  `json:"solution"` // a shortest one; nil if there is none
	ToGoal   []uint64    `json:"to_goal"`  // how many positions are at each distance from the goals
}

// A slideMove is a move that can be made.
type slideMove struct {
	tray.Move
	Text     string `json:"text"`    // as query path writes it
	Pattern  string `json:"pattern"` // the position after it
	Distance *int   `json:"distance"`
	Keeps    bool   `json:"keeps"` // it is the first of a shortest solution
}

// Hint implements puzzle.Player. The target must be empty: hints lead to the goals of the puzzle.
func (p *player) Hint(ctx context.Context, pattern, target string) (h any, err error) {
	if p.noHints != "" {
		return nil, &puzzle.NoHintsError{Reason: p.noHints}
	}
	if p.file == nil && !p.proves {
		return nil, puzzle.ErrNoFile
	}
	if target != "" {
		return nil, ask.Questionf("hints of sliding blocks lead to the goals of the puzzle: expected no target, found %s", ask.Shorten(target))
	}
	pos, err := p.space.Puzzle().ParsePosition(pattern)
	if errors.Is(err, statespace.ErrOutside) {
		return nil, ask.Questionf("%s cannot be reached from the start: %w", ask.Shorten(pattern), err)
	}
	if err != nil {
		return nil, ask.BadPattern(pattern, err)
	}
	if p.proves {
		return p.prove(ctx, pos)
	}
	r, err := p.file.Has(pattern)
	if err == nil && !r.Reachable {
		err = ask.Questionf("%s cannot be reached from the start: %s", ask.Shorten(pattern), r.Detail)
	}
	if err == nil {
		err = p.search(ctx)
	}
	if err != nil {
		return nil, err
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	if p.closed {
		return nil, &puzzle.NoHintsError{Reason: "the file is closed"}
	}
	err = p.file.Read(func() error {
		h, err = p.answer(pos)
		return err
	})
	return h, err
}

// mostProved bounds the cells of n-puzzles that are solved in seconds.
const mostProved = 16

// proveTime is how long a search with bounds may take.
const proveTime = 20 * time.Second

// Proves implements puzzle.Prover.
func (p *player) Proves() bool { return p.proves }

// prove finds a shortest solution of a position by bounds. Of the moves, it knows the first alone.
func (p *player) prove(ctx context.Context, pos tray.Position) (*slideHint, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	pz := p.space.Puzzle().From(pos)
	h := &slideHint{Pattern: pz.FormatPosition(pos), Moves: []slideMove{}, ToGoal: []uint64{}}
	r := p.followed(h.Pattern)
	if r == nil && pz.Barred() == "" {
		var err error
		if r, err = p.searched(ctx, pz); err != nil {
			return nil, err
		}
		p.last.Store(r)
	}
	if h.Solution = r; r == nil {
		return h, nil
	}
	n := len(r.Moves)
	if h.Distance = &n; n > 0 {
		after := n - 1
		m := r.Moves[0].(tray.Move)
		h.Moves = []slideMove{{m, m.String(), r.Positions[1], &after, true}}
	}
	return h, nil
}

// searched returns a shortest solution of a puzzle, nil if it has none.
func (p *player) searched(ctx context.Context, pz *tray.Puzzle) (*ask.Route, error) {
	sp, err := New(ctx, p.space.name, pz, p.space.metric, false, p.options.Memory)
	if err != nil {
		return nil, err
	}
	o := p.options
	o.Engine, o.Engines, o.Path, o.Kept, o.Own = run.BoundsEngine, []run.Engine{run.Bounds}, true, &p.kept, &run.BoundsOptions{Time: proveTime}
	found, err := run.Find(ctx, sp, o)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	switch {
	case found.Length < 0 && found.Whole:
		return nil, nil
	case !found.Searched.Proved:
		return nil, &puzzle.NoHintsError{Reason: "a shortest solution takes too long to find: make some moves, and ask again"}
	}
	sp, paths, err := found.Shortest(ctx)
	if err != nil {
		return nil, err
	}
	_, moves, positions, err := paths.First(sp)
	return &ask.Route{Moves: moves, Positions: positions}, err
}

// search finds the distances from the goals, unless they were found before. One request searches, the
// others wait for it. If it gives up, the next one begins again.
func (p *player) search(ctx context.Context) error {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	p.mu.RLock()
	done := p.found != nil || p.closed
	p.mu.RUnlock()
	if done {
		return nil
	}
	var failed error
	g := p.graph
	if g.NewStepper != nil { // it makes the levels of a large puzzle far faster, around one root
		goals := 0
		if err := p.eachGoal(ctx, func(uint64) bool { goals++; return goals < 2 }); err != nil {
			return err
		}
		if goals != 1 {
			g.NewStepper = nil
		}
	}
	g.Roots = func(yield func(x uint64) bool) { failed = p.eachGoal(ctx, yield) }
	s, err := bfs.New(ctx, g, bfs.Options{Threads: p.options.Threads})
	if err != nil {
		return err
	}
	if err = failed; err == nil {
		err = s.Run(ctx, nil, nil)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil || p.closed {
		s.Close()
		return err
	}
	p.found = s
	return nil
}

// eachGoal yields the goals in the file, by the numbers of the space of the player.
func (p *player) eachGoal(ctx context.Context, yield func(x uint64) bool) error {
	if texts := p.space.Puzzle().DrawnGoals(); texts != nil { // no need to look at every position
		for _, text := range texts {
			if r, err := p.file.Has(text); errors.Is(err, ask.ErrQuestion) || err == nil && !r.Reachable {
				continue
			} else if err != nil {
				return err
			}
			if x, err := p.space.Parse(text); err != nil {
				return err
			} else if !yield(x) {
				return nil
			}
		}
		return nil
	}
	sp := p.file.Space()
	original, _ := sparse.Original(sp, statespace.Path{})
	isGoal := sp.Parts().Goals.Has
	if fast, ok := p.graph.NewExpander().(expander); ok && original == sp {
		isGoal = fast.Goal
	}
	return p.file.VisitAll(ctx, func(first, members uint64) bool {
		for ; members != 0; members &= members - 1 {
			x := first + uint64(bits.TrailingZeros64(members))
			if !isGoal(x) {
				continue
			}
			if _, path := sparse.Original(sp, statespace.Path{From: x}); !yield(path.From) {
				return false
			}
		}
		return true
	})
}

// answer makes the hint for a position. The caller holds the lock.
func (p *player) answer(pos tray.Position) (*slideHint, error) {
	pz := p.space.Puzzle()
	h := &slideHint{Pattern: pz.FormatPosition(pos), Moves: []slideMove{}, ToGoal: p.found.Layers}
	if h.ToGoal == nil {
		h.ToGoal = []uint64{}
	}
	x, err := p.space.Parse(h.Pattern)
	if err != nil {
		return nil, err
	}
	distances := p.found.Distances()
	if h.Solution, err = p.solution(distances, pos, x, h.Pattern); err != nil {
		return nil, err
	}
	if h.Solution != nil {
		h.Distance = new(len(h.Solution.Moves))
	}
	for _, s := range pz.Successors(p.space.Metric(), pos) {
		m := slideMove{Move: pz.Move(s), Pattern: pz.FormatPosition(s.To)}
		m.Text = m.Move.String()
		y, err := p.space.Parse(m.Pattern)
		if err != nil {
			return nil, err
		}
		if h.Solution != nil { // a move changes the distance by one at most
			d := *h.Distance
			switch {
			case distances.Before(y, x):
				d, m.Keeps = d-1, true
			case distances.Before(x, y):
				d++
			}
			m.Distance = &d
		}
		h.Moves = append(h.Moves, m)
	}
	return h, nil
}

// followed returns what is left of the last solution from a position on it, nil if it is not on it. People follow solutions, and
// each step depends on the position alone.
func (p *player) followed(text string) *ask.Route {
	if last := p.last.Load(); last != nil {
		if i := slices.Index(last.Positions, text); i >= 0 {
			return &ask.Route{Moves: last.Moves[i:], Positions: last.Positions[i:]}
		}
	}
	return nil
}

// solution returns a shortest solution of a position, whose number is x; nil if there is none.
func (p *player) solution(distances bfs.Distances, pos tray.Position, x uint64, text string) (*ask.Route, error) {
	if r := p.followed(text); r != nil {
		return r, nil
	}
	path, solvable, err := p.shortest(distances, x)
	if err != nil || !solvable {
		return nil, err
	}
	from := *p.space // in the path, interchangeable pieces may have the names of each other; here they keep theirs
	from.puzzle = from.puzzle.From(pos)
	r, err := ask.NewRoute(&from, path)
	if err == nil {
		p.last.Store(r)
	}
	return r, err
}

// shortest returns a shortest path to a goal. It reports false if none can be reached.
func (p *player) shortest(distances bfs.Distances, x uint64) (path statespace.Path, ok bool, err error) {
	path.From = x
	if entry, err := distances.At(x); entry == 0 || err != nil {
		return path, false, err
	}
	e := p.expanders.Get().(statespace.Expander)
	defer p.expanders.Put(e)
	var next []uint64
	for nearer := true; nearer; { // only a goal has no neighbour that is nearer
		next = e.Expand(next[:0], x&^63, 1<<(x&63), nil)
		slices.Sort(next) // their order depends on the processor
		nearer = false
		for _, y := range next {
			if distances.Before(y, x) {
				path.Steps = append(path.Steps, statespace.Step{State: y})
				x, nearer = y, true
				break
			}
		}
	}
	return path, true, nil
}
