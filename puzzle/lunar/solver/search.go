package solver

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
)

// A search finds the positions that can be reached, level by level: in level n are those after n
// moves in which no letter leaves, and as few as that.
type search struct {
	*mover
	ctx       context.Context
	memory    uint64
	workers   []worker
	positions []board.Position // in the order in which they are found
	table     []uint32         // open addressing: a number of a position, plus 1; 0 is free
	ends      []int            // the number of positions up to the end of each level
	passed    bool             // over positions that are hopeless
}

const (
	firstTable    = 1 << 12
	positionBytes = 16
	checkEvery    = 1 << 12 // positions between two looks at the context
	maxMoves      = 64 * 64 // of all pieces
)

func newSearch(ctx context.Context, b *board.Board, memory uint64, threads int) *search {
	return &search{mover: newMover(b), ctx: ctx, memory: memory, workers: make([]worker, max(1, threads)),
		table: make([]uint32, firstTable), positions: make([]board.Position, 0, firstTable/2)}
}

// hash mixes a position to a place in a table of a power of two.
func hash(p board.Position, size int) int {
	hi, lo := bits.Mul64(p.Letters^0x9e3779b97f4a7c15, p.Numbers^0xd1b54a32d192ed03)
	return int(((hi ^ lo) * 0xff51afd7ed558ccd) >> (64 - bits.TrailingZeros(uint(size))))
}

// place returns where a position is in the table, or where it can be put.
func (s *search) place(p board.Position) int {
	for i := hash(p, len(s.table)); ; i = (i + 1) & (len(s.table) - 1) {
		if n := s.table[i]; n == 0 || s.positions[n-1] == p {
			return i
		}
	}
}

// number returns the number of a position that was found.
func (s *search) number(p board.Position) (int, bool) {
	n := s.table[s.place(p)]
	return int(n) - 1, n != 0
}

// add keeps a position, unless it was found before. It is not hopeless.
func (s *search) add(p board.Position) error {
	i := s.place(p)
	if s.table[i] != 0 {
		return nil
	}
	if len(s.positions) == cap(s.positions) {
		if err := s.grow(); err != nil {
			return err
		}
		i = s.place(p)
	}
	s.positions = append(s.positions, p)
	s.table[i] = uint32(len(s.positions))
	return nil
}

// grow makes the table twice as large, and the list of positions half as long as the table.
func (s *search) grow() error {
	size := 2 * len(s.table)
	if uint64(size) > 1<<32 {
		return fmt.Errorf("%w: the search for a solution has found more than 2^31 positions", statespace.ErrMemory)
	}
	bytes := func(size int) uint64 { return uint64(size)*4 + uint64(size)/2*positionBytes }
	if need := bytes(size) + bytes(len(s.table)); s.memory > 0 && need > s.memory {
		return &statespace.MemoryError{Name: "the search for a solution", Need: need, Allowed: s.memory}
	}
	s.positions = append(make([]board.Position, 0, size/2), s.positions...)
	s.table = make([]uint32, size)
	for n, p := range s.positions {
		i := hash(p, size)
		for s.table[i] != 0 {
			i = (i + 1) & (size - 1)
		}
		s.table[i] = uint32(n + 1)
	}
	return nil
}

// run searches until a level has solved positions, or until there is nothing more to find. It
// returns whether there are some: they are in the last level.
func (s *search) run(start board.Position) (solved bool, err error) {
	if err := s.add(start); err != nil {
		return false, err
	}
	for begin := 0; begin < len(s.positions); {
		for from := begin; from < len(s.positions); { // more positions come while this goes on
			to := min(len(s.positions), from+len(s.workers)*checkEvery)
			if err := s.expand(from, to, true); err != nil {
				return false, err
			}
			from = to
		}
		end := len(s.positions)
		s.ends = append(s.ends, end)
		if slices.ContainsFunc(s.positions[begin:], board.Position.Solved) {
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
		part := s.positions[from+(to-from)*i/len(workers) : from+(to-from)*(i+1)/len(workers)]
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
	places  [maxMoves]int
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
		w.places[i] = hash(p, len(s.table))
		touched ^= uint64(s.table[w.places[i]])
	}
	for _, place := range w.places[:len(w.made)] {
		if n := s.table[place]; n != 0 {
			touched ^= s.positions[n-1].Letters
		}
	}
	w.touched = touched
	for _, p := range w.made {
		switch {
		case s.table[s.place(p)] != 0:
		case s.hopeless(p):
			w.passed = true
		default:
			w.fresh = append(w.fresh, p)
		}
	}
}

// level returns in which level a position is.
func (s *search) level(n int) int {
	level, found := slices.BinarySearch(s.ends, n)
	if found {
		level++
	}
	return level
}
