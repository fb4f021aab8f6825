package chance

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// backwards computes the values, from the last layer to the first.
func (s *Solver) backwards(ctx context.Context, between func() error) error {
	if s.from < 0 {
		s.from = len(s.layers)
	}
	k := len(s.columns)
	done := uint64(0)
	for i := s.from; i < len(s.layers); i++ { // after Restore: those that are still needed
		l := s.layers[i]
		done += l.States
		needed := s.from > 0 && l.Layer.Layer <= s.layers[s.from-1].Layer.Layer+s.mostSteps()
		if !needed && !s.starts(l) {
			continue
		}
		states, err := s.read(ctx, l)
		if err != nil {
			return err
		}
		s.count(8 * l.States * uint64(k))
		values, err := l.vals.words(l.States * uint64(k))
		if err != nil {
			return err
		}
		t, err := s.tables.take(l.States, l.States, k)
		if err != nil {
			return err
		}
		if err := s.each(ctx, l.States, func(_ *worker, low, high uint64) error {
			for i := low; i < high; i++ {
				at, _ := t.insert(states[i])
				copy(t.slots[at*t.stride+1:][:k], values[int(i)*k:])
			}
			return nil
		}); err != nil {
			s.tables.release(t)
			return err
		}
		s.takeStart(l.Layer.Layer, t)
		if needed {
			s.ahead[l.Layer.Layer] = t
		} else {
			s.tables.give(t)
		}
	}
	s.progress.Start(int64(s.states))
	s.progress.Add(int64(done))
	for s.from > 0 {
		if err := s.evaluate(ctx, s.from-1); err != nil {
			return err
		}
		s.from--
		s.progress.Add(int64(s.layers[s.from].States))
		if err := between(); err != nil {
			return err
		}
	}
	var missing *draw
	if s.values, missing = s.meanStart(); missing != nil {
		return fmt.Errorf("a state in which games of %s start was not found", s.game.Name())
	}
	return nil
}

// meanStart returns the means of the values of the starts, or one that has none.
func (s *Solver) meanStart() (values []float64, missing *draw) {
	m := newMeans(s.columns)
	for i := range s.start {
		d := &s.start[i]
		if d.values == nil {
			return nil, d
		}
		m.Add(d.Chance, d.values)
	}
	return m.Mean(), nil
}

// starts reports whether games can start in a layer.
func (s *Solver) starts(l *layer) bool {
	return slices.ContainsFunc(s.start, func(d draw) bool { return d.Step == l.Layer.Layer })
}

// takeStart keeps the values of starts in a layer. In a proof, it notes that these are reached.
func (s *Solver) takeStart(layer int, t *table) {
	k := len(s.columns)
	for i := range s.start {
		d := &s.start[i]
		if d.Step != layer {
			continue
		}
		if found := t.find(d.To); found != nil {
			d.values = slices.Clone(mapped.Floats(found[:k]))
			for j := range found[k:] {
				found[k+j] = 1
			}
		}
	}
}

// evaluate computes the values of a layer.
func (s *Solver) evaluate(ctx context.Context, i int) error {
	l, k := s.layers[i], len(s.columns)
	n := l.Layer.Layer
	states, err := s.read(ctx, l)
	if err != nil {
		return err
	}
	s.count(l.List.Bytes + 8*uint64(k*min(writes, len(states))))
	var mostStates, mostAfter uint64 // of this layer and those to come
	for _, to := range s.layers[:i+1] {
		mostStates, mostAfter = max(mostStates, to.States), max(mostAfter, to.Afterstates)
	}
	after, err := s.tables.take(l.Afterstates+Slack(s.game, s.o.Threads), mostAfter+Slack(s.game, s.o.Threads), k)
	if err != nil {
		return err
	}
	defer s.tables.give(after)
	_, counts, err := s.afterstates(ctx, states, after)
	if err != nil {
		return err
	}
	if counts.Raw != l.Raw || counts.Dead != l.Dead || counts.Afterstates != l.Afterstates {
		return l.list.damaged("it counts %d raw states, %d dead and %d afterstates, and there are %d, %d and %d", l.Raw, l.Dead, l.Afterstates, counts.Raw, counts.Dead, counts.Afterstates)
	}
	if err := s.averages(ctx, n, after); err != nil {
		return err
	}
	for m, t := range s.ahead { // those that no other layer needs
		if i == 0 || m > s.layers[i-1].Layer.Layer+s.mostSteps() {
			s.tables.give(t)
			delete(s.ahead, m)
		}
	}
	t, err := s.tables.take(l.States, mostStates, k)
	if err != nil {
		return err
	}
	s.ahead[n] = t
	if s.o.Dir == "" {
		err = s.choices(ctx, states, after, t, nil)
	} else if l.vals, err = s.store.write(s.valuesName(i), func(to io.Writer) error { return s.choices(ctx, states, after, t, to) }); err == nil {
		l.Values = &l.vals.File
	}
	s.takeStart(l.Layer.Layer, t)
	return err
}

