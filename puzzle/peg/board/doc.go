// Package board has the boards of peg solitaire, their positions, and the numbers of
// these positions. It knows nothing of how positions are enumerated. In the order of use:
//
//   - A Shape has cells on a square, triangular or diagonal lattice, and the lines of three
//     among them. A Board is a shape of at most 64 cells. ParseBoard reads one from text;
//     Rectangle, Triangle, Cross and Octagon make the usual ones. ParseShape,
//     RectangleShape and so on make larger shapes. A Permutation of the cells of a board is
//     a symmetry.
//   - A Position is a set of pegs, and a Pattern leaves some cells open.
//   - A Class numbers the positions that agree with the start on all parities that no
//     jump changes; no other position can be reached. A Symmetry maps these numbers.
//   - CellMasks and PegMasks answer questions about 64 consecutive numbers at once:
//     which of them have a peg in a cell, allow a jump, or have a given number of pegs.
package board
