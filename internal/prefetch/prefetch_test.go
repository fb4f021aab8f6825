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

// Any places can be fetched, also none.
func TestAt(t *testing.T) {
	words := make([]uint64, 40)
	var places []uint64
	for i := range 100 {
		if got := At(words, places); got != 0 {
			t.Fatalf("fetching places %d, which are 0, gives %d", places, got)
		}
		places = append(places, uint64(i*7%len(words)))
	}
}
