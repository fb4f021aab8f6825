package hardest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"pagoda/internal/lists"
	"pagoda/internal/mapped"
)

// A Prediction is what a search would do and take.
type Prediction struct {
	Counts     []Count
	Placements uint64  // of all numbers of pieces
	Parts      int     // that are searched one by one
	Largest    uint64  // placements of the largest part
	Memory     uint64  // bytes: about the most that the search takes
	Seconds    float64 // on the threads of the options, estimated from a few parts that were searched
}

// A Count is placements with some number of pieces.
type Count struct {
	Pieces     int
	Placements uint64
}

// Predict plans a search, and searches small parts of it, for up to half a minute or so, to estimate how long it
// takes. The errors are those of Search.
func Predict(ctx context.Context, p *Problem, o Options) (*Prediction, error) {
	o.Progress, o.Better, o.Known, o.Keep = nil, nil, nil, nil
	s, err := newSearcher(ctx, p, o)
	if err != nil {
		return nil, err
	}
	parts, err := s.plan(ctx)
	if err != nil {
		return nil, err
	}
	r := &Prediction{Placements: s.total, Parts: len(parts)}
	byPieces := make(map[int][]part)
	var bytes []uint64
	for _, of := range parts {
		byPieces[of.pieces()] = append(byPieces[of.pieces()], of)
		r.Largest = max(r.Largest, of.size)
		bytes = append(bytes, s.newUnit(of.counts, of.goals).bytes(of.size, of.starts))
	}
	slices.Sort(bytes)
	r.Memory = s.graph.bytes()
	for _, n := range bytes[max(0, len(bytes)-s.o.Threads):] {
		r.Memory += n
	}
	for pieces := range len(p.Board.Cells) + 1 {
		if n := lists.SumOf(byPieces[pieces], func(of part) uint64 { return of.size }); n > 0 {
			r.Counts = append(r.Counts, Count{pieces, n})
		}
	}
	r.Seconds, err = s.estimate(ctx, r.Counts, byPieces)
	return r, err
}

// bytes returns about how many bytes the graph takes, with its places.
func (g *graph) bytes() uint64 {
	return g.places.bytes() + uint64(len(g.edges))*edgeBytes + uint64(len(g.undecided))*64
}

const (
	// sampleSize bounds the parts that are searched to estimate the time. One part alone is no fair sample: many
	// pieces of one cell take much longer.
	sampleSize = 1 << 25
	// sampleTime is how long numbers of pieces are begun.
	sampleTime = 4 * time.Second
)

// estimate searches the small parts for each number of pieces, or the smallest, those with the most placements first. It scales
// the times to all placements, and adds what it takes to set up each part. A number of pieces
// without a sample takes as long for each placement as the others. Times are those of processors, so that
// it does not matter what else the machine does.
func (s *searcher) estimate(ctx context.Context, counts []Count, byPieces map[int][]part) (seconds float64, err error) {
	begin := mapped.ProcessorTime()
	parts, sampled, all, setUp := 0, 0.0, 0.0, 0.0
	order := slices.Clone(counts)
	slices.SortFunc(order, func(a, b Count) int { return cmp.Compare(b.Placements, a.Placements) })
	for i, c := range order {
		all += float64(c.Placements)
		parts += len(byPieces[c.Pieces])
		if mapped.ProcessorTime()-begin > sampleTime {
			continue
		}
		samples := byPieces[c.Pieces] // small ones come first
		if large := slices.IndexFunc(samples, func(of part) bool { return of.size > sampleSize }); large >= 0 {
			samples = samples[:max(1, large)]
		}
		if i == 0 {
			if setUp, err = s.timeToSetUp(ctx, samples[0]); err != nil {
				return 0, err
			}
		}
		from := mapped.ProcessorTime()
		size := uint64(0)
		for _, of := range samples {
			if err := s.search(ctx, s.newUnit(of.counts, of.goals), &Result{Pieces: c.Pieces}); err != nil {
				return 0, err
			}
			size += of.size
		}
		took := (mapped.ProcessorTime() - from).Seconds()
		seconds += max(took-float64(len(samples))*setUp, took/10) / float64(size) * float64(c.Placements)
		sampled += float64(c.Placements)
	}
	if sampled > 0 {
		seconds *= all / sampled
	}
	return (seconds + float64(parts)*setUp) / float64(s.o.Threads), nil
}

// timeToSetUp returns the seconds that a part takes besides its search.
func (s *searcher) timeToSetUp(ctx context.Context, of part) (float64, error) {
	begin := mapped.ProcessorTime()
	u := s.newUnit(of.counts, of.goals)
	u.number()
	sc, err := newScanner(ctx, u, s.p.Metric)
	if err != nil {
		return 0, err
	}
	sc.free()
	return (mapped.ProcessorTime() - begin).Seconds(), nil
}
