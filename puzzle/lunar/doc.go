// Package lunar has the spaces of Lunar Lockout: groups of problems that are solved together.
//
// The problems of the group L-N have L letter pieces and N number pieces; package board has the rules.
// A group also has all problems with fewer letters, as they come about in play. Its space goes
// backwards: the roots are the solved problems, in which no letter is left, and Successors takes
// moves back. So a search from the roots finds for each problem how many moves it needs, and the
// problems that it does not reach cannot be solved. On a board BySlides, a move is one slide.
//
// A Group has one state for all problems that the symmetries of the board take to each other. Its
// whole space, Placements, has one for each placement of the pieces, and is plain: the engine of the
// Group is held against it.
//
// The values that files keep of each problem besides its moves are
//
//   - steps: the fewest steps of a solution in the fewest moves,
//   - solutions: how many such solutions there are, counted up to 2^32 - 1,
//   - always: the number pieces that are significant in all of them, as a set of bits, and
//   - some: those that are significant in one of them or more.
//
// A number piece is significant in a solution if it moves, or stops another piece. Bit i is the
// number piece that comes after i others in the order of the cells of the state.
package lunar