// writes is how many states have their values written at once.
const writes = 1 << 18

// choices puts the values of states into a table, given those of their afterstates. It also writes them, unless
// to is nil: in the order of the states, column by column for each.
func (s *Solver) choices(ctx context.Context, states []uint64, after, t *table, to io.Writer) error {
	k := len(s.columns)
	var values []uint64
	if to != nil {
		values = make([]uint64, min(writes, len(states))*k)
	}
	for len(states) > 0 {
		part := states[:min(writes, len(states))]
		states = states[len(part):]
		if err := s.each(ctx, uint64(len(part)), func(w *worker, low, high uint64) error {
			for j := low; j < high; j++ {
				state := part[j]
				w.moves = w.rules.Moves(w.moves[:0], state)
				for m := range w.moves {
					mv, dst := &w.moves[m], w.value[m*k:][:k]
					var of []float64
					if !mv.Won {
						of = mapped.Floats(after.find(mv.After))
					}
					s.worth(dst, mv, of)
				}
				s.best(w, state)
				at, _ := t.insert(state)
				entry := t.slots[at*t.stride+1:][:k]
				copy(mapped.Floats(entry), w.best)
				if to != nil {
					copy(values[j*uint64(k):], entry)
				}
			}
			return nil
		}); err != nil {
			return err
		}
		if to != nil {
			if _, err := to.Write(mapped.Bytes(values[:len(part)*k])); err != nil {
				return err
			}
		}
	}
	return nil
}

// averages computes the values of afterstates: the means of those of their successors.
func (s *Solver) averages(ctx context.Context, n int, after *table) error {
	to := make([]*table, s.mostSteps()+1)
	for step := range to {
		to[step] = s.ahead[n+step]
	}
	return s.each(ctx, after.capacity, func(w *worker, low, high uint64) error {
		m := w.means
		for i := low; i < high; i++ {
			entry := after.slots[i*after.stride:][:after.stride]
			if entry[0] == 0 {
				continue
			}
			w.draws = w.rules.Draws(w.draws[:0], entry[0]-1)
			w.found = w.found[:0]
			for _, d := range w.draws { // so that the waits for memory overlap
				var values []uint64
				if t := to[d.Step]; t != nil {
					values = t.find(d.To)
				}
				if values == nil {
					return fmt.Errorf("%s: a successor of a state of layer %d was not found in layer %d", s.game.Name(), n, n+d.Step)
				}
				w.found = append(w.found, mapped.Floats(values))
			}
			for j, d := range w.draws {
				m.Add(d.Chance, w.found[j])
			}
			m.end(mapped.Floats(entry[1:]))
		}
		return nil
	})
}

// worth computes the values of a move, given those of its afterstate, which are nil if it has won.
func (s *Solver) worth(dst []float64, m *statespace.GameMove, after []float64) {
	for c := range s.columns {
		var v float64
		if !m.Won {
			v = after[c]
		}
		dst[c] = s.columns[c].worth(m, v)
	}
}

// worth returns the value of a move, given that of its afterstate, which is not used if the move has won.
func (t *Term) worth(m *statespace.GameMove, after float64) float64 {
	if m.Won {
		return t.won(m.Gain)
	}
	return t.move(m.Gain, after)
}

// won returns the value of a move that ends the game as a win: the target is at least the mark.
func (t *Term) won(gain float64) float64 {
	switch t.Kind {
	case Score:
		return gain
	case Reach:
		return float64(Certain)
	case Discount:
		return t.Factor
	}
	return 1
}

// move returns the value of a move, given that of its afterstate.
func (t *Term) move(gain, after float64) float64 {
	switch t.Kind {
	case Score:
		return gain + after
	case Reach:
		return after
	case Discount:
		return t.Factor * after
	}
	return 1 + after
}

// reached reports whether the mark decides the value, and that value.
func (t *Term) reached(mark int) (float64, bool) {
	if t.Mark == 0 || mark < t.Mark {
		return 0, false
	}
	switch t.Kind {
	case Reach:
		return float64(Certain), true
	case Discount:
		return 1, true
	}
	return 0, true
}

