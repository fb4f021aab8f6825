package chance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dustin/go-humanize"

	"pagoda/sorted"
	"pagoda/statespace"
)

// Options say how to solve a game. The zero value lists the states in memory, without values.
type Options struct {
	// Objectives are those whose values are computed. Without any, a Solver only goes forwards.
	Objectives []Objective
	// Threads is the number of threads, 0 is 1. What is found and written does not depend on it.
	Threads int
	// Memory bounds the bytes that the solver takes; 0 is no bound. Small buffers come on top.
	Memory uint64
	// Dir is a directory for the layers, which is made if it is not there and belongs to the
	// Solver. With "", layers are kept in memory, packed, and the values of states are not kept.
	Dir string
}

var errFull = errors.New("full")

// A Layer says what was found in a layer.
type Layer struct {
	Layer  int    `json:"layer"`
	States uint64 `json:"states"`
	// Raw counts the images of states under the symmetries of the game, too. Dead states have no moves. Afterstates are
	// those to which moves of the layer lead.
	Raw         uint64 `json:"raw"`
	Dead        uint64 `json:"dead"`
	Afterstates uint64 `json:"afterstates"`
	// List is the file of its states, Values that of their values, if they are computed.
	List   File  `json:"list"`
	Values *File `json:"values,omitempty"`
}

// A File is what the file of a layer is known by.
type File struct {
	Bytes  uint64 `json:"bytes"`
	CRC32C uint32 `json:"crc32c"`
}

// A Result is what a Solver has found.
type Result struct {
	Layers []Layer // in increasing order
	// States, Raw, Dead and Afterstates are the sums over the layers.
	States, Raw, Dead, Afterstates uint64
	// Values are those of the start, the mean over Game.Start: one for each column of the
	// objectives. Starts are those of each state of Game.Start.
	Values []float64
	Starts [][]float64
}

// A Solver solves a game. Its methods are for one goroutine at a time. It must be ended by Close or
// Discard.
type Solver struct {
	game    Game
	o       Options
	tables  tables
	workers chan *worker
	store   store
	columns []Term
	alone   []bool // by column: no other term belongs to its objective

	layers []*layer
	states uint64
	listed bool           // all layers are
	guess  uint64         // of the states of a layer to come: those of the last one, and some more
	ahead  map[int]*table // the states of layers to come; backwards, the values of layers that are done
	from   int            // backwards: layers from here on have values
	start  []draw
	values []float64
	room   []uint64 // for the states of a layer

	progress *statespace.Progress
}

// layer is a layer in the making.
type layer struct {
	Layer
	list *stored
	vals *stored // or nil
}

// draw is a start with its values, once they are known.
type draw struct {
	Draw
	values []float64
}

// A worker has what a thread needs.
type worker struct {
	rules  Rules
	moves  []Move
	draws  []Draw
	states []uint64
	value  []float64 // by move and column
	best   []float64
	mixes  []mix
	sums   []float64
	found  [][]uint64
	left   []int
}

// New makes a solver. Run begins at the start of the game, unless Restore is called.
func New(g Game, o Options) (*Solver, error) {
	o.Threads = max(1, o.Threads)
	s := &Solver{game: g, o: o, workers: make(chan *worker, o.Threads), ahead: make(map[int]*table), from: -1}
	for _, of := range o.Objectives {
		for _, t := range of.Terms {
			s.columns = append(s.columns, t)
			s.alone = append(s.alone, len(of.Terms) == 1)
		}
	}
	k := len(s.columns)
	if k > MostColumns {
		return nil, fmt.Errorf("the objectives have %d terms: expected at most %d", k, MostColumns)
	}
	for range o.Threads {
		s.workers <- &worker{rules: g.NewRules(), value: make([]float64, g.MostMoves()*k), best: make([]float64, k), mixes: make([]mix, k), sums: make([]float64, k)}
	}
	if len(g.Start()) == 0 {
		return nil, fmt.Errorf("%s has no start", g.Name())
	}
	for _, d := range g.Start() {
		s.start = append(s.start, draw{Draw: d})
	}
	s.store = store{dir: o.Dir}
	return s, nil
}

// Result returns what is found so far. Values is nil until Run has returned without an error.
func (s *Solver) Result() Result {
	r := Result{Values: s.values}
	if s.values != nil {
		for _, d := range s.start {
			r.Starts = append(r.Starts, d.values)
		}
	}
	for _, l := range s.layers {
		r.Layers = append(r.Layers, l.Layer)
		r.States += l.States
		r.Raw += l.Raw
		r.Dead += l.Dead
		r.Afterstates += l.Afterstates
	}
	return r
}

