package solver

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"pagoda/internal/ordinals"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
)

// A search finds the positions that can be reached, level by level: in level n are those after n
// moves in which no letter leaves, and as few as that.
type search struct {
	*mover
	ctx     context.Context
	memory  uint64
	workers []worker
	found   *ordinals.Table[board.Position]
	room    int   // how many positions may be found before the table grows
	ends    []int // the number of positions up to the end of each level
	passed  bool  // over positions that are hopeless
}

const (
	firstRoom     = 1 << 7
	positionBytes = 16 + 2*4 // with its places in the table
	checkEvery    = 1 << 12  // positions between two looks at the context
	maxMoves      = 64 * 64  // of all pieces
)

func newSearch(ctx context.Context, b *board.Board, memory uint64, threads int) *search {
	s := &search{mover: newMover(b), ctx: ctx, memory: memory, workers: make([]worker, max(1, threads)), found: ordinals.New(hash), room: firstRoom}
	s.found.Grow(firstRoom)
	return s
}

func hash(p board.Position) uint64 { return ordinals.HashPair(p.Letters, p.Numbers) }

// number returns the number of a position that was found, or ordinals.None.
func (s *search) number(p board.Position) uint32 { return s.found.Find(p, hash(p)) }

// add keeps a position, unless it was found before. It is not hopeless.
func (s *search) add(p board.Position) error {
	if len(s.found.Keys) == s.room && s.number(p) == ordinals.None {
		if err := s.grow(); err != nil {
			return err
		}
	}
	s.found.Number(p, hash(p))
	return nil
}

// grow makes room for twice as many positions.
func (s *search) grow() error {
	if uint64(s.room) >= 1<<31 {
		return fmt.Errorf("%w: the search for a solution has found more than 2^31 positions", statespace.ErrMemory)
	}
	if need := uint64(3*s.room) * positionBytes; s.memory > 0 && need > s.memory {
		return &statespace.MemoryError{Name: "the search for a solution", Need: need, Allowed: s.memory}
	}
	s.room *= 2
	s.found.Grow(s.room)
	return nil
}

// run searches until a level has solved positions, or until there is nothing more to find. It
// returns whether there are some: they are in the last level.
func (s *search) run(start board.Position) (solved bool, err error) {
	if err := s.add(start); err != nil {
		return false, err
	}
	for begin := 0; begin < len(s.found.Keys); {
		for from := begin; from < len(s.found.Keys); { // more positions come while this goes on
			to := min(len(s.found.Keys), from+len(s.workers)*checkEvery)
			if err := s.expand(from, to, true); err != nil {
				return false, err
			}
			from = to
		}
		end := len(s.found.Keys)
		s.ends = append(s.ends, end)
		if slices.ContainsFunc(s.found.Keys[begin:], board.Position.Solved) {
			return true, nil
		}
		for begin < end {
			to := min(end, begin+len(s.workers)*checkEvery)
			if err := s.expand(begin, to, false); err != nil {
				return false, err
			}
			begin = to
		}
	}
	return false, nil
}

// expand finds the positions after moves from some: those in which a letter leaves, or the others.
func (s *search) expand(from, to int, leave bool) error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	workers := s.workers
	if to-from < checkEvery {
		workers = workers[:1]
	}
	var all sync.WaitGroup
	for i := range workers {
		part := s.found.Keys[from+(to-from)*i/len(workers) : from+(to-from)*(i+1)/len(workers)]
		if i == len(workers)-1 {
			workers[i].work(s, part, leave)
		} else {
			all.Go(func() { workers[i].work(s, part, leave) })
		}
	}
	all.Wait()
	for i := range workers {
		s.passed = s.passed || workers[i].passed
		for _, p := range workers[i].fresh {
			if err := s.add(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// A worker expands positions, while nothing is added.
type worker struct {
	made    []board.Position // from one position
	guesses [maxMoves]uint32 // numbers of some positions in whose places those of made may be
	touched uint64
	fresh   []board.Position // what was made and is not in the table; some come several times
	passed  bool
}

func (w *worker) work(s *search, positions []board.Position, leave bool) {
	w.fresh = w.fresh[:0]
	for _, p := range positions {
		switch {
		case !leave:
			w.made = s.moves(w.made[:0], p)
		case p.All()&s.beside != 0:
			w.made = s.leavings(w.made[:0], p)
		default:
			continue
		}
		w.sift(s)
	}
}

// sift keeps the positions that were made and are not in the table. First it only looks at all their
// places: a processor waits for many parts of memory at once, if it need not know one to look for the
// next.
func (w *worker) sift(s *search) {
	touched := uint64(0)
	for i, p := range w.made {
		w.guesses[i] = s.found.Guess(hash(p))
	}
	for _, n := range w.guesses[:len(w.made)] {
		if n != ordinals.None {
			touched ^= s.found.Keys[n].Letters
		}
	}
	w.touched = touched
	for _, p := range w.made {
		switch {
		case s.number(p) != ordinals.None:
		case s.hopeless(p):
			w.passed = true
		default:
			w.fresh = append(w.fresh, p)
		}
	}
}

// level returns in which level a position is.
func (s *search) level(n uint32) int {
	level, found := slices.BinarySearch(s.ends, int(n))
	if found {
		level++
	}
	return level
}
