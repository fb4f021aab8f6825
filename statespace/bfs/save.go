package bfs

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/lists"
	"pagoda/internal/mapped"
)

// A State says how far a search has come. The entries of the numbers are not part of it.
type State struct {
	Level  int      `json:"level"`  // whose moves are made next, some of them perhaps already
	States uint64   `json:"states"` // on this level; 0: the search has ended before it
	Layers []uint64 `json:"layers"`
	Length int      `json:"length,omitempty"` // distance of the goals
	Depths int      `json:"depths,omitempty"` // bits of a whole distance
	// Unmarked says that the search keeps no marks: see Options.Levels.
	Unmarked bool `json:"unmarked,omitempty"`
}

// Saved is all that restores a search. It shares the memory of the search.
type Saved struct {
	State
	Goals []uint64
	Marks []uint64 // of all numbers, two words for 64 of them
	Open  []uint64 // a bit for each state whose moves are still to be made
	// OpenParts, if not nil, makes Open, part by part, while the search is in memory.
	OpenParts iter.Seq[[]uint64]
	Levels    [][]uint64 // of a search without marks: see statespace.Stepper; they are one, in parts
	Depths    [][]uint64 // whole distances, plane by plane, if the search keeps them
}

// A Section is some of what is Saved, under the name that it has in a checkpoint.
type Section struct {
	Name  string
	Bytes uint64
	// Write calls write with the bytes, part by part.
	Write func(write func([]byte) error) error
}

// Sections returns what is saved besides the State.
func (s Saved) Sections() (all []Section) {
	add := func(name string, words int, parts iter.Seq[[]uint64]) {
		all = append(all, Section{name, 8 * uint64(words), func(write func([]byte) error) error {
			for part := range parts {
				if err := write(mapped.Bytes(part)); err != nil {
					return err
				}
			}
			return nil
		}})
	}
	one := func(words []uint64) iter.Seq[[]uint64] { return slices.Values([][]uint64{words}) }
	open := s.OpenParts
	if open == nil {
		open = one(s.Open)
	}
	words := len(s.Marks) / MarkBits
	add("distances", len(s.Marks), one(s.Marks))
	add("open", words, open)
	add("goals", len(s.Goals), one(s.Goals))
	add("depths", len(s.Depths)*words, slices.Values(s.Depths))
	if s.Unmarked { // programs before 0.1.0 knew no such section
		n := lists.SumOf(s.Levels, func(part []uint64) int { return len(part) })
		add("levels", n, slices.Values(s.Levels))
	}
	return all
}

// With puts a State together with the Sections that were saved with it, of a search of n numbers. Section returns
// the bytes of one, aligned as words are, which the result shares.
func (s State) With(n uint64, section func(name string) ([]byte, error)) (saved Saved, err error) {
	take := func(name string) []uint64 {
		data, failed := section(name)
		if failed == nil && len(data)%8 != 0 {
			failed = fmt.Errorf("the section %q should be words of 8 bytes, found %d bytes", name, len(data))
		}
		if failed != nil {
			err = failed
			return nil
		}
		return mapped.Words(data)
	}
	saved = Saved{State: s, Marks: take("distances"), Open: take("open"), Goals: take("goals")}
	words, depths := bitset.Words(n), take("depths")
	if s.Unmarked {
		words, saved.Levels = 0, [][]uint64{take("levels")}
	}
	if s.Depths < 0 || s.Depths > MaxDepthBits || uint64(len(depths)) != uint64(s.Depths)*words {
		return saved, cmp.Or(err, fmt.Errorf("whole distances of %d bits should be in at most %d, and take %d words for each, found %d words", s.Depths, MaxDepthBits, words, len(depths)))
	}
	for ; len(depths) > 0; depths = depths[words:] {
		saved.Depths = append(saved.Depths, depths[:words])
	}
	return saved, err
}

