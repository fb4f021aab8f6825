package plan

import (
	"slices"

	"pagoda/statespace/sweep"
)

// A Stage is the blocks that can be made side by side.
type Stage struct {
	Blocks int
	Groups int // a task each
	// Sources is how many blocks the groups read. A group reads a source once, however many of its blocks
	// are made from it.
	Sources int
}

// Stages divides the blocks of a space into stages, and each stage into groups of some blocks, as a run does.
func Stages(feeds sweep.Feeds, group int) []Stage {
	chains := sweep.Chains(feeds)
	blocks := make([][]uint64, int(slices.Max(chains))+1)
	for i, stage := range chains {
		blocks[stage] = append(blocks[stage], uint64(i))
	}
	var stages []Stage
	var sources []uint64
	for _, of := range blocks {
		s := Stage{Blocks: len(of), Groups: (len(of)-1)/group + 1}
		for i := range s.Groups {
			sources = sources[:0]
			for _, block := range of[len(of)*i/s.Groups : len(of)*(i+1)/s.Groups] {
				sources = feeds.Sources(sources, block)
			}
			slices.Sort(sources)
			s.Sources += len(slices.Compact(sources))
		}
		stages = append(stages, s)
	}
	return stages
}

// Blocks makes the rounds of a run by blocks, of some bytes each. Blocks that a worker still has in memory
// are not read again: that is left out.
func (c *Constants) Blocks(stages []Stage, bytes float64) []Round {
	var rounds []Round
	for _, s := range stages {
		r := Round{
			Read:    float64(s.Sources) * bytes / c.Compression,
			Written: float64(s.Blocks) * bytes / c.Compression,
		}
		for i := range s.Groups {
			blocks := s.Blocks*(i+1)/s.Groups - s.Blocks*i/s.Groups
			r.Tasks = append(r.Tasks, float64(blocks)*bytes*c.ByteNS/1e9)
		}
		rounds = append(rounds, r)
	}
	return rounds
}

// Parts makes the round of parts that are searched one by one, given the placements of each. The largest
// ones are given out first.
func (c *Constants) Parts(placements []float64) []Round {
	var r Round
	for _, n := range placements {
		r.Tasks = append(r.Tasks, n*c.PartNS/1e9)
	}
	slices.Sort(r.Tasks)
	slices.Reverse(r.Tasks)
	return []Round{r}
}
