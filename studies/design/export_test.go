package design

import (
	"context"

	"pagoda/puzzle/slide/contest"
)

// Sample is Search by a number of samples alone.
func Sample(ctx context.Context, p *contest.Problem, o Options, samples uint64) (*Report, error) {
	s := &search{p: p, o: o, report: &Report{Best: new(contest.Puzzle)}}
	s.sampler = newSampler(s)
	err := s.sampler.run(ctx, func() bool { return samples > 0 && s.sampler.first >= samples })
	return s.report, err
}
