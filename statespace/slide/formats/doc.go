// Package formats reads and writes sliding-block puzzles in several formats:
//
//   - text: the format of package tray, which says all that there is to say;
//   - rushhour: a Rush Hour puzzle in 36 characters, as in the database of M. Fogleman;
//   - knuth: the input of D. E. Knuth's program SLIDING.
//
// Parse recognizes the format of a text. The other two formats are read by writing the puzzle
// in the text format first, and an error of that text is then reported where it comes from.
package formats
