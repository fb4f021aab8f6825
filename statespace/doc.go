// Package statespace describes spaces of states, such as the positions of a puzzle, by
// numbers.
//
// It knows nothing of pegs or blocks. A Space numbers its states and gives the moves between
// the numbers. Everything else works on the numbers:
//
//   - A space can have capabilities beyond Space: layers, goals, symmetries, moves that can
//     be taken back, a way of its own to describe paths.
//   - Search finds all states that the roots reach, and CountLayers counts them by layer.
//   - Certify proves that a set is exactly what the roots reach, without a search.
//   - A Path is a sequence of moves, and Narrate describes it.
//   - Work is a computation in stages of independent tasks, and Do runs it on any number of
//     threads.
//
// All of this is plain: it handles one state at a time. Fast engines are in packages of their
// own: bfs for spaces that are searched breadth-first by number, sweep for spaces whose moves
// lose something. Package paths finds paths in layered spaces, and package cells answers
// questions about patterns. Package spacetest checks that a space keeps the laws on which all
// of these rely.
package statespace
