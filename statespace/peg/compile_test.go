package peg

import "testing"

// BenchmarkCompile times what a sweep of the 5x7 board does before it begins.
func BenchmarkCompile(b *testing.B) {
	board, err := Rectangle(5, 7)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		l := NewLayout(board, board.Symmetries())
		c, err := NewClass(board, board.Full()&^(1<<17), l.Free)
		if err != nil {
			b.Fatal(err)
		}
		newSweep(c, l, kernels()[0], nil, nil)
	}
}
