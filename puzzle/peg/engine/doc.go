// Package engine finds all positions of peg solitaire that can be reached, one block of positions
// after the other.
//
// Every jump loses something, so there is an order in which each position comes after all
// that lead to it. In this order every position is made once: there is no frontier, and no
// test for visited states. The terms, in the order of use:
//
//   - A block is the positions that agree outside a closed set of cells: 2^bits
//     consecutive numbers, a bitmap. It is the unit of work. A group is the same within a
//     block, from a part of a word up to four words.
//   - A layout says which cells are inside blocks and groups, and weighs the others such
//     that each jump from one block to another loses weight; see package layout.
//   - A schedule is the order in which blocks are made: by falling weight (schedule.go). A
//     stage is the blocks of one weight. They do not depend on each other, so threads
//     share a stage without locks.
//   - To make a block, a worker pulls into it from finished blocks, the sources: a pull is
//     a jump, made for whole words by a mask and a rotation (pull.go, sources.go). Then it
//     runs a program, which closes the block under the jumps inside it (program.go). The
//     block is then final. A pass does this for all blocks (pass.go).
//   - A kernel is an implementation of the inner loops, in Go or in assembly for vectors
//     (kernel.go). All kernels make the same set.
//
// That is all it takes to fill a whole set; see Engine.Enumeration. A stream makes
// the same blocks with less memory and less work:
//
//   - The window is the blocks that are needed at a time: a source is heavier than its
//     target by no more than a jump can lose. The ring is memory for the window. A new
//     block takes the slot of one that is no longer needed (ring.go). The positions of a
//     block are counted when it is made (tally.go).
//   - A fold is a symmetry of the start, as a map of blocks. The representative of an
//     orbit of blocks is the one with the least number. Only representatives are made
//     (fold.go).
//   - If a source is not a representative, its representative is pulled from, with the
//     jump mapped along. That jump leads into an image of the current block. So there is
//     a side for each fold: a scratch block that collects these jumps. Each side is
//     mapped back, by a block map (blockmap.go), before the block is closed.
//
// A class of more than 2^MaxOuterBits blocks has small ones, and no memory for tables with an entry
// for each. There, a slab is the blocks with the same filling of some cells outside, which the
// symmetries take to each other. The engine makes one slab of each orbit, whole, and computes the
// place of a block from the filling of these cells and from that of the others (slabs.go). Its
// workers make several small blocks at a time (slabpass.go). Where both ways are possible, slabs
// are as fast for blocks of 64 bytes, and take twice as long for blocks of 512. They make some
// blocks of an orbit more than once, and need not make the one with the least number, which a file
// keeps. So there are tables wherever they fit.
//
// Feeds do without the ring: a maker is a worker to which its caller gives the sources
// (feeds.go).
//
// Engine.CountWays goes through the blocks once more and counts the paths to their members (ways.go,
// count.go). A limb is a word of the count of each member of a block, as of a long number. A chunk is memory for the
// limbs of some blocks (arena.go).
//
// Engine.Blocks has the stream, the feeds, and a prediction of how long a stream takes (estimate.go). Levels is the
// fallback for classes without a layout.
package engine
