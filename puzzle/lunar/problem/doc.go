// Package problem reads problems of Lunar Lockout, and empty boards, from texts.
//
// A text begins with a line "lunar:". Lines with more may follow, and then the board is drawn row by
// row:
//
//	lunar:
//	name: A first try
//	piece X: red Spacepilot
//	12..3
//	.....
//	..+..
//	4....
//	...X.
//
// In the drawing, . is an empty cell, + an empty exit, a capital letter a letter piece, a digit, a
// small letter or o a number piece, and a space is no cell. The other lines are optional:
//
//   - name: what people call the problem.
//   - exits: cells, such as c3, 4,0, counted from the top left of the board. They are exits besides
//     those that are drawn as +: a piece may cover one. If no exit is named or drawn, it is the centre.
//   - piece X: the colour of a piece that is drawn, and its name for people if it has one.
//   - leaves: R, above a card: pieces R must leave, all others are number pieces, and - or a blank is an empty cell.
//   - group: 2-4, of a board without pieces: problems with 2 letter pieces and 4 number pieces.
//
// Margins do not count. A drawing with only characters of cells, a + among them, needs no line "lunar:". One that may be a
// problem without its exit, or a card without the piece that leaves, is an error. On one line, / stands between the rows, and the name of a board may come first:
// 5x5:12..3/...../..+../4..../...X.
package problem
