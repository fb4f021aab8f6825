// Package purges finds the purges and movers of peg solitaire, and explains solutions by them.
//
// A package is what can be done in a block, a small set of cells, with the rest of the board left
// alone. Here it has one start, one goal, and at least two jumps. A purge clears some pegs and leaves
// all other cells of the block, the catalyst, as they were. A mover also fills one hole: a peg moves
// there, or the hole moves the other way. The idea and the names are those of Berlekamp, Conway and Guy
// (Winning Ways, chapter 23).
//
// A package is in the library if it is minimal and one piece:
//
//   - Every sequence of jumps from the start to the goal touches every cell of the block. So no cell of
//     the catalyst can be left out.
//   - The block is not two parts in which the start becomes the goal independently.
//
// A package splits if a position on the way makes two packages of it, or a package and a jump, and one
// of the two is a purge. Packages that differ by a symmetry of the square count once.
//
//   - Find finds all packages in blocks of up to 12 cells.
//   - Library returns those of up to 9 cells, which library.csv has, with names. Read and Write are its
//     format.
//   - Placements lays packages on a board of any size.
//   - Explain finds the fewest purges with a name and jumps from a position to another.
//   - Annotate finds packages in a solution.
package purges
