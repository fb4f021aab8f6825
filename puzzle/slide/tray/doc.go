// Package tray describes sliding-block puzzles: pieces in a tray are moved, without lifting them, until
// they are at a goal. It reads and writes puzzles, and makes moves from one position. Other packages number
// positions and search. Its words, in the order of use:
//
//   - A cell is a place of the tray that is not a wall. Cells are numbered from 0 in row-major
//     order, floor by floor, at most 256 of them. A Set is a set of cells.
//   - A piece is a set of cells that move as one, with a name of one character. They touch by
//     edges, unless the piece is in parts. A piece never turns, so one cell says where it is: its
//     anchor, the lowest of its cells.
//   - A Kind is the pieces that are interchangeable, and the places that they can have.
//   - A Position has the anchor of each piece. Positions that differ only in interchangeable
//     pieces have the same key, and count as the same.
//   - A goal is a set of Wants, each a place that a piece must take.
//   - A Metric says what counts as one Move. A Successor is what a move makes of a position.
//   - A Puzzle is a tray with pieces at a start, and goals. Parse reads it.
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
// In the tray, a letter or a digit is a cell of a piece, . is an empty cell, and # or a space
// is a wall. Whatever lies beyond the end of a row is wall too. A space between all cells is an
// error. In a goal, the name of a piece says where the piece must be, and . says that anything may
// be there. Empty rows at the end and empty ends of rows can be left out.
//
// There can also be thin walls between two cells that touch. A line lists them by a cell
// (row,column), counted from 0 at the top left, and one of its sides:
//
//	walls: (0,1) right, (2,0) below
//
// No cell of a piece passes a thin wall, and no piece lies across one. The sides left and above,
// and ceiling and floor, are possible too, and there can be several such lines.
//
// A tray can have several floors, one upon the other. A line says how many; they have equally many rows.
// The lowest floor comes first, in all drawings, and the rows of the next one follow, perhaps below an
// empty line:
//
//	floors: 2
//	tray:
//	AB
//	A.
//
//	AC
//	A.
//
// Here A is a block of two rows and two floors, with C upon B. The cell (2,1) has C: a cell is known by
// its row among the rows of all floors. Cells touch if they are beside each other on a floor, or at the
// same place of two floors that follow each other. In a path, C climbs to the next higher floor, and S
// sinks to the next lower one. A thin wall can be at the ceiling or the floor of a cell.
//
// Rows can also stand behind the heading, separated by /. A text of one line with a / needs no
// headings: the tray comes first, then the goals, separated by spaces:
//
//	AABB/AACC/12../DEFF/DEGG ..../..../..../AA/AA
//
// Nor does a text in which empty lines stand between the tray and the goals.
//
// A gate is cells that only one piece may enter. A drawing names the piece in each of them:
//
//	gate:
//	..
//	A.
//
// # Goals
//
// A goal can name one piece, several, or all of them; then it is a full arrangement. There can
// be several goals, and the puzzle is solved at any of them. For example, a piece may go to any
// of several places. The heading anywhere: instead of goal: allows the drawing at every place
// of the tray where it fits. Here the goal is a piece A above a B, wherever they are:
//
//	tray: AB../....
//	anywhere: A/B
//
// The drawing may stand where the tray has a wall, as long as it fits somewhere. With several floors its rows
// are those of the lowest floor first, as in the tray; an empty line between two rows leads to the next floor.
//
// The line "goal: -" says that no position is at the goal, as when a wall is where a piece must go.
//
// If any piece of a shape can take a place, and not only the one that is named, a line alike:
// says so; see below.
//
// # Pieces
//
// Pieces of the same shape are interchangeable, except those that a goal names. More lines
// describe pieces by their names. A * stands for all pieces:
//
//	parts: P          this can be in several parts, with gaps between them, that move as one
//	distinct: 1 2     each of these is different from all other pieces
//	alike: A B        these are interchangeable, even if a goal names them; there can be
//	                  several such lines; alike: * says that only shapes matter.
//	                  If a goal names one of them, they differ from other pieces of their shape
//	horizontal: C D   these move to the left and right only
//	vertical: E       these move up and down only
//	upright: F        these move from floor to floor only
//	rushhour:         all pieces are bars of two cells or more that move lengthwise
//
// Other lines say where the puzzle comes from and what is known about it: title, author, year,
// source, note (there can be several), lengths (the shortest known ones, such as "steps 83,
// moves 59") and states (the number of positions that can be reached).
package tray
