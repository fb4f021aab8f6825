package plan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The 15-puzzle has 16!/2 states.
func TestFifteen(t *testing.T) {
	total, want := uint64(0), uint64(1)
	for _, n := range Fifteen {
		total += n
	}
	for i := uint64(3); i <= 16; i++ {
		want *= i
	}
	if len(Fifteen) != 81 || total != want {
		t.Errorf("the levels are %d and have %d states, expected 81 and %d", len(Fifteen), total, want)
	}
}

// List scheduling takes at most 2 - 1/threads of the shortest time, and never less than that.
func TestMakespan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		tasks := make([]float64, 1+r.IntN(7))
		for i := range tasks {
			tasks[i] = float64(1 + r.IntN(20))
		}
		threads := 1 + r.IntN(4)
		got, best := Makespan(tasks, threads), shortest(tasks, make([]float64, threads))
		if got < best || got > best*(2-1/float64(threads)) {
			t.Errorf("%v on %d threads take %g, the shortest time is %g", tasks, threads, got, best)
		}
	}
	if got := Makespan([]float64{3, 3, 2, 2, 2}, 2); got != 7 { // in the order of the list: 3+2+2 and 3+2
		t.Errorf("the tasks take %g, expected 7", got)
	}
	if got := Makespan(nil, 3); got != 0 {
		t.Errorf("no tasks take %g", got)
	}
}

// shortest tries all ways to give tasks to threads.
func shortest(tasks, loads []float64) float64 {
	if len(tasks) == 0 {
		end := 0.0
		for _, l := range loads {
			end = max(end, l)
		}
		return end
	}
	best := math.Inf(1)
	for i := range loads {
		loads[i] += tasks[0]
		best = min(best, shortest(tasks[1:], loads))
		loads[i] -= tasks[0]
	}
	return best
}

// inputs are runs of each kind.
func inputs() map[string]*Input {
	return map[string]*Input{
		"layers": {Levels: []float64{1, 10, 1000, 5e9, 3e9, 2}, Size: 1e11},
		"blocks": {Stages: []Stage{{1, 1, 0}, {100, 2, 40}, {5000, 79, 20000}, {7, 1, 90}}, BlockBytes: 262144},
		"parts":  {Parts: parts(1e9, 3e8, 7)},
	}
}

// More workers are not slower, where each has its own processors and a shard for each of its threads. The runs
// are left out, as their number grows with the workers.
func TestMoreWorkers(t *testing.T) {
	for name, in := range inputs() {
		for _, back := range []bool{false, true} {
			c := Defaults
			c.Back, c.RunNS = back, 0
			before := math.Inf(1)
			for workers := 1; workers*Defaults.Threads <= Defaults.MaxShards; workers *= 2 {
				p := c.New(workers, c.Rounds(workers, in))
				if p.Seconds > before*(1+1e-9) {
					t.Errorf("%s: %d workers take %g s, half of them %g s", name, workers, p.Seconds, before)
				}
				before = p.Seconds
			}
		}
	}
}

// With simple constants the plan is what one finds by hand.
func TestGolden(t *testing.T) {
	c := Constants{
		StateNS: 1e9, EntryNS: 5e8, ByteNS: 1e6, PartNS: 1e9, Successors: 2, StateBytes: 4, Compression: 2, GroupBlocks: 10, MaxShards: 8,
		Threads: 2, Bandwidth: 4, Storage: 8, RoundS: 1, JobS: 10, JobRounds: 2, Skew: 1, WorkerHour: 3600,
	}
	for _, tt := range []struct {
		in      Input
		workers int
		want    string
	}{
		// A job starts: 10 s, and each level takes 1 s. Level 0: 1 s for a state and 1 s for 2 successors, one after the
		// other; 8 bytes are shuffled in 2 s and 4 written in 0.5 s. Level 1: 2 states in one shard, 2 s; 8 bytes, 1 s.
		{Input{Levels: []float64{1, 2}}, 1, "cpu 4 seconds 19.5 stored 12 read 0 shuffled 8 dollars 19.5"},
		// Stage 0: 1 s for a block, which one worker writes, 500 bytes in 62.5 s. Stage 1: 2 groups of 2 s; 3000 bytes of
		// sources and 2000 of blocks, in 312.5 s.
		{Input{Stages: []Stage{{1, 1, 0}, {4, 2, 6}}, BlockBytes: 1000}, 2, "cpu 5 seconds 390 stored 2500 read 3000 shuffled 0 dollars 780"},
		// A job starts, and 2 threads take 4+1 and 3+1 s.
		{Input{Parts: []float64{1, 1, 3, 4}}, 1, "cpu 9 seconds 16 stored 0 read 0 shuffled 0 dollars 16"},
	} {
		p := c.New(tt.workers, c.Rounds(tt.workers, &tt.in))
		got := fmt.Sprintf("cpu %g seconds %g stored %g read %g shuffled %g dollars %g", p.CPU, p.Seconds, p.Stored, p.Read, p.Shuffled, p.Dollars)
		if got != tt.want {
			t.Errorf("%+v: %s, expected %s", tt.in, got, tt.want)
		}
	}
}