// Run finds all states, and then their values. Progress, which may be nil, counts states: those that are
// done, of those that are known. After each layer Run calls between, which may be nil; its error ends
// the run. When ctx ends, Run stops soon and returns the cause. The error is a statespace.ErrMemory if a layer
// takes more memory than is allowed: the layers before it are done.
func (s *Solver) Run(ctx context.Context, between func() error, progress *statespace.Progress) (err error) {
	if s.progress = progress; progress == nil {
		s.progress = new(statespace.Progress)
	}
	if between == nil {
		between = func() error { return nil }
	}
	s.tables = tables{ctx: ctx, threads: s.o.Threads, most: s.o.Memory}
	defer func() {
		s.dropTables()
		if errors.Is(err, errFull) {
			err = fmt.Errorf("%w: there are %s states in the first %d layers, and the next layer is too large", statespace.ErrMemory, humanize.Comma(int64(s.states)), len(s.layers))
		}
	}()
	if err := s.store.make(); err != nil {
		return err
	}
	if !s.listed {
		if err := s.forwards(ctx, between); err != nil {
			return err
		}
		s.listed = true
	}
	if len(s.columns) == 0 {
		return nil
	}
	return s.backwards(ctx, between)
}

// dropTables frees all tables.
func (s *Solver) dropTables() {
	for n, t := range s.ahead {
		s.tables.release(t)
		delete(s.ahead, n)
	}
	s.tables.drop()
}

// each calls do for the numbers below n, cut into ranges of at most grain, on several threads.
func (s *Solver) each(ctx context.Context, n, grain uint64, do func(w *worker, low, high uint64) error) error {
	return ranges(ctx, s.o.Threads, n, grain, func(low, high uint64) error {
		w := <-s.workers
		defer func() { s.workers <- w }()
		return do(w, low, high)
	})
}

// grain is how many states a thread takes at once.
const grain = 1 << 10

// forwards lists the layers.
func (s *Solver) forwards(ctx context.Context, between func() error) error {
	if err := s.reopen(ctx); err != nil {
		return err
	}
	for {
		next, any := s.nextLayer()
		if !any {
			return nil
		}
		if err := s.close(ctx, next); err != nil {
			return err
		}
		if err := between(); err != nil {
			return err
		}
	}
}

// reopen makes the tables of layers to come: those of the start, and after Restore the successors
// of the last layers.
func (s *Solver) reopen(ctx context.Context) error {
	last := -1
	if n := len(s.layers); n > 0 {
		last = s.layers[n-1].Layer.Layer
	}
	for _, d := range s.start {
		if d.Step > last {
			t, err := s.open(d.Step)
			if err != nil {
				return err
			}
			if t, err = s.withRoom(d.Step, t, 1); err != nil {
				return err
			}
			if _, fresh := t.insert(d.To); fresh {
				t.count++
			}
		}
	}
	for _, l := range s.layers {
		if l.Layer.Layer+s.mostSteps() <= last {
			continue
		}
		states, err := s.read(ctx, l)
		if err != nil {
			return err
		}
		if _, err := s.expand(ctx, l.Layer.Layer, states, last); err != nil {
			return err
		}
	}
	return nil
}

// read returns the states of a layer from its list, in s.room.
func (s *Solver) read(ctx context.Context, l *layer) ([]uint64, error) {
	states, err := l.list.codes(ctx, s.o.Threads, l.States, s.room)
	if err != nil {
		return nil, err
	}
	s.room = states
	if l.list.saved { // perhaps by another program
		err = s.each(ctx, l.States, grain, func(_ *worker, low, high uint64) error {
			for _, state := range states[low:high] {
				if err := s.game.Check(l.Layer.Layer, state); err != nil {
					return l.list.damaged("the state %x %v", state, err)
				}
			}
			return nil
		})
	}
	return states, err
}

// count notes the bytes that are taken besides tables: the states of a layer, lists that are kept in memory, and more.
func (s *Solver) count(more uint64) {
	s.tables.others = 8*uint64(cap(s.room)) + more
	for _, l := range s.layers {
		s.tables.others += uint64(len(l.list.bytes))
	}
}

// mostSteps bounds how many layers a move of chance goes on.
func (s *Solver) mostSteps() int { return slices.Max(s.game.Steps()) }

