package statespace

import (
	"cmp"
	"context"
	"sync/atomic"

	"pagoda/internal/mapped"
)

// Work is a computation over a whole space, cut into stages that run one after
// another. The tasks of a stage are independent. Kernels implement Work, and Do
// runs it with the same result on any number of threads.
type Work interface {
	// Stages returns the number of stages.
	Stages() int
	// Tasks returns the number of tasks in a stage.
	Tasks(stage int) int
	// NewWorker returns a worker with scratch memory of its own. Do calls it once
	// for each thread, from one goroutine, before any task runs.
	NewWorker() Worker
}

// A WeightedWork is a Work whose stages have tasks of different size. Its progress, and so the time that is
// left, goes by weight.
type WeightedWork interface {
	Work
	// Weight returns about how long a task of a stage takes, in any unit.
	Weight(stage int) int64
}

// weights returns the weight of a task, by stage.
func weights(work Work) []int64 {
	all := make([]int64, work.Stages())
	for stage := range all {
		if all[stage] = 1; work.Tasks(stage) == 0 {
			continue
		}
		if w, ok := work.(WeightedWork); ok {
			all[stage] = w.Weight(stage)
		}
	}
	return all
}

// A Worker does tasks one at a time.
type Worker interface {
	Do(stage, task int)
}

// A Progress says how far a computation is. It may be read while the work runs. A nil Progress counts nothing.
type Progress struct{ done, total atomic.Int64 }

// Read returns how many tasks are done and how many there are. Both are 0 before
// the work has started.
func (p *Progress) Read() (done, total int64) {
	if p == nil {
		return 0, 0
	}
	return p.done.Load(), p.total.Load()
}

// Start begins a computation of total tasks.
func (p *Progress) Start(total int64) {
	if p != nil {
		p.done.Store(0)
		p.total.Store(total)
	}
}

// Add counts n more tasks as done.
func (p *Progress) Add(n int64) {
	if p != nil {
		p.done.Add(n)
	}
	yield()
}

// Do runs all of the work on the given number of threads, at least one. When ctx
// ends, it stops between tasks and returns the cause. The result must not be used
// then. Progress may be nil.
func Do(ctx context.Context, work Work, threads int, progress *Progress) error {
	_, err := DoFrom(ctx, work, 0, nil, threads, progress)
	return err
}

// DoFrom is Do for work whose stages before from are done. After each stage but the
// last it calls between, if that is not nil, with the number of stages that are done.
// It returns this number also when it stops early. Some tasks of the next stage may
// be done then.
func DoFrom(ctx context.Context, work Work, from int, between func(done int) error, threads int, progress *Progress) (done int, err error) {
	threads = max(1, threads)
	before, total, weights := int64(0), int64(0), weights(work)
	for s, weight := range weights {
		if s < from {
			before += weight * int64(work.Tasks(s))
		}
		total += weight * int64(work.Tasks(s))
	}
	progress.Start(total)
	progress.Add(before)

	workers := make([]Worker, threads)
	for i := range workers {
		workers[i] = work.NewWorker()
	}
	for stage := from; stage < work.Stages(); stage++ {
		tasks := work.Tasks(stage)
		// Threads take a few tasks at a time, so that small ones do not contend
		// and the last ones still spread evenly.
		claim := min(64, max(1, tasks/(threads*16)))
		claims := (tasks + claim - 1) / claim
		// The states may lie in a map of a file: EachWith has a Guard.
		err := mapped.EachWith(ctx, workers[:min(threads, claims)], uint64(claims), func(w Worker, i uint64) error {
			first := int(i) * claim
			last := min(first+claim, tasks)
			for task := first; task < last; task++ {
				w.Do(stage, task)
			}
			progress.Add(weights[stage] * int64(last-first))
			return nil
		})
		if err := cmp.Or(err, context.Cause(ctx)); err != nil {
			return stage, err
		}
		if done := stage + 1; between != nil && done < work.Stages() {
			if err := between(done); err != nil {
				return done, err
			}
		}
	}
	return work.Stages(), context.Cause(ctx)
}
