// Package chance solves games of one player against chance, such as 2048: it finds all states that can
// be reached, and for each state what the best play from there is worth.
//
// The player makes a move, then chance makes one, and so on until there are no moves. What
// lies between a move and the answer of chance is an afterstate. Each move of chance adds to a number,
// the layer of a state, so that the states have no cycles: in 2048 that is the sum of the tiles.
//
//   - A Game has the rules. States and afterstates are numbers of 64 bits. One
//     stands for all its images under the symmetries of the game.
//   - An Objective is what the player wants: a high score, a good chance of reaching a mark, a
//     short game. Each has its own best moves and values. ParseObjectives reads them.
//   - A Solver goes forwards through the layers and lists the states, then backwards, and
//     computes the values of all objectives in one pass.
//   - Choices says what each move of a state is worth, given the values of its successors.
//   - NewSpace makes a space of a game, numbered by the layers of a file.
//
// # Method
//
// Forwards, the states of later layers are in open-addressing hash tables, one for each layer that the
// moves of chance lead to. When all earlier layers are done, a layer is closed: its states are sorted,
// and written as a sorted list. Each afterstate of a layer is expanded once, however many moves lead to
// it. Backwards, the values of the next layers are in hash tables; the afterstates of a layer are
// found again, each is worth the mean of its successors, and each state the best of its afterstates. So both
// ways need memory for a few layers only. All threads work on one layer at a time; the results do
// not depend on their number.
//
// # Precision
//
// Values are floating-point numbers of 64 bits. A chance above one half is kept as the chance
// of the opposite, so that a chance of 1 - 7e-18 is not rounded to 1: see Chance.
package chance
