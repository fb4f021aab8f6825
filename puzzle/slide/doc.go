// Package slide finds all positions of a sliding-block puzzle, and answers questions about them: the
// shortest solutions, the positions that are farthest apart, the hardest starts.
//
// A Space is the numbered positions of a puzzle and the moves of a metric. If there are too many
// placements to number, the space is an Unnumbered one: its positions have keys instead of numbers. A
// search finds them, and a table of them makes it a Listed space, with numbers. New makes a Space or an
// Unnumbered space. Their methods, in the order of the files:
//
//   - space.go: numbers, moves and texts, as every statespace.Space has them. definition.go
//     writes a space down for files, numbering.go chooses how it is numbered. unnumbered.go and
//     ranks.go are for spaces whose placements are too many.
//   - cells.go, near.go: patterns, and the members of a set that are nearest to a pattern.
//   - explain.go: how a space is numbered, as text or JSON.
//   - register.go: the family, with its names and texts; entries.go: the puzzles of the library.
//     play.go and measure.go are for the page: hints, and the lengths of puzzles that people draw.
//
// These functions search all positions of a puzzle and keep nothing:
//
//   - Solve finds the shortest solutions: a run in memory, and then its paths (solve.go). The functions
//     below take the numbers that a run would choose (explore.go).
//   - FindDiameter finds the positions that are farthest apart, FindHardest the starts that are
//     farthest from a goal.
//   - FindBB finds the BB metric, a measure of how hard a puzzle is.
//
// The packages below this one, each using only those before it:
//
//   - tray has the puzzles, their text and their moves, one position at a time. library has
//     well-known puzzles, formats has other formats, and replay checks solutions.
//   - packing numbers all placements of pieces, npuzzle the positions of n-puzzles. Both make
//     moves on the numbers for searches of package bfs.
//
// contest has the texts of a contest for designers of puzzles.
package slide
