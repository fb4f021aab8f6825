package deck

import (
	"context"
	"math"
	"math/rand/v2"

	"pagoda/studies/rushhour"
)

const (
	// mostPositions bounds the positions of a puzzle, so that climbs and proofs are quick.
	mostPositions = 10000
	// mostCars and mostTrucks are how many vehicles the game that is sold has, the goal car included.
	mostCars, mostTrucks = 12, 4
	// leastMoves is how many moves a card takes at least.
	leastMoves = 4
	// warmth is how many moves a climb gives away with the chance 1/e.
	warmth = 0.7
	// exit is the row of the goal car.
	exit = 2
)

// A candidate is a puzzle that may come into the deck.
type candidate struct {
	climb      uint64
	board      rushhour.Board
	component  string // the same for all positions that can be reached
	moves      int
	positions  int
	difficulty int // in tenths
}

// A climber changes a board at random, again and again, and keeps most of the changes that do not make
// it easier. All that it does follows from its seed.
type climber struct {
	number   uint64
	rng      *rand.Rand
	searcher rushhour.Searcher
	found    []*candidate
}

func newClimber(seed, number uint64) *climber {
	return &climber{number: number, rng: rand.New(rand.NewPCG(seed, number+1)), searcher: rushhour.Searcher{Most: mostPositions}}
}

// climb returns the candidates of a climb of some changes. It ends early when ctx ends.
func (c *climber) climb(ctx context.Context, changes int) []*candidate {
	at, moves := c.start(), 0
	seen := make(map[int]bool)
	for range changes {
		if ctx.Err() != nil {
			break
		}
		next, harder, ok := c.hardest(c.change(at))
		if !ok || harder < moves && c.rng.Float64() >= math.Exp(float64(harder-moves)/warmth) {
			continue
		}
		at, moves = next, harder
		if !seen[moves] {
			if b, n, ok := c.reduce(at, moves); ok && n >= leastMoves {
				seen[moves], seen[n] = true, true
				c.take(b, n)
			}
		}
	}
	return c.found
}

// start returns a board with the goal car alone.
func (c *climber) start() rushhour.Board {
	return rushhour.Board{Vehicles: []rushhour.Vehicle{{Row: exit, Length: 2}}}
}

// change returns a board with one or two changes: a vehicle taken away or put down.
func (c *climber) change(b rushhour.Board) rushhour.Board {
	for range 1 + c.rng.IntN(2) {
		if n := len(b.Vehicles); n > 1 && c.rng.IntN(3) == 0 {
			b = b.Without(1 + c.rng.IntN(n-1))
			continue
		}
		if v, ok := c.place(b); ok {
			b = rushhour.Board{Vehicles: append(b.Vehicles[:len(b.Vehicles):len(b.Vehicles)], v)}
		}
	}
	return b
}

// place returns a vehicle for which there is room, in any row but that of the goal car. It may find none.
func (c *climber) place(b rushhour.Board) (rushhour.Vehicle, bool) {
	var taken uint64
	cars, trucks := 0, 0
	for _, v := range b.Vehicles {
		taken |= v.Cells()
		if v.Length == 2 {
			cars++
		} else {
			trucks++
		}
	}
	for range 20 {
		v := rushhour.Vehicle{Length: 2, Vertical: c.rng.IntN(2) == 0}
		if c.rng.IntN(3) == 0 {
			v.Length = 3
		}
		v.Row, v.Col = c.rng.IntN(rushhour.Side), c.rng.IntN(rushhour.Side+1-v.Length)
		if v.Vertical {
			v.Row, v.Col = v.Col, v.Row
		}
		switch {
		case v.Length == 2 && cars == mostCars, v.Length == 3 && trucks == mostTrucks:
		case !v.Vertical && v.Row == exit, taken&v.Cells() != 0:
		default:
			return v, true
		}
	}
	return rushhour.Vehicle{}, false
}

// hardest returns a position that is farthest from the goal. It is false if the board cannot be solved or
// has too many positions.
func (c *climber) hardest(b rushhour.Board) (rushhour.Board, int, bool) {
	component, err := c.searcher.Explore(b)
	if err != nil {
		return b, 0, false
	}
	moves, starts := component.Hardest()
	if len(starts) == 0 {
		return b, 0, false
	}
	return starts[c.rng.IntN(len(starts))], moves, true
}

// reduce takes vehicles away as long as that does not make the board easier.
func (c *climber) reduce(b rushhour.Board, moves int) (rushhour.Board, int, bool) {
	for {
		i, err := c.searcher.Needless(b)
		if err != nil {
			return b, 0, false
		}
		if i < 0 {
			return b, moves, true
		}
		var ok bool
		if b, moves, ok = c.hardest(b.Without(i)); !ok {
			return b, 0, false
		}
	}
}

// take keeps a puzzle as a candidate.
func (c *climber) take(b rushhour.Board, moves int) {
	component, err := c.searcher.Explore(b)
	if err != nil {
		return
	}
	c.found = append(c.found, &candidate{climb: c.number, board: b, component: component.Least().String(), moves: moves, positions: component.Positions(),
		difficulty: int(math.Round(10 * component.Questions()))})
}
