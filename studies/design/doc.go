// Package design designs sliding-block puzzles, and judges such designs, for the contest of package
// contest.
//
//   - Search designs the hardest puzzle: exactly by package find (search.go), or from samples of the
//     pieces where that is too much (sample.go).
//   - Judge checks a puzzle that claims to need a number of moves.
package design
