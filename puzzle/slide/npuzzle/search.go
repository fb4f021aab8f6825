package npuzzle

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"pagoda/statespace/bfs"
)

// A search makes the levels of a breadth-first search. It is a statespace.Stepper that also works without marks. A move changes
// the colour of the empty cell, so moves from a level lead to the next level and to the one before.
// A small level is a list of numbers, a large one is bits; see words.
type search struct {
	n       *Numbering
	marks   []uint64 // see bfs.Mark; nil if the search keeps none
	first   int      // the colour of level 0
	few     uint64   // a level with fewer positions is a list
	threads int

	list, before []uint64 // the last level and the one before it, if they are lists
	count        uint64   // the positions of the last level
	inWords      bool     // the last level is bits
	words        *words   // nil until a level is bits
	scratch      []uint64
}

// A level is a list if it has fewer positions than this share of all words. Without marks, a list
// is sorted, which takes longer.
const (
	fewShare         = 100
	fewUnmarkedShare = 400
)

// searchBytes returns about how many bytes a search takes besides the marks.
func searchBytes(n *Numbering, threads int) uint64 {
	lists := n.Size() / wordNumbers / fewShare * 8 * 5 // two levels, and the numbers that moves lead to
	return lists + wordsBytes(n, threads)
}

func newSearch(n *Numbering, marks []uint64, threads int) *search {
	s := &search{n: n, marks: marks, threads: threads, few: n.Size() / wordNumbers / fewShare}
	if marks == nil {
		s.few = n.Size() / wordNumbers / fewUnmarkedShare
	}
	if n.tiles < minWordTiles {
		s.few = n.Size() + 1
	}
	return s
}

// Start implements statespace.Stepper. There is one root.
func (s *search) Start(root uint64) {
	s.first = s.n.colour(int(root / s.n.plane))
	if s.marks != nil {
		s.add(root, 0)
	}
	s.list, s.count = []uint64{root}, 1
}

// colour returns the colour of a level.
func (s *search) colour(level int) int { return s.first ^ level&1 }

// Step implements statespace.Stepper. A list takes so little time that ctx does not stop it.
func (s *search) Step(ctx context.Context, level int) (count uint64, err error) {
	switch few := s.count < s.few; {
	case few && s.inWords:
		s.list = s.words.members(s.list[:0], s.colour(level))
		if s.marks == nil {
			s.before = s.words.members(s.before[:0], s.colour(level-1))
		}
		s.inWords = false
	case !few && !s.inWords:
		s.useWords()
		if err := s.words.set(ctx, s.list, s.before); err != nil {
			s.inWords = false // the lists are still there
			return 0, err
		}
	}
	if s.inWords {
		if count, err = s.words.step(ctx, s.colour(level+1), int(bfs.Mark(level+1))); err == nil {
			s.count = count
		}
		return count, err
	}
	if s.marks == nil {
		next := listAfter(s.n, s.list, s.before)
		s.before, s.list, s.count = s.list, next, uint64(len(next))
		return s.count, nil
	}
	next := s.before[:0]
	for _, x := range s.list {
		s.scratch = s.n.neighbours(s.scratch[:0], x)
		for _, y := range s.scratch {
			if s.add(y, level+1) {
				next = append(next, y)
			}
		}
	}
	s.before, s.list, s.count = s.list, next, uint64(len(next))
	return s.count, nil
}

// listAfter returns the level after the last one in order, given that and the one before in order.
func listAfter(n *Numbering, last, before []uint64) []uint64 {
	next := make([]uint64, 0, 3*len(last))
	for _, x := range last {
		next = n.neighbours(next, x)
	}
	slices.Sort(next)
	next = slices.Compact(next)
	kept := next[:0]
	for _, x := range next {
		for len(before) > 0 && before[0] < x {
			before = before[1:]
		}
		if len(before) == 0 || before[0] != x {
			kept = append(kept, x)
		}
	}
	return kept
}

func (s *search) useWords() {
	if s.words == nil {
		s.words = newWords(s.n, s.marks, s.threads)
	}
	s.inWords = true
}

