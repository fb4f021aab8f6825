// Package verify proves that a set of positions is what can be reached from a start, proves its
// pointers, and counts it by number of pegs.
//
// It knows nothing of the engines that made the set. All that it shares with them is the
// numbering of package board: it reads off a Class what the cells of a number look like
// and what a jump does to it. The set is whole, or folded: then only the representatives
// of its blocks are read, one per orbit of the symmetries.
//
//   - Certificate proves a whole set, FoldedCertificate a folded one.
//   - Pointers finds the pointers of a whole set again.
//   - Count counts a whole set by number of pegs, FoldedCount a folded one, also up to
//     symmetry.
package verify
