// Package packing numbers all ways to place the pieces of a sliding-block puzzle in its tray, and makes
// moves on these numbers. Its words, in the order of use:
//
//   - In a placement, each piece is at a place that it can have, and no two are in one cell. Many
//     placements cannot be reached from the start.
//   - A Packing numbers all placements. It decides the cells in order: at the first cell that is
//     not decided, the choice is to leave it empty, or to put the first cell of a piece of some
//     kind there. What can follow depends only on a node: the decided cells and the pieces that
//     are left. So placements are the paths through a graph of nodes, and the number of a
//     placement is a sum along its path (build.go, packing.go).
//   - A Descent goes through this graph to the placements of low cost.
//   - A band is neighbouring cells of a row. A fill is what a band has in it. The band table is
//     the graph with whole bands as steps, so a path through it is short (bands.go, displace.go).
//   - A cursor stands at a number. It lists the numbers of the placements that one move leads to,
//     of a single piece (cursor.go) or of several together (together.go). It walks again only the
//     bands that the move changes. A shift is what the move adds to their codes. A window is a word
//     that holds several codes (shifts.go).
//   - A class is the places that a step leaves in the same way. A board has the first cells of pieces, and a lane
//     is the board of a class with a direction. Lanes find the steps of all pieces at once, by
//     vectors if the processor has them (lanes.go). If not, the cursor looks at one piece after the other.
//   - A tail is what a placement has in the last bands. Many placements have the same tail. In a large tray a
//     search finds the steps of a tail once, and makes each step before it once for all placements that are the
//     same there (tails.go).
//   - Keys are for puzzles with too many placements. A key has the anchors of all pieces; it is
//     longer than a number, but needs no tables. The moves on keys are those of the cursor, or,
//     in a tray of more than 64 cells, of a wide, with sets of four words (wide.go).
//   - A mover makes moves in a second way, to prove files; it shares none of the tables above but the nodes (proof.go).
//
// Packing.Graph makes a graph for a search of package bfs, and Packing.Proof one for proofs.
package packing