// add marks a number as one of a level. It reports false if the number has a mark already.
func (s *search) add(x uint64, level int) bool {
	w := s.marks[x>>6<<1:][:2]
	bit := uint64(1) << (x & 63)
	if (w[0]|w[1])&bit != 0 {
		return false
	}
	m := uint64(bfs.Mark(level))
	w[0] |= bit & -(m & 1)
	w[1] |= bit & -(m >> 1)
	return true
}

// Goals implements statespace.Stepper.
func (s *search) Goals(level int) []uint64 {
	var found []uint64
	if s.inWords {
		found = findGoals(s.n, s.words.planes, s.colour(level))
	} else {
		for _, x := range s.list {
			if s.n.Goal(x) {
				found = append(found, x)
			}
		}
	}
	slices.Sort(found) // with several goals, a number can come twice
	return slices.Compact(found)
}

// Open implements statespace.Stepper.
func (s *search) Open(level int, first uint64, open []uint64) {
	end := first + 64*uint64(len(open))
	if s.inWords {
		s.words.eachWithin(s.colour(level), first, min(end, s.n.Size()), func(at, word uint64) {
			for ; word != 0; word &= word - 1 {
				if x := at + uint64(bits.TrailingZeros64(word)); first <= x && x < end {
					open[(x-first)/64] |= 1 << (x % 64)
				}
			}
		})
		return
	}
	if first == 0 {
		slices.Sort(s.list) // the order makes no difference to Step
	}
	at, _ := slices.BinarySearch(s.list, first)
	for _, x := range s.list[at:] {
		if x >= end {
			break
		}
		open[(x-first)/64] |= 1 << (x % 64)
	}
}

// Levels implements statespace.Stepper: the words of all planes, in the order of places.
func (s *search) Levels(int) [][]uint64 {
	if !s.inWords {
		s.useWords()
		s.inWords = false
		s.words.set(context.Background(), s.list, s.before)
	}
	return s.words.planes
}

// RestoreLevels implements statespace.Stepper. Which colour the last level has follows from the start, so
// Start comes first.
func (s *search) RestoreLevels(level int, all []uint64) (states uint64, err error) {
	s.useWords()
	s.words.fresh = false
	for place, plane := range s.words.planes {
		copy(plane, all[place*len(plane):])
		for i, word := range plane {
			if word>>wordNumbers != 0 {
				return 0, fmt.Errorf("words should have %d numbers each, found %#x for number %d", wordNumbers, word, uint64(place)*s.n.plane+uint64(i)*wordNumbers)
			}
			if s.n.colour(place) == s.colour(level) {
				states += uint64(bits.OnesCount64(word))
			}
		}
	}
	s.count, s.list, s.before = states, nil, nil
	if s.inWords = states >= s.few; !s.inWords {
		s.list, s.before = s.words.members(nil, s.colour(level)), s.words.members(nil, s.colour(level-1))
	}
	return states, nil
}

// Restore implements statespace.Stepper. The level before the last is the neighbours of the last level
// that have its mark.
func (s *search) Restore(level int, open []uint64) {
	s.list, s.before, s.count = nil, nil, 0
	onLevel := func(yield func(x uint64) bool) {
		for i := range open {
			for w := open[i] & bfs.WithMark(s.marks[2*i], s.marks[2*i+1], bfs.Mark(level)); w != 0; w &= w - 1 {
				if !yield(uint64(i)*64 + uint64(bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
	for x := range onLevel {
		s.first = s.n.colour(int(x/s.n.plane)) ^ level&1
		s.count++
	}
	enter := func(list *[]uint64, x uint64) { *list = append(*list, x) }
	if s.inWords = s.count >= s.few; s.inWords {
		s.useWords()
		s.words.set(context.Background())
		enter = func(_ *[]uint64, x uint64) { s.words.add(x) }
	}
	for x := range onLevel {
		enter(&s.list, x)
		s.scratch = s.n.neighbours(s.scratch[:0], x)
		for _, y := range s.scratch {
			if level > 0 && bfs.WithMark(s.marks[y/64*2], s.marks[y/64*2+1], bfs.Mark(level-1))>>(y%64)&1 == 1 {
				enter(&s.before, y)
			}
		}
	}
}
