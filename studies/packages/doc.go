// Package packages finds the packages of peg solitaire: what can be done inside a small block of
// cells while the rest of the board is left alone.
//
// A Block is a small board with a start and a goal. Each is a pattern: a cell has a peg, a hole,
// or either. A start that leaves n cells open stands for 2^n positions, a goal likewise, and an
// open cell of the start has nothing to do with the same cell of the goal. The full block allows no
// jump and the empty block has no pegs, so neither counts as a start or a goal.
//
// The package of a block is the set of positions that a start can reach and from which a goal can
// be reached, with the jumps among them. A start that is in the package is usable, and so is a
// goal. A sequence of jumps leads from a usable start to a usable goal; on its way it may pass
// other starts and goals. If a start is a goal, no jumps at all are a sequence, too.
//
// The best known packages are purges: they take pegs away and leave the catalyst, a few other
// cells, as it was. The 6-purge takes six:
//
//	block, err := packages.Parse("#..o/ooo#/ooo#", "#..o/...#/...#")
//	p, err := packages.Find(ctx, block, packages.Options{})
//	fmt.Println(p.States, p.Jumps, p.Sequences) // 11 15 6
//
// The idea and the figures of the tests are those of findsolitairepackages on MATLAB Central File
// Exchange.
//
// Find has two engines. For up to about 30 cells it keeps one bit for each of the 2^n positions,
// 64 of them in a word. It goes through them by falling number of pegs for what the starts reach,
// and then by rising number for what leads to a goal. If few positions are reached, it keeps sorted
// lists of them instead, and the block can have up to 64 cells.
package packages
