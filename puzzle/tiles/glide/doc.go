// Package glide has boards of number tiles, as in 2048 and Threes: their keys, slides, symmetries and
// text.
//
// A Board is one word, a nibble for each cell. A Grid slides boards of its shape by a Rule, which says
// what becomes of one line; tables keep that for all lines of up to five cells. The rules of the
// games are in packages of their own, below this one.
package glide
