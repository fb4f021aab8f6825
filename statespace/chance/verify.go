package chance

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// A Source has the layers of a solved game and the values of their states.
type Source struct {
	Layers     []statespace.Layer
	Objectives []Objective
	// States returns the states of layer i of Layers, in increasing order, Values the bits of
	// their values as 64-bit numbers, column by column for each state.
	States func(i int) ([]uint64, error)
	Values func(i int) ([]uint64, error)
	// Rounded says that the values were rounded to 4 bytes.
	Rounded bool
}

// A Fault is what is wrong with the layers of a Source.
type Fault struct {
	Layer int
	State uint64
	What  string
}

// Error implements error.
func (f *Fault) Error() string { return f.What }

// Verify proves that the layers hold exactly the states that can be reached, and their values, without afterstates
// in between: every move of every state is made again, with every answer of chance. It computes each value
// from those that it has computed of the successors, not from those of the source. A value of the source must be
// the same to the last bit, after rounding to 4 bytes if it was rounded: all machines compute the same, see Means.
// So nothing adds up from layer to layer, and moves that are equally good by the source are those that are by
// the rules. Verify needs memory for a few layers. An error that is a *Fault says what is wrong. The Result has
// the counts and values that were found.
func Verify(ctx context.Context, g statespace.Game, src Source, threads int, memory uint64, progress *statespace.Progress) (r Result, err error) {
	s, err := New(g, Options{Objectives: src.Objectives, Threads: threads, Memory: memory})
	if err != nil {
		return r, err
	}
	defer s.Close()
	s.tables = tables{ctx: ctx, threads: s.o.Threads, most: memory}
	defer s.dropTables()
	total := lists.SumOf(src.Layers, func(l statespace.Layer) uint64 { return l.States })
	progress.Start(int64(total))
	for i := len(src.Layers) - 1; i >= 0; i-- {
		counts, err := s.verify(ctx, src, i)
		if err != nil {
			return r, err
		}
		r.add(counts)
		progress.Add(int64(counts.States))
	}
	slices.Reverse(r.Layers)
	for n, t := range s.ahead {
		if err := s.allReached(n, t); err != nil {
			return r, err
		}
	}
	var missing *draw
	if r.Values, missing = s.meanStart(); missing != nil {
		return r, &Fault{missing.Step, missing.To, "is a start, and is not there"}
	}
	return r, nil
}

// verify proves a layer, given the tables of those above.
func (s *Solver) verify(ctx context.Context, src Source, i int) (counts Layer, err error) {
	n, k := src.Layers[i].Layer, len(s.columns)
	for m, t := range s.ahead {
		if m > n+s.mostSteps() {
			if err := s.allReached(m, t); err != nil {
				return counts, err
			}
			s.tables.give(t)
			delete(s.ahead, m)
		}
	}
	states, err := src.States(i)
	if err != nil {
		return counts, err
	}
	values, err := src.Values(i)
	if err != nil {
		return counts, err
	}
	if err := s.each(ctx, uint64(len(states)), func(_ *worker, low, high uint64) error {
		for _, state := range states[low:high] {
			if err := s.game.Check(n, state); err != nil {
				return &Fault{n, state, err.Error()}
			}
		}
		return nil
	}); err != nil {
		return counts, err
	}
	after, counts, err := s.afterstates(ctx, states, nil)
	if err != nil {
		return counts, err
	}
	s.tables.give(after)
	counts.Layer, counts.States = n, uint64(len(states))
	// An entry has the values, and then whether the state is reached.
	t, err := s.tables.take(uint64(len(states)), uint64(len(states)), k+1)
	if err != nil {
		return counts, err
	}
	s.ahead[n] = t
	err = s.each(ctx, uint64(len(states)), func(w *worker, low, high uint64) error {
		m := newMeans(s.columns)
		mean := make([]float64, k)
		for j := low; j < high; j++ {
			state := states[j]
			w.moves = w.rules.Moves(w.moves[:0], state)
			for at := range w.moves {
				mv := &w.moves[at]
				if !mv.Won {
					w.draws = w.rules.Draws(w.draws[:0], mv.After)
					for _, d := range w.draws {
						var entry []uint64
						if to := s.ahead[n+d.Step]; to != nil {
							entry = to.find(d.To)
						}
						if entry == nil {
							return &Fault{n, state, "has a successor that is not there: " + s.game.Format(n+d.Step, d.To)}
						}
						if atomic.LoadUint64(&entry[k]) == 0 {
							atomic.StoreUint64(&entry[k], 1)
						}
						m.Add(d.Chance, mapped.Floats(entry[:k]))
					}
					m.end(mean)
				}
				s.worth(w.value[at*k:][:k], mv, mean)
			}
			s.best(w, state)
			said := values[j*uint64(k):][:k]
			for c, want := range w.best {
				if src.Rounded {
					want = float64(float32(want))
				}
				if math.Float64bits(want) != said[c] {
					return &Fault{n, state, fmt.Sprintf("should have the value %v in column %d, and has %v", want, c, math.Float64frombits(said[c]))}
				}
			}
			at, _ := t.insert(state)
			copy(mapped.Floats(t.slots[at*t.stride+1:][:k]), w.best)
		}
		return nil
	})
	if err == nil {
		s.takeStart(n, t)
	}
	return counts, err
}

// allReached returns an error if a state of a table is no successor of any, and no start.
func (s *Solver) allReached(layer int, t *table) error {
	for i := uint64(0); i < t.capacity; i++ {
		if entry := t.slots[i*t.stride:][:t.stride]; entry[0] != 0 && entry[t.stride-1] == 0 {
			return &Fault{layer, entry[0] - 1, "cannot be reached"}
		}
	}
	return nil
}