// nextLayer returns the next layer that has states.
func (s *Solver) nextLayer() (next int, any bool) {
	next = math.MaxInt
	for n, t := range s.ahead {
		if t.count > 0 && n < next {
			next, any = n, true
		}
	}
	return next, any
}

// open returns the table of a layer to come.
func (s *Solver) open(n int) (*table, error) {
	if t := s.ahead[n]; t != nil {
		return t, nil
	}
	t, err := s.tables.take(s.guess, s.guess, 0)
	if err == nil {
		s.ahead[n] = t
	}
	return t, err
}

// withRoom returns the table of a layer to come, with room for n more states.
func (s *Solver) withRoom(layer int, t *table, n uint64) (_ *table, err error) {
	if t.room() < n {
		if t, err = s.tables.grow(t, n); err != nil {
			return nil, err
		}
		s.ahead[layer] = t
	}
	return t, nil
}

// close makes a layer of what is in its table, and adds the successors to those to come.
func (s *Solver) close(ctx context.Context, n int) error {
	t := s.ahead[n]
	states, err := s.sort(ctx, t)
	if err != nil {
		return err
	}
	delete(s.ahead, n)
	s.tables.give(t)
	s.guess = uint64(len(states)) + uint64(len(states))/8
	l := &layer{Layer: Layer{Layer: n, States: uint64(len(states))}}
	written := make(chan error, 1)
	go func() {
		var err error
		l.list, err = s.store.writeList(ctx, s.listName(len(s.layers)), states)
		written <- err
	}()
	counts, err := s.expand(ctx, n, states, n)
	if e := <-written; err == nil {
		err = e
	}
	if err != nil {
		if l.list != nil {
			l.list.remove()
		}
		return err
	}
	l.Raw, l.Dead, l.Afterstates, l.List = counts.Raw, counts.Dead, counts.Afterstates, l.list.File
	s.layers = append(s.layers, l)
	s.states += l.States
	done, _ := s.progress.Read()
	known := s.states
	for _, t := range s.ahead {
		known += t.count
	}
	s.progress.Start(int64(known))
	s.progress.Add(max(done, int64(s.states)))
	return nil
}

// sort returns the states of a table in increasing order.
func (s *Solver) sort(ctx context.Context, t *table) ([]uint64, error) {
	states := slices.Grow(s.room[:0], int(t.count))
	for i := uint64(0); i < t.capacity; i++ {
		if i%(1<<20) == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if x := t.slots[i*t.stride]; x != 0 {
			states = append(states, x-1)
		}
	}
	s.room = states
	s.count(0)
	return states, s.sortStates(ctx, states)
}

// sortStates sorts on all threads: it cuts the states in two again and again, by a middle value.
func (s *Solver) sortStates(ctx context.Context, states []uint64) error {
	parts := [][]uint64{states}
	for want := s.o.Threads * 4; len(parts) < want && len(states) > 1<<14 && s.o.Threads > 1; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		// the largest part
		at := 0
		for i := range parts {
			if len(parts[i]) > len(parts[at]) {
				at = i
			}
		}
		p := parts[at]
		a, b, c := p[0], p[len(p)/2], p[len(p)-1]
		pivot := max(min(a, b), min(max(a, b), c))
		i := 0
		for j, x := range p {
			if x < pivot {
				p[i], p[j] = x, p[i]
				i++
			}
		}
		if i == 0 {
			break
		}
		parts[at] = p[:i]
		parts = append(parts, p[i:])
	}
	slices.SortFunc(parts, func(a, b []uint64) int { return len(b) - len(a) })
	return ranges(ctx, s.o.Threads, uint64(len(parts)), 1, func(low, _ uint64) error {
		sorted.Sort(parts[low], 1)
		return nil
	})
}

