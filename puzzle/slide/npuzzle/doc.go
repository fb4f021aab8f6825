// Package npuzzle numbers and searches the positions of n-puzzles, such as the 15-puzzle: a rectangle full
// of different tiles, except for one empty cell. Only positions that can be reached have a number. Its
// words, in the order of use:
//
//   - The cells are read in lines: row by row, or column by column if the columns are longer.
//     Places are numbered in this order, and tiles in the order of their names.
//   - A Numbering turns a position into the place of the empty cell and the number of the
//     permutation of the tiles, which is a row of digits. A plane is the numbers with the same
//     place of the empty cell (numbering.go).
//   - The colour of a place is that of its cell on a chessboard. A move changes the colour of the
//     empty cell, so the levels of a search have one colour and the other by turns.
//   - A small level of a search is a list of numbers, a large one is bits (search.go).
//   - A word is 60 consecutive numbers, one bit for each: the arrangements of the last five
//     tiles, the low tiles. The other tiles are high ones (words.go).
//   - When the empty cell goes along a line, the permutation stays the same. When it goes to the
//     next line, a tile passes the other tiles of a window. What that does to the digits is a
//     permutation of words, or of the bits of words, or of both (window.go).
//   - A chunk is the words of a task, so that several threads can make a level (step.go).
//   - A search needs the last two levels only, which share the planes. For a file it also keeps the
//     mark of each position.
//   - A Plan predicts the memory and time of a search that is too large for this machine (plan.go).
//   - A prover makes the levels in a second way, to prove files. It knows no low tiles: a shift says where the units of a
//     plane go, the runs of numbers that stay together (proof.go).
//
// Numbering.Graph makes a graph for a search of package bfs.
package npuzzle
