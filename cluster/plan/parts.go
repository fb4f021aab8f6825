package plan

import "slices"

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

// parts guesses the sizes of parts from their total, the largest and their number. As many as possible are as
// large as the largest, and the others share the rest.
func parts(total, largest float64, count int) []float64 {
	all := make([]float64, 0, count)
	for ; len(all) < count-1 && total >= 2*largest; total -= largest {
		all = append(all, largest)
	}
	for rest := float64(count - len(all)); len(all) < count; {
		all = append(all, total/rest)
	}
	return all
}
