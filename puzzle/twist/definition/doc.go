// Package definition reads permutation puzzles from the texts in which people write them down: sets of pieces that moves
// permute and turn, such as Rubik's cube, TopSpin or a pile of pancakes.
//
// Parse recognizes four formats by their content: moves in cycles, as GAP and textbooks write them; a .def file of
// ksolve+; a .tws file of twsearch; and a KPuzzle of cubing.js in JSON. docs/reference/definitions.md says what is read of
// each. The same puzzle in two formats is the same Puzzle. In cycles it may be:
//
//	name: rings
//	left = (1 2 3 4)  # the piece at place 1 goes to place 2
//	right = (3 5 6)
//	solved: AABBCC    # a character for each place: pieces with the same one are alike
//
// Kinds of pieces are in the order of the characters, or numbers, that the text has for them.
package definition
