// Package rushhour is Rush Hour, the puzzle of N. Yoshigahara: cars and trucks on a board of 6 x 6 cells,
// each moving along its line only, and a goal car that must reach the right edge.
//
// A move takes one vehicle any number of cells along its line. This is the metric in which the puzzles are
// known, lines of package tray; as no vehicle can turn, it is the metric moves, too. A smaller board has
// walls around it, so every board can be written in 36 characters.
//
// The search here is for single boards, many of them: Searcher.Explore finds all positions that can be
// reached, with the number of moves from each to the nearest goal, and Searcher.Needless a vehicle that
// can be left out. Package deck makes decks with it. Two words are those of M. Fogleman (Solving Rush Hour,
// the Puzzle, 2018): a start is hardest if no position that can be reached takes more moves; a board is
// minimal if no vehicle can be left out without making it easier.
package rushhour
