package census

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// A State is how far a run has come. It can be kept as JSON.
type State struct {
	Size  Size     `json:"size"`
	Least int      `json:"least"`
	Most  int      `json:"most"`
	Done  []uint64 `json:"done"` // a bit for each part
	Tally Tally    `json:"tally"`

	kinds int // contents of a row
}

func newState(o Options) *State {
	s := &State{Size: o.Size, Least: o.Least, Most: o.Most, kinds: len(contents(words(o.Cols))), Tally: newTally(o.MostVehicles())}
	s.Done = make([]uint64, (s.parts()+63)/64)
	return s
}

// parts returns the number of parts.
func (s *State) parts() int {
	n := 1
	for range s.Size.Rows - 1 {
		n *= s.kinds
	}
	return n
}

// contents returns which of the contents each row has in a part.
func (s *State) contents(part int) []int {
	all := make([]int, s.Size.Rows)
	for row := range all {
		if row != s.Size.Exit {
			all[row] = part % s.kinds
			part /= s.kinds
		}
	}
	return all
}

func (s *State) has(part int) bool { return s.Done[part/64]>>(part%64)&1 == 1 }

func (s *State) set(part int) { s.Done[part/64] |= 1 << (part % 64) }

// Errors of a state from which a run cannot go on: that of another run, and one that is damaged.
var (
	ErrOther      = errors.New("it is the checkpoint of another run")
	ErrCheckpoint = errors.New("the checkpoint is damaged")
)

// fits says why a state is not one of a run. It may come from anyone.
func (s *State) fits(o Options) error {
	want := newState(o)
	if s.Size != o.Size || s.Least != o.Least || s.Most != o.Most {
		return fmt.Errorf("%w: it is of %s with %d to %d vehicles, the run is of %s with %d to %d", ErrOther, s.Size, s.Least, s.Most, o.Size, o.Least, o.Most)
	}
	n := len(want.Tally.ByMoves)
	if len(s.Done) != len(want.Done) || len(s.Tally.ByMoves) != n || len(s.Tally.Hardest) != n || len(s.Tally.Minimal) != n {
		return fmt.Errorf("%w: parts or counts are missing", ErrCheckpoint)
	}
	if last := s.Done[len(s.Done)-1]; want.parts()%64 != 0 && last>>(want.parts()%64) != 0 {
		return fmt.Errorf("%w: it has parts that do not exist", ErrCheckpoint)
	}
	for k, counts := range s.Tally.ByMoves {
		hardest, minimal := s.Tally.Hardest[k], s.Tally.Minimal[k]
		if hardest.Moves != len(counts)-1 || minimal.Moves > hardest.Moves {
			return fmt.Errorf("%w: the records with %d vehicles do not go with the counts", ErrCheckpoint, k)
		}
		for _, r := range []Record{hardest, minimal} {
			if err := r.check(o.Size); err != nil {
				return fmt.Errorf("%w: %w", ErrCheckpoint, err)
			}
		}
	}
	s.kinds = want.kinds
	return nil
}

// check says what is wrong with a record. It may come from anyone.
func (r *Record) check(z Size) error {
	if r.Moves < 0 != (len(r.Keys) == 0) || r.Moves < -1 || len(r.Keys) > mostKeys || !slices.IsSorted(r.Keys) {
		return fmt.Errorf("a record of %d moves has %d boards, or they are not in order", r.Moves, len(r.Keys))
	}
	for _, key := range r.Keys {
		if _, err := z.Board(key); err != nil {
			return err
		}
	}
	return nil
}

// String describes a size.
func (z Size) String() string {
	metric := "moves"
	if z.Steps {
		metric = "steps"
	}
	text := fmt.Sprintf("%dx%d in %s with the goal car in row %d", z.Rows, z.Cols, metric, z.Exit)
	if z.Walls != 0 {
		text += fmt.Sprintf(" and %d walls", bits.OnesCount64(z.Walls))
	}
	return text
}
