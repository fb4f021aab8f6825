package sparse

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pagoda/internal/mapped"
	"pagoda/sorted"
	"pagoda/statespace"
)

// A worker is what a thread has for itself.
type worker struct {
	e      statespace.CodeExpander
	chunk  []uint64 // of the level
	goals  []uint64
	memory mapped.Arena
	size   int // words of memory
	buffer []uint64
	room   []uint64 // to sort codes of one word: as large as the buffer
	codes  []uint64 // successors, in the buffer
	most   int      // twice the words of the most successors of a state
}

// scan goes through a level. It looks for goals, expands the states, or both. What it finds is
// then in the workers, sorted and without duplicates, and in s.runs.
func (s *Search) scan(ctx context.Context, level *store, goals, expand bool) error {
	workers := s.workers[:1+min(uint64(len(s.workers)-1), level.States/uint64(s.share.worth))]
	for _, w := range s.workers {
		w.goals, w.codes = w.goals[:0], w.buffer[:0]
	}
	err := mapped.EachWith(ctx, workers, level.Chunks(), func(w *worker, i uint64) (err error) {
		if w.chunk, err = level.Chunk(w.chunk[:0], i); err != nil {
			return err
		}
		for code := range slices.Chunk(w.chunk, s.graph.Words) {
			if level.others && s.graph.Valid != nil && !s.graph.Valid(code) {
				return fmt.Errorf("%s: %w: %x should be the code of a state", level.path, sorted.ErrDamaged, code)
			}
			if goals && w.e.Goal(code) {
				w.goals = append(w.goals, code...)
			}
			if expand {
				if err := s.successors(ctx, w, code); err != nil {
					return err
				}
			}
		}
		if expand {
			s.progress.Add(int64(len(w.chunk) / s.graph.Words))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return mapped.Each(ctx, len(workers), uint64(len(workers)), func(i uint64) error {
		workers[i].distinct(s.graph.Words)
		return nil
	})
}

// distinct sorts the codes of a worker and drops duplicates.
func (w *worker) distinct(words int) {
	if words == 1 {
		w.codes = sorted.DistinctWith(w.codes, w.room)
	} else {
		w.codes = sorted.Distinct(w.codes, words)
	}
}

// successors adds the successors of a state to the codes of a worker.
func (s *Search) successors(ctx context.Context, w *worker, code []uint64) error {
	if len(w.codes)+w.most > len(w.buffer) {
		if err := s.compact(ctx, w); err != nil {
			return err
		}
	}
	n := len(w.codes)
	w.codes = w.e.Expand(w.codes, code)
	found := len(w.codes) - n
	if found < 0 || found%s.graph.Words != 0 {
		return fmt.Errorf("the successors of %x have %d words, and a code has %d", code, found, s.graph.Words)
	}
	w.most = max(w.most, 2*found)
	return nil
}

// compact makes room in the buffer of a worker: it drops duplicates, gets a larger buffer, or
// writes a run.
func (s *Search) compact(ctx context.Context, w *worker) error {
	w.distinct(s.graph.Words)
	switch n := len(w.codes); {
	case n == 0 || n+w.most <= len(w.buffer)/2:
		return nil
	case w.size < s.share.buffer:
		return s.enlarge(ctx, w)
	}
	run, err := s.write(ctx, s.runPath(), anyNumber, sorted.Array(w.codes))
	if err != nil {
		return err
	}
	w.codes = w.buffer[:0]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runs = append(s.runs, run); len(s.runs) < s.share.fanIn {
		return nil
	}
	// The runs become one, while the other workers go on.
	m := mix{s: s, stores: s.runs}
	if run, err = m.write(ctx, s.runPath(), anyNumber, nil); err != nil {
		return err
	}
	err = s.removeRuns()
	s.runs = []*store{run}
	return err
}

// enlarge makes the buffer of a worker larger: in the end as large as it may be, before that
// an eighth of it and so on. So the last small one and the large one together take not much
// more.
func (s *Search) enlarge(ctx context.Context, w *worker) (err error) {
	n := s.share.buffer
	for n/8 >= max(1<<13, 2*w.size) {
		n /= 8
	}
	old := w.memory
	w.memory = mapped.Arena{}
	if w.buffer, err = w.memory.Words(ctx, uint64(n), 1); err != nil {
		w.codes = nil
		return errors.Join(err, old.Free())
	}
	if w.size = n; s.graph.Words == 1 {
		w.buffer, w.room = w.buffer[:n/2:n/2], w.buffer[n/2:]
	}
	w.codes = append(w.buffer[:0], w.codes...)
	return old.Free()
}

// removeRuns removes the runs.
func (s *Search) removeRuns() (err error) {
	for _, run := range s.runs {
		err = errors.Join(err, run.remove(&s.pool))
	}
	s.runs = nil
	return err
}
