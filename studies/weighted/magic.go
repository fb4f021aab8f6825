package weighted

import (
	"pagoda/internal/lists"
	"pagoda/puzzle/peg/board"
)

// Magic returns the square that MATLAB's magic(n) returns, by rows: it has the numbers from 1 to
// n*n, and for n other than 2 all rows, columns and both diagonals have the same sum. It
// follows magic.m; n is at least 1.
func Magic(n int) [][]int64 {
	switch {
	case n%2 == 1:
		return magicOdd(n)
	case n%4 == 0:
		return magicDoublyEven(n)
	}
	return magicSinglyEven(n)
}

func square(n int, at func(r, c int) int) [][]int64 {
	rows := make([][]int64, n)
	for r := range rows {
		rows[r] = make([]int64, n)
		for c := range rows[r] {
			rows[r][c] = int64(at(r, c))
		}
	}
	return rows
}

// magicOdd writes the numbers along rising diagonals.
func magicOdd(n int) [][]int64 {
	return square(n, func(r, c int) int {
		// With i = r+1 and j = c+1: n*mod(i+j-(n+3)/2, n) + mod(i+2j-2, n) + 1.
		return n*((r+c+2+n-(n+3)/2)%n) + (r+2*c+1)%n + 1
	})
}

// magicDoublyEven writes the numbers by rows and takes those on a pattern of 4 x 4 from the
// other end.
func magicDoublyEven(n int) [][]int64 {
	half := func(x int) int { return (x + 1) % 4 / 2 }
	return square(n, func(r, c int) int {
		if x := n*r + c + 1; half(r) != half(c) {
			return x
		} else {
			return n*n + 1 - x
		}
	})
}

// magicSinglyEven puts four odd squares together and exchanges parts of the upper and the lower
// half.
func magicSinglyEven(n int) [][]int64 {
	p := n / 2
	quarter := Magic(p)
	m := square(n, func(r, c int) int {
		add := [2][2]int{{0, 2}, {3, 1}}[r/p][c/p]
		return int(quarter[r%p][c%p]) + add*p*p
	})
	if n == 2 {
		return m
	}
	exchange := func(r, c int) { m[r][c], m[r+p][c] = m[r+p][c], m[r][c] }
	k := (n - 2) / 4
	for r := range p {
		for c := range n {
			if c < k || c > n-k {
				exchange(r, c)
			}
		}
	}
	exchange(k, 0)
	exchange(k, k)
	return m
}

// MagicWeights returns the weights of a board's cells in the upper left of the magic square that
// is as large as the greater side of the board.
func MagicWeights(shape *board.Shape) []int64 {
	m := Magic(max(shape.Rows(), shape.Cols()))
	return lists.Map(shape.Cells(), func(c board.Cell) int64 { return m[c.Row][c.Col] })
}
