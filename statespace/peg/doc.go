// Package peg is peg solitaire on any board: a set of cells on a square or
// triangular lattice, and a start position. A jump takes a peg over a neighbouring
// one, which is removed, into the hole behind it.
//
// In the order in which a run uses them:
//
//   - Board has the cells and the lines of three; ParseBoard reads one from text.
//   - Class numbers the positions that agree with the start on all parities that no
//     jump changes; no other position can be reached.
//   - Layout finds the order in which the sweep goes through the numbers.
//   - Space puts these together and implements statespace.Fast: sweep.go and
//     levels.go are the engines, certificate.go proves their results, count.go
//     counts them. symmetry.go and gather.go are the symmetries that keep the start.
package peg
