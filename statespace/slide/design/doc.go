// Package design designs sliding-block puzzles, and judges such designs, for the contest of package
// contest.
//
//   - Judge checks a puzzle that claims to need a number of moves.
package design
