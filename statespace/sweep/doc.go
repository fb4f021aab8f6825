// Package sweep is the engine for spaces whose moves lose something, such as peg solitaire.
//
// Such a space has no cycles. So there is an order of its states in which everything that leads
// to a state comes before it. An engine needs no frontier then, and never has to look whether a
// state was reached before. What makes this fast depends on the space. A space brings its
// kernels as one statespace.Sweep, and whatever is missing there is done one state at a time.
//
// These words have one meaning here:
//
//   - A block is 2^Bits consecutive numbers. Its representative is the least block among its
//     images by the symmetries. A FoldedSet has only the representatives of a symmetric set, and
//     Unfolded is the whole set again.
//   - A stage is a group of blocks, or of other tasks, that do not depend on each other.
//   - The ring is the memory in which a BlockRun makes the blocks of a Stream. The window is the
//     blocks that it needs in the ring at a time. Finished blocks leave the ring, in order, and go
//     to a sink.
//   - A source of a block is a block of an earlier stage that it reads; it is a target of its
//     sources. Feeds say which blocks these are. A Maker needs no ring: it makes blocks from the
//     words of their sources, which another process may have made.
//   - A seed of a block is a member to which no move leads from another member of the block. A
//     PackedRun keeps blocks packed, as their seeds, and some of them whole in a cache. It needs less
//     memory than a BlockRun, and more time. A scratch file has what does not fit.
//
// Run fills a whole set by one of the engines of a space. Verify and VerifyFolded prove that a
// set is what can be reached: they are statespace.Certify for many states at once. CountLayers
// and CountFolded count the states of a set by layer. Fold keeps only the least state of each
// orbit. Pointers say which move led to a state.
package sweep
