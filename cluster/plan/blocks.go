package plan

import (
	"slices"

	"pagoda/statespace"
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
func Stages(feeds statespace.Feeds, group int) []Stage {
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

// mostGap is how many bytes between two sources a worker reads rather than to read twice.
const mostGap = 64 << 10

// readsAtOnce is how many objects a task reads at once.
const readsAtOnce = 8

// Blocks makes the rounds of a run by blocks, of some bytes each. A worker that can keep all blocks in memory
// reads each of them once.
func (c *Constants) Blocks(workers int, stages []Stage, bytes float64) []Round {
	blocks, sources := 0.0, 0.0
	for _, s := range stages {
		blocks, sources = blocks+float64(s.Blocks), sources+float64(s.Sources)
	}
	again := 1.0 // of the sources, those that are not in memory
	if blocks*bytes <= c.Cache {
		again = min(1, blocks*float64(workers)/max(1, sources))
	}
	var rounds []Round
	for _, s := range stages {
		read := float64(s.Sources) * again
		r := Round{
			Read:    read * bytes / c.Compression,
			Written: float64(s.Blocks) * bytes / c.Compression,
			Gets:    read * min(1, bytes/c.Compression/mostGap),
			AtOnce:  readsAtOnce,
			Puts:    float64(s.Groups),
		}
		unzip := read * bytes * c.UnzipNS / float64(s.Groups)
		for i := range s.Groups {
			n := s.Blocks*(i+1)/s.Groups - s.Blocks*i/s.Groups
			r.Tasks = append(r.Tasks, (unzip+float64(n)*bytes*(c.ByteNS+c.ZipNS))/1e9)
		}
		rounds = append(rounds, r)
	}
	return rounds
}