// Save returns what restores the search, which has begun. It must not run as long as the result
// is in use.
func (s *Search) Save() Saved {
	saved := Saved{State: State{Level: s.level, States: s.count, Layers: s.Layers, Length: s.Length}, Goals: s.Goals, Marks: s.marks}
	if s.ended {
		saved.Level, saved.States = len(s.Layers), 0
	}
	if s.levels != nil {
		saved.Unmarked = true
		if !s.ended {
			saved.Levels = s.levels.Levels(s.level)
		}
		return saved
	}
	if s.stepper != nil && !s.ended {
		saved.OpenParts = s.openParts
		return saved
	}
	saved.Open = make([]uint64, bitset.Words(s.graph.Size))
	if s.stepper != nil {
		return saved
	}
	for i, closed := range s.closed {
		saved.Open[i] = (s.marks[2*i] | s.marks[2*i+1]) &^ closed // none at the end
	}
	if s.depths != nil {
		saved.State.Depths, saved.Depths = s.depths.Width(), s.depths.planes
	}
	return saved
}

// openParts yields the open states of a Stepper. All at a time would take as many bits as there are
// numbers.
func (s *Search) openParts(yield func([]uint64) bool) {
	words := bitset.Words(s.graph.Size)
	part := make([]uint64, min(words, 1<<20))
	for first := uint64(0); first < words; first += uint64(len(part)) {
		open := part[:min(uint64(len(part)), words-first)]
		clear(open)
		s.stepper.Open(s.level, 64*first, open)
		if !yield(open) {
			return
		}
	}
}

// Restore makes a new search what another was when it was saved. Both are of the same graph,
// with the same options except for the threads. Restore copies what it is given. The error
// says why no search can have saved it.
func (s *Search) Restore(saved Saved) error {
	if saved.OpenParts != nil {
		for open := range saved.OpenParts {
			saved.Open = append(saved.Open, open...)
		}
	}
	next, err := s.check(saved)
	if err != nil {
		return fmt.Errorf("this is not what a search has saved: %w", err)
	}
	copy(s.marks, saved.Marks)
	s.take(saved.State, saved.Goals)
	s.next = next
	if s.levels != nil {
		return nil
	}
	if s.stepper != nil {
		if !s.ended {
			s.stepper.Restore(s.level, saved.Open)
		}
		return nil
	}
	s.restore(saved.Open, s.level)
	if s.depths != nil {
		return s.depths.restore(saved.Depths, s.options.Threads)
	}
	return nil
}

// take makes the search what a State says.
func (s *Search) take(state State, goals []uint64) {
	s.level, s.count = state.Level, state.States
	s.Layers, s.Goals, s.Length = slices.Clone(state.Layers), slices.Clone(goals), state.Length
	if state.States == 0 {
		s.ended, s.Whole = true, !s.options.ToGoal || len(s.Goals) == 0
	}
}

// check checks what was saved. It returns how many states of the next level there are so far. A search without marks
// has taken over the levels then.
func (s *Search) check(saved Saved) (next uint64, err error) {
	if err = s.checkShape(saved); err != nil {
		return 0, err
	}
	if s.levels == nil {
		return s.checkStates(saved)
	}
	if _, err = s.checkLevels(saved); err != nil || saved.States == 0 {
		return 0, err
	}
	words := saved.Levels[0]
	if len(saved.Levels) > 1 {
		words = slices.Concat(saved.Levels...)
	}
	found, err := s.levels.RestoreLevels(saved.Level, words)
	if err == nil && found != saved.States {
		err = fmt.Errorf("level %d should have %d states, found %d", saved.Level, saved.States, found)
	}
	return 0, err
}

// checkLevels returns how many states there are up to the level.
func (s *Search) checkLevels(saved Saved) (reached uint64, err error) {
	levels := slices.Clone(saved.Layers[:saved.Level])
	if saved.States > 0 { // else the search has ended
		levels = append(levels, saved.States)
	}
	for _, n := range levels {
		if n == 0 || n > s.graph.Size-reached {
			return 0, fmt.Errorf("levels should have states, at most %d in all, found layers %v and %d states on level %d", s.graph.Size, saved.Layers, saved.States, saved.Level)
		}
		reached += n
	}
	return reached, nil
}

