// Package contest reads, writes and checks the texts of a contest for programs that design sliding-block
// puzzles. The course 6.046, Introduction to Algorithms, held it at MIT in 2001. A program gets a box,
// shapes of pieces and a goal for one piece, the goal piece. It fills the box with pieces, so that bringing
// the goal piece to its goal takes as many moves as possible. The pieces do not turn. A move is any motion
// of one piece.
//
//   - ParseProblem reads the input of a designer, Problem.Format writes one.
//   - ParseOutput reads the output of a designer, Puzzle.Format writes one.
//   - Problem.Replay checks a puzzle and its moves. It knows only the texts: it shares nothing with
//     package tray and the searches.
//   - Problem.Tray makes a tray.Puzzle of a puzzle, and Puzzle.Solve makes moves of a tray.Puzzle
//     moves of the contest.
//
// # The input
//
// The input has four sections, between lines with a single "-":
//
//	2 3            the box: its width and height,
//	0 0            and its rows; 0 is open space, 1 is a wall
//	0 0
//	0 1
//	-
//	1              the number of free shapes, then each of them:
//	1 1            width and height,
//	1              and its rows; 1 is the piece
//	-
//	2 1            the shape of the goal piece, another one than the free ones
//	1 1
//	-
//	0 1            the goal position: x and y
//
// (The text has no such comments.) A free shape can be used any number of times, the goal piece is
// in the puzzle once. Positions are those of the upper left corner of the smallest rectangle around a piece,
// from the upper left corner of the box: x to the right, y down. The contest's text leaves some
// questions open. Here they have these answers:
//
//   - A shape may have several parts, which move as one.
//   - Empty rows and columns around a shape do not count.
//   - The same free shape may come twice.
//   - There may be no free shape.
//   - A goal position where the goal piece does not fit makes a valid input, for which no puzzle can
//     be solved: see Problem.CheckGoal.
//   - Blank lines at the end do not count, nor does a carriage return at the end of a line.
//
// # The output
//
// The output can be any text. In it, between a line BEGIN SOLUTION and a line END SOLUTION, stands a
// puzzle with its solution. If there are several, the last one counts.
//
//	BEGIN SOLUTION
//	0 1 1          for each piece: its shape (free ones from 0, the goal piece last), x and y
//	1 0 0
//	-
//	2              the number of moves
//	-
//	0 left down    a move: the piece, from 0 in the list above, and its path in steps of one cell
//	1 down
//	END SOLUTION
package contest
