// Package draw draws sliding-block puzzles: positions as pictures, and solutions as animations in which
// the pieces glide.
package draw
