// Package hardest finds the hardest sliding-block puzzles of a board, for each number of pieces, by a search
// of all of them at once.
//
// A puzzle is a placement of pieces and a goal for one of them, the goal piece. If the goal piece goes from
// corner to corner, N. Bickford calls the puzzle "simple simple simple". A Problem is all
// placements of any pieces on a Board. Search finds the placements that take the most moves to the nearest
// goal, in the metrics in which one piece moves.
//
// In the order of the files:
//
//   - problem.go: what a problem is. corner.go: the goals from corner to corner.
//   - grid.go: a board as bits. places.go: all pieces at all places. turns.go: turns and reflections.
//   - graph.go: how a placement is spelled, cell by cell, as a path through a small graph.
//     unit.go: the numbers of these paths, for some numbers of pieces.
//   - levels.go: the planes of bits. scan.go: how the numbers of a level are visited. moves.go: how their
//     moves are made. tails.go: the last choices of many placements, as words of bits. words.go: the moves of
//     up to 64 placements at a time. carry_amd64.go: bits that keep their ranks.
//   - plan.go: how a problem is split into parts. search.go: parts, one after the other or side by side.
//   - plainsearch_test.go, plainmoves_test.go: the same search the slow way, as the check of the fast one.
//
// The moves keep the pieces. So the placements with given counts of pieces make a unit that no move
// leaves, and units are searched independently. All ends of a unit are the roots of one search over
// its numbers. A move takes a whole range of numbers along: all placements that have the same
// pieces up to some cell. Below such a range of at most 64 numbers, a move of one piece takes along all
// of them in which it is possible.
package hardest
