package chance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/dustin/go-humanize"

	"pagoda/internal/mapped"
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
	// Counted says that layers are only counted, and not kept: without Objectives.
	Counted bool
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
	game    statespace.Game
	o       Options
	tables  tables
	workers []*worker // one for each thread
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
	statespace.GameDraw
	values []float64
}

// A worker has what a thread needs.
type worker struct {
	rules  statespace.GameRules
	moves  []statespace.GameMove
	draws  []statespace.GameDraw
	states []uint64
	value  []float64 // by move and column
	best   []float64
	means  *Means
	found  [][]float64
	left   []int
}

// New makes a solver. Run begins at the start of the game, unless Restore is called.
func New(g statespace.Game, o Options) (*Solver, error) {
	o.Threads = max(1, o.Threads)
	s := &Solver{game: g, o: o, ahead: make(map[int]*table), from: -1}
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
		s.workers = append(s.workers, &worker{rules: g.NewRules(), value: make([]float64, g.MostMoves()*k), best: make([]float64, k), means: newMeans(s.columns)})
	}
	if len(g.Start()) == 0 {
		return nil, fmt.Errorf("%s has no start", g.Name())
	}
	for _, d := range g.Start() {
		s.start = append(s.start, draw{GameDraw: d})
	}
	if o.Counted && k > 0 {
		return nil, errors.New("values need the layers: expected no objectives where layers are only counted")
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
		r.add(l.Layer)
	}
	return r
}

// add adds a layer.
func (r *Result) add(l Layer) {
	r.Layers = append(r.Layers, l)
	r.States += l.States
	r.Raw += l.Raw
	r.Dead += l.Dead
	r.Afterstates += l.Afterstates
}

