package slide

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// A BB is the BB metric of a puzzle: how hard it is by the measure of N. Baxter and
// N. Bickford (Sliding Block Puzzles, Part 3, nbickford.wordpress.com, 2012). It is
//
//	vertices - 1 - the mean length of the way from start to goal,
//
// where the mean is over all spanning trees of the graph of positions: how many moves of a
// tree, in the mean, are not on the way.
//
// Here the vertices are the positions that can be reached, and an edge is two positions
// that one move changes into each other. As a puzzle ends when any goal is reached, all
// positions at goals are one vertex; several moves into them from one position remain
// several edges.
type BB struct {
	Metric Metric
	// States is the number of positions that can be reached, Goals how many of them are at
	// goals. If none is, the puzzle has no value, and what follows is zero.
	States, Goals uint64
	// Vertices is the number of vertices, the goals being one.
	Vertices uint64
	// Value is the metric, and Length the mean length.
	Value, Length float64
	// Exact reports whether they are exact. Then ExactLength is the mean; else it is nil, and
	// Value and Length are estimates.
	Exact       bool
	ExactLength *big.Rat
	// Error is the standard error of an estimate, and Low to High the interval in which
	// Value lies with a confidence of 95 %, as the normal distribution has it. Samples trees
	// were drawn, by random numbers from Seed.
	Error, Low, High float64
	Samples          int
	Seed             uint64
	// Blocks is the number of blocks with three vertices at least that all ways from start to
	// goal go through, and Sampled how many of them were too wide to be exact.
	Blocks, Sampled int
}

// ExactValue returns the metric of a result that is exact, else nil.
func (b *BB) ExactValue() *big.Rat {
	if b.ExactLength == nil {
		return nil
	}
	v := new(big.Rat).SetInt(new(big.Int).SetUint64(b.Vertices - 1))
	return v.Sub(v, b.ExactLength)
}

// BBOptions say how to find a BB.
type BBOptions struct {
	// Memory bounds the bytes that are taken, about; 0 is no bound.
	Memory uint64
	// Width is the greatest width of blocks that are exact, up to MaxBBWidth: with it, the time
	// grows about as the number of ways to part so many things does. With 0 all blocks but
	// bridges are sampled.
	Width int
	// Samples is how many trees to draw for the other blocks; 0 stands for BBSamples.
	Samples int
	// Seed is where the random numbers start. The same seed gives the same result, with any
	// number of threads; 0 threads stand for 1.
	Seed    uint64
	Threads int
	// Progress, if not nil, is called when work of a certain size begins, with a meter of what
	// is done of the total; what it returns is called when that ends.
	Progress func(what string, size uint64, unit string, meter func() (done, total int64)) (stop func())
}

// BBWidth and BBSamples serve well, and MaxBBWidth is the greatest width that is tried.
const (
	BBWidth    = 8
	BBSamples  = 10000
	MaxBBWidth = 10
)

const (
	bbBytes = 250 // about what a position takes: the graph of all moves, and its blocks
	// maxPlanned is the most vertices of a block for which a plan is made.
	maxPlanned = 1 << 16
)

// planBytes is about what the widest step of plans takes.
func planBytes(width int) uint64 {
	return [MaxBBWidth + 1]uint64{0, 2, 5, 15, 52, 203, 877, 4140, 21147, 115975, 678570}[width] << 10
}

// FindBB finds the BB metric of a puzzle.
//
// The path of a spanning tree from start to goal goes through a chain of blocks, and the
// means of their parts of it add up. In a block that is narrow the trees are counted, and
// all their paths added up. In others the path of a random tree is drawn: it is a random
// walk without its loops (D. B. Wilson, Generating random spanning trees more quickly than
// the cover time, 1996). What lies off the chain makes no difference.
func FindBB(ctx context.Context, p *Puzzle, m Metric, o BBOptions) (*BB, error) {
	if len(p.goals) == 0 {
		return nil, ErrNoGoal
	}
	pk, err := newPackingIn(p, o.Memory)
	if err != nil {
		return nil, err
	}
	l, s, r := newLevels(pk.size, nil), newSearcher(pk, m, o.Threads), new(Result)
	start := pk.Rank(p.Start())
	if err := s.search(ctx, l, []uint64{start}, false, r); err != nil {
		return nil, err
	}
	b := &BB{Metric: m, States: r.States}
	if !r.Solved {
		return b, nil
	}
	if need := r.States * bbBytes; o.Memory > 0 && need > o.Memory || r.States >= 1<<31 {
		return nil, fmt.Errorf("the graph of all moves takes about %d bytes: %w", need, &SizeError{Numbers: r.States, Memory: o.Memory})
	}
	c := s.workers[0].cursor
	g, err := newGraph(ctx, c, l, r.States)
	if err != nil {
		return nil, err
	}
	goals := c.goals()
	solved := make([]bool, len(g.numbers))
	for i, x := range g.numbers {
		c.seek(x)
		if solved[i] = c.solved(goals); solved[i] {
			b.Goals++
		}
	}
	first, _ := slices.BinarySearch(g.numbers, start)
	n := g.contract(solved, first)
	b.Vertices = uint64(n.vertices())
	return b, b.find(ctx, n.blocks(), o)
}

// contract makes one vertex, the last, of those that are solved.
func (g *graph) contract(solved []bool, start int) *network {
	number := make([]uint32, len(solved))
	last := uint32(0)
	for i := range solved {
		if !solved[i] {
			number[i] = last
			last++
		}
	}
	for i := range solved {
		if solved[i] {
			number[i] = last
		}
	}
	edges := make([][2]uint32, 0, len(g.to)/2)
	for i, a := range number {
		for _, y := range g.to[g.first[i]:g.first[i+1]] {
			if b := number[y]; uint32(i) < y && a != b {
				edges = append(edges, [2]uint32{a, b})
			}
		}
	}
	return newNetwork(int(last)+1, edges, number[start], last)
}

