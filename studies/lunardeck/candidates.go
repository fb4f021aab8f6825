package lunardeck

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"pagoda/internal/progress"
	"pagoda/puzzle/lunar"
	"pagoda/puzzle/lunar/board"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

const (
	// mostPieces is how many pieces sets of this game have.
	mostPieces = 6
	// mostLetters and leastNumbers bound the pieces of a card further.
	mostLetters, leastNumbers = 3, 2
	// mostStates bounds the groups, so that a deck takes seconds.
	mostStates = 1 << 22
	// leastMoves is how many moves a card takes at least.
	leastMoves = 2
	// mostSolutions is how many best solutions a card has at most.
	mostSolutions = 4
	// perKind is how many candidates there are of a kind.
	perKind = 100
)

// A key is a position up to the symmetries of the board. The groups of a deck differ in the numbers.
type key struct {
	numbers int
	state   statespace.Index
}

// A kind is what problems have in common that look alike to a player.
type kind struct{ letters, numbers, moves, decoys int }

// A candidate is a problem that may come into the deck.
type candidate struct {
	kind
	start board.Position
	card  Card // without what depends on its place in the deck, and on how it lies
}

// groups returns the groups of a deck, one for each number of number pieces. Each has the problems
// with fewer letters, too.
func groups(ctx context.Context, b *board.Board, name string, memory uint64) (all []*lunar.Group, err error) {
	free := len(b.Cells()) - bits.OnesCount64(b.Exits())
	for numbers := leastNumbers; numbers < mostPieces; numbers++ {
		for letters := min(mostLetters, mostPieces-numbers, free-numbers); letters > 0; letters-- {
			g, err := lunar.New(ctx, fmt.Sprintf("%s:%d-%d", name, letters, numbers), b, letters, numbers, memory)
			if err != nil {
				return nil, err
			}
			if g.Size() <= mostStates {
				all = append(all, g)
				break
			}
		}
	}
	return all, nil
}

// Solve searches a group and finds its values. Options have the threads and the memory.
func Solve(ctx context.Context, g *lunar.Group, o Options) (*bfs.Values, error) {
	const depthBits = 8 // a bound of what the search keeps of distances
	need := bfs.MemoryOf(g.Graph()) + bfs.ValueBytes(g) + g.Size()/8*depthBits
	if o.Memory != 0 && need > o.Memory {
		return nil, &statespace.MemoryError{Name: g.Name(), Need: need, Allowed: o.Memory}
	}
	var p statespace.Progress
	defer progress.Start(ctx, "solving "+g.Name(), g.Size(), "states", p.Read)()
	s, err := bfs.New(ctx, g.Graph(), bfs.Options{Threads: o.Threads, Whole: true})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.Run(ctx, nil, &p); err != nil {
		return nil, err
	}
	return bfs.FindValues(ctx, g, s.Members(), o.Threads, &p)
}

// findCandidates returns problems of a group: at most perKind of each kind, chosen by rng.
func findCandidates(ctx context.Context, g *lunar.Group, o Options, rng *rand.Rand) ([]*candidate, error) {
	v, err := Solve(ctx, g, o)
	if err != nil {
		return nil, err
	}
	defer v.Free()
	defer progress.Start(ctx, "measuring "+g.Name(), 0, "", nil)()
	m := &measurer{g, v, make(map[statespace.Index]float64)}
	seen := make(map[kind]int)
	sample := make(map[kind][]statespace.Index)
	var order []kind
	for x := range g.Size() {
		if x%(1<<16) == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		k, ok := m.kindOf(x)
		if !ok {
			continue
		}
		// Each of the n seen so far stays with the same chance (reservoir sampling: Knuth 3.4.2, algorithm R).
		seen[k]++
		switch n := seen[k]; {
		case n == 1:
			order = append(order, k)
			fallthrough
		case n <= perKind:
			sample[k] = append(sample[k], x)
		default:
			if i := rng.IntN(n); i < perKind {
				sample[k][i] = x
			}
		}
	}
	var all []*candidate
	for _, k := range order {
		for _, x := range sample[k] {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if c := m.candidate(k, x); c != nil {
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// kindOf returns the kind of a problem. It is false if the problem is not for a deck.
func (m *measurer) kindOf(x statespace.Index) (k kind, ok bool) {
	moves := m.moves(x)
	if moves < leastMoves {
		return kind{}, false
	}
	var values [lunar.Columns]uint64
	m.values.Get(values[:], x)
	p, _ := m.group.Position(x)
	decoys := m.group.Numbers() - bits.OnesCount64(values[lunar.SomeColumn])
	if values[lunar.SolutionsColumn] > mostSolutions || decoys > 1 || values[lunar.AlwaysColumn] != values[lunar.SomeColumn] {
		return kind{}, false
	}
	return kind{bits.OnesCount64(p.Letters), m.group.Numbers(), moves, decoys}, true
}

// candidate measures a problem. It is nil if the way to the end passes a problem of the deck that is sold.
func (m *measurer) candidate(k kind, x statespace.Index) *candidate {
	var values [lunar.Columns]uint64
	m.values.Get(values[:], x)
	c := &candidate{kind: k, card: Card{Board: m.group.Board(), Letters: k.letters, Numbers: k.numbers, Moves: k.moves, Steps: int(values[lunar.StepsColumn]), Solutions: values[lunar.SolutionsColumn]}}
	c.start, _ = m.group.Position(x)
	best := m.best(x)
	for _, y := range best {
		if p, _ := m.group.Position(y); isPublished(m.group.Board(), p) {
			return nil
		}
		if m.moves(y) >= leastMoves {
			c.card.best = append(c.card.best, key{k.numbers, y})
		}
	}
	c.card.Measure = m.measure(x, best)
	c.card.Difficulty = c.card.Measure.Difficulty()
	return c
}
