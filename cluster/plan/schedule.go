package plan

import "slices"

// Makespan returns when the last task ends if threads take tasks in order: a thread that is free takes the
// next one. This is Graham's list scheduling. It takes less than twice the shortest time possible.
func Makespan(tasks []float64, threads int) (end float64) {
	free := make([]float64, max(1, min(threads, len(tasks)))) // when threads are free, in increasing order
	for _, t := range tasks {
		t += free[0]
		end = max(end, t)
		i, _ := slices.BinarySearch(free[1:], t)
		copy(free, free[1:i+1])
		free[i] = t
	}
	return end
}
