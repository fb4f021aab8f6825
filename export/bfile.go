package export

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
)

// WriteBFile writes a sequence as the OEIS wants it: a line "n a(n)" for each n from the least to
// the greatest, after comments. What the sequence lacks between them is 0, and a last comment says so.
func WriteBFile(w io.Writer, sequence map[int]uint64, comments ...string) error {
	b := bufio.NewWriter(w)
	for _, c := range comments {
		fmt.Fprintf(b, "# %s\n", c)
	}
	if ns := slices.Sorted(maps.Keys(sequence)); len(ns) > 0 {
		if ns[len(ns)-1]-ns[0] >= len(ns) {
			fmt.Fprintln(b, "# Layers with 0 have no states.")
		}
		for n := ns[0]; n <= ns[len(ns)-1]; n++ {
			fmt.Fprintf(b, "%d %d\n", n, sequence[n])
		}
	}
	return b.Flush()
}
