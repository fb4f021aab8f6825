// Package permutation ranks permutations, for spaces whose states are orders of different things: the tiles
// of the 15-puzzle, or the discs of a ring. Ranks have no gaps, so a set of all permutations has a bit for
// each.
//
// A permutation is a row of the numbers from 0. Its rank is how many permutations come before it in
// lexicographic order. In a puzzle, moves often reach only the even permutations, or only those of a parity
// that follows from the rest of the state. RankHalf and UnrankHalf then number the permutations of one
// parity, and take half of the memory.
//
// A rank is made of digits: for each item, how many smaller ones stand behind it (D. H. Lehmer, Teaching
// combinatorial tricks to a computer, 1960). The sum of the digits is the number of inversions, which is
// even or odd as the permutation is. The last digit is always 0, and the one before it is 0 or 1. In the
// rank among half of the permutations it is left out, as it follows from the parity.
package permutation
