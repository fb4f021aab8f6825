// Package best finds games of weighted peg solitaire with low scores, and proves how low a score can be.
//
// Search does all of it. Its parts are:
//
//   - cover.go: a lower bound of what a position still costs, from regions of pegs that lose no peg until
//     one of them jumps.
//   - levels.go: all positions that can lead to a better game, level by level. It proves the best
//     score, or a bound if there are too many.
//   - beam.go: a beam search that is led by a quick guess at the cover.
//   - walk.go: a walk through games. Each step plays a part of the board anew.
//   - search.go: the walks and the levels take turns.
//
// The tests compare it with greedy games and with a plain beam (plain_test.go, study_test.go).
package best
