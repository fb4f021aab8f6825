// Package slide is sliding-block puzzles: pieces in a tray, to be moved without lifting
// them until they stand at a goal.
//
// # The text of a puzzle
//
// A puzzle is a drawing of the tray, and of the goals:
//
//	title: Dad's Puzzler
//	tray:
//	AABB
//	AACC
//	12..
//	DEFF
//	DEGG
//	goal:
//	....
//	....
//	....
//	AA..
//	AA..
//
// In the tray, letters and digits are pieces, . is an empty cell, and # or a space is a
// wall; what lies beyond the end of a row is wall as well. The cells of a piece touch by
// edges. In a goal the names of pieces show where these shall be; . says that anything
// may be there, and rows and ends of rows that say nothing can be left out.
//
// Thin walls between two cells that touch are told by a cell (row,column), counted from 0
// at the top left, and the side of it:
//
//	walls: (0,1) right, (2,0) below
//
// No cell of a piece goes through a wall, and no piece lies across one. A side may also be
// left or above, and there may be several such lines.
//
// Rows may also stand behind the heading, with / between them, and a text of a single
// line with a / needs no headings: the tray comes first, then goals, separated by spaces:
//
//	AABB/AACC/12../DEFF/DEGG ..../..../..../AA/AA
//
// # Goals
//
// A goal may name one piece, several or all; with all it is a full arrangement. There may
// be several goals, and any of them will do: so a piece may go to any of several places.
// With the heading anywhere: instead of goal: the drawing may also be reached at any other
// place of the tray where it fits. Here a piece A above a B will do, wherever they are:
//
//	tray: AB../....
//	anywhere: A/B
//
// If any piece of a shape will do at a place, and not just the one that is named, a line
// alike: says so, as below.
//
// # Pieces
//
// Pieces of the same shape are interchangeable. A piece that a goal names is told apart
// from the others, though. Further lines say more of pieces, by name, or by * for all:
//
//	distinct: 1 2     these are told apart from all others
//	alike: A B        these are interchangeable, also if a goal names them; there may
//	                  be several such lines; alike: * says that only shapes matter
//	horizontal: C D   these move to the left and right only
//	vertical: E       these move up and down only
//	rushhour:         all pieces are bars of two cells or more that move lengthwise
//
// ParsePuzzle also reads Rush Hour strings of 36 characters and the input of D. E. Knuth's
// SLIDING; see ParseRushHour and ParseKnuth.
//
// And these tell where the puzzle comes from: title, author, source, note (there may be
// several), lengths (shortest ones that are known, such as "steps 83, moves 59") and
// states (the number of positions that can be reached). A test computes those of the
// library again; where not all are published, a note says which.
//
// # What there is
//
//   - ParsePuzzle reads a Puzzle, Library has published ones.
//   - Metric says what counts as a move: one piece or several together, by one cell, in a
//     straight line or along any path.
//   - Solve finds the shortest solutions, how many they are, and the number of positions
//     at each distance from the start.
//   - FindDiameter finds the positions that are farthest apart, FindHardest the starts that
//     are farthest from a goal.
//   - FindBB tells how hard a puzzle is by the metric of Baxter and Bickford: bb.go makes the
//     graph, takes it apart and draws random trees, trees.go counts trees exactly.
//   - Packing numbers all placements of the pieces; bands.go, cursor.go and super.go
//     make moves on the numbers, search.go keeps three bits for each of them. hash.go keeps
//     only the positions that are found. SolvePlain is the same without all that, one
//     position at a time; tests hold them equal.
//   - TilePacking numbers the positions of an n-puzzle, and only those that can be reached;
//     npuzzle_words.go moves 60 of them at once. It is taken where a puzzle is one and tiles
//     move one by one.
//   - Space is the numbered positions of a puzzle as a statespace.Reversible, for files;
//     numbering.go chooses how they are numbered. Near finds the nearest of its positions.
//   - FormatRushHour, FormatKnuth and Puzzle.Format write puzzles, as export.go says; view.go
//     has what pictures ask for.
//   - Replay and CheckSolution make moves on a drawing of the tray, apart from all that
//     the searches use, and tell whether they are right.
package slide
