// Package play lets a person play a game of number tiles, and says what each mistake costs.
//
// On a terminal, Run draws the board anew after each key. Elsewhere it reads words such as "left" and
// writes the board after each, so that a script can play. The rules are those of package player, and a
// chance.Solution says what moves are worth.
//
// All draws come from a seed: they depend on the number of the game and of the move. So a move that is taken
// back and made again brings the same tile.
package play