// expand makes all moves of the states of a layer, and all answers of chance. It adds the successors
// beyond a layer to those to come.
func (s *Solver) expand(ctx context.Context, n int, states []uint64, beyond int) (counts Layer, err error) {
	after, counts, err := s.afterstates(ctx, states, nil)
	if err != nil {
		return counts, err
	}
	defer func() { s.tables.give(after) }()
	steps := s.game.Steps()
	most := s.mostSteps()
	for low := uint64(0); low < after.capacity; {
		// Take as many afterstates as have room for all successors.
		length := min(after.capacity-low, 1<<16)
		for _, step := range steps {
			if n+step <= beyond {
				continue
			}
			t, err := s.open(n + step)
			if err != nil {
				return counts, err
			}
			if t, err = s.withRoom(n+step, t, uint64(s.game.MostDraws())*min(length, 64)); err != nil {
				return counts, err
			}
			length = min(length, t.room()/uint64(s.game.MostDraws()))
		}
		to := make([]*table, most+1)
		for step := range to {
			to[step] = s.ahead[n+step]
		}
		fresh := make([]uint64, most+1)
		var lock = make(chan struct{}, 1)
		first := low
		if err := s.each(ctx, length, grain, func(w *worker, low, high uint64) error {
			mine := make([]uint64, most+1)
			for i := first + low; i < first+high; i++ {
				x := after.slots[i*after.stride]
				if x == 0 {
					continue
				}
				w.draws = w.rules.Draws(w.draws[:0], x-1)
				for _, step := range steps {
					if n+step <= beyond {
						continue
					}
					w.states = w.states[:0]
					for _, d := range w.draws {
						if d.Step == step {
							w.states = append(w.states, d.To)
						}
					}
					mine[step] += to[step].insertAll(w.states)
				}
			}
			lock <- struct{}{}
			for i, k := range mine {
				fresh[i] += k
			}
			<-lock
			return nil
		}); err != nil {
			return counts, err
		}
		for step, k := range fresh {
			if k > 0 {
				to[step].count += k
			}
		}
		low += length
	}
	return counts, nil
}

// afterstates returns a table of the afterstates of some states, and counts these. If known is not nil, it is
// a table with room for as many as were counted before.
func (s *Solver) afterstates(ctx context.Context, states []uint64, known *table) (t *table, counts Layer, err error) {
	if t = known; t == nil {
		if t, err = s.tables.take(uint64(len(states)), uint64(len(states)), 0); err != nil {
			return nil, counts, err
		}
	}
	defer func() {
		if err != nil && known == nil {
			s.tables.give(t)
		}
	}()
	lock := make(chan struct{}, 1)
	moves := uint64(s.game.MostMoves())
	for len(states) > 0 {
		most := uint64(len(states))
		if known == nil {
			if n := moves * min(most, 64); t.room() < n {
				larger, err := s.tables.grow(t, n)
				if err != nil {
					return nil, counts, err
				}
				t = larger
			}
			most = min(most, t.room()/moves)
		} else if most = min(most, (t.capacity-t.count)/moves/2); most == 0 { // a quarter should stay free
			return nil, counts, fmt.Errorf("%w: there are more afterstates than it counts", sorted.ErrDamaged)
		}
		into := t
		if err := s.each(ctx, most, grain, func(w *worker, low, high uint64) error {
			var mine Layer
			for _, state := range states[low:high] {
				w.moves = w.rules.Moves(w.moves[:0], state)
				if len(w.moves) == 0 {
					mine.Dead++
				}
				mine.Raw += uint64(w.rules.Images(state))
				w.states = w.states[:0]
				for i := range w.moves {
					if !w.moves[i].Won {
						w.states = append(w.states, w.moves[i].After)
					}
				}
				mine.Afterstates += into.insertAll(w.states)
			}
			lock <- struct{}{}
			counts.Dead += mine.Dead
			counts.Raw += mine.Raw
			counts.Afterstates += mine.Afterstates
			into.count += mine.Afterstates
			<-lock
			return nil
		}); err != nil {
			return nil, counts, err
		}
		states = states[most:]
	}
	return t, counts, nil
}

func (s *Solver) listName(i int) string   { return fmt.Sprintf("layer-%05d.sorted", i) }
func (s *Solver) valuesName(i int) string { return fmt.Sprintf("layer-%05d.values", i) }

// Figures returns the counts that a file keeps, by layer: the states with all their images, afterstates, and states
// without moves.
func (r Result) Figures() []statespace.Figure {
	raw, after, dead := statespace.Figure{Name: "raw_states", Value: r.Raw}, statespace.Figure{Name: "afterstates", Value: r.Afterstates}, statespace.Figure{Name: "dead", Value: r.Dead}
	for _, l := range r.Layers {
		raw.ByLayer, after.ByLayer, dead.ByLayer = append(raw.ByLayer, l.Raw), append(after.ByLayer, l.Afterstates), append(dead.ByLayer, l.Dead)
	}
	return []statespace.Figure{raw, after, dead}
}
