// Package gf2 does linear algebra over GF(2), the field of 0 and 1. Positions are numbered by it.
//
// A vector is a 64-bit word, a set of up to 64 elements; to add two vectors is
// exclusive or. In the order of use:
//
//   - List, Extract and Deposit convert between sets, lists and bit strings.
//   - Orthogonal, Reduce, Rank and Sum are Gaussian elimination.
//   - A Table applies a linear map to a word with eight look-ups.
//   - An Affine map permutes numbers of n bits. It also maps whole sets of numbers,
//     which are bitmaps: 64 numbers at a time (Gather) or a block of words at a time
//     (GatherBlock). Swaps are the steps in which the bits of a word move.
package gf2
