package prefetch

import "testing"

// Any number of words can be fetched, also none, from any place in a cache line.
func TestWords(t *testing.T) {
	words := make([]uint64, 40)
	for first := range len(words) {
		for last := first; last <= len(words); last++ {
			if got := Words(words[first:last]); got != 0 {
				t.Fatalf("fetching words %d to %d, which are 0, gives %d", first, last, got)
			}
		}
	}
}
