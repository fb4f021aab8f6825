// Package draw draws sliding-block puzzles: positions, and solutions in which the pieces
// glide.
package draw
