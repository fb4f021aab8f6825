package solver

import (
	"context"
	"math/bits"
	"slices"

	"pagoda/statespace"
	"pagoda/statespace/lunar/board"
)

// A search finds the positions that can be reached, level by level: in level n are those after n
// moves in which no letter leaves, and as few as that.
type search struct {
	*mover
	ctx       context.Context
	memory    uint64
	positions []board.Position // in the order in which they are found
	table     []uint32         // open addressing: a number of a position, plus 1; 0 is free
	ends      []int            // the number of positions up to the end of each level
	passed    bool             // over positions that are hopeless

	made    []board.Position
	places  [maxMoves]int
	touched uint64
}

const (
	firstTable    = 1 << 12
	positionBytes = 16
	checkEvery    = 1 << 12 // positions between two looks at the context
	maxMoves      = 64 * 64 // of all pieces
)

func newSearch(ctx context.Context, b *board.Board, memory uint64) *search {
	return &search{mover: newMover(b), ctx: ctx, memory: memory, table: make([]uint32, firstTable), positions: make([]board.Position, 0, firstTable/2)}
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

// flush keeps the positions that expand has made, unless they were found before. First it only looks
// at all their places: a processor waits for many parts of memory at once, if it need not know one to
// look for the next.
func (s *search) flush() error {
	var touched uint64
	for i, p := range s.made {
		s.places[i] = hash(p, len(s.table))
		touched ^= uint64(s.table[s.places[i]])
	}
	for _, place := range s.places[:len(s.made)] {
		if n := s.table[place]; n != 0 {
			touched ^= s.positions[n-1].Letters
		}
	}
	s.touched = touched
	for _, p := range s.made {
		if err := s.add(p); err != nil {
			return err
		}
	}
	s.made = s.made[:0]
	return nil
}

// add keeps a position, unless it was found before.
func (s *search) add(p board.Position) error {
	i := s.place(p)
	if s.table[i] != 0 {
		return nil
	}
	if s.hopeless(p) {
		s.passed = true
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
		solved := false
		for i := begin; i < len(s.positions); i++ { // more positions come while this goes on
			if err := s.expand(i, true); err != nil {
				return false, err
			}
			solved = solved || s.positions[i].Solved()
		}
		end := len(s.positions)
		s.ends = append(s.ends, end)
		if solved {
			return true, nil
		}
		for i := begin; i < end; i++ {
			if err := s.expand(i, false); err != nil {
				return false, err
			}
		}
		begin = end
	}
	return false, nil
}

// expand finds the positions after moves from one: those in which a letter leaves, or the others.
func (s *search) expand(n int, leave bool) error {
	if n%checkEvery == 0 && s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	p := s.positions[n]
	all := p.All()
	if leave && all&s.beside == 0 {
		return nil
	}
	for left := p.Letters; left != 0; left &= left - 1 {
		own := left & -left
		stops, leaves := s.stops(all&^own, bits.TrailingZeros64(own), true)
		rest := p.Letters &^ own
		switch {
		case !leave:
			for ; stops != 0; stops &= stops - 1 {
				s.made = append(s.made, board.Position{Letters: rest | stops&-stops, Numbers: p.Numbers})
			}
		case leaves:
			s.made = append(s.made, board.Position{Letters: rest, Numbers: p.Numbers})
		}
	}
	for left := p.Numbers; left != 0 && !leave; left &= left - 1 {
		own := left & -left
		stops, _ := s.stops(all&^own, bits.TrailingZeros64(own), false)
		rest := p.Numbers &^ own
		for ; stops != 0; stops &= stops - 1 {
			s.made = append(s.made, board.Position{Letters: p.Letters, Numbers: rest | stops&-stops})
		}
	}
	return s.flush()
}

// level returns in which level a position is.
func (s *search) level(n int) int {
	level, found := slices.BinarySearch(s.ends, n)
	if found {
		level++
	}
	return level
}
