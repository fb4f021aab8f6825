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
	for code, err := range l.From(rank) {
		fmt.Println("the next one is", code[0], err)
		break
	}
	word, _ := l.Word(1) // of the numbers from 64 to 127
	fmt.Printf("%b\n", word)
	// Output:
	// 1000 squares in 1587 bytes
	// 1764: 42 true
	// 1765: 43 false
	// the next one is 1849 <nil>
	// 1000000000000000000001000000000000000000100000000000000001
}
