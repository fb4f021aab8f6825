package mapped

import "testing"

// UsePages makes pages larger for a test.
func UsePages(t *testing.T, size uint64) {
	old := page
	page = size
	t.Cleanup(func() { page = old })
}
