package census

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"pagoda/internal/lists"
	"pagoda/internal/mapped"
	"pagoda/internal/progress"
	"pagoda/studies/rushhour"
)

// MinSide, MaxRows and MaxSide bound the rows and the columns of a board.
const (
	MinSide = 3
	MaxRows = rushhour.Side // a word of a column has a bit of a lane
	MaxSide = rushhour.MaxSide
)

// A Size is a kind of boards, and what counts as a move.
type Size struct {
	Rows int `json:"rows"`
	Cols int `json:"cols"`
	// Exit is the row of the goal car, from 0.
	Exit int `json:"exit"`
	// Steps counts each cell that a vehicle moves. Otherwise any distance is one move.
	Steps bool `json:"steps"`
	// Walls are cells in which no vehicle may be: bit Size.Side()*row+column.
	Walls uint64 `json:"walls,omitempty"`
}

// Side returns the rows and columns of the text of a board: those of the game that is sold, if they do.
func (z Size) Side() int { return max(rushhour.Side, z.Cols) }

// wall reports whether a cell is a wall.
func (z Size) wall(row, col int) bool { return z.Walls>>(z.Side()*row+col)&1 == 1 }

// WithWalls returns the size with each set of n walls, one after the other.
func (z Size) WithWalls(n int) (all []Size) {
	var add func(walls uint64, cell, left int)
	add = func(walls uint64, cell, left int) {
		if left == 0 {
			z.Walls = walls
			all = append(all, z)
			return
		}
		for ; cell < z.Rows*z.Cols; cell++ {
			add(walls|1<<(z.Side()*(cell/z.Cols)+cell%z.Cols), cell+1, left-1)
		}
	}
	add(0, 0, n)
	return all
}

// Check says what is wrong with a size.
func (z Size) Check() error {
	if z.Rows < MinSide || z.Rows > MaxRows || z.Cols < MinSide || z.Cols > MaxSide {
		return fmt.Errorf("a board has %d to %d rows and %d to %d columns, found %d x %d", MinSide, MaxRows, MinSide, MaxSide, z.Rows, z.Cols)
	}
	if z.Exit < 0 || z.Exit >= z.Rows {
		return fmt.Errorf("the goal car is in row %d, expected 0 to %d", z.Exit, z.Rows-1)
	}
	outside := z.Walls
	for row := range z.Rows {
		outside &^= (1<<z.Cols - 1) << (z.Side() * row)
	}
	if outside != 0 {
		return fmt.Errorf("a wall is in row %d and column %d, which a board of %d x %d does not have", bits.TrailingZeros64(outside)/z.Side(), bits.TrailingZeros64(outside)%z.Side(), z.Rows, z.Cols)
	}
	return nil
}

// MostVehicles returns a bound of the vehicles of a board.
func (z Size) MostVehicles() int { return z.Rows * z.Cols / 2 }

// Options say what to look for.
type Options struct {
	Size
	// Least and Most bound the number of vehicles, the goal car included.
	Least, Most int
	Threads     int    // 0 is 1
	Memory      uint64 // in bytes; 0 is no bound
	// Resume is where to go on, or nil.
	Resume *State
	// Save keeps a state from which a later run can go on. It is called from time to time, and when ctx
	// ends. It may be nil.
	Save func(s *State) error

	every time.Duration // between states; 0 is saveEvery
}

// saveEvery is how often states are kept.
const saveEvery = 30 * time.Second

