// Package solver solves problems of Lunar Lockout: it finds the fewest moves, among solutions with
// these the fewest steps, the number of all such solutions, and the number pieces that matter.
//
// Solve works in three stages:
//
//   - A search goes through the positions that can be reached. Each letter leaves in one move or slide, so a
//     solution has the fewest moves if it has the fewest moves in which no letter leaves. The search
//     counts only these: level by level, where moves by which a letter leaves stay in the level. It
//     ends with the first level that has a solved position. Pieces of the same kind are alike.
//   - From the solved positions, it goes back to the start along optimal moves only.
//   - On what is left, which is small, sums count steps and solutions. Number pieces keep their
//     names there, to know which are significant.
//
// A piece slides only toward another piece. So no piece leaves the rectangle around all pieces, nor the
// columns between those of the pieces on one side of an exit while it stays on this side. From where
// the pieces are, this often shows that no letter can ever leave. The search passes over such
// positions: they are most of what can be reached in many problems without a solution.
package solver
