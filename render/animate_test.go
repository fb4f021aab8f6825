package render

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Whatever the scenes are, the parts of each are its elements, in their order.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var scenes [][]string
		var parts []part
		for k := range 1 + r.IntN(12) {
			var elements []string
			if k > 0 && r.IntN(3) > 0 {
				elements = slices.Clone(scenes[k-1])
			}
			for range r.IntN(4) {
				if n := len(elements); n > 0 && r.IntN(2) == 0 {
					i := r.IntN(n)
					elements = slices.Delete(elements, i, i+1)
				} else {
					elements = slices.Insert(elements, r.IntN(n+1), fmt.Sprint(r.IntN(6)))
				}
			}
			scenes = append(scenes, elements)
			parts = merge(parts, elements, k)
		}
		for k, want := range scenes {
			var got []string
			for _, p := range parts {
				if p.first <= k && k <= p.last {
					got = append(got, p.element)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("scene %d of %q shows %q", k, scenes, got)
			}
		}
	}
}
