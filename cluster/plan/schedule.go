package plan

import "container/heap"

// Makespan returns when the last task ends if threads take tasks in order: a thread that is free takes the
// next one. This is Graham's list scheduling. It takes less than twice the shortest time possible.
func Makespan(tasks []float64, threads int) (end float64) {
	free := make(times, max(1, min(threads, len(tasks))))
	for _, t := range tasks {
		free[0] += t
		end = max(end, free[0])
		heap.Fix(&free, 0)
	}
	return end
}

// Times are when threads are free, as a heap.
type times []float64

func (t times) Len() int           { return len(t) }
func (t times) Less(i, j int) bool { return t[i] < t[j] }
func (t times) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t *times) Push(any)          { panic("a thread is never added") }
func (t *times) Pop() any          { panic("a thread is never removed") }
