// Package threes has the exact rules of Threes on small boards.
//
// These rules reproduce the known values to all their digits:
//
//   - A slide moves every line by at most one step. Going from the wall, the first tile that finds
//     an empty cell before it, or a tile to join, moves, and all tiles behind it follow. 1 and 2
//     join to 3; equal tiles of 3 or more join to their sum.
//   - The next tile enters a random line of those that moved, at the edge that the
//     slide left. A slide that moves no line is no move.
//   - Next tiles are drawn from a bag of four 1s, four 2s and four 3s, without putting back. An
//     empty bag is filled again. The player sees the next tile before the move.
//   - Floor(9 x cells / 16) tiles start the game. They come from the same bag and lie on random cells.
//   - The game ends when no slide moves. A tile 3 x 2^k is then worth 3^(k+1), 1 and 2 nothing.
//
// A node is a board and a bag, before the next tile is drawn, up to the board's symmetries. The
// nodes that play from the starts reaches, ended games counted, and what the best play makes:
//
//	board  bag       nodes    boards  mean final score   tile reached, with a policy of its own
//	2x2    four each 575      242     34.931115833661    24 with 0.164617604618
//	2x3    four each 120,606  54,834  318.359875810799   96 with 0.067953055247
//	2x3    one each  32,268   31,133  462.556576878111
//
// On 3x3 with a bag of four each, where a tile 48 ends the game, there are 8,860,507 nodes and
// 4,307,820 boards, and the mean final score is 407.594996174.
//
// A Game has these rules for boards of up to 12 cells, other bags, hidden next tiles, stop tiles, bonus
// tiles and drawn starts: see Options. Package chance solves it. A stop tile counts as a target, and
// the game that it ends has its final score.
package threes
