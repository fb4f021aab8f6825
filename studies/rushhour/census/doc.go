// Package census looks at all boards of Rush Hour of a size, and finds the hardest ones by number of
// vehicles.
//
// On every board, the goal car is in the same row and must come to its right edge. No other vehicle lies along
// that row. Everywhere else there can be cars of two cells and trucks of three, any number of them. Nothing is
// left out: not boards that cannot be solved (they are counted), and not those with a line that is full.
//
// No vehicle leaves its line, so the vehicles of a line and their order do not change. The boards whose rows
// hold the same vehicles in the same order are a part. The parts are independent of each other, and each is
// searched as a whole: from all of its solved boards at once, level by level, so that every board that can
// be solved is looked at once. There are up to 8 to the power of 5 parts, which several threads share; what
// is found in each is added to a tally.
//
// In a part, a filling says where the vehicles of the rows are. It leaves a set of rows free in each column,
// and the words that a column can have depend on this set alone. So the boards of a filling are all
// combinations of one word per column, which gives them numbers without gaps. The words of the last column
// are the bits of one machine word, and boards that differ there only move together.
//
// A board without one of its vehicles that stands in a column is a board of the same part. So most boards
// that are not minimal are seen to be so by a look at the level: the smaller board is there, too.
package census
