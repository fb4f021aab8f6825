// Package deck makes decks of Rush Hour puzzles, from easy to hard.
//
// A card is a board of 6 x 6 cells with the goal car in the third row and no other vehicle along that
// row. No vehicle can be left out without making it easier, and no position that can be reached from it
// takes more moves. It takes at least four moves, has at most 10,000 positions, and can be set up with the
// game that is sold: 12 cars, the goal car among them, and 4 trucks.
//
// The difficulty of a card is the number of yes-or-no questions that a player has to answer to solve it in
// the fewest moves: the binary logarithm of 1/chance, where the chance is that of a player who picks each
// move at random. It grows with the number of moves and with the false leads on the way, and falls with the
// number of solutions. Its unit is the question, and it is kept in tenths of it.
//
// Puzzles come from climbs. A climb begins with the goal car alone and changes the board at random: a
// vehicle is put down or taken away, and then the position is taken that is farthest from the goal. A board
// that is easier than the one before is kept with a small chance only. For each number of moves that a climb
// finds, needless vehicles are taken away, and what is left may become a card.
//
// Each card is checked. The engine of package slide finds the same number of positions, of moves, and of moves
// from the hardest position; package replay replays the solution.
package deck
