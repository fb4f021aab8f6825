package run

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"pagoda/bitset"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// Queue is an engine with bulk state: all that there is to it, checkpoints too, is in this file. It searches
// breadth-first, and keeps the states in the order in which it finds them, with the level of each number.
var Queue = Engine{Name: "queue", fit: func(sp statespace.Space) []*method {
	if p := sp.Parts(); p.Layers != nil || p.Codes.Graph != nil || !p.Undirected || p.Goals.Any() {
		return nil
	}
	return []*method{{name: "queue", version: 3, need: needQueue, open: openQueue}}
}}

func needQueue(j *job) need {
	bytes := 11 * j.sp.Size()
	return need{bytes: bytes, most: of(bytes, "the queue"), unfolds: true}
}

type queueRun struct {
	work
	queue []uint64 // states, level by level
	ends  []uint64 // of the levels that are whole
	level []byte   // by number, 16 bits: from 1; 0 was not found
}

func openQueue(_ context.Context, j *job) (_ enumeration, err error) {
	r := &queueRun{work: work{job: j}, level: make([]byte, 2*j.sp.Size())}
	defer closeOnError(r, &err)
	return r, r.create()
}

func (r *queueRun) advanced() bool { return len(r.ends) > 1 }

// add appends a state to the queue if it was not found before.
func (r *queueRun) add(x uint64) {
	if at := r.level[2*x:]; binary.LittleEndian.Uint16(at) == 0 {
		binary.LittleEndian.PutUint16(at, uint16(len(r.ends)+1))
		r.queue = append(r.queue, x)
	}
}

func (r *queueRun) run(ctx context.Context, between func() error, progress *statespace.Progress) error {
	if len(r.ends) == 0 {
		for _, x := range r.sp.Roots() {
			r.add(x)
		}
		r.ends = []uint64{uint64(len(r.queue))}
	}
	for {
		last := r.queue[r.start(len(r.ends)-1):]
		const part = 512
		moves := make([][]statespace.Edge, (len(last)+part-1)/part)
		if err := mapped.Each(ctx, r.Threads, uint64(len(moves)), func(i uint64) error {
			for _, x := range last[i*part : min(i*part+part, uint64(len(last)))] {
				moves[i] = r.sp.Successors(moves[i], x)
			}
			return nil
		}); err != nil {
			return err
		}
		for _, e := range slices.Concat(moves...) {
			r.add(e.To)
		}
		progress.Add(int64(len(last)))
		end := uint64(len(r.queue))
		if end == r.ends[len(r.ends)-1] {
			return nil
		}
		r.ends = append(r.ends, end)
		if err := between(); err != nil {
			return err
		}
	}
}

// start returns where a level begins in the queue.
func (r *queueRun) start(level int) uint64 {
	if level == 0 {
		return 0
	}
	return r.ends[level-1]
}

// queueState is the state in a checkpoint. The section "queue" has the states, the section "found" the levels.
type queueState struct{ Ends []uint64 }

func (r *queueRun) save(ctx context.Context, meta *layers.Meta) error {
	meta.Checkpoint.Done = len(r.ends)
	return layers.WriteCheckpoint(ctx, r.checkpoint, meta, queueState{r.ends},
		layers.SectionOf("queue", mapped.Bytes(r.queue)), layers.SectionOf("found", r.level))
}

func (r *queueRun) restore(_ context.Context, checkpoint *layers.File) error {
	var state queueState
	if err := checkpoint.State(&state); err != nil {
		return err
	}
	if n := len(state.Ends); n == 0 || !slices.IsSorted(state.Ends) || state.Ends[n-1] > r.sp.Size() {
		return fmt.Errorf("its levels cannot end at %d", state.Ends)
	}
	queue, err := checkpoint.Section("queue", 8*state.Ends[len(state.Ends)-1])
	if err != nil {
		return err
	}
	found, err := checkpoint.Section("found", uint64(len(r.level)))
	if err != nil {
		return err
	}
	for _, end := range state.Ends {
		for _, x := range mapped.Words(queue)[len(r.queue):end] {
			if x >= r.sp.Size() {
				return fmt.Errorf("it has found %d, and numbers are below %d", x, r.sp.Size())
			}
			r.add(x)
		}
		if r.ends = append(r.ends, end); end != uint64(len(r.queue)) {
			return fmt.Errorf("it has found a state twice before place %d", end)
		}
	}
	if !slices.Equal(found, r.level) {
		return fmt.Errorf("the levels of its numbers are not those of its queue")
	}
	return nil
}

func (r *queueRun) finish(ctx context.Context, result *Result) error {
	found := bfs.Result{Whole: true}
	marks, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(r.sp.Size(), bfs.MarkBits)), r.sp.Size(), bfs.MarkBits)
	if err != nil {
		return err
	}
	for level, end := range r.ends {
		begin := r.start(level)
		found.Layers = append(found.Layers, end-begin)
		for _, x := range r.queue[begin:end] {
			marks.Set(x, uint16(bfs.Mark(level)))
		}
	}
	members := bfs.NewMembers(marks, nil)
	meta, err := DescribeSearch(ctx, r.sp, &found, members.Distances(), nil, r.Threads)
	if err != nil {
		return err
	}
	return r.write(ctx, r.sp, members, meta, result)
}