// checkShape checks everything but the entries of the numbers.
func (s *Search) checkShape(saved Saved) error {
	size, words, levels := s.graph.Size, bitset.Words(s.graph.Size), uint64(0)
	if saved.Unmarked != (s.levels != nil) {
		return fmt.Errorf("one search keeps marks, and the other one does not")
	}
	if saved.Unmarked {
		words = 0
		if saved.States > 0 {
			levels = s.graph.LevelWords
		}
	}
	found := lists.SumOf(saved.Levels, func(part []uint64) uint64 { return uint64(len(part)) })
	if found != levels {
		return fmt.Errorf("the last levels should take %d words, found %d", levels, found)
	}
	if n := uint64(len(saved.Marks)); n != MarkBits*words {
		return fmt.Errorf("the marks of %d numbers should take %d words, found %d", size, MarkBits*words, n)
	}
	if n := uint64(len(saved.Open)); n != words {
		return fmt.Errorf("the open states of %d numbers should take %d words, found %d", size, words, n)
	}
	most := 0
	if s.depths != nil {
		most = MaxDepthBits
	}
	if n := len(saved.Depths); n > most || n != saved.State.Depths {
		return fmt.Errorf("whole distances should have at most %d bits here, found %d planes of distances of %d bits", most, n, saved.State.Depths)
	}
	for bit, plane := range saved.Depths {
		if uint64(len(plane)) != words {
			return fmt.Errorf("plane %d of whole distances should have %d words, found %d", bit, words, len(plane))
		}
	}
	n := len(saved.Layers)
	if saved.Level < 0 || n != saved.Level && n != saved.Level+1 {
		return fmt.Errorf("a search that has come to level n has counted n or n+1 layers, found level %d and %d layers", saved.Level, n)
	}
	if n > saved.Level && saved.Layers[saved.Level] != saved.States {
		return fmt.Errorf("level %d should have as many states as its layer, %d, found %d", saved.Level, saved.Layers[saved.Level], saved.States)
	}
	if saved.Length < 0 || saved.Length > saved.Level {
		return fmt.Errorf("goals are found up to level %d, found a length of %d", saved.Level, saved.Length)
	}
	for i, x := range saved.Goals {
		if x >= size || i > 0 && x <= saved.Goals[i-1] {
			return fmt.Errorf("goals should be below %d and in order, found %v", size, saved.Goals)
		}
	}
	return nil
}

// checkStates checks the entries of the numbers against the rest. It returns how many states
// of the next level there are so far.
func (s *Search) checkStates(saved Saved) (next uint64, err error) {
	var closed, now uint64
	for i, open := range saved.Open {
		low, high := saved.Marks[MarkBits*i], saved.Marks[MarkBits*i+1]
		if n := s.graph.Size % 64; n != 0 && i == len(saved.Open)-1 && (low|high)>>n != 0 {
			return 0, fmt.Errorf("there are marks beyond the last of %d numbers", s.graph.Size)
		}
		onLevel, onNext := open&WithMark(low, high, Mark(saved.Level)), open&WithMark(low, high, Mark(saved.Level+1))
		if other := open &^ (onLevel | onNext); other != 0 {
			return 0, fmt.Errorf("the open states should be on level %d or %d, found others from number %d on", saved.Level, saved.Level+1, 64*i)
		}
		now, next, closed = now+ones(onLevel), next+ones(onNext), closed+ones((low|high)&^open)
		if s.depths == nil {
			continue
		}
		deep := uint64(0)
		for _, plane := range saved.Depths {
			deep |= plane[i]
		}
		if deep != (low|high)&^open {
			return 0, fmt.Errorf("the states that are not open should have whole distances, and no others, found others from number %d on", 64*i)
		}
	}
	ended := saved.States == 0
	if ended && (now > 0 || next > 0 || len(saved.Layers) == 0) {
		return 0, fmt.Errorf("level %d has no states, so the search has ended, and there should be no open states, found %d", saved.Level, now+next)
	}
	if !ended && now == 0 {
		return 0, fmt.Errorf("level %d should have open states, found none", saved.Level)
	}
	for _, x := range saved.Goals {
		if w := x / 64 * MarkBits; WithMark(saved.Marks[w], saved.Marks[w+1], Mark(saved.Length))>>(x%64)&1 == 0 {
			return 0, fmt.Errorf("goal %d should have the mark of level %d", x, saved.Length)
		}
	}
	if s.stepper != nil && !ended { // it opens whole levels
		if now != saved.States || next != 0 {
			return 0, fmt.Errorf("%d states of level %d should be open and none of the next level, found %d and %d", saved.States, saved.Level, now, next)
		}
		return 0, nil
	}
	reached, err := s.checkLevels(saved)
	if err != nil {
		return 0, err
	}
	if closed+now != reached {
		return 0, fmt.Errorf("%d states up to level %d should have marks, found %d", reached, saved.Level, closed+now)
	}
	return next, nil
}
