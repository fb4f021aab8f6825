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

// Any words can be fetched one by one, also none.
func TestEach(t *testing.T) {
	words := make([]uint64, 40)
	var at []uint64
	for i := range uint64(40) {
		if got := Each(words, at); got != 0 {
			t.Fatalf("fetching words %d, which are 0, gives %d", at, got)
		}
		at = append(at, 39-i)
	}
}