// Run looks at all boards of a size. When ctx ends, it stops soon, keeps what it has, and returns the
// cause. The tally depends on the size and the bounds of vehicles only.
func Run(ctx context.Context, o Options) (*Tally, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Least < 1 || o.Most < o.Least || o.Most > o.MostVehicles() {
		return nil, fmt.Errorf("%d to %d vehicles, expected a range within 1 to %d", o.Least, o.Most, o.MostVehicles())
	}
	t, state := newTables(o.Size), newState(o)
	if o.Resume != nil {
		if err := o.Resume.fits(o); err != nil {
			return nil, err
		}
		state = o.Resume
	}
	save := func() error {
		if o.Save == nil {
			return nil
		}
		return o.Save(state)
	}
	total := state.parts()
	var left []int
	for i := range total {
		if !state.has(i) {
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		return &state.Tally, nil
	}
	var done atomic.Int64 // parts
	done.Store(int64(total - len(left)))
	defer progress.Start(ctx, "searching", uint64(total), "parts", func() (int64, int64) { return done.Load(), int64(total) })()
	searchers := make([]*searcher, max(1, o.Threads))
	for i := range searchers {
		searchers[i] = newSearcher(t, &o)
	}
	var mutex sync.Mutex // of the state and when it was saved
	saved := time.Now()
	err := mapped.EachWith(ctx, searchers, uint64(len(left)), func(s *searcher, i uint64) error {
		mutex.Lock()
		s.begin(&state.Tally)
		mutex.Unlock()
		if err := s.search(ctx, newPart(t, state.contents(left[i]))); err != nil {
			return err
		}
		mutex.Lock()
		defer mutex.Unlock()
		state.Tally.merge(&s.tally)
		state.set(left[i])
		done.Add(1)
		if time.Since(saved) < cmp.Or(o.every, saveEvery) {
			return nil
		}
		saved = time.Now()
		return save()
	})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if err := save(); err != nil {
		return nil, err
	}
	return &state.Tally, err
}

// mostKeys is how many boards of a kind a tally keeps.
const mostKeys = 64

// A Tally counts boards by number of vehicles.
type Tally struct {
	// ByMoves has the number of boards that can be solved, by number of vehicles and by moves.
	ByMoves [][]uint64 `json:"by_moves"`
	// Hardest has the boards that take the most moves by number of vehicles, and Minimal those of them in
	// which no vehicle can be left out without making the board easier.
	Hardest []Record `json:"hardest"`
	Minimal []Record `json:"minimal"`
}

// A Record is the boards with the most moves.
type Record struct {
	Moves int `json:"moves"` // -1 if there is no board
	// Keys has the least keys of such boards, at most mostKeys.
	Keys []Key `json:"keys"`
}

// wants reports whether a board would come into a record.
func (r *Record) wants(moves int, key Key) bool {
	return moves > r.Moves || moves == r.Moves && (len(r.Keys) < mostKeys || key < r.Keys[mostKeys-1])
}

// take takes a board into a record, if it is wanted.
func (r *Record) take(moves int, key Key) {
	if !r.wants(moves, key) {
		return
	}
	if moves > r.Moves {
		r.Moves, r.Keys = moves, r.Keys[:0]
	}
	if at, found := slices.BinarySearch(r.Keys, key); !found {
		r.Keys = slices.Insert(r.Keys, at, key)
		r.Keys = r.Keys[:min(len(r.Keys), mostKeys)]
	}
}

// merge takes all boards of another record.
func (r *Record) merge(other *Record) {
	for _, key := range other.Keys {
		r.take(other.Moves, key)
	}
}

func newTally(most int) Tally {
	t := Tally{ByMoves: make([][]uint64, most+1), Hardest: make([]Record, most+1), Minimal: make([]Record, most+1)}
	for i := range t.Hardest {
		t.Hardest[i].Moves, t.Minimal[i].Moves = -1, -1
	}
	return t
}

// merge adds another tally.
func (t *Tally) merge(other *Tally) {
	for k, counts := range other.ByMoves {
		for moves, n := range counts {
			t.add(k, moves, n)
		}
		t.Hardest[k].merge(&other.Hardest[k])
		t.Minimal[k].merge(&other.Minimal[k])
	}
}

// add counts boards.
func (t *Tally) add(vehicles, moves int, n uint64) {
	if n == 0 {
		return
	}
	for len(t.ByMoves[vehicles]) <= moves {
		t.ByMoves[vehicles] = append(t.ByMoves[vehicles], 0)
	}
	t.ByMoves[vehicles][moves] += n
}

// Solvable returns how many boards with a number of vehicles can be solved.
func (t *Tally) Solvable(vehicles int) uint64 { return lists.Sum(t.ByMoves[vehicles]) }
