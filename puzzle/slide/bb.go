package slide

import (
	"context"
	"fmt"
	"math/big"

	"pagoda/internal/amount"
	"pagoda/internal/lists"
	"pagoda/internal/memory"
	"pagoda/puzzle/slide/tray"
	"pagoda/puzzle/slide/trees"
	"pagoda/statespace"
)

// A BB is the BB metric of a puzzle, a measure of how hard it is (N. Baxter, N. Bickford, Sliding
// Block Puzzles, Part 3, nbickford.wordpress.com, 2012). It is
//
//	vertices - 1 - the mean length of the path from start to goal,
//
// where the mean is over all spanning trees of the graph of positions: the mean number of edges
// of a tree that are not on the path.
//
// The vertices are the positions that can be reached. An edge is two positions that one move
// changes into each other. The puzzle ends at any goal, so all goals are one vertex. Several moves
// from one position into goals are several edges.
type BB struct {
	Metric tray.Metric
	// States is the number of positions that can be reached, and Goals how many of them are
	// goals. If there are no goals, the puzzle has no value, and everything below is zero.
	States, Goals uint64
	// Vertices is the number of vertices, with all goals as one.
	Vertices uint64
	// The mean length of the paths. Parts are the biconnected components with at least three vertices.
	trees.Mean
	// Value is the metric. Low to High is its interval with 95 % confidence, by the normal distribution, if the mean
	// is an estimate, with random numbers from Seed.
	Value, Low, High float64
	Seed             uint64
	// Reason is why no goal can be reached: see Result.Reason.
	Reason string
}

// ExactValue returns the metric if it is exact, else nil.
func (b *BB) ExactValue() *big.Rat {
	if b.Exact == nil {
		return nil
	}
	v := new(big.Rat).SetInt(new(big.Int).SetUint64(b.Vertices - 1))
	return v.Sub(v, b.Exact)
}

// BBWidth is the width that reach bb takes by default.
const BBWidth = 8

// bbBytes is about how many bytes a position takes: in the graph of all moves, and in its parts.
const bbBytes = 250

// FindBB finds the BB metric of a puzzle. The memory of the options bounds all that it takes.
func FindBB(ctx context.Context, p *tray.Puzzle, m tray.Metric, o trees.Options) (*BB, error) {
	if !p.HasGoal() {
		return nil, ErrNoGoal
	}
	if why := p.Barred(); why != "" {
		return &BB{Metric: m, Reason: why}, nil
	}
	e, err := newExplorer(ctx, p, m, Options{Memory: o.Memory, Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	return e.findBB(ctx, o)
}

func (e *explorer) findBB(ctx context.Context, o trees.Options) (*BB, error) {
	reached, err := e.search(ctx, only(e.start), true)
	if err != nil {
		return nil, err
	}
	defer reached.Close()
	b := &BB{Metric: e.metric, States: reached.States()}
	if len(reached.Goals) == 0 {
		return b, nil
	}
	if need := b.States * bbBytes; e.memory > 0 && need > e.memory || b.States >= maxMembers {
		return nil, &statespace.MemoryError{Name: "the graph of all moves", Need: need, Most: fmt.Sprintf("for %s positions", amount.Comma(b.States)), Allowed: o.Memory}
	}
	share := memory.For(ctx, "the graph of all moves")
	defer share.Free()
	if err := share.Set(b.States * bbBytes); err != nil {
		return nil, err
	}
	c := e.component(reached)
	reached.Close() // its memory is for the graph
	g, err := c.moveGraph(ctx)
	if err != nil {
		return nil, err
	}
	for _, goal := range g.goals {
		if goal {
			b.Goals++
		}
	}
	n := g.contract(g.member(e.start))
	b.Vertices = uint64(n.Vertices())
	o.Memory = e.memory
	mean, err := n.MeanPath(ctx, o)
	if err != nil {
		return nil, err
	}
	b.Mean, b.Seed = *mean, o.Seed
	if b.Value = float64(b.Vertices) - 1 - b.Length; b.Exact != nil {
		b.Value, _ = b.ExactValue().Float64()
	}
	const within = 1.959964 // standard errors, for 95 % of a normal distribution
	b.Low, b.High = b.Value-within*b.Error, b.Value+within*b.Error
	return b, nil
}

// contract returns the graph with all goals as one vertex, which is the last.
func (g *moveGraph) contract(start uint32) *trees.Network {
	number := make([]uint32, len(g.goals))
	last := uint32(0)
	for i, goal := range g.goals {
		if !goal {
			number[i] = last
			last++
		}
	}
	for i, goal := range g.goals {
		if goal {
			number[i] = last
		}
	}
	moves := lists.SumOf(g.edges, func(part graphPart) int { return len(part.to) })
	edges := make([][2]uint32, 0, moves/2)
	for i, a := range number {
		for _, y := range g.moves(uint32(i)) {
			if b := number[y]; uint32(i) < y && a != b {
				edges = append(edges, [2]uint32{a, b})
			}
		}
	}
	return trees.New(int(last)+1, edges, number[start], last)
}
