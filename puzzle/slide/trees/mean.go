package trees

import (
	"context"
	"math/big"
	"sync/atomic"

	"pagoda/internal/lists"
	"pagoda/internal/progress"
)

// Options say how to find a mean.
type Options struct {
	// Width is the greatest width of parts that are exact, up to MaxWidth. With 0, all parts but
	// bridges are sampled.
	Width int
	// Memory bounds about how many bytes exact parts take, 0 is no bound. Parts that would take
	// more are sampled.
	Memory uint64
	// Samples is how many trees to draw for the other parts, 0 is DefaultSamples.
	Samples int
	// Seed is the seed of the random numbers. The same seed gives the same result, on any number
	// of threads.
	Seed uint64
	// Threads is the number of threads, 0 is 1.
	Threads int
}

// DefaultSamples is the number of samples if none is given.
const DefaultSamples = 10000

// MaxWidth is the greatest width of a plan. The time for a part grows about as fast as the number
// of partitions of the vertices.
const MaxWidth = 10

// maxPlanned is the greatest number of vertices of a part that gets a plan.
const maxPlanned = 1 << 16

// partitions has, by width, the number of partitions of a scope with one vertex more.
var partitions = [MaxWidth + 1]uint64{0, 2, 5, 15, 52, 203, 877, 4140, 21147, 115975, 678570}

// planBytes returns about how many bytes the widest step of a plan takes.
func planBytes(width int) uint64 { return partitions[width] << 10 }

// A Mean is a mean length of paths.
type Mean struct {
	Length float64
	// Exact is the exact mean, or nil if Length is an estimate.
	Exact *big.Rat
	// Error is the standard error of an estimate. Samples is how many trees were drawn for it.
	Error   float64
	Samples int
	// Parts is the number of parts with at least three vertices that the paths pass, and Sampled
	// is how many of them were sampled.
	Parts, Sampled int
}

// MeanPath finds the mean length of the paths of all spanning trees. When ctx ends, it stops soon
// and returns the cause.
func (n *Network) MeanPath(ctx context.Context, o Options) (*Mean, error) {
	m := new(Mean)
	exact := new(big.Rat)
	var narrow, wide []*Network
	var plans []*plan
	for _, part := range n.parts() {
		if part.Vertices() == 2 { // each tree has one of the parallel edges
			exact.Add(exact, big.NewRat(1, 1))
			continue
		}
		m.Parts++
		p, err := part.planIn(ctx, o)
		if err != nil {
			return nil, err
		}
		if p == nil {
			wide = append(wide, part)
			continue
		}
		narrow, plans = append(narrow, part), append(plans, p)
	}
	if err := addExact(ctx, exact, narrow, plans); err != nil {
		return nil, err
	}
	m.Length, _ = exact.Float64()
	if m.Sampled = len(wide); m.Sampled == 0 {
		m.Exact = exact
		return m, nil
	}
	if m.Samples = o.Samples; m.Samples == 0 {
		m.Samples = DefaultSamples
	}
	s, err := samplePaths(ctx, wide, m.Samples, o)
	if err != nil {
		return nil, err
	}
	m.Length += s.mean
	m.Error = s.standardError()
	return m, nil
}

// planIn returns a plan for a part that the options allow, or nil.
func (n *Network) planIn(ctx context.Context, o Options) (*plan, error) {
	if o.Width <= 0 || n.Vertices() > maxPlanned {
		return nil, nil
	}
	p, err := n.newPlan(ctx, o.Width)
	if err != nil || p == nil || o.Memory > 0 && planBytes(p.width) > o.Memory {
		return nil, err
	}
	return p, nil
}

// addExact adds the exact means of parts.
func addExact(ctx context.Context, sum *big.Rat, parts []*Network, plans []*plan) error {
	total := lists.SumOf(plans, func(p *plan) int64 { return p.work() })
	var done atomic.Int64
	defer progress.Start(ctx, "exact part", 100, "%", func() (int64, int64) { return done.Load(), total })()
	for i, part := range parts {
		trees, length, err := part.eliminate(ctx, plans[i], &done)
		if err != nil {
			return err
		}
		sum.Add(sum, new(big.Rat).SetFrac(length, trees))
	}
	return nil
}
