// Package census searches all boards of Rush Hour of a size, and finds the hardest ones for each number of
// vehicles.
//
// On every board, the goal car is in the same row and must come to its right edge. No other vehicle lies along
// that row. Everywhere else there can be any number of cars, of two cells, and trucks, of three. Boards that
// cannot be solved are counted, too, and so are those with a line that is full.
//
// No vehicle leaves its line, so the vehicles of a line and their order do not change. The boards whose rows
// hold the same vehicles in the same order are a part. The parts are independent of each other, and each is
// searched as a whole: from all of its solved boards at once, level by level. So every board that can be
// solved is visited once. There are up to 8 to the power of 5 parts, with 7 columns 11 to the power of 5, which
// several threads share. What is found in each is added to a tally.
//
// In a part, a filling says where the vehicles of the rows are. It leaves a set of rows free in each column,
// and the words that a column can have depend on this set alone. So the boards of a filling are all
// combinations of one word per column, which gives them numbers without gaps. The words of the first column
// are the bits of one machine word, and boards that differ there only move together. They must be at the same
// level. The first column is farthest from the exit and changes the level least: on 5x6, more than twice as many
// boards move together as with the last column.
//
// Some cells can be walls. A wall is a taken cell of its column; a filling with a vehicle on it has no blocks.
//
// If a vehicle in a column is left out, the board stays in the same part. So for most boards that are not
// minimal, a look at the level shows it: the smaller board is there, too.
package census
