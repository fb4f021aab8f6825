// Package statespace enumerates the states of puzzles.
//
// It knows nothing of pegs or blocks. A Space numbers its states and gives the moves
// between the numbers; all else is sets of numbers and walks between them:
//
//   - Enumerate fills the set of the states that can be reached. Search is the plain
//     way; a Fast space brings engines of its own.
//   - Verify proves that a set is just what can be reached, without the engines;
//     Certify does so one state at a time. VerifyFolded proves a set that is folded, as
//     it is; CertifyFolded is its plain twin.
//   - Path finds moves that lead to a member of such a set.
//   - CountLayers counts it by layer, CountFolded also up to symmetry.
//   - FoldSet leaves of members that are images of each other, by the symmetries of a
//     Symmetric space, just one; UnfoldSet brings the others back.
//
// Work is how kernels are spread over threads. Package spacetest checks that a space
// keeps the laws that all this counts on, and that its fast ways agree with the
// plain ones.
package statespace
