// Package design finds the hardest sliding-block puzzle that can be made of given pieces in a given box,
// and checks such puzzles of other programs.
//
//   - Search finds the puzzle: by package hardest, which looks at all placements (search.go), or from
//     samples of the pieces if these are too many (sample.go).
//   - Judge checks that a puzzle and its solution are right, and that no solution has fewer moves.
package design
