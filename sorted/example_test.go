package sorted_test

import (
	"bytes"
	"fmt"

	"pagoda/sorted"
)

// The squares below a million.
func Example() {
	var file bytes.Buffer
	w, err := sorted.NewWriter(&file, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for x := range uint64(1000) {
		if err := w.Append([]uint64{x * x}); err != nil {
			fmt.Println(err)
			return
		}
	}
	size, err := w.Close()
	if err != nil {
		fmt.Println(err)
		return
	}
	l, err := sorted.Over(file.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Len(), "squares in", size, "bytes")

	rank, found, _ := l.Rank([]uint64{1764})
	fmt.Println("1764:", rank, found)
	rank, found, _ = l.Rank([]uint64{1765})
	fmt.Println("1765:", rank, found)
	next, err := l.At(nil, rank)
	fmt.Println("the next one is", next, err)
	// Output:
	// 1000 squares in 1587 bytes
	// 1764: 42 true
	// 1765: 43 false
	// the next one is [1849] <nil>
}