// dead returns the value of a state without moves. First says that the term is the first of its objective.
func (t *Term) dead(final float64, first bool) float64 {
	switch {
	case t.Kind == Score:
		return final
	case t.Kind == Moves && first:
		return math.Inf(1)
	}
	return 0
}

// best puts the values of a state into w.best, given its moves, and their values in w.value.
func (s *Solver) best(w *worker, state uint64) {
	k, mark := len(s.columns), w.rules.Mark(state)
	if len(w.moves) == 0 {
		final := w.rules.Final(state)
		c := 0
		for _, o := range s.o.Objectives {
			for i := range o.Terms {
				v, ok := s.columns[c].reached(mark)
				if !ok {
					v = s.columns[c].dead(final, i == 0)
				}
				w.best[c] = v
				c++
			}
		}
		return
	}
	if last := w.moves[len(w.moves)-1].Case; last == 0 {
		s.choose(w, w.best, 0, len(w.moves), mark)
		return
	}
	m := w.means
	var room [MostColumns]float64
	for low := 0; low < len(w.moves); {
		high := low + 1
		for high < len(w.moves) && w.moves[high].Case == w.moves[low].Case {
			high++
		}
		s.choose(w, room[:k], low, high, mark)
		m.Add(w.moves[low].Chance, room[:k])
		low = high
	}
	m.end(w.best)
}

// choose puts the values of the best of some moves into dst.
func (s *Solver) choose(w *worker, dst []float64, low, high, mark int) {
	k := len(s.columns)
	for c := 0; c < k; c++ {
		t := &s.columns[c]
		if s.alone[c] {
			if v, ok := t.reached(mark); ok {
				dst[c] = v
				continue
			}
			v := w.value[low*k+c]
			for m := low + 1; m < high; m++ {
				if u := w.value[m*k+c]; t.better(u, v) {
					v = u
				}
			}
			dst[c] = v
		}
	}
	c := 0
	for _, o := range s.o.Objectives {
		if len(o.Terms) == 1 {
			c++
			continue
		}
		w.left = w.left[:0]
		for m := low; m < high; m++ {
			w.left = append(w.left, m)
		}
		for range o.Terms {
			dst[c] = narrow(&s.columns[c], &w.left, mark, func(m int) float64 { return w.value[m*k+c] })
			c++
		}
	}
}

// narrow returns the best value of a term among the moves that are left, and keeps those that are as good.
func narrow(t *Term, left *[]int, mark int, value func(m int) float64) float64 {
	if v, ok := t.reached(mark); ok {
		return v // whatever the move
	}
	v := value((*left)[0])
	for _, m := range (*left)[1:] {
		if u := value(m); t.better(u, v) {
			v = u
		}
	}
	kept := (*left)[:0]
	for _, m := range *left {
		if t.equal(value(m), v) {
			kept = append(kept, m)
		}
	}
	if len(kept) == 0 { // what is no number is like no other
		kept = (*left)[:1]
	}
	*left = kept
	return v
}

// Means are weighted means of the values of objectives. Products are converted, so that no machine fuses them with sums:
// all have the same values.
type Means struct {
	columns []Term
	mixes   []mix
	sums    []float64
}

func newMeans(columns []Term) *Means {
	return &Means{columns, make([]mix, len(columns)), make([]float64, len(columns))}
}

// Add adds the values of all columns with a weight.
func (m *Means) Add(weight float64, values []float64) {
	for c, v := range values {
		if m.columns[c].Kind == Reach {
			m.mixes[c].add(weight, v)
		} else {
			m.sums[c] += float64(weight * v)
		}
	}
}

// end puts the means into dst, and forgets what was added.
func (m *Means) end(dst []float64) {
	for c := range m.columns {
		if m.columns[c].Kind == Reach {
			dst[c] = m.mixes[c].mean()
		} else {
			dst[c] = m.sums[c]
		}
	}
	clear(m.mixes)
	clear(m.sums)
}

// NewMeans returns means of nothing.
func NewMeans(all []Objective) *Means {
	var columns []Term
	for _, o := range all {
		columns = append(columns, o.Terms...)
	}
	return newMeans(columns)
}

// Mean returns the means of the values that were added, and forgets these. Their weights add up to 1.
func (m *Means) Mean() []float64 {
	dst := make([]float64, len(m.columns))
	m.end(dst)
	return dst
}
