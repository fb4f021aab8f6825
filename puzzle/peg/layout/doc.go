// Package layout decides how the positions of peg solitaire are put into blocks, and in which
// order the blocks are made. A Layout depends on the board and on the symmetries that shall take
// blocks to blocks. New looks for the one that costs least. Its terms, in the order of use:
//
//   - A set of cells is closed if every line whose middle is in it lies wholly in it,
//     like the border of a rectangle. So a jump over one of its cells has all
//     its cells there.
//   - A block is the positions that agree outside a closed set, Layout.Block. It is a
//     bitmap of 2^BlockBits numbers: the fillings of the set.
//   - BlockWeights is a strict pagoda function for the other cells: each jump from one
//     block to another loses weight. So blocks of falling weight are in an order in
//     which nothing leads back. Drop is the most that a jump loses. The weights come
//     from a linear program (weights.go, simplex.go).
//   - A group is the positions of a block that agree outside a smaller closed set,
//     Layout.Group. GroupWeights orders the groups of a block in the same way.
//   - Closing is a closing sequence: jumps inside the group that reach whatever can be
//     reached there, each tried once, in this order.
//   - Free is the numbering: the free cells of the group are the lowest bits of a
//     number, those of the block come next, the rest number the block.
//   - Representatives counts by weight the blocks that a folded sweep makes, one per
//     orbit of the symmetries, and Window how many of them are needed at a time.
//
// The search for a layout, and these counts, are bounded for every board: effort.go and
// fillings.go count their steps.
package layout
