package plan

import (
	"math"

	"pagoda/cluster/shards"
)

// threadShards is how many shards a thread has at least, in a run.
const threadShards = 32

// Layers makes the rounds of a run by layers: the states of each level that travel, which are
// representatives if the space has symmetries, and the size of the space, which is as many numbers as its
// states have, without the symmetries.
func (c *Constants) Layers(workers int, levels []float64, size float64) []Round {
	most := min(c.MaxShards, threadShards*c.Threads*workers)
	layout := shards.Numbers(uint64(size), most)
	var rounds []Round
	for i, n := range levels {
		targets := 0.0 // distinct successors
		if i+1 < len(levels) {
			targets += levels[i+1]
		}
		if c.Back && i > 0 {
			targets += levels[i-1]
		}
		moves := n * c.Successors
		entries := 0.0
		if targets = min(targets, moves); targets > 0 {
			entries = targets * Copies(moves/targets, workers)
		}
		shards := max(1, min(n, float64(layout.Shards())))
		runs := shards * max(1, min(n, float64(workers)))
		r := Round{
			Shuffled: c.bytes(entries, size*float64(workers)),
			Written:  c.bytes(n, size),
			Puts:     shards,
		}
		if c.Back { // a shard reads the two levels before
			runs += 2 * shards
			r.Gets = 2 * shards
			r.Read = c.bytes(n, size)
			if i > 0 {
				r.Read += c.bytes(levels[i-1], size)
			}
		}
		cpu := (n*c.StateNS + entries*c.EntryNS + runs*c.RunNS) / 1e9
		for range int(shards) {
			r.Tasks = append(r.Tasks, cpu/math.Floor(shards))
		}
		rounds = append(rounds, r)
	}
	return rounds
}

// Copies returns how often a successor is sent, on average. Degree states lead to it, which are spread over
// the workers at random. Each worker sends it once: there are workers x (1 - (1 - 1/workers)^degree) that do.
func Copies(degree float64, workers int) float64 {
	w := float64(workers)
	return w * (1 - math.Pow(1-1/w, degree))
}

// bytes returns how many bytes the runs of some states take.
func (c *Constants) bytes(n, size float64) float64 {
	if c.StateBytes > 0 {
		return n * c.StateBytes
	}
	return RunBytes(n, size)
}

// RunBytes returns how many bytes the runs of n numbers below size take, if the numbers are spread evenly:
// a bit for each number where more than one in eight is there, else a varint of the distance to the one before.
func RunBytes(n, size float64) float64 {
	if n <= 0 {
		return 0
	}
	gap := max(1, size/n)
	if gap < 8 {
		return size / 8
	}
	bytes := 1.0
	for most := 128.0; most < size; most *= 128 { // distances of most and more take another byte
		bytes += math.Exp(-most / gap)
	}
	return n * bytes
}
