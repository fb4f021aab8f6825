// Package definition reads permutation puzzles from the texts in which people write them down: sets of pieces that moves
// permute and turn, such as Rubik's cube, TopSpin or the n-puzzle without its empty cell.
//
// Parse recognizes four formats by their content:
//
//   - cycles, as GAP and textbooks write them:
//
//     name: rings
//     left  = (1 2 3 4)    # the piece at place 1 goes to place 2
//     right = (3 5 6)
//     solved: AABBCC       # a character for the colour of each place
//
//   - a definition of ksolve+ (Kåre Krig and Michael Gottlieb), a .def file;
//   - a definition of twsearch (Tomas Rokicki), a .tws file;
//   - a KPuzzle of cubing.js (Lucas Garron) in JSON.
//
// docs/reference/definitions.md says what is read of each. All become the same Puzzle: the same puzzle in two formats is
// the same value. Names are kept as they are written. Kinds of pieces are numbered in the order of the numbers or
// characters that the text has for them.
package definition
