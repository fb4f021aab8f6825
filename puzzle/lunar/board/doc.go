// Package board has the boards and the rules of Lunar Lockout, which was first sold as UFO.
//
// Letter pieces and number pieces stand on the cells of a board. A piece slides up, down, left or
// right until it stands next to another piece. If no piece is in its way, it may not move, nor if
// it stands next to that piece already. Such a slide is a step. A move is one or more steps of the
// same piece, which turns by 90 degrees between them.
//
// Some cells are exits; usually there is one, in the centre. A letter piece that stops on an exit
// leaves the board at once, which ends the move. It may pass over an exit. A number piece may stand
// on an exit. The problem is solved when no letter piece is left. The best solution has the fewest
// moves, and among those the fewest steps. Many programs and people count slides instead: on a
// board BySlides each step is a move of its own.
//
// This package is plain on purpose. The engine in package lunar is held against it.
//
// Source: J. Rausch, Computer Analysis of the UFO Puzzle, 1999.
package board