// find fills in what follows from the blocks on the way.
func (b *BB) find(ctx context.Context, blocks []*network, o BBOptions) error {
	if o.Progress == nil {
		o.Progress = noProgress
	}
	exact := new(big.Rat)
	var narrow, wide []*network
	var plans []*plan
	total := int64(0)
	for _, n := range blocks {
		if n.vertices() == 2 {
			exact.Add(exact, big.NewRat(1, 1))
			continue
		}
		b.Blocks++
		ok := o.Width > 0 && n.vertices() <= maxPlanned
		var p *plan
		if ok {
			var err error
			if p, ok, err = n.newPlan(ctx, o.Width); err != nil {
				return err
			}
		}
		if !ok || o.Memory > 0 && planBytes(p.width) > o.Memory {
			wide = append(wide, n)
			continue
		}
		narrow, plans = append(narrow, n), append(plans, p)
		total += p.work()
	}
	var done atomic.Int64
	stop := o.Progress("exact part", 100, "%", func() (int64, int64) { return done.Load(), total })
	for i, n := range narrow {
		trees, length, err := n.treePaths(ctx, plans[i], &done)
		if err != nil {
			stop()
			return err
		}
		exact.Add(exact, new(big.Rat).SetFrac(length, trees))
	}
	stop()
	b.Length, _ = exact.Float64()
	if b.Sampled = len(wide); b.Sampled == 0 {
		b.Exact, b.ExactLength = true, exact
		b.Value, _ = b.ExactValue().Float64()
		b.Low, b.High = b.Value, b.Value
		return nil
	}
	if b.Samples, b.Seed = o.Samples, o.Seed; b.Samples == 0 {
		b.Samples = BBSamples
	}
	s, err := samplePaths(ctx, wide, b.Samples, b.Seed, max(o.Threads, 1), o.Progress)
	if err != nil {
		return err
	}
	b.Length += s.mean
	b.Error = s.standardError()
	b.Value = float64(b.Vertices) - 1 - b.Length
	const within = 1.959964 // standard errors, of 95 % of a normal distribution
	b.Low, b.High = b.Value-within*b.Error, b.Value+within*b.Error
	return nil
}

// noProgress stands for BBOptions.Progress.
func noProgress(string, uint64, string, func() (done, total int64)) (stop func()) { return func() {} }

// A sample is what is known of numbers that were drawn: how many, their mean, and the sum
// of the squares of their distances from it.
type sample struct {
	n             int
	mean, squares float64
}

// add adds other numbers (T. F. Chan, G. H. Golub, R. J. LeVeque, Updating formulae and a
// pairwise algorithm for computing sample variances, 1979).
func (s *sample) add(o sample) {
	n := s.n + o.n
	d := o.mean - s.mean
	s.squares += o.squares + d*d*float64(s.n)*float64(o.n)/float64(n)
	s.mean += d * float64(o.n) / float64(n)
	s.n = n
}

// standardError is that of the mean.
func (s *sample) standardError() float64 {
	if s.n < 2 {
		return math.Inf(1)
	}
	return math.Sqrt(s.squares / float64(s.n-1) / float64(s.n))
}

// batch is how many samples have random numbers in common.
const batch = 50

// samplePaths draws so many trees of each network, and tells of the lengths of their paths,
// added up over the networks. Each batch has random numbers of its own, and what comes of
// them is added in their order: the result does not depend on threads.
func samplePaths(ctx context.Context, networks []*network, samples int, seed uint64, threads int, progress func(string, uint64, string, func() (int64, int64)) func()) (sample, error) {
	batches := make([]sample, (samples+batch-1)/batch)
	var taken, done atomic.Int64
	stop := progress("samples", uint64(samples), "samples", func() (int64, int64) { return done.Load(), int64(samples) })
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	for range min(threads, len(batches)) {
		group.Go(func() error {
			most := 0
			for _, n := range networks {
				most = max(most, n.vertices())
			}
			next := make([]uint32, most)
			for {
				i := int(taken.Add(1)) - 1
				if i >= len(batches) {
					return nil
				}
				rng := rand.NewPCG(seed, uint64(i))
				for range min(batch, samples-i*batch) {
					length := uint64(0)
					for _, n := range networks {
						l, err := n.samplePath(ctx, rng, next)
						if err != nil {
							return err
						}
						length += l
					}
					batches[i].add(sample{n: 1, mean: float64(length)})
					done.Add(1)
				}
			}
		})
	}
	var all sample
	if err := group.Wait(); err != nil {
		return all, err
	}
	for _, s := range batches {
		all.add(s)
	}
	return all, nil
}

// samplePath returns the length of the path from start to goal in a random spanning tree,
// each as likely as any other. Next is scratch memory. A walk goes from the start to a
// random neighbour until it is at the goal; where it left each vertex for the last time
// makes the path.
func (n *network) samplePath(ctx context.Context, rng *rand.PCG, next []uint32) (uint64, error) {
	v := n.start
	for steps := uint64(1); v != n.goal; steps++ {
		if steps%(1<<20) == 0 && ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		first := n.first[v]
		// That some are likelier by a part of 2^-60 cannot be noticed.
		i, _ := bits.Mul64(rng.Uint64(), n.first[v+1]-first)
		next[v] = n.to[first+i]
		v = next[v]
	}
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	length := uint64(0)
	for v := n.start; v != n.goal; v = next[v] {
		length++
	}
	return length, nil
}