// Run finds all states, and then their values. Progress, which may be nil, counts states: those that are
// done, of those that are known. After each layer Run calls between, which may be nil; its error ends
// the run. When ctx ends, Run stops soon and returns the cause. The error is a statespace.ErrMemory if a layer
// takes more memory than is allowed: the layers before it are done.
func (s *Solver) Run(ctx context.Context, between func() error, progress *statespace.Progress) (err error) {
	s.progress = progress
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
func (s *Solver) each(ctx context.Context, n uint64, do func(w *worker, low, high uint64) error) error {
	return mapped.EachWith(ctx, s.workers, (n+grain-1)/grain, func(w *worker, i uint64) error {
		return do(w, i*grain, min((i+1)*grain, n))
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
		err = s.each(ctx, l.States, func(_ *worker, low, high uint64) error {
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
	if s.o.Counted {
		l.list = new(stored)
		written <- nil
	} else {
		go func() {
			var err error
			l.list, err = s.store.writeList(ctx, s.listName(len(s.layers)), states)
			written <- err
		}()
	}
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
	states := slices.Grow(s.room[:0], int(t.count))[:t.count]
	s.room = states
	s.count(0)
	var filled atomic.Uint64
	if err := mapped.Parts(ctx, s.o.Threads, t.capacity, 1<<14, func(low, high uint64) error {
		found := uint64(0)
		for i := low; i < high; i++ {
			if t.slots[i*t.stride] != 0 {
				found++
			}
		}
		at := filled.Add(found) - found
		for i := low; i < high; i++ {
			if x := t.slots[i*t.stride]; x != 0 {
				states[at] = x - 1
				at++
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
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
	return mapped.Parts(ctx, s.o.Threads, uint64(len(parts)), 1, func(low, _ uint64) error {
		sorted.Sort(parts[low], 1)
		return nil
	})
}

// A span is items from one to another.
type span struct{ low, high uint64 }

// A taker inserts into tables. It counts what is new in each.
type taker func(w *worker, tables []*table, low, high uint64, fresh []uint64)

// block is how many items a thread handles at once: it reserves room for what they may insert.
const block = 64

// fill handles n items on all threads. An item inserts at most a number of entries into each of some tables. Open
// returns the tables with the room in each, which is at least what it is asked for; it may grow them. When the room is
// used up, it is called again. Threads reserve their room, and need not wait for each other.
func (s *Solver) fill(ctx context.Context, n, most uint64, open func(room uint64) (tables []*table, rooms []uint64, err error), take taker) error {
	for todo := []span{{0, n}}; len(todo) > 0; {
		tables, rooms, err := open(most * block * uint64(s.o.Threads))
		if err != nil {
			return err
		}
		free, fresh := make([]atomic.Int64, len(tables)), make([]atomic.Uint64, len(tables))
		for i, room := range rooms {
			free[i].Store(int64(room))
		}
		reserve := func(entries int64) bool {
			ok := true
			for i := range free {
				ok = free[i].Add(-entries) >= 0 && ok
			}
			if !ok {
				for i := range free {
					free[i].Add(entries)
				}
			}
			return ok
		}
		var pieces, left []span
		for _, t := range todo {
			for low := t.low; low < t.high; low += grain {
				pieces = append(pieces, span{low, min(t.high, low+grain)})
			}
		}
		lock := make(chan struct{}, 1)
		err = mapped.EachWith(ctx, s.workers, uint64(len(pieces)), func(w *worker, k uint64) error {
			mine := make([]uint64, len(tables))
			for low, high := pieces[k].low, pieces[k].high; low < high; low += block {
				end := min(high, low+block)
				entries := int64(most * (end - low))
				if !reserve(entries) {
					lock <- struct{}{}
					left = append(left, span{low, high})
					<-lock
					return nil
				}
				clear(mine)
				take(w, tables, low, end, mine)
				for i, k := range mine {
					free[i].Add(entries - int64(k))
					fresh[i].Add(k)
				}
			}
			return nil
		})
		for i, t := range tables {
			t.count += fresh[i].Load()
		}
		if err != nil {
			return err
		}
		todo = left
	}
	return nil
}

// Slack is the room that threads may reserve for afterstates that are not new.
func Slack(g statespace.Game, threads int) uint64 {
	return uint64(g.MostMoves()) * block * uint64(threads)
}

// expand makes all moves of the states of a layer, and all answers of chance. It adds the successors
// beyond a layer to those to come.
func (s *Solver) expand(ctx context.Context, n int, states []uint64, beyond int) (counts Layer, err error) {
	after, counts, err := s.afterstates(ctx, states, nil)
	if err != nil {
		return counts, err
	}
	defer s.tables.give(after)
	var steps []int
	for _, step := range s.game.Steps() {
		if n+step > beyond {
			steps = append(steps, step)
		}
	}
	open := func(room uint64) (tables []*table, rooms []uint64, err error) {
		for _, step := range steps {
			t, err := s.open(n + step)
			if err != nil {
				return nil, nil, err
			}
			if t, err = s.withRoom(n+step, t, room); err != nil {
				return nil, nil, err
			}
			tables, rooms = append(tables, t), append(rooms, t.room())
		}
		return tables, rooms, nil
	}
	return counts, s.fill(ctx, after.capacity, uint64(s.game.MostDraws()), open, func(w *worker, tables []*table, low, high uint64, fresh []uint64) {
		for i := low; i < high; i++ {
			x := after.slots[i*after.stride]
			if x == 0 {
				continue
			}
			w.draws = w.rules.Draws(w.draws[:0], x-1)
			for k, step := range steps {
				w.states = w.states[:0]
				for _, d := range w.draws {
					if d.Step == step {
						w.states = append(w.states, d.To)
					}
				}
				fresh[k] += tables[k].insertAll(w.states)
			}
		}
	})
}

// afterstates returns a table of the afterstates of some states, and counts these. If known is not nil, it is
// a table with room for as many as were counted before, and some more: see Slack.
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
	open := func(room uint64) ([]*table, []uint64, error) {
		if t.room() < room && known != nil {
			return nil, nil, fmt.Errorf("%w: there are more afterstates than it counts", sorted.ErrDamaged)
		}
		if t.room() < room {
			larger, err := s.tables.grow(t, room)
			if err != nil {
				return nil, nil, err
			}
			t = larger
		}
		return []*table{t}, []uint64{t.room()}, nil
	}
	var raw, dead atomic.Uint64
	if err := s.fill(ctx, uint64(len(states)), uint64(s.game.MostMoves()), open, func(w *worker, tables []*table, low, high uint64, fresh []uint64) {
		images, ends := uint64(0), uint64(0)
		for _, state := range states[low:high] {
			w.moves = w.rules.Moves(w.moves[:0], state)
			if len(w.moves) == 0 {
				ends++
			}
			images += uint64(w.rules.Images(state))
			w.states = w.states[:0]
			for i := range w.moves {
				if !w.moves[i].Won {
					w.states = append(w.states, w.moves[i].After)
				}
			}
			fresh[0] += tables[0].insertAll(w.states)
		}
		raw.Add(images)
		dead.Add(ends)
	}); err != nil {
		return nil, counts, err
	}
	counts.Raw, counts.Dead, counts.Afterstates = raw.Load(), dead.Load(), t.count
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
