package census

import "slices"

// A word is what a line of cells holds: vehicles at places.
type word struct {
	cells    uint8 // that are taken, by number in the line
	vehicles int
	starts   []int // of the vehicles, in order
	lengths  []int
}

// A slide takes one vehicle of a word along the line.
type slide struct {
	to    int   // the word afterwards
	swept uint8 // the cells that must be free
}

// words returns all words of a line of n cells, with vehicles of 2 and 3 cells. Those with the same lengths
// in the same order follow each other.
func words(n int) []word {
	var all []word
	var lengths []int
	var add func(used int)
	add = func(used int) {
		all = append(all, wordsOf(n, lengths)...)
		for length := 2; length <= 3 && used+length <= n; length++ {
			lengths = append(lengths, length)
			add(used + length)
			lengths = lengths[:len(lengths)-1]
		}
	}
	add(0)
	return all
}

// wordsOf returns the words with vehicles of some lengths, in this order.
func wordsOf(n int, lengths []int) (all []word) {
	var starts []int
	var place func(from int, cells uint8)
	place = func(from int, cells uint8) {
		i := len(starts)
		if i == len(lengths) {
			all = append(all, word{cells, i, slices.Clone(starts), slices.Clone(lengths)})
			return
		}
		for at := from; at+lengths[i] <= n; at++ {
			starts = append(starts, at)
			place(at+lengths[i], cells|(1<<lengths[i]-1)<<at)
			starts = starts[:i]
		}
	}
	place(0, 0)
	return all
}

// contents divides words into those that slides can take to each other: those with the same lengths in the
// same order. Each is the range of their numbers.
func contents(all []word) (ranges [][2]int) {
	for i := range all {
		if i == 0 || !slices.Equal(all[i].lengths, all[i-1].lengths) {
			ranges = append(ranges, [2]int{i, i})
		}
		ranges[len(ranges)-1][1] = i + 1
	}
	return ranges
}

// slides returns the slides of each word. With steps, a slide is by one cell.
func slides(all []word, steps bool) [][]slide {
	to := make([][]slide, len(all))
	for x, from := range all {
		for y, then := range all {
			if swept, ok := between(from, then, steps); ok {
				to[x] = append(to[x], slide{y, swept})
			}
		}
	}
	return to
}

// between returns the cells that must be free for a slide from one word to another. It is false if they do
// not differ in the place of one vehicle.
func between(from, then word, steps bool) (swept uint8, ok bool) {
	if !slices.Equal(from.lengths, then.lengths) {
		return 0, false
	}
	moved := -1
	for i, at := range from.starts {
		if then.starts[i] == at {
			continue
		}
		if moved >= 0 || steps && max(at, then.starts[i])-min(at, then.starts[i]) > 1 {
			return 0, false
		}
		moved = i
	}
	if moved < 0 {
		return 0, false
	}
	a, b := from.starts[moved], then.starts[moved]
	length := from.lengths[moved]
	way := uint8((1<<(max(a, b)+length-min(a, b)) - 1) << min(a, b))
	return way &^ ((1<<length - 1) << a), true
}

// without returns the word without each of its vehicles.
func without(all []word) [][]int {
	less := make([][]int, len(all))
	for x, w := range all {
		for i := range w.starts {
			starts, lengths := slices.Delete(slices.Clone(w.starts), i, i+1), slices.Delete(slices.Clone(w.lengths), i, i+1)
			less[x] = append(less[x], slices.IndexFunc(all, func(v word) bool { return slices.Equal(v.starts, starts) && slices.Equal(v.lengths, lengths) }))
		}
	}
	return less
}
