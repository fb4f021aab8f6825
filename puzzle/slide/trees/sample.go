package trees

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"sync/atomic"

	"pagoda/internal/mapped"
	"pagoda/internal/progress"
)

// A sample is some random numbers: how many, their mean, and the sum of the squares of their
// differences from it.
type sample struct {
	n             int
	mean, squares float64
}

// add adds another sample (T. F. Chan, G. H. Golub, R. J. LeVeque, Updating formulae and a
// pairwise algorithm for computing sample variances, 1979).
func (s *sample) add(o sample) {
	n := s.n + o.n
	d := o.mean - s.mean
	s.squares += o.squares + d*d*float64(s.n)*float64(o.n)/float64(n)
	s.mean += d * float64(o.n) / float64(n)
	s.n = n
}

// standardError returns the standard error of the mean.
func (s *sample) standardError() float64 {
	if s.n < 2 {
		return math.Inf(1)
	}
	return math.Sqrt(s.squares / float64(s.n-1) / float64(s.n))
}

// batchSize is how many samples share a source of random numbers.
const batchSize = 50

// samplePaths draws n random trees of each network, and returns a sample of the sums of the
// lengths of their paths. Each batch has its own random numbers, and the batches are added in
// their order, so the result does not depend on the number of threads.
func samplePaths(ctx context.Context, networks []*Network, samples int, o Options) (sample, error) {
	batches := make([]sample, (samples+batchSize-1)/batchSize)
	most := 0
	for _, n := range networks {
		most = max(most, n.Vertices())
	}
	var done atomic.Int64
	defer progress.Start(ctx, "samples", uint64(samples), "samples", func() (int64, int64) { return done.Load(), int64(samples) })()
	var all sample
	if err := mapped.Each(ctx, o.Threads, uint64(len(batches)), func(i uint64) error {
		rng, next := rand.NewPCG(o.Seed, i), make([]uint32, most)
		for range min(batchSize, samples-int(i)*batchSize) {
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
		return nil
	}); err != nil {
		return all, err
	}
	for _, s := range batches {
		all.add(s)
	}
	return all, nil
}

// samplePath returns the length of the path of a random spanning tree, where each tree is equally
// likely. A walk goes from the start to random neighbours until it comes to the goal. The edges
// by which it left each vertex for the last time make the path. next is scratch memory.
func (n *Network) samplePath(ctx context.Context, rng *rand.PCG, next []uint32) (uint64, error) {
	v := n.start
	for steps := uint64(1); v != n.goal; steps++ {
		if steps%(1<<20) == 0 && ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		first := n.first[v]
		// Some neighbours are more likely than others by a factor of at most 1 + 2^-32.
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
