// Package statespace describes spaces of states, such as the positions of a puzzle, by
// numbers.
//
// It knows nothing of pegs or blocks. A Space numbers its states and gives the moves between
// the numbers. Everything else works on the numbers:
//
//   - Parts are what a space offers besides, as one struct: layers, goals, cells, symmetries, values,
//     codes, kernels, texts. Each is optional, and says what happens without it.
//   - Search finds all states that the roots reach, and CountLayers counts them by layer.
//   - Certify proves that a set is exactly what the roots reach, without a search.
//   - A Path is a sequence of moves, and Narrate describes it.
//   - Work is a computation in stages of independent tasks, and Do runs it on any number of
//     threads.
//
// All of this is plain: it handles one state at a time. Fast engines are in packages of their
// own: bfs for spaces that are searched breadth-first by number, sweep for spaces whose moves
// lose something, sparse for spaces with few reached numbers, chance for games. Package paths
// finds paths in spaces with layers, and package patterns answers questions about patterns. Package
// permutation numbers states that are orders of different things. Package spacetest checks that a space
// keeps the laws on which all of these rely.
package statespace
