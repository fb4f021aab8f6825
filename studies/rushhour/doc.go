// Package rushhour solves boards of Rush Hour, the puzzle of N. Yoshigahara: cars and trucks on a board of
// 6 x 6 cells, each moving along its line only, and a goal car that must reach the right edge.
//
// A move takes one vehicle any number of cells along its line. Package tray calls this metric lines; as no
// vehicle can turn, moves are the same. A smaller board has walls around it, so every board can be written
// in 36 characters; one with 7 columns is written in 49.
//
// A Searcher solves one board after the other, quickly. Searcher.Explore finds all positions that can be
// reached, with the number of moves from each to the nearest goal, and Searcher.Needless finds a vehicle
// that can be left out. Package deck makes decks with it. Two words come from M. Fogleman (Solving Rush
// Hour, the Puzzle, 2018): a start is hardest if no position that can be reached takes more moves; a board
// is minimal if leaving out any vehicle makes it easier.
package rushhour
